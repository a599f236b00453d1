"""Written and quoted statements in one answer: nothing quoted is lost, numbers follow the reading."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from appliance.answer.write.merging import Checked, merged
from appliance.core.document import Label
from appliance.core.evidence import (
    Citation,
    Confidence,
    Conflict,
    Evidence,
    Grounded,
    Query,
    Statement,
    Subanswer,
)
from appliance.store.read import Store
from tests.answer.builders import box
from tests.answer.writing.makers import DWELLING, RAMP, TIMBER


class Info:
    status = "in force"


class Shelf:
    """A store that knows how every document stands."""

    def info(self, _: str) -> Info:
        return Info()


def cited(n: int, text: str, label: str = "4.2") -> Citation:
    return Citation(n, "C", Label((label,)), 1, (box(),), text)


def answer(*texts: str, parts: tuple[Subanswer, ...] = (), conflicts: tuple[Conflict, ...] = ()) -> Grounded:
    citations = tuple(cited(n, text) for n, text in enumerate(texts, 1))
    return Grounded(
        question="?",
        statements=tuple(Statement(text, (n,), confirmed=True) for n, text in enumerate(texts, 1)),
        citations=(*citations, *(side for conflict in conflicts for side in conflict.sides)),
        evidence=Evidence(Query("?", "value", ()), (), (), (), (), 1.0, {}),
        tables=(),
        figures=(),
        confidence=Confidence("high", ()),
        parts=parts,
        conflicts=conflicts,
    )


def told(found: Grounded) -> list[tuple[str, tuple[str, ...], bool]]:
    quotes = {citation.n: citation.quote for citation in found.citations}
    return [(s.text, tuple(quotes[n] for n in s.citations), s.confirmed) for s in found.statements]


STORE = cast("Store", Shelf())
SAME = "4.2 The width of a ramp shall be at least 1200 mm"
LIKE = "4.2 Width of a ramp shall be at least 1200 mm."


def test_what_is_confirmed_comes_first_then_what_is_left_then_what_is_not() -> None:
    found = merged(
        STORE,
        answer("Other.", RAMP.text),
        [Checked(SAME, (RAMP,)), Checked("99 kN.", (DWELLING,), "not in the quoted text: 99")],
    )
    assert found.mode == "model"
    assert told(found) == [
        (SAME, (RAMP.text,), True),
        ("Other.", ("Other.",), True),
        ("99 kN.", (DWELLING.text,), False),
    ]
    assert [citation.n for citation in found.citations] == [1, 2, 3]
    assert [n for statement in found.statements for n in statement.citations] == [1, 2, 3]


def test_a_quotation_is_replaced_only_by_the_same_words_that_are_confirmed() -> None:
    whole = answer(RAMP.text)
    assert len(told(merged(STORE, whole, [Checked(SAME, (RAMP,))]))) == 1
    assert len(told(merged(STORE, whole, [Checked(SAME, (RAMP,), "no")]))) == 2
    assert len(told(merged(STORE, whole, [Checked(LIKE, (RAMP,))]))) == 2  # the same but for an article
    assert len(told(merged(STORE, whole, [Checked("The ramp is wide.", (RAMP,))]))) == 2  # cites as much
    both = Statement(RAMP.text, (1, 2), confirmed=True)
    two = answer(RAMP.text, "Second.")
    assert told(merged(STORE, replace(two, statements=(both,)), [Checked(SAME, (RAMP,))]))[1][0] == RAMP.text


def test_what_does_not_bear_on_the_question_stands_behind_what_was_quoted() -> None:
    plain = answer("The going of a stair is 220 mm.")
    asked = replace(plain, evidence=replace(plain.evidence, query=Query("How wide is a stair?", "value", ())))
    checked = [Checked("Timber shall not be used outdoors.", (TIMBER,)), Checked("No.", (RAMP,), "no")]
    assert [text for text, _, _ in told(merged(STORE, asked, checked))] == [
        "The going of a stair is 220 mm.",
        "Timber shall not be used outdoors.",
        "No.",
    ]
    named = replace(asked, evidence=replace(asked.evidence, query=Query("And 5.1?", "value", (), ("5.1",))))
    assert told(merged(STORE, named, checked))[0][0] == "Timber shall not be used outdoors."


@pytest.mark.parametrize(
    ("quoted", "own", "first"),
    [
        ("Private stair: Rise, Maximum (mm) 220 mm.", "Utility stair: Rise, Maximum (mm) 190 mm.", False),
        ("Private stair: Rise, Maximum (mm) 220 mm.", "Private stair: Rise, Maximum (mm) 220 mm.", True),
        ("Stairs are private. The rise of others is at most 190 mm.", "The maximum rise is 190 mm.", True),
        ("The rise of a private stair is at most 220 mm.", "A private stair has a maximum rise.", False),
        ("Steps are steps.", "The maximum rise of a private stair is 220 mm.", True),
    ],
)
def test_the_row_of_something_else_stands_behind_what_holds_more_of_the_question(
    quoted: str, own: str, *, first: bool
) -> None:
    plain = answer(quoted, "Further.")
    query = Query(
        "What is the maximum rise of a private stair?", "value", ("maximum", "rise", "private", "stair")
    )
    asked = replace(plain, evidence=replace(plain.evidence, query=query))
    texts = [text for text, _, _ in told(merged(STORE, asked, [Checked(own, (TIMBER,))]))]
    assert texts == ([own, quoted, "Further."] if first else [quoted, own, "Further."])


def test_parts_of_the_question_point_to_what_answers_them_now() -> None:
    parts = (Subanswer("wide?", (1,)), Subanswer("other?", (0,)), Subanswer("none?", ()))
    found = merged(STORE, answer("Other.", RAMP.text, parts=parts), [Checked(SAME, (RAMP,))])
    assert [found.statements[at].text for part in found.parts for at in part.statements] == [
        SAME,
        "Other.",
    ]
    assert found.parts[2].statements == ()


def test_both_sides_of_a_conflict_keep_their_citations() -> None:
    conflict = Conflict((cited(2, "5"), cited(3, "6")), "undecided", "ask")
    found = merged(STORE, answer("Other.", conflicts=(conflict,)), [Checked("Ramps.", (RAMP,))])
    quotes = {citation.n: citation.quote for citation in found.citations}
    assert [quotes[side.n] for side in found.conflicts[0].sides] == ["5", "6"]
