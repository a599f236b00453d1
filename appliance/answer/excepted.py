"""A statement that leaves out the very thing that is asked about: "all parts (except the stairs)".

Rules of this module: pure. A word of the question is left out where it stands in an exception and nowhere
else in the statement or its heading. An exception that gives a value of the kind asked for itself ("except
in lofts, 1.9 m") leaves nothing out. Only questions for a value are looked at: others ask for exceptions.
Words: data/answer/columns.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from appliance.answer.about import things
from appliance.answer.dimension import asked_dimension, gives
from appliance.answer.findings import Finding, holds_what_is_asked
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.tables.lookup import words
from appliance.tables.ranges import alike
from appliance.text.quantities import quantities

_END = re.compile(r"[,;:.)](?=\s|$)")
_BRACKET = re.compile(r"\)")


def including_first(query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings; one that leaves out what is asked about stands behind one that speaks of it.

    That one has no exception itself and gives the dimension that is asked for.
    """
    missing = left_out(query, chosen[0]) if chosen else ()
    for finding in chosen[1:] if missing else ():
        said = f"{_heading(finding)} {finding.text}"
        speaks = not _exception().search(said) and all(_among(word, words(said)) for word in missing)
        asked = asked_dimension(query)
        given = holds_what_is_asked(query, finding.text) >= 1 and (not asked or gives(finding.text, asked))
        if speaks and given:
            return (finding, *(item for item in chosen if item is not finding))
    return tuple(chosen)


def unanswered(query: Query, chosen: Sequence[Finding]) -> str:
    """Return in a sentence what the first statement leaves out of what is asked about, "" for nothing."""
    missing = left_out(query, chosen[0]) if chosen else ()
    named = ", ".join(f"\u201c{word}\u201d" for word in missing)
    return f"The first statement leaves out {named}." if named else ""


def left_out(query: Query, finding: Finding) -> tuple[str, ...]:
    """Return the words of a question that a finding speaks of in an exception only."""
    if query.intent != "value" or _exception().search(query.spelt or query.text):
        return ()
    outside, inside = _split(query, finding.text)
    held, kept = words(inside), words(f"{_heading(finding)} {outside}")
    return tuple(word for word in things(query) if _among(word, held) and not _among(word, kept))


def _split(query: Query, text: str) -> tuple[str, str]:
    """Return what stands outside of the exceptions of a text, and what in them."""
    outside, inside, at = [], [], 0
    for found in _exception().finditer(text):
        if found.start() < at:
            continue
        before = text[: found.start()]
        ends = _BRACKET if before.count("(") > before.count(")") else _END
        end = ends.search(text, found.end())
        said = text[found.start() : end.start() if end else len(text)]
        if not any(set(query.kinds) & one.kinds for one in quantities(said)):
            outside.append(text[at : found.start()])
            inside.append(said)
            at = found.start() + len(said)
    return " ".join((*outside, text[at:])), " ".join(inside)


def _among(word: str, others: Sequence[str]) -> bool:
    return all(any(alike(part, other) for other in others) for part in words(word)) and bool(words(word))


def _heading(finding: Finding) -> str:
    return " ".join((finding.place.title, *finding.place.heading_path[-1:]))


@cache
def _exception() -> re.Pattern[str]:
    said = "|".join(map(re.escape, shipped("answer/columns")["contrary"]["excepting"]))
    return re.compile(rf"\b(?:{said})\b", re.IGNORECASE)
