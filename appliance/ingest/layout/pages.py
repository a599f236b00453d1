"""Pages as lines in reading order: turned ones upright, heads, watermarks and notes in the margin apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.core.mechanisms import mechanism
from appliance.ingest.formulas.text import with_fractions
from appliance.ingest.layout.columns import gutters_of, reading_order
from appliance.ingest.layout.lines import Segment, cut_at_edges, make_line, segments, side_runs
from appliance.ingest.layout.running_heads import margin_segments
from appliance.ingest.page import QUARTERS, Line, PageContent, PageLayout, Source, Word, around, level

NOTE_SMALL = 0.86  # of the type size of the running text
NOTE_NARROW = 0.25  # of the page's width
PROSE_LINES = 5  # lines of running text that make a measure
PROSE_WORDS = 4  # of such a line
PROSE_WIDE = 0.25  # of the page's width: idem
NOTE_CLEAR = 0.8  # ems between the text and a note at its side
NOTE_LEADING = 0.9  # ems between the lines of one note
NOTE_COLUMN = -1  # of the lines of such notes: no column of text

_WORD = re.compile(r"[^\W\d_]{3,}")


@mechanism(
    "layout.margin_notes",
    "Notes in the margin are set margin_notes_apart from the text.",
    without=lambda pieces, _page: (list(pieces), []),
)
def margin_notes_apart(pieces: Sequence[Segment], page: PageContent) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a page without its notes in the margin, and those notes.

    A note beside no line of text, nor by one that is, stays.
    """
    sizes: Counter[float] = Counter()
    styles: Counter[tuple[bool, int]] = Counter()  # slanting, colour
    for piece in pieces:
        sizes[round(piece.size * 2) / 2] += len(piece.words)
        styles[piece.words[0].italic, piece.words[0].colour] += len(piece.words)
    if not sizes:
        return [], []
    usual, style = sizes.most_common(1)[0][0], styles.most_common(1)[0][0]

    def other(piece: Segment) -> bool:
        return piece.size < NOTE_SMALL * usual or all((w.italic, w.colour) != style for w in piece.words)

    prose = [
        p
        for p in pieces
        if len(p.words) >= PROSE_WORDS and p.width >= PROSE_WIDE * page.width and not other(p)
    ]
    if len(prose) < PROSE_LINES or not any(map(other, pieces)):
        return list(pieces), []
    left = min(piece.x0 for piece in pieces if not other(piece))
    right = max(piece.x1 for piece in pieces if not other(piece))
    text = around(prose)
    rules = [s for s in page.strokes if s.y1 - s.y0 < 2 and text.y0 < s.y0 < text.y1]
    rules = [s for s in rules if min(s.x1, text.x1) - max(s.x0, text.x0) > 0]
    body: list[Segment] = []
    notes: list[Segment] = []
    for piece in pieces:
        clear = NOTE_CLEAR * piece.size
        outside = piece.x1 <= left - clear or piece.x0 >= right + clear
        told = outside and piece.width <= NOTE_NARROW * page.width and other(piece)
        told = told and any(_WORD.search(word.text) for word in piece.words)
        # a rule over or under both the segment and text beside it is one of a table
        ruled = told and any(s.x0 <= piece.x0 + 1 and s.x1 >= piece.x1 - 1 for s in rules)
        (notes if told and not ruled else body).append(piece)
    kept = [note for note in notes if any(line.y0 < note.y1 and note.y0 < line.y1 for line in prose)]
    rest = [note for note in notes if all(note is not one for one in kept)]
    while near := [note for note in rest if any(_adjoin(note, one) for one in kept)]:
        kept += near
        rest = [note for note in rest if all(note is not one for one in near)]
    return [*body, *rest], sorted(kept, key=lambda piece: (piece.y1, piece.x0))


def _adjoin(one: Segment, other: Segment) -> bool:
    """Tell whether two lines stand right under one another, whichever is the upper."""
    gap = max(one.y0, other.y0) - min(one.y1, other.y1)
    return gap < NOTE_LEADING * max(one.size, other.size) and one.x0 < other.x1 and other.x0 < one.x1


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
    way = max(letters, key=lambda one: letters[one], default=0)
    return way if way > 0 and counts[way] >= WORDS and 2 * letters[way] > letters.total() else 0


def faced(page: PageContent, way: int) -> PageContent:
    """Return the page turned so that the text that runs `way` (90, 180 or 270) is level."""
    width, height = (page.height, page.width) if way in QUARTERS else (page.width, page.height)
    return replace(
        page,
        width=width,
        height=height,
        words=tuple(turned_words(page, page.words, way)),
        strokes=tuple(level(stroke, way, page) for stroke in page.strokes),
        pictures=tuple(level(picture, way, page) for picture in page.pictures),
        turned=float(way),
    )


def turned_words(page: PageContent, words: Sequence[Word], way: int) -> list[Word]:
    """Return words of a page as they stand once the page is turned; a slanting one keeps having no way."""
    return [
        replace(
            level(word, way, page),
            upright=word.way == way,
            way=(word.way - way) % 360 if word.way or word.upright else 0,
        )
        for word in words
    ]


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
    split = [
        margin_notes_apart(cut_at_edges(pieces), sheet.page)
        for sheet, pieces in zip(sheets, body, strict=True)
    ]
    gutters = {  # those of turned pages and of the others apart
        turned: gutters_of(
            [
                (sheet.page, text)
                for sheet, (text, _) in zip(sheets, split, strict=True)
                if (sheet.page is not sheet.shown) is turned
            ]
        )
        for turned in (False, True)
    }
    layouts = []
    for n, (sheet, (text, notes)) in enumerate(zip(sheets, split, strict=True)):
        page, number = sheet.page, sheet.page.number
        lines: list[Line] = []
        for block in reading_order(text, page, gutters[page is not sheet.shown]):
            lines += [make_line(number, block.column, row) for row in _rows(block.pieces)]
        lines += [make_line(number, NOTE_COLUMN, [piece]) for piece in notes]
        side = _left(sheet.side, 2 * n + 1, margins)
        lines += [make_line(number, 0, [piece], upright=False) for piece in side]
        heads = _left(sheet.level, 2 * n, margins, inside=True)
        tabs = _left(sheet.side, 2 * n + 1, margins, inside=True)
        outside = [make_line(number, 0, [piece]) for piece in heads]
        outside += [make_line(number, 0, [piece], upright=False) for piece in tabs]
        layouts.append(PageLayout(page, tuple(lines), tuple(outside)))
    return tuple(layouts)


def _sheet(page: PageContent) -> _Sheet:
    words = _once(page.words)
    if page.trust == "digital":
        words = with_fractions(words, page.strokes)
    way = 0 if page.turned else way_of(words)
    upright = segments(word for word in words if word.upright)
    side = side_runs([word for word in words if not word.upright and not (way and word.way == way)])
    if not way:
        return _Sheet(page, page, upright, side, side)
    across = upright + side
    turned = [Segment.of(turned_words(page, piece.words, way), piece.size) for piece in across]
    along = turned_words(page, [word for word in words if word.way == way], way)
    return _Sheet(page, faced(page, way), segments(along), turned, across)


def _left(
    pieces: Sequence[Segment], part: int, margins: set[tuple[int, int]], *, inside: bool = False
) -> list[Segment]:
    """Return the segments of one part that are of the body or, `inside`, of the margins."""
    return [piece for at, piece in enumerate(pieces) if ((part, at) in margins) is inside]


def _once(words: Sequence[Word]) -> list[Word]:
    """Drop words printed again at their place (fake bold, shadows, knocked-out watermarks)."""
    seen: dict[tuple[str, int, int], list[Word]] = defaultdict(list)
    kept: list[Word] = []
    for word in words:
        x, y = int(word.x0 // CELL), int(word.y1 // CELL)
        near = ((word.text, x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        twins = (twin for cell in near if cell in seen for twin in seen[cell])
        if any(
            max(abs(word.x0 - twin.x0), abs(word.y1 - twin.y1)) < min(0.25 * min(word.size, twin.size), CELL)
            for twin in twins
        ):
            continue
        seen[word.text, x, y].append(word)
        kept.append(word)
    return kept


def _rows(pieces: Sequence[Segment]) -> list[list[Segment]]:
    """Return the segments of a block by their baselines, each beside all others of its row."""
    rows: list[list[Segment]] = []
    for piece in sorted(pieces, key=lambda p: (p.y1, p.x0)):
        for row in reversed(rows[-4:]):
            near = min(row, key=lambda p: min(abs(p.x1 - piece.x0), abs(p.x0 - piece.x1)))
            base = abs((near.y1 - 0.22 * near.size) - (piece.y1 - 0.22 * piece.size))
            beside = all(piece.x0 > other.x1 - 1 or piece.x1 < other.x0 + 1 for other in row)
            if beside and base < 0.35 * min(near.size, piece.size):
                row.append(piece)
                break
        else:
            rows.append([piece])
    return [sorted(row, key=lambda p: p.x0) for row in rows]
