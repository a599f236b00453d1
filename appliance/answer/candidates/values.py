"""Candidates: what could be said in answer to a question, each with the print that proves it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from appliance.answer.verify import Claim
from appliance.core.document import Box, Cell, Clause, Label, Table
from appliance.core.evidence import Place
from appliance.store.read import Store
from appliance.store.values import StoredChunk

Form = Literal["sentence", "item", "row", "definition", "formula", "figure"]
BETWEEN = " | "  # stands between the cells of a quoted row
PIECES = " … "  # stands between pieces that are printed apart


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim stretch of a code with its page and boxes."""

    document: str
    label: Label
    page: int
    boxes: tuple[Box, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RowValue:
    """A value of a row: its cell, the heads over it from the top, its unit, and how it is said."""

    cell: Cell
    heads: tuple[str, ...]
    unit: str
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that could be said: `text` and the quotes that print it.

    `heads` are words that stand over it without being said (headings, caption), `lead` introduces its list,
    `name` is what a row is named by (group and label), `around` all text of its clause, `values` the cells of
    a row with their heads. `chunk` is the searched part that it was cut from, `span` the share [start, end)
    of it, each 0..1. `marked` are the (row, column) of its cells, `notes` those whose mark it bears.
    `rank` is that of its place, from 0.
    """

    form: Form
    text: str
    quotes: tuple[Quote, ...]
    place: Place
    rank: int
    chunk: int
    span: tuple[float, float] = (0.0, 1.0)
    heads: str = ""
    name: str = ""
    lead: str = ""
    around: str = ""
    values: tuple[RowValue, ...] = ()
    marked: tuple[tuple[int, int], ...] = ()
    notes: tuple[Quote, ...] = ()
    labels: tuple[Label, ...] = ()
    claims: tuple[Claim, ...] = field(default=())
    score: float = 0.0

    @property
    def label(self) -> Label:
        """Return the smallest printed label that encloses it."""
        return self.quotes[-1].label


class Sources:
    """Clauses, tables and searched parts of the places of one question."""

    def __init__(self, store: Store, places: Sequence[Place]) -> None:
        self.store = store
        self._clauses: dict[tuple[str, str], Clause | None] = {}
        self._tables: dict[tuple[str, str], Table | None] = {}
        self._parts = _parts(store, (place.chunk for place in places))

    def clause(self, document: str, key: str) -> Clause | None:
        """Return a clause by its key."""
        at = (document, key)
        if at not in self._clauses:
            self._clauses[at] = self.store.clause(document, key)
        return self._clauses[at]

    def table(self, document: str, key: str) -> Table | None:
        """Return a table by its key."""
        at = (document, key)
        if at not in self._tables:
            self._tables[at] = self.store.table(document, key)
        return self._tables[at]

    def parts(self, place: Place) -> Sequence[StoredChunk]:
        """Return the searched parts of a place; of a table those of all chunks that it was cut into."""
        if place.kind != "table":
            return self._parts.get(place.chunk, ())
        cut = self.store.chunks(self.store.chunks_for(place.document, place.label))
        own = [one.id for one in cut if one.chunk.label == place.label and one.chunk.kind == "table"]
        missing = [chunk for chunk in own if chunk not in self._parts]
        self._parts.update(_parts(self.store, missing))
        return [part for chunk in dict.fromkeys((place.chunk, *own)) for part in self._parts.get(chunk, ())]


def _parts(store: Store, shown: Iterable[int]) -> dict[int, Sequence[StoredChunk]]:
    """Return the searched parts of each shown chunk, itself where it has none."""
    families: Mapping[int, tuple[int, ...]] = store.chunk_children(list(shown))
    stored = {part.id: part for part in store.chunks(one for ids in families.values() for one in ids)}
    return {chunk: [stored[one] for one in ids if one in stored] for chunk, ids in families.items()}
