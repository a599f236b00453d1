"""The JSON shapes of documents and of what is read in them."""

from __future__ import annotations

from typing import Literal, TypedDict

from appliance.core.document import Box, ClauseKind, DocumentStatus, ReferenceKind, ReferenceStatus
from appliance.web.api.shapes import Choice


class Info(TypedDict):
    """A loaded document."""

    id: str
    designation: str
    title: str
    edition: str
    status: DocumentStatus
    language: str
    pages: int
    clauses: int
    tables: int
    figures: int
    references: int
    problems: int


class Loaded(TypedDict):
    """What is loaded."""

    version: str
    embedder: str
    reranker: str
    documents: list[Info]


class Placed(TypedDict):
    """Something with a label and its place in the document that was asked for."""

    label: str
    key: str
    pages: list[int]
    boxes: list[Box]


class Clause(Placed):
    """A clause as it is printed."""

    title: str
    kind: ClauseKind
    parent: str | None
    level: int
    normative: bool
    principle: bool
    text: str


class Decided(TypedDict):
    """What annexes and amendments decide about what is shown, and what it decides for others."""

    national_choices: list[Choice]
    decides: list[Choice]


class Table(Placed):
    """A table as data."""

    title: str
    header_rows: list[list[str]]
    rows: list[list[str]]
    notes: list[str]
    clause: str | None
    captioned: bool


class FoundCell(TypedDict):
    """A cell that answers to the words of a row and a column; a doubt says that it was misread maybe."""

    text: str
    row: int
    column: int
    row_headers: list[str]
    column_headers: list[str]
    page: int
    box: Box
    score: float
    doubt: str


class TableDecided(Table, Decided):
    """A table with what decides about it, and the cells that were looked up in it, the best first."""

    exact: bool
    values: list[str]
    cells: list[FoundCell]
    more: int


class Figure(Placed):
    """A figure with the words that stand in it."""

    title: str
    text: str


class Formula(Placed):
    """A formula; with a doubt its picture counts and not its text."""

    text: str
    where: str
    doubt: str


class Reference(TypedDict):
    """A reference and where it leads."""

    source: str
    source_key: str
    text: str
    kind: ReferenceKind
    target: str | None
    target_key: str | None
    target_document: str | None
    designation: str | None
    external: bool
    status: ReferenceStatus
    reason: str
    page: int | None
    boxes: list[Box]


class Definition(TypedDict):
    """A term, symbol or abbreviation that a document defines."""

    term: str
    text: str
    label: str
    kind: Literal["term", "symbol", "abbreviation"]
    page: int | None
    boxes: list[Box]


class Problem(TypedDict):
    """What reading the PDF reported."""

    message: str
    page: int | None
    box: Box | None


class Citing(TypedDict):
    """A reference that leads here."""

    document: str
    source: str
    source_key: str
    text: str


class Opened(Clause, Decided):
    """A clause with its surroundings."""

    children: list[Clause]
    formulas: list[Formula]
    references: list[Reference]
    cited_by: list[Citing]


class Document(Decided):
    """Everything that was read out of one PDF."""

    document: str
    designation: str
    title: str
    edition: str
    status: DocumentStatus
    family: str
    sha256: str
    pages: int
    clauses: list[Clause]
    tables: list[Table]
    figures: list[Figure]
    formulas: list[Formula]
    references: list[Reference]
    definitions: list[Definition]
    problems: list[Problem]


Rectangle = tuple[float, float, float, float]


class View(TypedDict):
    """A page with its picture; rectangles are x, y, width and height in points of the page."""

    document: str
    page: int
    last: int
    printed: str
    trust: str
    width: float
    height: float
    image: str
    small: str
    address: str
    crop: Rectangle
    strong: list[Rectangle]
    faint: list[Rectangle]
