"""Written and quoted statements in one answer: nothing quoted is lost, numbers follow the reading."""

from __future__ import annotations

from typing import cast

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
from tests.answer.writing.makers import DWELLING, RAMP


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


def test_what_is_quoted_first_stays_first_then_what_is_confirmed_last_what_is_not() -> None:
    found = merged(
        STORE,
        answer("Other.", "Further."),
        [Checked(SAME, (RAMP,)), Checked("99 kN.", (DWELLING,), "not in the quoted text: 99")],
    )
    assert found.mode == "model"
    assert told(found) == [
        ("Other.", ("Other.",), True),
        (SAME, (RAMP.text,), True),
        ("Further.", ("Further.",), True),
        ("99 kN.", (DWELLING.text,), False),
    ]
    assert [n for statement in found.statements for n in statement.citations] == [1, 2, 3, 4]


def test_what_is_quoted_already_in_the_same_words_is_not_said_again() -> None:
    whole = answer(RAMP.text)
    assert len(told(merged(STORE, whole, [Checked(SAME, (RAMP,))]))) == 1
    assert len(told(merged(STORE, whole, [Checked(SAME, (RAMP,), "no")]))) == 2
    assert len(told(merged(STORE, whole, [Checked(LIKE, (RAMP,))]))) == 2  # the same but for an article
    assert len(told(merged(STORE, whole, [Checked("The ramp is wide.", (RAMP,))]))) == 2  # cites as much


def test_parts_of_the_question_point_to_what_answers_them_now() -> None:
    parts = (Subanswer("wide?", (1,)), Subanswer("other?", (0,)), Subanswer("none?", ()))
    found = merged(STORE, answer("Other.", "Wide.", parts=parts), [Checked(SAME, (RAMP,))])
    texts = [found.statements[at].text for part in found.parts for at in part.statements]
    assert texts == ["Wide.", "Other."]
    assert found.parts[2].statements == ()


def test_both_sides_of_a_conflict_keep_their_citations() -> None:
    conflict = Conflict((cited(2, "5"), cited(3, "6")), "undecided", "ask")
    found = merged(STORE, answer("Other.", conflicts=(conflict,)), [Checked("Ramps.", (RAMP,))])
    quotes = {citation.n: citation.quote for citation in found.citations}
    assert [quotes[side.n] for side in found.conflicts[0].sides] == ["5", "6"]
