"""Pages as lines in reading order: turned ones upright, columns, heads and notes in the margin told apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from appliance.core.mechanisms import mechanism
from appliance.ingest.formulas.text import with_fractions
from appliance.ingest.layout.lines import Segment, cut_at_edges, make_line, segments, side_runs
from appliance.ingest.layout.running_heads import margin_segments
from appliance.ingest.page import QUARTERS, Line, PageContent, PageLayout, Source, Stroke, Word, around, level

NOTE_SMALL = 0.86  # of the type size of the running text
NOTE_NARROW = 0.25  # of the page's width
PROSE_LINES = 5  # lines of running text that make a measure
PROSE_WORDS = 4  # of such a line
PROSE_WIDE = 0.25  # of the page's width: idem
NOTE_CLEAR = 0.8  # ems between the text and a note at its side
NOTE_LEADING = 0.9  # ems between the lines of one note
NOTE_COLUMN = -1  # of the lines of such notes: no column of text

_WORD = re.compile(r"[^\W\d_]{3,}")


@mechanism("layout.margin_notes", without=lambda pieces, _page: (list(pieces), []))
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


@mechanism("layout.turned_pages", without=lambda *_: 0)
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
    seen: dict[str, dict[tuple[int, int], list[Word]]] = defaultdict(lambda: defaultdict(list))
    kept: list[Word] = []
    for word in words:
        alike, x, y = seen[word.text], int(word.x0 // CELL), int(word.y1 // CELL)
        near = ((x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)) if alike else ()
        twins = (twin for cell in near if cell in alike for twin in alike[cell])
        if any(
            max(abs(word.x0 - twin.x0), abs(word.y1 - twin.y1)) < min(0.25 * min(word.size, twin.size), CELL)
            for twin in twins
        ):
            continue
        alike[x, y].append(word)
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


CLEAR = 0.7  # type sizes: width of a strip between columns, at the least
GAP = 0.45  # type sizes between two lines: more than leading
LEVEL = 0.5  # of the lines behind a gap on a side: so many begin level in a table, in columns by chance
ROWS = 3  # such lines, at the least
LEVEL_SAME = 0.25  # type sizes between two lines that begin level


def _is_level(left: Sequence[Segment], right: Sequence[Segment], size: float) -> bool:
    """Tell whether lines behind a gap begin level on both sides, as the rows of a table do."""
    starts: list[list[float]] = []
    for side in (left, right):
        lines: list[tuple[float, float]] = []  # top and bottom, downwards; segments side by side are one
        for piece in sorted(side, key=lambda p: (p.y0 + p.y1) / 2):
            if lines and (piece.y0 + piece.y1) / 2 < lines[-1][1]:
                lines[-1] = (min(lines[-1][0], piece.y0), max(lines[-1][1], piece.y1))
            else:
                lines.append((piece.y0, piece.y1))
        starts.append([other[0] for one, other in pairwise(lines) if other[0] - one[1] > GAP * size])
    together = [y for y in starts[0] if any(abs(y - other) < LEVEL_SAME * size for other in starts[1])]
    return len(together) >= ROWS and len(together) > LEVEL * min(len(side) for side in starts)


WIDE = 0.2  # of the page's width: a segment of running text in a column is at least so wide
SEGMENT_WORDS = 3  # a segment of running text has at least so many words
PAIRS = 400  # pairs of segments that vote for a gutter; of more, every so many
RULES = 3  # horizontal rules across a gutter that make its run a table
CROSSED = 0.2  # of a page's segments may cross a shared gutter (wide tables, figures)
BAND = 30.0  # points: what is drawn and shorter is no band over a cell
WHOLE = 0.92  # of the text's width: a rule over so much of it parts the page into bands
KNOWN = 2  # lines of running text on each side of a gutter that is proven elsewhere
BESIDE = 3.0  # points from a gutter to the right column, where the left one is wide
FILLS = 3  # lines of text under the end of the right column that fill the left one
FILLED = 0.2  # of the left column's width that such a line may leave white before the gutter
BANDS = 8  # such rules of a page; of more, they are those of a table
SHARED = 0.3  # of the pages: a gutter found on so many is the document's
SAME = 12.0  # points between two gutters that are one


@dataclass(frozen=True, slots=True)
class Block:
    """Segments to be read one below the other; column 0 spans the page."""

    column: int
    pieces: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Gutters:
    """Gutters of a document, x in points: those that its pages share, and those that one page proves."""

    shared: tuple[float, ...] = ()
    proven: tuple[float, ...] = ()


NONE = Gutters()


def gutters_of(pages: Sequence[tuple[PageContent, Sequence[Segment]]]) -> Gutters:
    """Return the gutters that the document's pages share or prove."""
    votes: list[float] = []
    proven: list[float] = []
    for page, pieces in pages:
        x = _best_gutter(pieces, page.width)
        if x is not None and _runs(pieces, x, page, Gutters((x,))):
            votes.append(x)
            proven += [x] if _runs(pieces, x, page, NONE) else []
    found: list[float] = []
    while votes:
        near = max(([v for v in votes if abs(v - x) <= SAME] for x in votes), key=len)
        if len(near) < max(2, SHARED * len(pages) / 2):  # left and right pages may differ
            break
        found.append(sum(near) / len(near))
        votes = [v for v in votes if v not in near]
    return Gutters(tuple(found), tuple(proven))


def reading_order(
    pieces: Sequence[Segment], page: PageContent, gutters: Gutters, column: int = 0
) -> list[Block]:
    """Return the segments as blocks in reading order."""
    x = _best_gutter(pieces, page.width, gutters.shared)
    runs = [] if x is None else _runs(pieces, x, page, gutters)
    if not runs:  # a gutter of another page may part this one: that which fewest segments cross
        others = [x for x in dict.fromkeys(gutters.proven) if _both_sides(pieces, x)]
        x = min(others, key=lambda x: _crossings(pieces, x), default=None)
        parted = [] if x is None else _parted(pieces, x, page, trusted=False)
        runs = [run for run in parted if x is not None and _is_known(run, x, page)]
    if x is None or not runs:
        return [Block(column, tuple(pieces))] if pieces else []
    blocks: list[Block] = []
    rest = sorted(pieces, key=lambda piece: piece.y0)
    for run in runs:
        inside = {id(piece) for piece in run}
        first = min(piece.y0 for piece in run)
        above = [piece for piece in rest if id(piece) not in inside and piece.y0 < first]
        blocks += reading_order(above, page, gutters, column)
        left, right = _sides(run, x)
        blocks += reading_order(left, page, NONE, column * 2 + 1)
        blocks += reading_order(right, page, NONE, column * 2 + 2)
        done = inside | {id(piece) for piece in above}
        rest = [piece for piece in rest if id(piece) not in done]
    return blocks + reading_order(rest, page, gutters, column)


def _sides(run: Sequence[Segment], x: float) -> tuple[list[Segment], list[Segment]]:
    """Return the segments whose middle is left of x, and the others."""
    left = [piece for piece in run if (piece.x0 + piece.x1) / 2 < x]
    return left, [piece for piece in run if (piece.x0 + piece.x1) / 2 >= x]


def _prose(piece: Segment, width: float) -> bool:
    return piece.width >= WIDE * width and len(piece.words) >= SEGMENT_WORDS


def _best_gutter(pieces: Sequence[Segment], width: float, shared: tuple[float, ...] = ()) -> float | None:
    """Return the x that parts the page: a shared gutter that few segments cross, else its own."""
    fitting = [(_crossings(pieces, x), x) for x in shared if _both_sides(pieces, x)]
    if fitting and min(fitting)[0] <= CROSSED * len(pieces):
        return min(fitting)[1]
    prose = sorted((piece for piece in pieces if _prose(piece, width)), key=lambda piece: piece.y0)
    gaps: list[tuple[float, float]] = []
    for index, one in enumerate(prose):
        for other in prose[index + 1 :]:
            if other.y0 >= one.y1 - 0.2 * one.size:
                break
            left, right = (one, other) if one.x0 < other.x0 else (other, one)
            if right.x0 > left.x1 + 3:
                gaps.append((left.x1, right.x0))
    if not gaps:
        return None
    gaps = gaps[:: 1 + len(gaps) // PAIRS]
    edges = sorted({right for _, right in gaps})
    best = max(edges, key=lambda x: sum(left < x <= right for left, right in gaps))
    inside = [(left, right) for left, right in gaps if left < best <= right]
    edge = max(left for left, _ in inside)
    hung = min((piece.x0 for piece in pieces if edge < piece.x0 < best), default=best)  # numbers in the gap
    ways = ((edge + best) / 2, (edge + hung) / 2, best - BESIDE)  # text further down may be wider
    return min(ways, key=lambda x: _crossings(pieces, x))


def _crossings(pieces: Sequence[Segment], x: float) -> int:
    return sum(piece.x0 < x - 1 and piece.x1 > x + 1 for piece in pieces)


def _both_sides(pieces: Sequence[Segment], x: float) -> bool:
    return any(piece.x1 <= x + 1 for piece in pieces) and any(piece.x0 >= x - 1 for piece in pieces)


def _runs(pieces: Sequence[Segment], x: float, page: PageContent, gutters: Gutters) -> list[list[Segment]]:
    """Return the runs of segments, top to bottom, that stand in two columns beside x."""
    found = _parted(pieces, x, page, trusted=_is_near(x, gutters.shared))
    return [run for run in found if _is_columns(run, x, page, gutters)]


def _is_near(x: float, known: Sequence[float]) -> bool:
    return any(abs(x - other) <= SAME for other in known)


def _parted(pieces: Sequence[Segment], x: float, page: PageContent, *, trusted: bool) -> list[list[Segment]]:
    """Return the runs of segments, top to bottom, that nothing across x parts: no segment and no rule."""
    left, right = min((p.x0 for p in pieces), default=0.0), max((p.x1 for p in pieces), default=0.0)
    heights = sorted(
        s.y0
        for s in page.strokes
        if s.y1 - s.y0 < 2
        and s.x0 < x < s.x1
        and min(s.x1, right) - max(s.x0, left) >= WHOLE * (right - left)
    )
    bands = [y for at, y in enumerate(heights) if at == 0 or y - heights[at - 1] > 3]
    bands = bands if len(bands) <= BANDS else []
    runs: list[list[Segment]] = [[]]
    for piece in sorted(pieces, key=lambda piece: piece.y0):
        while bands and piece.y0 > bands[0] - 0.3 * piece.size:
            bands.pop(0)
            runs.append([])
        if piece.x0 < x - 1 and piece.x1 > x + 1:
            runs.append([])
        else:
            runs[-1].append(piece)
    return [run if trusted else _trimmed(run, x) for run in runs if run]


def _trimmed(run: list[Segment], x: float) -> list[Segment]:
    """Leave out what stands above or below the side-by-side part, a wide gap apart."""
    sides = _sides(run, x)
    if not all(sides):
        return []
    top = max(min(p.y0 for p in side) for side in sides)
    low = min(max(p.y1 for p in side) for side in sides)
    kept = list(run)
    for side in sides:
        kept = _cut(kept, [p for p in side if p.y1 < top], below=False)
        below, edge = [p for p in side if p.y0 > low], min(p.x0 for p in side)
        filling = [
            p
            for p in below
            if len(p.words) >= SEGMENT_WORDS and p.x0 - edge < p.size and x - p.x1 < FILLED * (x - edge)
        ]
        if side is sides[1] or len(filling) < FILLS:  # text of the left column may run on, up to the gutter
            kept = _cut(kept, below, below=True)
    return kept


def _cut(run: list[Segment], outside: list[Segment], *, below: bool) -> list[Segment]:
    """Drop the outside segments from the first wide gap on, seen from the side-by-side part."""
    drop: set[int] = set()
    inner = [piece for piece in run if all(piece is not other for other in outside)]
    if not inner:
        return run
    edge = max(p.y1 for p in inner) if below else min(p.y0 for p in inner)
    for piece in sorted(outside, key=lambda piece: piece.y0, reverse=not below):
        gap = piece.y0 - edge if below else edge - piece.y1
        if drop or gap > 0.9 * piece.size:
            drop.add(id(piece))
        edge = piece.y1 if below else piece.y0
    return [piece for piece in run if id(piece) not in drop]


def _is_columns(run: list[Segment], x: float, page: PageContent, gutters: Gutters) -> bool:
    sides = _sides(run, x)
    prose = [[piece for piece in side if _prose(piece, page.width)] for side in sides]
    if not all(sides) or _is_near(x, gutters.shared):
        return all(sides) and any(prose)
    if _rules_across(run, x, page.strokes) >= RULES:
        return False
    if _is_near(x, gutters.proven) and _is_known(run, x, page):
        return True
    return len(run) >= 5 and all(
        len(own) >= 2 and 2 * len(own) >= len(side) * 0.8 for own, side in zip(prose, sides, strict=True)
    )


def _is_known(run: Sequence[Segment], x: float, page: PageContent) -> bool:
    """Tell whether a run stands in two columns beside a gutter that another one proves."""
    left, right = _sides(run, x)
    if min(sum(_prose(piece, page.width) for piece in side) for side in (left, right)) < KNOWN:
        return False
    size = median(piece.size for piece in run)
    clear = min(piece.x0 for piece in right) - max(piece.x1 for piece in left) >= CLEAR * size
    if not clear or _is_level(left, right, size) or _rules_across(run, x, page.strokes):
        return False
    # Rules or bands that begin or end level on both sides of x inside the run are those of rows.
    top, low = min(piece.y0 for piece in run), max(piece.y1 for piece in run)
    edges = [(s, y) for s in page.strokes if s.x1 - s.x0 > BAND for y in (s.y0, s.y1) if top < y < low]
    level = {round(y / 2) for s, y in edges if s.x0 < x - 10}
    return not any(s.x1 > x + 10 and {round(y / 2) + n for n in (-1, 0, 1)} & level for s, y in edges)


def _rules_across(run: Sequence[Segment], x: float, strokes: tuple[Stroke, ...]) -> int:
    """Count the heights at which a horizontal rule crosses x inside the run."""
    top, low = min(piece.y0 for piece in run) - 5, max(piece.y1 for piece in run) + 5
    across = (s.y0 for s in strokes if s.y1 - s.y0 < 2 and s.x0 < x - 10 and s.x1 > x + 10)
    return len({round(y / 3) for y in across if top <= y <= low})
