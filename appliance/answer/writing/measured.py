"""The numbers of a text with the unit behind each.

Rules of this module: pure; a number is read as the checks of quotations read it.
"""

from __future__ import annotations

import re

from appliance.answer.verify import particulars
from appliance.quantity import unit_behind

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:[:/]\d+)?")


def measured(text: str) -> set[tuple[str, str]]:
    """Return the numbers in a normal form that have a unit, with it."""
    found = ((_normal(match.group()), unit_behind(text, match.end())) for match in _NUMBER.finditer(text))
    return {(value, unit) for value, unit in found if unit}


def _normal(number: str) -> str:
    read = (item for item in particulars(number) if item.lstrip("-")[:1].isdigit())
    return next(read, number)
