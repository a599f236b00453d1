"""Two editions held against one another: what became of each clause."""

from __future__ import annotations

import pytest

from appliance.core.document import Box, Cell, Clause, Document, Label, Passage, Table
from appliance.keeping.compare import Fate, compare

LONG = "The snow load on the roof shall be taken with the shape coefficient of the table for every slope."
OTHER = "Timber members are protected against moisture by a covering that lasts as long as the building."


def clause(key: str, text: str, title: str = "") -> Clause:
    return Clause(Label.from_key(key), "clause", title, Passage(text), None, 1, (Box(1, 0, 0, 1, 1),), key)


def table(key: str, *cells: str) -> Table:
    box = Box(2, 0, 0, 1, 1)
    return Table(
        Label((key,)), "", tuple(Cell(0, at, text, box) for at, text in enumerate(cells)), (), (box,)
    )


def document(*clauses: Clause, tables: tuple[Table, ...] = ()) -> Document:
    return Document("D", "D", "", "", "unknown", "en", "", "", (), clauses, tables)


def fates(old: Document, new: Document) -> list[tuple[Fate, str, str]]:
    return [
        (pair.fate, str(pair.old.label) if pair.old else "", str(pair.new.label) if pair.new else "")
        for pair in compare(old, new).pairs
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [], []),
        ([("1", LONG)], [("1", LONG.upper())], [("same", "1", "1")]),
        ([("1", LONG)], [("2", LONG)], [("moved", "1", "2")]),
        ([("1", LONG)], [("1", LONG.replace("every", "any"))], [("changed", "1", "1")]),
        ([("1", LONG)], [("2", LONG.replace("every", "any"))], [("changed", "1", "2")]),
        ([("1", LONG)], [("1", OTHER)], [("added", "", "1"), ("withdrawn", "1", "")]),
        (
            [("1", LONG), ("2", OTHER)],
            [("1", OTHER), ("2", LONG)],
            [("moved", "2", "1"), ("moved", "1", "2")],
        ),
        ([("1", "See 2."), ("2", "See 2.")], [("3", "See 2.")], None),  # too short to be told apart
    ],
)
def test_what_became_of_a_clause(
    old: list[tuple[str, str]], new: list[tuple[str, str]], expected: list[tuple[Fate, str, str]] | None
) -> None:
    found = fates(document(*(clause(*row) for row in old)), document(*(clause(*row) for row in new)))
    if expected is None:
        assert {fate for fate, _, _ in found} == {"withdrawn", "added"}
    else:
        assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("paragraph", ["1.1(1)", "1.1(101)P"])
@pytest.mark.parametrize(
    ("title", "expected"), [("Scope", ["same", "changed"]), ("Roofs", ["added", "withdrawn"] * 2)]
)
def test_a_paragraph_written_anew_is_changed_where_its_clause_stayed(
    title: str, expected: list[Fate], paragraph: str
) -> None:
    old = document(clause("1.1", "", "Scope"), clause(paragraph, LONG))
    new = document(clause("1.1", "", title), clause(paragraph, OTHER))
    assert sorted(fate for fate, _, _ in fates(old, new)) == sorted(expected)


def test_what_is_withdrawn_stands_where_it_stood() -> None:
    old = document(clause("1", LONG), clause("2", OTHER), clause("3", LONG[:60] + "!"))
    new = document(clause("1", LONG), clause("3", LONG[:60] + "!"))
    assert [row[0] for row in fates(old, new)] == ["same", "withdrawn", "same"]


def test_one_number_in_a_table_is_a_change_and_is_shown() -> None:
    rows = ("Private stair", "150", "220", "General access stair", "170", "250")
    old = document(tables=(table("Table 1", *rows),))
    new = document(tables=(table("Table 1", *(cell.replace("220", "225") for cell in rows)),))
    (pair,) = compare(old, new).pairs
    assert pair.fate == "changed"
    assert [item.text for item in pair.words if item.fate != "same"] == ["220", "225"]


def test_many_alike_clauses_are_paired_once_each() -> None:
    old = document(*(clause(str(n), f"{LONG} Case number {n} of the list.") for n in range(60)))
    new = document(*(clause(str(n + 5), f"{LONG} Case number {n} of the list.") for n in range(60)))
    found = compare(old, new)
    assert found.counts == {"changed": 0, "added": 0, "withdrawn": 0, "moved": 60, "same": 0}
