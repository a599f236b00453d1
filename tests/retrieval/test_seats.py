"""What must be read with the first place has its seats behind the first ones, and nothing is lost."""

from __future__ import annotations

import pytest

from appliance.core.document import Label
from appliance.core.evidence import Link
from appliance.retrieval.follow.references import Edge
from appliance.retrieval.rank.additions import FIRST_SEAT, with_seats
from appliance.retrieval.rank.model import Contest

RANKED = list(range(1, 21))
FALLING = {chunk: -float(chunk) for chunk in RANKED}
LINK = Link("code", Label(("1",)), "code", Label(("2",)), "see 2")


def contest(*edges: tuple[int, int, str]) -> Contest:
    steps = tuple(Edge(source, target, kind, LINK) for source, target, kind in edges)
    return Contest("value", (), {}, {}, {}, 20, edges=steps)


@pytest.mark.parametrize(
    ("edges", "seated"),
    [
        ([], []),
        ([(1, 15, "term")], [15]),
        ([(1, 15, "term"), (1, 12, "beside"), (1, 18, "table")], [12, 15, 18]),  # one of each, in this order
        ([(1, 18, "clause"), (1, 14, "figure"), (1, 16, "table")], [14]),  # the best by score of each way
        ([(1, 3, "clause"), (1, 17, "clause")], [17]),  # what stands before the seats needs none
        ([(1, 3, "term")], []),
        ([(2, 15, "term"), (3, 16, "clause")], []),  # the first place alone has seats to give
        (
            [(1, 15, "holds"), (1, 16, "stands in"), (1, 17, "choice"), (1, 18, "class")],
            [],
        ),  # placed by other rules
        ([(1, 15, "clause"), (1, 15, "term"), (1, 16, "clause")], [15, 16]),  # one place takes one seat
        ([(1, 99, "clause")], []),  # what the filter of the user leaves out is no candidate
    ],
)
def test_seats(edges: list[tuple[int, int, str]], seated: list[int]) -> None:
    moved = with_seats(contest(*edges), RANKED, FALLING)
    assert moved[:FIRST_SEAT] == RANKED[:FIRST_SEAT]
    assert moved[FIRST_SEAT : FIRST_SEAT + len(seated)] == seated
    assert sorted(moved) == RANKED
    behind = [chunk for chunk in moved if chunk not in seated]
    assert behind == [chunk for chunk in RANKED if chunk not in seated]


def test_few_places_need_no_seats() -> None:
    assert with_seats(contest((1, 2, "clause")), [1, 2], FALLING) == [1, 2]
    assert with_seats(contest((1, 2, "clause")), [], FALLING) == []
