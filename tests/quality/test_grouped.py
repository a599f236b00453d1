"""Problems of one page told together: each drawing and table once, all of them counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Problem
from appliance.quality.pages import doubts_told, others_told, places_of
from tests.factories import document, figure, table

DRAWING, TABLE = Box(2, 0.1, 0.1, 0.9, 0.5), Box(2, 0.2, 0.3, 0.4, 0.4)
MADE = replace(
    document([]),
    figures=(replace(figure("Figure 1", page=2), boxes=(DRAWING,)),),
    tables=(replace(table("Table in Figure 1", [["a", "b"]]), boxes=(TABLE,)),),
)


def doubt(x: float, y: float, page: int = 2) -> Problem:
    return Problem(f"“{x}” was read with doubt.", page, Box(page, x, y, x + 0.01, y + 0.01), doubt=True)


@pytest.mark.parametrize(
    ("doubts", "told"),
    [
        ([], []),
        ([doubt(0.5, 0.2), doubt(0.6, 0.2)], ["“0.5” was", "“0.6” was"]),  # few: one by one
        ([doubt(0.5, 0.2), doubt(0.6, 0.2), doubt(0.7, 0.2)], ["3 places of Figure 1 were"]),
        (
            [doubt(0.5, 0.8), doubt(0.25, 0.35), doubt(0.3, 0.35), doubt(0.6, 0.2)],
            ["2 places of Table in Figure 1 were", "“0.6” was", "“0.5” was"],  # the text comes last
        ),
        ([doubt(0.1 * n, 0.9) for n in range(4)], ["4 places were"]),
        (
            [doubt(0.5, 0.2), *(doubt(0.1 * n, 0.9) for n in range(2))],
            ["“0.5” was", "2 places outside of tables and figures were"],
        ),
        ([Problem("So many more.", 2, doubt=True)] * 3, ["3 places were"]),  # without a box
    ],
)
def test_doubts_of_one_drawing_are_one(doubts: list[Problem], told: list[str]) -> None:
    found = list(doubts_told(doubts, places_of(MADE)))
    assert [reason.words[: len(start)] for reason, start in zip(found, told, strict=True)] == told


def test_the_box_is_that_of_the_drawing() -> None:
    found = list(doubts_told([doubt(0.5, 0.2), doubt(0.6, 0.2), doubt(0.25, 0.35)], places_of(MADE)))
    assert [reason.box for reason in found] == [DRAWING, doubt(0.25, 0.35).box]


def test_what_says_the_same_is_counted() -> None:
    formulas = [Problem(f"The signs of formula (7.{n}) have no text.", 3) for n in range(4)]
    whole = [Problem(f"The file has {n} layers.") for n in range(4)]
    found = list(others_told([*formulas, Problem("A caption without a table.", 3), *whole]))
    assert [reason.words for reason in found] == [
        "The signs of formula (7.0) have no text. The same is so of 3 more on this page.",
        "A caption without a table.",
        *(problem.message for problem in whole),
    ]
