"""What a following question says in the place of what has its role in the question before.

Rules of this module: pure. A quantity ("and the going?") takes the place of the quantity that was asked for,
without its bound, for that of the new one may be another. What stands behind the same small word ("for a
bath", "for a washbasin"), or has an article as the last thing named has, takes its place. Words:
data/retrieval/parts.toml.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from appliance.shipped import shipped
from appliance.store.words import fold

MOST = 4  # words of a wanted quantity

_ARTICLE = r"(?:an?|the|my|our|your|this|that)"


def with_quantity(question: str, said: str, before: str) -> str:
    """Return the question before about another quantity, "" where none is named: `said` is "the going?".

    What a small word opens ("and for a ramp?") is a thing.
    """
    opening = question[: len(question) - len(said)]
    if re.search(rf"\b{_small()}\s*$", opening, re.IGNORECASE):
        return ""
    name = re.sub(rf"^{_ARTICLE}\s+", "", said.strip().rstrip("?. "), flags=re.IGNORECASE)
    if not name or not _is_quantity(name):
        return ""
    found = _wanted().match(before.strip())
    if found is None or not found["wanted"].strip():
        return ""
    rest = found["rest"].rstrip("?. ")
    return f"{found['opening']}{name}{rest}?" if rest else ""


def with_subject(said: str, before: str) -> str:
    """Return the question before about another thing, "" where it cannot be told what is replaced."""
    earlier = before.strip().rstrip("?. ")
    new = re.fullmatch(
        rf"(?P<small>{_small()})?\s*(?P<thing>{_ARTICLE}\s+\S.*)", said.strip().rstrip("?. "), re.IGNORECASE
    )
    if new is None or re.search(rf"\s{_small()}\s", new["thing"], re.IGNORECASE):
        return ""
    things = list(
        re.finditer(
            rf"\b(?P<small>{_small()})\s+(?P<thing>{_ARTICLE}\s+.*?)(?=\s{_small()}\s|$)",
            earlier,
            re.IGNORECASE,
        )
    )
    same = [found for found in things if new["small"] and fold(found["small"]) == fold(new["small"])]
    old = (same or things if len(same or things) == 1 else same[-1:]) or None
    if not old:
        return ""
    return f"{earlier[: old[0].start('thing')]}{new['thing']}{earlier[old[0].end('thing') :]}?"


def _is_quantity(name: str) -> bool:
    """Tell whether a name ends in a word for something that is measured."""
    words = fold(name).split()
    return len(words) <= MOST and words[-1] in _data()["quantities"]


@cache
def _wanted() -> re.Pattern[str]:
    """Return what tells the quantity that a question wants from how it opens and what it is asked of."""
    opening = r"(?:(?:what|which)(?:\s+(?:is|are|should|must)(?:\s+be)?)?(?:\s+the)?\s+|the\s+)?"
    return re.compile(rf"(?P<opening>{opening})(?P<wanted>.*?)(?P<rest>\s{_small()}\s.*)", re.IGNORECASE)


@cache
def _small() -> str:
    return f"(?:{'|'.join(map(re.escape, _data()['small']))})"


@cache
def _data() -> dict[str, Any]:
    return shipped("retrieval/parts")
