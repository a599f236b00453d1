"""Figures: captions with their drawings, which stand in a frame or between the lines of text around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from appliance.core.document import Box, Figure, Label, Problem
from appliance.core.mechanisms import mechanism
from appliance.core.runs import grouped
from appliance.ingest.formulas.text import number_of
from appliance.ingest.page import (
    THIN,
    WHITE,
    Area,
    Found,
    Line,
    PageLayout,
    Place,
    Rectangle,
    View,
    Word,
    area_of,
    around,
    between_sides,
    place_of,
    views,
)
from appliance.ingest.structure.captions import Caption, Style, body_style, find_captions
from appliance.ingest.structure.schemes import Level, Scheme
from appliance.ingest.structure.sequence import CJK, starts_upper
from appliance.ingest.structure.series import forms_of
from appliance.ingest.tables.cells import Row, rows_of, text_of

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
    if line.size < SMALL * usual[2] / 2 or line.x1 - line.x0 < PROSE_WIDTH * width:
        return False
    words = line.text.split()
    spoken = sum(max(bool(_WORD.search(word)), len(_SIGNS.findall(word))) for word in words)
    if spoken < PROSE_WORDS or sum(bool(_PLAIN.match(word)) for word in words) < 0.85 * len(words):
        return False
    signs = "".join(words)
    if sum(char.isalnum() for char in signs) < CLEAN * len(signs):
        return False
    gaps = sum(b.x0 - a.x1 > 1.8 * line.size for a, b in zip(line.words, line.words[1:], strict=False))
    return gaps <= 1 and 2 * sum(bool(_SHORT.search(word)) for word in words) >= len(words)


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


MARGIN = 0.15  # of the page's height, in which running heads and feet stand
GROUND = 0.85  # of the page's width and height: a larger stroke or picture is its ground
SHEET = 0.8  # of the page's height and width: a picture that large is the scan itself
SPECK = 12.0  # points: a smaller picture is a sign of the text
SIDES: tuple[Side, ...] = ("above", "below")
PAD = 2.0  # points of air in a box
SHARE = 0.6  # of a line's words in the area that make the line part of it


@dataclass(frozen=True)
class _Claim:
    """A caption with its drawing: `frame`, once decided, else one of those on its `sides`."""

    caption: Caption
    ground: Ground
    frame: Area | None
    sides: Mapping[Side, Area]


def find_figures(layouts: Sequence[PageLayout], scheme: Scheme, taken: Collection[Place]) -> Found[Figure]:
    """Return the captioned figures in document order; `taken` are the lines of tables."""
    pages = {layout.content.number: layout for layout in layouts}
    seen = [view for layout in layouts for view in views(layout)]
    by_view = grouped((id(caption.view), caption) for caption in find_captions(seen, scheme.captions))
    usual = body_style(seen)
    claims: list[_Claim] = []
    for group in by_view.values():
        if any(caption.kind == "figure" for caption in group):
            claims += _claims(_ground(pages[group[0].page], group, scheme, usual, taken), group)
    figures: list[Figure] = []
    used: set[Place] = set()
    problems: list[Problem] = []
    for claim in _sided(claims):
        caption, ground = claim.caption, claim.ground
        drawn = [with_axis_labels(claim.frame, ground.aside)] if claim.frame else []
        area = around([*drawn, caption.area])
        # a little air, but none where the running text around it stands
        text = [line for kind in ("provision", "prose") for line in ground.lines(kind)]
        beside = [line for line in text if line.x0 < area.x1 and line.x1 > area.x0]
        top = max([area.y0 - PAD, *(line.y1 for line in beside if line.y1 < area.y0 + PAD)])
        bottom = min([area.y1 + PAD, *(line.y0 for line in beside if line.y0 > area.y1 - PAD)])
        box = ground.view.box(Area(area.x0 - PAD, top, area.x1 + PAD, bottom))
        held, lines = _held(claim, box, pages[caption.page])
        used |= {(caption.page, index) for index in lines}
        if claim.frame is None:
            problems.append(Problem(f"No drawing was found for {caption.label}.", caption.page, box))
        figure = Figure(Label((caption.label,)), caption.title, held, (box,))
        last = figures[-1] if figures else None
        if last and (last.label, last.title) == (figure.label, figure.title):  # it goes on, here or overleaf
            lettering = "\n".join(filter(None, (last.text, held)))
            figures[-1] = replace(last, text=lettering, boxes=(*last.boxes, box))
        else:
            figures.append(figure)
    return Found(tuple(figures), frozenset(used), tuple(problems))


def _ground(
    layout: PageLayout, captions: Sequence[Caption], scheme: Scheme, usual: Style, taken: Collection[Place]
) -> Ground:
    """Return the page as figures see it."""
    view = captions[0].view
    own = {index for caption in captions for index in caption.lines}
    begins = {word.casefold() for word in scheme.captions.get("key", ())}
    kinds: dict[int, LineKind] = {**kinds_of(view, scheme, usual), **dict.fromkeys(own, "lettering")}
    for caption in captions:
        keys = in_key(view, caption.lines[0], own, kinds, begins) if caption.kind == "figure" else []
        kinds |= dict.fromkeys(keys, "lettering")
    number, margin = layout.content.number, MARGIN * view.height
    tables = [area_of(line) for index, line in view.lines if (number, index) in taken]
    provisions = [area_of(line) for index, line in view.lines if kinds[index] == "provision"]
    top, bottom = 0.4 * margin, view.height - 0.4 * margin
    aside: list[Line] = []
    if view.turn == "none":
        heads = [line.y1 for line in layout.margins if line.upright and line.y1 < margin]
        feet = [line.y0 for line in layout.margins if line.upright and line.y0 > view.height - margin]
        top, bottom = max(heads, default=top), min(feet, default=bottom)
        numbered = enumerate(layout.lines)
        aside = [line for at, line in numbered if not line.upright and (number, at) not in taken]
    walls = (*provisions, *tables, *(caption.area for caption in captions))
    ink, pictures = _ink(view, top, bottom), _pictures(view, kinds)
    return Ground(view, kinds, ink, pictures, walls, top, bottom, tuple(aside))


def _ink(view: View, top: float, bottom: float) -> tuple[Area, ...]:
    """Return what is drawn between the running heads and feet, without the ground of the page."""
    drawn = []
    for s in view.strokes:
        inside = s.y1 > top and s.y0 < bottom
        unseen = s.filled and not s.stroked and s.colour == WHITE
        # the rule under a running head or over a foot
        near_edge = min(s.y1, view.height - s.y0) < MARGIN * view.height
        edge_rule = near_edge and s.y1 - s.y0 < THIN and s.x1 - s.x0 > 0.9 * view.body.width
        if inside and not unseen and not edge_rule and not _is_ground(view, s):
            drawn.append(area_of(s))
    return tuple(drawn)


def _pictures(view: View, kinds: Mapping[int, LineKind]) -> tuple[Area, ...]:
    """Return the pictures that show something: not the scan of the page, nothing under running text.

    In a scan a drawing may well hold a long label that reads as running text, but no provision.
    """
    scanned = view.page.trust == "ocr"
    barred = ("provision",) if scanned else ("provision", "prose")
    text = [line for index, line in view.lines if kinds[index] in barred]
    shown = []
    for area in map(area_of, view.pictures):
        covers = any(area.holds_middle(line) for line in text)
        scan = scanned and area.height > SHEET * view.height and area.width > SHEET * view.width
        if not covers and not scan and not _is_ground(view, area) and area.width > SPECK < area.height:
            shown.append(area)
    return tuple(shown)


def _is_ground(view: View, item: Rectangle) -> bool:
    wide = item.x1 - item.x0 > GROUND * view.width
    return wide and (item.y1 - item.y0 > GROUND * view.height or item.x1 - item.x0 > 0.97 * view.width)


def _claims(ground: Ground, captions: Sequence[Caption]) -> list[_Claim]:
    """Return the figures of a page with all the areas that they may have."""
    claims = []
    for caption in (c for c in captions if c.kind == "figure"):
        others = [c for c in captions if c is not caption]
        frame = frame_of(ground, caption, [o for o in others if not _is_part(o, caption)])
        sides: dict[Side, Area] = {}
        if frame is None:
            span = span_of(ground, caption, others)
            drawings = ((side, gap_of(ground, caption, span, side)) for side in SIDES)
            sides = {side: drawing for side, drawing in drawings if drawing is not None}
        claims.append(_Claim(caption, ground, frame, sides))
    return [  # without those of parts of a framed figure that stand in its frame
        claim
        for claim in claims
        if not any(
            other.frame is not None
            and _is_part(claim.caption, other.caption)
            and other.frame.holds_middle(claim.caption.area)
            for other in claims
        )
    ]


def _is_part(part: Caption, whole: Caption) -> bool:
    """Tell whether the caption names a part of the other's figure ("3.5A" in "3.5")."""
    number, of = part.label.rpartition(" ")[2], whole.label.rpartition(" ")[2]
    return number.startswith(of) and number[len(of) :].isalpha()


def _sided(claims: Sequence[_Claim]) -> list[_Claim]:
    """Decide on which side of its caption each figure stands: where most of the document's only can.

    The drawing on the other side is taken where there is no usual one, and it is no other caption's.
    """
    votes: Counter[Side] = Counter()
    for claim in claims:
        votes.update(dict.fromkeys(claim.sides, 2 if len(claim.sides) == 1 else 1))
    usual: Side = "below" if votes["below"] > votes["above"] else "above"
    decided = [replace(claim, frame=claim.frame or claim.sides.get(usual)) for claim in claims]
    done = []
    for claim in decided:
        same = [c.frame for c in decided if c.frame and c.caption.view is claim.caption.view]
        free = (area for area in claim.sides.values() if not any(other.holds_middle(area) for other in same))
        done.append(claim if claim.frame else replace(claim, frame=next(free, None)))
    return done


def _held(claim: _Claim, box: Box, layout: PageLayout) -> tuple[str, set[int]]:
    """Return the lettering inside the drawing, what is turned against it last, and the lines of its own."""
    own, head = claim.caption.lines, claim.caption.area
    area = Area(*place_of(layout.content, box))
    seen = dict(claim.ground.view.lines)
    words: list[Word] = []
    turned: list[str] = []
    lines = {index for index in own if _is_in(seen[index], head)}  # that hold little besides the caption
    for index, line in enumerate(layout.lines):
        kind = claim.ground.kinds.get(index)
        if index in own or kind == "provision" or claim.frame is None or not _is_in(line, area):
            continue
        lines.add(index)
        if index in seen:
            words += seen[index].words
        else:
            turned.append(line.text)
    return "\n".join(filter(None, (lettering(words), *turned))), lines


def _is_in(line: Line, area: Area) -> bool:
    return sum(area.holds_middle(w, 1.0) for w in line.words) >= SHARE * len(line.words)


LABEL_LEADING = 0.55  # type sizes between the lines of one label, at most
_READABLE = re.compile(r"[^\W_]", re.UNICODE)
_NOISE = 0.5  # share of letters and digits under which a word is a drawing misread as text
_LONG = 3  # signs; a shorter word may be a sign of its own ("±", "<=")


def lettering(words: Iterable[Word]) -> str:
    """Return the words as labels, one to a line."""
    readable = []
    for word in words:
        signs, short = len(_READABLE.findall(word.text)), len(word.text) < _LONG
        if signs >= _NOISE * len(word.text) or (short and len(set(word.text)) == len(word.text)):
            readable.append(word)
    labels: list[list[Row]] = []
    for row in rows_of(readable):
        for fragment in row.fragments:
            home = next((label for label in reversed(labels) if _under(label[-1], fragment)), None)
            if home is None:
                labels.append([fragment])
            else:
                home.append(fragment)
    texts = (" ".join(text_of(fragment.words) for fragment in label) for label in labels)
    return "\n".join(text for text in texts if _READABLE.search(text))


def _under(upper: Row, lower: Row) -> bool:
    """Tell whether the lower run is the next line of the label that ends with the upper one."""
    size = upper.words[0].size
    gap = lower.y0 - upper.y1
    shared = min(upper.x1, lower.x1) - max(upper.x0, lower.x0)
    beside = shared >= 0.5 * min(upper.x1 - upper.x0, lower.x1 - lower.x0)
    alike = abs(lower.words[0].size - size) < 0.15 * size
    placed = (
        abs(upper.x0 - lower.x0) < size
        or abs(upper.x1 - lower.x1) < size
        or abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) < 2 * size
    )
    spoken = any(char.isalpha() for word in (*upper.words, *lower.words) for char in word.text)
    return -0.5 * size < gap < LABEL_LEADING * size and beside and alike and placed and spoken


@mechanism("figures.axis_labels", without=lambda area, _aside: area)
def with_axis_labels(area: Area, aside: Sequence[Line]) -> Area:
    """Return the area of a drawing with the lines beside it that run up or down, one after the other."""
    level = [line for line in aside if area.y0 - line.size <= line.y0 and line.y1 <= area.y1 + line.size]
    return grown(
        area, level, lambda area, line: max(area.x0 - line.x1, line.x0 - area.x1) <= NEAR * line.size
    )
