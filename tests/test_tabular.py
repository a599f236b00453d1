"""The unit of a header, also where two are printed."""

from __future__ import annotations

import pytest

from appliance.tabular import two_units, unit_of


@pytest.mark.parametrize(
    ("header", "unit", "both"),
    [
        ("Rise (mm)", "mm", None),
        ("Density γ, in kN/m³", "kN/m³", None),
        ("Concentrated, lb (kN)", "lb", ("lb", "kN")),
        ("Load psf [kN/m2]", "psf", ("psf", "kN/m2")),
        ("Snow load, kN/m² (psf)", "kN/m²", ("kN/m²", "psf")),
        ("kN (kN)", "kN", None),
        ("Width (max)", "", None),
        ("", "", None),
    ],
)
def test_a_number_without_brackets_has_the_first_unit_of_its_header(
    header: str, unit: str, both: tuple[str, str] | None
) -> None:
    assert (unit_of(header), two_units(header)) == (unit, both)
