"""The learned order as it ships: it loads, it is what it says, and a wrong file is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from appliance.core.errors import ModelUnusable
from appliance.models.session import FEATURES, Trees


def forest(path: Path, names: str) -> Path:
    """Write a forest of one tree: 2 where the first feature is above 0.5, else 1."""
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["rows"],
        ["scores"],
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=[0, 0, 0],
        nodes_nodeids=[0, 1, 2],
        nodes_featureids=[0, 0, 0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_values=[0.5, 0.0, 0.0],
        nodes_truenodeids=[1, 0, 0],
        nodes_falsenodeids=[2, 0, 0],
        target_treeids=[0, 0],
        target_nodeids=[1, 2],
        target_ids=[0, 0],
        target_weights=[1.0, 2.0],
    )
    rows = helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, 2])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [None, 1])
    imports = [helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(
        helper.make_graph([node], "forest", [rows], [scores]), opset_imports=imports, ir_version=8
    )
    model.metadata_props.add(key=FEATURES, value=names)
    onnx.save(model, path)
    return path


def test_rows_are_scored_in_their_order(tmp_path: Path) -> None:
    trees = Trees(forest(tmp_path / "f.onnx", "a b"), ("a", "b"))
    assert trees.scores(np.array([[1.0, 0.0], [0.0, 9.0]], dtype=np.float32)).tolist() == [2.0, 1.0]
    assert trees.scores(np.zeros((0, 2), dtype=np.float32)).tolist() == []


@pytest.mark.parametrize("features", [("a",), ("b", "a"), ("a", "b", "c"), ()])
def test_a_forest_for_other_features_is_refused(tmp_path: Path, features: tuple[str, ...]) -> None:
    with pytest.raises(ModelUnusable, match="other features"):
        Trees(forest(tmp_path / "f.onnx", "a b"), features)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.onnx"
    path.write_bytes(b"not a model")
    with pytest.raises(ModelUnusable, match=r"f\.onnx"):
        Trees(path, ("a", "b"))
