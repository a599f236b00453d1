"""Statements for another class than the one that a question names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.designated import another_class, classes, right_class_first
from appliance.answer.findings import Finding

from tests.answer.builders import finding, query

FIRST = "Section 1 Category 1 – Simple houses"
THIRD = "Section 3 Category 3 – Large houses"


def under(text: str, *headings: str, found_by: tuple[str, ...] = ("lexical",)) -> Finding:
    one = finding(text, 1.0)
    return replace(one, place=replace(one.place, heading_path=headings, found_by=found_by))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("ramp in a category 1 house", {"categ": {"1"}}),
        ("Categories 2 and 3, class B", {"categ": {"2", "3"}, "class": {"b"}}),
        ("Grade D2 alarms in zone 1A", {"grade": {"d2"}, "zone": {"1a"}}),
        ("type IV or V", {"type": {"iv", "v"}}),
        ("a class of 30 people", {}),
        ("types a person may use", {}),
        ("see class 3.2", {}),
        ("category", {}),
        ("", {}),
    ],
)
def test_the_classes_that_a_text_names(text: str, held: dict[str, set[str]]) -> None:
    assert classes(text) == held


@pytest.mark.parametrize(
    ("asked", "text", "headings", "expected"),
    [
        ("ramp in a category 1 house", "A ramp is 1:12.", (THIRD,), True),
        ("ramp in a category 1 house", "A ramp is 1:12.", (FIRST, "Ramps"), False),
        ("ramp in a category 1 house", "A ramp is 1:12.", (THIRD, "As for category 1"), False),
        ("ramp in a category 1 house", "Not as in category 3, 1:12.", ("Ramps",), False),  # compares
        ("ramp in a category 1 house", "For category 1 too: 1:12.", (THIRD,), False),
        ("ramp in a house", "A ramp is 1:12.", (THIRD,), False),  # none is asked for
        ("ramp in a category 1 house", "A ramp is 1:12.", (), False),
    ],
)
def test_a_statement_for_another_class_is_told(
    asked: str, text: str, headings: tuple[str, ...], *, expected: bool
) -> None:
    assert another_class(query(asked), under(text, *headings)) is expected


def test_a_place_named_by_its_label_is_for_what_it_is() -> None:
    one = under("A ramp is 1:12.", THIRD, found_by=("exact",))
    assert not another_class(query("category 1 in 3.10"), one)


def test_the_class_that_is_asked_for_stands_first() -> None:
    asked = replace(query("how long is a ramp in a category 1 house", "value"), kinds=("length",))
    third, silent, own = (
        under("Ramps are 10 m long.", THIRD),
        under("Ramps are wide.", FIRST),
        under("Ramps are 5 m long.", FIRST),
    )
    assert right_class_first(asked, (third, silent, own)) == (own, third, silent)
    assert right_class_first(asked, (own, third)) == (own, third)
    assert right_class_first(asked, (third, silent)) == (third, silent)  # nothing else gives a length
    assert right_class_first(asked, ()) == ()
