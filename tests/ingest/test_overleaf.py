"""Tables that go on overleaf with neither a caption nor a frame, and pages that only look so.

Each is made as a PDF and read whole: what a table loses is found among the clauses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ingest.paper import FOOT, TEXT, Paper, opened, rows_read

ROWS = tuple(
    (f"7.{n}", f"Spacing of the fixings in row {n}", f"{n + 10}.5", "Use with care" if n % 3 else "None")
    for n in range(1, 45)
)
FIXINGS: Any = (("No.", "Property", "Value", "Remark"), ROWS, (60, 210, 80, 120))
TWO: Any = (("Symbol", "Meaning"), [(f"K{n}", f"factor of the part {n}") for n in range(1, 45)], (90, 300))


def _table(form: Any, rules: str) -> Paper:
    paper = opened("BS 1000")
    paper.table("Table 4 Fixings", form, rules, bare=True)
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    return paper


@pytest.mark.parametrize("behind", ["prose", "table", "heading"])
def test_what_stands_overleaf_behind_a_table_is_not_of_it(behind: str, tmp_path: Path) -> None:
    paper = opened("BS 1000")
    paper.y = FOOT - 150
    paper.table("Table 4 Fixings", (FIXINGS[0], ROWS[:6], FIXINGS[2]), "rows")
    paper.turn()
    if behind == "table":
        paper.table("Table 5 Further fixings", (FIXINGS[0], ROWS[6:16], FIXINGS[2]), "rows")
    elif behind == "heading":
        paper.heading("3", "Verification")
    paper.prose(TEXT)
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert rows_read(document)[1:] == list(ROWS[:6])
    assert len(document.tables) == (2 if behind == "table" else 1)
    assert not [problem for problem in document.problems if "may go on" in problem.message]
