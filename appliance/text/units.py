"""Units as codes print them: the pattern that matches one, and raised figures that scans set apart."""

from __future__ import annotations

import re
from functools import cache

from appliance.core.files import shipped


@cache
def unit_pattern() -> re.Pattern[str]:
    """Return what matches a unit as codes print it ("mm", "kN/m²", "l/s per m²")."""
    one = _symbols()
    part = rf"{_raised_apart()}|\(?(?:{one})\)?"
    return re.compile(rf"(?:{one})(?:\s?/\s?(?:{part})|(?:[·. ]| per )\(?(?:{one})\)?)*")


def closed_up(text: str) -> str:
    """Return a text with the raised figures of units that scans set apart beside them: "7 kN/m 2"."""
    return _divided_apart().sub(lambda found: re.sub(r"\s(?=\d$)", "", found.group()), text)


@cache
def _divided_apart() -> re.Pattern[str]:
    return re.compile(rf"/\s?{_raised_apart()}")


@cache
def _raised_apart() -> str:
    """Return what matches "m 2" where the figure is no number of its own: not "m 2 to 3", "m 2 kN"."""
    joining = "|".join(
        map(re.escape, (*shipped("tables")["bounds"]["between"], "x", "×", ".", ",", ":", "/"))
    )
    return rf"[cm]?m\s[23](?![^\W_]|\s?(?:{joining})\s?\d|\s?(?:{_symbols()})(?![^\W_]))"


@cache
def _symbols() -> str:
    """Return what matches the symbol of one unit; a degree may be printed by a sign that is like one."""
    symbols = sorted(shipped("units")["symbols"], key=len, reverse=True)
    return "|".join(map(re.escape, symbols)).replace("°", "[°\u00ba\u02da]")
