"""Lines that leave the item above them, and numbers in brackets that are those of formulas."""

from __future__ import annotations

from pathlib import Path

from tests.ingest.made import Print, clauses


def test_a_line_that_goes_on_with_a_reference_ends_no_title(tmp_path: Path) -> None:
    small = "The text of all other places is set in smaller type than this, as it often is in tables."
    page = [
        Print(60, 60, "NA.1 Scope", 12, "hebo"),
        Print(60, 90, "This annex gives the decisions that are made in this country for what the code"),
        Print(60, 103, "leaves open, in the following of its places: 2.4.2.4 (1), 2.4.2.4 (2), 4.4.1.2"),
        Print(60, 116, "(5), 6.2.2 (1), 9.2.1.1 (1), 9.2.1.1 (3) and A.2.1 (1)."),
        Print(60, 145, "NA.2 Decisions", 12, "hebo"),
        *(Print(60, 165 + 10 * n, small, 8) for n in range(9)),
    ]
    found, _ = clauses(tmp_path, "eurocode", page)
    assert not [clause for clause in found if clause.kind == "heading"]
    (scope,) = [clause for clause in found if str(clause.label) == "NA.1"]
    assert "4.4.1.2 (5), 6.2.2 (1)" in scope.passage.text
