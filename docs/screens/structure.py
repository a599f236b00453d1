# ruff: noqa: INP001 - a script beside its pictures, not a package
"""Draw what was found on pages of PDFs: every clause, table, cell, figure, formula, definition and reference.

Usage: python docs/screens/structure.py FOLDER PDF:PAGE[,PAGE ...] [PDF:PAGE ...]

Each page becomes FOLDER/NAME-PAGE.webp. A box has the colour of its kind and its label beside it, a reference
is underlined and says where it leads ("?": nowhere yet); what reading reported as doubtful is boxed in red.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from appliance.core.document import Box, Document, Reference
from appliance.core.settings import ImageSettings, IngestSettings
from appliance.ingest.pdf.rendering import render
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes

WIDTH = 1400  # pixels of a page as it is drawn
KEPT = 1000  # pixels of the picture that is kept
QUALITY = 60  # of WebP
TAG = 15  # pixels: the type of a label
LONGEST = 40  # signs of a label
CLAUSE, TABLE, CELL, FIGURE = "#1f6fd0", "#0a8a3c", "#8fd3a8", "#c06000"
FORMULA, TERM, REFERENCE, OPEN, DOUBT = "#8a2be2", "#008b9a", "#0044cc", "#a0006a", "#d00000"


class Mark(NamedTuple):
    """A box to draw: its colour, its label, the width of its line; `below`: only underlined."""

    box: Box
    colour: str
    name: str = ""
    width: int = 2
    below: bool = False


def marks(document: Document, page: int) -> Iterator[Mark]:
    """Yield all that was found on the page, what holds other things before these."""
    for clause in document.clauses:
        yield from (Mark(box, CLAUSE, str(clause.label)) for box in clause.boxes if box.page == page)
    for table in document.tables:
        yield from (Mark(cell.box, CELL, width=1) for cell in table.cells if cell.box.page == page)
        yield from (
            Mark(note.box, CELL, f"note {note.mark}") for note in table.notes if note.box.page == page
        )
        yield from (Mark(box, TABLE, str(table.label), 4) for box in table.boxes if box.page == page)
    for figure in document.figures:
        yield from (Mark(box, FIGURE, str(figure.label), 4) for box in figure.boxes if box.page == page)
    for formula in document.formulas:
        yield from (Mark(box, FORMULA, str(formula.label), 3) for box in formula.boxes if box.page == page)
    for term in document.terms:
        yield from (Mark(box, TERM, f"{term.kind}: {term.term}") for box in term.boxes if box.page == page)
    for problem in document.problems:
        if problem.box and problem.box.page == page:
            yield Mark(problem.box, DOUBT, "doubt" if problem.doubt else "problem")
    for reference in document.references:
        name = _leads(reference)
        shown = Mark(reference.boxes[0], REFERENCE if name[0] != "?" else OPEN, name, below=True)
        yield from (replace_box(shown, box) for box in reference.boxes if box.page == page)


def _leads(reference: Reference) -> str:
    """Return where a reference leads, after "?" where that is not in this document."""
    if reference.target is not None:
        return f"{reference.text} > {reference.target}"
    return f"? {reference.text}"


def replace_box(mark: Mark, box: Box) -> Mark:
    """Return the same mark in another place."""
    return mark._replace(box=box)


def drawn(picture: Image.Image, found: Sequence[Mark]) -> Image.Image:
    """Return the page with the boxes over it and a label for each at its side."""
    page = picture.convert("RGB")
    brush, font = ImageDraw.Draw(page), ImageFont.load_default(TAG)
    taken: list[tuple[float, float, float, float]] = []
    for mark in found:
        box = mark.box
        x0, y0, x1, y1 = box.x0 * page.width, box.y0 * page.height, box.x1 * page.width, box.y1 * page.height
        if mark.below:
            brush.line((x0, y1 + 1, x1, y1 + 1), fill=mark.colour, width=1)
        else:
            brush.rectangle((x0, y0, x1, y1), outline=mark.colour, width=mark.width)
        if mark.name:
            beside = (x1 - 30, y1 + 1) if mark.below else (x0, y0 - TAG)
            _tag(brush, mark, (-x0, y0) if mark.colour == CLAUSE else beside, font, taken)
    return page


def _tag(
    brush: ImageDraw.ImageDraw,
    mark: Mark,
    at: tuple[float, float],
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    taken: list[tuple[float, float, float, float]],
) -> None:
    """Write a label, left of a negative x, lower down where another one stands already."""
    name = mark.name if len(mark.name) <= LONGEST else f"{mark.name[: LONGEST - 2]}.."
    width = brush.textlength(name, font=font)
    x, y = max(0.0, at[0] if at[0] >= 0 else -at[0] - width - 4), max(0.0, at[1])
    while any(x < c and x + width > a and y < d and y + TAG > b for a, b, c, d in taken):
        y += TAG
    taken.append((x, y, x + width, y + TAG))
    brush.rectangle((x, y, x + width, y + TAG), fill="#ffffff")
    brush.text((x, y), name, fill=mark.colour, font=font)


def take(pdf: Path, pages: Sequence[int], folder: Path) -> None:
    """Draw the pages of one PDF into the folder."""
    document = read_document(pdf, pdf.stem, IngestSettings(), load_schemes(None))
    with tempfile.TemporaryDirectory() as beside:
        settings = replace(ImageSettings(), large_width_px=WIDTH)
        images = {image.page: image.large for image in render(pdf, settings, Path(beside)).images}
        for page in pages:
            with Image.open(Path(beside) / images[page]) as picture:
                whole = drawn(picture, list(marks(document, page)))
            height = round(whole.height * KEPT / whole.width)
            small = whole.resize((KEPT, height), Image.Resampling.LANCZOS)
            small.save(folder / f"{pdf.stem}-{page}.webp", quality=QUALITY, method=6)


def main(folder: str, *wanted: str) -> None:
    """Draw all pages that are named."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for one in wanted:
        pdf, _, pages = one.rpartition(":")
        take(Path(pdf), [int(page) for page in pages.split(",")], Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
