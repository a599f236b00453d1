"""The drawn box that a figure and its caption stand in.

Rules of this module: pure geometry in points; a frame is a pair of upright rules of the same length
beside the caption, closed by a rule or a filled band.
"""

from __future__ import annotations

from appliance.ingest.captions import Caption
from appliance.ingest.rules import Area
from appliance.ingest.view import View

FRAME = 16.0  # points between a caption and the frame of its drawing


def frame_of(caption: Caption) -> Area | None:
    """Return the drawn box that stands right over or under the caption, or around it."""
    ground = caption.ground
    rules = [r for r in caption.view.ruling.vertical if r.length > 40]
    left = [r for r in rules if r.at <= ground.x0 + 6]
    right = [r for r in rules if r.at >= min(ground.x1, caption.area.x1) - 6]
    best: Area | None = None
    for a in left:
        for b in right:
            if b.at - a.at < 60 or abs(a.start - b.start) > 4 or abs(a.end - b.end) > 4:
                continue
            beside = (
                0 <= ground.y0 - a.end < FRAME
                or 0 <= a.start - ground.y1 < FRAME
                or (a.start < ground.y0 - 30 and abs(a.end - ground.y1) < 30)
            )
            area = Area(a.at, a.start, b.at, a.end)
            if beside and _closed(caption.view, area) and (best is None or area.width < best.width):
                best = area
    return best


def _closed(view: View, area: Area) -> bool:
    """Tell whether a rule or a filled band ends the box above or below."""
    ends = [
        r
        for r in view.ruling.horizontal
        if r.length > 0.8 * area.width and min(abs(r.at - area.y0), abs(r.at - area.y1)) < FRAME
    ]
    fills = [f for f in view.ruling.fills if f.width > 0.9 * area.width and abs(f.y0 - area.y1) < FRAME]
    return bool(ends or fills)
