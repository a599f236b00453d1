"""Numbers with what they are said of, read from sentences, lists and rows."""

from __future__ import annotations

import pytest

from appliance.answer.conflicts import Assertion, of_sentence, of_table, of_text
from appliance.core.document import Cell, Label, Table
from tests.answer.builders import box


def stem(word: str) -> str:
    return word.removesuffix("s")


def only(found: list[Assertion]) -> Assertion:
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("sentence", "values", "bound"),
    [
        ("The clear width should be at least 900 mm.", {0.9}, ">="),
        ("The clear width should be not less than 0,9 m.", {0.9}, ">="),
        ("A maximum rise of 170mm.", {0.17}, "<="),
        ("The area is 10,000mm2.", {0.01}, "="),
        ("The area is 10 000 mm².", {0.01}, "="),
        ("Undercut doors by 10 mm above the finish or 20 mm above the floor.", {0.01, 0.02}, "="),
        ("An area of 1.5 m² or more.", {1.5}, ">="),
    ],
)
def test_numbers_in_base_units_with_their_bound(sentence: str, values: set[float], bound: str) -> None:
    found = only(list(of_sentence(sentence, stem)))
    assert found.values == values
    assert found.bound == bound


@pytest.mark.parametrize(
    "sentence",
    [
        "Rooms over 20 m² need two doors.",  # a threshold is no demand
        "Where the rise exceeds 600 mm, provide handrails.",
        "For example, a width of 900 mm.",
        "See clause 4.2 and Table 3.",
        "There are 12 of them.",
        "",
        "A width of mm.",
    ],
)
def test_what_demands_nothing_asserts_nothing(sentence: str) -> None:
    assert list(of_sentence(sentence, stem)) == []


def test_the_number_of_a_clause_is_no_current() -> None:
    assert list(of_text("1.60 A continuous system extracts air.", ["Extract"], stem)) == []


def test_an_item_holds_under_what_introduces_its_list_and_what_stands_above() -> None:
    text = (
        "1.64 Where fans run all day, vents should satisfy:\na. Not be in kitchens.\nb. An area of 4000mm2."
    )
    found = only(list(of_text(text, ["Ventilation", "Vents for fans"], stem)))
    assert {"fan", "run", "day"} <= found.conditions
    assert "kitchen" not in found.conditions
    assert found.subject == {"area"}
    assert text[found.start : found.end].endswith("An area of 4000mm2.")


def test_an_item_of_an_item_holds_under_both() -> None:
    text = (
        "Provide:\na. In replaced windows.\ni. In bedrooms, an area of 8000 mm2.\n"
        "b. In doors, an area of 4000 mm2."
    )
    first, second = of_text(text, [], stem)
    assert "window" in first.conditions
    assert "window" not in second.all


def cell(row: int, column: int, text: str, *, header: bool = False, span: int = 1) -> Cell:
    return Cell(row, column, text, box(row), column_span=span, header=header)


def table(*rows: tuple[str, ...]) -> Table:
    cells = [cell(r, c, text, header=r == 0) for r, texts in enumerate(rows) for c, text in enumerate(texts)]
    return Table(Label(("Table 1",)), "Minimum areas", tuple(cells), (), (box(),))


def test_a_cell_is_said_of_its_row_and_header_and_bound_by_the_title() -> None:
    found = only(list(of_table(table(("Room", "Area (mm2)"), ("Bedroom", "8000")), ["Vents"], stem)))
    assert (found.values, found.bound, found.row) == (frozenset({0.008}), ">=", 1)
    assert {"bedroom", "area"} <= found.subject


def test_a_row_that_is_a_sentence_says_its_own_number() -> None:
    asked = table(("Question", "Yes"), ("Do rooms have a minimum area of 5000mm2?", "No"))
    found = only(list(of_table(asked, [], stem)))
    assert found.values == {0.005}
    assert found.bound == ">="
