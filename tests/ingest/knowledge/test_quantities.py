"""Numbers with units as codes print them."""

from __future__ import annotations

import pytest

from appliance.ingest.knowledge.values import decimal_comma, find, whole
from appliance.text.quantities import size_of


@pytest.mark.parametrize(
    ("text", "comma", "read"),
    [
        ("at least 900mm wide", False, [(900, 900, "mm")]),
        ("between 220mm and 300 mm", False, [(220, 300, "mm")]),
        ("900mm and 1100 mm", False, [(900, 900, "mm"), (1100, 1100, "mm")]),
        ("900mm or 750mm", False, [(900, 900, "mm"), (750, 750, "mm")]),
        ("100-150mm", False, [(100, 150, "mm")]),
        ("0.6m – 3.5m", False, [(0.6, 3.5, "m")]),
        ("1,000 mm", False, [(1000, 1000, "mm")]),
        ("10 000 mm", True, [(10000, 10000, "mm")]),
        ("0,75 kN/m2", True, [(0.75, 0.75, "kN/m2")]),
        ("1,35", True, [(1.35, 1.35, "")]),
        ("a slope of 1:12", False, [(1 / 12, 1 / 12, "")]),
        ("a fall of 1 in 40", False, [(1 / 40, 1 / 40, "")]),
        ("−5 °C", False, [(-5, -5, "°C")]),
        ("0.014 litres/second/m²", False, [(0.014, 0.014, "litres/second/m²")]),
        ("at least 0,500 m", False, [(0.5, 0.5, "m")]),
        ("at least 1 250 mm", False, [(1250, 1250, "mm")]),
        ("at least 1\u202f250 mm", True, [(1250, 1250, "mm")]),
        ("at least 1,250 mm", True, [(1.25, 1.25, "mm")]),
        ("between −0,5 °C and 10 °C", False, [(-0.5, 10, "°C")]),
        ("not below \u201120 °C", False, [(-20, -20, "°C")]),
        ("falls to –20 °C", False, [(-20, -20, "°C")]),
        ("1 250 to 1 500 mm", False, [(1250, 1500, "mm")]),
        ("225 350 mm", False, [(225, 225, ""), (350, 350, "mm")]),
        ("5.3.2", False, []),
        ("no number", False, []),
    ],
)
def test_numbers_of_a_text(text: str, comma: bool, read: list[tuple[float, float, str]]) -> None:
    assert [(found.low, found.high, found.unit) for found in find(text, comma=comma)] == read


@pytest.mark.parametrize(
    ("cell", "unit", "read"),
    [
        ("42", "mm", ("", 42, 42, "mm")),
        ("≤ 0.7", "", ("<=", 0.7, 0.7, "")),
        ("> 26.0ᵃ,ᵇ", "kN/m³", (">", 26, 26, "kN/m³")),
        ("12¹", "m", ("", 12, 12, "m")),
        ("10³", "kN", ("", 1000, 1000, "kN")),
        ("≤ 10⁻³", "m", ("<=", 0.001, 0.001, "m")),
        ("10¹", "kN", ("", 10, 10, "kN")),
        ("16.0 to 20.0", "", ("", 16, 20, "")),
        ("900 mm", "m", ("", 900, 900, "mm")),
        ("150 225", "mm", None),
        ("+0.7 -0.3", "", None),
        ("see 1.2", "mm", None),
        ("–", "mm", None),
        ("0.8 (60 − α) / 30", "", None),
        ("", "mm", None),
    ],
)
def test_a_cell_that_is_one_number(cell: str, unit: str, read: tuple[str, float, float, str] | None) -> None:
    found = whole(cell, unit, comma=False)
    assert (found and (found[0], found[1].low, found[1].high, found[1].unit)) == read


@pytest.mark.parametrize(
    ("unit", "same"), [("mm", "m"), ("kN/m2", "kPa"), ("l/s", "m³/h"), ("hours", "min"), ("%", ""), ("°", "")]
)
def test_units_of_one_kind_have_one_dimension(unit: str, same: str) -> None:
    assert size_of(unit).dimension == size_of(same).dimension
    assert size_of(unit).factor > 0


@pytest.mark.parametrize("unit", ["storeys", "mm)", "/", "persons per hectare", "m/(", "((((" * 200])
def test_a_unit_that_nobody_knows_measures_nothing(unit: str) -> None:
    assert size_of(unit).factor >= 0
    assert size_of("storeys").dimension == ""


def test_the_decimal_sign_is_that_of_most_numbers() -> None:
    assert decimal_comma(["0,5 and 0,7", "0.3"])
    assert not decimal_comma(["0.5", "1,000"])
