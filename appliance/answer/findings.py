"""What of the evidence decides the question: the best parts of the best places, with their quotes.

Rules of this module: a finding is made of printed words only. Its quotes are the stretches of the
code that it was made from, each with its page and boxes, so that nothing has to be searched again.
A part is judged by what is measured: MaxSim of its stored token vectors, the share of the question's
words in it, and whether it holds what the question asks for (a number, a definition, an obligation).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from appliance.answer.verify import Claim, phrases
from appliance.core.document import Box, Chunk, Label
from appliance.core.evidence import Place, Query
from appliance.text.quantities import asked_kinds, kinds_in
from appliance.text.stems import STEM, asked_stem, held_stems, singular
from appliance.text.terms import fold

ANY_NUMBER = 0.25  # worth of a number that is not of the kind asked for
OBLIGING = frozenset({"requirement", "procedure", "applicability"})  # intents that ask for a duty

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W_]{2,}")


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim stretch of a code with its page and boxes."""

    document: str
    label: Label
    page: int
    boxes: tuple[Box, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the code says that bears on the question; `marked` are cells (row, column) of a table.

    `unsure` says why none of these cells may be taken for the value asked for, "" where they may. `named`
    is what each row stated of a table is named by: its own words, those over its cells, the caption; `rows`
    are its own words alone. `met` (0..1) is how near it comes by meaning to what the question names.
    """

    text: str
    quotes: tuple[Quote, ...]
    score: float
    place: Place
    marked: tuple[tuple[int, int], ...] = ()
    labels: tuple[Label, ...] = ()  # of the part it was made from
    claims: tuple[Claim, ...] = ()
    unsure: str = ""
    named: tuple[str, ...] = ()
    met: float = 0.0
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a place to be judged.

    `met` (0..1) is how near it comes to what the question names, `rank` counts the places above its own
    from 0.
    """

    place: Place
    chunk: Chunk
    similarity: float
    rank: int
    met: float = 0.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal of a part is worth beside MaxSim (which runs from -1 to 1)."""

    words: float = 0.30  # share of the question's words that occur
    wanted: float = 0.12  # it holds the kind of thing asked for
    rank: float = 0.03  # taken off for each place further down the evidence
    named: float = 0.30  # the place is one that the question names by its number


WEIGHTS = Weights()
KEPT = 64  # questions whose terms are kept as they are compared


def judge(query: Query, part: Part, text: str, weights: Weights = WEIGHTS) -> float:
    """Return how well the text that was cut from a part answers the question, higher is better."""
    return (
        part.similarity
        + weights.words * covered(query, text)
        + weights.wanted * holds_what_is_asked(query, text)
        + weights.named * ("exact" in part.place.found_by)
        + weights.named * _is_named(query, part)
        - weights.rank * part.rank
    )


def named_besides(query: Query) -> bool:
    """Tell whether a question says more than labels and documents, by the first letters of its terms."""
    named = (*query.labels, *query.documents)
    names = {word[:STEM] for name in named for word in re.findall(r"[^\W_]+", fold(name))}
    terms = {word[:STEM] for term in query.terms for word in re.findall(r"[^\W_]+", fold(term))}
    return bool(terms - names)


def _is_named(query: Query, part: Part) -> bool:
    """Tell whether a part is what a question of a label alone asks for: "1.17", not its neighbour "1.16"."""
    if "exact" not in part.place.found_by or named_besides(query):
        return False
    return is_asked(query, part.chunk.label)


def is_asked(query: Query, label: Label) -> bool:
    """Tell whether a question names a label as it is printed, with a word before it or without."""
    own, named = fold(str(label)), map(fold, query.labels)
    return any(name == own or name.endswith(f" {own}") for name in named)


def covered(query: Query, text: str) -> float:
    """Return the share (0..1) of the question's words that occur in the text, with other endings too."""
    wanted = term_stems(query)
    return len(wanted & held_stems(text)) / len(wanted) if wanted else 0.0


def term_stems(query: Query) -> frozenset[str]:
    """Return what the terms of a question are found by among the words of a text; some were cut off."""
    return _term_stems(query.terms, query.spelt or query.text)


@lru_cache(KEPT)
def _term_stems(terms: tuple[str, ...], text: str) -> frozenset[str]:
    typed = {singular(word) for word in _WORD.findall(text.casefold())}
    return frozenset(
        asked_stem(term, whole=singular(term.casefold()) in typed) for term in terms if len(term) > 1
    )


def holds_what_is_asked(query: Query, text: str) -> float:
    """Return how far (0..1) the text holds the kind of thing asked for: 1 for a quantity of that kind."""
    asked = asked_kinds(fold(query.spelt or query.text))
    if asked:
        if kinds_in(text) & asked:
            return 1.0
        return ANY_NUMBER if _DIGIT.search(text) else 0.0
    if query.intent == "value":
        return float(bool(_DIGIT.search(text)))
    if query.intent in OBLIGING:
        return float(bool(_obligation().search(text)))
    return 0.0


@cache
def _obligation() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases('obligations')))})\b", re.IGNORECASE)


def best_first(findings: Sequence[Finding], limit: int, margin: float) -> tuple[Finding, ...]:
    """Return the findings within `margin` of the best, best first, no text twice, at most `limit`."""
    ordered = sorted(findings, key=lambda finding: -finding.score)
    kept: dict[str, Finding] = {}
    for finding in ordered:
        if finding.score >= ordered[0].score - margin:
            kept.setdefault(" ".join(finding.text.split()).casefold(), finding)
    return tuple(kept.values())[:limit]
