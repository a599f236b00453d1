"""The side of a limit: where something begins is no answer to how far it may go, nor the most to the least.

Rules of this module: pure. Only questions that ask for the most or for the least are looked at, "how far from
the house" for the least. A statement whose numbers of the kind asked for are all on the other side ("1:20 or
steeper", "at least" where the most is asked for; "within 30 m", "or less" where the least is) stands behind
the first one that gives another number of that kind; nothing is left out. Words: data/answer/sides.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from appliance.answer.findings import Finding
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.text.quantities import asked_kinds, quantities
from appliance.text.terms import fold

Side = Literal["most", "least"]

BEFORE, BEHIND = 24, 16  # characters before and behind a number that tell its side
READ = 8  # statements among which another number is looked for


def right_side_first(query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, before those that only give the other side of a limit one that says more."""
    asked = fold(query.spelt or query.text)
    kinds, side = asked_kinds(asked), asked_side(asked)
    if not kinds or not chosen or not side or not only_other(chosen[0].text, kinds, side):
        return tuple(chosen)
    for finding in chosen[1:READ]:
        given = any(found.kinds & kinds for found in quantities(finding.text))
        if given and not only_other(finding.text, kinds, side):
            return (finding, *(item for item in chosen if item is not finding))
    return tuple(chosen)


def asked_side(folded: str) -> Side | None:
    """Return the side of a limit that a folded question asks for, None for neither or both."""
    most, least = (_whole(side, "asked").search(folded) for side in ("most", "least"))
    if bool(most) == bool(least):
        return None
    return "most" if most else "least"


def only_other(text: str, kinds: frozenset[str], side: Side) -> bool:
    """Tell whether each number of these kinds in a text is on the other side, and there is one."""
    found = [one for one in quantities(text) if one.kinds & kinds]
    return bool(found) and all(_is_other(text, one.start, one.end, side) for one in found)


def _is_other(text: str, start: int, end: int, side: Side) -> bool:
    behind = fold(text[end : end + BEHIND]).strip()
    before = fold(text[max(start - BEFORE, 0) : start]).strip()
    return bool(_whole(side, "behind").match(behind) or _ending(side).search(before))


@cache
def _whole(side: Side, name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in shipped("answer/sides")[side][name]))


@cache
def _ending(side: Side) -> re.Pattern[str]:
    return re.compile(f"(?:{_whole(side, 'before').pattern})$")
