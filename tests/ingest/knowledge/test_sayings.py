"""Which values sentences say, and how surely."""

from __future__ import annotations

import pytest

from appliance.ingest.knowledge.collected import ACCEPTED
from appliance.ingest.knowledge.sentence_values import Lead, Saying, sayings


def said(text: str, lead: str = "") -> list[Saying]:
    return list(sayings(text, 0, len(text), Lead(lead), comma=False))


def sure(text: str, lead: str = "") -> list[tuple[str, str, float, str]]:
    return [
        (s.name, s.bound, s.found.low, s.found.unit) for s in said(text, lead) if s.confidence >= ACCEPTED
    ]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The clear width of the stair should be at least 900mm.", [("clear width", ">=", 900, "mm")]),
        ("The gradient across a path should not exceed 1 in 40.", [("gradient", "<=", 1 / 40, "")]),
        (
            "Doors should have a minimum clear opening width of 775mm.",
            [("clear opening width", ">=", 775, "mm")],
        ),
        ("The maximum pitch for gangways to seats is 35°.", [("pitch", "<=", 35, "°")]),
        ("Ensure that the landing is no less than 1200 mm long.", [("length", ">=", 1200, "mm")]),
        ("The slab shall be 150 mm thick.", [("thickness", "=", 150, "mm")]),
        ("The coefficient should be taken as 0.8.", [("coefficient", "=", 0.8, "")]),
        ("The recommended value of the factor is 1.5.", [("factor", "recommended", 1.5, "")]),
        ("The height should be between 900mm and 1000mm.", [("height", "range", 900, "mm")]),
        ("The temperature must not exceed 48°C.", [("temperature", "<=", 48, "°C")]),
        (
            "Provide a landing at least 1500mm long and 1200mm wide.",
            [("length", ">=", 1500, "mm"), ("width", ">=", 1200, "mm")],
        ),
        ("The landing should have a minimum width and depth of 1200mm.", [("depth", ">=", 1200, "mm")]),
        ("The rise should be 170mm or less.", [("rise", "<=", 170, "mm")]),
    ],
)
def test_what_a_rule_says_is_accepted(text: str, values: list[tuple[str, str, float, str]]) -> None:
    assert sure(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "Doors should give an area equal to a gap in a 760mm wide door.",
        "It should hold none below it unless there is an air-space, or a distance of at least 250mm.",
    ],
)
def test_what_only_describes_or_excepts_is_not_accepted(text: str) -> None:
    assert sure(text) == []


def test_the_second_rule_of_a_sentence_has_its_own_subject() -> None:
    text = "Thin pipes should be at least 900 mm long and thick pipes should be at least 1200 mm long."
    assert [s.conditions for s in said(text)] == [("Thin pipes",), ("thick pipes",)]


@pytest.mark.parametrize(
    ("text", "name", "bound", "low", "unit", "conditions", "accepted"),
    [
        ("The value of k1 should be taken as 10 mm.", "k1", "=", 10, "mm", (), True),
        ("The minimum value of k1 should be taken as 10 mm.", "k1", ">=", 10, "mm", (), True),
        ("k1 may be taken as 10 unless it is wet.", "k1", "=", 10, "", ("unless it is wet",), True),
        ("The value of k1 for cover should be taken as 10 mm.", "k1", "=", 10, "mm", ("for cover",), True),
        ("Cover is given in 4.1; γM0 should be assumed to be 1.1.", "γM0", "=", 1.1, "", (), True),
        ("The deviation should be taken as 5 mm.", "deviation", "=", 5, "mm", (), True),
        ("The allowance for cover should be taken as 5 mm.", "allowance for cover", "=", 5, "mm", (), False),
        ("k2 = 0.5 for steel.", "k2", "=", 0.5, "", ("for steel",), False),
        ("The deviation of a wall that is not straight should be taken as 5 mm.", None, "", 0, "", (), False),
        ("It should be taken as 5 mm.", None, "", 0, "", (), False),
        ("The moment should be taken as 0.8 times the greatest.", None, "", 0, "", (), False),
        ("This gives e/h = 0.5 there.", None, "", 0, "", (), False),
    ],
)  # fmt: skip
def test_what_is_taken_as_a_value_is_named_as_it_is_printed(
    text: str,
    name: str | None,
    bound: str,
    low: float,
    unit: str,
    conditions: tuple[str, ...],
    *,
    accepted: bool,
) -> None:
    found = [(s.name, s.bound, s.found.low, s.found.unit, s.conditions) for s in said(text)]
    assert found == ([(name, bound, low, unit, conditions)] if name else [])
    assert [s.confidence >= ACCEPTED for s in said(text)] == ([accepted] if name else [])


def test_a_symbol_after_a_rule_takes_no_bound_of_it() -> None:
    text = "Minimum cover should be at least 25 mm and k1 should be taken as 10 mm."
    assert [(s.name, s.bound, s.found.low) for s in said(text)] == [("cover", ">=", 25), ("k1", "=", 10)]
    assert said(text)[1].conditions == ()
