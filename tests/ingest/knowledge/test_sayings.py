"""Which values sentences say, and how surely."""

from __future__ import annotations

import pytest

from appliance.ingest.knowledge.collected import ACCEPTED
from appliance.ingest.knowledge.values import Saying, sayings


def said(text: str, lead: str = "") -> list[Saying]:
    return list(sayings(text, 0, len(text), lead, comma=False))


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
