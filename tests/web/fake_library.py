"""A library in memory for the page: two small codes laid out on drawn pages, answers by hand.

The words of the snow code hold markup, so that every page proves that it is shown as text.
"""

from __future__ import annotations

import hashlib
import io
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast
from zlib import crc32

from PIL import Image, ImageDraw, ImageFont

from appliance.answer.chosen_statements import doubts_at
from appliance.core.document import (
    Box,
    Cell,
    Clause,
    ClauseKind,
    ClauseView,
    Document,
    Figure,
    Formula,
    Label,
    LineSpan,
    Page,
    PageView,
    Passage,
    Problem,
    Reference,
    ReferenceKind,
    Table,
    TableNote,
    Term,
)
from appliance.core.errors import BadQuestion, UnknownDocument, UnknownNode, UnknownPage, UnknownPlace
from appliance.core.evidence import (
    Answer,
    Choice,
    Citation,
    Confidence,
    Decided,
    Evidence,
    Failed,
    Grounded,
    Link,
    Listing,
    MarkedTable,
    NotFound,
    Place,
    Query,
    Statement,
    Unresolved,
)
from appliance.core.graph import Edge, Node, Proof
from appliance.core.settings import SiteSettings
from appliance.library import Library, Overview, cut_out
from appliance.quality.contract import Quality
from appliance.quality.report import report
from appliance.retrieval.exploring import neighbour_json, node_json
from appliance.retrieval.search_context import EVERYTHING, Filter, Reading
from appliance.retrieval.typed_labels import tables_in
from appliance.site.gaps_and_feedback import Site
from appliance.store.read import Store
from appliance.store.records import DocumentInfo
from appliance.tables.lookup import LookedUp, best_lookup

Item = TypeVar("Item", Clause, Table, Figure, Formula)

WIDTH, HEIGHT = 595.0, 842.0
LINE = 0.021  # of the page height
EVIL = "<script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'>"


class Writer:
    """Lays text out on pages and remembers where each line went."""

    def __init__(self) -> None:
        self.page, self.y = 1, 0.09
        self.drawn: list[tuple[Box, str]] = []

    def room(self, height: float) -> None:
        if self.y + height > 0.93:
            self.page, self.y = self.page + 1, 0.09

    def block(self, height: float) -> Box:
        """Take a block as wide as the column."""
        self.room(height)
        box = Box(self.page, 0.14, round(self.y, 4), 0.86, round(self.y + height, 4))
        self.y += height + LINE
        return box

    def write(self, text: str, marker: str = "") -> Passage:
        """Write a paragraph; the passage's lines know their boxes."""
        lines, at = [], 0
        for number, words in enumerate(textwrap.wrap(text, 74)):
            self.room(LINE)
            start = text.index(words[:20], at) if words[:20] in text[at:] else at
            box = Box(self.page, 0.14, round(self.y, 4), 0.86, round(self.y + LINE * 0.85, 4))
            self.drawn.append((box, f"{marker} {words}".strip() if not number else words))
            lines.append(LineSpan(start, min(len(text), start + len(words) + 1), box))
            at, self.y = start + len(words), self.y + LINE
        self.y += LINE * 0.7
        return Passage(text, tuple(lines))

    def clause(
        self,
        label: str,
        title: str = "",
        text: str = "",
        *,
        kind: ClauseKind = "clause",
        parent: str = "",
        level: int = 1,
        marker: str = "",
    ) -> Clause:
        marker = marker or label
        head = self.write(title, marker).lines if title else ()
        body = self.write(text, "" if title else marker) if text else Passage("")
        boxes = tuple(line.box for line in (*head, *body.lines))
        return Clause(
            Label.from_key(label),
            kind,
            title,
            body,
            Label.from_key(parent) if parent else None,
            level,
            boxes,
            marker,
            normative=kind != "note",
        )

    def paint(self, folder: Path) -> dict[int, str]:
        """Draw every page; return its image's name by page."""
        font = ImageFont.load_default(size=21)
        names = {}
        for number in range(1, self.page + 1):
            picture = Image.new("RGB", (1240, round(1240 * HEIGHT / WIDTH)), "white")
            pen = ImageDraw.Draw(picture)
            for box, words in self.drawn:
                if box.page != number:
                    continue
                x, y = box.x0 * picture.width, box.y0 * picture.height
                if words == "#":
                    pen.rectangle((x, y, box.x1 * picture.width, box.y1 * picture.height), outline="black")
                else:
                    pen.text((x, y), words, "black", font)
            pen.text((600, 1690), str(number + 4), "black", font)
            file = io.BytesIO()
            picture.save(file, "WEBP", quality=60)
            names[number] = f"{hashlib.sha256(file.getvalue()).hexdigest()}.webp"
            (folder / names[number]).write_bytes(file.getvalue())
        return names


def reference(
    source: Clause,
    words: str,
    target: str = "",
    kind: ReferenceKind = "clause",
    *,
    document: str = "SNOW",
    reason: str = "",
) -> Reference:
    start = source.passage.text.index(words)
    return Reference(
        source=source.label,
        start=start,
        end=start + len(words),
        text=words,
        kind=kind,
        boxes=source.boxes[-1:],
        target=Label.from_key(target) if target else None,
        document=document if target else None,
        status="resolved" if target else "not_loaded",
        reason=reason,
    )


def snow(writer: Writer) -> Document:
    """Return a snow code of a few pages."""
    clauses = [
        writer.clause("1", "General", kind="section"),
        writer.clause(
            "1.1",
            "Scope of this code",
            "This code gives snow loads on roofs of buildings.",
            parent="1",
            level=2,
        ),
        writer.clause("1.2", "", f"A clause that tries: {EVIL} and & is read as text.", parent="1", level=2),
        writer.clause("5", "Snow load on roofs", kind="section"),
        writer.clause(
            "5.1", "Nature of the load", "Snow can be laid in many patterns. " * 12, parent="5", level=2
        ),
        writer.clause("5.2", "Load arrangements", kind="clause", parent="5", level=2),
        writer.clause(
            "5.2(1)",
            "",
            "The snow load on a roof shall be taken as s = mu Ce Ct sk, with the shape coefficient mu"
            " of Table 5.2, see also Figure 5.1 and EN 1991-1-4, 7.2.",
            kind="paragraph", parent="5.2", level=3, marker="(1)P",
        ),
        writer.clause(
            "5.2(1)/a", "", "undrifted snow over the whole roof;",
            kind="item", parent="5.2(1)", level=4, marker="a)",
        ),
        writer.clause(
            "5.2(1)/b", "", "drifted snow on one side.", kind="item", parent="5.2(1)", level=4, marker="b)"
        ),
        writer.clause(
            "5.2(2)", "", "Where snow is kept from sliding, the coefficient should not be less than 0.8.",
            kind="paragraph", parent="5.2", level=3, marker="(2)",
        ),
        writer.clause(
            "5.2(2)/note", "", "A snow guard or a parapet prevents sliding.",
            kind="note", parent="5.2(2)", level=4, marker="NOTE",
        ),
        writer.clause(
            "5.3", "Roof shape coefficients", "The coefficients of Table 5.2 apply to plain roofs.",
            parent="5", level=2,
        ),
    ]  # fmt: skip
    table = _table(writer)
    figure_box = writer.block(0.24)
    writer.drawn += [
        (figure_box, "#"),
        (replace(figure_box, y0=figure_box.y0 + 0.2), "Figure 5.1 - Snow on a duopitch roof"),
    ]
    figure = Figure(
        Label(("Figure 5.1",)), "Snow on a duopitch roof", "mu 1 mu 2 alpha", (figure_box,), Label(("5.3",))
    )
    long = _long_table(writer)
    clauses.append(
        writer.clause(
            "Annex B",
            "Exceptional drifts",
            "Exceptional drifts are treated in the National Annex.",
            kind="annex",
        )
    )
    by_key = {item.label.key: item for item in clauses}
    duty = by_key["5.2(1)"]
    references = (
        reference(duty, "Table 5.2", "Table 5.2", "table"),
        reference(duty, "Figure 5.1", "Figure 5.1", "figure"),
        reference(duty, "EN 1991-1-4, 7.2", reason="EN 1991-1-4 is not loaded"),
        reference(by_key["5.3"], "Table 5.2", "Table 5.2", "table"),
    )
    return _document(
        "SNOW", "TC 1-3:2024", "Actions on structures: snow loads", writer.page,
        clauses=clauses, tables=(table, long), figures=(figure,), references=references,
        problems=(Problem("A table without a caption was read as text.", 2), *_doubts(by_key)),
        formulas=_formulas(by_key["5.1"]),
    )  # fmt: skip


def _formulas(holder: Clause) -> tuple[Formula, ...]:
    """Return a formula that was read with doubt, the second line of its clause, and a sound one."""
    line, last = holder.passage.lines[1].box, holder.passage.lines[-1].box
    return (
        Formula(Label(("(5.1)",)), f"s = / ] {EVIL}", "where s is the load", (line,), holder.label),
        Formula(Label(("(5.2)",)), "s = 1", "", (last,), holder.label),
    )


def _doubts(clauses: Mapping[str, Clause]) -> tuple[Problem, ...]:
    """Return the doubts: of a formula, and of a sign in what an answer quotes."""
    line, quoted = clauses["5.1"].passage.lines[1].box, clauses["5.2(2)"].boxes[0]
    sign = replace(quoted, x0=quoted.x1 - 0.05)
    return (
        Problem("Formula (5.1) was read with doubt.", line.page, line, doubt=True),
        Problem("“/” may be a sign that was misread.", sign.page, sign, doubt=True),
    )


def _table(writer: Writer) -> Table:
    rows = (
        ("Angle of pitch", "Shape coefficient", ""),
        ("", "mu 1", "mu 2"),
        ("0 to 30 degrees", "0.8", "0.8 + 0.8 alpha/30 a"),
        ("30 to 60 degrees", "0.8 (60 - alpha)/30", "1.6"),
        ("60 degrees and more", "0.0", "none"),
    )
    title = "Shape coefficients of pitched roofs"
    writer.room(0.25)
    writer.write(f"Table 5.2 - {title}")
    boxes = [writer.block(0.015) for _ in rows]
    for box, row in zip(boxes, rows, strict=True):
        for at, text in zip((0.14, 0.4, 0.64), row, strict=True):
            writer.drawn.append((replace(box, x0=at), text))
    cells = [
        Cell(number, column, text, boxes[number], header=number < 2 or not column)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
        if text
    ]
    cells[0] = replace(cells[0], row_span=2)
    cells[1] = replace(cells[1], column_span=2)
    whole = Box(boxes[0].page, 0.14, boxes[0].y0, 0.86, boxes[-1].y1)
    notes = (TableNote("a", "alpha is the angle of pitch in degrees.", boxes[-1]),)
    return Table(Label(("Table 5.2",)), title, tuple(cells), notes, (whole,), Label(("5.3",)))


def _long_table(writer: Writer) -> Table:
    cells = []
    for row in range(40):
        box = writer.block(0.002)
        writer.drawn.append((box, f"Zone {row}"))
        names = ("Zone", "Ground load kN/m2") if not row else (f"Zone {row}", f"{0.4 + row / 20:.2f}")
        cells += [Cell(row, column, text, box, header=not row) for column, text in enumerate(names)]
    boxes = [cell.box for cell in cells]
    wholes = tuple(
        Box(
            page,
            0.14,
            min(b.y0 for b in boxes if b.page == page),
            0.86,
            max(b.y1 for b in boxes if b.page == page),
        )
        for page in sorted({b.page for b in boxes})
    )
    return Table(Label(("Table 5.3",)), "Ground loads by zone", tuple(cells), (), wholes, Label(("5.3",)))


def basis(writer: Writer) -> Document:
    """Return a one-page code that defines a term."""
    clauses = [
        writer.clause("1", "Terms", kind="section"),
        writer.clause(
            "1.5",
            "",
            "characteristic value: the value with a stated chance of being exceeded",
            parent="1",
            level=2,
        ),
    ]
    term = Term(
        "characteristic value", clauses[1].passage, Label(("characteristic value",)), clauses[1].boxes
    )
    return _document(
        "BASIS", "TC 0:2010", "Basis of design", writer.page,
        clauses=clauses, terms=(term,), status="superseded",
    )  # fmt: skip


def _document(
    name: str,
    designation: str,
    title: str,
    pages: int,
    *,
    clauses: Sequence[Clause],
    tables: Sequence[Table] = (),
    figures: Sequence[Figure] = (),
    references: Sequence[Reference] = (),
    problems: Sequence[Problem] = (),
    terms: Sequence[Term] = (),
    formulas: Sequence[Formula] = (),
    status: str = "in force",
) -> Document:
    return Document(
        id=name,
        designation=designation,
        title=title,
        edition="first published 2024",
        status=status,  # type: ignore[arg-type]  # one of the literals, written as a word above
        language="en",
        sha256="0" * 64,
        family="test",
        pages=tuple(Page(number, WIDTH, HEIGHT, str(number + 4)) for number in range(1, pages + 1)),
        clauses=tuple(clauses),
        tables=tuple(tables),
        figures=tuple(figures),
        terms=tuple(terms),
        formulas=tuple(formulas),
        references=tuple(references),
        problems=tuple(problems),
    )


CHOICE = Choice(
    "BASIS", Label(("1.5",)), "clause", "SNOW", Label(("5.2(2)",)), "clause", "national annex",
    f"the coefficient is 0.9 in place of 0.8 {EVIL}",
)  # fmt: skip


class FakeLibrary(Library):
    """A library of two documents without models or a file; the question decides the outcome."""

    site = cast("Site", None)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.given: list[tuple[Filter, str, Reading | None]] = []
        self.limits: list[int] = []
        self.checked: dict[int, str] = {}
        self.loaded: dict[str, Document] = {}
        self.images: dict[tuple[str, int], str] = {}
        self.site = Site(folder / "codes.db.site", SiteSettings(free_mib=1))
        for make in (snow, basis):
            writer = Writer()
            document = make(writer)
            self.loaded[document.id] = document
            self.images |= {(document.id, page): name for page, name in writer.paint(folder).items()}

    def overview(self) -> Overview:
        infos = tuple(
            DocumentInfo(
                d.id, d.designation, d.title, d.edition, d.status, d.language, d.sha256, d.family, (),
                len(d.pages), len(d.clauses), len(d.tables), len(d.figures), len(d.references),
                len(d.problems),
            )
            for d in self.loaded.values()
        )  # fmt: skip
        offered = ("What is meant by characteristic value?",)
        return Overview(infos, "4f2a" * 16, "minilm-l6-int8", "late-interaction", examples=offered)

    def missing_images(self) -> int:
        return 0

    def search(
        self,
        question: str,
        limit: int = 20,
        documents: Sequence[str] = (),
        kinds: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
        **_: object,
    ) -> Evidence:
        self.given.append((wanted, after, reading))
        self.limits.append(limit)
        if not any(character.isalnum() for character in question):
            message = "There is no word to search for in this question. Ask with words or a clause number."
            raise BadQuestion(message)
        for name in documents:
            self.document(name)
        kinds = (*kinds, *wanted.kinds)
        hits = [hit for hit in self._hits() if not kinds or hit.kind in kinds]
        found = tuple(hit for hit in hits if not documents or hit.document in documents)[:limit]
        duty, table = Label(("5.2(1)",)), Label(("Table 5.2",))
        return Evidence(
            query=Query(
                f"{question} as meant" if after else question.replace("psi 2", "ψ2"),
                "value",
                tuple(question.split()),
                typed=question if after or "psi 2" in question else "",
                after=after,
            ),
            hits=found,
            must_read=tuple(hit for hit in found if "closure" in hit.found_by),
            chain=(Link("SNOW", duty, "SNOW", table, "the shape coefficient mu of Table 5.2"),),
            unresolved=(Unresolved("EN 1991-1-4, 7.2", "SNOW", duty, "EN 1991-1-4 is not loaded"),),
            relevance=0.9,
            timings_ms={"lexical": 3.0, "dense": 21.0},
            shown=found,
        )

    def ask(
        self,
        question: str,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
        **_: object,
    ) -> Answer:
        self.asked.append((question, tuple(documents)))
        if "crash" in question:
            raise RuntimeError(question)
        if "break" in question:
            return Failed(question, "The answer could not be written (the model took too long).")
        evidence = self.search(question, documents=documents, wanted=wanted, after=after, reading=reading)
        if "Diagram 99.9" in question:
            lacking = "The documents loaded have no Diagram 99.9."
            evidence = replace(evidence, query=replace(evidence.query, unreadable=lacking))
            return NotFound(question, evidence, tuple(self.loaded), (lacking,))
        if "mars" in question:
            return NotFound(question, evidence, tuple(self.loaded), ("No document speaks of mars.",))
        return Grounded(
            question=question,
            statements=(
                Statement(self._text("5.2(1)"), (1,), confirmed=True),
                Statement("For 0 to 30 degrees the coefficient mu 1 is 0.8.", (2,), confirmed=True),
                Statement(
                    "Where snow cannot slide it is at least 0.8.",
                    (3, 1),
                    confirmed=False,
                    why="0.8 stands in another cell",
                ),
            ),
            citations=(
                self._citation(1, "5.2(1)"),
                Citation(2, "SNOW", Label(("Table 5.2",)), *self._row(2), "0 to 30 degrees | 0.8"),
                self._citation(3, "5.2(2)"),
            ),
            evidence=evidence,
            tables=(
                MarkedTable("SNOW", Label(("Table 5.2",)), ((2, 1),)),
                MarkedTable("SNOW", Label(("Table 5.3",)), ((21, 1),)),
            ),
            figures=tuple(hit for hit in evidence.hits if hit.kind == "figure"),
            confidence=Confidence("medium", ("Both searches agree.", "One number could not be confirmed.")),
        )

    def with_words(
        self,
        question: str,
        first: int = 0,
        count: int = 0,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
    ) -> Listing:
        found = self.search(
            question, 10_000, documents=documents, wanted=wanted, after=after, reading=reading
        ).hits
        self.limits.pop()
        every = found * (30 if "often" in question else 1)
        return Listing(every[first : first + count], len(every))

    def tags(self) -> tuple[tuple[str, str], ...]:
        return (("material", "timber"), ("structure", "roof"))

    def suggest(self, prefix: str, limit: int = 8) -> tuple[tuple[str, Label, str], ...]:
        wanted = prefix.casefold().strip()
        items: list[tuple[str, Label, str]] = []
        for name, document in self.loaded.items():
            items += [(name, item.label, item.title) for item in document.clauses]
            items += [(name, item.label, item.title) for item in document.tables]
            items += [(name, item.label, item.title) for item in document.figures]
        return tuple(item for item in items if wanted and str(item[1]).casefold().startswith(wanted))[:limit]

    def document(self, document: str) -> Document:
        if document not in self.loaded:
            raise UnknownDocument(document, tuple(self.loaded))
        return self.loaded[document]

    def tree(self, document: str) -> tuple[Clause, ...]:
        return self.document(document).clauses

    answered = cast("Any", Library).answered
    _last_answers = cast("Any", Library)._last_answers

    def formulas_at(self, document: str, label: Label) -> tuple[Formula, ...]:
        known = self.document(document).formulas
        own = tuple(item for item in known if item.label == label)
        return own or tuple(item for item in known if item.clause == label)

    def address(self, document: str, label: Label | None = None) -> str:  # noqa: ARG002 - all of them are PDFs
        return ""

    def clause(self, document: str, key: str) -> ClauseView:
        whole = self.document(document)
        clause = self._find(document, whole.clauses, key)
        by_label = {item.label: item for item in whole.clauses}
        path: list[Clause] = []
        above = clause.parent
        while above:
            path.insert(0, by_label[above])
            above = by_label[above].parent
        around = list(pairwise((None, *whole.clauses, None)))
        return ClauseView(
            clause=clause,
            path=tuple(path),
            children=tuple(item for item in whole.clauses if item.parent == clause.label),
            references=tuple(item for item in whole.references if item.source == clause.label),
            cited_by=tuple((document, item) for item in whole.references if item.target == clause.label),
            previous=next(one for one, other in around if other is clause),
            following=next(other for one, other in around if one is clause),
            tables=tuple(item for item in whole.tables if item.clause == clause.label),
            figures=tuple(item for item in whole.figures if item.clause == clause.label),
            formulas=tuple(item for item in whole.formulas if item.clause == clause.label),
        )

    def table(self, document: str, key: str) -> Table:
        return self._find(document, self.document(document).tables, key)

    def table_lookup(self, document: str, label: str, row: str, column: str) -> LookedUp:
        return best_lookup((self.table(document, label),), row, column)

    def graph(self, name: str, *_: object, **__: object) -> list[dict[str, Any]]:
        """Return one thing with one neighbour, proven by a paragraph of the snow code."""
        if name != "snow":
            raise UnknownNode(name)
        shown = self.clause("SNOW", "5.2(1)").clause
        proof = Proof("SNOW", shown.label, 0, 9, shown.passage.text[:9], shown.boxes)
        edge = Edge("concept::snow", "APPLIES_TO", "clause:SNOW:5.2(1)", 1.0, "", proof)
        near = neighbour_json(Node("clause", "SNOW", "5.2(1)"), edge, 1, "out", None)
        return [node_json(Node("concept", "", "snow", "snow")) | {"neighbours": [near]}]

    def national_choices(self, document: str, *keys: str) -> Decided:
        """Return the one choice: the basis code decides about a paragraph of the snow code."""
        on = document == CHOICE.parent and CHOICE.target.key in keys
        by = document == CHOICE.document and CHOICE.label.key in keys
        return Decided((CHOICE,) if on else (), (CHOICE,) if by else ())

    def figure(self, document: str, key: str) -> Figure:
        return self._find(document, self.document(document).figures, key)

    def tables_in(self, document: str, key: str) -> tuple[Table, ...]:
        return tables_in(self.document(document).tables, self.drawn(document, key).boxes)

    def drawn(self, document: str, key: str) -> Figure | Formula:
        whole = self.document(document)
        if any(item.label.key == key for item in whole.figures):
            return self.figure(document, key)
        return self._find(document, whole.formulas, key)

    def doubts(self, document: str, boxes: Sequence[Box]) -> tuple[Problem, ...]:
        store = SimpleNamespace(
            problems=lambda name: self.document(name).problems, graph=SimpleNamespace(decisions={})
        )
        return doubts_at(cast("Store", store), document, boxes)

    def picture(self, document: str, key: str) -> bytes | None:
        boxes = self.drawn(document, key).boxes
        return cut_out(boxes, lambda page: self.folder / self.images[document, page])

    def page(self, document: str, number: int) -> PageView:
        name = self.images.get((document, number))
        if name is None:
            last = max((page for name, page in self.images if name == document), default=0)
            raise UnknownPage(document, number, last)
        return PageView(number, WIDTH, HEIGHT, str(number + 4), "digital", name, name)

    def image(self, name: str) -> Path:
        return self.folder / name

    def quality(self, document: str) -> Quality:
        words = {"table": ("Table",), "figure": ("Figure",)}
        return report(self.document(document), words, self.checked)

    def _find(self, document: str, items: Sequence[Item], key: str) -> Item:
        for item in items:
            if item.label.key == key:
                return item
        raise UnknownPlace(document, key)

    def _text(self, key: str) -> str:
        return self.clause("SNOW", key).clause.passage.text

    def _row(self, row: int) -> tuple[int, tuple[Box, ...]]:
        box = next(cell.box for cell in self.table("SNOW", "Table 5.2").cells if cell.row == row)
        return box.page, (box,)

    def _citation(self, n: int, key: str) -> Citation:
        clause = self.clause("SNOW", key).clause
        return Citation(n, "SNOW", clause.label, clause.boxes[0].page, clause.boxes, clause.passage.text)

    def _hits(self) -> list[Place]:
        whole = self.loaded["SNOW"]
        hits = []
        for key in ("5.2(1)", "5.3", "1.2", "5.1"):
            clause = self.clause("SNOW", key).clause
            hits.append(_place("SNOW", clause, "clause", clause.passage.text, ("lexical",)))
        hits += [
            _place("SNOW", table, "table", "Angle of pitch | mu 1", ("closure",), path=("5.2(1)",))
            for table in whole.tables
        ]
        hits.append(_place("SNOW", whole.figures[0], "figure", "Snow on a duopitch roof", ("reference",)))
        old = self.loaded["BASIS"].clauses[1]
        return [*hits, _place("BASIS", old, "definition", old.passage.text, ("dense",))]


def _place(
    document: str,
    item: Clause | Table | Figure,
    kind: str,
    text: str,
    found_by: tuple[str, ...],
    *,
    path: tuple[str, ...] = (),
) -> Place:
    return Place(
        document=document,
        label=item.label,
        labels=(item.label,),
        kind=kind,  # type: ignore[arg-type]  # written as a word by the caller
        title=item.title,
        heading_path=(),
        pages=tuple(sorted({box.page for box in item.boxes})),
        boxes=item.boxes,
        focus=item.boxes[:1],
        text=text,
        score=1.0,
        found_by=found_by,  # type: ignore[arg-type]  # idem
        path=path,
        chunk=crc32(f"{document}/{item.label.key}".encode()),
    )
