"""A number that was read with doubt is never stated as sure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from appliance.answer.doubts import doubted
from appliance.answer.findings import Finding, Quote
from appliance.document import Box, Label, Problem
from appliance.graph import Decision, problem_number
from appliance.store.read import Store
from tests.answer.builders import PAGE, finding

INSIDE, ELSEWHERE = Box(PAGE, 0.2, 0.2, 0.25, 0.22), Box(PAGE, 0.2, 0.8, 0.25, 0.82)
MISREAD = "“I.35” on page 3 was read with doubt and may be 1.35: compare it with the image."


def quoting(text: str) -> Finding:
    quote = Quote("C", Label(("1.1",)), PAGE, (Box(PAGE, 0.1, 0.1, 0.9, 0.3),), text)
    return Finding(text, (quote,), 1.0, finding("", 0).place)


def store(*problems: Problem, decided: bool = False) -> Store:
    decisions = {problem_number("C", p): Decision(1, "accepted") for p in problems} if decided else {}
    known = SimpleNamespace(problems=lambda _: problems, graph=SimpleNamespace(decisions=decisions))
    return cast("Store", known)


@pytest.mark.parametrize(
    ("problem", "text", "told"),
    [
        (Problem(MISREAD, PAGE, INSIDE), "The factor is I.35 here.", True),
        (Problem(MISREAD, PAGE, INSIDE), "The factor is 2.0 here.", False),  # not what is quoted
        (Problem(MISREAD, PAGE, ELSEWHERE), "The factor is I.35 here.", False),
        (Problem(MISREAD, PAGE + 1, Box(PAGE + 1, 0.2, 0.2, 0.25, 0.22)), "The factor is I.35.", False),
        (Problem(MISREAD, PAGE), "The factor is I.35 here.", False),  # without a box it is anywhere
        (Problem("“I.35” stands in no column.", PAGE, INSIDE), "The factor is I.35 here.", False),
    ],
)
def test_a_doubt_counts_where_it_is_quoted(problem: Problem, text: str, *, told: bool) -> None:
    found = doubted(store(problem), quoting(text))
    assert bool(found) is told
    if told:
        assert found == "read with doubt: “I.35”; compare it with the page"


def test_what_a_person_has_looked_at_is_no_doubt() -> None:
    problem = Problem(MISREAD, PAGE, INSIDE)
    assert doubted(store(problem, decided=True), quoting("The factor is I.35 here.")) == ""
