"""What is only in the picture of a scanned page: rules as strokes, drawings, places of tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from appliance.core.mechanisms import mechanism
from appliance.ingest.ocr.lost_print import lost_ink
from appliance.ingest.ocr.recognise import turned_back
from appliance.ingest.page import PageContent, Picture, Source, Stroke, Word
from appliance.ingest.pdf.rendering import grey_pages

ScannedDrawingsPixels = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.bool_]

SCANNED_DRAWINGS_DARK = 150  # grey value below which a pixel is ink
CELL = 4.0  # points: the side of a cell
INKED = 0.05  # share of a cell's pixels that makes it dark: a hair line through it does
BLOT = 2.0  # points around a word that may be its own ink
REACH = 2  # cells between parts of one drawing, at most: dashes, arrow heads
LARGE, SLIM = 44.0, 14.0  # points: longer and shorter side of a drawing, at least
MARGIN = 0.03  # of the page: the shadow of its edge, no drawing


def drawings_in(pixels: ScannedDrawingsPixels, words: Sequence[Word], scale: float) -> tuple[Picture, ...]:
    """Return the drawings of a grey page image; `scale` is points per pixel."""
    dark = _blotted(pixels < SCANNED_DRAWINGS_DARK, words, scale)
    side = max(1, round(CELL / scale))
    pieces = _joined(_cells(dark, side))
    unit = side * scale
    width, height = pixels.shape[1] * scale, pixels.shape[0] * scale
    found = [Picture(x0 * unit, y0 * unit, x1 * unit, y1 * unit) for x0, y0, x1, y1 in pieces]
    return tuple(p for p in found if _is_large(p) and not _is_edge(p, width, height))


def _blotted(dark: Cells, words: Iterable[Word], scale: float) -> Cells:
    """Return the ink without that of the words."""
    left = dark.copy()
    for word in words:
        x0, y0, x1, y1 = (
            round(value / scale) for value in (word.x0 - BLOT, word.y0 - BLOT, word.x1 + BLOT, word.y1 + BLOT)
        )
        left[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = False
    return left


def _cells(dark: Cells, side: int) -> Cells:
    """Return which cells of the page hold ink."""
    rows, columns = dark.shape[0] // side, dark.shape[1] // side
    blocks = dark[: rows * side, : columns * side].reshape(rows, side, columns, side)
    inked: Cells = blocks.sum(axis=(1, 3)) >= max(1.0, INKED * side * side)
    return inked


def _joined(cells: Cells) -> list[tuple[int, int, int, int]]:
    """Return (x0, y0, x1, y1) in cells of the ink that hangs together."""
    left = set(zip(*map(np.ndarray.tolist, np.nonzero(cells)), strict=True))
    steps = [(y, x) for y in range(-REACH, REACH + 1) for x in range(-REACH, REACH + 1) if y or x]
    pieces = []
    while left:
        waiting = [left.pop()]
        piece = []
        while waiting:
            y, x = waiting.pop()
            piece.append((y, x))
            near = {(y + down, x + across) for down, across in steps} & left
            left -= near
            waiting += near
        down, across = [y for y, _ in piece], [x for _, x in piece]
        pieces.append((min(across), min(down), max(across) + 1, max(down) + 1))
    return pieces


def _is_large(picture: Picture) -> bool:
    sides = sorted((picture.x1 - picture.x0, picture.y1 - picture.y0))
    return sides[0] >= SLIM and sides[1] >= LARGE


def _is_edge(picture: Picture, width: float, height: float) -> bool:
    """Tell whether it stands at the edge of the sheet alone."""
    across = picture.x1 < MARGIN * width or picture.x0 > (1 - MARGIN) * width
    return across or picture.y1 < MARGIN * height or picture.y0 > (1 - MARGIN) * height


Pixels = npt.NDArray[np.uint8]
Run = tuple[int, int, int]  # row, first pixel, pixel after the last

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


@mechanism(
    "ocr.scanned_rules",
    "Rules are read from the picture of a scanned page.",
    without=lambda source, _path: source,
)
def with_scanned_rules(source: Source, path: Path) -> Source:
    """Return the source with the rules, the drawings and the ink without words of its scanned pages."""
    scanned: dict[int, list[int]] = defaultdict(list)
    for page in source.pages:
        if page.trust == "ocr":
            scanned[min(WIDEST, round(page.width * FINE))].append(page.number)
    ruled = {
        number: _ruled(source.pages[number - 1], pixels)
        for width, numbers in scanned.items()
        for number, pixels in grey_pages(path, numbers, width)
    }
    return replace(source, pages=tuple(ruled.get(page.number, page) for page in source.pages))


def _ruled(page: PageContent, pixels: Pixels) -> PageContent:
    scale = page.width / pixels.shape[1]
    level = turned_back(pixels, page.turned)
    if page.strokes:
        return replace(page, ink=lost_ink(level, page.words, page.strokes, scale))
    drawings, strokes = drawings_in(level, page.words, scale), strokes_in(level, scale)
    ink = lost_ink(level, page.words, strokes, scale)
    return replace(page, strokes=strokes, pictures=page.pictures + drawings, ink=ink)


def strokes_in(pixels: Pixels, scale: float) -> tuple[Stroke, ...]:
    """Return the rules in a grey image as strokes; `scale` is points per pixel."""
    across, down = _both_ways(pixels < DARK, scale)
    if len(across) + len(down) > MANY:
        return ()
    if len(across) < GRID[0] or len(down) < GRID[1]:
        return (*across, *down)
    pale, upright = _both_ways(pixels < PALE, scale)
    if len(pale) + len(upright) > MANY:
        return (*across, *down)
    across += [one for one in pale if _links(one.x0, one.x1, one.y0, [(s.x0, s.y0, s.y1) for s in down])]
    down += [one for one in upright if _links(one.y0, one.y1, one.x0, [(s.y0, s.x0, s.x1) for s in across])]
    return (*across, *down)


def _both_ways(dark: npt.NDArray[np.bool_], scale: float) -> tuple[list[Stroke], list[Stroke]]:
    """Return the rules across and down the page."""
    across = [_stroke(run, scale, upright=False) for run in _rules(dark, scale)]
    return across, [_stroke(run, scale, upright=True) for run in _rules(dark.T, scale)]


def _links(start: float, end: float, at: float, others: Sequence[tuple[float, float, float]]) -> bool:
    """Tell whether a pale rule begins and ends on clear ones: each of `others` is (place, start, end)."""
    crossed = [place for place, first, last in others if first - MEETS <= at <= last + MEETS]
    return all(any(abs(edge - place) <= MEETS for place in crossed) for edge in (start, end))


def _stroke(area: tuple[float, float, float, float], scale: float, *, upright: bool) -> Stroke:
    """Return a rule as a stroke without thickness, at the middle of its dark pixels."""
    top, bottom, start, end = (value * scale for value in area)
    middle = (top + bottom) / 2
    if upright:
        return Stroke(middle, start, middle, end, "line")
    return Stroke(start, middle, end, middle, "line")


def _rules(dark: npt.NDArray[np.bool_], scale: float) -> list[tuple[float, float, float, float]]:
    """Return (top, bottom, start, end) in pixels of each long thin set of runs."""
    found = []
    for runs in _stacks(_runs(dark, round(SHORTEST / scale)), round(3 / scale)):
        start, end = min(r[1] for r in runs), max(r[2] for r in runs)
        top, bottom = min(r[0] for r in runs), max(r[0] for r in runs) + 1
        length = end - start
        thickness = sum(r[2] - r[1] for r in runs) / length
        thin = thickness * scale <= THICK and (bottom - top) * scale <= THICK + DRIFT * length * scale
        if length * scale >= RULE and thin:
            found.append((float(top), float(bottom), float(start), float(end)))
    return found


def _runs(dark: npt.NDArray[np.bool_], shortest: int) -> list[Run]:
    """Return the runs of dark pixels of each row that are long enough, row by row."""
    padded = np.zeros((dark.shape[0], dark.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = dark
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    long = ends - starts >= shortest
    return list(zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True))


def _stacks(runs: Iterable[Run], gap: int) -> list[list[Run]]:
    """Return the runs joined to those of the rows just above that they touch or nearly touch."""
    stacks: list[list[Run]] = []
    open_stacks: list[list[Run]] = []
    for run in runs:
        open_stacks = [s for s in open_stacks if run[0] - s[-1][0] <= gap]
        touching = [s for s in open_stacks if any(_touch(run, r, gap) for r in s[-4:])]
        if not touching:
            stack = [run]
            stacks.append(stack)
            open_stacks.append(stack)
            continue
        home = touching[0]
        for other in touching[1:]:
            home.extend(other)
            home.sort()
            stacks = [s for s in stacks if s is not other]
            open_stacks = [s for s in open_stacks if s is not other]
        home.append(run)
    return stacks


def _touch(one: Run, other: Run, gap: int) -> bool:
    return one[0] - other[0] <= 2 and one[1] <= other[2] + gap and one[2] >= other[1] - gap
