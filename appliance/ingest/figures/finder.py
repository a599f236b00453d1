"""Figures and diagrams: each caption with the drawing that belongs to it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.core.document import Box, Figure, Label, Problem
from appliance.core.mechanisms import mechanism
from appliance.ingest.figures.regions import (
    NEAR,
    Ground,
    LineKind,
    Side,
    frame_of,
    gap_of,
    grown,
    in_key,
    kinds_of,
    span_of,
)
from appliance.ingest.page import (
    THIN,
    WHITE,
    Area,
    Found,
    Line,
    PageLayout,
    Place,
    Rectangle,
    Word,
    area_of,
    around,
    place_of,
)
from appliance.ingest.structure.captions import Caption, Style, body_style, find_captions
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.view import View, views

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
    by_view: dict[int, list[Caption]] = defaultdict(list)
    for caption in find_captions(seen, scheme.captions):
        by_view[id(caption.view)].append(caption)
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
        figures.append(Figure(Label((caption.label,)), caption.title, held, (box,)))
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


LEADING = 0.55  # type sizes between the lines of one label, at most
_SIGNS = re.compile(r"[^\W_]", re.UNICODE)
_NOISE = 0.5  # share of letters and digits under which a word is a drawing misread as text
_LONG = 3  # signs; a shorter word may be a sign of its own ("±", "<=")


def lettering(words: Iterable[Word]) -> str:
    """Return the words as labels, one to a line."""
    readable = []
    for word in words:
        signs, short = len(_SIGNS.findall(word.text)), len(word.text) < _LONG
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
    return "\n".join(text for text in texts if _SIGNS.search(text))


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
    return -0.5 * size < gap < LEADING * size and beside and alike and placed and spoken


@mechanism(
    "figures.axis_labels",
    "The lettering along the axes belongs to a figure.",
    without=lambda area, _aside: area,
)
def with_axis_labels(area: Area, aside: Sequence[Line]) -> Area:
    """Return the area of a drawing with the lines beside it that run up or down, one after the other."""
    level = [line for line in aside if area.y0 - line.size <= line.y0 and line.y1 <= area.y1 + line.size]
    return grown(
        area, level, lambda area, line: max(area.x0 - line.x1, line.x0 - area.x1) <= NEAR * line.size
    )
