"""Lines that leave the item above them, and numbers in brackets that are those of formulas."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.made import Print, clauses

LIST = (
    Print(60, 60, "1 Barriers", 14, "hebo"),
    Print(60, 85, "1.1 Barriers shall:"),
    Print(80, 105, "(a) resist 0.35 kN/m; and"),
    Print(80, 125, "(b) be closed by:"),
    Print(100, 145, "(i) mesh; or"),
)


PLATE = Print(100, 165, "(ii) plate.")
SPLIT = Print(100, 165, "(ii) plate of a kind of which")  # its first line alone is set in


@pytest.mark.parametrize(
    ("item", "indent", "home"), [(PLATE, 60, "1.1"), (PLATE, 115, "1.1b(ii)"), (SPLIT, 60, "1.1b(ii)")]
)
def test_a_line_left_of_its_list_belongs_to_what_the_list_stands_in(
    tmp_path: Path, item: Print, indent: float, home: str
) -> None:
    text = Print(60, 205, "1.2 The width between the barriers is 1.2 m wherever two persons may meet.")
    page = [*LIST, item, Print(indent, 185, "Their height is 900 mm."), text]
    found, _ = clauses(tmp_path, "decimal", page)
    holds = [str(clause.label) for clause in found if "900 mm" in clause.passage.text]
    assert holds == [home]


def test_a_number_alone_at_the_right_edge_is_no_paragraph(tmp_path: Path) -> None:
    page = [
        Print(60, 60, "5 Deflections", 14, "hebo"),
        Print(60, 90, "5.1 General", 12, "hebo"),
        Print(60, 110, "The deflection of a post is given by the expression that follows here"),
        Print(420, 130, "(1)"),
        Print(60, 150, "where F is the load on one of its ends."),
        Print(60, 180, "5.2 Posts", 12, "hebo"),
        Print(60, 200, "(1) A post is a column without a beam on it, and stands on the ground."),
    ]
    found, _ = clauses(tmp_path, "eurocode", page)
    assert [str(clause.label) for clause in found if clause.kind == "paragraph"] == ["5.2(1)"]


@pytest.mark.parametrize(
    ("family", "word", "status", "other"),
    [("eurocode", "Annex", "normative", "informative"), ("din", "Anhang", "normativ", "informativ")],
)
def test_an_annex_of_two_letters_stands_behind_those_of_one(
    tmp_path: Path, family: str, word: str, status: str, other: str
) -> None:
    page = [
        Print(60, 60, "1 Doors", 14, "hebo"),
        Print(60, 90, "1.1 Doors that close by themselves are tested as the annexes say."),
        Print(60, 130, f"{word} A ({status}) Tests", 14, "hebo"),
        Print(60, 160, "Doors are tested ten times by opening and closing them again."),
        Print(60, 200, f"{word} ZA ({other}) Directives", 14, "hebo"),
        Print(60, 230, "Doors are spoken of in the directives of the union as well."),
    ]
    found, _ = clauses(tmp_path, family, page)
    annexes = {str(clause.label): clause.normative for clause in found if clause.kind == "annex"}
    assert annexes == {f"{word} A": True, f"{word} ZA": False}
