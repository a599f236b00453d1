"""Pages as lines in reading order, turned pages upright, running heads and watermarks set apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.core.mechanisms import mechanism
from appliance.ingest.formulas.text import with_fractions
from appliance.ingest.layout.columns import Block, Gutters, gutters_of, reading_order
from appliance.ingest.layout.lines import Segment, cut_at_edges, make_line, segments, side_runs
from appliance.ingest.layout.margin_notes import COLUMN, apart
from appliance.ingest.layout.running_heads import margin_segments
from appliance.ingest.page import (
    QUARTERS,
    Line,
    PageContent,
    PageLayout,
    Placed,
    Source,
    Word,
    levelled,
)

WORDS = 5  # of a page that is turned, at least: a few along a drawing turn no page


@mechanism("layout.turned_pages", "A page that was printed sideways is read upright.", without=lambda *_: 0)
def way_of(words: Sequence[Word]) -> int:
    """Return the way that most characters run, 0 where that is level or nothing tells."""
    letters: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    for word in words:
        way = word.way if word.way or word.upright else -1  # a slanting word has none
        letters[way] += len(word.text)
        counts[way] += 1
    if not letters:
        return 0
    way = max(letters, key=lambda one: letters[one])
    turned = way > 0 and counts[way] >= WORDS and 2 * letters[way] > letters.total()
    return way if turned else 0


def faced(page: PageContent, way: int) -> PageContent:
    """Return the page turned so that the text that runs `way` (90, 180 or 270) is level."""
    width, height = (page.height, page.width) if way in QUARTERS else (page.width, page.height)
    return replace(
        page,
        width=width,
        height=height,
        words=turned_words(page, page.words, way),
        strokes=tuple(_level(stroke, page, way) for stroke in page.strokes),
        pictures=tuple(_level(picture, page, way) for picture in page.pictures),
        turned=float(way),
    )


def turned_words(page: PageContent, words: Sequence[Word], way: int) -> tuple[Word, ...]:
    """Return words of a page as they stand once the page is turned."""
    return tuple(
        replace(
            _level(word, page, way), upright=word.way == way, way=0 if word.way == way else _other(word, way)
        )
        for word in words
    )


def _other(word: Word, way: int) -> int:
    """Return how a word runs on the turned page; a slanting one keeps having no way."""
    return (word.way - way) % 360 if word.way or word.upright else 0


def _level(item: Placed, page: PageContent, way: int) -> Placed:
    x0, y0, x1, y1 = levelled(way, page.width, page.height, (item.x0, item.y0, item.x1, item.y1))
    return replace(item, x0=x0, y0=y0, x1=x1, y1=y1)


CELL = 8.0  # points: words at one place are looked for this far apart at most


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A page as shown and as read, the same where its text is level.

    `level` are the segments that are level as read, `side` the others, both in points of `page`;
    `across` are those of `side` in points of `shown`.
    """

    shown: PageContent
    page: PageContent
    level: list[Segment]
    side: list[Segment]
    across: list[Segment]


def arrange(source: Source) -> tuple[PageLayout, ...]:
    """Return every page with its body lines in reading order."""
    sheets = [_sheet(page) for page in source.pages]
    marked = [part for s in sheets for part in ((s.page, s.level), (s.shown, s.across))]
    margins = margin_segments(marked) if source.heads else set[tuple[int, int]]()
    body = [_left(sheet.level, 2 * n, margins) for n, sheet in enumerate(sheets)]
    split = [apart(cut_at_edges(level), sheet.page) for sheet, level in zip(sheets, body, strict=True)]
    pieces = [text for text, _ in split]
    gutters = {turned: _gutters(sheets, pieces, turned=turned) for turned in (False, True)}
    layouts = []
    for n, sheet in enumerate(sheets):
        shared = gutters[sheet.page is not sheet.shown]
        lines = _lines(sheet.page, reading_order(pieces[n], sheet.page, shared))
        lines += [make_line(sheet.page.number, COLUMN, [piece]) for piece in split[n][1]]
        lines += _single(sheet.page, _left(sheet.side, 2 * n + 1, margins), upright=False)
        outside = _single(sheet.page, _left(sheet.level, 2 * n, margins, inside=True), upright=True)
        outside += _single(sheet.page, _left(sheet.side, 2 * n + 1, margins, inside=True), upright=False)
        layouts.append(PageLayout(sheet.page, tuple(lines), tuple(outside)))
    return tuple(layouts)


def _sheet(page: PageContent) -> _Sheet:
    words = _once(page.words)
    if page.trust == "digital":
        words = with_fractions(words, page.strokes)
    way = 0 if page.turned else way_of(words)
    if not way:
        side = side_runs([word for word in words if not word.upright])
        return _Sheet(page, page, segments(word for word in words if word.upright), side, side)
    others = [word for word in words if not word.upright and word.way != way]
    across = segments(word for word in words if word.upright) + side_runs(others)
    along = [word for word in words if word.way == way]
    level = segments(turned_words(page, along, way))
    return _Sheet(page, faced(page, way), level, [_turned(page, one, way) for one in across], across)


def _turned(page: PageContent, piece: Segment, way: int) -> Segment:
    """Return a segment of the page as shown where it stands on the page as read."""
    words = list(turned_words(page, piece.words, way))
    x0, y0 = min(word.x0 for word in words), min(word.y0 for word in words)
    return Segment(words, x0, y0, max(word.x1 for word in words), max(word.y1 for word in words), piece.size)


def _left(
    pieces: Sequence[Segment], part: int, margins: set[tuple[int, int]], *, inside: bool = False
) -> list[Segment]:
    """Return the segments of one part that are of the body or, `inside`, of the margins."""
    return [piece for at, piece in enumerate(pieces) if ((part, at) in margins) is inside]


def _gutters(sheets: Sequence[_Sheet], pieces: Sequence[list[Segment]], *, turned: bool) -> Gutters:
    """Return the gutters of the document, those of its turned pages and of the others apart."""
    pairs = zip(sheets, pieces, strict=True)
    return gutters_of([(s.page, p) for s, p in pairs if (s.page is not s.shown) is turned])


def _once(words: Sequence[Word]) -> list[Word]:
    """Drop words printed again at their place (fake bold, shadows, knocked-out watermarks)."""
    seen: dict[tuple[str, int, int], list[Word]] = {}
    kept: list[Word] = []
    for word in words:
        x, y = int(word.x0 // CELL), int(word.y1 // CELL)
        around = ((word.text, x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        if any(_same_place(word, twin) for cell in around for twin in seen.get(cell, ())):
            continue
        seen.setdefault((word.text, x, y), []).append(word)
        kept.append(word)
    return kept


def _same_place(one: Word, other: Word) -> bool:
    reach = min(0.25 * min(one.size, other.size), CELL)
    return abs(one.x0 - other.x0) < reach and abs(one.y1 - other.y1) < reach


def _lines(page: PageContent, blocks: Sequence[Block]) -> list[Line]:
    """Return the lines of the blocks: segments of one baseline in one block are one line."""
    lines: list[Line] = []
    for block in blocks:
        rows: list[list[Segment]] = []
        for piece in sorted(block.pieces, key=lambda p: (p.y1, p.x0)):
            home = next((row for row in reversed(rows[-4:]) if _one_row(row, piece)), None)
            if home is None:
                rows.append([piece])
            else:
                home.append(piece)
        for row in rows:
            row.sort(key=lambda p: p.x0)
            lines.append(make_line(page.number, block.column, row))
    return lines


def _one_row(row: list[Segment], piece: Segment) -> bool:
    """Tell whether the segment stands on the row's baseline, beside all of its segments."""
    near = min(row, key=lambda p: min(abs(p.x1 - piece.x0), abs(p.x0 - piece.x1)))
    base = abs((near.y1 - 0.22 * near.size) - (piece.y1 - 0.22 * piece.size))
    apart = all(piece.x0 > other.x1 - 1 or piece.x1 < other.x0 + 1 for other in row)
    return apart and base < 0.35 * min(near.size, piece.size)


def _single(page: PageContent, pieces: Sequence[Segment], *, upright: bool) -> list[Line]:
    return [make_line(page.number, 0, [piece], upright=upright) for piece in pieces]
