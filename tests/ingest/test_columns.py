"""Two columns that hold tables, lists and short titles, told by the white strip between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.made import BOLD, Print, layouts

PROSE = "the action on a barrier of a walkway is"
LEFT, RIGHT, STEP = 50.0, 310.0, 13.0


def prose(name: str, x: float, y: float, count: int) -> list[Print]:
    return [Print(x, y + STEP * n, f"{name}{n} {PROSE}") for n in range(count)]


def titles(name: str, x: float, y: float, count: int) -> list[Print]:
    return [Print(x, y + 3 * STEP * n, f"{name}{n}", 11, BOLD) for n in range(count)]


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
