"""What of a table is quoted: the row, its headers, and the notes that may change it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.cells import carries, from_table, notes_of
from appliance.answer.findings import Part

from appliance.core.document import Cell, Label, Table, TableNote
from tests.answer.builders import box, chunk, place, query


def cell(row: int, column: int, text: str, header: bool = False) -> Cell:
    return Cell(row, column, text, box(row), header=header)


TABLE = Table(
    Label(("Table 6.1",)),
    "Densities",
    (
        cell(0, 0, "Material", header=True),
        cell(0, 1, "Density kN/m3", header=True),
        cell(1, 0, "Concrete, normal"),
        cell(1, 1, "24.0 a b"),
        cell(2, 0, "Timber"),
        cell(2, 1, "4.6"),
        cell(3, 0, ""),
        cell(3, 1, ""),
    ),
    (
        TableNote("a", "Increase by 1 kN/m3 for reinforcement.", box(8)),
        TableNote("c", "Not for this.", box(9)),
        TableNote("", "Values are characteristic.", box(10)),
    ),
    (box(),),
)


def row_part(row: int | None, text: str) -> Part:
    return Part(place("table", "Table 6.1"), chunk(text, "table", "Table 6.1", row), 0.4, 0)


def test_a_row_brings_its_headers_and_the_notes_it_carries() -> None:
    found = from_table(query("concrete density", "value"), [row_part(1, "Concrete: Density 24.0 a b")], TABLE)
    assert found is not None
    assert [quote.text for quote in found.quotes] == [
        "Material | Density kN/m3",
        "Concrete, normal | 24.0 a b",
        "a Increase by 1 kN/m3 for reinforcement.",
        "Values are characteristic.",
    ]
    assert found.marked == ((1, 0), (1, 1))
    assert "Increase by 1" in found.text


def test_a_footnote_names_the_row_that_carries_it() -> None:
    parts = [row_part(2, "Timber: Density 4.6"), row_part(1, "Concrete, normal: Density 24.0 a b")]
    found = from_table(query("density with reinforcement", "value"), parts, TABLE)
    assert found is not None
    assert found.text.startswith("Table 6.1: Concrete")


def test_words_of_the_headers_tell_no_row_apart() -> None:
    parts = [row_part(2, "Timber of high density"), row_part(1, "Concrete, normal: Density 24.0 a b")]
    found = from_table(query("density concrete", "value"), parts, TABLE)
    assert found is not None
    assert found.text.startswith("Table 6.1: Concrete")


def test_rows_that_answer_alike_are_all_stated_in_table_order() -> None:
    parts = [row_part(2, "Timber: Density 4.6"), row_part(1, "Concrete, normal: Density 24.0 a b")]
    found = from_table(query("density", "value"), parts, TABLE)
    assert found is not None
    assert found.text.index("Concrete") < found.text.index("Timber")


def test_a_row_without_marks_brings_general_notes_only() -> None:
    assert [note.text for note in notes_of(TABLE, [cell(2, 1, "4.6")])] == ["Values are characteristic."]


@pytest.mark.parametrize("row", [None, 0, 99])
def test_no_row_says_nothing(row: int | None) -> None:
    assert from_table(query("x"), [row_part(row, "x")], TABLE) is None


@pytest.mark.parametrize(
    ("text", "mark", "held"),
    [
        ("24.0 a", "a", True),
        ("24.0a", "a", True),
        ("24 (1)", "1", True),
        ("24 1", "1", True),
        ("24 1)", "1)", True),
        ("241", "1", False),
        ("1", "1", False),
        ("0.8*", "*", True),
        ("20.0ᵃ,ᵇ", "b", True),
        ("20.0ᵃ,ᵇ", "c", False),
        ("20.0 a,b", "b", True),
        ("roof¹", "1", True),
        ("area", "a", True),  # a letter glued to a word cannot be told from a mark: shown rather than lost
        ("timber", "a", False),
        ("anything", "", False),
    ],
)
def test_marks(text: str, mark: str, held: bool) -> None:
    assert carries(text, mark) is held


@pytest.mark.parametrize(("rank", "others"), [(0, True), (5, False)])
def test_a_short_table_of_the_first_places_is_stated_whole_and_marks_what_decides(
    rank: int, others: bool
) -> None:
    texts = {1: "Concrete, normal: Density 24.0 a b", 2: "Timber: Density 4.6"}
    parts = [
        replace(row_part(number, text), rank=rank, similarity=1.0 - number) for number, text in texts.items()
    ]
    found = from_table(query("concrete density", "value"), parts, TABLE)
    assert found is not None
    assert ("Other rows: Timber" in found.text) is others
    assert found.marked == ((1, 0), (1, 1))


def test_a_note_of_another_row_is_not_stated_whatever_it_speaks_of() -> None:
    spoken = replace(TABLE, notes=(TableNote("a", "Timber density 4.0 where it is wet.", box(8)),))
    found = from_table(query("timber density", "value"), [row_part(2, "Timber: Density 4.6")], spoken)
    assert found is not None
    assert "wet" not in found.text
    assert not any("wet" in quote.text for quote in found.quotes)
    lost = replace(spoken, notes=(TableNote("x", "Timber density 4.0 where it is wet.", box(8)),))
    found = from_table(query("timber density", "value"), [row_part(2, "Timber: Density 4.6")], lost)
    assert found is not None
    assert "wet" in found.text  # its mark was read nowhere: it may be this row's


def test_a_letter_at_the_end_of_a_word_is_no_mark_where_the_mark_stands_plainly() -> None:
    cells = (cell(0, 0, "Loaded area", header=True), cell(0, 1, "Load", header=True), cell(1, 0, "Stairs"))
    marked = (cell(1, 1, "3.0"), cell(2, 0, "Balconies"), cell(2, 1, "2.5ᵃ"))
    note = TableNote("a", "4.0 for shared balconies.", box(8))
    table = Table(Label(("Table 2",)), "Loads", (*cells, *marked), (note,), (box(),))
    assert notes_of(table, [*cells, marked[0]]) == []
    assert notes_of(table, marked[1:]) == [note]
    assert notes_of(replace(table, title="Loadsᵃ"), cells) == [note]  # a mark of the caption is every row's
    assert notes_of(replace(table, cells=cells), cells) == [note]  # nowhere else: shown rather than lost


def test_all_rows_decide_where_the_question_tells_none_apart() -> None:
    parts = [
        replace(row_part(1, "Concrete, normal: Density 24.0 a b"), similarity=0.9),
        replace(row_part(2, "Timber: Density 4.6"), similarity=0.1),
    ]
    found = from_table(query("density", "value"), parts, TABLE)
    assert found is not None
    assert {row for row, _ in found.marked} == {1, 2}


def test_what_is_asked_for_names_no_row() -> None:
    notes = (TableNote("a", "With partial factors on strength.", box(8)),)
    parts = [row_part(1, "Concrete, normal: Density 24.0 a b"), row_part(2, "Timber: Density 4.6")]
    found = from_table(query("partial factor density", "value"), parts, replace(TABLE, notes=notes))
    assert found is not None
    assert {row for row, _ in found.marked} == {1, 2}


def test_a_number_that_counts_things_picks_no_row_of_classes() -> None:
    cells = [cell(0, 0, "Class", header=True), cell(0, 1, "Buildings", header=True)]
    texts = {1: "Houses", 2: "Schools of one storey", 3: "Halls"}
    for number, text in texts.items():
        cells += [cell(number, 0, str(number)), cell(number, 1, text)]
    table = Table(Label(("Table 3",)), "Kinds", tuple(cells), (), (box(),))
    parts = [replace(row_part(n, f"{n}: {t}"), similarity=0.9 - 0.2 * abs(n - 2)) for n, t in texts.items()]
    counted = from_table(query("class of a 3 storey school"), parts, table)
    named = from_table(query("which schools are of class 3"), parts, table)
    assert counted is not None
    assert named is not None
    assert 3 not in {row for row, _ in counted.marked}
    assert {row for row, _ in named.marked} == {3}
