"""Where the table of each caption stands: under it, over it, or at the head of the next column or page.

Rules of this module: pure geometry; no area goes to two captions. What stands under a caption is its own;
a grid over one is so only where no other caption stands over that; a caption with nothing but footnotes
under it in its column takes the table that begins the next one, or the next page. Where both would do, the
other captions of the document tell which; where they do not, the caption has no table, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.ingest.captions import Caption, Style
from appliance.ingest.long_titles import grown
from appliance.ingest.regions import area_above, area_below
from appliance.ingest.rules import Area
from appliance.ingest.view import View

FRAME = 14.0  # points over the first line of a page in which the table's first rule stands
SMALL = 0.95  # of the size of the text: footnotes of the page are smaller
SLACK = 4.0  # points by which a caption may hang out of its column
SAME = 0.8  # of the larger of two areas: they are one


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A caption with the page and the area of its table, None where it has none."""

    caption: Caption
    view: View
    area: Area | None
    away: bool = False  # at the head of the next column


def table_places(
    captions: Sequence[Caption], seen: Sequence[View], usual: Style, notes: Sequence[str]
) -> list[TablePlace]:
    """Return the place of the table of each caption of a table, in their order."""
    tables = [caption for caption in captions if caption.kind == "table"]
    under = _nearest([_under(c, captions, usual, notes) for c in tables])
    owned = [(c.view, area) for c, area in under if area is not None]
    over = {}
    for caption in (c for c, area in under if area is None):
        area = area_above(caption, captions, usual)
        if area is not None and not any(v is caption.view and _overlap(area, o) for v, o in owned):
            over[id(caption)] = area
    places = []
    for caption, area in under:
        place = TablePlace(caption, caption.view, area)
        if area is None:
            leaf = _in_next_column(caption, captions, usual, notes)
            leaf = leaf or _overleaf(caption, captions, seen, usual, notes)
            place = _chosen(
                caption, over.get(id(caption)), leaf, len(owned) - len(over.keys() - {id(caption)})
            )
        places.append(place)
    return places


def _under(
    caption: Caption, captions: Sequence[Caption], usual: Style, notes: Sequence[str]
) -> tuple[Caption, Area | None]:
    """Return the caption, with all lines of its title, and the area of the table under it."""
    area, longer = area_below(caption, captions, usual, notes), grown(caption)
    below = area_below(longer, captions, usual, notes) if longer is not None else None
    if longer is None or below is None or (area is not None and below.y1 < area.y1 - FRAME):
        return caption, area
    return longer, below


def _nearest(found: list[tuple[Caption, Area | None]]) -> list[tuple[Caption, Area | None]]:
    """Return the places under the captions, one that two would have left to the nearer one."""
    result: list[tuple[Caption, Area | None]] = []
    for caption, area in found:
        rivals = [
            other
            for other, its in found
            if other is not caption
            and other.view is caption.view
            and area is not None
            and its is not None
            and _is_same(area, its)
        ]
        lost = area is not None and any(_far(other, area) <= _far(caption, area) for other in rivals)
        result.append((caption, None if lost else area))
    return result


def _chosen(caption: Caption, over: Area | None, leaf: TablePlace | None, habit: int) -> TablePlace:
    """Return the place of a table that does not stand under its caption; `habit` > 0: others do."""
    if leaf is not None and (over is None or habit > 0):
        return leaf
    if over is not None and (leaf is None or habit < 0):
        return TablePlace(caption, caption.view, over)
    return TablePlace(caption, caption.view, None)


def _in_next_column(
    caption: Caption, captions: Sequence[Caption], usual: Style, notes: Sequence[str]
) -> TablePlace | None:
    """Return the table that begins the next column, where nothing but footnotes stands under the caption."""
    view = caption.view
    columns = _columns(view)
    own = next((at for at, (x0, x1) in columns.items() if x0 - SLACK <= caption.area.x0 < x1), None)
    if own is None or own + 1 not in columns or not columns[own][1] < columns[own + 1][0]:
        return None
    below = [
        line
        for index, line in view.lines
        if line.y0 > caption.ground.y1 - 1 and line.x0 < columns[own][1] and index not in caption.lines
    ]
    if any(line.size >= SMALL * usual[2] / 2 for line in below):
        return None
    beside = [line for _, line in view.lines if line.column == own + 1]
    (left, right), top = columns[own + 1], min(line.y0 for line in beside)
    if any(c.view is view and left < c.ground.x1 and c.ground.y0 < top + 1 for c in captions):
        return None
    head = Area(left, top - FRAME - 1, right, top - FRAME)
    there = replace(caption, area=head, band=None, lines=())
    area = area_below(there, [c for c in captions if c is not caption], usual, notes)
    first = min(beside, key=lambda line: line.y0)
    if area is None or not area.holds((first.words[0].x0 + first.words[0].x1) / 2, (first.y0 + first.y1) / 2):
        return None
    return TablePlace(caption, view, area, away=True) if area.x0 > left - FRAME else None


def _columns(view: View) -> dict[int, tuple[float, float]]:
    """Return the left and right edge of each column of a page that is set in columns."""
    found: dict[int, tuple[float, float]] = {}
    for _, line in view.lines:
        if line.column:
            x0, x1 = found.get(line.column, (line.x0, line.x1))
            found[line.column] = min(x0, line.x0), max(x1, line.x1)
    return found


def _overleaf(
    caption: Caption, captions: Sequence[Caption], seen: Sequence[View], usual: Style, notes: Sequence[str]
) -> TablePlace | None:
    """Return the table that begins the next page, where nothing but footnotes stands under the caption."""
    if not _is_last(caption, usual):
        return None
    for view in seen:
        follows = view.page.number == caption.page + 1 and view.turn == caption.view.turn
        if not follows or not view.lines:
            continue
        top = view.body.y0
        head = Area(view.body.x0, top - FRAME - 1, view.body.x1, top - FRAME)
        if any(c.view is view and c.ground.y0 < top + 1 for c in captions):
            continue
        there = replace(caption, view=view, area=head, band=None, lines=())
        area = area_below(there, captions, usual, notes)
        if area is not None and _begins(view, area):
            return TablePlace(caption, view, area)
    return None


def _is_last(caption: Caption, usual: Style) -> bool:
    """Tell whether no text but small type stands under the caption, and none beside that in a column."""
    below = [
        line
        for index, line in caption.view.lines
        if line.y0 > caption.ground.y1 - 1 and index not in caption.lines
    ]
    return all(line.size < SMALL * usual[2] / 2 for line in below)


def _begins(view: View, area: Area) -> bool:
    """Tell whether the first line of the page stands in the area."""
    first = min((line for _, line in view.lines), key=lambda line: line.y0)
    return area.holds((first.words[0].x0 + first.words[0].x1) / 2, (first.y0 + first.y1) / 2)


def _far(caption: Caption, area: Area) -> tuple[float, float]:
    """Return how far a caption stands over an area, and how far from its middle."""
    head = caption.ground
    return round(area.y1 - head.y1), abs(head.x0 + head.x1 - area.x0 - area.x1)


def _is_same(one: Area, other: Area) -> bool:
    larger = max(one.width * one.height, other.width * other.height)
    return larger > 0 and _shared(one, other) >= SAME * larger


def _overlap(one: Area, other: Area) -> bool:
    return _shared(one, other) > 0


def _shared(one: Area, other: Area) -> float:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(across, 0.0) * max(down, 0.0)
