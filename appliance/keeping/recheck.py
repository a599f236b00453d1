"""Saved answers held against the library that is open now: does each quotation still stand where it stood?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz import fuzz

from appliance.core.document import Chunk, Clause, Document, Figure, Formula, Label, Table, Term
from appliance.core.errors import UnknownDocument
from appliance.keeping.compare import Stretch, around, folded, rows_of
from appliance.site.saved import Kept, KeptCitation

State = Literal["same", "moved", "changed", "gone"]
WORST: tuple[State, ...] = ("gone", "changed", "moved", "same")
HELD = 6  # documents as passages, about 2 MB each
SHORT = 12  # folded letters: what is shorter stands in many places by chance


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: its key, those of all it stands in; `text` as printed, `said` folded."""

    key: str
    keys: frozenset[str]
    text: str
    said: str
    page: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A saved quotation as it stands now.

    `key` and `page` are where it is now ("" and 0 where it is gone); `words` the difference of what changed.
    """

    citation: KeptCitation
    state: State
    key: str = ""
    page: int = 0
    words: tuple[Stretch, ...] = ()
    edition: str = ""  # of the document now, where it is another


@dataclass(frozen=True, slots=True)
class Recheck:
    """All quotations of a saved answer as they stand now, and the worst of their states."""

    checked: tuple[Checked, ...]

    @property
    def state(self) -> State:
        """Return the worst state; an answer without quotations is the same."""
        found = {item.state for item in self.checked}
        return next((state for state in WORST if state in found), "same")

    @property
    def counts(self) -> dict[State, int]:
        """Return how many quotations are in each state, worst first."""
        return {state: sum(item.state == state for item in self.checked) for state in WORST}


class Shelf:
    """The documents of a library as passages, the last few held; `document` raises for one not loaded."""

    def __init__(self, version: str, document: Callable[[str], Document]) -> None:
        self.version = version
        self._document = document
        self.passages = lru_cache(HELD)(self._read)

    def _read(self, name: str) -> tuple[tuple[Passage, ...], str] | None:
        """Return the passages of a document with its designation and edition, None where it is not there."""
        with suppress(UnknownDocument):
            found = self._document(name)
            return tuple(_passages(found)), edition_of(found)
        return None


def recheck(kept: Kept, shelf: Shelf) -> Recheck:
    """Return how the quotations of a saved answer stand now; in the library that was asked, as they stood."""
    if kept.library == shelf.version:
        return Recheck(tuple(Checked(item, "same", item.key, item.page) for item in kept.citations))
    return Recheck(tuple(_checked(citation, shelf) for citation in kept.citations))


def edition_of(document: Document) -> str:
    """Return a document's name and edition as people say them."""
    edition = "" if document.edition in document.designation else document.edition
    return f"{document.designation or document.id} {edition}".strip()


def _checked(citation: KeptCitation, shelf: Shelf) -> Checked:
    found = shelf.passages(citation.document)
    if found is None:
        return Checked(citation, "gone")
    passages, now = found
    before = f"{citation.designation} {citation.edition}".strip()
    edition = "" if before == now else now
    quote = tuple(filter(None, map(folded, citation.quote.split(" | "))))  # the cells of a row one by one
    under = [passage for passage in passages if citation.key in passage.keys]
    same = next((passage for passage in under if _holds(passage, quote)), None)
    if same:
        return Checked(citation, "same", citation.key, same.page or citation.page, edition=edition)
    if sum(map(len, quote)) >= SHORT:
        elsewhere = [passage for passage in passages if _holds(passage, quote)]
        if elsewhere:
            best = min(elsewhere, key=lambda passage: len(passage.said))
            return Checked(citation, "moved", best.key, best.page, edition=edition)
    if under:
        text = "".join(quote)
        whole = max(  # how much of the quotation it holds: a part word for word is still a part
            under,
            key=lambda one: fuzz.partial_ratio(text, one.said) * min(1.0, len(one.said) / max(1, len(text))),
        )
        words = around(citation.quote.replace(" | ", " "), whole.text.replace(" | ", " "))
        return Checked(citation, "changed", citation.key, whole.page, words, edition)
    return Checked(citation, "gone", edition=edition)


def _holds(passage: Passage, quote: tuple[str, ...]) -> bool:
    """Tell whether a passage holds the pieces, in their order."""
    at = 0
    for piece in quote:
        found = passage.said.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return bool(quote)


def _passages(document: Document) -> Iterator[Passage]:
    """Yield every stretch that a quotation may come from, the rows of tables each by itself.

    What stands in a clause stands in those above it too.
    """
    parents = {clause.label: clause.parent for clause in document.clauses}
    for chunk in document.chunks:
        if chunk.parent is None:
            yield _passage(chunk, chunk.passage.text, keys_above((chunk.label, *chunk.labels), parents))
    for clause in document.clauses:
        said = "\n".join(filter(None, (clause.title, f"{clause.marker} {clause.passage.text}".strip())))
        yield _passage(clause, said, keys_above((clause.label,), parents))
        yield _passage(clause, clause.passage.text)
    for table in document.tables:
        lines = [f"{table.label} {table.title}", *rows_of(table.cells)]
        lines += [f"{note.mark} {note.text}".strip() for note in table.notes]
        heads = rows_of([cell for cell in table.cells if cell.header])
        yield from (_passage(table, line) for line in (*lines, *heads, "\n".join(lines)))
    for figure in document.figures:
        yield _passage(figure, f"{figure.label} {figure.title}\n{figure.text}")
    for formula in document.formulas:
        yield _passage(formula, f"{formula.text}\n{formula.where}")
    for term in document.terms:
        yield _passage(term, f"{term.term}\n{term.passage.text}")


def keys_above(labels: Iterable[Label], parents: Mapping[Label, Label | None]) -> frozenset[str]:
    """Return the keys of labels and of all that they stand in."""
    found: set[str] = set()
    for label in labels:
        at: Label | None = label
        while at is not None and at.key not in found:
            found.add(at.key)
            at = parents.get(at)
    return frozenset(found)


def _passage(
    item: Chunk | Clause | Table | Figure | Formula | Term, text: str, keys: frozenset[str] = frozenset()
) -> Passage:
    """Return a text of an item as a passage, under its own key alone where no others are given."""
    page = item.boxes[0].page if item.boxes else 0
    return Passage(item.label.key, keys or frozenset({item.label.key}), text, folded(text), page)
