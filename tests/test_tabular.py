"""The unit of a header, also where two are printed."""

from __future__ import annotations

import pytest

from appliance.tables.rows import two_units, unit_of


@pytest.mark.parametrize(
    ("header", "unit", "both"),
    [
        ("Rise (mm)", "mm", None),
        ("Density γ, in kN/m³", "kN/m³", None),
        ("Concentrated, lb (kN)", "lb", ("lb", "kN")),
        ("Load psf [kN/m2]", "psf", ("psf", "kN/m2")),
        ("Snow load, kN/m² (psf)", "kN/m²", ("kN/m²", "psf")),
        ("kN (kN)", "kN", None),
        ("Maximum U-value⁽¹⁾ W/(m2·K)", "W/(m2·K)", None),  # its brackets are no unit of their own
        ("Thermal transmittance W / (m2 K)", "W / (m2 K)", None),
        ("U-value, in W/(m²·K)", "W/(m²·K)", None),
        ("Air permeability (m3/(h·m2))", "m3/(h·m2)", None),
        ("U-value [W/(m²K)]", "W/(m²K)", None),
        ("U-value (W/m2K)", "W/m2K", None),
        ("Rise/going (mm)", "mm", None),
        ("Rise/(mm)", "", None),
        ("Density [kg/m 3]", "kg/m 3", None),
        ("Load in kN/m 2", "kN/m 2", None),
        ("Water in \u02daC", "\u02daC", None),
        ("Width (max)", "", None),
        ("", "", None),
    ],
)
def test_a_number_without_brackets_has_the_first_unit_of_its_header(
    header: str, unit: str, both: tuple[str, str] | None
) -> None:
    assert (unit_of(header), two_units(header)) == (unit, both)
