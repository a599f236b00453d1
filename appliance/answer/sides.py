"""The side of a limit: where something begins is no answer to how far it may go.

Rules of this module: pure. Only questions that ask for the most are looked at. A statement whose numbers of
the kind asked for are all where something begins ("1:20 or steeper", "steeper than 1:20", "at least")
stands behind the first one that gives another number of that kind; nothing is left out. Words:
data/answer/sides.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from appliance.answer.findings import Finding
from appliance.evidence import Query
from appliance.quantity import asked_kinds, quantities
from appliance.shipped import shipped
from appliance.store.words import fold

BEFORE, BEHIND = 24, 16  # characters before and behind a number that tell its side
READ = 8  # statements among which another number is looked for


def right_side_first(query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, before those that only say where something begins one that says more."""
    asked = fold(query.spelt or query.text)
    kinds = asked_kinds(asked)
    if (
        not kinds
        or not chosen
        or not _patterns("most").search(asked)
        or not only_begins(chosen[0].text, kinds)
    ):
        return tuple(chosen)
    for finding in chosen[1:READ]:
        if any(found.kinds & kinds for found in quantities(finding.text)) and not only_begins(
            finding.text, kinds
        ):
            return (finding, *(item for item in chosen if item is not finding))
    return tuple(chosen)


def only_begins(text: str, kinds: frozenset[str]) -> bool:
    """Tell whether each number of these kinds in a text is where something begins, and there is one."""
    found = [one for one in quantities(text) if one.kinds & kinds]
    return bool(found) and all(_begins(text, one.start, one.end) for one in found)


def _begins(text: str, start: int, end: int) -> bool:
    behind, before = (
        fold(text[end : end + BEHIND]).strip(),
        fold(text[max(start - BEFORE, 0) : start]).strip(),
    )
    return bool(_patterns("behind").match(behind) or _ending().search(before))


@cache
def _patterns(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in shipped("answer/sides")[name]))


@cache
def _ending() -> re.Pattern[str]:
    return re.compile(f"(?:{_patterns('before').pattern})$")
