"""Where the table of a caption stands: from rules and fills where there are some, else from words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import Area, Rule
from appliance.ingest.structure.captions import Caption, Style, grown
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.tables.strips import bound, columns_shown, goes_on, tabular
from appliance.ingest.view import View

REACH = 45.0  # points under a caption within which the table's first rule stands
FRAME = 10.0  # points between the rules of rows and the frame around them
SLACK = 5.0
EMPTY = 6.0  # points between two rules without words: a double rule
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
        for rule in view.ruling.horizontal
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
    view: View,
    sides: tuple[float, float],
    reach: tuple[float, float],
    usual: Style,
    notes: Sequence[str],
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
            if bottom >= limit or _closed(view, sides, top, bottom):
                return bottom
            continue
        if after is None:
            return bottom
        between = Area(sides[0], bottom, sides[1], after.at)
        begun = bottom > top or view.words_in(between)
        whole = replace(between, y0=top)
        if begun and not _belongs(view, between, usual, notes) and not bound(view, whole, between):
            return bottom
        bottom = after.at


def is_gap(view: View, strip: Area) -> bool:
    """Tell whether an empty line stands between two rules that part two tables, without sides of cells."""
    inner = view.ruling.within(replace(strip, x0=strip.x0 + SLACK, x1=strip.x1 - SLACK))
    sides = [rule for rule in inner.vertical if rule.length > EMPTY]
    return strip.height > GAP and not sides and not inner.fills and not view.words_in(strip)


def _closed(view: View, sides: tuple[float, float], top: float, bottom: float) -> bool:
    """Tell whether a frame on both sides ends the table here."""
    ends = [r.at for r in view.ruling.vertical if abs(r.end - bottom) < 3 and r.start < bottom - 8]
    framed = all(any(abs(at - side) < SLACK for at in ends) for side in sides)
    return framed and bottom > top + REACH / 2


def _belongs(view: View, area: Area, usual: Style, notes: Sequence[str]) -> bool:
    """Tell whether what stands between two rules looks like rows or notes of a table."""
    rows = rows_of(view.words_in(area))
    if not rows:
        return area.height <= EMPTY
    wide = 0.42 * area.width  # as a column of prose
    columned = sum(tabular(row) and max(f.x1 - f.x0 for f in row.fragments) < wide for row in rows)
    if columned >= 0.3 * len(rows):
        return True
    if _begins_note(rows[0], usual, notes):  # notes, and nothing after them
        return max(row.size for row in rows) <= 1.05 * rows[0].size
    if median(row.size for row in rows) < 0.93 * usual[2] / 2:
        return True
    widest = max(row.words[-1].x1 - row.words[0].x0 for row in rows)
    return len(rows) <= 3 and widest < 0.6 * area.width


def _begins_note(row: Row, usual: Style, notes: Sequence[str]) -> bool:
    """Tell whether a row begins with the mark of a note or its word; larger or bolder it is a heading."""
    text = text_of(row.words)
    titled = row.size > 1.05 * usual[2] / 2 or (not usual[1] and all(word.bold for word in row.words))
    first = row.words[0].text.rstrip(":.0123456789").casefold()
    names = {f"{word.casefold()}{end}" for word in notes for end in ("", "s")}
    return bool(not titled and _MARKED.match(text)) or first in names


@mechanism(
    "tables.area_from_words",
    "The area of a table without rules is read from its columns.",
    without=lambda *_: None,
)
def area_from_words(view: View, head: Area, limit: float, usual: Style) -> Area | None:
    """Return the area of lines in columns right under the caption, where no rule is drawn."""
    rows = [row for row in view.rows if row.y0 > head.y1 - 2 and row.base < limit]
    kept: list[Row] = []
    pending: list[Row] = []
    lone, columns = 0, columns_shown((), 0)
    for row in rows:
        last = pending[-1] if pending else kept[-1] if kept else None
        gap = row.y0 - (last.y1 if last else head.y1)
        if gap > 3.2 * row.size:
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
            prose = row.words[-1].x1 - row.words[0].x0 > 0.6 * view.body.width
            if lone > 2 or (prose and row.size > 0.93 * usual[2] / 2):
                break
    if len(kept) < 2:
        return None
    for row in pending:  # the last lines of its cells; one in the first column is text behind the table
        if not goes_on(row, kept[-1], columns) or row.fragments[0].x0 < columns[0][0] + SLACK:
            break
        kept.append(row)
    words = [word for row in kept for word in row.words]
    x0, x1 = min(w.x0 for w in words), max(w.x1 for w in words)
    return Area(x0 - 2, head.y1, x1 + 2, max(w.y1 for w in words) + 2)


def _aligned(row: Row, kept: Sequence[Row]) -> bool:
    """Tell whether a fragment of the row begins, ends or is centred where one of the rows before does."""
    places = [p for other in kept for f in other.fragments for p in (f.x0, f.x1, (f.x0 + f.x1) / 2)]
    marks = [p for f in row.fragments[1:] for p in (f.x0, f.x1, (f.x0 + f.x1) / 2)]
    return any(abs(mark - place) < 6 for mark in marks for place in places)


HEAD_RULE = 14.0  # points over the first line of a page in which the table's first rule stands
SMALL = 0.95  # of the size of the text: footnotes of the page are smaller


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A caption with the page and the area of its table, None where it has none."""

    caption: Caption
    view: View
    area: Area | None


def table_places(
    captions: Sequence[Caption], seen: Sequence[View], usual: Style, notes: Sequence[str]
) -> list[TablePlace]:
    """Return the place of the table of each caption of a table, in their order."""
    places = []
    for caption in captions:
        if caption.kind != "table":
            continue
        area, longer = area_below(caption, captions, usual, notes), grown(caption)
        below = area_below(longer, captions, usual, notes) if longer is not None else None
        if longer is not None and below is not None:  # with all lines of its title
            place = TablePlace(longer, longer.view, below)
        else:
            place = TablePlace(caption, caption.view, area)
        leaf = _overleaf(caption, captions, seen, usual, notes) if place.area is None else None
        places.append(leaf or place)
    return places


def _overleaf(
    caption: Caption, captions: Sequence[Caption], seen: Sequence[View], usual: Style, notes: Sequence[str]
) -> TablePlace | None:
    """Return the table that begins the next page, where nothing but footnotes stands under the caption."""
    for index, line in caption.view.lines:
        under = line.y0 > caption.ground.y1 - 1 and index not in caption.lines
        if under and line.size >= SMALL * usual[2] / 2:
            return None
    for view in seen:
        if view.page.number != caption.page + 1 or view.turn != caption.view.turn:
            continue
        top = view.body.y0
        head = Area(view.body.x0, top - HEAD_RULE - 1, view.body.x1, top - HEAD_RULE)
        if any(c.view is view and c.ground.y0 < top + 1 for c in captions):
            continue
        there = replace(caption, view=view, area=head, band=None, lines=())
        area = area_below(there, captions, usual, notes)
        if area is not None:
            return TablePlace(caption, view, area)
    return None
