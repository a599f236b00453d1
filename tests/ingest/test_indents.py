"""How far rows stand in, from the edge of their side of the paper where the two sides differ."""

from __future__ import annotations

import pytest

from appliance.ingest.layout.typography import make_rows, measure
from appliance.ingest.page import PageLayout
from tests.ingest.drawn import layout, line


def _page(number: int, *, outer: float | None) -> PageLayout:
    """A page of entries that stand in, below lines at the `outer` edge where it has one."""
    starts = [*([] if outer is None else [outer] * 4), *[130.0] * 8]
    return layout([line("words of the code", x, 100 + 20 * at) for at, x in enumerate(starts)], number=number)


@pytest.mark.parametrize(("even", "alike"), [(60.0, True), (90.0, False)])
def test_pages_of_entries_stand_in_alike_on_both_sides(even: float, alike: bool) -> None:
    edges = {1: 60.0, 2: even, 3: 60.0, 4: even, 5: None, 6: even, 7: None, 8: None}
    pages = [_page(number, outer=outer) for number, outer in edges.items()]
    rows = make_rows(pages, frozenset(), measure(pages))
    indents = {row.line.page: row.indent for row in rows if row.line.x0 == 130}
    assert (indents[7] == indents[8]) is alike
