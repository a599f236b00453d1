"""Whether the first statement is about the very thing asked for, where the documents keep it from others.

Rules of this module: pure. Documents keep two things apart where one place found names a word of the question
in its caption or its heading ("foul drains") and another one names it neither there nor in what is stated
("branch discharge pipes"). Words of what is measured and numbers name no thing; a text
is not about what it tells in brackets as a purpose or a reason (data/answer/about.toml).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from appliance.answer.findings import Finding, holds_what_is_asked
from appliance.core.evidence import Place, Query
from appliance.core.files import shipped
from appliance.text.quantities import all_kinds
from appliance.text.stems import STEM, asked_stem, asked_stems, held_stems
from appliance.text.terms import fold

NEAR = 10  # places found whose captions and headings tell what the documents keep apart
LONG = 4  # letters of a word that may name a thing
SHORTEST = 3  # letters of a term by which its word is told

_WORD = re.compile(r"[^\W\d_]{2,}")


def missed(query: Query, hits: Sequence[Place], first: Finding) -> tuple[str, ...]:
    """Return the words of the question that name another thing than the first statement is about."""
    held = stems_of(_stated(first))
    named = [stems_of(_heading(hit)) for hit in hits[:NEAR]]
    return tuple(
        word
        for word in things(query)
        if asked_stem(word) not in held and any(asked_stem(word) in stems for stems in named)
    )


def very_thing_first(query: Query, hits: Sequence[Place], chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, first one that is about the very thing, where one answers no worse."""
    lacking = asked_stems(missed(query, hits, chosen[0])) if chosen else set()
    if not lacking or "exact" in chosen[0].place.found_by:
        return tuple(chosen)
    named = asked_stems(things(query))
    least = named & stems_of(_stated(chosen[0])), holds_what_is_asked(query, chosen[0].text)
    for finding in chosen[1:]:
        held = named & stems_of(_stated(finding))
        if lacking | least[0] <= held and holds_what_is_asked(query, finding.text) >= least[1]:
            return (finding, *(item for item in chosen if item is not finding))
    return tuple(chosen)


def things(query: Query) -> list[str]:
    """Return the words of the question that may name a thing, as typed."""
    folded = fold(query.spelt or query.text)
    measures = [pattern for kind in all_kinds() for pattern in kind.words(folded)]
    taken = {
        word for pattern in measures for found in pattern.finditer(folded) for word in _words(found.group())
    }
    # a stem may end otherwise than its word: "parti" of "party", "wall" of "walls"
    terms = tuple(term.casefold()[: max(min(len(term), STEM) - 1, SHORTEST)] for term in query.terms)
    words = [word for word in _words(folded) if len(word) >= LONG and word not in taken]
    return [word for word in dict.fromkeys(words) if word.startswith(terms)]


def spoken_by(query: Query, word: str, text: str) -> bool:
    """Tell whether a text holds a word of the question, or the whole of another name of an idea it is of."""
    held = stems_of(text)
    ideas = (idea for idea in query.concepts if stems_of(word) & stems_of(idea.words))
    ways = [word, *(way for idea in ideas for way in idea.others if stems_of(way))]
    return any(asked_stems(_words(fold(way))) <= held for way in ways)


def _heading(place: Place) -> str:
    return " ".join((place.title, *place.heading_path[-1:]))


def _stated(finding: Finding) -> str:
    """Return what a finding says with its caption and heading, without asides; of a table without notes."""
    said = finding.claims[0].text if finding.marked and finding.claims else _aside().sub(" ", finding.text)
    return f"{_heading(finding.place)} {said}"


@cache
def _aside() -> re.Pattern[str]:
    """Return what finds a purpose or a reason in brackets: "(to allow for the fitting of a cage)"."""
    return re.compile(rf"\((?:{'|'.join(shipped('answer/about')['aside'])})\s[^()]*\)", re.IGNORECASE)


def stems_of(text: str) -> set[str]:
    """Return the words of a text by the letters by which they are compared."""
    return held_stems(" ".join(_words(fold(text))))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
