"""Weights of an exported model: names, shapes and values as torch wants them; damage is said."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from appliance.core.errors import BadInput, ExtraMissing
from appliance.models.catalogue import shipped_folder
from appliance.training.torch_models import MODEL, WEIGHTS, is_exported, unpacked, weights

SHIPPED = shipped_folder() / "minilm-l6-int8"


def test_int8_weights_are_taken_back_to_float() -> None:
    held = {
        "onnx::MatMul_7_quantized": np.array([[1, -2, 3], [4, 5, -6]], dtype=np.int8),
        "onnx::MatMul_7_scale": np.array([0.5, 1.0, 2.0], dtype=np.float32),
        "onnx::MatMul_7_zero_point": np.array([0, 1, 0], dtype=np.int8),
        "words.weight_int8": np.array([[127, -127], [10, 0]], dtype=np.int8),
        "words.weight_scale": np.array([[0.01], [0.1]], dtype=np.float32),
        "layer.0.dense.bias": np.ones(3, dtype=np.float32),
        "shape": np.array([1], dtype=np.int64),
    }
    found = weights(held, {"onnx::MatMul_7": "/layer.0/dense"})
    assert set(found) == {"layer.0.dense.weight", "words.weight", "layer.0.dense.bias"}
    assert found["layer.0.dense.weight"].tolist() == [[0.5, 2.0], [-3.0, 4.0], [6.0, -12.0]]
    assert found["words.weight"] == pytest.approx(np.array([[1.27, -1.27], [1.0, 0.0]]))


def test_the_model_that_ships_can_be_begun_from(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    safe = pytest.importorskip("safetensors.numpy", reason="the extra `train` is not installed")
    assert is_exported(SHIPPED)
    folder = unpacked(SHIPPED, tmp_path / "base")
    assert not is_exported(folder)
    found = safe.load_file(folder / WEIGHTS)
    assert len(found) == 101
    assert found["encoder.layer.0.intermediate.dense.weight"].shape == (1536, 384)
    assert found["embeddings.word_embeddings.weight"].shape == (30522, 384)
    assert all(np.isfinite(one).all() for one in found.values())


@pytest.mark.parametrize(
    ("content", "why"), [(b"", "no int8 model"), (b"\x00\xff damaged", "is damaged")], ids=["empty", "noise"]
)
def test_what_is_no_exported_model_is_said(tmp_path: Path, content: bytes, why: str) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("safetensors", reason="the extra `train` is not installed")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(SHIPPED / name, tmp_path / name)
    (tmp_path / MODEL).write_bytes(content)
    with pytest.raises(BadInput, match=why):
        unpacked(tmp_path, tmp_path / "base")
    assert not (tmp_path / "base" / WEIGHTS).exists()


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ExtraMissing, match=r"\[train\]"):
        unpacked(SHIPPED, tmp_path)
