"""Written and quoted statements in one answer: nothing quoted is lost, numbers follow the reading."""

from __future__ import annotations

from typing import cast

from appliance.answer.writing.merging import Checked, merged
from appliance.document import Label
from appliance.evidence import Citation, Confidence, Conflict, Evidence, Grounded, Query, Statement, Subanswer
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


def test_what_is_confirmed_comes_first_then_what_is_left_then_what_is_not() -> None:
    found = merged(
        STORE,
        answer("Other.", RAMP.text),
        [Checked("Ramps: 1200 mm.", (RAMP,)), Checked("99 kN.", (DWELLING,), "not in the quoted text: 99")],
    )
    assert found.mode == "model"
    assert told(found) == [
        ("Ramps: 1200 mm.", (RAMP.text,), True),
        ("Other.", ("Other.",), True),
        ("99 kN.", (DWELLING.text,), False),
    ]
    assert [citation.n for citation in found.citations] == [1, 2, 3]
    assert [n for statement in found.statements for n in statement.citations] == [1, 2, 3]


def test_a_quotation_is_replaced_only_by_what_is_confirmed_and_cites_all_of_it() -> None:
    whole = answer(RAMP.text)
    assert len(told(merged(STORE, whole, [Checked("No.", (RAMP,), "no")]))) == 2
    both = Statement("Both.", (1, 2), confirmed=True)
    two = answer(RAMP.text, "Second.")
    two = type(two)(**{**{name: getattr(two, name) for name in two.__slots__}, "statements": (both,)})
    assert told(merged(STORE, two, [Checked("One.", (RAMP,))]))[1][0] == "Both."


def test_parts_of_the_question_point_to_what_answers_them_now() -> None:
    parts = (Subanswer("wide?", (1,)), Subanswer("other?", (0,)), Subanswer("none?", ()))
    found = merged(STORE, answer("Other.", RAMP.text, parts=parts), [Checked("Ramps.", (RAMP,))])
    assert [found.statements[at].text for part in found.parts for at in part.statements] == [
        "Ramps.",
        "Other.",
    ]
    assert found.parts[2].statements == ()


def test_both_sides_of_a_conflict_keep_their_citations() -> None:
    conflict = Conflict((cited(2, "5"), cited(3, "6")), "undecided", "ask")
    found = merged(STORE, answer("Other.", conflicts=(conflict,)), [Checked("Ramps.", (RAMP,))])
    quotes = {citation.n: citation.quote for citation in found.citations}
    assert [quotes[side.n] for side in found.conflicts[0].sides] == ["5", "6"]
