"""Two columns that hold tables, lists and short titles, told by the white strip between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Box, Cell, Label, Table
from appliance.ingest.layout.columns import unsure_columns
from tests.ingest.made import BOLD, Print, layouts

PROSE = "the action on a barrier of a walkway is"
LEFT, RIGHT, STEP = 50.0, 310.0, 13.0


def prose(name: str, x: float, y: float, count: int) -> list[Print]:
    return [Print(x, y + STEP * n, f"{name}{n} {PROSE}") for n in range(count)]


def cells(x: float, y: float, count: int) -> list[Print]:
    return [Print(x + 75 * c, y + STEP * r, f"t{r}{c}") for r in range(count) for c in range(3)]


def where(x: float, y: float, count: int) -> list[Print]:
    signs = [Print(x, y + STEP * n, f"w{n}") for n in range(count)]
    return signs + [Print(x + 30, y + STEP * n, "= an action") for n in range(count)]


def titles(name: str, x: float, y: float, count: int) -> list[Print]:
    return [Print(x, y + 3 * STEP * n, f"{name}{n}", 11, BOLD) for n in range(count)]


def first_words(folder: Path, page: list[Print]) -> list[str]:
    return [line.text.split()[0] for line in layouts(folder, page)[0].lines]


@pytest.mark.parametrize(
    "other",
    [
        [*cells(RIGHT, 100, 14), *prose("b", RIGHT, 300, 6)],
        [*prose("b", RIGHT, 100, 6), *cells(RIGHT, 190, 16), *where(RIGHT, 410, 3)],
        [*where(RIGHT, 103, 12), *prose("b", RIGHT, 270, 8)],
        [*titles("b", RIGHT, 104, 7), *prose("d", RIGHT, 385, 5)],
    ],
    ids=["a table at the head", "a table at the foot", "symbols", "short titles"],
)
def test_a_column_is_one_whatever_stands_in_it(tmp_path: Path, other: list[Print]) -> None:
    got = first_words(tmp_path, [*prose("a", LEFT, 100, 26), *other])
    assert got[:26] == [f"a{n}" for n in range(26)]
    assert not any(word.startswith("a") for word in got[26:])


def test_columns_under_a_title_and_over_a_table_across_both(tmp_path: Path) -> None:
    title = [Print(180, 60, "A standard for barriers and loads of walkways", 14, BOLD)]
    across = [Print(200, 480, "Table 3 Widths of walkways and of stairs", 10, BOLD)]
    across += [Print(x, 500 + STEP * r, f"t{r}") for r in range(4) for x in (LEFT, 220, 400)]
    page = [*title, *prose("a", LEFT, 100, 26), *cells(RIGHT, 100, 12), *prose("b", RIGHT, 300, 6), *across]
    got = first_words(tmp_path, page)
    assert got[:27] == ["A", *(f"a{n}" for n in range(26))]
    assert got[-4:] == ["t0", "t1", "t2", "t3"]


def compared(rows: int, left: str = "a", right: str = "b") -> list[Print]:
    """Return a table without rules whose entries are lines of text, each row level on both sides."""
    page = []
    for row in range(rows):
        y = 100 + 45 * row
        page += [*prose(f"{left}{row}.", LEFT, y, 1 + row % 2)]
        page += [Print(LEFT, y + 26, "short")] if row % 2 else []
        page += [Print(RIGHT, y, f"{right}{row}. {PROSE}"), Print(RIGHT, y + 12, "kN")]
        page += [Print(RIGHT, y + 24, "m")]
    return page


def test_rows_that_begin_level_are_read_across_and_told(tmp_path: Path) -> None:
    (layout,) = layouts(tmp_path, compared(9))
    first = layout.lines[0].text
    assert "a0." in first
    assert "b0." in first
    (problem,) = unsure_columns([layout], [])
    assert problem.page == 1
    assert problem.box is not None
    assert problem.box.x0 < 0.1
    assert problem.box.x1 > 0.8
    assert "white strip" in problem.message


@pytest.mark.parametrize(
    ("left", "right", "down"),
    [("5.", "R5.", True), ("5.", "5.1", True), ("5.", "b", False), ("a", "R5.", False), ("", "2,", False)],
)
def test_clauses_counted_on_both_sides_are_two_columns(
    left: str, right: str, down: bool, tmp_path: Path
) -> None:
    (layout,) = layouts(tmp_path, compared(9, left, right))
    assert (f"{right}0." in layout.lines[0].text) is not down
    assert bool(layout.problems) is not down


def test_a_table_found_there_settles_it(tmp_path: Path) -> None:
    (layout,) = layouts(tmp_path, compared(9))
    whole, elsewhere = Box(1, 0.05, 0.05, 0.95, 0.95), Box(2, 0.05, 0.05, 0.95, 0.95)
    table = Table(Label(("Table 1",)), "", (Cell(0, 0, "", whole),), (), (whole,))
    other = Table(Label(("Table 2",)), "", (Cell(0, 0, "", elsewhere),), (), (elsewhere,))
    assert not unsure_columns([layout], [table])
    assert unsure_columns([layout], [other])


def test_a_gutter_proven_on_one_page_parts_a_short_column_of_another(tmp_path: Path) -> None:
    first = [*prose("a", LEFT, 100, 30), *prose("b", RIGHT, 100, 30)]
    heads = [Print(RIGHT, 103 + 15 * n, f"c{n}", 12, BOLD) for n in range(3)]
    second = [*prose("d", LEFT, 100, 3), *heads, *prose("e", RIGHT, 147, 4)]
    got = [line.text.split()[0] for line in layouts(tmp_path, first, second)[1].lines]
    assert got == ["d0", "d1", "d2", "c0", "c1", "c2", "e0", "e1", "e2", "e3"]
    short = [Print(RIGHT, 126 + STEP * n, f"c{n}") for n in range(6)]
    (alone,) = layouts(tmp_path, [*prose("d", LEFT, 100, 8), *prose("e", RIGHT, 100, 2), *short])
    assert "white strip" in alone.problems[0].message


def test_numbers_that_hang_in_the_gutter_go_with_their_column(tmp_path: Path) -> None:
    rows = [(100 + 30.0 * n, n) for n in range(12)]
    left = [
        one for y, n in rows for one in (Print(LEFT, y, f"1{n:02}", 10, BOLD), *prose("a", LEFT + 30, y, 2))
    ]
    right = [
        one for y, n in rows[:4] for one in (Print(330, y, f"3{n:02}", 10, BOLD), *prose("b", 360, y, 2))
    ]
    got = [line.text.split()[0] for line in layouts(tmp_path, [*left, *right])[0].lines]
    assert [word for word in got if word.isdigit()] == [
        *(f"1{n:02}" for n in range(12)),
        "300",
        "301",
        "302",
        "303",
    ]


def test_short_columns_need_the_proof_of_their_prose(tmp_path: Path) -> None:
    page = [*prose("a", LEFT, 100, 4), *cells(RIGHT, 100, 4)]
    assert first_words(tmp_path, page) == ["a0", "a1", "a2", "a3"]
    assert not layouts(tmp_path, page)[0].problems
