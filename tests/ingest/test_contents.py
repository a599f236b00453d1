"""Contents lists: what is left out of the text with them, and what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.structure.contents import find_contents
from tests.ingest.made import Print, column, layouts, scheme

DOTS = "." * 40
TITLED = column("# Contents", *(f"{n} Title {DOTS} {n + 2}" for n in range(1, 6)))
PLAIN = column("# Contents", *(f"{n} Title of it {n + 2}" for n in range(1, 6)))
MINI = [f"2.{n} Loads {DOTS} {n + 4}" for n in range(1, 6)]

ITEMS = tuple(f"Table 7.{n} Loads of floors {n}" for n in range(1, 6))  # a list of its own, overleaf


@pytest.mark.parametrize(
    ("first", "rows", "left_out"),
    [
        (TITLED, ("1.2.3 The cover is 65 mm.", "Chapter 2 Loads", *MINI, "2.1 The load is"), MINI),
        (TITLED, ("1.1 The frame of mild steel", "1.2 A wall", "in general", "at any panel", "at all"), ()),
        (TITLED, ("Slab on ground 40", "Suspended slab 25", "Beam 30", "Column 35", "at least 6"), ()),
        (PLAIN, ("Slab 9", "Wall 8", "Beam 7", "Column 6", "Pile 5"), ()),
        (PLAIN, ("6 Roofs 8", "7 Walls 9", "8 Beams 9", "9 Piles 11"), "all"),
        (TITLED, MINI, "all"),
        (TITLED, ITEMS, ITEMS),
        (TITLED, (*ITEMS[:3], "Table 7.4 Loads of floors 1"), ()),
    ],
)
def test_only_entries_leave_the_text(
    tmp_path: Path, first: list[Print], rows: tuple[str, ...], left_out: tuple[str, ...] | str
) -> None:
    pages = layouts(tmp_path, first, column(*rows))
    found = find_contents(pages, scheme("decimal"))
    gone = [pages[number - 1].lines[index].text for number, index in sorted(found.taken) if number == 2]
    assert gone == list(rows if left_out == "all" else left_out)
    assert sum(number == 1 for number, _ in found.taken) == 6


@pytest.mark.parametrize(
    ("rows", "left_out"),
    [
        ((f"1 General {DOTS} 1", f"2 Loads {DOTS} 4", "1 General", "1.1 The frame has 30"), 2),
        ((f"1 General {DOTS} 1", "1 General", "1.1 The frame has 30"), 1),
        ((*(f"{n} Title {DOTS} {n}-2" for n in range(1, 6)), "1.1 A tank of a height of 1-2"), 5),
        (("1 General", "1.1 The frame has 30", "1.2 The wall has 40"), 0),  # no entries at all
        (("1.1 The wall is 30", "1.2 The beam is 20"), 0),
        ((*(f"{n} Title {DOTS} {n}" for n in range(1, 6)), "1.1 A tank of a height up to 30"), 5),
        ((*(f"{n} Title of part {n}" for n in range(1, 6)), "1.1 A tank with doors has 3"), 5),
    ],
)
def test_a_list_ends_with_what_is_set_as_an_entry(
    tmp_path: Path, rows: tuple[str, ...], left_out: int
) -> None:
    found = find_contents(layouts(tmp_path, column("# Contents", *rows)), scheme("decimal"))
    assert len(found.taken) == (left_out + 1 if left_out else 0)
    assert len(found.items) == left_out


def test_text_that_is_printed_twice_is_no_list(tmp_path: Path) -> None:
    parts = ("walls", "roofs", "stairs", "floors")
    rows = [
        line for n, part in enumerate(parts, 1) for line in (f"{n} {part}", f"Loads of {part}", f"to {part}")
    ]
    again = [column(*rows[3 * n : 3 * n + 3]) for n in range(4)]
    found = find_contents(layouts(tmp_path, column(*rows), *again), scheme("decimal"))
    assert not found.taken
