"""Questions to evidence on small libraries, hostile ones among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.document import Label, Passage
from appliance.core.errors import BadInput, BadQuestion, UnknownDocument
from appliance.core.evidence import Evidence, PlaceKind
from appliance.core.mechanisms import without
from appliance.core.settings import SearchSettings
from appliance.models.protocols import Candidate, EncodedQuery, Floats
from appliance.retrieval.follow.references import Terms, steps_from
from appliance.retrieval.search_context import Filter
from appliance.store.read import Store
from tests.factories import clause, document, table
from tests.retrieval.conftest import FakeEmbedder, FakeReranker
from tests.retrieval.searching import search
from tests.store.libraries import chunked, densities_code, opened, reference, snow_code

SETTINGS = SearchSettings()


def places(evidence: Evidence) -> list[str]:
    return [f"{place.document} {place.label}" for place in evidence.hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("5.3.2(7)", "DC-1-3 5.3.2(7)P"),
        ("Tabie 5,1", "DC-1-3 Table 5.1"),
        ("fig. 5.3", "DC-1-3 Figure 5.3"),
        ("DC 1-1 5.2", "DC-1-1 5.2"),
        ("clause 5.2 of DC 1-3", "DC-1-3 5.2"),
        ("clause 5.3 stacked paper", "DC-1-1 5.3"),
        ("how heavy is stored hay", "DC-1-1 5.2"),
        ("overhangng snow at the eavs", "DC-1-3 6.1"),
        ("what does exposure coefficient mean", "DC-1-3 exposure coefficient"),
    ],
)
def test_the_right_place_comes_first(
    library: Store, embedder: FakeEmbedder, reranker: FakeReranker, question: str, first: str
) -> None:
    assert places(search(library, embedder, reranker, question, SETTINGS))[0] == first


def test_a_label_that_two_codes_share_shows_both(library: Store, embedder: FakeEmbedder) -> None:
    found = search(library, embedder, None, "clause 5.2", SETTINGS)
    assert set(places(found)[:2]) == {"DC-1-3 5.2", "DC-1-1 5.2"}
    assert all("exact" in place.found_by for place in found.hits[:2])


def test_a_label_that_no_code_has_is_said(library: Store, embedder: FakeEmbedder) -> None:
    found = search(library, embedder, None, "what does Table 99.9 say about snow", SETTINGS)
    assert "no Table 99.9" in found.query.unreadable
    assert found.hits


def test_a_document_that_is_named_is_the_only_one_jumped_into(library: Store, embedder: FakeEmbedder) -> None:
    found = search(library, embedder, None, "clause 6.1 of DC 1-1", SETTINGS)
    assert found.query.unreadable == "DC-1-1 has no clause 6.1."
    assert not any("exact" in place.found_by for place in found.hits)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A code whose numbers start again in each Part, and another with a place of several clauses."""
    drains = document(
        clauses=(
            clause("H1/2.3", "Drains of clay."),
            clause("H3/2.3", "Gutters of zinc."),
            clause("44", "Old rule."),
            clause("44J", "New rule."),
            clause("A2", "Waste disposers."),
        ),
        name="DC-H",
        designation="DC H:2024",
    )
    stairs = document(
        clauses=(clause("2.1", "Steps are level."), clause("2.3", "Noses are round.")),
        name="DC-K",
        designation="DC K:2024",
    )
    both = replace(chunked(stairs).chunks[0], labels=tuple(map(Label.from_key, ("2.1", "2.3"))))
    stairs = replace(stairs, chunks=(both, replace(both, parent=0)))
    with opened(tmp_path_factory.mktemp("parts") / "a", chunked(drains), stairs) as store:
        yield store


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("H1 2.3", ["DC-H 2.3 clay"]),
        ("2.3 of H3", ["DC-H 2.3 zinc"]),
        ("clause 2.3 of DC H on gutters", ["DC-H 2.3 zinc", "DC-H 2.3 clay"]),
        ("what does 2.3 of DC K say on gutters of zinc", ["DC-K 2.1 level"]),
        ("clause 44J", ["DC-H 44J New"]),
        ("under A2 in DC H, what goes in", ["DC-H A2 Waste"]),
        ("stainless A2 screws for gutters", []),
        ("clauses 44J and 44", ["DC-H 44J New", "DC-H 44 Old"]),
    ],
)
def test_labels_lead_to_the_document_and_part_that_they_stand_in(
    parts: Store, embedder: FakeEmbedder, question: str, first: list[str]
) -> None:
    named = [
        place for place in search(parts, embedder, None, question, SETTINGS).hits if "exact" in place.found_by
    ]
    assert len(named) == len(first)
    for place, expected in zip(named, first, strict=True):
        document_name, label, word = expected.split()
        assert (place.document, str(place.label)) == (document_name, label)
        assert word in place.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("DC 1-1 9.4", "DC-1-1 has no 9.4."),
        ("9.4, DC 1-1", "DC-1-1 has no 9.4."),
        ("DC 1-3 5.3", ""),
        ("DC 1-1 9.4 snow", ""),  # may be a value
        ("9.4", "The documents loaded have no 9.4."),
    ],
)
def test_a_number_beside_a_document_alone_is_a_label(
    library: Store, embedder: FakeEmbedder, question: str, said: str
) -> None:
    assert search(library, embedder, None, question, SETTINGS).query.unreadable == said


def test_the_evidence_says_how_the_question_was_searched(library: Store) -> None:
    query = search(library, None, None, "overhangng snow", SETTINGS).query
    assert (query.text, query.spelt) == ("overhangng snow", "overhanging snow")


@pytest.mark.parametrize("question", ["a 5.2 metre roof", "snow 5.2 thick", "snow and 5.2"])
def test_a_value_is_no_label(library: Store, embedder: FakeEmbedder, question: str) -> None:
    found = search(library, embedder, None, question, SETTINGS)
    assert not any("exact" in place.found_by for place in found.hits)
    assert found.relevance < 1.0


def test_references_are_followed_and_the_way_is_kept(library: Store, embedder: FakeEmbedder) -> None:
    found = search(library, embedder, None, "overhanging snow at the eaves", SETTINGS)
    assert "DC-1-3 5.3" in places(found)
    (link,) = [link for link in found.chain if str(link.to_label) == "5.3"]
    assert (str(link.from_label), link.words) == ("6.1", "5.3")
    place = next(place for place in found.must_read if str(place.label) == "5.3")
    assert place.path == ("6.1", "5.3")


def test_every_step_of_the_chain_says_in_words_why(library: Store, embedder: FakeEmbedder) -> None:
    chain = search(library, embedder, None, "Figure 5.3 of DC 1-3", SETTINGS).chain
    assert ("Figure 5.3", "5.3", "Figure 5.3 stands in 5.3") in {
        (str(link.from_label), str(link.to_label), link.words) for link in chain
    }
    assert all(link.words for link in chain)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which clauses refer to 5.2 of DC 1-3?", ["5.3", "5.2"]),
        ("Which clauses refer to Table 5.1?", ["5.2", "Table 5.1"]),
        ("What else must I read with 5.2 of DC 1-3?", ["5.2", "Table 5.1", "6.1"]),
        ("What does 5.3 of DC 1-3 refer to?", ["5.3", "5.2", "Figure 5.3"]),
    ],
)
def test_a_question_about_references_gets_what_refers_before_the_place_and_the_rest_behind(
    library: Store, embedder: FakeEmbedder, question: str, first: list[str]
) -> None:
    found = search(library, embedder, None, question, SETTINGS)
    assert places(found)[: len(first)] == [f"DC-1-3 {label}" for label in first]
    assert {place.document for place in found.must_read} <= {"DC-1-3"}


@pytest.mark.parametrize(("parts", "reached"), [(1, 1), (3, 3), (9, 4)])
def test_a_reference_reaches_every_part_of_what_was_cut(
    tmp_path: Path, embedder: FakeEmbedder, parts: int, reached: int
) -> None:
    made = chunked(document(clauses=(clause("1.1", "Zephyr roofs follow 2.1."), clause("2.1", "Zinc."))))
    whole = next(item for item in made.chunks if str(item.label) == "2.1" and item.parent is None)
    more = tuple(replace(whole, passage=Passage(f"Zinc, part {n}.")) for n in range(2, parts + 1))
    cut = replace(made, chunks=(*made.chunks, *more), references=(reference("1.1", "2.1", "2.1"),))
    with opened(tmp_path / "a", cut) as store:
        (item,) = store.chunks(store.chunks_for("DC-1-3", Label.from_key("1.1"))[:1])
        steps = steps_from(store, Terms(store), [item])
        found = search(store, embedder, None, "zephyr", SETTINGS)
    targets = [edge for edge in steps.edges if edge.kind == "clause"]
    assert len({edge.target for edge in targets}) == len(targets) == reached
    assert [str(link.to_label) for link in found.chain] == ["2.1"]


def test_the_table_of_the_first_clause_is_shown_with_it(tmp_path: Path, embedder: FakeEmbedder) -> None:
    others = tuple(clause(f"1.{n}", f"Gutters of zinc, rule {n}.") for n in range(1, 30))
    first = clause("2.1", "Gutters of zinc for zephyr roofs.")
    grid = table("Table 2", [["Angle", "Value"], ["0", "7"]], "Coefficients", clause="2.1")
    made = chunked(document(clauses=(*others, first), tables=(grid,)))
    with opened(tmp_path / "a", made) as store:
        found = places(search(store, embedder, None, "gutters of zinc zephyr", SETTINGS))
    assert found[0] == "DC-1-3 2.1"
    assert "DC-1-3 Table 2" in found


def test_references_that_lead_nowhere_are_listed(library: Store, embedder: FakeEmbedder) -> None:
    found = search(library, embedder, None, "overhanging snow at the eaves", SETTINGS)
    assert [(item.text, str(item.source)) for item in found.unresolved] == [("EN 1999-9", "6.1")]


@pytest.mark.parametrize(("loaded", "listed"), [(True, []), (False, ["DC 1-1"])])
def test_a_whole_document_that_is_loaded_is_no_unresolved_reference(
    tmp_path: Path, embedder: FakeEmbedder, *, loaded: bool, listed: list[str]
) -> None:
    whole = replace(reference("6.1", "DC 1-1", designation="DC 1-1"), document="DC-1-1", status="resolved")
    codes = (replace(snow_code(), references=(whole,)), *([densities_code()] if loaded else []))
    with opened(tmp_path / "a", *codes) as store:
        found = search(store, embedder, None, "overhanging snow at the eaves", SETTINGS)
    assert [item.text for item in found.unresolved] == listed


def test_the_reranker_orders_and_never_removes(library: Store, embedder: FakeEmbedder) -> None:
    class Contrary(FakeReranker):
        def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
            return -1000 * super().scores(query, candidates)

    plain = search(library, embedder, None, "stored hay", SETTINGS)
    contrary = search(library, embedder, Contrary(), "stored hay", SETTINGS)
    assert places(plain)[0] == "DC-1-1 5.2"
    assert "DC-1-1 5.2" in places(contrary)


def test_first_hits_of_every_search_stay_within_a_small_limit(library: Store, embedder: FakeEmbedder) -> None:
    class Blind(FakeReranker):
        def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
            return super().scores(query, candidates) * 0

    found = search(library, embedder, Blind(), "stored hay", replace(SETTINGS, limit=8))
    assert "DC-1-1 5.2" in places(found)


@pytest.mark.parametrize("limit", [1, 2, 3, 6])
def test_what_references_demand_never_displaces_the_first_places(
    library: Store, embedder: FakeEmbedder, reranker: FakeReranker, limit: int
) -> None:
    whole = search(library, embedder, reranker, "clause 6.1 of DC 1-3", SETTINGS)
    short = search(library, embedder, reranker, "clause 6.1 of DC 1-3", SETTINGS, limit=limit)
    kept = limit - limit // 3
    assert places(short)[:kept] == places(whole)[:kept]


@pytest.mark.parametrize(("kind", "demands"), [("heading", False), ("annex", False), ("definition", True)])
def test_an_index_demands_nothing_and_a_definition_all_that_it_names(
    tmp_path: Path, embedder: FakeEmbedder, kind: PlaceKind, *, demands: bool
) -> None:
    clauses = tuple(clause(f"1.{n}", f"Rule number {n} on gutters.") for n in range(1, 40))
    index = clause("Index", "Zephyr " + " ".join(f"1.{n}" for n in range(1, 40)), title="Index")
    links = tuple(reference("Index", f"1.{n}", f"1.{n}") for n in range(1, 40))
    made = chunked(document(clauses=(*clauses, index)))
    chunks = tuple(
        replace(chunk, kind=kind) if str(chunk.label) == "Index" else chunk for chunk in made.chunks
    )
    with opened(tmp_path / "a", replace(made, chunks=chunks, references=links)) as store:
        found = search(store, embedder, FakeReranker(), "zephyr", SETTINGS)
        sources = search(store, embedder, FakeReranker(), "Which clauses refer to 1.7?", SETTINGS)
    assert places(found)[0] == "DC-1-3 Index"
    assert bool(found.must_read) == demands
    assert ("Index" in [str(place.label) for place in sources.must_read]) == demands


def test_stages_are_kept_where_asked_for(
    library: Store, embedder: FakeEmbedder, reranker: FakeReranker
) -> None:
    found = search(library, embedder, reranker, "snow", SETTINGS, keep_stages=True)
    assert set(found.stages) == {"lexical", "dense", "fused", "reranked", "closure"}
    assert search(library, embedder, reranker, "snow", SETTINGS).stages == {}
    assert all(spent >= 0 for spent in found.timings_ms.values())


def test_stages_are_as_deep_as_asked(tmp_path: Path, embedder: FakeEmbedder) -> None:
    clauses = tuple(clause(f"1.{n}", f"Rule number {n} on gutters.") for n in range(1, 40))
    with opened(tmp_path / "a", chunked(document(clauses=clauses))) as store:
        for limit in (5, 30):
            found = search(store, embedder, None, "gutters", SETTINGS, limit=limit, keep_stages=True)
            assert {len(places) for places in found.stages.values()} == {limit}


@pytest.mark.parametrize(
    ("documents", "kinds", "allowed"),
    [(["DC-1-1"], [], {"DC-1-1"}), ([], ["table"], {"DC-1-3"})],
)
def test_filters(
    library: Store, embedder: FakeEmbedder, documents: list[str], kinds: list[str], allowed: set[str]
) -> None:
    found = search(
        library, embedder, None, "snow load 5.2", SETTINGS, wanted=Filter(documents=documents, kinds=kinds)
    )
    assert {place.document for place in found.hits} == allowed
    assert not kinds or all(place.kind in kinds for place in found.hits)


def test_a_filter_must_name_what_is_loaded(library: Store, embedder: FakeEmbedder) -> None:
    with pytest.raises(UnknownDocument):
        search(library, embedder, None, "snow", SETTINGS, wanted=Filter(documents=["none"]))


def test_a_filter_that_leaves_no_place_is_refused_with_its_conditions(
    library: Store, embedder: FakeEmbedder
) -> None:
    wanted = Filter(documents=["DC-1-1"], kinds=["table"])
    with pytest.raises(BadInput, match="DC-1-1, table"):
        search(library, embedder, None, "snow load 5.2", SETTINGS, wanted=wanted)


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_the_limit_holds(library: Store, embedder: FakeEmbedder, limit: int) -> None:
    assert len(search(library, embedder, None, "snow load", SETTINGS, limit=limit).hits) <= limit


def test_relevance_tells_what_the_codes_speak_of(library: Store, embedder: FakeEmbedder) -> None:
    near = search(library, embedder, None, "overhanging snow at the eaves", SETTINGS).relevance
    far = search(library, embedder, None, "wie backt man einen Kuchen", SETTINGS).relevance
    assert near > far


HOSTILE = [
    "'; drop table documents; --",
    '" OR 1=1',
    "snow AND NOT (roof",
    "NEAR(snow load, 3)",
    "title : snow",
    "{label text} : *",
    "snow*",
    "^snow",
    "-snow",
    "snow\x00roof",
    "\ud800 snow",
    "\ue000\ue000snow",
    "🙂 snow 🙂",
    "雪荷载 是什么",
    "كم حمل الثلج",
    "a" * 2_000,
    "snow " * 399,
    "(" * 500 + "1" + ")" * 500,
    "1" * 1_999,
    "l" * 1_999 + "1",
    "5.3.2(7)" * 200,
    "$(reboot) `id` ../../etc/passwd",
]


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_questions_get_evidence(library: Store, embedder: FakeEmbedder, question: str) -> None:
    found = search(library, embedder, FakeReranker(), question, SETTINGS)
    assert len(found.hits) <= SETTINGS.limit
    assert 0.0 <= found.relevance <= 1.0


@pytest.mark.parametrize("question", ["", "?", "\x00", "x" * 10_000])
def test_what_cannot_be_searched_is_refused(library: Store, embedder: FakeEmbedder, question: str) -> None:
    with pytest.raises(BadQuestion):
        search(library, embedder, None, question, SETTINGS)


def test_an_empty_library_answers_with_nothing(tmp_path: Path, embedder: FakeEmbedder) -> None:
    with opened(tmp_path / "a") as store:
        found = search(store, embedder, FakeReranker(), "snow 5.2", SETTINGS, keep_stages=True)
    assert (found.hits, found.must_read) == ((), ())
    assert found.relevance < 0.5


def test_a_library_of_one_clause(tmp_path: Path, embedder: FakeEmbedder) -> None:
    with opened(tmp_path / "a", chunked(document(clauses=(clause("1", "Snow."),)))) as store:
        assert places(search(store, embedder, FakeReranker(), "snow", SETTINGS)) == ["DC-1-3 1"]


def test_a_library_without_vectors_is_searched_by_words(tmp_path: Path, embedder: FakeEmbedder) -> None:
    with opened(tmp_path / "a", densities_code(), vectors=False) as store:
        found = search(store, embedder, FakeReranker(), "stored hay", SETTINGS)
    assert places(found)[0] == "DC-1-1 5.2"
    assert found.hits[0].found_by == ("lexical",)


def test_without_an_embedder_words_still_serve(library: Store) -> None:
    assert places(search(library, None, None, "stored hay", SETTINGS))[0] == "DC-1-1 5.2"


def test_a_reference_to_a_document_that_was_removed_is_no_failure(
    tmp_path: Path, embedder: FakeEmbedder
) -> None:
    lost = replace(reference("5.2", "DC 9", "1"), document="DC-9", designation="DC 9")
    with opened(tmp_path / "a", replace(snow_code(), references=(lost,))) as store:
        assert search(store, embedder, None, "snow load on a roof", SETTINGS).hits


def test_the_same_question_gives_the_same_evidence(
    library: Store, embedder: FakeEmbedder, reranker: FakeReranker
) -> None:
    first, second = (
        search(library, embedder, reranker, "drifted snow on a roof", SETTINGS) for _ in range(2)
    )
    assert first.hits == second.hits


@pytest.mark.parametrize("channel", ["channels.child_words", "channels.dense", "channels.concepts"])
def test_labels_answer_whatever_search_finds_nothing(
    library: Store, embedder: FakeEmbedder, channel: str
) -> None:
    with without({channel}):
        named = search(library, embedder, FakeReranker(), "clause 5.2 of DC 1-3", SETTINGS)
    assert places(named)[0] == "DC-1-3 5.2"
