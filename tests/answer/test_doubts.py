"""A number that was read with doubt is never stated as sure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from appliance.answer.candidates import Quote
from appliance.answer.chosen_statements import doubted, doubts_at, with_doubts
from appliance.contract.documents import cells_json
from appliance.core.document import Box, Formula, Label, Problem
from appliance.core.graph import Decision, problem_number
from appliance.ingest.ocr.pages import DOUBTS, SURE, Recognised, _doubts, not_compared
from appliance.ingest.page import PageContent, Source, Word
from appliance.ingest.tables.cells import merged_cell_problems
from appliance.store.read import Store
from appliance.tables.lookup import table_lookup
from tests.answer.builders import PAGE
from tests.test_lookup import grid

INSIDE, ELSEWHERE = Box(PAGE, 0.2, 0.2, 0.25, 0.22), Box(PAGE, 0.2, 0.8, 0.25, 0.82)
MISREAD = "“I.35” on page 3 was read with doubt and may be 1.35: compare it with the image."


def misread(at: Box | None, page: int = PAGE) -> Problem:
    return Problem(MISREAD, page, at, doubt=True)


def quoting(text: str) -> tuple[Quote, ...]:
    return (Quote("C", Label(("1.1",)), PAGE, (Box(PAGE, 0.1, 0.1, 0.9, 0.3),), text),)


def store(*problems: Problem, decided: bool = False, formulas: tuple[Formula, ...] = ()) -> Store:
    decisions = {problem_number("C", p): Decision(1, "accepted") for p in problems} if decided else {}
    known = SimpleNamespace(
        problems=lambda _: problems,
        formulas=lambda _: formulas,
        graph=SimpleNamespace(decisions=decisions),
    )
    return cast("Store", known)


@pytest.mark.parametrize(
    ("problem", "text", "told"),
    [
        (misread(INSIDE), "The factor is I.35 here.", True),
        (misread(INSIDE), "The factor is 2.0 here.", False),  # not what is quoted
        (misread(ELSEWHERE), "The factor is I.35 here.", False),
        (misread(Box(PAGE + 1, 0.2, 0.2, 0.25, 0.22), PAGE + 1), "The factor is I.35.", False),
        (misread(None), "The factor is I.35 here.", True),  # without a box it is anywhere on the page
        (misread(None), "The factor is 2.0 here.", False),
        (misread(None, PAGE + 1), "The factor is I.35 here.", False),
        (Problem(MISREAD, PAGE, INSIDE), "The factor is I.35 here.", False),  # it is marked, not worded
    ],
)
def test_a_doubt_counts_where_it_is_quoted(problem: Problem, text: str, *, told: bool) -> None:
    found = doubted(store(problem), quoting(text))
    assert bool(found) is told
    if told:
        assert found == "read with doubt: “I.35”; compare it with the page"


def test_what_a_person_has_looked_at_is_no_doubt() -> None:
    problem = misread(INSIDE)
    assert doubted(store(problem, decided=True), quoting("The factor is I.35 here.")) == ""


@pytest.mark.parametrize(
    ("formula", "quoted", "told"),
    [
        (
            Box(PAGE, 0.1, 0.20, 0.9, 0.28),
            Box(PAGE, 0.1, 0.23, 0.5, 0.245),
            True,
        ),  # a line of a tall fraction
        (Box(PAGE, 0.1, 0.20, 0.9, 0.22), Box(PAGE, 0.1, 0.10, 0.9, 0.60), True),  # a clause around it
        (Box(PAGE, 0.1, 0.20, 0.9, 0.22), Box(PAGE, 0.1, 0.217, 0.9, 0.230), False),  # the next line touches
        (Box(PAGE, 0.1, 0.20, 0.9, 0.22), Box(PAGE, 0.1, 0.20, 0.1, 0.22), False),  # a box without width
        (Box(PAGE + 1, 0.1, 0.2, 0.9, 0.28), Box(PAGE, 0.1, 0.2, 0.9, 0.28), False),
    ],
)
def test_a_quoted_formula_is_named_and_shown(formula: Box, quoted: Box, *, told: bool) -> None:
    problem = Problem("Formula (5.1) was read with doubt.", formula.page, formula, doubt=True)
    known = store(problem, formulas=(Formula(Label(("(5.1)",)), "s = / ]", "", (formula,)),))
    said = (Quote("C", Label(("1",)), PAGE, (quoted,), "s = 1"),)
    assert doubted(known, said) == (
        "read with doubt: formula (5.1); compare it with the page" if told else ""
    )
    assert doubts_at(known, "C", (quoted,)) == ((problem,) if told else ())


@pytest.mark.parametrize(
    "problem",
    [misread(None), Problem(MISREAD, PAGE, INSIDE), Problem(MISREAD, 0, None, doubt=True)],
)
def test_only_a_doubt_with_a_place_is_shown(problem: Problem) -> None:
    assert doubts_at(store(problem), "C", (Box(PAGE, 0, 0, 1, 1),)) == ()


def test_what_a_person_has_looked_at_is_not_shown() -> None:
    assert doubts_at(store(misread(INSIDE), decided=True), "C", (INSIDE,)) == ()


def page_of(texts: list[str]) -> PageContent:
    """Return a scanned page with these words under one another, in the quoted upper third."""
    words = tuple(
        Word(text, 120.0, 100.0 + n / 2, 160.0, 112.0 + n / 2, "Times", 10.0) for n, text in enumerate(texts)
    )
    return PageContent(PAGE, 595, 842, "", words, (), (), "ocr")


@pytest.mark.parametrize("producer", ["text layer", "recogniser"])
@pytest.mark.parametrize("many", [1, 30])
def test_what_reading_doubts_is_doubted_however_much_it_is(producer: str, many: int) -> None:
    texts = [f"I.{n + 30}" for n in range(many)]
    page = page_of(texts)
    if producer == "text layer":
        problems = tuple(not_compared(Recognised(Source("", "", (page,), ()))))
        assert len(problems) == 1
        assert not list(not_compared(Recognised(Source("", "", (page,), ()), read=frozenset({PAGE}))))
    else:
        problems = tuple(_doubts(page, [(word, SURE / 2) for word in page.words]))
        assert len(problems) <= DOUBTS + 1
    assert "doubt" in doubted(store(*problems), quoting(f"The factor is {texts[-1]} here."))
    assert not doubted(store(*problems), quoting("No number is here."))


@pytest.mark.parametrize(("row", "value", "sure"), [("tile", "1,0 2,0", False), ("slate", "28,0", True)])
def test_a_doubtful_cell_is_never_exact(row: str, value: str, *, sure: bool) -> None:
    table = grid(
        [
            ["Material", "Density"],
            ["tile", "1,0 2,0"],
            ["slate", "28,0"],
            ["chalk", "22,0"],
            ["flint", "26,0"],
        ]
    )
    problems = merged_cell_problems([table])
    found = with_doubts(store(*problems), "C", table_lookup(table, row, "density"))
    assert [one.cell.text for one in found.cells] == [value]
    assert (found.exact, found.cells[0].doubt == "") == (sure, sure)
    assert cells_json(found)["cells"][0]["doubt"] == ("" if sure else f"read with doubt: “{value}”")
