"""The table that a clause points to for its values is stated with the clause.

Rules of this module: pure. A clause points where one sentence speaks of values and names a table
("recommended values are given in Table 5.1"). Of that table the finding that fits the question best is stated
behind the first clause that points to it; before it, where the table speaks of something asked for that the
clause does not name ("sheltered") and is sure of its row. A table that none of the findings is
made from is not read here, and nothing is left out. Words: data/answer/pointed.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from appliance.answer.about import spoken_by, things
from appliance.answer.findings import Finding
from appliance.core.evidence import FOR_A_VALUE, Query
from appliance.core.files import shipped
from appliance.text.sentences import sentence_spans
from appliance.text.terms import fold

LEADING = 3  # first findings that are looked at


def with_tables(query: Query, chosen: Sequence[Finding], said: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, each table that one of the first points to for its values beside it."""
    found = list(chosen)
    if query.intent not in FOR_A_VALUE:
        return tuple(found)
    for clause in chosen[:LEADING]:
        table = _table(clause, said)
        if table is None or any(_is_of(one, table) for one in found[: found.index(clause)]):
            continue
        beside = [one for one in found if _is_of(one, table)]
        best = max((*beside, table), key=lambda one: one.score)
        found = [one for one in found if one is not best]
        best = replace(best, score=max(best.score, clause.score))  # the clause names what the row does not
        at = found.index(clause)
        found.insert(at if not best.unsure and _says_more(query, best, clause) else at + 1, best)
    return tuple(found)


def _table(clause: Finding, said: Sequence[Finding]) -> Finding | None:
    """Return the best finding from a table that a clause points to for its values, None for none."""
    if clause.marked or not clause.quotes:
        return None
    named = [
        word["table"]
        for span in sentence_spans(clause.text)
        if _values().search(sentence := clause.text[slice(*span)])
        for word in _places().finditer(sentence)
    ]
    keys = {fold(" ".join(name.split())) for name in named}
    meant = [
        one
        for one in said
        if one.marked
        and one.place.document == clause.quotes[0].document
        and fold(str(one.place.label)) in keys
    ]
    return max(meant, key=lambda one: one.score, default=None)


def _is_of(finding: Finding, table: Finding) -> bool:
    """Tell whether a finding was made from the same table."""
    one, other = finding.place, table.place
    return bool(finding.marked) and (one.document, one.label) == (other.document, other.label)


def _says_more(query: Query, table: Finding, clause: Finding) -> bool:
    """Tell whether the row of a table speaks of something asked for that the clause does not name."""
    own = " ".join((*table.rows, table.text))
    asked = things(query)
    return any(spoken_by(query, word, own) and not spoken_by(query, word, clause.text) for word in asked)


@cache
def _values() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(shipped('answer/pointed')['values'])})\b", re.IGNORECASE)


@cache
def _places() -> re.Pattern[str]:
    words = "|".join(shipped("answer/pointed")["tables"])
    return re.compile(
        rf"\b(?P<table>(?:{words})\s+(?:[A-Z]\.?)?\d[\w.–-]*\w|(?:{words})\s+\d)", re.IGNORECASE
    )
