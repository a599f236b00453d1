"""Single stages measured beside their peers: what is measured, and what is left out. No time is judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from appliance.core.settings import Settings
from appliance.evaluation.bench import lexical_search, made, models, scan
from appliance.evaluation.bench.measures import in_turn
from appliance.library import Library
from appliance.models.catalogue import embedder_files, load_embedder
from appliance.models.peers import products_of_a_token
from appliance.models.session import run
from appliance.store.scan import KINDS, VecTable

PASSAGES = 150


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("made")
    path = made.made_library(folder, PASSAGES, load_embedder(Settings().models))
    opened = Library.open(path, Settings())
    yield opened
    opened.close()


def test_a_made_library_is_one_that_can_be_searched_and_is_kept(library: Library) -> None:
    path, embedder = library.store.path, load_embedder(Settings().models)
    assert library.store.chunk_count == PASSAGES
    before = path.stat().st_mtime_ns
    assert made.made_library(path.parent, PASSAGES, embedder) == path
    assert path.stat().st_mtime_ns == before
    assert library.search(made.made_questions(1)[0]).hits


@pytest.mark.parametrize("count", [0, 1, 3, 2_001])
def test_documents_are_made_alike_whenever_they_are_looked_at(count: int) -> None:
    documents = made.MadeDocuments(count)
    searched = [chunk for item in documents for chunk in item.chunks if chunk.parent is not None]
    assert len(searched) == count
    assert list(documents) == list(made.MadeDocuments(count))
    assert documents[-1:] == list(documents)[-1:]
    with pytest.raises(IndexError):
        documents[len(documents)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_the_peer_finds_the_vector_itself(kind: str) -> None:
    rows = made.made_vectors(300, 64)
    small = np.rint(rows * 127).astype(np.int8)
    with VecTable(kind, rows, small) as table:  # type: ignore[arg-type] # one of KINDS
        assert [table.nearest(rows[n], small[n], 5)[0] for n in (0, 7, 299)] == [0, 7, 299]
        assert len(table.nearest(rows[0], small[0], 5)) == 5


def test_scans_are_measured_beside_all_peers_and_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "SIZES", (3_000,))
    monkeypatch.setattr(scan, "ROUNDS", 2)
    measures, _ = scan.bench_scan()
    assert [measure.peer_name for measure in measures] == [
        "reading the bytes", "numpy float32", "sqlite-vec float", "sqlite-vec int8",
        "sqlite-vec bit, ranked again", "",
    ]  # fmt: skip
    assert measures[-1].unit == "%"
    assert measures[-1].met


def test_recall_of_a_library_is_that_of_its_vectors(library: Library) -> None:
    embedder = load_embedder(Settings().models)
    ((recall,), _) = scan.bench_recall(library.store, embedder, made.made_questions(5))
    assert recall.ours > 95


def test_words_are_measured_and_compared_with_all_of_them(library: Library) -> None:
    measures, notes = lexical_search.bench_words(library, [*made.made_questions(6), "?!"])
    assert measures[0].peer_name == "FTS5, any word"
    assert "after 3 others" in notes[0]
    assert lexical_search.bench_words(library, ["?!"])[0] == ()


def test_models_and_whole_searches_are_measured(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "TEXTS", 3)
    monkeypatch.setattr(models, "ROUNDS", 1)
    asked = made.made_questions(2)
    measures, _ = models.bench_models(library, asked)
    assert [measure.name for measure in measures] == [
        "passages encoded",
        "question encoded p50",
        "3 passages judged",
    ]
    assert measures[0].peer
    limit = measures[1]
    assert (limit.peer_name, limit.peer is not None and limit.peer > 0) == ("products of int8 alone", True)
    assert len(models.bench_large(library, Settings(), asked)[0]) == 2
    assert models.bench_models(library, [])[0] == ()


def test_the_products_of_a_token_are_those_of_all_weights() -> None:
    pytest.importorskip("onnx")
    entry, folder = embedder_files(Settings().models)
    layer = 4 * 384 * 384 + 2 * 384 * 1536
    assert products_of_a_token(folder / entry.model) == 6 * layer


def test_the_float_peer_says_what_the_int8_model_says() -> None:
    pytest.importorskip("onnx")
    from appliance.models.peers import FloatPeer

    settings = Settings().models
    entry, folder = embedder_files(settings)
    peer, text = FloatPeer(entry, folder), "A private stair should have a pitch of 42 degrees at most."
    ids = np.array(peer._tokenizer.encode(text).ids, dtype=np.int64)
    pooled = run(peer._session, ids).mean(axis=0)
    ours = load_embedder(settings).encode_query(text).pooled
    assert float(pooled @ ours / np.linalg.norm(pooled)) > 0.98


def test_ways_are_run_in_turn_and_once_before() -> None:
    seen: list[str] = []
    spent = in_turn({name: lambda n, name=name: seen.append(f"{name}{n}") for name in "ab"}, 2)  # type: ignore[misc] # a lambda with a default
    assert seen == ["a0", "b0", "a0", "b0", "a1", "b1"]
    assert [len(item.processor) for item in spent.values()] == [2, 2]


def test_a_made_library_needs_a_place(tmp_path: Path) -> None:
    measures, notes = scan.bench_recall(
        Library.open(made.made_library(tmp_path / "new", 3, load_embedder(Settings().models))).store,
        load_embedder(Settings().models),
        ["anything"],
    )
    assert measures[0].ours == 100
    assert notes == ()
