"""Which labels of a question are places, and which are parts of a designation."""

from __future__ import annotations

import pytest

from appliance.core.settings import SearchSettings
from appliance.library import Library
from appliance.retrieval.channels.gather import jump
from appliance.retrieval.query.question import read_question
from tests.retrieval.readings import reader


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("what do B1 and A1 say", ["b1", "a1"]),
        ("DC-0 B1", ["b1"]),
        ("chimney code letters T40 N7 B1 G50 explained", []),  # a designation: most are no label
        ("DC-0 chimney T40 N7 B1 G50", []),
        ("is B1 before Z9", ["b1", "z9"]),  # too few for a row
    ],
)
def test_letters_with_figures_in_a_row_of_which_most_are_no_label_name_none(
    demo: Library, asked: str, named: list[str]
) -> None:
    question = read_question(asked, reader(demo.store), SearchSettings())
    found = jump(demo.store, question, {}, None)
    assert [label.printed for label, _ in found.labels] == named
    if not named:
        assert (found.first, found.missing) == ((), ())


@pytest.mark.parametrize(
    ("asked", "missing"),
    [
        ("what is psi0?", ()),  # a symbol, though no place is called so
        ("what is h0?", ()),
        ("what is B99?", ("b99",)),  # where there is "B1"
        ("what is clause h0?", ("clause h0",)),
        ("what is 99.9.9?", ("99.9.9",)),
        ("what does 5.3.2(99) say?", ("5.3.2(99)",)),  # though there is a 5.3.2
        ("what does 5.3.2(1) say?", ()),
    ],
)
def test_only_a_label_that_is_not_there_is_denied(
    demo: Library, asked: str, missing: tuple[str, ...]
) -> None:
    question = read_question(asked, reader(demo.store), SearchSettings())
    assert jump(demo.store, question, {}, None).missing == missing


@pytest.mark.parametrize(
    ("asked", "held", "missing"),
    [
        ("expression 6.10", "(6.10)", ()),
        ("equation (6.10) in DC 0", "(6.10)", ()),
        ("Eq. (5.1) of DC 1-3", "(5.1)", ()),
        ("formula NA.1", "(NA.1)", ()),
        ("(5.1)", "(5.1)", ()),  # before clause 5.1
        ("5.1", "5.1", ()),
        ("formula 99.1", "", ("formula 99.1",)),
        ("(99.1)", "", ("99.1",)),
    ],
)
def test_a_formula_is_found_by_its_number(
    demo: Library, asked: str, held: str, missing: tuple[str, ...]
) -> None:
    found = jump(demo.store, read_question(asked, reader(demo.store), SearchSettings()), {}, None)
    assert found.missing == missing
    labels = {str(label) for item in demo.store.chunks(found.first) for label in item.chunk.labels}
    assert held in labels if held else not found.first
