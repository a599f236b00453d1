"""What is only in the picture of a scanned page: rules, drawings, and print that no word accounts for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, product
from pathlib import Path
from statistics import median

import numpy as np

from appliance.core.document import Box, Cell, Document, Problem, Table
from appliance.core.mechanisms import mechanism
from appliance.core.page_boxes import in_box
from appliance.core.runs import grouped, together
from appliance.ingest.ocr.process import Ink, Pixels
from appliance.ingest.ocr.word_boxes import INK, turned_back
from appliance.ingest.page import (
    Area,
    PageContent,
    Picture,
    Rect,
    Rectangle,
    Source,
    Stroke,
    Word,
    around,
    box_of,
    box_on,
    place_of,
)
from appliance.ingest.pdf.rendering import grey_pages

Run = tuple[int, int, int]  # row, first pixel, pixel after the last

DRAWING_CELL = 4.0  # points: the side of a cell of the grid in which the ink of drawings is joined
DRAWING_INKED = 0.05  # share of such a cell's pixels that makes it dark: a hair line through it does
DRAWING_BLOT = 2.0  # points around a word that may be its own ink
DRAWING_REACH = 2  # cells between parts of one drawing, at most: dashes, arrow heads
DRAWING_SIDES = (14.0, 44.0)  # points: shorter and longer side of a drawing, at least
DRAWING_MARGIN = 0.03  # of the page: the shadow of its edge, no drawing


def drawings_in(pixels: Pixels, words: Sequence[Word], scale: float) -> tuple[Picture, ...]:
    """Return the drawings of a grey page image; `scale` is points per pixel."""
    dark = _blotted(pixels < INK, [(word, DRAWING_BLOT) for word in words], scale)
    side = max(1, round(DRAWING_CELL / scale))
    unit = side * scale
    height, width = (length * scale for length in pixels.shape)
    left, top = DRAWING_MARGIN * width, DRAWING_MARGIN * height
    right, foot = (1 - DRAWING_MARGIN) * width, (1 - DRAWING_MARGIN) * height
    found = []
    for x0, y0, x1, y1, _ in _pieces(_cells(dark, side, DRAWING_INKED), DRAWING_REACH):
        drawing = Picture(x0 * unit, y0 * unit, x1 * unit, y1 * unit)
        sides = sorted((drawing.x1 - drawing.x0, drawing.y1 - drawing.y0))
        large = sides[0] >= DRAWING_SIDES[0] and sides[1] >= DRAWING_SIDES[1]
        # what stands at the edge of the sheet alone is its shadow
        inside = drawing.x1 >= left and drawing.x0 <= right and drawing.y1 >= top and drawing.y0 <= foot
        found += [drawing] if large and inside else []
    return tuple(found)


WORD_BLOT = 1.2  # points around a word that may be its own ink
RULE_BLOT = 2.6  # points beside the middle of a rule that are its ink
PRINT_CELL = 1.0  # points: the side of a cell of the grid in which print is joined
PRINT_APART = 0.45  # type sizes between letters of one place
PRINT_HEIGHT = (0.42, 2.6)  # type sizes: the height of print, from a sign to a fraction
PRINT_WIDTH_MIN = 0.28  # type sizes: the width of a figure or a sign
PRINT_INKED = 0.07  # share of a place's cells that print covers, at least
PRINT_MARGIN = 0.035  # of the page: the shadow of its edge


def lost_ink(
    pixels: Pixels, words: Sequence[Word], strokes: Iterable[Stroke], scale: float
) -> tuple[Rect, ...]:
    """Return the places of ink without a word, in points; `scale` is points per pixel."""
    if not words:
        return ()
    em = median(word.size for word in words)
    side = max(1, round(PRINT_CELL / scale))
    unit = side * scale
    blots: list[tuple[Rectangle, float]] = [
        *((word, WORD_BLOT) for word in words),
        *((stroke, RULE_BLOT) for stroke in strokes),
    ]
    cells = _cells(_blotted(pixels < INK, blots, scale), side)
    found = [
        (x0 * unit, y0 * unit, x1 * unit, y1 * unit)
        for x0, y0, x1, y1, inked in _pieces(cells, max(1, round(PRINT_APART * em / unit)))
        if (x1 - x0) * unit >= PRINT_WIDTH_MIN * em
        and PRINT_HEIGHT[0] * em <= (y1 - y0) * unit <= PRINT_HEIGHT[1] * em
        and inked >= PRINT_INKED * (x1 - x0) * (y1 - y0)
    ]
    height, width = (length * scale for length in pixels.shape)
    left, top = PRINT_MARGIN * width, PRINT_MARGIN * height
    return tuple(
        p for p in found if left <= p[0] and p[2] <= width - left and top <= p[1] and p[3] <= height - top
    )


def _blotted(dark: Ink, items: Iterable[tuple[Rectangle, float]], scale: float) -> Ink:
    """Return the ink without that of the items, each with so many points around it."""
    for item, blot in items:
        edges = (item.x0 - blot, item.y0 - blot, item.x1 + blot, item.y1 + blot)
        x0, y0, x1, y1 = (max(round(edge / scale), 0) for edge in edges)
        dark[y0:y1, x0:x1] = False
    return dark


def _cells(dark: Ink, side: int, share: float = 0.0) -> Ink:
    """Return which cells of the page hold ink: one pixel, and that share of the cell, at least."""
    rows, columns = dark.shape[0] // side, dark.shape[1] // side
    blocks = dark[: rows * side, : columns * side].reshape(rows, side, columns, side)
    inked: Ink = blocks.sum(axis=(1, 3)) >= max(1.0, share * side * side)
    return inked


def _pieces(cells: Ink, reach: int) -> list[tuple[int, int, int, int, int]]:
    """Return x0, y0, x1, y1 and the inked cells of what stands together: `reach` cells across, 2 down."""
    runs: list[tuple[int, int, int, int]] = []  # row, first column, end and inked cells, gaps in reach closed
    for row in np.flatnonzero(cells.any(axis=1)).tolist():
        inked_at = np.flatnonzero(cells[row])
        cuts = np.flatnonzero(np.diff(inked_at) > reach) + 1
        runs += [(row, int(p[0]), int(p[-1]) + 1, len(p)) for p in np.split(inked_at, cuts)]
    joined: list[tuple[int, int]] = []
    above: list[int] = []
    for row, group in groupby(range(len(runs)), key=lambda at: runs[at][0]):
        here = list(group)
        for one, other in product(here, above):
            near = runs[one][1] < runs[other][2] + reach and runs[other][1] < runs[one][2] + reach
            if near and runs[other][0] + 2 >= row:
                joined.append((one, other))
        above = [at for at in above if runs[at][0] + 1 >= row] + here
    found = []
    for members in together(len(runs), joined):
        rows, firsts, ends, inked = zip(*(runs[at] for at in members), strict=True)
        found.append((min(firsts), min(rows), max(ends), max(rows) + 1, sum(inked)))
    return found


FINE = 150 / 72  # pixels to the point of the picture in which rules are looked for, however wide the page
DARK = 185  # grey value below which a pixel may be of a rule: a hairline between two rows is grey in both
WIDEST = 2600  # pixels of that picture: a plan is looked at more coarsely
SHORTEST = 9.0  # points: a shorter run is part of a letter
PALE = 228  # grey value below which a pixel may be of a hairline that faded, between two clear rules
GRID = (3, 2)  # rules across and down that a page has, at least, on which hairlines are looked for
MEETS = 4.0  # points between the end of a pale rule and a clear one
RULE = 20.0  # points: a shorter rule is a letter's stroke or an underline of one
THICK = 4.5  # points: a thicker bar is a filled area
DRIFT = 0.012  # of the length: what a turned scan lets a rule climb
MANY = 220  # rules on one page: more is a drawing


@mechanism("ocr.scanned_rules", without=lambda source, _path: source)
def with_scanned_rules(source: Source, path: Path) -> Source:
    """Return the source with the rules, the drawings and the ink without words of its scanned pages."""
    scanned: dict[int, list[int]] = defaultdict(list)
    for page in source.pages:
        if page.trust == "ocr":
            scanned[min(WIDEST, round(page.width * FINE))].append(page.number)
    pages = list(source.pages)
    for width, numbers in scanned.items():
        for number, pixels in grey_pages(path, numbers, width):
            page = pages[number - 1]
            scale, level = page.width / pixels.shape[1], turned_back(pixels, page.turned)
            if not page.strokes:
                pictures = page.pictures + drawings_in(level, page.words, scale)
                page = replace(page, strokes=strokes_in(level, scale), pictures=pictures)
            ink = lost_ink(level, page.words, page.strokes, scale)
            pages[number - 1] = replace(page, ink=ink)
    return replace(source, pages=tuple(pages))


def strokes_in(pixels: Pixels, scale: float) -> tuple[Stroke, ...]:
    """Return the rules in a grey image as strokes; `scale` is points per pixel."""
    across, down = (_rules(pixels < DARK, scale, upright=upright) for upright in (False, True))
    if len(across) + len(down) > MANY:
        return ()
    if len(across) < GRID[0] or len(down) < GRID[1]:
        return (*across, *down)
    pale, upright = (_rules(pixels < PALE, scale, upright=upright) for upright in (False, True))
    if len(pale) + len(upright) > MANY:
        return (*across, *down)
    across += [one for one in pale if _links(one.x0, one.x1, one.y0, [(s.x0, s.y0, s.y1) for s in down])]
    down += [one for one in upright if _links(one.y0, one.y1, one.x0, [(s.y0, s.x0, s.x1) for s in across])]
    return (*across, *down)


def _links(start: float, end: float, at: float, others: Sequence[tuple[float, float, float]]) -> bool:
    """Tell whether a pale rule begins and ends on clear ones: each of `others` is (place, start, end)."""
    crossed = [place for place, first, last in others if first - MEETS <= at <= last + MEETS]
    return all(any(abs(edge - place) <= MEETS for place in crossed) for edge in (start, end))


def _rules(dark: Ink, scale: float, *, upright: bool) -> list[Stroke]:
    """Return the rules across (or down) a page, long thin sets of runs, as strokes without thickness."""
    along = dark.T if upright else dark
    padded = np.zeros((along.shape[0], along.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = along
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    long = ends - starts >= round(SHORTEST / scale)
    dashes = zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True)
    found = []
    for runs in _stacks(dashes, round(3 / scale)):
        start, end = min(r[1] for r in runs), max(r[2] for r in runs)
        top, bottom = min(r[0] for r in runs), max(r[0] for r in runs) + 1
        length = end - start
        thickness = sum(r[2] - r[1] for r in runs) / length
        thin = thickness * scale <= THICK and (bottom - top) * scale <= THICK + DRIFT * length * scale
        if length * scale >= RULE and thin:
            first, last, middle = start * scale, end * scale, (top * scale + bottom * scale) / 2
            place = (middle, first, middle, last) if upright else (first, middle, last, middle)
            found.append(Stroke(*place, "line"))
    return found


def _stacks(runs: Iterable[Run], gap: int) -> list[list[Run]]:
    """Return the runs joined to those of the rows just above that they touch or nearly touch."""
    stacks: list[list[Run]] = []
    near: list[list[Run]] = []
    for run in runs:
        near = [stack for stack in near if run[0] - stack[-1][0] <= gap]
        touching = [
            stack
            for stack in near
            if any(run[0] - r[0] <= 2 and run[1] <= r[2] + gap and run[2] >= r[1] - gap for r in stack[-4:])
        ]
        if not touching:
            near.append([run])
            stacks.append(near[-1])
            continue
        home, *others = touching
        for other in others:
            home.extend(other)
            home.sort()
            stacks = [stack for stack in stacks if stack is not other]
            near = [stack for stack in near if stack is not other]
        home.append(run)
    return stacks


COVERED = 0.3  # share of a place that words cover for it to be read
NAMED = 20  # places of one page that are named one by one
BESIDE = 24.0  # points between places of one line that are told as one
LEVEL = 0.5  # of the lower of two places that stand on one line
BELOW = 40.0  # points under the last clause of a page that may still be its text
DRAWN = (3.0, 4.0)  # points: the least width and height of what is drawn in a cell of a digital page


def lost_print(document: Document, source: Source, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each place of ink that was not read, but for those in a `known` doubt's box."""
    told = _by_page(problem.box for problem in known if problem.doubt and problem.box)
    shown = _by_page(
        box for kind in (document.figures, document.formulas) for one in kind for box in one.boxes
    )
    text = _by_page(box for c in document.clauses if c.kind != "front" for box in c.boxes)
    tables = grouped((at, table) for table in document.tables for at in {box.page for box in table.boxes})
    for page in source.pages:
        at = page.number
        if page.trust == "ocr" and page.ink:
            yield from _of_scan(page, tables[at], shown[at], text[at], told[at])
        elif page.trust == "digital" and at in tables:
            shapes: list[Picture | Stroke] = [*page.pictures, *(s for s in page.strokes if s.kind == "curve")]
            shapes = [s for s in shapes if s.x1 - s.x0 >= DRAWN[0] and s.y1 - s.y0 >= DRAWN[1]]
            empty = [
                (table.label, cell.box, place_of(page, cell.box))
                for table in tables[at]
                for cell in table.cells
                if cell.box.page == at and not cell.text.strip()
            ]
            for label, box, (x0, y0, x1, y1) in empty if shapes else ():
                if any(
                    x0 - 1 <= s.x0 and s.x1 <= x1 + 1 and y0 - 1 <= s.y0 and s.y1 <= y1 + 1 for s in shapes
                ):
                    message = f"A cell of {label} on page {at} holds a drawing and no text: "
                    yield Problem(message + "see it on the page.", at, box, doubt=True)


def _by_page(boxes: Iterable[Box]) -> dict[int, list[Box]]:
    return grouped((box.page, box) for box in boxes)


def _of_scan(
    page: PageContent, tables: Sequence[Table], shown: Sequence[Box], text: Sequence[Box], told: Sequence[Box]
) -> Iterator[Problem]:
    """Yield the doubts of a scanned page, with the boxes of figures, formulas, clauses and known doubts."""
    # of places that no word covers, of those found after the ink was looked at too
    boxes: dict[Area, Box] = {}
    for place in (Area(*place) for place in page.ink):
        shared = sum(
            max(0.0, min(place.x1, w.x1) - max(place.x0, w.x0))
            * max(0.0, min(place.y1, w.y1) - max(place.y0, w.y0))
            for w in page.words
        )
        box = box_of(page, place)
        if shared < COVERED * place.width * place.height and not any(in_box(box, one) for one in told):
            boxes[place] = box
    found: list[Problem] = []
    in_tables: set[Area] = set()
    for table in tables:
        mine = [place for place in boxes if any(in_box(boxes[place], box) for box in table.boxes)]
        in_tables |= set(mine)
        found += _in_table(table, page, mine)
    zone: Box | None = None  # the part of the page in which its clauses stand, and a little under the last
    if text:
        area = around(Area(*place_of(page, box)) for box in text)
        under = [w.y0 - 1 for w in page.words if w.y0 > area.y1]  # the page's foot
        zone = box_on(page, area.x0, area.y0, area.x1, max(min([area.y1 + BELOW, *under]), area.y1))
    free = [
        place
        for place, box in boxes.items()
        if place not in in_tables
        and not any(in_box(box, one) for one in shown)
        and zone
        and in_box(box, zone)
    ]
    for place in _lines(free):  # named by the word beside it
        level = [w for w in page.words if min(w.y1, place.y1) - max(w.y0, place.y0) > LEVEL * (w.y1 - w.y0)]
        near = min(level, key=lambda w: max(place.x0 - w.x1, w.x0 - place.x1), default=None)
        where = f"Beside ‘{_quoted(near.text)}’ on page {page.number}" if near else f"On page {page.number}"
        found.append(_doubt(f"{where} something is printed that was not read: ", box_of(page, place)))
    yield from found[:NAMED]
    if len(found) > NAMED:
        message = f"{len(found) - NAMED} more places of page {page.number} are printed and were not read."
        yield Problem(message, page.number, doubt=True)


def _doubt(message: str, box: Box) -> Problem:
    return Problem(f"{message}compare it with the image.", box.page, box, doubt=True)


def _quoted(text: str) -> str:
    return text.replace("”", '"').replace("“", '"')


def _in_table(table: Table, page: PageContent, places: Sequence[Area]) -> Iterator[Problem]:
    """Yield the doubts of a table: one for each cell, or line outside of the cells, with such places."""
    cells: dict[Cell, list[Area]] = defaultdict(list)
    outside: list[Area] = []
    for place in places:
        box = box_of(page, place)
        home = next((cell for cell in table.cells if in_box(box, cell.box)), None)
        (outside if home is None else cells[home]).append(place)
    at = f"{table.label} on page {page.number}"
    for cell, inside in cells.items():
        text = _quoted(" ".join(cell.text.split()))
        said = f"The cell “{text}”" if text else "A cell without text"
        yield _doubt(f"{said} of {at} holds print that was not read: ", box_of(page, around(inside)))
    for place in _lines(outside):
        yield _doubt(f"Something in {at} is printed that was not read: ", box_of(page, place))


def _lines(places: Sequence[Area]) -> list[Area]:
    """Return the places, those near each other on one line as one."""
    found: list[Area] = []
    for place in sorted(places, key=lambda p: (round((p.y0 + p.y1) / 2), p.x0)):
        for at, other in enumerate(found):
            level = min(other.y1, place.y1) - max(other.y0, place.y0)
            apart = max(other.x0, place.x0) - min(other.x1, place.x1)
            if level > LEVEL * min(other.height, place.height) and apart < BESIDE:
                found[at] = around([other, place])
                break
        else:
            found.append(place)
    return found
