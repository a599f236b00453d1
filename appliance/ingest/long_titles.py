"""Titles of tables that go on to the first rule of the table, in whatever type they are set.

Rules of this module: pure geometry; asked only where no table was found under a caption as it was read. The
lines between a caption and a rule over the whole of it are its title where they are few, each in one piece,
close together, begin where the caption begins (or stand in its middle), and are no sentence: a sentence
belongs to the text, and then the caption has no table.
"""

from __future__ import annotations

from dataclasses import replace

from appliance.ingest.caption_start import match
from appliance.ingest.captions import Caption
from appliance.ingest.cells import paragraph, rows_of
from appliance.ingest.rules import Area
from appliance.ingest.view import View

LINES = 3  # of a title after those that the caption was read with
CLOSE = 2.0  # type sizes of white between two of its lines, and between the last and the rule
ALIGNED = 3.0  # points
LEAST = 60.0  # points: length of a rule
COVER = 0.9  # of the caption's width that the rule covers
_ENDS = (".", ":", ";", ",")


def grown(caption: Caption) -> Caption | None:
    """Return the caption with the lines down to the rule under it, None where they are no title."""
    view, area = caption.view, caption.area
    rule = _rule_below(view, area)
    if rule is None or caption.band is not None:
        return None
    between = [
        (index, line) for index, line in view.lines if area.y1 - 2 < line.y0 and line.y1 <= rule.y0 + 2
    ]
    between = [(at, line) for at, line in between if line.x0 < rule.x1 and line.x1 > rule.x0]
    between.sort(key=lambda item: item[1].y0)
    lines = [line for _, line in between]
    if not 1 <= len(lines) <= LINES or lines[-1].text.rstrip().endswith(_ENDS):
        return None
    bottoms = [area.y1, *(line.y1 for line in lines)]
    tops = [*(line.y0 for line in lines), rule.y0]
    size = lines[0].size
    close = all(top - bottom <= CLOSE * size for bottom, top in zip(bottoms, tops, strict=True))
    if not close or any(match(line.text, {}, noisy=False) for line in lines):
        return None
    middle = area.x0 + area.x1
    if not all(
        abs(line.x0 - area.x0) < ALIGNED or abs(line.x0 + line.x1 - middle) < 2 * ALIGNED for line in lines
    ):
        return None
    rows = rows_of([word for line in lines for word in line.words])
    if any(len(row.fragments) > 1 for row in rows):
        return None
    return replace(
        caption,
        title=f"{caption.title} {paragraph(rows)}".strip(),
        lines=(*caption.lines, *(index for index, _ in between)),
        area=Area(
            min(area.x0, *(line.x0 for line in lines)),
            area.y0,
            max(area.x1, *(line.x1 for line in lines)),
            lines[-1].y1,
        ),
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
