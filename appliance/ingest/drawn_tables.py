"""Where tables may stand on scanned pages that no caption of a table names: to be read a second time.

Rules of this module: pure geometry in points. Such tables are captioned as figures, stand inside a drawing,
or their caption was lost with the noise of the layer; their layer is as bad as that of any table, and what
it says of them decides nothing here. An area reaches over the lines above and below it, where the caption
is; a chart, with many rules in both directions, is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from appliance.document import Table
from appliance.ingest.loose_grids import SMALLEST, nets
from appliance.ingest.page import PageLayout, place_of
from appliance.ingest.rules import Area
from appliance.ingest.small_grids import open_grids
from appliance.ingest.view import View, views

LINES = 30.0  # points above and below: two lines in which a caption may stand
BESIDE = 12.0  # points at the sides
LONG = 0.6  # of the width or height of a net: a rule of a chart
CHART = 7  # levels of such rules in both directions, from which a net is that of a chart
LEVEL = 4.0  # points between two levels


def drawn_tables(layouts: Sequence[PageLayout], tables: Sequence[Table]) -> dict[int, tuple[Area, ...]]:
    """Return the areas by page; `tables` are those that were found, the captioned ones are left out."""
    found: dict[int, tuple[Area, ...]] = {}
    for layout in layouts:
        page = layout.content
        if page.trust == "ocr" and not page.turned:
            named = [
                Area(*place_of(page, box))
                for table in tables
                if table.captioned
                for box in table.boxes
                if box.page == page.number
            ]
            areas = tuple(area for view in views(layout) for area in _areas(view, named))
            found |= {page.number: areas} if areas else {}
    return found


def core_of(area: Area) -> Area:
    """Return the rules of such an area without the lines above and below it."""
    return Area(area.x0 + BESIDE, area.y0 + LINES - LEVEL, area.x1 - BESIDE, area.y1 - LINES + LEVEL)


def _areas(view: View, named: Collection[Area]) -> Iterator[Area]:
    """Yield the areas of one reading direction, those within each other once."""
    if view.turn != "none":
        return
    whole = [net for net in nets(view) if net.width >= SMALLEST[0] and not _is_chart(view, net)]
    areas = sorted((*whole, *(area for area, _ in open_grids(view))), key=lambda a: -a.width * a.height)
    for at, area in enumerate(areas):
        if not any(_overlap(area, other) for other in (*areas[:at], *named)):
            yield Area(
                max(0.0, area.x0 - BESIDE),
                max(0.0, area.y0 - LINES),
                min(view.width, area.x1 + BESIDE),
                min(view.height, area.y1 + LINES),
            )


def _is_chart(view: View, net: Area) -> bool:
    inside = view.ruling.within(net)
    across = [rule.at for rule in inside.horizontal if rule.length > LONG * net.width]
    down = [rule.at for rule in inside.vertical if rule.length > LONG * net.height]
    return _levels(across) >= CHART and _levels(down) >= CHART


def _levels(places: Sequence[float]) -> int:
    ordered = sorted(places)
    return sum(not at or place - ordered[at - 1] > LEVEL for at, place in enumerate(ordered))


def _overlap(one: Area, other: Area) -> bool:
    return one.x0 < other.x1 and one.x1 > other.x0 and one.y0 < other.y1 and one.y1 > other.y0
