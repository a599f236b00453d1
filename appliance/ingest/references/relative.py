"""References by position: "the following table", "this clause", "the previous paragraph"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from appliance.core.document import Clause, Document, Figure, Formula, Label, Reference, ReferenceKind, Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.references.hosts import NATIONAL, Mention, Reading
from appliance.ingest.references.words import Words, load_words

REACH = 2  # pages between a phrase and what it points to
PLACED = ("table", "figure", "formula")  # what has a caption or a number of its own


@mechanism(
    "references.relative",
    "A place told from here (this clause, the table above) is a reference.",
    without=lambda *_: [],
)
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
    order: tuple[int, float]  # its page, and how far down it begins

    @property
    def page(self) -> int:
        return self.order[0]


@dataclass(frozen=True)
class Places:
    """The items of one document by where they stand: sorted once for each noun, not for each reference."""

    document: Document
    _sorted: dict[str, list[_Placed]] = field(default_factory=dict)

    @cached_property
    def words(self) -> Words:
        """The words of the document's family and language."""
        return load_words(self.document.family, self.document.language)

    @cached_property
    def clauses(self) -> dict[Label, Clause]:
        """The clauses by their labels."""
        return {clause.label: clause for clause in self.document.clauses}

    @cached_property
    def homes(self) -> Mapping[Label, Label | None]:
        """The clause of every table, figure and formula."""
        document = self.document
        homes = {table.label: table.clause for table in document.tables}
        homes |= {figure.label: figure.clause for figure in document.figures}
        return homes | {formula.label: formula.clause for formula in document.formulas}

    def of(self, noun: str) -> Sequence[_Placed]:
        """Return the items that the noun may name as they stand on the pages; at one height, as read."""
        if noun not in self._sorted:
            found = _placed(noun, self.document, self.words)
            self._sorted[noun] = sorted(found, key=lambda item: item.order)
        return self._sorted[noun]


def resolve_relative(reference: Reference, places: Places) -> Label | None:
    """Return what a reference by position points to, None where nothing or more than one thing fits."""
    way, _, noun = reference.number.partition(" ")
    if way == "this":
        return _enclosing(reference.source, noun, places)
    if not reference.boxes:
        return None
    here = (reference.boxes[0].page, reference.boxes[0].y0)
    items = places.of(noun)
    if way in ("next", "near"):
        first = bisect_right(items, here, key=lambda item: item.order)
        near = next((item for item in items[first : first + 2] if item.label != reference.source), None)
        if (near and near.page - here[0] <= REACH) or way == "next":
            return near.label if near and near.page - here[0] <= REACH else None
    return _before(items, here, reference.source)


def _before(items: Sequence[_Placed], here: tuple[int, float], source: Label) -> Label | None:
    """Return the last item that begins before the place, not the source; of several there, the first."""
    end = bisect_left(items, here, key=lambda item: item.order)
    near = next((item for item in reversed(items[max(0, end - 2) : end]) if item.label != source), None)
    if near is None or here[0] - near.page > REACH:
        return None
    level = items[bisect_left(items, near.order, key=lambda item: item.order) : end]
    return next(item.label for item in level if item.label != source)


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
        return [_at(item) for item in placed[kind] if item.boxes]
    kinds, other = _kinds(noun, words), words.relative["other"]
    named = [item for item in document.clauses if noun in other and _word(item) == noun]
    clauses = named or [
        item for item in document.clauses if item.kind in kinds and _may_be(item, noun, other)
    ]
    return [_at(item) for item in clauses if item.boxes]


def _at(item: Clause | Table | Figure | Formula) -> _Placed:
    return _Placed(item.label, (item.boxes[0].page, item.boxes[0].y0))


def _word(clause: Clause) -> str:
    """Return the word of a printed label ("chapter" of "Chapter 16"), "" where it has none."""
    word, _, number = str(clause.label).partition(" ")
    return word.casefold() if number and word.isalpha() else ""


def _may_be(clause: Clause, noun: str, other: Mapping[str, str]) -> bool:
    """Tell whether the print calls the place by no other noun: "Section 1601" is no chapter."""
    return noun not in other or _word(clause) != other[noun]


def _enclosing(source: Label, noun: str, places: Places) -> Label | None:
    """Return the nearest node above (or at) the source that the print calls so, else of the kind named."""
    clauses, homes, words = places.clauses, places.homes, places.words
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
