"""Which values sentences say, and how surely."""

from __future__ import annotations

import pytest

from appliance.ingest.knowledge.collected import ACCEPTED
from appliance.ingest.knowledge.sentence_values import Lead, Saying, sayings

NO_LEAD = Lead()


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
        "Where the rise exceeds 600 mm, provide guarding.",
        "If the height of the wall is at least 3 m, guarding should be provided.",
        "No building should stand over a drain greater than 225mm in diameter.",
        "It should be kept within 3m of a door.",
        "The width of the test sample was 900 mm.",
        "The capacity should be at least 2 times the daily flow.",
        "See Table 3, where the width is given in column 900.",
        "The pressure should be 40 mm.",
        "The tank, which has a capacity of 3500 litres, should be bunded.",
        "",
    ],
)
def test_what_no_rule_governs_is_not_accepted(text: str) -> None:
    assert sure(text) == []


def test_a_list_item_stands_under_the_rule_of_its_lead() -> None:
    item = "a minimum clear width of 1200mm; and"
    assert sure(item) == []
    assert sure(item, "Flights should have all of the following.") == [("clear width", ">=", 1200, "mm")]


def test_conditions_are_kept_as_they_are_said() -> None:
    text = "Where a parking space (or a drop-off point) is provided, the width should be at least 900mm."
    assert said(text)[0].conditions == ("where a parking space (or a drop-off point) is provided",)
    assert said("The pitch of a private stair should not exceed 42°.")[0].conditions == ("private stair",)


def test_a_list_taken_for_one_sentence_is_doubted() -> None:
    text = "The width " + "and the door and the frame " * 30 + "should be at least 900mm."
    assert sure(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Doors should give an area equal to a gap in a 760mm wide door.",
        "It should hold none below it unless there is an air-space, or a distance of at least 250mm.",
    ],
)
def test_what_only_describes_or_excepts_is_not_accepted(text: str) -> None:
    assert sure(text) == []


def test_a_bound_holds_for_the_rest_of_a_list() -> None:
    text = "The landing should have a minimum width of 1200mm and depth of 900mm."
    assert sure(text) == [("width", ">=", 1200, "mm"), ("depth", ">=", 900, "mm")]


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("Doors should have a minimum clear opening width of 775mm.", ("Doors",)),
        ("Ensure that any landings are a minimum of 1500mm long.", ("landings",)),
        ("The route (private or not) should have a width of 900 mm.", ("route (private or not)",)),
        ("The route should have a clear width of 900 mm or 750 mm where there are walls.", ("route",)),
        ("There should be a landing at least 900 mm wide.", ()),
        ("Pipes should be at least 32 mm diameter (for other buildings see paragraph 1.29).", ("Pipes",)),
        ("Small drains should be laid at gradients not less than 1:150.", ("Small drains",)),
    ],
)  # fmt: skip
def test_a_value_holds_for_what_its_sentence_speaks_of(text: str, conditions: tuple[str, ...]) -> None:
    assert said(text)[0].conditions == conditions


def test_the_second_rule_of_a_sentence_has_its_own_subject() -> None:
    text = "Thin pipes should be at least 900 mm long and thick pipes should be at least 1200 mm long."
    assert [s.conditions for s in said(text)] == [("Thin pipes",), ("thick pipes",)]


def test_a_tolerance_is_no_value() -> None:
    assert 0.02 not in [s.found.low for s in said("The pressure should be 0.3 ± 0.02 bar.")]


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


def test_the_name_of_a_quantity_keeps_its_symbol_beside_it() -> None:
    (one,) = said("The coefficient k2 should be taken as 0.5.")
    assert (one.name, one.symbol, one.found.low) == ("coefficient", "k2", 0.5)


def test_the_comma_of_a_number_ends_no_condition() -> None:
    text = "Where the ratio is 0,5 or the wall is wet, the width should be at least 900 mm."
    assert sayings_of(text)[-1].conditions == ("where the ratio is 0,5 or the wall is wet",)


def sayings_of(text: str) -> list[Saying]:
    return list(sayings(text, 0, len(text), NO_LEAD, comma=True))
