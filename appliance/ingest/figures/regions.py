"""The area of a figure: its frame, else the ground between the text around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from appliance.core.document import Box, Figure, Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.figures.line_roles import LineKind
from appliance.ingest.geometry import Area, Rule, around
from appliance.ingest.page import Line
from appliance.ingest.structure.captions import Caption
from appliance.ingest.view import View

Side = Literal["above", "below"]
TOUCH = 16.0  # points between a frame and its caption
LEVEL = 6.0  # points between the ends of the sides of one frame
FRAME = (90.0, 36.0)  # points: the least width and height of a frame
MARKS = 3  # strokes or lines of lettering that make a drawing
BLANK = 40.0  # points of a scanned page without text: a drawing stands there
NEAR = 2.5  # type sizes between a drawing and lettering that belongs to it
SIDE = 0.12  # of the page's width: the margin of a scanned page, at most
BETWEEN = 2  # lines of prose between two parts of a drawing, at most
PASSED = 12  # lines of prose between a drawing and its caption, at most


@dataclass(frozen=True)
class Ground:
    """A page as figures see it: `ink` drawn things, `walls` what no figure reaches over."""

    view: View
    kinds: Mapping[int, LineKind]
    ink: tuple[Area, ...]
    pictures: tuple[Area, ...]
    walls: tuple[Area, ...]
    top: float
    bottom: float
    aside: tuple[Line, ...] = ()  # lines that run up or down, of no table

    def lines(self, kind: LineKind) -> list[Line]:
        """Return the lines of this kind."""
        return [line for index, line in self.view.lines if self.kinds[index] == kind]


def area_of(item: Line | Area) -> Area:
    """Return the rectangle of a line."""
    return Area(item.x0, item.y0, item.x1, item.y1)


def frame_of(ground: Ground, caption: Caption, others: Sequence[Caption]) -> Area | None:
    """Return the drawn frame that holds or touches the caption, without what lies outside it."""
    head = caption.area
    barred = [area_of(line) for line in ground.lines("provision")] + [o.area for o in others]
    fitting = [
        frame
        for frame in _frames(ground.view)
        if _fits(frame, head)
        and not any(frame.holds_middle(item) for item in barred)
        and _filled(ground, frame, head)
    ]
    best = min(
        fitting, key=lambda frame: (round(_apart(frame, head)), -frame.width * frame.height), default=None
    )
    return around([best, head, _band(ground.view, head)]) if best else None


def _fits(frame: Area, head: Area) -> bool:
    """Tell whether the frame holds or touches the caption over most of its width."""
    overlap = min(frame.x1, head.x1) - max(frame.x0, head.x0)
    return overlap >= 0.8 * head.width and _apart(frame, head) <= TOUCH


def _apart(frame: Area, head: Area) -> float:
    return max(frame.y0 - head.y1, head.y0 - frame.y1, 0.0)


def _band(view: View, head: Area) -> Area:
    """Return the caption with the filled or ruled band in which it is printed, if there is one."""
    inner = Area(head.x0, (head.y0 + head.y1) / 2, head.x1, head.y1)
    bands = [
        Area(s.x0, s.y0, s.x1, s.y1)
        for s in view.strokes
        if s.filled
        and s.x0 <= inner.x0
        and s.x1 >= inner.x1
        and s.y1 - s.y0 < 3 * head.height + 20
        and (s.y0 < inner.y1 and s.y1 > inner.y0)
    ]
    return around([head, *bands])


def _filled(ground: Ground, frame: Area, head: Area) -> bool:
    """Tell whether something stands in the frame besides the caption."""
    inner = Area(frame.x0 - 1, frame.y0 - 1, frame.x1 + 1, frame.y1 + 1)
    held = sum(inner.holds_middle(a) for a in (*ground.ink, *ground.pictures))
    lines = (line for _, line in ground.view.lines if not head.holds_middle(line))
    return held + sum(inner.holds_middle(line) for line in lines) >= MARKS + 1


def _frames(view: View) -> list[Area]:
    """Return the frames of the page: those drawn in one stroke or, without such, as two upright sides."""
    shapes = (Area(s.x0, s.y0, s.x1, s.y1) for s in view.strokes)
    whole = [a for a in shapes if a.width >= FRAME[0] and FRAME[1] <= a.height < 0.97 * view.height]
    sides = [rule for rule in view.ruling.vertical if rule.length >= FRAME[1]]
    pairs = [Area(a.at, a.start, b.at, a.end) for a in sides for b in sides if _pair(a, b)]
    return whole + [pair for pair in pairs if not any(_same_height(pair, frame) for frame in whole)]


def _same_height(pair: Area, frame: Area) -> bool:
    return abs(pair.y0 - frame.y0) < LEVEL and abs(pair.y1 - frame.y1) < LEVEL


def _pair(left: Rule, right: Rule) -> bool:
    level = abs(left.start - right.start) < LEVEL and abs(left.end - right.end) < LEVEL
    return level and right.at - left.at >= FRAME[0]


def gap_of(ground: Ground, caption: Caption, span: tuple[float, float], side: Side) -> Area | None:
    """Return the drawing on this side of the caption, None where nothing shows one."""
    slots = _slots(ground, caption, span, side)
    shown = [place for place, slot in enumerate(slots) if _shows(ground, slot, bounded=side == "above")]
    if not shown:
        return None
    pictured = [place for place in shown if _is_pictured(ground, slots[place])]
    if ground.view.page.trust == "ocr" and pictured:
        return around(slots[: _last_part(pictured) + 1])
    return _trimmed(ground, slots[shown[0]])


def _is_pictured(ground: Ground, slot: Area) -> bool:
    return any(slot.holds_middle(picture) for picture in ground.pictures)


def _last_part(pictured: Sequence[int]) -> int:
    """Return the slot in which a drawing of several parts ends: a line or two stand between two parts."""
    last = pictured[0]
    for place in pictured:
        last = place if place - last <= BETWEEN else last
    return last


def _slots(ground: Ground, caption: Caption, span: tuple[float, float], side: Side) -> list[Area]:
    """Return the gaps between the lines of running text on this side, from the caption to the wall."""
    head = caption.area
    hard = _edge(ground, head, span, side)
    soft = [area_of(line) for line in ground.lines("prose") if not _in_drawing(ground, line)]
    between = [s for s in soft if _over(s, span) and _between(s, head, hard, side)]
    between.sort(key=lambda s: s.y0, reverse=side == "above")
    near = head.y0 if side == "above" else head.y1
    slots = []
    for line in between[:PASSED]:
        slots.append(_slot(span, near, line.y1 if side == "above" else line.y0))
        near = line.y0 if side == "above" else line.y1
    return [*slots, _slot(span, near, hard)] if len(between) <= PASSED else slots


def span_of(ground: Ground, caption: Caption, others: Sequence[Caption]) -> tuple[float, float]:
    """Return left and right edge of the ground in which the figure of this caption can stand."""
    head, body = caption.area, ground.view.body
    x0, x1 = min(body.x0, head.x0), max(body.x1, head.x1)
    if ground.view.page.trust != "digital":  # the lettering of a scan need not reach as far as its lines
        x0, x1 = min(x0, SIDE * ground.view.width), max(x1, (1 - SIDE) * ground.view.width)
    column = next((line.column for index, line in ground.view.lines if index == caption.lines[0]), 0)
    prose = [line for line in ground.lines("prose") if line.column == column]
    if column and prose:
        x0, x1 = min([head.x0, *(p.x0 for p in prose)]), max([head.x1, *(p.x1 for p in prose)])
    for other in others:
        if other.area.y0 < head.y1 and other.area.y1 > head.y0:
            middle = (max(head.x0, other.area.x0) + min(head.x1, other.area.x1)) / 2
            x0, x1 = (max(x0, middle), x1) if other.area.x0 < head.x0 else (x0, min(x1, middle))
    return x0, x1


def _edge(ground: Ground, head: Area, span: tuple[float, float], side: Side) -> float:
    """Return the y of the nearest wall on this side of the caption."""
    walls = [w for w in ground.walls if _over(w, span)]
    if side == "above":
        return max([ground.top, *(w.y1 for w in walls if w.y1 <= head.y0 + 3)])
    return min([ground.bottom, *(w.y0 for w in walls if w.y0 >= head.y1 - 3)])


def _over(item: Area, span: tuple[float, float]) -> bool:
    return min(item.x1, span[1]) - max(item.x0, span[0]) > min(10.0, 0.5 * item.width)


def _between(item: Area, head: Area, hard: float, side: Side) -> bool:
    middle = (item.y0 + item.y1) / 2
    return hard <= middle <= head.y0 if side == "above" else head.y1 <= middle <= hard


def _slot(span: tuple[float, float], one: float, other: float) -> Area:
    return Area(span[0], min(one, other), span[1], max(one, other))


def _in_drawing(ground: Ground, line: Line) -> bool:
    """Tell whether the line stands inside a drawn shape, as a long label of a chart does."""
    return any(
        ink.y0 < line.y0 - line.size
        and ink.y1 > line.y1 + line.size
        and ink.x0 < line.x0
        and ink.x1 > line.x1
        for ink in (*ground.ink, *ground.pictures)
    )


def _shows(ground: Ground, slot: Area, *, bounded: bool) -> bool:
    """Tell whether a drawing stands in the slot."""
    if slot.height < 12:
        return False
    ink = [a for a in ground.ink if slot.holds_middle(a)]
    if any(slot.holds_middle(p) for p in ground.pictures) or (len(ink) >= MARKS and _sized(around(ink))):
        return True
    lettering = [line for line in ground.lines("lettering") if slot.holds_middle(line)]
    shapes = [a for a in ink if _sized(a)]
    if any(len(ink) + sum(shape.holds_middle(line) for line in lettering) >= MARKS for shape in shapes):
        return True
    if ground.view.page.trust == "digital" and ground.view.strokes:
        return False
    closed = bounded or ground.top < slot.y0 < slot.y1 < ground.bottom
    return slot.height >= BLANK and (closed or len(lettering) >= MARKS)


def _sized(area: Area) -> bool:
    return area.width >= 25 and area.height >= 12


def _trimmed(ground: Ground, slot: Area) -> Area:
    """Return the part of the slot that the drawing fills, with the lettering near it."""
    drawn = [a for a in (*ground.ink, *ground.pictures) if slot.holds_middle(a)]
    if not drawn or ground.view.page.trust == "ocr":
        return slot
    area = around(drawn)
    waiting = [line for line in ground.lines("lettering") if slot.holds_middle(line)]
    while True:
        joined = [line for line in waiting if _near(area, line)]
        if not joined:
            break
        waiting = [line for line in waiting if line not in joined]
        area = around([area, *joined])
    return Area(area.x0, max(area.y0, slot.y0), area.x1, min(area.y1, slot.y1))


def _near(area: Area, line: Line) -> bool:
    down = max(area.y0 - line.y1, line.y0 - area.y1, 0.0)
    across = max(area.x0 - line.x1, line.x0 - area.x1, 0.0)
    return down <= NEAR * line.size and across <= 12 * line.size


BOX_GAP = 16.0  # points between a caption and the frame of its drawing


def captioned_box(caption: Caption) -> Area | None:
    """Return the drawn box that stands right over or under the caption, or around it."""
    ground = caption.ground
    rules = [r for r in caption.view.ruling.vertical if r.length > 40]
    left = [r for r in rules if r.at <= ground.x0 + 6]
    right = [r for r in rules if r.at >= min(ground.x1, caption.area.x1) - 6]
    best: Area | None = None
    for a in left:
        for b in right:
            if abs(a.start - b.start) > 4 or abs(a.end - b.end) > 4:
                continue
            beside = (
                0 <= ground.y0 - a.end < BOX_GAP
                or 0 <= a.start - ground.y1 < BOX_GAP
                or (a.start < ground.y0 - 30 and abs(a.end - ground.y1) < 30)
            )
            area = Area(a.at, a.start, b.at, a.end)
            if beside and (best is None or area.width < best.width):
                best = area
    return best


SAYING = 0.7  # of the cells of a table in a figure hold words; a chart has fewer


@mechanism("figures.charts", "A chart is no table.", without=lambda tables, _figures: tables)
def without_charts(tables: Sequence[Table], figures: Sequence[Figure]) -> tuple[Table, ...]:
    """Return the tables without the charts of figures."""
    drawn = [box for figure in figures for box in figure.boxes]
    return tuple(table for table in tables if table.captioned or not _is_chart(table, drawn))


def _is_chart(table: Table, drawn: Sequence[Box]) -> bool:
    inside = all(any(_holds(outer, box) for outer in drawn) for box in table.boxes)
    return inside and sum(bool(cell.text.strip()) for cell in table.cells) < SAYING * len(table.cells)


def _holds(outer: Box, inner: Box) -> bool:
    across = outer.x0 <= (inner.x0 + inner.x1) / 2 <= outer.x1 and inner.x1 - inner.x0 <= outer.x1 - outer.x0
    down = outer.y0 <= (inner.y0 + inner.y1) / 2 <= outer.y1 and inner.y1 - inner.y0 <= outer.y1 - outer.y0
    return outer.page == inner.page and across and down
