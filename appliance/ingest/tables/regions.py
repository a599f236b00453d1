"""Where the table of a caption stands: from rules and fills where there are some, else from words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from appliance.core.mechanisms import mechanism
from appliance.core.runs import runs
from appliance.ingest.page import Area, Line, Rule, View, Word, covered
from appliance.ingest.structure.captions import Caption, Style, grown
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.tables.continuation import Piece
from appliance.ingest.tables.grid import without_underlines
from appliance.text.numbers import MARKED
from appliance.text.sentences import BULLETS

REACH = 45.0  # points under a caption within which the table's first rule stands
FRAME = 10.0  # points between the rules of rows and the frame around them
SLACK = 5.0
EMPTY = 6.0  # points between two rules without words: a double rule
HEAD_LEVELS = 2  # of rules: over and under a head
RUN_ON = 3  # lines under a head whose table ends on another page
LEAST_OVER = 3  # lines in columns over a caption that make a table
LONE, LONE_OVER = 2, 6  # lines in no columns one after the other in a table, and over its first row
APART = 3.2  # type sizes between a line of a table and the next, or the caption
GAP = 10.0  # points between two rules without words: one table ends, and another begins
_MARKED = re.compile(r"^(?:\*|†|\[?\d\]|[a-z1-9][)\s]\s?[A-Z])", re.IGNORECASE)


def area_below(
    caption: Caption, captions: Sequence[Caption], usual: Style, notes: Sequence[str]
) -> Area | None:
    """Return the area of the table under its caption, without that, None where nothing there is one.

    `notes` are the words that begin the notes under a table.
    """
    view, head = caption.view, caption.ground
    others = [c for c in captions if c.view is view and c is not caption]
    # the next caption below, or the end of the text
    below = [c.ground for c in others if c.ground.y0 > head.y1]
    tops = [b.y0 for b in below if b.x0 < head.x1 + SLACK and b.x1 > head.x0 - SLACK]
    limit = min([*tops, view.body.y1 + 12])
    sides = _sides(view, caption, others, limit)
    if sides is not None:
        bottom = _walk(view, sides, (head.y1, limit), usual, notes)
        area = Area(sides[0], head.y1, sides[1], bottom)
        if bottom > head.y1 + SLACK and view.words_in(area):
            return area
    return area_from_words(view, head, limit, usual)


def _sides(
    view: View, caption: Caption, others: Sequence[Caption], limit: float
) -> tuple[float, float] | None:
    """Return the left and right edge of the table: of the caption's band, or of the first rule."""
    head = caption.ground
    if caption.band is not None:
        return head.x0, head.x1
    own = caption.area
    rivals = [  # captions of tables that stand beside it, give or take a few lines
        c.area
        for c in others
        if c.kind == "table"
        and abs(c.area.y1 - own.y1) < REACH
        and (c.area.x0 >= own.x1 or c.area.x1 <= own.x0)
    ]
    near = [
        rule
        for rule in without_underlines(view.ruling, rows_of(view.words)).horizontal
        if head.y1 - 2 <= rule.at <= min(head.y1 + REACH, limit)
        and rule.length > 12
        and not any(_aside(rival, rule) < _aside(own, rule) for rival in rivals)
    ]
    if not near:
        return None
    first = min(rule.at for rule in near)
    level = [rule for rule in near if rule.at - first < 3]
    x0, x1 = min(rule.start for rule in level), max(rule.end for rule in level)
    between = view.words_in(Area(x0, head.y1, x1, first - 1))
    if not x0 - 40 <= (own.x0 + own.x1) / 2 <= x1 + 40 or len(rows_of(between)) > 2:
        return None
    # those of the frame that stands just outside, where there is one
    sides = [rule.at for rule in view.ruling.vertical if rule.start <= first + 4 and rule.end >= first - 4]
    left = [x for x in sides if x0 - FRAME <= x <= x0 + 1]
    right = [x for x in sides if x1 - 1 <= x <= x1 + FRAME]
    return (min(left), max(right)) if left and right else (x0, x1)


def _aside(caption: Area, rule: Rule) -> float:
    """Return how far beside a rule a caption stands, 0 where it is over or under some of it."""
    return max(rule.start - caption.x1, caption.x0 - rule.end, 0.0)


def _walk(
    view: View, sides: tuple[float, float], reach: tuple[float, float], usual: Style, notes: Sequence[str]
) -> float:
    """Return the bottom of the table: go down from rule to rule while what lies between belongs to it."""
    top, limit = reach
    x0, x1 = sides[0] - SLACK, sides[1] + SLACK
    horizontal = sorted(
        r for r in view.ruling.horizontal if r.start >= x0 and r.end <= x1 and r.at < limit - 1
    )
    bottom = top
    while True:
        # how far vertical rules or fills that touch the bottom go on
        rules = (
            r.end
            for r in view.ruling.vertical
            if x0 <= r.at <= x1 and r.start <= bottom + 3 and r.end > bottom and r.length >= 8
        )
        fills = (
            f.y1
            for f in view.ruling.fills
            if x0 <= f.x0 and f.x1 <= x1 and f.y0 <= bottom + 3 and f.y1 > bottom and f.width > 20
        )
        carried = max([*rules, *fills, bottom])
        after = next((rule for rule in horizontal if rule.at > bottom + 1), None)
        if after is not None and bottom > top and is_gap(view, Area(sides[0], bottom, sides[1], after.at)):
            return bottom
        if carried > bottom + 1:
            bottom = min(carried, limit)
            # a frame on both sides ends the table here
            ends = [r.at for r in view.ruling.vertical if abs(r.end - bottom) < 3 and r.start < bottom - 8]
            framed = all(any(abs(at - side) < SLACK for at in ends) for side in sides)
            if bottom >= limit or (framed and bottom > top + REACH / 2):
                return bottom
            continue
        if after is None:
            return run_on(view, Area(sides[0], top, sides[1], bottom), limit)
        between = Area(sides[0], bottom, sides[1], after.at)
        begun = bottom > top or view.words_in(between)
        whole = replace(between, y0=top)
        if begun and not _belongs(view, between, usual, notes) and not bound(view, whole, between):
            return bottom
        bottom = after.at


def run_on(view: View, table: Area, limit: float) -> float:
    """Return how far lines in the columns of a table go on under its ruled head, down to the end of the text.

    The rule that ends the table stands on another page.
    """
    across = view.ruling.within(table).horizontal
    levels = runs(sorted(rule.at for rule in across), lambda run, at: at - run[-1] < LEVEL)
    below = rows_of(view.words_in(replace(table, y0=table.y1, y1=limit)))
    if len(levels) != HEAD_LEVELS or len(below) < RUN_ON or below[-1].y1 + below[-1].size < view.body.y1:
        return table.y1
    head = rows_of(view.words_in(replace(table, y0=levels[0][0])))
    columns = columns_shown([row for row in (*head, *below) if tabular(row)], table.x1)
    inside = bool(columns) and all(stands_in(row, columns, loosely=True) for row in below)
    return below[-1].y1 + 2 if inside and not fills(below, columns) else table.y1


def is_gap(view: View, strip: Area) -> bool:
    """Tell whether an empty line stands between two rules that part two tables, without sides of cells."""
    inner = view.ruling.within(replace(strip, x0=strip.x0 + SLACK, x1=strip.x1 - SLACK))
    sides = [rule for rule in inner.vertical if rule.length > EMPTY]
    return strip.height > GAP and not sides and not inner.fills and not view.words_in(strip)


def _belongs(view: View, area: Area, usual: Style, notes: Sequence[str]) -> bool:
    """Tell whether what stands between two rules looks like rows or notes of a table."""
    rows = rows_of(view.words_in(area))
    if not rows:
        return area.height <= EMPTY
    wide = 0.42 * area.width  # as a column of prose
    columned = sum(tabular(row) and max(f.x1 - f.x0 for f in row.fragments) < wide for row in rows)
    if columned >= 0.3 * len(rows):
        return True
    # The mark of a note or its word begins notes, and nothing after them; larger or bolder it is a heading.
    row, first = rows[0], rows[0].words[0].text.rstrip(":.0123456789").casefold()
    titled = row.size > 1.05 * usual[2] / 2 or (not usual[1] and all(word.bold for word in row.words))
    names = {f"{word.casefold()}{end}" for word in notes for end in ("", "s")}
    if first in names and not _whole(view, area, area.y1):
        return False  # the rule is that of a drawing under the notes
    if (not titled and _MARKED.match(text_of(row.words))) or first in names:
        return max(row.size for row in rows) <= 1.05 * rows[0].size
    if median(row.size for row in rows) < 0.93 * usual[2] / 2:
        return True
    widest = max(row.words[-1].x1 - row.words[0].x0 for row in rows)
    return len(rows) <= 3 and widest < 0.6 * area.width


@mechanism("tables.area_from_words", without=lambda *_: None)
def area_from_words(view: View, head: Area, limit: float, usual: Style) -> Area | None:
    """Return the area of lines in columns right under the caption, where no rule is drawn.

    Where the limit is over the caption, it is that of lines right over it, read upwards.
    """
    rows = [row for row in rows_of(view.words) if row.y0 > head.y1 - 2 and row.base < limit]
    if upwards := limit < head.y0:
        rows = [row for row in reversed(rows_of(view.words)) if row.y1 < head.y0 + 2 and row.y0 > limit]
    kept: list[Row] = []
    pending: list[Row] = []
    lone, columns = 0, columns_shown((), 0)
    for row in rows:
        last = pending[-1] if pending else kept[-1] if kept else None
        before = last or head
        gap = before.y0 - row.y1 if upwards else row.y0 - before.y1
        if gap > APART * row.size:
            break
        if tabular(row) and (not kept or _aligned(row, kept)):
            kept += [*pending, row]
            pending, lone = [], 0
            columns = columns_shown([r for r in kept if tabular(r)], view.body.x1)
        else:
            pending.append(row)
            if last is not None and goes_on(row, last, columns):
                continue
            lone += 1
            titled = not kept and not usual[1] and all(word.bold for word in row.words)
            prose = row.words[-1].x1 - row.words[0].x0 > 0.6 * view.body.width and not titled
            if lone > (LONE if kept else LONE_OVER) or (prose and row.size > 0.93 * usual[2] / 2):
                break
    if len(kept) < (LEAST_OVER if upwards else 2):
        return None
    # the last lines of its cells; one in the first column is text behind the table
    for row in () if upwards else pending:
        if not goes_on(row, kept[-1], columns) or row.fragments[0].x0 < columns[0][0] + SLACK:
            break
        kept.append(row)
    words = [word for row in kept for word in row.words]
    x0, x1 = min(w.x0 for w in words), max(w.x1 for w in words)
    top = min(w.y0 for w in words) - 2 if upwards else head.y1
    return Area(x0 - 2, top, x1 + 2, max(w.y1 for w in words) + 2)


def _aligned(row: Row, kept: Sequence[Row]) -> bool:
    """Tell whether a fragment of the row begins, ends or is centred where one of the rows before does."""
    places = [p for other in kept for f in other.fragments for p in (f.x0, f.x1, (f.x0 + f.x1) / 2)]
    marks = [p for f in row.fragments[1:] for p in (f.x0, f.x1, (f.x0 + f.x1) / 2)]
    return any(abs(mark - place) < 6 for mark in marks for place in places)


HEAD_RULE = 14.0  # points over the first line of a page in which the table's first rule stands
SMALL = 0.95  # of the size of the text: footnotes of the page are smaller


def table_places(
    captions: Sequence[Caption], seen: Sequence[View], usual: Style, notes: Sequence[str]
) -> list[Piece]:
    """Return the captions of tables, each with the page and the area of its table if it has one."""
    places = []
    for caption in captions:
        if caption.kind != "table":
            continue
        area, longer = area_below(caption, captions, usual, notes), grown(caption)
        below = area_below(longer, captions, usual, notes) if longer is not None else None
        if longer is not None and below is not None:  # with all lines of its title
            place = Piece(longer, longer.view, below)
        else:
            place = Piece(caption, caption.view, area)
        leaf = _overleaf(caption, captions, seen, usual, notes) if place.area is None else None
        places.append(leaf or place)
    return places


def _overleaf(
    caption: Caption, captions: Sequence[Caption], seen: Sequence[View], usual: Style, notes: Sequence[str]
) -> Piece | None:
    """Return the table that begins the next page, where nothing but footnotes stands under the caption."""
    under = [
        (index, line)
        for index, line in caption.view.lines
        if line.y0 > caption.ground.y1 - 1
        and index not in caption.lines
        and line.size >= SMALL * usual[2] / 2
    ]
    if not is_title(caption, [line for _, line in under]):
        return None
    caption = replace(
        caption,
        title=" ".join(filter(None, (caption.title, *(line.text for _, line in under)))),
        lines=(*caption.lines, *(index for index, _ in under)),
    )
    for view in seen:
        if view.page.number != caption.page + 1 or view.turn != caption.view.turn:
            continue
        if any(c.view is view and c.ground.y0 < view.body.y0 + 1 for c in captions):
            continue
        there = at_top(view, caption)
        area = area_below(there, captions, usual, notes)
        if area is not None:
            return Piece(caption, view, area)
    return None


def at_top(view: View, caption: Caption) -> Caption:
    """Return a caption as if it stood over the first rule of a page."""
    foot = view.body.y0 - HEAD_RULE
    strip = Area(view.body.x0, foot - 1, view.body.x1, foot)
    return replace(caption, view=view, area=strip, band=None, lines=())


TITLE, CENTRED = 2, 6.0  # lines of a title, and points by which its middle may be off that of the caption


def is_title(caption: Caption, lines: Sequence[Line]) -> bool:
    """Tell whether lines under a caption are at most its title: one or two under its middle."""
    middle = caption.ground.x0 + caption.ground.x1
    return len(lines) <= TITLE and all(
        abs(line.x0 + line.x1 - middle) < 2 * CENTRED and not line.text.endswith(".") for line in lines
    )


EDGE = 3.0  # points by which lines that begin at the left of a column may differ
CLOSE = 0.75  # of the type size: white between the lines of one cell
FULL = 0.8  # of its column: a line of running text in columns is so long
NARROW = 0.5  # of the type size: white that may part two columns, more than a blank
FEWEST = 4  # lines in columns by which running text can be told
_MARKER = re.compile(
    rf"^(?:\(?[0-9A-Za-z]{{1,3}}[.)]|\(\w{{1,3}}\){MARKED}|[A-Z]{{0,3}}\d+(?:\.\d+)+|[{BULLETS}])$"
)

Columns = tuple[tuple[float, float], ...]


def tabular(row: Row) -> bool:
    """Tell whether the words of a line stand in columns; a number before a paragraph is none."""
    fragments = row.fragments
    if len(fragments) == 2:
        return not _MARKER.match(text_of(fragments[0].words))
    return len(fragments) > 2


def columns_shown(rows: Sequence[Row], right: float) -> Columns:
    """Return the left edge and the room of the columns, from the rows with most parts; () for one column.

    A cell that nearly fills its column ends there where a line with more white begins the next.
    """
    begun = tuple({round(f.x0): (f.x0, right) for row in rows for f in row.fragments}.values())
    parted = [[part for f in row.fragments for part in _parts(f.words, begun)] for row in rows]
    most = max(map(len, parted), default=0)
    spans = sorted(
        (part[0].x0, max(word.x1 for word in part))
        for parts in parted
        if len(parts) == most
        for part in parts
    )
    lefts: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if lefts and x0 < lefts[-1][1] + EDGE:
            lefts[-1] = (lefts[-1][0], max(x1, lefts[-1][1]))
        else:
            lefts.append((x0, x1))
    ends = [*(x0 for x0, _ in lefts[1:]), right + EDGE]
    return tuple((x0, end) for (x0, _), end in zip(lefts, ends, strict=True)) if len(lefts) > 1 else ()


def stands_in(row: Row, columns: Columns, *, loosely: bool = False) -> bool:
    """Tell whether every part of the line begins at the left of a column and ends inside it.

    `loosely`: each may begin further right in a column of its own, for values are centred and items indented;
    in the first column only where others stand behind it.
    """
    several = len(row.fragments) > 1
    held: list[int] = []
    for part in (part for fragment in row.fragments for part in _parts(fragment.words, columns)):
        begin = part[0].x0
        homes = (
            at
            for at, (x0, end) in enumerate(columns)
            if part[-1].x1 < end
            and (x0 - EDGE < begin < end if loosely and (at > 0 or several) else abs(begin - x0) < EDGE)
        )
        home = next(homes, None)
        if home is None:
            return False
        held.append(home)
    return not loosely or len(set(held)) == len(held)


def _parts(words: Sequence[Word], columns: Columns) -> list[list[Word]]:
    """Return the words parted where one begins a column, with however little white before it."""

    def goes_on(part: list[Word], word: Word) -> bool:
        close = word.x0 - part[-1].x1 < NARROW * word.size
        return close or not any(abs(word.x0 - x0) < EDGE / 2 for x0, _ in columns)

    return runs(words, goes_on)


def goes_on(row: Row, before: Row, columns: Columns) -> bool:
    """Tell whether a line is the next one of a cell over it: in one column, right under the line before."""
    alone = len(row.fragments) == 1 and stands_in(row, columns)
    return alone and row.y0 - before.y1 < CLOSE * row.size


def fills(rows: Sequence[Row], columns: Columns) -> bool:
    """Tell whether most lines fill all columns: running text of a page in columns."""
    full = sum(
        len(row.fragments) == len(columns)
        and all(f.x1 - f.x0 > FULL * (end - x0) for f, (x0, end) in zip(row.fragments, columns, strict=True))
        for row in rows
    )
    return full >= FEWEST and full > len(rows) / 2


ENDS = 5.0  # points by which the rules of a table may end elsewhere
LEVEL = 3.0  # points between pieces of one rule
WHOLE = 0.95  # of the width of the table: a rule from end to end


def bound(view: View, table: Area, strip: Area) -> bool:
    """Tell whether rules from end to end stand over and under lines in the columns of a table.

    `table` reaches from the caption to the end of the strip, which lies between the two rules.
    """
    columns = columns_shown([row for row in rows_of(view.words_in(table)) if tabular(row)], table.x1)
    rows = rows_of(view.words_in(strip))
    pairs = zip((rows[0], *rows), rows, strict=False) if rows else ()
    return (
        _whole(view, strip, strip.y0)
        and _whole(view, strip, strip.y1)
        and any(len(row.fragments) > 1 for row in rows)
        and all(
            stands_in(row, columns, loosely=True) or _hangs(row, before, columns) for before, row in pairs
        )
        and not fills(rows, columns)
    )


def _hangs(row: Row, before: Row, columns: Columns) -> bool:
    """Tell whether a line is a further one of a label, which may be indented under the first."""
    inside = bool(columns) and len(row.fragments) == 1 and row.words[-1].x1 < columns[0][1]
    return inside and row.y0 - before.y1 < CLOSE * row.size


def _whole(view: View, area: Area, y: float) -> bool:
    """Tell whether a rule runs from end to end of an area there."""
    return covered(view.ruling.horizontal, y, area.x0, area.x1, ENDS) > WHOLE


def rest_of(view: View, area: Area, limit: float) -> Area | None:
    """Return what stands under a table, up to further rules from end to end, with lines in its columns."""
    read = rows_of(view.words_in(area))
    columns = columns_shown([row for row in read if tabular(row)], area.x1)
    levels = [
        rule.at
        for rule in view.ruling.horizontal
        if area.y0 - LEVEL < rule.at < limit
        and rule.start > area.x0 - ENDS
        and rule.end < area.x1 + ENDS
        and _whole(view, area, rule.at)
    ]
    below = [y for y in levels if y > area.y1 + LEVEL]
    if not columns or not below or below == levels:
        return None
    rest = replace(area, y0=area.y1, y1=below[-1])
    rows = rows_of(view.words_in(rest))
    found = any(tabular(row) and stands_in(row, columns, loosely=True) for row in rows)
    return rest if found and not fills(rows, columns) else None
