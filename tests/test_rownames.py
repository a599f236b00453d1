"""Rows that are asked for by their own names, and notes that speak of them."""

from __future__ import annotations

import pytest

from appliance.tables.lookup import codes, named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Category A", {"A"}),
        ("For categories A, Cl and C5", {"A", "C1", "C5"}),
        ("Categories C2 to C4 and D", {"C2", "C3", "C4", "D"}),
        ("Category CS", {"C5"}),
        ("2a Lower Risk Group, 2b", {"2a", "2b"}),
        ("1.2a and 0,5b at 3 m", set()),
        ("a roof", set()),
        ("see A.1 and kN", set()),
        ("", set()),
    ],
)
def test_codes_keep_their_letters(text: str, expected: set[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("asked", "labels", "expected"),
    [
        ("B2", ["case B1", "case B2", "case B3 as B2"], [False, True, False]),
        ("case A", ["case A", "case B", "case"], [True, False, False]),
        ("2a", ["1", "2a", "2b", "3"], [False, True, False, False]),
        ("2b Upper", ["1", "2a Lower", "2b Upper", "2"], [False, False, True, False]),
        ("case", ["case A", "case B"], [False, False]),
        ("", ["case A", ""], [False, False]),
        ("slate", ["slate"], [True]),
        ("slate", [], []),
    ],
)
def test_a_label_is_just_what_was_asked(asked: str, labels: list[str], expected: list[bool]) -> None:
    assert named(asked, labels) == expected


def test_words_of_the_header_may_be_asked_with_a_label() -> None:
    labels = ["B1", "B2", "B3 as case B2"]
    assert named("case B2", labels, "Case") == [False, True, False]
    assert named("case B2", labels, "Class") == [False, False, False]
