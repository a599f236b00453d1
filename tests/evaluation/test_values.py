"""Spellings of one value, and values that look alike and are not."""

from __future__ import annotations

import pytest

from appliance.evaluation.places import all_found, normal_value, same_cell


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("150mm", "150 mm"),
        ("2,5 kN", "2.5 kN"),
        ("94,500mm2", "94 500 mm²"),
        ("15 per cent", "15%"),
        ("1 in 40", "1:40"),
        ("1200 x 675 mm", "1200×675mm"),
        ("15 litres/second", "15 l/s"),
        ("20 metres", "20m"),
        ("60 °C", "60°C"),
        ("42 degrees", "42°"),
        ("£2,000", "£2000"),
        ("190²", "190"),  # the mark of a footnote is no digit
        ("5 m3/(h.m2)", "5 m³/(h·m²)"),
        ("BS EN 1991‑1‑1", "bs en 1991-1-1"),
    ],
)
def test_spellings_of_one_value_are_equal(left: str, right: str) -> None:
    assert normal_value(left) == normal_value(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("50 mm", "150 mm"),
        ("1.5", "1.50"),
        ("1,2", "12"),
        ("-0.7", "0.7"),
        ("1:12", "1:120"),
        ("5 m2", "5 m3"),
        ("5 m²", "5 m"),
        ("5 kN", "5 N"),
    ],
)
def test_values_that_look_alike_stay_apart(left: str, right: str) -> None:
    assert normal_value(left) != normal_value(right)


@pytest.mark.parametrize(
    ("values", "text", "found"),
    [
        (("50 mm",), "not less than 150 mm", False),
        (("150 mm", "1:60"), "a 150mm pipe laid at 1:60.", True),
        (("150 mm", "1:80"), "a 150mm pipe laid at 1:60.", False),
        (("mm",), "", False),
        ((), "anything", True),
        (("wet rooms",), "In Wet\u00a0Rooms, extract ...", True),
        (("8",), "18 or 80", False),
    ],
)
def test_every_value_must_be_said(values: tuple[str, ...], text: str, found: bool) -> None:
    assert all_found(values, text) is found


@pytest.mark.parametrize(
    ("wanted", "returned", "same"),
    [
        ("150", "150mm", True),
        ("150", "150 to 220", False),  # a range is another value
        ("150 (4)", "150 (4)", True),
        ("1.2m – 4.5m", "1.2m - 4.5m", True),
        ("Less airtight dwellings", "Less airtight dwellings only", True),
        ("4.5", "4.5 litres", True),
        ("No minimum", "No", False),
        ("-0.7", "0.7", False),
        ("", "", True),
        ("7", "", False),
        ("A1", "A10", False),
    ],
)
def test_a_cell_is_the_same_but_for_spelling_and_unit(wanted: str, returned: str, same: bool) -> None:
    assert same_cell(wanted, returned) is same
