"""The values of the domain: what a design code is made of, as read from its file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ClauseKind = Literal[
    "part",  # a volume or Part whose numbering starts again
    "requirement",  # legal text that the guidance serves ("Requirement K1", "NA" mandates)
    "section",  # numbered or titled division that holds clauses
    "heading",  # unnumbered title inside a section
    "clause",  # numbered provision ("5.3.2", "1.14")
    "paragraph",  # numbered paragraph of a clause ("(7)P")
    "item",  # lettered or dashed list item ("a)")
    "note",  # "NOTE 1"
    "annex",  # "Annex B", "Appendix C"
    "front",  # unnumbered matter before the first clause (foreword, contents)
]
ReferenceKind = Literal[
    "clause", "paragraph", "item", "note", "table", "figure", "formula", "annex", "part",
    "requirement", "document", "relative",
]  # fmt: skip
ReferenceStatus = Literal["resolved", "unresolved", "not_loaded"]
DocumentStatus = Literal["in force", "superseded", "withdrawn", "unknown"]
OUT_OF_FORCE: frozenset[DocumentStatus] = frozenset({"superseded", "withdrawn"})


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one page; x0 <= x1, y0 <= y1, each a fraction 0..1 of the page shown."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """Where an item stands in its document: enclosing Parts first, the printed number last.

    ("2.33",) prints "2.33"; ("H1", "2.33") prints "2.33" too and is another place.
    A label is unique in its document; `key` is its one form in store, links and citations.
    """

    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.parts or not all(self.parts):
            raise ValueError("a label needs at least one part, none of them empty")

    def __str__(self) -> str:
        return self.parts[-1]

    @property
    def key(self) -> str:
        """Return the form that is unique in the document, "H1/2.33".

        A slash inside a part ("Wetlands/reed beds") is written "~1", as in JSON Pointer (RFC 6901).
        """
        return "/".join(part.replace("~", "~0").replace("/", "~1") for part in self.parts)

    @property
    def named(self) -> str:
        """Return what is printed with the Part or the place above that tells it from others: "H2 1.17".

        Of several places above the last tells it; one that the printed label holds itself is not said twice.
        """
        printed, above = self.parts[-1], self.parts[-2] if len(self.parts) > 1 else ""
        return printed if not above or _holds(printed, above) else f"{above} {printed}"

    @classmethod
    def from_key(cls, key: str) -> Label:
        """Return the label whose key this is."""
        return cls(tuple(part.replace("~1", "/").replace("~0", "~") for part in key.split("/")))


def _holds(printed: str, above: str) -> bool:
    """Tell whether a printed label says where it stands: "Appendix H1-A" in H1, "3.24a" in 3.24."""
    before, found, behind = printed.partition(above)
    another = above[-1].isdigit() and behind[:1].isdigit()  # "H1" is not in "H10"
    return bool(found) and not before[-1:].isalnum() and not another


@dataclass(frozen=True, slots=True)
class LineSpan:
    """Characters [start, end) of a passage stand in this box."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class Passage:
    """Text in reading order with the printed line that each stretch of it comes from."""

    text: str
    lines: tuple[LineSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """One node of the clause tree; `passage` is its own text, without that of its children.

    `title` is the printed heading without its number; `marker` is the number as printed, with the
    original spelling of a noisy text layer ("(l)P"). `level` is the depth below the document, from 1.
    """

    label: Label
    kind: ClauseKind
    title: str
    passage: Passage
    parent: Label | None
    level: int
    boxes: tuple[Box, ...]
    marker: str = ""
    normative: bool = True
    principle: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; row and column are 0-based positions in the whole grid."""

    row: int
    column: int
    text: str
    box: Box
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class TableNote:
    """A note or footnote of a table; `mark` is what the cells carry ("a", "1"), "" for a NOTE."""

    mark: str
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Table:
    """A table as data; boxes has one for each page it stands on. `clause` is where it stands."""

    label: Label
    title: str
    cells: tuple[Cell, ...]
    notes: tuple[TableNote, ...]
    boxes: tuple[Box, ...]
    clause: Label | None = None
    captioned: bool = True


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or diagram; `text` is the lettering inside it, `boxes` the drawing with its caption."""

    label: Label
    title: str
    text: str
    boxes: tuple[Box, ...]
    clause: Label | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """A numbered formula; `where` explains its symbols, as printed."""

    label: Label
    text: str
    where: str
    boxes: tuple[Box, ...]
    clause: Label | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A term, symbol or abbreviation with what it means and the place that says so."""

    term: str
    passage: Passage
    label: Label
    boxes: tuple[Box, ...]
    kind: Literal["term", "symbol", "abbreviation"] = "term"


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference as printed. `source` holds it at [start, end) of its own text.

    `document` is the id of the loaded document it points into, or None; `designation` is the other
    document as printed ("EN 1991-1-3"), "" for a reference inside the same document.
    """

    source: Label
    start: int
    end: int
    text: str
    kind: ReferenceKind
    boxes: tuple[Box, ...]
    designation: str = ""
    number: str = ""
    target: Label | None = None
    document: str | None = None
    status: ReferenceStatus = "unresolved"
    reason: str = ""

    @property
    def external(self) -> bool:
        """Tell whether it points outside its document."""
        return bool(self.designation)


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read, and where: a value, so that nothing is lost in silence.

    `doubt`: a printed number or sign was read, but may be another; in the box, or anywhere on the page.
    `passing`: another time it may not happen (a busy machine), so the next build reads the document again.
    """

    message: str
    page: int = 0
    box: Box | None = None
    doubt: bool = False
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page: size in points as shown, printed number, and how far its text can be trusted."""

    number: int
    width: float
    height: float
    printed: str = ""
    trust: Literal["digital", "ocr", "none"] = "digital"


@dataclass(frozen=True, slots=True)
class PageImage:
    """The picture of one page, in two sizes; width and height are those of the large one, in pixels.

    `large` and `phone` are file names in the folder of images: the sha256 of the content, then what
    it is ("9f…c1.jpg"), so that the same page is stored once and can be cached for ever.
    """

    page: int
    large: str
    phone: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A unit of search. A child is what is searched, a parent what is shown.

    `label` is the item it is cut from, `labels` all that its shown text contains. `context` (the
    heading path) goes before `text` in what is indexed and embedded, never in what is shown.
    `parent` is the position of the parent in the document's chunks, None for a parent itself.
    """

    label: Label
    labels: tuple[Label, ...]
    kind: Literal["clause", "table", "figure", "formula", "definition", "requirement", "annex", "heading"]
    title: str
    context: tuple[str, ...]
    passage: Passage
    boxes: tuple[Box, ...]
    parent: int | None = None
    row: int | None = None
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One code as read from one file, its items in document order.

    `address` is where a web page came from, "" for a PDF; `anchors` are pairs of an item's key and the
    anchor of that page at it or above it, `anchored` pairs of each anchor and the key of the item that it
    leads to. `links` are the words of the page that are links, each with its address, until these are looked
    for among the pages read.
    """

    id: str
    designation: str
    title: str
    edition: str
    status: DocumentStatus
    language: str
    sha256: str
    family: str
    pages: tuple[Page, ...]
    clauses: tuple[Clause, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    formulas: tuple[Formula, ...] = ()
    terms: tuple[Term, ...] = ()
    references: tuple[Reference, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    problems: tuple[Problem, ...] = ()
    aliases: tuple[str, ...] = field(default=())
    address: str = ""
    anchors: tuple[tuple[str, str], ...] = ()
    anchored: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[Reference, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PageView:
    """One page: size in points, printed number, file names of its two images ("" for none there)."""

    number: int
    width: float
    height: float
    printed: str
    trust: str
    large: str
    phone: str


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause with what stands around it; `cited_by` pairs a document id with the reference in it."""

    clause: Clause
    path: tuple[Clause, ...]
    children: tuple[Clause, ...]
    references: tuple[Reference, ...]
    cited_by: tuple[tuple[str, Reference], ...]
    previous: Clause | None
    following: Clause | None
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    formulas: tuple[Formula, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of the clause and of what stands in it."""
        standing: tuple[Clause | Table | Figure, ...] = (
            self.clause,
            *self.children,
            *self.tables,
            *self.figures,
        )
        return tuple(dict.fromkeys(item.label.key for item in standing))


def pages_of(boxes: tuple[Box, ...]) -> tuple[int, ...]:
    """Return the pages that the boxes stand on, ascending, each once."""
    return tuple(sorted({box.page for box in boxes}))


def first_page(boxes: tuple[Box, ...], otherwise: int = 0) -> int:
    """Return the first page that the boxes stand on, the other number where there are none."""
    return min((box.page for box in boxes), default=otherwise)


def boxes_between(passage: Passage, start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of the printed lines that hold characters [start, end) of the passage."""
    return tuple(line.box for line in passage.lines if line.start < end and line.end > start)
