"""What stands between the caption of a table and its first rule: the rest of the title, or a remark.

Rules of this module: pure geometry. Lines between a caption and a rule over the whole of it go with the
caption where they are few, each in one piece, close together, and begin where the caption begins (or stand
in its middle). They are its title, in whatever type they are set, unless they are a sentence or too many:
those stay in the text. Either way they are no rows of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.caption_start import match
from appliance.ingest.captions import Caption, spread
from appliance.ingest.cells import paragraph, rows_of
from appliance.ingest.page import Line
from appliance.ingest.rules import Area
from appliance.ingest.view import View

LINES = 3  # of a title after those that the caption was read with
REMARK = 6  # lines of a remark
CLOSE = 2.0  # type sizes of white between two of its lines, and between the last and the rule
ALIGNED = 3.0  # points
LEAST = 60.0  # points: length of a rule
COVER = 0.9  # of the caption's width that the rule covers
_ENDS = (".", ":", ";", ",")


def grown(caption: Caption) -> Caption | None:
    """Return the caption down to the rule under it, with all lines of its title; None where it ends there."""
    view, area = caption.view, caption.area
    rule = _rule_below(view, area)
    if rule is None or caption.band is not None:
        return None
    between = [(index, line) for index, line in view.lines if _is_between(line, area, rule)]
    between.sort(key=lambda item: item[1].y0)
    lines = [line for _, line in between]
    if not 1 <= len(lines) <= REMARK or not _go_together(lines, area, rule):
        return None
    rows = rows_of([word for line in lines for word in line.words])
    if any(len(row.fragments) > 1 for row in rows) or any(spread(line) for line in lines):
        return None
    x0, x1 = min(area.x0, *(line.x0 for line in lines)), max(area.x1, *(line.x1 for line in lines))
    longer = replace(caption, area=Area(x0, area.y0, x1, lines[-1].y1))
    if len(lines) > LINES or lines[-1].text.rstrip().endswith(_ENDS):
        return longer
    return replace(
        longer,
        title=f"{caption.title} {paragraph(rows)}".strip(),
        lines=(*caption.lines, *(index for index, _ in between)),
    )


def _is_between(line: Line, area: Area, rule: Area) -> bool:
    return area.y1 - 2 < line.y0 and line.y1 <= rule.y0 + 2 and line.x0 < rule.x1 and line.x1 > rule.x0


def _go_together(lines: Sequence[Line], area: Area, rule: Area) -> bool:
    """Tell whether lines stand close under a caption, as it does, and down to the rule; none is a caption."""
    bottoms = [area.y1, *(line.y1 for line in lines)]
    tops = [*(line.y0 for line in lines), rule.y0]
    gaps = [top - bottom for bottom, top in zip(bottoms, tops, strict=True)]
    middle = area.x0 + area.x1
    return max(gaps) <= CLOSE * lines[0].size and all(
        (abs(line.x0 - area.x0) < ALIGNED or abs(line.x0 + line.x1 - middle) < 2 * ALIGNED)
        and not match(line.text, {}, noisy=False)
        for line in lines
    )


def _rule_below(view: View, area: Area) -> Area | None:
    """Return the first rule, or edge of a fill, under a caption and over its whole width, as a flat area."""
    edges = [Area(rule.start, rule.at, rule.end, rule.at) for rule in view.ruling.horizontal]
    edges += [Area(fill.x0, fill.y0, fill.x1, fill.y0) for fill in view.ruling.fills]
    under = [edge for edge in edges if edge.y0 > area.y1 and _covers(edge, area)]
    return min(under, key=lambda edge: edge.y0, default=None)


def _covers(edge: Area, area: Area) -> bool:
    shared = min(edge.x1, area.x1) - max(edge.x0, area.x0)
    return edge.width >= LEAST and shared >= COVER * area.width
