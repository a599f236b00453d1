"""Lines that leave the item above them, and numbers in brackets that are those of formulas."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.ingest.made import BOLD, Print, clauses, column

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
    ("item", "indent", "home"), [(PLATE, 60, "1.1"), (PLATE, 115, "1.1(b)(ii)"), (SPLIT, 60, "1.1(b)(ii)")]
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


def test_paragraphs_that_a_later_part_adds_count_from_a_hundred_and_one(tmp_path: Path) -> None:
    page = [
        Print(60, 60, "5 Analysis", 14, "hebo"),
        Print(60, 90, "5.1.1 General", 12, "hebo"),
        Print(60, 110, "(102)P Bridges are analysed with all their stages in view, and in each of them."),
        Print(60, 130, "(108) Where 100 members and more are alike, one of them may stand for all."),
        Print(60, 150, "Of (100) of them none is left out."),
        Print(60, 180, "113 Stages", 14, "hebo"),
        Print(60, 210, "113.2 Actions", 12, "hebo"),
        Print(60, 230, "(101) The wind on a deck that is being launched is taken as it blows there."),
    ]
    found, _ = clauses(tmp_path, "eurocode", page)
    paragraphs = [str(clause.label) for clause in found if clause.kind == "paragraph"]
    assert paragraphs == ["5.1.1(102)", "5.1.1(108)", "113.2(101)"]
    assert next(one for one in found if str(one.label) == "5.1.1(102)").principle


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


def test_numbered_items_texts_behind_lists_and_paragraphs_behind_formulas(tmp_path: Path) -> None:
    texts = [
        (70, "(1)P The rules of this section shall be applied for all of these loads at once:"),
        (90, "a) dead loads, those of fixings among them, and all that"),
        (104, "rests on the barrier for long, of these kinds:"),
        (104, "1) what lies on it;"),
        (104, "2) what hangs below it;"),
        (90, "b) wind."),
        (90, "The loads of a) and b) are to be combined as the next paragraphs say it."),
        (70, "(2) The force is given by this relation, which holds for the wind alone."),
        (180, "F = v b"),
        (70, "(3)P Stiffness shall be verified for all of these loads."),
        (90, "NOTE The value may be given elsewhere."),
    ]
    page = [Print(x, 120 + 13 * at, text) for at, (x, text) in enumerate(texts)]
    titles = [Print(70, 80, "2 Lists", 13, BOLD), Print(70, 100, "2.1 Loads", 12, BOLD)]
    last = [Print(70, 80, "(4) A paragraph alone on its page, and its list:"), Print(90, 93, "a) an item.")]
    number = Print(490, 120 + 13 * 8, "(2.1)")
    found = {c.label.key: c for c in clauses(tmp_path, "eurocode", [*titles, *page, number], last)[0]}
    assert list(found)[2:] == [
        "2.1(1)", "2.1(1)a", "2.1(1)a(1)", "2.1(1)a(2)", "2.1(1)b", "2.1(2)", "2.1(3)", "2.1(3) NOTE",
        "2.1(4)", "2.1(4)a",
    ]  # fmt: skip
    assert found["2.1(1)b"].passage.text == "wind."
    assert found["2.1(1)"].passage.text.endswith("as the next paragraphs say it.")
    assert [found[key].normative for key in ("2.1(3)", "2.1(3) NOTE", "2.1(1)a")] == [True, False, True]


@pytest.mark.parametrize("number", ["(9.4)", "(9.5N)", "(6.10.aN)", "(6.10a)"])
def test_a_paragraph_opens_behind_a_formula_of_a_paragraph_and_of_a_note(tmp_path: Path, number: str) -> None:
    texts = [
        (70, "(1) The share of the plates that are set across is given by this expression here:"),
        (180, "p = a b"),
        (100, "Note: The value that is recommended is given by the next of these expressions:"),
        (180, "p = 2 a b"),
        (70, "(2) The distance between the plates that are set across should not exceed s."),
        (180, "s = d e"),
        (70, "(3) The area of the plates that are set along should not be less than is said here."),
    ]
    page = [Print(x, 120 + 13 * at, text) for at, (x, text) in enumerate(texts)]
    numbers = [Print(480, 120 + 13 * at, number) for at in (1, 3, 5)]
    titles = [Print(70, 80, "9 Plates", 13, BOLD), Print(70, 100, "9.2 Plates set across", 12, BOLD)]
    found, _ = clauses(tmp_path, "eurocode", [*titles, *page, *numbers])
    assert [c.label.key for c in found][2:] == ["9.2(1)", "9.2(1) NOTE", "9.2(2)", "9.2(3)"]


def test_doubled_letters_stand_below_roman_numbers(tmp_path: Path) -> None:
    rows = [
        "# Regulation 12: Notices",
        "(1) Notice shall be given of what stands in any of these:",
        ">(a) a room with a shower, which reaches:",
        ">>(i) upwards from the finished floor to:",
        ">>>(aa) a height of two metres;",
        ">>>(bb) the shower head;",
        ">>(ii) sideways to the wall.",
    ]
    page = [
        replace(piece, x=70 + 20 * row.count(">"), text=row.lstrip("># "))
        for piece, row in zip(column(*rows), rows, strict=True)
    ]
    labels = [c.label.key for c in clauses(tmp_path, "approved_document", page)[0]]
    assert [label for label in labels if "(i)" in label] == [
        "12(1)(a)(i)", "12(1)(a)(i)(aa)", "12(1)(a)(i)(bb)",
    ]  # fmt: skip
    assert "12(1)(a)(ii)" in labels


@pytest.mark.parametrize("sign", ["", " ®1", " ~", " <51", " (§]", " @il"])
def test_a_misread_sign_at_the_end_of_an_amendment_hides_no_paragraph(tmp_path: Path, sign: str) -> None:
    page = [
        Print(60, 60, "5 Roofs", 14, "hebo"),
        Print(60, 90, "5.1 Duopitch roofs", 12, "hebo"),
        Print(45, 120, "(5) (1) The roof and its parts that stand out should be divided in zones."),
        Print(60, 132, f"NOTE The zones may be defined elsewhere, those of Figure 5 are recommended.{sign}"),
        Print(60, 144, "(2) The reference height of the roof should be taken as the height h."),
        Print(60, 156, "(3) Pressure coefficients should be defined for each of these zones of it."),
        Print(60, 168, "The table gives them for each of the zones of a roof that is divided so."),
    ]
    found, _ = clauses(tmp_path, "eurocode", page, noisy=True)
    numbers = [str(clause.label) for clause in found if clause.kind == "paragraph"]
    assert numbers == ["5.1(1)", "5.1(2)", "5.1(3)"]


WHERE = (
    "c_b is the cover due to bond, see 5.1 (3)",
    "c_dur is the cover due to the conditions of the place, see 5.1 (5)",
)


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
