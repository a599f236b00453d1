"""Whether a statement is for the numbers that a question states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.findings import Finding
from appliance.answer.fitting import Fit, cases, fit, fitting_first, stated_numbers, unfitting

from tests.answer.builders import finding, query

SMALL = "Closed appliance of up to 20kW rated output"
LARGE = "Closed appliance above 20kW and up to 50kW rated output"


def row(name: str, score: float = 1.0, unsure: str = "") -> Finding:
    """A row of a table with its name."""
    return replace(
        finding(f"Table 2: {name}: 125 mm.", score), marked=((1, 1),), named=(name,), unsure=unsure
    )


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("glass of a 1 m wide door", "It has a pane width exceeding 900mm and is of Class 2.", "in"),
        ("glass of a 1 m wide door", "It has a pane width not exceeding 900mm and is of Class 3.", "out"),
        (
            "glass of a 1 m high door",
            "It has a pane width exceeding 900mm and is of Class 2.",
            "",
        ),  # a height
        (
            "is a 1 m wide door enough",
            "The door should have a width exceeding 900mm.",
            "",
        ),  # what is required
        ("is a 1 m wide door enough", "Doors have a width of at least 900mm.", ""),
        ("load of a 25 kW boiler", "Where the output exceeds 20 kW, a lining is needed.", "in"),
        ("load of a 25 kW boiler", "A lining shall be fitted if the output is less than 20 kW.", "out"),
        ("load of a 25 kW boiler", "Outputs up to 20 kW; outputs in excess of 20 kW.", "in"),  # one of two
        ("load of a 25 kW boiler", "Outputs over 30 kW up to 70 kW.", "out"),
        ("load of a boiler below 15 kW", "Outputs up to 20 kW.", "in"),
        ("load of a boiler other than 25 kW", "Outputs up to 20 kW.", ""),
        ("load of a 25 kW boiler", "If its output is less than 20 kW: A. If it has at least 20 kW: B.", ""),
        ("load of a boiler over 15 kW", "Outputs up to 20 kW.", ""),  # of some
        ("load of a boiler over 25 kW", "Outputs up to 20 kW.", "out"),
        ("load of a boiler", "Outputs up to 20 kW.", ""),
        ("load of a 25 kW boiler", "Pipes up to 20 mm.", ""),  # of another kind
        ("load of a 25 kW boiler", "A boiler of 20 kW.", ""),  # no bound
        ("Kessel mit 25 kW", "Bei einer Leistung über 20 kW ist ein Schacht nötig.", "in"),
        ("", "", ""),
    ],
)
def test_a_text_is_for_a_number_or_not(question: str, text: str, expected: Fit) -> None:
    assert fit(stated_numbers(question), finding(text, 1.0)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (SMALL, "out"),
        (LARGE, "in"),
        ("Other appliance", ""),
        (
            "One opening that serves any appliance whose output goes on from there above 30kW with no end",
            "",
        ),
    ],
)
def test_a_row_is_for_a_number_by_its_name(name: str, expected: Fit) -> None:
    assert fit(stated_numbers("flue for a 25 kW stove"), row(name)) == expected


def test_the_heading_says_when_what_is_under_it_holds() -> None:
    item = finding("Flues are of 100 mm.", 1.0)
    item = replace(item, place=replace(item.place, heading_path=("Appliances with an output up to 20 kW",)))
    assert fit(stated_numbers("flue for a 25 kW stove"), item) == "out"


def test_the_one_for_the_number_goes_first_and_one_for_others_last() -> None:
    small, large, other = row(SMALL, 1.0), row(LARGE, 0.8), finding("Every closed appliance has a flue.", 0.9)
    asked = query("closed appliance of 25 kW")
    assert fitting_first(asked, (small, other, large)) == (large, other, small)
    assert fitting_first(asked, (small, other), (large,)) == (large, other, small)
    assert fitting_first(query("closed appliance"), (small, other, large)) == (small, other, large)
    assert fitting_first(query("is 25 kW covered", "applicability"), (small, large)) == (small, large)
    far = replace(large, score=0.1)
    assert fitting_first(asked, (other, far)) == (other, far)
    assert fitting_first(asked, ()) == ()


def test_that_what_answers_best_is_for_other_numbers_is_said() -> None:
    small, large, other = row(SMALL, 1.0), row(LARGE, 0.8), finding("Every closed appliance has a flue.", 0.9)
    asked = query("closed appliance of 25 kW")
    assert unfitting(asked, (other, small)) == "What 1.1 gives is for other numbers than the question states."
    assert unfitting(asked, (large, other, small)) == ""
    assert unfitting(asked, (other,)) == ""
    assert unfitting(query("closed appliance"), (small,)) == ""
    assert unfitting(query("may a closed appliance be of 25 kW", "applicability"), (small,)) == ""
    weak = replace(small, score=0.5)
    assert unfitting(asked, (other, weak)) == ""
    assert unfitting(asked, (replace(other, unsure="why"), weak)) != ""


def test_clauses_of_cases_are_told_from_those_of_duties() -> None:
    text = "Where a pane is wide, it shall be thick if it is low. It is in a door"
    assert [part.strip() for part in cases(text) if part.strip()] == [
        "a pane is wide",
        "it",
        "it is low",
        "It is in a door",
    ]
