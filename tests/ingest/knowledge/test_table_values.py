"""Which cells of a table are values, of what, and when they hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Table, TableNote
from appliance.core.graph import Bound
from appliance.ingest.knowledge.collected import ACCEPTED
from appliance.ingest.knowledge.table_values import CellValue, cell_values
from appliance.ingest.knowledge.values import printed as as_shown
from tests.factories import table

STAIRS = table(
    "Table 1.1",
    [
        ["Stair", "Minimum rise (mm)", "Maximum rise (mm)"],
        ["Private", "150", "220¹"],
        ["Utility", "150", "190"],
    ],
    "Rise and going",
)


def values(source: Table, **symbols: str) -> list[CellValue]:
    return list(cell_values(source, symbols, comma=False))


def shown(source: Table, **symbols: str) -> list[tuple[str, str, float, str, tuple[str, ...], bool]]:
    return [
        (v.name, v.bound, v.found.low, v.found.unit, v.conditions, v.confidence >= ACCEPTED)
        for v in values(source, **symbols)
    ]


def test_the_head_of_a_column_names_the_quantity_and_the_row_is_the_condition() -> None:
    assert shown(STAIRS) == [
        ("rise", ">=", 150, "mm", ("Private",), True),
        ("rise", "<=", 220, "mm", ("Private",), True),
        ("rise", ">=", 150, "mm", ("Utility",), True),
        ("rise", "<=", 190, "mm", ("Utility",), True),
    ]


def test_a_value_is_proved_by_its_row_and_its_cell() -> None:
    first = values(STAIRS)[0]
    assert first.row == "Private: Minimum rise (mm) 150 mm; Maximum rise (mm) 220¹ mm"
    assert first.cell.text == "150"


def test_a_row_of_a_bare_number_is_a_condition_under_its_head() -> None:
    flows = table("Table A1", [["Number of dwellings", "Flow rate (l/s)"], ["5", "3.5"]])
    assert shown(flows) == [("Flow rate", "=", 3.5, "l/s", ("Number of dwellings: 5",), True)]


def test_the_title_names_what_no_head_names() -> None:
    spacing = table("Table 13", [["From", "To manhole"], ["Rodding eye", "45"]], "Maximum spacing, in m")
    assert shown(spacing) == [("spacing", "<=", 45, "m", ("Rodding eye", "To manhole"), True)]


def test_a_head_that_is_a_comparison_names_nothing() -> None:
    shapes = table(
        "Table 5.2",
        [["Coefficient", "Pitch of the roof", ""], ["", "0° ≤ α ≤ 30°", "α > 30°"], ["μ1", "0.8", "0.4"]],
        "Shape coefficients",
        header_rows=2,
    )
    assert {value.name for value in values(shapes)} == {"Shape coefficients"}


def test_a_head_with_its_unit_is_believed_over_a_nearer_one_that_measures_something_else() -> None:
    grid = [
        ["Place", "Minimum distance in mm", "Minimum distance in mm"],
        ["", "Pressure jet burner", "Others"],
        ["Wall", "600", "300"],
    ]
    far = table("Table 3.4", grid, "Terminals", header_rows=2)
    assert {(v.name, v.found.low, v.found.unit, v.confidence >= ACCEPTED) for v in values(far)} == {
        ("distance", 600, "mm", True),
        ("distance", 300, "mm", True),
    }
    unsaid = table("Table 3.5", [["Place", "Distance"], ["", "Pressure jet"], ["Wall", "6 m"]], header_rows=2)
    assert [v.confidence >= ACCEPTED for v in values(unsaid)] == [False]


def test_a_symbol_that_the_document_explains_names_a_column() -> None:
    loads = table("Table 6.2", [["Category", "qk (kN/m²)"], ["A", "2.0"]], "Categories")
    assert shown(loads) == []
    assert shown(loads, qk="characteristic load") == [("qk", "=", 2.0, "kN/m²", ("A",), True)]


@pytest.mark.parametrize(
    ("printed", "bound"),
    [("> 14 kW", ">"), ("≥ 14 kW", ">="), ("<14 kW", "<"), ("≤14 kW", "<="), ("14 kW", "=")],
)
def test_a_strict_bound_stays_strict(printed: str, bound: Bound) -> None:
    boilers = table("Table 2", [["Boiler", "Rated output"], ["Large", printed]])
    assert shown(boilers) == [("Rated output", bound, 14, "kW", ("Large",), True)]
    assert as_shown(bound, values(boilers)[0].found).replace(" ", "") == printed.replace(" ", "")


@pytest.mark.parametrize(
    "grid",
    [
        [["Use", "Fixed use (litres/ person/ day)"], ["Shower flow rate (l/s)", "0.00"]],
        [["Valve", "Resistance of each bend"], ["G1", "1.7 m"]],
        [["Room", "Remarks"], ["Kitchen", "see 1.2"]],
        [["Only a header with width (mm)"]],
        [["Width (mm)"], ["900"]],
        [[""]],
    ],
)
def test_what_the_heads_do_not_say_plainly_is_not_accepted(grid: list[list[str]]) -> None:
    odd = table("Table 3.1", grid, "Sizing of valve outlet sizes and flow rates")
    assert [value for value in values(odd) if value.confidence >= ACCEPTED] == []


def test_rows_of_one_name_that_say_different_values_are_told_apart_and_wait_for_a_person() -> None:
    pipes = table(
        "Table 2",
        [
            ["Appliance", "Max. length (m)", "Pitch limits (°)"],
            ["Basin", "1.7", "18 to 22"],
            ["Basin", "0.7", "44 to 87"],
            ["Bath", "3", "18 to 90"],
        ],
    )
    lengths = [line for line in shown(pipes) if line[0] == "length"]
    assert lengths == [
        ("length", "<=", 1.7, "m", ("Basin", "Pitch limits (°) 18 to 22 °"), False),
        ("length", "<=", 0.7, "m", ("Basin", "Pitch limits (°) 44 to 87 °"), False),
        ("length", "<=", 3, "m", ("Bath",), True),
    ]


def test_a_column_of_a_bare_number_is_a_condition_under_the_head_of_its_row() -> None:
    rooms = table("Table 3", [["Number of bedspaces", "2", "3 & 4"], ["Minimum length (mm)", "900", "1200"]])
    assert [line[4] for line in shown(rooms)] == [
        ("Number of bedspaces: 2",),
        ("Number of bedspaces: 3 & 4",),
    ]


@pytest.mark.parametrize(
    ("head", "cell", "note", "read"),
    [
        ("Load (kN)", "10³", "", [(1000, "kN", True)]),
        ("Load (kN)", "10³", "3", [(1000, "kN", False)]),
        ("Load (kN)", "12³", "3", [(12, "kN", True)]),
        ("Load (kN)", "12³", "", [(12, "kN", False)]),
        ("Load, lb (kN)", "200", "", [(200, "lb", True)]),
        ("Load, lb (kN)", "2,000 (8.9)", "", [(2000, "lb", True), (8.9, "kN", True)]),
        ("Load, lb (kN)", "(8.9)", "", [(8.9, "kN", True)]),
        ("Load, lb (kN)", "200 (1)", "1", [(200, "lb", False), (1, "kN", False)]),
        ("Load, lb (kN)", "200 or 300 (0.9)", "", []),
        ("Load, lb (kN)", "200 kN", "", [(200, "kN", True)]),
        ("Load, psf [kN/m²]", "20 [0.96]", "", [(20, "psf", True), (0.96, "kN/m²", True)]),
        ("Width m (ft)", "3 (10)", "", [(3, "m", True), (10, "ft", True)]),
        ("Thickness t (mm)", "20", "", [(20, "mm", True)]),
        ("Thickness in (mm)", "20", "", []),
    ],
)
def test_a_power_is_no_marked_ten_and_of_two_units_the_second_is_that_in_brackets(
    head: str, cell: str, note: str, read: list[tuple[float, str, bool]]
) -> None:
    made = table("Table 3", [["Place", head], ["Rail", cell]])
    noted = replace(made, notes=(TableNote(note, "As agreed.", made.cells[0].box),) if note else ())
    assert [(v.found.low, v.found.unit, v.confidence >= ACCEPTED) for v in values(noted)] == read
