"""Candidates: what could be said in answer to a question, each with the print that proves it.

Rules of this module: every value is frozen. A quote is contiguous as printed: it reads on the page in that
order. What is said of several quotes (the lead-in of a list and one of its items) is said as marked pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from appliance.answer.verify import Claim
from appliance.core.document import Box, Cell, Label
from appliance.core.evidence import Place

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
