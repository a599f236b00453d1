"""Rows that a question joins, and words that join nothing."""

from __future__ import annotations

import pytest
from appliance.answer.joined_rows import joined

ROWS = {
    1: "A – floors",
    2: "A – balconies",
    3: "B – offices",
    4: "C – halls with seats",
    5: "C – seats",
    6: "D – shops",
}
STAIRS = {1: "Private stair", 2: "Utility stair", 3: "General access stair"}


@pytest.mark.parametrize(
    ("asked", "stated", "further"),
    [
        ("load of balconies and offices", [3], [2]),
        ("load of offices and balconies", [3], [2]),
        ("load of balconies, shops and offices", [3], [2, 6]),
        ("load of balconies and offices", [2, 3], []),
        ("load of a balcony of an office", [3], []),  # one thing
        ("load, in kN/m2, of an office floor?", [3], []),
        ("offices, floor load", [3], []),
        ("load on the floor and stairs of an office", [3], []),  # of one office
        ("load on the floor of an office and a shop", [3], [6]),
        ("load of an office floor and its partitions", [3], []),
        ("load of an office, with slabs and beams", [3], []),
        ("load of offices and roofs", [3], []),  # no row is for them
        ("load of offices and seatings", [3], []),  # no such word
        ("offices and", [3], []),
        ("and", [3], []),
        ("", [3], []),
        ("", [], []),
    ],
)
def test_each_row_that_a_question_joins_is_stated(asked: str, stated: list[int], further: list[int]) -> None:
    assert joined(asked, ROWS, stated) == further


@pytest.mark.parametrize(
    ("asked", "stated", "further"),
    [
        ("rise and going of private and utility stairs", [1], [2]),
        ("rise and going of a private stair", [1], []),
        ("rise of a private or a general access stair", [1], [3]),
    ],
)
def test_a_word_that_all_rows_have_joins_none(asked: str, stated: list[int], further: list[int]) -> None:
    assert joined(asked, STAIRS, stated) == further


def test_too_many_joined_rows_are_left_to_the_table() -> None:
    many = {row: f"hall {row} with seats" for row in range(10)}
    assert joined("offices and seats", many | {99: "offices"}, [99]) == []
