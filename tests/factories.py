"""Small documents built by hand: one clause, table or figure a line, boxes one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from appliance.core.document import (
    Box,
    Cell,
    Clause,
    ClauseKind,
    Document,
    Figure,
    Formula,
    Label,
    LineSpan,
    Passage,
    Table,
    TableNote,
    Term,
)

LINE = 0.02  # of the page
WIDTH = 80  # characters of a printed line


def box(page: int = 1, top: float = 0.1, height: float = LINE) -> Box:
    return Box(page, 0.1, round(top, 4), 0.9, round(top + height, 4))


def passage(text: str, page: int = 1, top: float = 0.1) -> Passage:
    """A passage whose printed lines are WIDTH characters long."""
    lines = [
        LineSpan(start, min(start + WIDTH, len(text)), box(page, top + number * LINE))
        for number, start in enumerate(range(0, len(text), WIDTH))
    ]
    return Passage(text, tuple(lines))


def label(key: str) -> Label:
    return Label.from_key(key)


def clause(
    key: str,
    text: str = "",
    kind: ClauseKind = "clause",
    title: str = "",
    parent: str | None = None,
    page: int = 1,
    top: float = 0.1,
    level: int = 1,
) -> Clause:
    words = passage(text, page, top)
    boxes = tuple(line.box for line in words.lines) or (box(page, top),)
    return Clause(label(key), kind, title, words, label(parent) if parent else None, level, boxes)


def table(
    key: str,
    rows: Sequence[Sequence[str]],
    title: str = "",
    header_rows: int = 1,
    notes: Sequence[tuple[str, str]] = (),
    page: int = 1,
    top: float = 0.5,
    clause: str | None = None,
) -> Table:
    cells = tuple(
        Cell(row, column, text, box(page, top + (row + 1) * LINE), header=row < header_rows)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )
    noted = tuple(TableNote(mark, text, box(page, 0.9)) for mark, text in notes)
    home = label(clause) if clause else None
    return Table(label(key), title, cells, noted, (box(page, top, (len(rows) + 1) * LINE),), home)


def figure(
    key: str, title: str = "", text: str = "", page: int = 1, top: float = 0.5, clause: str | None = None
) -> Figure:
    return Figure(label(key), title, text, (box(page, top, 0.2),), label(clause) if clause else None)


def formula(key: str, text: str, where: str = "", page: int = 1, clause: str | None = None) -> Formula:
    return Formula(label(key), text, where, (box(page, 0.4),), label(clause) if clause else None)


def term(word: str, meaning: str, page: int = 1, top: float = 0.1) -> Term:
    return Term(word, passage(meaning, page, top), Label((word,)), (box(page, top),))


def document(
    clauses: Sequence[Clause] = (),
    tables: Sequence[Table] = (),
    figures: Sequence[Figure] = (),
    formulas: Sequence[Formula] = (),
    terms: Sequence[Term] = (),
    name: str = "DC-1-3",
    designation: str = "DC 1-3:2024",
    family: str = "eurocode",
    aliases: Sequence[str] = (),
    edition: str = "",
) -> Document:
    return Document(
        id=name,
        designation=designation,
        title="Snow loads",
        edition=edition,
        status="in force",
        language="en",
        sha256="",
        family=family,
        pages=(),
        clauses=tuple(clauses),
        tables=tuple(tables),
        figures=tuple(figures),
        formulas=tuple(formulas),
        terms=tuple(terms),
        aliases=tuple(aliases),
    )


def spread(texts: dict[str, str], kind: ClauseKind = "clause") -> tuple[Clause, ...]:
    """Clauses of one kind, one below the other on page 1."""
    tops = count(0)
    return tuple(clause(key, text, kind, top=0.05 + 0.03 * next(tops)) for key, text in texts.items())
