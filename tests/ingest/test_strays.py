"""Numbers out of their sequence: a place of their own where they are set as one, and always said."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Clause, Problem
from appliance.ingest.checks.numbering import label_problems
from appliance.ingest.layout.pages import arrange
from appliance.ingest.pdf.reader import read
from appliance.ingest.structure.outline import build_clauses
from tests import factories as make
from tests.ingest.made import LIMITS, Print, scheme, write


def _read(folder: Path, *lines: str) -> tuple[tuple[Clause, ...], tuple[Problem, ...]]:
    """Read one page: a title, and a paragraph on every second line."""
    printed = [Print(60, 60 + 30 * at, text, 10 if at else 14) for at, text in enumerate(lines)]
    source = read(write(folder / "made.pdf", [printed]), LIMITS)
    clauses, problems = build_clauses(arrange(source), frozenset(), scheme("decimal"))
    twice = (one for one in label_problems(make.document(clauses)) if "more than once" in one.message)
    return clauses, (*problems, *twice)


@pytest.mark.parametrize(
    ("lines", "numbers", "said"),
    [
        (("1.1 Load A", "1.2 Load B", "1.3 Load C"), "1 1.1 1.2 1.3", ()),
        (("1.1 Load A", "1.2 Load B", "1.3 Load C", "1.2 Load D"), "1 1.1 1.2 1.3 1.2", ("1.2",)),
        (("1.1 Load A", "1.3 Load B", "1.2 Load C", "1.4 Load D"), "1 1.1 1.3 1.2 1.4", ("1.2",)),
        (("1.1 Load A", "1.2 Load B", "1.9 Load C"), "1 1.1 1.2 1.9", ("1.9",)),
        (("1.1 Load A", "1.2 Load B", "1.8 m is the height", "1.3 Load C"), "1 1.1 1.2 1.3", ()),
        (("1.1 Load A", "1.2 Load B", "7.4 Load C", "1.3 Load D"), "1 1.1 1.2 1.3", ("7.4",)),
        (("1.1 Load A", "1.9 Load B", "2 Widths", "2.1 Width A"), "1 1.1 1.9 2 2.1", ("1.9",)),
    ],
    ids=["in order", "again", "swapped", "far on", "a value", "of another section", "title in body type"],
)
def test_a_number_out_of_order_is_not_its_neighbours_text(
    tmp_path: Path, lines: tuple[str, ...], numbers: str, said: tuple[str, ...]
) -> None:
    whole = (line if line == "2 Widths" else f"{line} shall be 4.0 in all cases." for line in lines)
    clauses, problems = _read(tmp_path, "1 Loads", *whole)
    assert [str(clause.label.parts[-1]) for clause in clauses] == numbers.split()
    assert len({clause.label for clause in clauses}) == len(clauses)
    assert len(problems) == len(said)
    for problem, number in zip(problems, said, strict=True):
        assert number in problem.message
        assert problem.page == 1
        assert problem.box is not None
        assert problem.box.y1 - problem.box.y0 < 0.05
