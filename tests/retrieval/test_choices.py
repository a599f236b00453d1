"""What an annex decides is shown with the place that it governs, from either side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.core.graph import Decision, Graph
from appliance.core.settings import SearchSettings
from appliance.ingest.definitions.document_relations import settle
from appliance.ingest.references.find import find_references
from appliance.ingest.references.resolve import index_documents, resolve_external, resolve_internal
from appliance.retrieval.follow.references import Choices, choices_of
from appliance.store.read import Store
from appliance.store.rows import passages
from appliance.store.write import LibraryMeta, write_library
from tests.factories import clause, document, table
from tests.retrieval.searching import search
from tests.store.libraries import chunked, densities_code, encoded

BASE = "DC-1-3"


def code() -> Document:
    return document(
        [
            clause("5.2", "Loads on roofs.", title="Snow load"),
            clause("5.2(4)", "The exposure coefficient is taken from the table.", "paragraph", parent="5.2"),
            clause("5.2(6)", "The thermal coefficient is 1.0.", "paragraph", parent="5.2"),
            clause("6.1", "Rules for parapets.", title="Parapets"),
        ],
        [table("Table 5.1", [["Topography", "Ce"], ["windswept", "0.8"]], clause="5.2(4)")],
    )


def annex(name: str = "NA") -> Document:
    decisions = [
        ["Subclause", "Parameter", "Recommended", "National choice"],
        ["5.2(6)", "thermal coefficient", "1.0", "as recommended"],
        ["6.1", "parapets", "none", "see NA.2.3"],
    ]
    return document(
        [
            clause("NA.2.1", "The value 0.8 in 5.2(4) is replaced by 0.9.", title="Exposure"),
            clause("NA.2.3", "Snow guards are counted as parapets.", title="Parapets"),
        ],
        [table("Table NA.1", decisions)],
        name=name,
        designation="NA to DC 1-3:2024",
    )


def written(path: Path, name: str = "NA") -> Path:
    """A library of the code, its annex and another code, with the graph as a build makes it."""
    found = [replace(d, references=find_references(d)) for d in (code(), annex(name), densities_code())]
    inside = [chunked(replace(d, references=resolve_internal(d.references, d))) for d in found]
    index = index_documents(inside)
    whole = [replace(d, references=resolve_external(d.references, index)) for d in inside]
    vectors = {d.id: [encoded(text) for text in passages(d)] for d in whole}
    graph = Graph(edges=settle(whole)[1])
    write_library(path, whole, vectors=vectors, meta=LibraryMeta("fake"), graph=graph)
    return path


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(written(tmp_path_factory.mktemp("choices") / "a")) as opened:
        yield opened


def sources(choices: Choices, *keys: str) -> list[str]:
    return [str(choice.label) for choice in choices.on(BASE, keys)]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("5.2(4)", ["NA.2.1"]),
        ("Table 5.1", ["NA.2.1"]),  # of the clause where it stands
        ("5.2(6)", ["Table NA.1"]),
        ("6.1", ["NA.2.3"]),  # the row that names the clause of the annex
        ("5.2", []),
        ("gone", []),
    ],
)
def test_a_place_is_governed_by_what_decides_about_it(store: Store, key: str, expected: list[str]) -> None:
    assert sources(choices_of(store), key) == expected


def test_the_other_way_round(store: Store) -> None:
    (choice,) = choices_of(store).by("NA", ["NA.2.1"])
    assert (choice.parent, str(choice.target)) == (BASE, "5.2(4)")
    assert choice.words == "The value 0.8 in 5.2(4) is replaced by 0.9."
    assert choice.rule == "The national annex decides over the recommended value."
    assert choices_of(store).by("NA", ["Table NA.1"]) == ()


def test_an_adopted_value_is_told_from_a_changed_one(store: Store) -> None:
    choices = choices_of(store)
    assert [c.adopts for key in ("5.2(6)", "5.2(4)") for c in choices.on(BASE, [key])] == [True, False]


def test_a_search_that_finds_the_clause_shows_what_governs_it(store: Store) -> None:
    evidence = search(store, None, None, "exposure coefficient of a windswept roof", SearchSettings())
    places = {(place.document, str(place.label)) for place in evidence.hits}
    assert {(BASE, "5.2(4)"), ("NA", "NA.2.1")} <= places
    assert ("NA", "NA.2.1") in {(place.document, str(place.label)) for place in evidence.must_read}
    assert (BASE, "5.2(4)", "NA.2.1") in {
        (choice.parent, str(choice.target), str(choice.label)) for choice in evidence.choices
    }
    assert len({(c.parent, c.target, c.words) for c in evidence.choices}) == len(evidence.choices)


def test_a_library_without_an_annex_has_no_choices(tmp_path: Path) -> None:
    write_library(tmp_path / "a", [chunked(code())], vectors=None, meta=LibraryMeta(""))
    with Store(tmp_path / "a") as opened:
        assert choices_of(opened) == Choices()
        assert search(opened, None, None, "exposure coefficient", SearchSettings()).choices == ()


def test_what_a_person_rejected_governs_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "a")
    with Store(path) as before:
        edges = [edge for _, edge, _, _ in before.graph.edges() if edge.kind == "MODIFIES"]
    rejected = {edge.number: Decision(edge.number, "rejected") for edge in edges}
    with Store(path, decisions=rejected) as after:
        assert choices_of(after).governing == {}


def test_the_name_of_a_document_may_hold_a_colon(tmp_path: Path) -> None:
    with Store(written(tmp_path / "a", "NA 1-3:2024: roofs")) as opened:
        assert sources(choices_of(opened), "5.2(4)") == ["NA.2.1"]
        (choice,) = choices_of(opened).by("NA 1-3:2024: roofs", ["NA.2.1"])
        assert choice.document == "NA 1-3:2024: roofs"


def test_several_rows_on_one_place_stand_in_the_order_of_their_notes(tmp_path: Path) -> None:
    rows = [["Subclause", "Parameter", "Recommended", "National choice"]]
    rows += [[f"5.2(6) NOTE {n}", f"value {n}", "1.0", f"1.{n}"] for n in range(1, 7)]
    found = [code(), replace(annex(), tables=(table("Table NA.1", rows),))]
    whole = [chunked(one) for one in found]
    vectors = {d.id: [encoded(text) for text in passages(d)] for d in whole}
    graph = Graph(edges=settle(whole)[1])
    write_library(tmp_path / "a", whole, vectors=vectors, meta=LibraryMeta("fake"), graph=graph)
    with Store(tmp_path / "a") as opened:
        said = [choice.words for choice in choices_of(opened).on(BASE, ["5.2(6)"]) if "value" in choice.words]
    assert said == [f"5.2(6) NOTE {n} | value {n} | 1.0 | 1.{n}" for n in range(1, 7)]
