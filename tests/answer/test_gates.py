"""Each part of a question passes the gates for itself: one that is refused takes no other part with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.answer.compose import compose
from appliance.answer.reading.answerability import gated, is_parted, of_all
from appliance.answer.reading.question import Judges
from appliance.contract.answers import answer_json
from appliance.core.document import Label
from appliance.core.evidence import Answer, Evidence, Grounded, NotFound, Place, Query, SubQuestion
from appliance.core.files import shipped
from appliance.core.settings import AnswerSettings
from appliance.models.protocols import Candidate, EncodedQuery, Floats
from appliance.store.read import Store
from appliance.text.quantities import asked_kinds
from tests.answer.builders import place, query
from tests.factories import clause, document
from tests.store.libraries import DIMENSION, chunked, opened

RISE = "Private stairs shall have a rise of 220 mm at most."
DRAIN = "Drains shall hold a test pressure of at least 38 mm water gauge for 3 minutes."
RAMP = "The width of ramps shall be 1.5 m at least. Beside ramps a guard stands."
STOP = {"what", "is", "the", "of", "a", "and", "how", "may", "it", "be", "does", "has"}
HIGH = SubQuestion("How high is the rise of stairs", "How high is the rise of stairs", "value")
WIDE = SubQuestion("how wide is the ramp?", "how wide is the ramp?", "value")
LOUD = SubQuestion("how loud may it be?", "how loud may it be? (rise stairs)", "value")
RENT = SubQuestion("what is the rent of moats?", "what is the rent of moats?")
SPOKEN = SubQuestion("has the ramp a dodgy width of 1.5 m?", "has the ramp a dodgy width of 1.5 m?")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    clauses = (clause("1.1", RISE), clause("1.2", RAMP), clause("1.3", DRAIN))
    with opened(Path(tmp_path_factory.mktemp("gates")) / "a", chunked(document(clauses=clauses))) as made:
        yield made


def shown(store: Store) -> tuple[Place, ...]:
    (name,) = {info.id for info in store.documents()}
    found = []
    for label, text in (("1.1", RISE), ("1.2", RAMP), ("1.3", DRAIN)):
        (chunk,) = store.chunks_for(name, Label((label,)))[:1]
        found.append(replace(place(label=label, chunk=chunk, text=text), document=name))
    return tuple(found)


def asked(text: str, *parts: SubQuestion) -> Query:
    """The question as it would be read, its words stemmed by their plural alone."""
    plain = text.casefold().replace("?", " ").replace("(", " ").replace(")", " ")
    terms = tuple(word.removesuffix("s") for word in plain.split() if word not in STOP)
    intent = "value" if "how" in plain else "general"
    kinds = tuple(sorted(asked_kinds(plain)))
    return replace(query(text, intent), terms=terms, kinds=kinds, parts=parts)  # type: ignore[arg-type]


def encoded(text: str) -> EncodedQuery:
    return EncodedQuery(text, np.zeros(DIMENSION, np.float32), np.zeros((1, DIMENSION), np.float32), ())


class Judge:
    """A reranker that finds every part fitting."""

    name = "same"

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        assert not query.spans
        return np.full(len(candidates), 0.9, dtype=np.float32)


JUDGES = Judges(encoded(""), Judge(), lambda text: (asked(text), encoded(text)))


def answered(store: Store, *parts: SubQuestion, judges: Judges = JUDGES) -> Answer:
    whole = asked(" and ".join(part.asked for part in parts), *parts)
    evidence = Evidence(whole, shown(store), (), (), (), 0.9, {})
    return compose(store, evidence, judges, AnswerSettings())


@pytest.mark.parametrize(
    ("parts", "whys"),
    [
        ((HIGH, WIDE), ("", "")),
        ((HIGH, LOUD), ("", "No place found gives a sound.")),
        ((LOUD, HIGH), ("No place found gives a sound.", "")),
        ((WIDE, RENT), ("", "No place found gives a price.")),
        ((HIGH, SPOKEN), ("", "")),  # a word that no code prints
    ],
)
def test_each_part_is_judged_for_itself(
    store: Store, parts: tuple[SubQuestion, ...], whys: tuple[str, ...]
) -> None:
    answer = answered(store, *parts)
    assert isinstance(answer, Grounded)
    assert tuple(part.why for part in answer.parts) == whys
    assert [bool(part.statements) for part in answer.parts] == [not why for why in whys]
    said = answer_json(answer)["parts"]
    assert [(part["found"], part["why"]) for part in said] == [(not why, why) for why in whys]


def test_a_part_that_is_answered_has_the_statement_that_gives_it(store: Store) -> None:
    answer = answered(store, LOUD, HIGH)
    assert isinstance(answer, Grounded)
    assert "220 mm" in answer.statements[answer.parts[1].statements[0]].text
    assert answer.parts[1].statements[0] == 0


def test_only_where_no_part_may_be_answered_is_an_unlikely_answer_not_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(answered(store, RENT, LOUD), Grounded)  # likely enough to be read
    monkeypatch.setitem(shipped("answer/decision")["bounds"], "given", 1.0)
    assert isinstance(answered(store, LOUD, HIGH), Grounded)
    hot = SubQuestion("how hot may it be?", "how hot may it be? (rise stairs)", "value")
    answer = answered(store, LOUD, hot)
    assert isinstance(answer, NotFound)
    assert answer.reasons == ("No place found gives a sound.", "No place found gives a temperature.")


def test_an_answer_with_a_part_left_open_is_never_high(store: Store) -> None:
    answer = answered(store, HIGH, LOUD)
    assert isinstance(answer, Grounded)
    assert answer.confidence.level != "high"


def test_a_question_of_one_part_has_no_gates_of_its_own(store: Store) -> None:
    one = asked(HIGH.asked, HIGH)
    assert not is_parted(one, JUDGES)
    assert not is_parted(asked("a", HIGH, WIDE), Judges(None, None))
    evidence = Evidence(asked("a", HIGH, LOUD), (), (), (), (), 0.9, {})
    assert gated(store, evidence, (), (), Judges(None, None)) == ()
    assert of_all(()) == ()
