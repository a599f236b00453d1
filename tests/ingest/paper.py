"""Codes set line by line as PDFs, with tables, to be read whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

from appliance.core.document import Document
from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes

MUPDF: Any = pymupdf
LIMITS = IngestSettings()
LEFT, RIGHT, TOP, FOOT = 60.0, 535.0, 80.0, 760.0
SIZE, LEAD = 9.5, 11.5
PLAIN, BOLD = "helv", "hebo"
INSET = 9.0


class Paper:
    """Pages that are set line by line, as a code is."""

    def __init__(self, head: str = "") -> None:
        self.document = MUPDF.open()
        self.head = head
        self.turn()

    def turn(self) -> None:
        """Begin a page."""
        self.page = self.document.new_page(width=595, height=842)
        self.y = TOP
        if self.head:
            self.page.insert_text((LEFT, 45), self.head, fontsize=8)
            self.page.insert_text((290, 800), str(len(self.document)), fontsize=8)

    def put(self, text: str, x: float, y: float, size: float = SIZE, font: str = PLAIN) -> None:
        self.page.insert_text((x, y), text, fontsize=size, fontname=font)

    def prose(self, text: str, x0: float = LEFT, x1: float = RIGHT, white: float = 5.0) -> None:
        for line in wrapped(text, x1 - x0):
            self.put(line, x0, self.y)
            self.y += LEAD
        self.y += white

    def heading(self, number: str, title: str, size: float = 11.0) -> None:
        self.y += 8
        self.put(number, LEFT, self.y, size, BOLD)
        self.put(title, LEFT + 45, self.y, size, BOLD)
        self.y += 18

    def rule(self, y: float, width: float, left: float = 0.0) -> None:
        self.page.draw_line((LEFT + left, y), (LEFT + width, y), width=0.5)

    def table(self, caption: str, form: Any, rules: str, foot: float = FOOT, *, bare: bool = False) -> None:
        """Print a table that goes on over pages, its caption and its head again on each, or `bare` of both.

        A cell that is None belongs to that over it, and no rule is drawn between; a row that is one text is
        the head of a group, over all columns. A first cell that begins with a blank is set in.
        """
        heads, rows, widths = form
        self._head(caption, heads, widths, rules)
        for row, after in zip(rows, [*rows[1:], ()], strict=True):
            alone = isinstance(row, str)
            columns = (sum(widths),) if alone else widths
            cells = [
                wrapped(text or "", width - 8, BOLD if alone else PLAIN)
                for text, width in zip((row,) if alone else row, columns, strict=True)
            ]
            if self.y + max(len(cell) for cell in cells) * LEAD > foot:
                if rules == "half":
                    self.rule(self.y - LEAD + 3, sum(widths))
                self.turn()
                if not bare:
                    self._head(f"{caption} (continued)", heads, widths, rules)
            set_in = INSET if not alone and (row[0] or "").startswith(" ") else 0.0
            self._row(cells, columns, BOLD if alone else PLAIN, set_in)
            if rules == "rows":
                spanned = sum(w for w, text in zip(widths, after, strict=False) if text is None)
                self.rule(self.y - LEAD + 1, sum(widths), spanned)
        if rules == "half":
            self.rule(self.y - LEAD + 1, sum(widths))
        self.y += 8

    def _head(self, caption: str, heads: Sequence[str], widths: Sequence[float], rules: str) -> None:
        self.put(caption, LEFT, self.y, SIZE, BOLD)
        self.y += LEAD + 4
        if rules != "none":
            self.rule(self.y - LEAD + 1, sum(widths))
        self._row(
            [wrapped(text, width - 8, BOLD) for text, width in zip(heads, widths, strict=True)], widths, BOLD
        )
        if rules != "none":
            self.rule(self.y - LEAD + 1, sum(widths))

    def _row(
        self, cells: Sequence[Sequence[str]], widths: Sequence[float], font: str, inset: float = 0.0
    ) -> None:
        x = LEFT + 3
        for cell, width in zip(cells, widths, strict=True):
            for n, line in enumerate(cell):
                self.put(line, x + inset, self.y + n * LEAD, SIZE, font)
            x, inset = x + width, 0.0
        self.y += max(len(cell) for cell in cells) * LEAD + 5

    def read(self, folder: Path) -> Document:
        path = folder / "code.pdf"
        self.document.save(path)
        self.document.close()
        return read_document(path, "code", LIMITS, load_schemes(LIMITS.schemes))


def wrapped(text: str, width: float, font: str = PLAIN) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if MUPDF.get_text_length(longer, fontname=font, fontsize=SIZE) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


TEXT = (
    "The actions on the parts of a structure are those given in this document, with the values of the annex "
    "for the country, and they are combined as is set out in the clauses that follow behind this one."
)


def opened(head: str = "") -> Paper:
    """Return a code that has begun: two clauses of running text."""
    paper = Paper(head)
    for number, title in (("1", "Scope"), ("2", "Requirements")):
        paper.heading(number, title)
        paper.prose(TEXT)
        paper.prose(TEXT)
    return paper


def rows_read(document: Document, at: int = 0) -> list[tuple[str, ...]]:
    cells: dict[int, list[tuple[int, str]]] = {}
    for cell in document.tables[at].cells:
        cells.setdefault(cell.row, []).append((cell.column, " ".join(cell.text.split())))
    return [tuple(text for _, text in sorted(cells[row])) for row in sorted(cells)]


def labels(document: Document) -> list[str]:
    return [str(clause.label) for clause in document.clauses if str(clause.label)[:1].isdigit()]
