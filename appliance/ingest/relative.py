"""References by position: "the following table", "this clause", "the table below", "the previous paragraph".

Rules of this module: the phrases are data; what they point to is the next or previous item of that
kind in document order, or the enclosing one, and only where there is exactly one. The number of such
a reference is the direction with the kind: "next table", "this section".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from appliance.document import Box, Clause, Document, Figure, Formula, Label, Reference, ReferenceKind, Table
from appliance.ingest.grammar.mention import NATIONAL, Mention, Reading
from appliance.ingest.grammar.words import Words, load_words

REACH = 2  # pages between a phrase and what it points to
PLACED = ("table", "figure", "formula")  # what has a caption or a number of its own


def read_relative(reading: Reading, at: int) -> list[Mention]:
    """Return the position-word reference that starts here, in a list for its neighbours' sake."""
    national = reading.words.national.match(reading.text, at)
    if national:
        return [Mention(at, national.end(), "relative", "", NATIONAL)]
    relative = reading.words.relative
    match = _phrases(
        tuple((way, *relative[way]) for way in ("this", "next", "previous")),
        tuple(relative["after"].items()),
        tuple(relative["named"]),
    ).match(reading.text, at)
    if not match or (match["this"] and match["noun"].casefold() in relative["only_after"]):
        return []
    way = next((way for way in ("this", "next", "previous") if match[way]), "")
    noun = match["noun"] or match["placed"]
    way = way or relative["after"][match["place"].casefold()]
    return [Mention(at, match.end(), "relative", "", f"{way} {noun.casefold()}")]


@cache
def _phrases(
    ways: tuple[tuple[str, ...], ...], after: tuple[tuple[str, str], ...], nouns: tuple[str, ...]
) -> re.Pattern[str]:
    noun = "|".join(nouns)
    before = "|".join(f"(?P<{way}>{'|'.join(phrases)})" for way, *phrases in ways).replace(" ", r"\s+")
    places = "|".join(word for word, _ in after)
    number = r"(?!\s+[A-Z]?\.?\d)"
    return re.compile(
        rf"(?<!\w)(?:(?:{before})\s+(?P<noun>{noun})\b{number}|(?P<placed>{noun})\s+(?P<place>{places})\b)",
        re.IGNORECASE,
    )


@dataclass(frozen=True, slots=True)
class _Placed:
    label: Label
    kind: str
    box: Box

    @property
    def order(self) -> tuple[int, float]:
        return self.box.page, self.box.y0


def resolve_relative(reference: Reference, document: Document) -> Label | None:
    """Return what a reference by position points to, None where nothing or more than one thing fits."""
    way, _, noun = reference.number.partition(" ")
    words = load_words(document.family, document.language)
    if way == "this":
        return _enclosing(reference.source, noun, document, words)
    if not reference.boxes:
        return None
    here = (reference.boxes[0].page, reference.boxes[0].y0)
    others = [item for item in _placed(noun, document, words) if item.label != reference.source]
    if way in ("next", "near"):
        near = [item for item in others if item.order > here and item.box.page - here[0] <= REACH]
        if near or way == "next":
            return min(near, key=lambda item: item.order).label if near else None
    near = [item for item in others if item.order < here and here[0] - item.box.page <= REACH]
    return max(near, key=lambda item: item.order).label if near else None


def kind_of(noun: str, words: Words) -> ReferenceKind:
    """Return the kind of reference that names such a thing: "equation" is a formula."""
    first = _kinds(noun, words)[0]
    kinds: tuple[ReferenceKind, ...] = ("table", "figure", "formula", "annex")
    return next((kind for kind in kinds if kind == first), "clause")


def _kinds(noun: str, words: Words) -> tuple[str, ...]:
    return tuple(words.relative["named"].get(noun, (noun,)))


def _placed(noun: str, document: Document, words: Words) -> Sequence[_Placed]:
    kind = kind_of(noun, words)
    placed: dict[str, Sequence[Table | Figure | Formula]] = {
        "table": document.tables,
        "figure": document.figures,
        "formula": document.formulas,
    }
    if kind in placed:
        return [_Placed(item.label, kind, item.boxes[0]) for item in placed[kind] if item.boxes]
    kinds, other = _kinds(noun, words), words.relative["other"]
    named = [item for item in document.clauses if noun in other and _word(item) == noun]
    clauses = named or [
        item for item in document.clauses if item.kind in kinds and _may_be(item, noun, other)
    ]
    return [_Placed(item.label, item.kind, item.boxes[0]) for item in clauses if item.boxes]


def _word(clause: Clause) -> str:
    """Return the word of a printed label ("chapter" of "Chapter 16"), "" where it has none."""
    word, _, number = str(clause.label).partition(" ")
    return word.casefold() if number and word.isalpha() else ""


def _may_be(clause: Clause, noun: str, other: Mapping[str, str]) -> bool:
    """Tell whether the print calls the place by no other noun: "Section 1601" is no chapter."""
    return noun not in other or _word(clause) != other[noun]


def _enclosing(source: Label, noun: str, document: Document, words: Words) -> Label | None:
    """Return the nearest node above (or at) the source that the print calls so, else of the kind named."""
    clauses: dict[Label, Clause] = {clause.label: clause for clause in document.clauses}
    homes = {table.label: table.clause for table in document.tables}
    homes |= {figure.label: figure.clause for figure in document.figures}
    homes |= {formula.label: formula.clause for formula in document.formulas}
    kinds, other = _kinds(noun, words), words.relative["other"]
    if source in homes and kinds[0] in PLACED:
        return source
    above: list[Clause] = []
    at: Label | None = homes.get(source, source)
    while at in clauses and clauses[at] not in above:
        above.append(clauses[at])
        at = clauses[at].parent
    if named := next((clause for clause in above if noun in other and _word(clause) == noun), None):
        return named.label
    for tried in (kinds, words.relative["wider"].get(noun, ())):
        for clause in above:
            if clause.kind in tried and _may_be(clause, noun, other):
                return clause.label
    return None
