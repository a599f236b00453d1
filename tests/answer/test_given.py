"""Whether any place gives the one value that a question asks for, not only speaks of its subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.answer.reading import answerability
from appliance.answer.reading.answerability import Read, Word, chance, read_parts, signals_of, ungiven
from appliance.answer.reading.question import Judges
from appliance.contract.answers import answer_json
from appliance.core.document import Label
from appliance.core.evidence import Concept, Evidence, Grounded, Link, NotFound, Place
from appliance.library import Library
from appliance.models.late_interaction import PER_BYTE
from appliance.models.protocols import Candidate, EncodedQuery, Floats
from appliance.store.read import Store
from tests.answer.builders import place, query
from tests.factories import clause, document, table
from tests.store.libraries import DIMENSION, chunked, opened

PIPE = "Oil pipes shall have a fire valve outside the building. A fire valve closes at 90 °C."
DRAIN = "Drain pipes laid in fields shall have a cover of 600 mm at least."
TABLE = "The class of a cover follows from the table of classes."


class Judge:
    """A reranker that thinks the same of everything."""

    name = "same"

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        assert query.spans
        return np.full(len(candidates), 0.5, dtype=np.float32)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    clauses = (clause("1.1", PIPE), clause("1.2", DRAIN), clause("1.3", TABLE))
    with opened(Path(tmp_path_factory.mktemp("given")) / "a", chunked(document(clauses=clauses))) as made:
        yield made


def asking(text: str, terms: str, *, spans: bool = True) -> tuple[Evidence, Judges]:
    """The evidence of a question for a length, and what its places are judged with; no token is met."""
    asked = replace(query(text, "value"), terms=tuple(terms.split()), kinds=("length",))
    found, at = [], 0
    for word in text.split():
        found.append((at, at + len(word)))
        at += len(word) + 1
    tokens = np.zeros((len(found), PER_BYTE * DIMENSION), dtype=np.float32)
    encoded = EncodedQuery(text, np.zeros(DIMENSION, np.float32), tokens, tuple(found) if spans else ())
    return Evidence(asked, (), (), (), (), 0.9, {}), Judges(encoded, Judge())


def shown(store: Store, *labels: str) -> list[Place]:
    """The places of these labels."""
    found = []
    for label in labels:
        (name,) = {info.id for info in store.documents()}
        (chunk,) = store.chunks_for(name, Label((label,)))[:1]
        found.append(replace(place(label=label, chunk=chunk), document=name))
    return found


def test_places_without_the_wanted_kind_give_nothing(store: Store) -> None:
    evidence, judges = asking("how deep are oil pipes", "oil pipe")
    read = read_parts(store, evidence, shown(store, "1.1"), judges)
    assert read is not None
    assert not read.holding.any()
    assert signals_of(read)["met"] == 0.0
    assert signals_of(read)["apart"] == pytest.approx(1.0)  # all its words are there, and no length


def test_the_heads_of_the_first_place_say_what_else_is_wanted(tmp_path: Path) -> None:
    lines = (("Stack", "Rating (days)", "Use factor"), ("Timber", "28", "0.4"))
    made = document(clauses=(clause("1.1", PIPE),), tables=(table("Table 1", lines),))
    with opened(tmp_path / "a", chunked(made)) as own:
        for asked, held in (("what is the rating of timber", True), ("how deep is timber", False)):
            evidence, judges = asking(asked, "timber")
            first = replace(shown(own, "Table 1")[0], kind="table", label=Label(("Table 1",)))
            read = read_parts(own, evidence, [first, *shown(own, "1.1")], judges)
            assert (read is not None and bool(read.holding.any())) is held


def test_words_count_together_and_not_over_several_places(store: Store) -> None:
    evidence, judges = asking("how deep are oil pipes in fields", "oil pipe field")
    read = read_parts(store, evidence, shown(store, "1.1", "1.2"), judges)
    assert read is not None
    signals = signals_of(read)
    assert 0.0 < signals["met"] < 1.0
    assert signals["apart"] > 0.0
    assert signals["words"] == 2.0
    assert [word.text for word in read.words] == ["oil", "pipes", "fields"]


LETTERS = "Slot plates in doors shall have an opening of 260 mm x 40 mm. Fields are wide."
SPOILT = (("Grain", "Density y[kN/m3]", "Slope angle {b [0]"), ("Oats", "5.0", "30"), ("Bricks", "18", ""))


def test_a_size_is_met_by_two_sides(tmp_path: Path) -> None:
    plain = LETTERS.replace("260 mm x 40 mm", "260 mm")
    met = {}
    for name, text in (("sides", LETTERS), ("length", plain)):
        with opened(tmp_path / name, chunked(document(clauses=(clause("1.1", text),)))) as own:
            evidence, judges = asking("what size is a slot plate", "size slot plate")
            read = read_parts(own, evidence, shown(own, "1.1"), judges)
            assert read is not None
            assert [word.text for word in read.words if word.measure] == ["size"]
            met[name] = signals_of(read)["measure"]
    assert met["sides"] > met["length"]


def test_a_name_with_another_word_in_its_place_meets_a_word_and_any_name_the_first() -> None:
    idea = Concept("letter box", ("letter plate", "mail slot", "chute"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answerability, "index_terms", lambda _, text: text.split())
        asked = replace(query("letter box"), concepts=(idea,))
        ways = {word: list(answerability._others(None, asked, word)) for word in ("letter", "box")}  # type: ignore[arg-type]
    plate = frozenset({"letter", "plate"})
    assert ways["letter"] == [plate, frozenset({"mail", "slot"}), frozenset({"chute"})]
    assert ways["box"] == [plate]


def test_a_row_that_names_what_is_measured_holds_it_whatever_became_of_its_unit(tmp_path: Path) -> None:
    made = document(clauses=(clause("1.1", PIPE),), tables=(table("Table 1", SPOILT),))
    with opened(tmp_path / "a", chunked(made)) as own:
        evidence, judges = asking("what is the slope angle of oats", "slope angl oat")
        asked = replace(evidence, query=replace(evidence.query, kinds=("angle",)))
        first = replace(shown(own, "Table 1")[0], kind="table", label=Label(("Table 1",)))
        read = read_parts(own, asked, [first], judges)
        assert read is not None
        assert read.holding.any()
        assert ungiven(own, asked, [first], judges) is None
        assert ungiven(own, asked, shown(own, "1.1"), judges) is not None


def test_what_meets_every_word_is_never_refused(store: Store) -> None:
    evidence, judges = asking("how deep are drain pipes", "drain pipe")
    little = replace(evidence, relevance=0.0)
    read = read_parts(store, little, shown(store, "1.2"), judges)
    assert read is not None
    assert ungiven(store, little, shown(store, "1.2"), judges) is None
    evidence, judges = asking("how deep are drain pipes of oil", "drain pipe oil")
    assert ungiven(store, replace(evidence, relevance=0.0), shown(store, "1.2"), judges) is not None


def test_a_place_that_refers_to_one_with_the_kind_counts(store: Store) -> None:
    evidence, judges = asking("how deep is a class cover", "class cover")
    places = shown(store, "1.3", "1.2")
    alone = read_parts(store, evidence, places, judges)
    name = places[0].document
    link = Link(name, Label(("1.3",)), name, Label(("1.2",)), "see 1.2")
    joined = read_parts(store, replace(evidence, chain=(link,)), places, judges)
    assert alone is not None
    assert joined is not None
    assert joined.holding.sum() > alone.holding.sum()
    assert chance(signals_of(joined)) > chance(signals_of(alone))


def test_another_name_meets_a_word_for_less_and_one_of_words_asked_meets_none(store: Store) -> None:
    evidence, judges = asking("how deep are heavy oil pipes", "heavi oil pipe")
    idea = Concept("heavy oil pipes", ("oil pipes", "valve"))
    evidence = replace(evidence, query=replace(evidence.query, concepts=(idea,)))
    read = read_parts(store, evidence, shown(store, "1.1"), judges)
    assert read is not None
    assert read.words[0].ways == (frozenset({"heavi"}), frozenset({"valv"}))
    assert 0.0 < float(read.met.max(axis=0)[0]) < float(read.met.max(axis=0)[1]) == 1.0


@pytest.mark.parametrize(
    ("text", "terms", "spans"),
    [
        ("is the pipe deep", "pipe deep", True),  # asks for no value
        ("how deep are oil pipes", "oil pipe", False),  # the words cannot be told from the tokens
        ("how deep", "", True),  # names nothing
        ("how deep are ½ pipes", "pipe", True),  # signs are spelt out, so that tokens cannot be told
    ],
)
def test_what_cannot_be_judged_is_not(store: Store, text: str, terms: str, spans: bool) -> None:
    evidence, judges = asking(text, terms, spans=spans)
    assert ungiven(store, evidence, shown(store, "1.1"), judges) is None


def test_nothing_is_judged_without_places_or_models(store: Store) -> None:
    evidence, judges = asking("how deep are oil pipes", "oil pipe")
    assert ungiven(store, evidence, (), judges) is None
    assert ungiven(store, evidence, shown(store, "1.1"), Judges(None, Judge())) is None
    assert ungiven(store, evidence, shown(store, "1.1"), Judges(judges.encoded, None)) is None


def test_the_sentence_says_where_it_is_spoken_of_and_what_is_missing(store: Store) -> None:
    evidence, judges = asking("how deep are oil pipes in fields", "oil pipe field")
    found = ungiven(store, evidence, shown(store, "1.1"), judges)
    assert found is not None
    name = shown(store, "1.1")[0].document
    assert found.sentence == f"No place found gives the value asked for; it is spoken of in {name} 1.1."
    assert found.reasons[1].endswith(f"{round(10 * found.chance)} in 10")


def test_more_of_a_question_met_in_one_place_is_never_worse() -> None:
    word = Word("a", (frozenset({"a"}),), (0,), 1.0, known=True, measure=False)
    words = (word, replace(word, text="b"), replace(word, text="c", measure=True))

    def of(rows: list[list[float]], judged: float = 0.5) -> float:
        met = np.array(rows)
        holds = np.ones(len(rows), dtype=bool)
        return chance(signals_of(Read(words, met, met, np.full(len(rows), judged), holds, 0.9)))

    apart, together = of([[1, 0, 0], [0, 1, 1]]), of([[1, 1, 1], [0, 0, 0]])
    assert apart < together
    thing_alone, both = [[1, 1, 0.2], [0.4, 0.4, 1]], [[0.8, 0.8, 0.8], [0, 0, 0]]
    whole = (
        signals_of(Read(words, np.array(rows), np.array(rows), np.full(2, 0.5), np.ones(2, dtype=bool), 0.9))
        for rows in (thing_alone, both)
    )
    assert [round(signals["together"], 2) for signals in whole] == [0.4, 0.8]
    assert of([[0, 0, 0]]) < of([[0.5, 0.5, 0.5]]) < of([[1, 1, 1]])
    assert of([[1, 1, 1]], 0.2) < of([[1, 1, 1]], 0.6)
    unknown = tuple(replace(one, known=False) for one in words)
    nothing = Read(unknown, np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1), np.ones(1, dtype=bool), 0.0)
    assert 0.0 <= chance(signals_of(nothing)) <= 1.0


def test_a_value_that_the_demo_codes_do_not_give_is_not_found_and_nothing_is_hidden(demo: Library) -> None:
    answer = demo.ask("What thickness of insulation does a roof need?")
    assert isinstance(answer, NotFound)
    assert answer.reasons[0].startswith("No place found gives the value asked for; it is spoken of in ")
    said = answer_json(answer)
    assert len(said["evidence"]) == len(answer.evidence.hits) > len(said["searched"]["nearest"])
    assert said["statements"] == []


def test_places_that_hardly_give_the_value_are_shown_to_be_read_with_the_doubt(demo: Library) -> None:
    answer = demo.ask("What is the axle load of the heavy goods vehicle model for road bridges?")
    assert isinstance(answer, Grounded)
    assert (answer.state, answer.headline) == ("read", None)
    assert answer.gap.startswith("No place found gives the value asked for; it is spoken of in ")


@pytest.mark.parametrize(
    "question",
    [
        "What load do I use for a flat roof that is only accessible for maintenance?",  # by its class
        "imposed load school corridor",
        "What is the density of wet snow?",
        "How long should an ordinary building be designed to last?",  # in other words than the code's
    ],
)
def test_a_value_that_is_given_is_not_refused(demo: Library, question: str) -> None:
    assert isinstance(demo.ask(question), Grounded)
