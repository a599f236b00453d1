"""Tables of scanned pages read a second time from their pictures."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from appliance.core.document import Problem, Table
from appliance.core.settings import IngestSettings
from appliance.ingest.geometry import Area, Rule, ruling
from appliance.ingest.ocr.pages import INCH, Recognised, Waiting
from appliance.ingest.ocr.process import START_SECONDS, Pixels, ReadFailed, Recogniser, Unavailable
from appliance.ingest.ocr.recognise import FONT, turned_back, words_in
from appliance.ingest.ocr.scans import core_of
from appliance.ingest.ocr.table_witness import Doubt, agreed
from appliance.ingest.page import PageContent, Source, box_on, place_of
from appliance.ingest.pdf.rendering import grey_pages
from appliance.ingest.tables.doubts import broken_cells

INK = 150  # grey value below which a pixel is ink
AROUND = 3.0  # points around words and rules whose ink is theirs
LOST = 0.2  # of the usual ink of a word of the table: so much without a word is a lost figure at least
MARGIN = 4.0  # points around a table
DOUBTS = 30  # of one page that are named one by one
STRAIGHT = 45.0  # degrees: a page turned further is not read again
_NO_TIME = "The time for it was over: raise ingest.ocr_tables_seconds in the settings file, then build again."

Ink = npt.NDArray[np.bool_]


def with_tables_read_again(
    source: Source,
    path: Path,
    tables: Sequence[Table],
    limits: IngestSettings,
    *,
    drawn: Mapping[int, Sequence[Area]] = MappingProxyType({}),
    names: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    waiting: Waiting = lambda _: None,
    recogniser: Recogniser | None = None,
) -> Recognised:
    """Return the source with what the layers of scanned pages lost of their tables, and what is doubtful.

    `drawn` are areas by page in which tables may stand that none of `tables` is, `names` the words that
    begin captions; `waiting` is told how many seconds the reading may take before it begins.
    """
    wanted = _wanted(source, tables, drawn)
    if not wanted or not limits.ocr_tables_seconds:
        return Recognised(source)
    run = _Run(path, limits, names, frozenset(area for areas in drawn.values() for area in areas))
    suspects = {number: areas for number, areas in run.suspects(source, tables, wanted).items() if areas}
    if not suspects:
        return Recognised(source)
    most = min(limits.ocr_tables_seconds, len(suspects) * limits.ocr_seconds_per_page)
    waiting(START_SECONDS + most + limits.ocr_seconds_per_page)  # the last one may begin just in time
    with recogniser or Recogniser(limits) as reader:
        pages = run.pages(source, suspects, reader)
    merged = tuple(pages.get(page.number, page) for page in source.pages)
    return Recognised(replace(source, pages=merged), tuple(run.problems))


def _wanted(
    source: Source, tables: Sequence[Table], drawn: Mapping[int, Sequence[Area]]
) -> dict[int, list[tuple[Table | None, Area]]]:
    """Return the tables of scanned pages by page, with their areas; not those that were read before.

    What may be a table has none, and stands for those that are found in it.
    """
    found: dict[int, list[tuple[Table | None, Area]]] = defaultdict(list)
    scanned = {page.number: page for page in source.pages if _has_a_layer(page)}
    for number, areas in drawn.items():
        if number in scanned:
            found[number] += [(None, area) for area in areas]
    for table in tables:
        for box in table.boxes:
            if (page := scanned.get(box.page)) is not None:
                area = Area(*place_of(page, box))
                middle = ((area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2)
                if table.captioned or not any(other.holds(*middle) for other in drawn.get(box.page, ())):
                    found[box.page].append((table, area))
    return dict(found)


def _has_a_layer(page: PageContent) -> bool:
    own = any(word.font == FONT for word in page.words)
    return page.trust == "ocr" and not own and abs(page.turned) < STRAIGHT


@dataclass(slots=True)
class _Run:
    """The second reading of one document's tables, and what there is to say of it."""

    path: Path
    limits: IngestSettings
    names: Mapping[str, tuple[str, ...]]
    drawn: frozenset[Area] = frozenset()
    problems: list[Problem] = field(default_factory=list)

    def suspects(
        self,
        source: Source,
        tables: Sequence[Table],
        wanted: Mapping[int, Sequence[tuple[Table | None, Area]]],
    ) -> dict[int, list[Area]]:
        """Return the areas of tables of which the layer may have lost something, by page."""
        broken = {id(table) for table in tables if any(True for _ in broken_cells(table))}
        found: dict[int, list[Area]] = {}
        for number, items in wanted.items():
            if (pixels := self._pixels(source.pages[number - 1])) is not None:
                page = source.pages[number - 1]
                found[number] = [
                    area
                    for table, area in items
                    if _is_level(page, area) and (id(table) in broken or _has_lost(page, area, pixels))
                ]
        return found

    def pages(
        self, source: Source, suspects: Mapping[int, Sequence[Area]], reader: Recogniser
    ) -> dict[int, PageContent]:
        """Return the pages with the tables that could be read again."""
        found: dict[int, PageContent] = {}
        end = time.monotonic() + self.limits.ocr_tables_seconds
        for number, areas in suspects.items():
            if time.monotonic() > end:
                self.problems.append(_not_compared(suspects.keys() - found.keys(), _NO_TIME, passing=False))
                return found
            page = source.pages[number - 1]
            doubts: list[Doubt] = []
            try:
                for area in areas:
                    page, told = self._read(page, area, reader)
                    doubts += told
            except Unavailable as reason:
                left = suspects.keys() - found.keys()
                self.problems.append(_not_compared(left, str(reason), passing=reason.passing))
                return found
            except (ReadFailed, OSError, ValueError, MemoryError) as error:
                passing = getattr(error, "passing", False)
                message = f"A table of page {number} was not read a second time: {error}."
                self.problems.append(Problem(message, number, passing=passing))
            self.problems += _problems(page, doubts)
            found[number] = page
        return found

    def _read(
        self, page: PageContent, area: Area, reader: Recogniser
    ) -> tuple[PageContent, tuple[Doubt, ...]]:
        """Return the page with both readings of one table joined."""
        pixels = self._pixels(page)
        if pixels is None:
            return page, ()
        scale = page.width / pixels.shape[1]
        wide = Area(area.x0 - MARGIN, area.y0 - MARGIN, area.x1 + MARGIN, area.y1 + MARGIN)
        cut = _cut(pixels, wide, scale)
        left, top = max(0.0, wide.x0), max(0.0, wide.y0)
        read = [
            (replace(w, x0=w.x0 + left, x1=w.x1 + left, y0=w.y0 + top, y1=w.y1 + top), score)
            for w, score in words_in(reader.read(cut), cut, scale)
        ]
        layer = [word for word in page.words if wide.holds_middle(word)]
        core = core_of(area) if area in self.drawn else wide
        both = [
            agreed(
                [word for word in layer if core.holds_middle(word) == inner],
                [pair for pair in read if core.holds_middle(pair[0]) == inner],
                _upright(page),
                self.names,
            )
            for inner in (True, False)
        ]
        found = [word for part in both for word in part.words]
        stand, known = {id(word) for word in found}, {id(word) for word in layer}
        words = [word for word in page.words if id(word) not in known or id(word) in stand]
        new = [word for word in found if id(word) not in known]
        return replace(page, words=(*words, *new)), tuple(doubt for part in both for doubt in part.doubts)

    def _pixels(self, page: PageContent) -> Pixels | None:
        """Return the page's picture, straight; None where it cannot be drawn."""
        width = max(1, round(page.width / INCH * self.limits.ocr_dots_per_inch))
        for _, pixels in grey_pages(self.path, [page.number], width):
            return turned_back(pixels, page.turned)
        return None


def _cut(pixels: Pixels, area: Area, scale: float) -> Pixels:
    rows = slice(max(0, round(area.y0 / scale)), max(0, round(area.y1 / scale)))
    return pixels[rows, max(0, round(area.x0 / scale)) : max(0, round(area.x1 / scale))]


def _is_level(page: PageContent, area: Area) -> bool:
    """Tell whether most words of an area run from left to right."""
    words = [word for word in page.words if area.holds_middle(word)]
    return 2 * sum(word.upright for word in words) > len(words)


def _has_lost(page: PageContent, area: Area, pixels: Pixels) -> bool:
    """Tell whether the area holds the ink of a word where the layer has none."""
    scale = page.width / pixels.shape[1]
    dark = np.array(_cut(pixels, area, scale) < INK)
    boxes = [
        Area(w.x0 - area.x0, w.y0 - area.y0, w.x1 - area.x0, w.y1 - area.y0)
        for w in page.words
        if area.holds_middle(w)
    ]
    usual = [int(_part(dark, box, scale).sum()) for box in boxes]
    for box in (*boxes, *_rules(page, area)):
        grown = Area(box.x0 - AROUND, box.y0 - AROUND, box.x1 + AROUND, box.y1 + AROUND)
        _part(dark, grown, scale)[:] = False
    return bool(usual) and int(dark.sum()) > LOST * float(np.median(usual))


def _part(dark: Ink, box: Area, scale: float) -> Ink:
    rows = slice(max(0, int(box.y0 / scale)), max(0, int(box.y1 / scale) + 1))
    return dark[rows, max(0, int(box.x0 / scale)) : max(0, int(box.x1 / scale) + 1)]


def _rules(page: PageContent, area: Area) -> list[Area]:
    """Return the rules of the page as areas from the corner of an area."""
    return [Area(s.x0 - area.x0, s.y0 - area.y0, s.x1 - area.x0, s.y1 - area.y0) for s in page.strokes]


def _upright(page: PageContent) -> tuple[Rule, ...]:
    return ruling(page.strokes).vertical


def _problems(page: PageContent, doubts: Sequence[Doubt]) -> list[Problem]:
    """Return a problem with its box for each number that only one reading has."""
    found = []
    for doubt in doubts[:DOUBTS]:
        said = _named(doubt.said)
        box = box_on(page, doubt.area.x0, doubt.area.y0, doubt.area.x1, doubt.area.y1)
        if not doubt.said:
            message = (
                f"The text layer of a table of page {page.number} is garbled; it was read from the picture: "
            )
            found.append(Problem(message + "compare it with the image.", page.number, box, doubt=True))
            continue
        other = (
            f"the other reading is {_named(doubt.other, '‘’')}" if doubt.other else "the text layer lacks it"
        )
        message = f"{said} in a table of page {page.number} was read with doubt, {other}: "
        found.append(Problem(message + "compare it with the image.", page.number, box, doubt=True))
    if len(doubts) > DOUBTS:
        message = f"{len(doubts) - DOUBTS} more numbers in tables of page {page.number} were read with doubt."
        found.append(Problem(message, page.number, doubt=True))
    return found


def _named(text: str, quotes: str = "“”") -> str:
    plain = "".join(" " if sign in "“”‘’" else sign for sign in text)
    return f"{quotes[0]}{plain}{quotes[1]}"


def _not_compared(left: Collection[int], reason: str, *, passing: bool) -> Problem:
    pages = ", ".join(str(number) for number in sorted(left))
    message = f"Tables of scanned pages were not read a second time (pages {pages}). {reason}"
    return Problem(message, min(left), passing=passing)
