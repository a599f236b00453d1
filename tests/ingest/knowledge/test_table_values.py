"""Which cells of a table are values, of what, and when they hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Table, TableNote
from appliance.ingest.knowledge.collected import ACCEPTED
from appliance.ingest.knowledge.values import CellValue, cell_values
from tests.factories import table


def values(source: Table, *symbols: str) -> list[CellValue]:
    return list(cell_values(source, symbols, comma=False))


def shown(source: Table, *symbols: str) -> list[tuple[str, str, float, str, tuple[str, ...], bool]]:
    return [
        (v.name, v.bound, v.found.low, v.found.unit, v.conditions, v.confidence >= ACCEPTED)
        for v in values(source, *symbols)
    ]


def test_a_symbol_that_the_document_explains_names_a_column() -> None:
    loads = table("Table 6.2", [["Category", "qk (kN/m²)"], ["A", "2.0"]], "Categories")
    assert shown(loads) == []
    assert shown(loads, "qk") == [("qk", "=", 2.0, "kN/m²", ("A",), True)]


def test_rows_of_one_name_that_say_different_values_wait_for_a_person() -> None:
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
        ("length", "<=", 1.7, "m", ("Basin",), False),
        ("length", "<=", 0.7, "m", ("Basin",), False),
        ("length", "<=", 3, "m", ("Bath",), True),
    ]


@pytest.mark.parametrize(
    ("head", "cell", "note", "read"),
    [
        ("Load (kN)", "10³", "", [(1000, "kN", True)]),
        ("Load (kN)", "10³", "3", [(1000, "kN", False)]),
        ("Load (kN)", "12³", "3", [(12, "kN", True)]),
        ("Load (kN)", "12³", "", [(12, "kN", False)]),
        ("Load, lb (kN)", "200", "", []),
        ("Load, lb (kN)", "2,000 (8.9)", "", []),
        ("Thickness t (mm)", "20", "", [(20, "mm", True)]),
        ("Thickness in (mm)", "20", "", []),
    ],
)
def test_a_power_is_no_marked_ten_and_a_head_of_two_units_leaves_the_value_open(
    head: str, cell: str, note: str, read: list[tuple[float, str, bool]]
) -> None:
    made = table("Table 3", [["Place", head], ["Rail", cell]])
    noted = replace(made, notes=(TableNote(note, "As agreed.", made.cells[0].box),) if note else ())
    assert [(v.found.low, v.found.unit, v.confidence >= ACCEPTED) for v in values(noted)] == read
