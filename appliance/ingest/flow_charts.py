"""Lettering in the boxes of a flow chart: it names provisions that stand elsewhere and opens none.

Rules of this module: pure geometry in points. A flow chart is three or more boxes drawn round, each about a
few words, with something drawn in the gap from one to the next below it; cells of a grid touch, panels of
headings are wide, and neither is linked. What begins between its linked boxes is its lettering, too. Only the
numbers lose their power: the words stay in the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ingest.page import Line, PageLayout, Stroke, Word

FEWEST = 3  # boxes of a chart
LINKS = 2  # gaps between them with something drawn in it
NARROW = 0.6  # of the page's width: a box; a wider one is a panel of text
SIZE = (20.0, 10.0)  # points: width and height of the smallest box
TALL = 90.0  # points: the tallest
GAP = (3.0, 60.0)  # points between two boxes that are linked
EDGE = 1.5  # points by which a word may overlap its box

Box = tuple[float, float, float, float]


def charted(layout: PageLayout) -> frozenset[int]:
    """Return the lines (index in the layout) that begin in a flow chart."""
    boxes = _boxes(layout)
    if len(boxes) < FEWEST:
        return frozenset()
    held = {box for line in layout.lines for box in _held(line, boxes)}
    links = _links(sorted(held, key=lambda box: box[1]), layout)
    used = sorted({box for link in links for box in link}, key=lambda box: box[1])
    if len(used) < FEWEST or len(links) < LINKS:
        return frozenset()
    x0, y0 = min(box[0] for box in used), used[0][1]
    x1, y1 = max(box[2] for box in used), max(box[3] for box in used)
    lines = enumerate(layout.lines)
    return frozenset(at for at, line in lines if x0 <= line.x0 <= x1 and y0 <= line.y0 <= y1)


def _boxes(layout: PageLayout) -> list[Box]:
    """Return the drawn boxes of a page but the cells of grids, which touch one another.

    Of two that lie in one another (a double border) it is the outer one.
    """
    found: list[Box] = []
    drawn = (stroke for stroke in layout.content.strokes if _is_box(stroke, layout.content.width))
    for stroke in sorted(drawn, key=lambda one: (one.x0 - one.x1) * (one.y1 - one.y0)):
        box = (stroke.x0, stroke.y0, stroke.x1, stroke.y1)
        if not any(_overlap(box, other) for other in found):
            found.append(box)
    return [box for box in found if not any(_touch(box, other) for other in found if other is not box)]


def _is_box(stroke: Stroke, page: float) -> bool:
    width, height = stroke.x1 - stroke.x0, stroke.y1 - stroke.y0
    return (
        stroke.stroked
        and stroke.kind != "line"
        and SIZE[0] <= width <= NARROW * page
        and SIZE[1] <= height <= TALL
    )


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _touch(one: Box, other: Box) -> bool:
    """Tell whether two boxes stand side by side, or on one another, without a gap between them."""
    return (
        one[0] - EDGE <= other[2]
        and other[0] - EDGE <= one[2]
        and one[1] - EDGE <= other[3]
        and other[1] - EDGE <= one[3]
    )


def _held(line: Line, boxes: Sequence[Box]) -> frozenset[Box]:
    """Return the boxes that hold the words of a line; none where a word stands in no box."""
    found = set()
    for word in line.words:
        box = next((box for box in boxes if _within(word, box)), None)
        if box is None:
            return frozenset()
        found.add(box)
    return frozenset(found)


def _within(word: Word, box: Box) -> bool:
    return (
        box[0] - EDGE <= word.x0
        and word.x1 <= box[2] + EDGE
        and box[1] - EDGE <= word.y0
        and word.y1 <= box[3] + EDGE
    )


def _links(boxes: Sequence[Box], layout: PageLayout) -> list[tuple[Box, Box]]:
    """Return the boxes with one below them and something drawn, no box itself, in the gap between both."""
    drawn = [one for one in layout.content.strokes if not _is_box(one, layout.content.width)]
    found = []
    for at, upper in enumerate(boxes):
        lower = next((box for box in boxes[at + 1 :] if _is_below(box, upper)), None)
        if lower is not None and GAP[0] <= lower[1] - upper[3] <= GAP[1]:
            found += [(upper, lower)] if any(_in_gap(stroke, upper, lower) for stroke in drawn) else []
    return found


def _is_below(box: Box, upper: Box) -> bool:
    return min(upper[2], box[2]) > max(upper[0], box[0]) and box[1] >= upper[3] - EDGE


def _in_gap(stroke: Stroke, upper: Box, lower: Box) -> bool:
    """Tell whether something is drawn between two boxes, under the one and over the other."""
    return (
        upper[3] - EDGE <= stroke.y0
        and stroke.y1 <= lower[1] + EDGE
        and stroke.y1 - stroke.y0 >= GAP[0]
        and max(upper[0], lower[0]) <= stroke.x0
        and stroke.x1 <= min(upper[2], lower[2])
    )
