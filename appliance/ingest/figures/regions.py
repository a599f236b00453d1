"""The area of a figure: its frame, else the ground between the lines of text around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from appliance.core.document import Box, Figure, Table
from appliance.core.frames import in_box
from appliance.core.mechanisms import mechanism
from appliance.ingest.formulas.text import number_of
from appliance.ingest.page import Area, Line, Rectangle, area_of, around, between_sides
from appliance.ingest.structure.captions import Caption, Style
from appliance.ingest.structure.markers import CJK, starts_upper
from appliance.ingest.structure.schemes import Level, Scheme
from appliance.ingest.structure.series import forms_of
from appliance.ingest.view import View

LineKind = Literal["provision", "prose", "lettering"]
CLEAN = 0.8  # share of letters and digits in running text; a drawing misread as text has less
INDENT = 0.3  # of the width of the text: running text never begins further in
KEY = 20  # lines that a key has, at most
EDGE = 14.0  # points from the edge of the text at which a number may stand
PROSE_WORDS, PROSE_WIDTH = 5, 0.42  # of the width of the text: a line of running text
SMALL = 0.8  # of the usual size: smaller type is lettering
FEW = 0.12  # of a page's lines: a left edge that so many share is one of the text's
_MARK = re.compile(r"\(?[A-Za-z0-9]{1,2}[).]?\s+(?:[A-Za-z]|[\d.,]+\s?[a-z])")  # "(8) Notional column"
_SHORT = re.compile(r"[^\W\d_]{2,}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SIGNS = re.compile(f"{CJK}{{2}}")  # which stand for a word, with or without spaces between
_PLAIN = re.compile(r"^[\w()\[\]'’‘“”\"/&%€£§°–—.,;:!?<>=≤≥±×+-]+$")
_ENDED = (".", ":", ";")
_PLACES = frozenset({"part", "requirement", "section", "clause", "paragraph", "annex"})


def kinds_of(view: View, scheme: Scheme, usual: Style) -> Mapping[int, LineKind]:
    """Return what each line of the view is, by its index in the layout."""
    levels = [level for level in scheme.levels if level.kind in _PLACES]
    prose = [line for _, line in view.lines if is_prose(line, _width(view, line), usual)]
    votes = Counter(round(line.x0 / 3) for line in prose)
    edges = [view.body.x0, *(3.0 * x for x, n in votes.items() if n >= max(2, FEW * len(prose)))]
    means = [r"\s".join(map(re.escape, word.split())) for word in scheme.captions.get("explained", ())]
    # a line that explains a symbol: "h is the height"
    explained = re.compile(rf"\S{{1,8}}\s(?:\S{{1,4}}\s)?(?:{'|'.join(means)})\b") if means else None
    kinds: dict[int, LineKind] = {}
    before: Line | None = None
    for index, line in view.lines:
        kind = _kind(view, line, levels, edges, usual)
        if kind == "lettering" and explained and _at_edge(line, edges) and explained.match(line.text):
            kind = "prose"
        if kind == "lettering" and before is not None and _continues(before, line):
            kind = "prose"
        kinds[index] = kind
        before = line if kind != "lettering" else None
    return kinds


def in_key(
    view: View,
    caption: int,
    captions: Collection[int],
    kinds: Mapping[int, LineKind],
    begins: Collection[str],
) -> list[int]:
    """Return the lines of the key that stands right over a caption: their marks look like numbers.

    `begins` are the words that a key begins with.
    """
    lines = sorted(view.lines, key=lambda item: item[1].y0)
    place = next((at for at, (index, _) in enumerate(lines) if index == caption), 0)
    found: list[int] = []
    for index, line in reversed(lines[max(0, place - KEY) : place]):
        found.append(index)
        if line.text.strip(" :.").casefold() in begins:
            return found
        if (kinds[index] == "provision" and not _MARK.match(line.text)) or index in captions:
            break
    return []


def is_prose(line: Line, width: float, usual: Style) -> bool:
    """Tell whether the line reads as running text in a column of that width (points)."""
    words = line.text.split()
    spoken = sum(max(bool(_WORD.search(word)), len(_SIGNS.findall(word))) for word in words)
    short = sum(bool(_SHORT.search(word)) for word in words)
    plain = sum(bool(_PLAIN.match(word)) for word in words)
    if spoken < PROSE_WORDS or plain < 0.85 * len(words) or line.size < SMALL * usual[2] / 2:
        return False
    signs = "".join(words)
    if sum(char.isalnum() for char in signs) < CLEAN * len(signs):
        return False
    gaps = sum(b.x0 - a.x1 > 1.8 * line.size for a, b in zip(line.words, line.words[1:], strict=False))
    return line.x1 - line.x0 >= PROSE_WIDTH * width and gaps <= 1 and 2 * short >= len(words)


def _kind(view: View, line: Line, levels: Sequence[Level], edges: Sequence[float], usual: Style) -> LineKind:
    at_edge = _at_edge(line, edges)
    large = line.size >= 0.93 * usual[2] / 2
    if at_edge and large and any(_starts(level, line, usual) for level in levels):
        return "provision"
    if line.x1 > view.body.x1 - 3 * line.size and number_of(line):
        return "provision"
    if is_prose(line, _width(view, line), usual):
        inner = line.x0 > view.body.x0 + INDENT * view.body.width and not at_edge
        return "lettering" if inner else "prose"
    bold = line.bold and not usual[1] and large and view.page.trust == "digital"
    words = len(_WORD.findall(line.text))
    numbered = words and any(form.joint for form, _ in forms_of(line.text))  # "4.10 Balance"
    title = numbered or (starts_upper(line.text) and words >= 2)
    return "provision" if bold and title and any(abs(line.x0 - edge) <= 3 for edge in edges) else "lettering"


def _at_edge(line: Line, edges: Sequence[float]) -> bool:
    return any(abs(line.x0 - edge) <= EDGE for edge in edges)


def _starts(level: Level, line: Line, usual: Style) -> bool:
    """Tell whether the line begins with a number of this level and goes on as a provision does."""
    match = level.pattern.match(line.text)
    if match is None:
        return False
    heading = line.bold or line.size > 1.05 * usual[2] / 2
    if level.style == "heading" and not heading:
        return False
    rest = line.text[match.end() :].strip()
    spoken = _WORD.findall(rest)
    if not rest:
        return line.bold
    return bool(spoken) and (heading or len(spoken) >= 2 or rest[:1].isupper())


def _width(view: View, line: Line) -> float:
    """Return the width of the column in which the line stands, in points."""
    if line.column == 0:
        return view.body.width
    same = [other for _, other in view.lines if other.column == line.column]
    return max(max(o.x1 for o in same) - min(o.x0 for o in same), 0.3 * view.body.width)


def _continues(before: Line, line: Line) -> bool:
    """Tell whether the line is the short last line of the paragraph whose line stands before it."""
    close = -0.3 * line.size < line.y0 - before.y1 < 0.5 * line.size
    level = abs(line.x0 - before.x0) < 2.5 * line.size and line.x1 <= before.x1 + 2 * line.size
    ended = before.text.rstrip().endswith(_ENDED)
    return close and level and abs(line.size - before.size) < 0.1 * before.size and not ended


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


def frame_of(ground: Ground, caption: Caption, others: Sequence[Caption]) -> Area | None:
    """Return the drawn frame that holds or touches the caption, without what lies outside it."""
    head, view = caption.area, ground.view
    barred: list[Rectangle] = [*ground.lines("provision"), *(other.area for other in others)]
    unheaded = [line for _, line in view.lines if not head.holds_middle(line)]
    beside: list[Rectangle] = [*ground.ink, *ground.pictures, *unheaded]
    best: tuple[int, float, Area] | None = None
    for frame in _frames(view):
        apart = max(frame.y0 - head.y1, head.y0 - frame.y1, 0.0)
        overlap = min(frame.x1, head.x1) - max(frame.x0, head.x0)
        if overlap < 0.8 * head.width or apart > TOUCH or any(frame.holds_middle(item) for item in barred):
            continue
        order = round(apart), -frame.width * frame.height
        filled = sum(frame.holds_middle(item, 1.0) for item in beside) > MARKS  # besides the caption
        if filled and (best is None or order < best[:2]):
            best = (*order, frame)
    if best is None:
        return None
    bands = [  # filled or ruled, in which the caption is printed
        area_of(s)
        for s in view.strokes
        if s.filled
        and s.x0 <= head.x0
        and s.x1 >= head.x1
        and s.y1 - s.y0 < 3 * head.height + 20
        and (s.y0 < head.y1 and s.y1 > (head.y0 + head.y1) / 2)
    ]
    return around([best[2], head, *bands])


def _frames(view: View) -> list[Area]:
    """Return the frames of the page: those drawn in one stroke or, without such, as two upright sides."""
    shapes = map(area_of, view.strokes)
    whole = [a for a in shapes if a.width >= FRAME[0] and FRAME[1] <= a.height < 0.97 * view.height]
    sides = [rule for rule in view.ruling.vertical if rule.length >= FRAME[1]]
    return whole + [
        pair
        for pair in between_sides(sides, LEVEL)
        if pair.width >= FRAME[0]
        and not any(abs(pair.y0 - a.y0) < LEVEL and abs(pair.y1 - a.y1) < LEVEL for a in whole)
    ]


def gap_of(ground: Ground, caption: Caption, span: tuple[float, float], side: Side) -> Area | None:
    """Return the drawing on this side of the caption, None where nothing shows one."""
    slots = _slots(ground, caption, span, side)
    shown = [place for place, slot in enumerate(slots) if _shows(ground, slot, bounded=side == "above")]
    if not shown:
        return None
    scanned = ground.view.page.trust == "ocr"
    pictured = [place for place in shown if any(map(slots[place].holds_middle, ground.pictures))]
    if scanned and pictured:
        last = pictured[0]
        for place in pictured:  # a line or two stand between two parts of a drawing
            last = place if place - last <= BETWEEN else last
        return around(slots[: last + 1])
    slot = slots[shown[0]]
    drawn = [a for a in (*ground.ink, *ground.pictures) if slot.holds_middle(a)]
    if not drawn or scanned:
        return slot
    area = grown(
        around(drawn), [line for line in ground.lines("lettering") if slot.holds_middle(line)], _near
    )
    return Area(area.x0, max(area.y0, slot.y0), area.x1, min(area.y1, slot.y1))


def grown(area: Area, lines: Iterable[Line], near: Callable[[Area, Line], bool]) -> Area:
    """Return the area with the lines that are near it, or near it with those before, one after the other."""
    waiting = list(lines)
    while joined := [line for line in waiting if near(area, line)]:
        waiting = [line for line in waiting if line not in joined]
        area = around([area, *joined])
    return area


def _near(area: Area, line: Line) -> bool:
    down = max(area.y0 - line.y1, line.y0 - area.y1, 0.0)
    across = max(area.x0 - line.x1, line.x0 - area.x1, 0.0)
    return down <= NEAR * line.size and across <= 12 * line.size


def _slots(ground: Ground, caption: Caption, span: tuple[float, float], side: Side) -> list[Area]:
    """Return the gaps between the lines of running text on this side, from the caption to the wall."""
    head, drawn = caption.area, (*ground.ink, *ground.pictures)
    walls = [w for w in ground.walls if _over(w, span)]
    lines = [
        line
        for line in ground.lines("prose")
        if _over(line, span)
        and not any(  # inside a drawn shape, as a long label of a chart
            ink.y0 < line.y0 - line.size
            and ink.y1 > line.y1 + line.size
            and ink.x0 < line.x0
            and ink.x1 > line.x1
            for ink in drawn
        )
    ]
    if side == "above":
        near, hard = head.y0, max([ground.top, *(w.y1 for w in walls if w.y1 <= head.y0 + 3)])
        ends = [(s.y1, s.y0) for s in sorted(lines, key=lambda s: s.y0, reverse=True)]
    else:
        near, hard = head.y1, min([ground.bottom, *(w.y0 for w in walls if w.y0 >= head.y1 - 3)])
        ends = [(s.y0, s.y1) for s in sorted(lines, key=lambda s: s.y0)]
    low, high = (hard, near) if side == "above" else (near, hard)
    between = [(end, begin) for end, begin in ends if low <= (begin + end) / 2 <= high]
    stretches = []
    for end, begin in between[:PASSED]:
        stretches.append((near, end))
        near = begin
    if len(between) <= PASSED:
        stretches.append((near, hard))
    return [Area(span[0], min(pair), span[1], max(pair)) for pair in stretches]


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


def _over(item: Rectangle, span: tuple[float, float]) -> bool:
    return min(item.x1, span[1]) - max(item.x0, span[0]) > min(10.0, 0.5 * (item.x1 - item.x0))


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


BOX_GAP = 16.0  # points between a caption and the frame of its drawing
BOX_LEVEL = 4.0  # points between the ends of the sides of such a frame


def captioned_box(caption: Caption) -> Area | None:
    """Return the drawn box that stands right over or under the caption, or around it."""
    ground = caption.ground
    right = min(ground.x1, caption.area.x1) - 6
    sides = [rule for rule in caption.view.ruling.vertical if rule.length > 40]
    found = (
        area
        for area in between_sides(sides, BOX_LEVEL)
        if area.x0 <= ground.x0 + 6
        and area.x1 >= right
        and (
            0 <= ground.y0 - area.y1 < BOX_GAP
            or 0 <= area.y0 - ground.y1 < BOX_GAP
            or (area.y0 < ground.y0 - 30 and abs(area.y1 - ground.y1) < 30)
        )
    )
    return min(found, key=lambda area: area.width, default=None)


SAYING = 0.7  # of the cells of a table in a figure hold words; a chart has fewer


@mechanism("figures.charts", "A chart is no table.", without=lambda tables, _figures: tables)
def without_charts(tables: Sequence[Table], figures: Sequence[Figure]) -> tuple[Table, ...]:
    """Return the tables without the charts of figures."""
    drawn = [box for figure in figures for box in figure.boxes]
    kept = []
    for table in tables:
        inside = all(any(_holds(outer, box) for outer in drawn) for box in table.boxes)
        spoken = sum(bool(cell.text.strip()) for cell in table.cells) >= SAYING * len(table.cells)
        if table.captioned or not inside or spoken:
            kept.append(table)
    return tuple(kept)


def _holds(outer: Box, inner: Box) -> bool:
    smaller = inner.x1 - inner.x0 <= outer.x1 - outer.x0 and inner.y1 - inner.y0 <= outer.y1 - outer.y0
    return smaller and in_box(inner, outer)
