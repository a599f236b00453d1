"""Numbers of the text that stand where running heads stand, and were taken for such.

In: the pages, the rows of the body, the levels of the series. Out: the rows with the lines of the margins
that a series needs: its chain goes through them, and none of the body has that number. A running head that
only repeats a number of the body stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.page import PageLayout
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.structure.sequence import best_chain
from appliance.ingest.structure.skeleton import Weighing


def with_numbers_of_margins(
    rows: Sequence[Row],
    layouts: Sequence[PageLayout],
    scheme: Scheme,
    typography: Typography,
    names: frozenset[str],
) -> list[Row]:
    """Return the rows with those of the margins that open a place in them."""
    series = dict.fromkeys(level.series for level in scheme.levels if level.series)
    if not series:
        return list(rows)
    every = list(_in_order(rows, layouts))
    inside = Weighing(rows, scheme, typography, names)
    around = replace(inside, rows=every)
    kept = {row.place for row in rows}
    for name in series:
        levels = [level for level in scheme.levels if level.series == name]
        body = best_chain(list(inside.candidates(levels)))
        known = {one.reading.number for one in body}
        chain = best_chain(list(around.candidates(levels)))
        found = {one.place for one in chain if one.place[1] < 0 and one.reading.number not in known}
        if sum(one.place[1] >= 0 for one in chain) >= len(body):  # nothing of the body is given up for it
            kept |= found
    return [row for row in every if row.place in kept]


def _in_order(rows: Sequence[Row], layouts: Sequence[PageLayout]) -> list[Row]:
    """Return the rows with the lines of the margins, those above the text of a page before it."""
    order: list[tuple[int, int, int, Row]] = []
    tops: dict[int, float] = {}
    for at, row in enumerate(rows):
        order.append((row.place[0], 1, at, row))
        tops[row.line.page] = min(tops.get(row.line.page, row.line.y0), row.line.y0)
    for page in layouts:
        number = page.content.number
        for at, line in enumerate(page.margins):
            if line.upright and not line.text.strip(" .-–—").isdecimal():  # the number of the page
                row = Row(line, (number, -1 - at), 0.0, fresh=True, after_end=True, alone=True)
                below = line.y0 > tops.get(number, line.y0)
                order.append((number, 2 if below else 0, at, row))
    return [row for _, _, _, row in sorted(order, key=lambda item: item[:3])]
