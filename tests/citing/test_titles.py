"""The title printed beside a designation: found where it surely is one, and told from others."""

from __future__ import annotations

import pytest

from appliance.citing.names import same_title, title_behind, year_behind


@pytest.mark.parametrize(
    ("behind", "title"),
    [
        (", Snow loads", "Snow loads"),
        (": Snow loads.", "Snow loads"),
        (", Actions on structures – Part 1-3: Snow loads", "Actions on structures – Part 1-3: Snow loads"),
        (" – Snow loads and drifts, Table 3", "Snow loads and drifts"),
        (' "Snow loads", 5.2', "Snow loads"),
        (" “Snow loads”", "Snow loads"),
        (" (Snow loads)", "Snow loads"),
        (", clause 5.2", ""),
        (", Clause 5.2", ""),
        (", Table 5.2", ""),
        (": Provide snow guards", ""),
        (", The contractor shall clear the snow", ""),
        (" (2011 edition)", ""),
        (" (See also the drawings)", ""),
        (". Snow loads", ""),
        (" Snow loads", ""),
        (" Snow loads (2003)", "Snow loads"),
        (" Snow loads shall be taken as in (2003)", ""),
        (" (2003)", ""),
        (", BS 5950", ""),
        ("", ""),
        (f', "{"Snow " * 60}"', ""),
    ],
)
def test_a_title_stands_right_behind(behind: str, title: str) -> None:
    assert title_behind(f"DC 1{behind}", 4) == title


@pytest.mark.parametrize(
    ("behind", "year"),
    [
        (' "Snow loads" (2003)', "2003"),
        (" (Snow loads), 2003", "2003"),
        (" Snow loads (2003 edition)", "2003"),
        (", Snow loads, 2003.", "2003"),
        (", Snow loads, 2003 mm", ""),  # a length
        (', "Snow loads", 20030', ""),
        (', "Snow loads" and EN 1990 (2002)', ""),  # of another document
        (" (2003)", "2003"),
        (", 2003", ""),  # without a title it may count something
        ("", ""),
    ],
)
def test_a_year_behind_the_title_is_that_of_the_edition(behind: str, year: str) -> None:
    text = f"DC 1{behind}"
    assert year_behind(text, 4, title_behind(text, 4)) == year


def test_beside_a_clause_only_a_marked_title_counts() -> None:
    assert title_behind("Table 1: Snow loads", 7, loose=False) == ""
    assert title_behind('Table 1 "Snow loads"', 7, loose=False) == "Snow loads"


@pytest.mark.parametrize(
    ("printed", "loaded", "same"),
    [
        ("Snow loads", "Snow loads", True),
        ("SNOW LOADS", "Eurocode 1 – Actions on structures – Part 1-3: Snow loads", True),
        ("Actions on structures: Snow loads", "Snow loads", True),
        ("Snow-loads", "Snow loads", True),
        ("Snwo loads", "Snow loads", True),
        ("Wind actions", "Snow loads", False),
        ("Densities", "Snow loads", False),
        ("Part 1-1: Densities", "Densities, self-weight and imposed loads", True),  # it ends at a comma
        ("Anything", "", True),  # nothing to compare with
    ],
)
def test_a_shortened_title_is_the_title(printed: str, loaded: str, same: bool) -> None:
    assert same_title(printed, loaded) is same
