"""The unit of a number in a table, from the heads over it, the nearest first."""

from __future__ import annotations

import pytest

from appliance.answer.statement_support import governing


@pytest.mark.parametrize(
    ("heads", "unit"),
    [
        (("min", "Width (mm)"), "mm"),  # a bound over the column, not minutes
        (("max", "Width (mm)"), "mm"),
        (("min, max", "Width (mm)"), "mm"),  # a number under both
        (("Fire resistance (min)",), "min"),
        (("Rate (l/s)",), "l/s"),
        (("Number of tests", "Width (mm)"), ""),  # a count
        (("Use",), ""),
        (("50", "k1 factor for Basic Wind Speed (m/s) of"), ""),
        (("Walls", "Heat transfer coefficient (W/m²K)"), "W/m²K"),
        (("Density at 20 °C (kg/m³)",), "kg/m³"),
    ],
)
def test_a_number_has_the_unit_that_its_heads_print(heads: tuple[str, ...], unit: str) -> None:
    assert governing(heads) == unit
