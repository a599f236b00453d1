"""How a quantity is calculated, on the demo codes: the place whose formula gives it leads."""

from __future__ import annotations

import pytest

from appliance.library import Library
from appliance.retrieval.follow.steps import _without_signs
from appliance.retrieval.query.forms import calculating_of, given_by_formula


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("how do I calculate the snow load on a roof?", "5.2"),
        ("formula for the snow load on a roof", "5.2"),
        ("how is the snow load on a roof determined?", "5.2"),
        ("how do I work out the load on the roof from snow in DC 1-3", "5.2"),
    ],
)
def test_the_place_of_the_formula_leads(demo: Library, question: str, place: str) -> None:
    hits = demo.search(question).hits
    assert (hits[0].document, str(hits[0].label)) == ("DC-1-3", place)


@pytest.mark.parametrize(
    "question",
    ["how do I calculate the pay of a clerk", "how do I calculate DC 1-3, 2.3", "snow load on a roof"],
)
def test_without_a_formula_for_it_nothing_else_is_moved(demo: Library, question: str) -> None:
    hits = demo.search(question).hits
    assert all(str(hit.label) != "5.2" for hit in hits[:1]) or "snow" in question


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how do i calculate the wind force", {"calculate"}),
        ("how is the peak pressure worked out?", {"worked", "out"}),
        ("formula for the structural factor", {"formula"}),
        ("steps to calculate the snow load", {"steps", "calculate"}),
        ("how do i install a stove", set()),
        ("does the method of sampling matter", set()),
        ("", set()),
    ],
)
def test_words_that_only_ask_how_a_quantity_is_found_are_told(question: str, said: set[str]) -> None:
    assert calculating_of(question) == said


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("(3)P Snow loads on roofs shall be determined as follows:", ("Snow loads on roofs ",)),
        (
            "It is so. The peak pressure qp, which varies, should be obtained from (4.8).",
            ("The peak pressure qp",),
        ),
        ("The depth must be 3 m.", ()),
        ("", ()),
    ],
)
def test_what_a_text_gives_stands_before_the_verb(text: str, given: tuple[str, ...]) -> None:
    assert given_by_formula(text) == given


@pytest.mark.parametrize(
    ("head", "plain"),
    [
        ("Structural factor CsCd", "Structural factor"),
        ("The peak pressure qp(z) at height z", "The peak pressure height"),
        ("", ""),
    ],
)
def test_signs_are_no_part_of_what_is_given(head: str, plain: str) -> None:
    assert _without_signs(head) == plain
