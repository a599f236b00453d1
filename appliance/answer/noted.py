"""The note that gives the value which its clause only names: "where µ is the friction coefficient".

Rules of this module: a clause that leaves a value to a national choice names it and prints no number; its
note recommends one, often by the sign alone. Where a question asks for a thing in so many words or for its
value, such a clause is stated with that note, both quoted, and is worth what it then holds. The note is one
of the very paragraph, and its number is of a kind that is asked for where the question asks for a kind.
Numbers of places ("Table 7.2", "(4.1)") are no values. Words: data/answer/noted.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from appliance.answer.about import spoken_by, things
from appliance.answer.findings import WEIGHTS, Finding, Quote, holds_what_is_asked
from appliance.answer.verify import Claim
from appliance.core.document import Clause, boxes_between
from appliance.core.evidence import FOR_A_VALUE, Query
from appliance.core.files import shipped
from appliance.store.read import Store
from appliance.tables.rows import flat
from appliance.text.quantities import asked_kinds, quantities
from appliance.text.sentences import sentence_spans
from appliance.text.terms import fold

_BRACKETED = re.compile(r"\(\s*[A-Z]?\.?\s*\d+(?:\s?\.\s*\d+)*\s?[a-z]?\s*\)\s*P?")
_NUMBERED = re.compile(r"^\s*(?:[A-Z]\.?)?\d+(?:\.\d+)+[a-z]?(?=\s)", re.MULTILINE)
_DIGIT = re.compile(r"(?<![^\W\d_])\d")  # of a number, not of a sign ("h1", "A2")


def with_notes(store: Store, query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, those that name a value and hold no number with the note that gives it."""
    if query.intent not in FOR_A_VALUE:
        return tuple(chosen)
    given = [(finding, _given(store, query, finding)) for finding in chosen]
    notes = {flat(one.quotes[-1].text) for _, one in given if one}
    kept = (one or old for old, one in given if one or _without_mark(old) not in notes)
    return tuple(sorted(kept, key=lambda one: -one.score))


def _given(store: Store, query: Query, finding: Finding) -> Finding | None:
    """Return a finding with the note that gives its value, None where it has a number or no such note."""
    if finding.marked or len(finding.quotes) != 1 or has_number(finding.text):
        return None
    if not any(spoken_by(query, word, finding.text) for word in things(query)):
        return None
    document, clause = finding.quotes[0].document, finding.quotes[0].label
    found = next((one for one in _notes(store, document, clause.key) if _gives(query, one.text)), None)
    if found is None:
        return None
    text = f"{finding.text} {flat(found.text)}"
    more = holds_what_is_asked(query, text) - holds_what_is_asked(query, finding.text)
    return replace(
        finding,
        text=text,
        quotes=(*finding.quotes, found),
        score=finding.score + WEIGHTS.wanted * max(more, 0.0),
        claims=(Claim(text, (*(quote.text for quote in finding.quotes), found.text)),),
    )


def _without_mark(finding: Finding) -> str:
    """Return the text of a finding that is a note as its clause has it: without "NOTE 2" before it."""
    text = flat(finding.text)
    return text[found.end() :] if (found := _mark().match(text)) else text


def _notes(store: Store, document: str, key: str) -> Iterator[Quote]:
    """Yield the notes of a clause as they are quoted, in the order of print."""
    own = store.clause(document, key)
    for note in store.children(document, key) if own else ():
        if note.kind == "note" and note.passage.text.strip():
            yield _quoted(document, note)


def _quoted(document: str, note: Clause) -> Quote:
    passage, text = note.passage, note.passage.text.strip()
    start = passage.text.index(text)
    boxes = boxes_between(passage, start, start + len(text)) or note.boxes
    return Quote(document, note.label, boxes[0].page, boxes, text)


def _gives(query: Query, note: str) -> bool:
    """Tell whether a note recommends a number, one of a kind asked for where the question asks for a kind."""
    said = [note[slice(*span)] for span in sentence_spans(note)]
    giving = [one for one in said if _giving().search(one) and has_number(one)]
    kinds = asked_kinds(fold(query.spelt or query.text))
    return any(not kinds or any(found.kinds & kinds for found in quantities(one)) for one in giving)


def has_number(text: str) -> bool:
    """Tell whether a text holds a number that is not that of a place."""
    plain = _BRACKETED.sub(" ", _NUMBERED.sub(" ", text))
    return _DIGIT.search(_places().sub(" ", plain)) is not None


@cache
def _places() -> re.Pattern[str]:
    words, going_on = ("|".join(shipped("answer/noted")[name]) for name in ("naming", "going_on"))
    number = r"(?:[A-Z]\.?)?\d[\w.:/–-]*"
    return re.compile(rf"\b(?:{words})\s+{number}(?:\s*(?:{going_on})\s+{number})*", re.IGNORECASE)


@cache
def _giving() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(shipped('answer/noted')['giving'])})(?!\w)", re.IGNORECASE)


@cache
def _mark() -> re.Pattern[str]:
    words = "|".join(shipped("answer/noted")["marking"])
    return re.compile(rf"(?:{words})(?:\s*\d+)?\s*:?\s+", re.IGNORECASE)
