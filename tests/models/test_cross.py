"""The cross-encoder adapter over a tiny network that is made here: its score counts known token ids."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from appliance.core.errors import ModelUnusable
from appliance.core.settings import ModelSettings
from appliance.models.add import add
from appliance.models.catalogue import Entry, load_reranker, shipped_folder
from appliance.models.export import measure_pairs
from appliance.models.protocols import Candidate, Embedder, Reranker


def save_network(path: Path, width: int, bad: float = 0.0) -> None:
    """Save a network whose logit is the number of tokens of the second text that are "snow"."""
    table = np.full((30522, width), bad, dtype=np.float32)
    table[4586] = 1 + bad  # "snow"
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
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", width])
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
    ]
    graph = helper.make_graph(nodes, "counts", ids, [output], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def reranker_of(folder: Path, embedder: Embedder, width: int = 1, bad: float = 0.0) -> Reranker:
    source = folder / "made"
    source.mkdir(parents=True)
    shutil.copy(shipped_folder() / "minilm-l6-int8" / "tokenizer.json", source)
    save_network(source / "model.onnx", width, bad)
    settings = ModelSettings(folder=folder / "models", reranker="counter", threads=2)
    add(settings, source, Entry(
        name="counter", role="reranker", adapter="cross-encoder", summary="", licence="none", max_tokens=16,
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


def test_a_question_longer_than_the_window_is_cut_too(tmp_path: Path, embedder: Embedder) -> None:
    reranker = reranker_of(tmp_path, embedder)
    scores = reranker.scores(embedder.encode_query("wind " * 400), [Candidate("snow", None)])
    assert scores.tolist() == [1]


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
    assert (same.figures["orders_kept"], same.figures["pairs"]) == (1.0, 48)
    other = measure_pairs(entry, folders[0], folders[1], texts)
    assert other.agreement < 1
    assert other.figures["orders_kept"] < 1
    assert f"{other.agreement:.4f}" in other.said


@pytest.mark.parametrize(("width", "bad", "words"), [(2, 0.0, "2 values"), (1, float("nan"), "one finite")])
def test_a_model_that_gives_no_score_is_refused(
    tmp_path: Path, embedder: Embedder, width: int, bad: float, words: str
) -> None:
    reranker = reranker_of(tmp_path, embedder, width, bad)
    with pytest.raises(ModelUnusable, match=words):
        reranker.scores(embedder.encode_query("snow"), [Candidate("snow", None)])
