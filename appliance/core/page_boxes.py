"""Frames around what is cited on a page: boxes of lines joined, nothing between them enclosed; what meets."""

from __future__ import annotations

from collections.abc import Iterable

from appliance.core.document import Box

LINE_GAP = 0.013  # of the page height: lines of one paragraph stand closer than this
LINE_SHARE = 0.9  # of the lower of two lines: where the gap is wider, something may stand between them
TOUCHING = 0.005  # of the page height: parts of one line, however low they are
ROW_EDGE = 0.004  # of the page height: cells of one row begin and end on the same lines
CELL_GAP = 0.004  # of the page width: columns of text stand farther apart
PADDING = 0.002  # of the page, at most, around a frame, so that it does not touch the letters
PADDING_SHARE = 0.15  # of the height of the lowest box in a frame, at most


def in_box(small: Box, large: Box) -> bool:
    """Tell whether the middle of a box lies in another of the same page."""
    x, y = (small.x0 + small.x1) / 2, (small.y0 + small.y1) / 2
    return small.page == large.page and large.x0 <= x <= large.x1 and large.y0 <= y <= large.y1


def frames(boxes: Iterable[Box], *, cells: bool = False) -> tuple[Box, ...]:
    """Return the boxes of one page, those of neighbouring lines of one column joined, padded; cells sideways.

    A box without width or height is left out: a wrong frame is worse than none.
    """
    sound = (box for box in boxes if box.x0 < box.x1 and box.y0 < box.y1)
    left = sorted(sound, key=lambda box: (box.y0, box.x0))
    found: list[Box] = []
    while left:
        frame = left.pop(0)
        lowest = frame.y1 - frame.y0
        while near := next((box for box in left if _adjoin(frame, box, lowest)), None):
            left.remove(near)
            lowest = min(lowest, near.y1 - near.y0)
            frame = union(frame, near)
        across = min(PADDING, PADDING_SHARE * lowest)
        down = 0.0 if cells else across
        x0, y0 = max(0.0, frame.x0 - across), max(0.0, frame.y0 - down)
        found.append(Box(frame.page, x0, y0, min(1.0, frame.x1 + across), min(1.0, frame.y1 + down)))
    return tuple(found)


def union(one: Box, other: Box) -> Box:
    """Return the smallest box about both."""
    x0, y0 = min(one.x0, other.x0), min(one.y0, other.y0)
    return Box(one.page, x0, y0, max(one.x1, other.x1), max(one.y1, other.y1))


def widened(low: float, high: float, least: float) -> tuple[float, float]:
    """Return the interval grown to `least` about its middle and moved inside 0..1."""
    grow = max(0.0, least - (high - low)) / 2
    low, high = low - grow, high + grow
    if low < 0:
        low, high = 0.0, min(1.0, high - low)
    if high > 1:
        low, high = max(0.0, low - (high - 1)), 1.0
    return low, high


def meet(one: Box, other: Box) -> bool:
    """Tell whether the middle of one box stands in the other."""
    return in_box(one, other) or in_box(other, one)


def _adjoin(one: Box, other: Box, lowest: float) -> bool:
    """Tell whether two boxes are lines of one column, or cells of one row that touch."""
    if abs(one.y0 - other.y0) <= ROW_EDGE and abs(one.y1 - other.y1) <= ROW_EDGE:
        apart = max(one.x0, other.x0) - min(one.x1, other.x1)
        if apart <= CELL_GAP:
            return True
    gap = max(one.y0, other.y0) - min(one.y1, other.y1)
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    narrower = min(one.x1 - one.x0, other.x1 - other.x0)
    line = min(lowest, other.y1 - other.y0)
    near = max(TOUCHING, min(LINE_GAP, LINE_SHARE * line))
    return gap <= near and shared >= 0.3 * narrower
