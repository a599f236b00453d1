"""Where the group of a row ends: by how far in its label stands, its list, and what its heading refers to."""

from __future__ import annotations

import pytest

from appliance.core.document import Box, Cell, Label, Table
from appliance.tables.rows import rows

LEFT, IN, FURTHER = 0.1, 0.12, 0.14


def _table(lines: list[tuple[float, str, str]], pages: list[int] | None = None) -> Table:
    cells = [Cell(0, n, text, Box(1, 0.1, 0, 1, 1), header=True) for n, text in enumerate(("Action", "ψ"))]
    for row, (x0, label, value) in enumerate(lines, start=1):
        page = pages[row - 1] if pages else 1
        cells += [Cell(row, 0, label, Box(page, x0, 0, 0.5, 1)), Cell(row, 1, value, Box(page, 0.5, 0, 1, 1))]
    return Table(Label(("Table 1",)), "", tuple(cells), (), ())


@pytest.mark.parametrize(
    ("lines", "groups"),
    [
        pytest.param(
            [
                (LEFT, "Imposed loads", ""),
                (IN, "Offices", "0.7"),
                (IN, "Shops", "0.6"),
                (LEFT, "Snow", ""),
                (IN, "High", "0.5"),
                (LEFT, "Wind", "0.4"),
                (LEFT, "Fire", "0.3"),
            ],
            ["", "Imposed loads", "Imposed loads", "", "Snow", "", ""],
            id="set in",
        ),
        pytest.param(
            [
                (LEFT, "Snow (see EN 1991-1-3)*", ""),
                (LEFT, "High", "0.5"),
                (LEFT, "Low (under 1000 m)", "0.4"),
                (LEFT, "Wind (see EN 1991-1-4)", "0.3"),
                (LEFT, "Fire", "0.2"),
            ],
            ["", "Snow (see EN 1991-1-3)*", "Snow (see EN 1991-1-3)*", "", ""],
            id="refers as the heading",
        ),
        pytest.param(
            [(LEFT, "Pipes", ""), (LEFT, "Copper", "1"), (LEFT, "Steel", "2"), (LEFT, "Traps", "3")],
            ["", "Pipes", "Pipes", "Pipes"],
            id="nothing tells",
        ),
        pytest.param(
            [(LEFT, "Loads (see EN 1)", ""), (LEFT, "Snow (see EN 2)", "1"), (LEFT, "Wind (see EN 3)", "2")],
            ["", "Loads (see EN 1)", "Loads (see EN 1)"],
            id="all rows refer",
        ),
        pytest.param(
            [
                (LEFT, "Cat C", ""),
                (LEFT, "- C1", "1"),
                (IN, "C2", "2"),
                (LEFT, "- C3", "3"),
                (LEFT, "D", "4"),
            ],
            ["", "Cat C", "Cat C", "Cat C", ""],
            id="a dash that a layer lost",
        ),
        pytest.param(
            [
                (LEFT, "Roofs", ""),
                (IN, "Flat", ""),
                (FURTHER, "Warm", "1"),
                (FURTHER, "Cold", "2"),
                (IN, "Pitched", "3"),
                (LEFT, "Walls", "4"),
            ],
            ["", "", "Flat", "Flat", "Roofs", ""],
            id="a group in a group",
        ),
        pytest.param(
            [(0.4, "Section one", ""), (LEFT, "Snow", "1"), (IN, "High", "2"), (LEFT, "Wind", "3")],
            ["", "Section one", "Section one", "Section one"],
            id="a heading in the middle",
        ),
    ],
)
def test_a_group_ends_where_a_row_is_printed_as_headings_are(
    lines: list[tuple[float, str, str]], groups: list[str]
) -> None:
    assert [row.group for row in rows(_table(lines))] == groups


def test_a_page_on_which_the_table_stands_further_right_sets_nothing_in() -> None:
    lines = [(LEFT, "Snow", ""), (IN, "High", "1"), (0.3, "Wind", "2"), (0.32, "Lee", "3")]
    assert [row.group for row in rows(_table(lines, [1, 1, 2, 2]))] == ["", "Snow", "", ""]
