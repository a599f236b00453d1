"""Values shown large stand at the statement that quotes their very cell, whatever else cites the table."""

from __future__ import annotations

import pytest

from appliance.core.document import Box, Label
from appliance.core.evidence import Citation, Statement
from appliance.web.answers import view
from appliance.web.answers.deciding import Row, Value

TABLE = ("D", "Table 1")
HEADS = 9  # the citation of the heads


def cell(row: int, page: int = 1) -> Box:
    return Box(page, 0.5, row / 10, 0.6, row / 10 + 0.05)


def row_of(row: int) -> Row:
    return Row(f"row {row}", (Value(("Rise",), f"{row}00"),), (cell(row),))


def cites(n: int, row: int, label: str = "Table 1", page: int = 1) -> Citation:
    """A citation of a whole row: its name and its cells."""
    name = Box(page, 0.1, row / 10, 0.4, row / 10 + 0.05)
    return Citation(n, "D", Label((label,)), page, (name, cell(row, page)), "quote")


def states(text: str, *numbers: int, confirmed: bool = True) -> Statement:
    return Statement(text, (HEADS, *numbers), confirmed)


QUOTED = (cites(1, 1), cites(2, 2), cites(3, 3), cites(HEADS, 0))


@pytest.mark.parametrize(
    ("marked", "statements", "expected"),
    [
        # another row, said first by a model, takes neither the value nor its citation
        ([1], [states("row 2: 200", 2), states("row 1: 100; row 2: 200", 1, 2)], [(1, [1], [1])]),
        ([1], [states("row 1: 100", 1), states("row 1: 100", 1)], [(0, [1], [1])]),
        # what is not confirmed carries no value that something confirmed carries too
        ([1], [states("row 1: 100", 1, confirmed=False), states("row 1: 100", 1)], [(1, [1], [1])]),
        ([1], [states("row 1: 100", 1, confirmed=False)], [(0, [1], [1])]),
        # the same row, another of its cells
        ([1], [states("row 1: Going 220", 1), states("row 1: Rise 100", 1)], [(1, [1], [1])]),
        # each row at its own statement
        ([1, 2], [states("row 2: 200", 2), states("row 1: 100", 1)], [(0, [2], [2]), (1, [1], [1])]),
        ([1, 2], [states("row 1: 100; row 2: 200", 1, 2)], [(0, [1, 2], [1, 2])]),
        # no statement quotes the cell: the first that cites the table
        ([4], [states("no table"), states("row 2: 200", 2)], [(0, [4], [])]),
        ([], [states("heads"), states("row 2: 200", 2)], [(0, [], [])]),
        ([1], [Statement("no table", (5,), confirmed=True)], []),
        ([1], [], []),
    ],
)
def test_a_value_is_carried_by_what_quotes_its_cell(
    marked: list[int], statements: list[Statement], expected: list[tuple[int, list[int], list[int]]]
) -> None:
    found = view.parts(TABLE, [row_of(row) for row in marked], statements, QUOTED)
    assert [
        (part.statement, [int(row.head.removeprefix("row ")) for row in part.rows], list(part.numbers))
        for part in found
    ] == expected


@pytest.mark.parametrize("strange", [cites(1, 1, label="Table 2"), cites(1, 1, page=2), cites(1, 5)])
def test_the_same_place_of_another_table_or_page_proves_nothing(strange: Citation) -> None:
    statements = [states("row 1: 100", 1), states("row 1: 100", 2)]
    found = view.parts(TABLE, [row_of(1)], statements, (strange, cites(2, 1), cites(HEADS, 0)))
    assert [(part.statement, part.numbers) for part in found] == [(1, (2,))]
