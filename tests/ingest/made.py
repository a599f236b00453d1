"""PDFs made at test time: pages as lists of printed pieces, and the steps of reading run on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pymupdf

from appliance.core.document import Clause, Problem
from appliance.core.settings import IngestSettings
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import PageLayout, Source
from appliance.ingest.pdf.reader import read
from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.schemes import Scheme, load_schemes, with_words

MUPDF: Any = pymupdf
LIMITS = IngestSettings()
PLAIN, BOLD, ITALIC, SYMBOL = "helv", "hebo", "heit", "symb"


@dataclass(frozen=True)
class Print:
    """Text at a place: x and baseline in points, type size and font."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = PLAIN
    rotate: int = 0
    hidden: bool = False


def write(path: Path, pages: Sequence[Sequence[Print]], *, rotation: int = 0, title: str = "") -> Path:
    """Write a PDF of A4 pages."""
    document = MUPDF.open()
    for pieces in pages:
        page = document.new_page(width=595, height=842)
        shape = page.new_shape()  # written at once: each text by itself takes longer the more there are
        for piece in pieces:
            shape.insert_text(
                (piece.x, piece.y),
                piece.text,
                fontsize=piece.size,
                fontname=piece.font,
                rotate=piece.rotate,
                render_mode=3 if piece.hidden else 0,
            )
        shape.commit()
        page.set_rotation(rotation)
    if title:
        document.set_metadata({"title": title})
    document.save(path)
    document.close()
    return path


def source(folder: Path, *pages: Sequence[Print], **options: Any) -> Source:
    """Return the pages as read from a PDF file."""
    return read(write(folder / "made.pdf", pages, **options), LIMITS)


def layouts(folder: Path, *pages: Sequence[Print], **options: Any) -> tuple[PageLayout, ...]:
    """Return the pages as arranged."""
    return arrange(source(folder, *pages, **options))


@cache
def laid_out(path: Path) -> tuple[Source, tuple[PageLayout, ...]]:
    """Return a code as it is read, and its pages; several tests look at those that take seconds."""
    found = read(path, LIMITS)
    return found, arrange(found)


def scheme(name: str) -> Scheme:
    """Return a shipped scheme by its name."""
    return with_words(next(one for one in load_schemes() if one.name == name), "")


def column(*rows: str, x: float = 70, y: float = 100, step: float = 14, size: float = 10) -> list[Print]:
    """Return lines below one another; "# text" is a bold title after a gap, "" white space.

    A row that starts with ">" stands further in; one that starts with "|" continues the line above it
    without the white space of a paragraph.
    """
    printed: list[Print] = []
    for row in rows:
        y += step
        if not row:
            continue
        if row.startswith("# "):
            y += step
            printed.append(Print(x, y, row[2:], size + 2, BOLD))
            y += step / 2
        elif row.startswith(">"):
            printed.append(Print(x + 20, y, row[1:].strip(), size))
        else:
            printed.append(Print(x, y, row, size))
    return printed


def clauses(
    folder: Path, family: str, *pages: Sequence[Print], noisy: bool = False
) -> tuple[tuple[Clause, ...], tuple[Problem, ...]]:
    """Return the clause tree of the pages under a shipped scheme, nothing taken; `noisy`: as of a scan."""
    arranged = layouts(folder, *pages)
    if noisy:
        arranged = tuple(replace(page, content=replace(page.content, trust="ocr")) for page in arranged)
    return build_clauses(arranged, frozenset(), scheme(family))
