"""The cross-encoder adapter over a tiny network that is made here: its score counts known token ids."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from appliance.core.errors import ModelUnusable
from appliance.core.settings import ModelSettings
from appliance.models.add import add
from appliance.models.catalogue import Entry, load_reranker, shipped_folder
from appliance.models.cross import CrossEncoder, SecondReading
from appliance.models.export import measure_pairs
from appliance.models.late_interaction import LateInteraction
from appliance.models.protocols import Candidate, Embedder, Reranker, Rereader


def save_network(path: Path, width: int, bad: float = 0.0, *, logit: bool = True) -> None:
    """Save a network whose logit is the number of tokens of the second text that are "snow".

    Without `logit` it gives a vector for each token, of which all but that of "snow" are alike.
    """
    table = np.full((30522, width), bad, dtype=np.float32)
    table[4586] = 1 + bad  # "snow"
    if not logit:
        table[:, 0] = 1 + bad
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["second", "last"], ["weights"]),
        helper.make_node("Mul", ["each", "weights"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "axis"], ["logits"], keepdims=0),
    ]
    ids = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "token_type_ids")
    ]
    output = (
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", width])
        if logit
        else helper.make_tensor_value_info("each", TensorProto.FLOAT, ["batch", "tokens", width])
    )
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
    ]
    graph = helper.make_graph(nodes, "counts", ids, [output], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def reranker_of(
    folder: Path, embedder: Embedder, width: int = 1, bad: float = 0.0, *, score: str = "", logit: bool = True
) -> Reranker:
    source = folder / "made"
    source.mkdir(parents=True)
    shutil.copy(shipped_folder() / "minilm-l6-int8" / "tokenizer.json", source)
    save_network(source / "model.onnx", width, bad, logit=logit)
    settings = ModelSettings(folder=folder / "models", reranker="counter", threads=2)
    add(settings, source, Entry(
        name="counter", role="reranker", adapter="cross-encoder", summary="", licence="none", max_tokens=16,
        score="tokens" if score else "logit",
    ))  # fmt: skip
    loaded = load_reranker(settings, embedder)
    assert loaded is not None
    return loaded


def test_each_candidate_gets_its_own_score(tmp_path: Path, embedder: Embedder) -> None:
    reranker = reranker_of(tmp_path, embedder)
    texts = ["snow on snow", "", "wind", "snow", "snow " * 100]
    scores = reranker.scores(embedder.encode_query("snow"), [Candidate(text, None) for text in texts])
    assert scores.tolist() == [2, 0, 0, 1, 16 - 4], "the question keeps its place, the passage is cut"
    assert reranker.name == "counter"
    assert reranker.scores(embedder.encode_query("snow"), []).tolist() == []


def test_read_together_each_token_of_the_question_looks_for_its_like(
    tmp_path: Path, embedder: Embedder
) -> None:
    reranker = reranker_of(tmp_path, embedder, width=2, score="tokens", logit=False)
    texts = ["wind and snow", "wind", "", "!?", "wind " * 100]
    scores = reranker.scores(embedder.encode_query("snow, snow"), [Candidate(text, None) for text in texts])
    apart = 0.5**0.5
    assert scores.tolist() == pytest.approx([1, apart, 0, 0, apart]), "of nothing and of punctuation nothing"


def test_a_question_longer_than_the_window_is_cut_too(tmp_path: Path, embedder: Embedder) -> None:
    reranker = reranker_of(tmp_path, embedder)
    scores = reranker.scores(embedder.encode_query("wind " * 400), [Candidate("snow", None)])
    assert scores.tolist() == [1]


def test_beside_late_interaction_the_best_are_read_again(tmp_path: Path, embedder: Embedder) -> None:
    settings = replace(ModelSettings(), folder=tmp_path / "models", reranker="second")
    source = tmp_path / "made"
    source.mkdir()
    shutil.copy(shipped_folder() / "minilm-l6-int8" / "tokenizer.json", source)
    save_network(source / "model.onnx", 1)
    entry = Entry(
        name="second", role="reranker", adapter="cross-encoder", summary="", licence="none", max_tokens=16,
        beside=0.5, base="late-interaction", reads=3,
    )  # fmt: skip
    add(settings, source, entry)
    add(settings, source, msgspec.structs.replace(entry, name="third", base="second"))
    reranker = load_reranker(settings, embedder)
    assert isinstance(reranker, Rereader)
    asked = embedder.encode_query("snow")
    candidates = [Candidate("snow on snow", None), Candidate("wind", None)]
    assert reranker.more(asked, [item.text for item in candidates]).tolist() == [1.0, 0.0]
    plain = load_reranker(replace(settings, reranker="late-interaction"), embedder)
    assert plain is not None
    assert reranker.scores(asked, candidates).tolist() == plain.scores(asked, candidates).tolist()
    with pytest.raises(ModelUnusable, match="not over token vectors"):
        load_reranker(replace(settings, reranker="third"), embedder)


def test_cosines_of_a_second_reading_are_told_around_their_mean(tmp_path: Path, embedder: Embedder) -> None:
    entry = Entry(
        name="counter", role="reranker", adapter="cross-encoder", summary="", licence="none", max_tokens=16,
        score="tokens", beside=0.5,
    )  # fmt: skip
    shutil.copy(shipped_folder() / "minilm-l6-int8" / "tokenizer.json", tmp_path)
    save_network(tmp_path / "model.onnx", 2, logit=False)
    reader = SecondReading(LateInteraction(embedder), CrossEncoder(entry, tmp_path, 1), entry)
    asked, apart = embedder.encode_query("snow"), 0.5**0.5
    assert reader.more(asked, ["snow", "wind"]).tolist() == pytest.approx([(1 - apart) / 4, (apart - 1) / 4])
    assert reader.more(asked, ["snow"]).tolist() == [0.0]
    assert reader.more(asked, []).tolist() == []


def test_an_export_is_judged_by_the_logits_of_pairs(tmp_path: Path) -> None:
    folders = [tmp_path / "exact", tmp_path / "small"]
    for folder, bad in zip(folders, (0.0, 0.25), strict=True):
        folder.mkdir()
        shutil.copy(shipped_folder() / "minilm-l6-int8" / "tokenizer.json", folder)
        save_network(folder / "model.onnx", 1, bad)
    entry = Entry(name="m", role="reranker", adapter="cross-encoder", summary="", licence="", max_tokens=32)
    texts = [f"snow {'snow ' * (number % 5)}and {'wind ' * (number % 3)}" for number in range(12)]
    same = measure_pairs(entry, folders[0], folders[0], texts)
    assert same.agreement == pytest.approx(1.0)
    assert (same.orders_kept, same.pairs) == (1.0, 48)
    other = measure_pairs(entry, folders[0], folders[1], texts)
    assert other.agreement < 1
    assert other.orders_kept < 1
    assert f"{other.correlation:.4f}" in str(other)


@pytest.mark.parametrize(
    ("width", "bad", "score", "logit", "words"),
    [
        (2, 0.0, "", True, "2 values"),
        (1, float("nan"), "", True, "one finite"),
        (2, 0.0, "tokens", True, "no vector for each token"),
        (2, float("nan"), "tokens", False, "one finite"),
    ],
)
def test_a_model_that_gives_no_score_is_refused(
    tmp_path: Path, embedder: Embedder, width: int, bad: float, score: str, logit: bool, words: str
) -> None:
    reranker = reranker_of(tmp_path, embedder, width, bad, score=score, logit=logit)
    with pytest.raises(ModelUnusable, match=words):
        reranker.scores(embedder.encode_query("snow"), [Candidate("snow", None)])
