"""The float32 peer and the arithmetic limit that the int8 encoder is measured beside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from appliance.core.runs import grouped
from appliance.models.catalogue import Entry
from appliance.models.session import open_session, open_tokenizer

BATCH = 32


class FloatPeer:
    """onnxruntime with float32 weights, batches padded to their longest text, one thread."""

    def __init__(self, entry: Entry, folder: Path) -> None:
        self._session = open_session(entry.name, float_model(folder / entry.model))
        self._tokenizer: Tokenizer = open_tokenizer(entry.name, folder / entry.tokenizer)
        self._tokenizer.enable_truncation(entry.max_tokens)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> None:
        """Run the encoder over the texts in the order given."""
        for start in range(0, len(texts), BATCH):
            found = self._tokenizer.encode_batch(list(texts[start : start + BATCH]))
            ids = np.array([item.ids for item in found], dtype=np.int64)
            mask = np.array([item.attention_mask for item in found], dtype=np.int64)
            fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            self._session.run(None, {item.name: fed[item.name] for item in self._session.get_inputs()})


def float_model(path: Path) -> bytes:
    """Return the model with every dynamically quantized matrix product as one of float32.

    Raises:
        ImportError: the package onnx is not installed.
    """
    import onnx  # noqa: PLC0415 - only to measure
    from onnx import numpy_helper  # noqa: PLC0415 - idem
    from onnxruntime.transformers.onnx_model import OnnxModel  # noqa: PLC0415 - idem

    model = onnx.load(str(path))
    weights = {item.name: numpy_helper.to_array(item) for item in model.graph.initializer}
    makers = {name: node for node in model.graph.node for name in node.output}
    readers = grouped((name, node) for node in model.graph.node for name in node.input)
    for node in [item for item in model.graph.node if item.op_type == "MatMulInteger"]:
        left, right = makers[node.input[0]].input[0], makers.get(node.input[1])
        (cast,) = readers[node.output[0]]
        (scaled,) = readers[cast.output[0]]
        if right is None:
            scale = makers[next(name for name in scaled.input if name != cast.output[0])]
            factor = next(weights[name] for name in scale.input if name in weights)
            matrix = (weights[node.input[1]].astype(np.float32) - weights[node.input[3]]) * factor
            name = f"{node.input[1]}_float"
            model.graph.initializer.append(numpy_helper.from_array(matrix.astype(np.float32), name))
        node.op_type, inputs = "MatMul", [left, name if right is None else right.input[0]]
        del node.input[:]
        node.input.extend(inputs)
        node.output[0] = scaled.output[0]
        for gone in (cast, scaled):
            model.graph.node.remove(gone)
    # without the nodes and weights whose results nobody reads any more
    OnnxModel(model).prune_graph(allow_remove_graph_inputs=False)
    return bytes(model.SerializeToString())


ROWS, INNER, COLUMNS = 256, 384, 1536  # large enough that nothing but the products takes time


class Int8Peak:
    """One large product of int8 matrices on one thread; `products` are the multiply-adds of a run.

    Raises:
        ImportError: the package onnx is not installed.
    """

    products = ROWS * INNER * COLUMNS

    def __init__(self) -> None:
        from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415 - only to measure

        weights = np.random.default_rng(2).integers(-64, 65, (INNER, COLUMNS), dtype=np.int8)
        constants = {"weights": weights, "zero": np.array(128, np.uint8)}
        graph = helper.make_graph(
            [helper.make_node("MatMulInteger", ["rows", *constants], ["made"])],
            "product",
            [helper.make_tensor_value_info("rows", TensorProto.UINT8, [ROWS, INNER])],
            [helper.make_tensor_value_info("made", TensorProto.INT32, [ROWS, COLUMNS])],
            [numpy_helper.from_array(values, name) for name, values in constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        self._session = open_session("product", bytes(model.SerializeToString()))
        self._rows = np.random.default_rng(1).integers(0, 256, (ROWS, INNER), dtype=np.uint8)

    def run(self) -> None:
        self._session.run(None, {"rows": self._rows})


def products_of_a_token(path: Path) -> int:
    """Return the multiply-adds of a token with the int8 weights of an encoder, 0 where it has none.

    Raises:
        ImportError: the package onnx is not installed.
    """
    import onnx  # noqa: PLC0415 - only to measure

    graph = onnx.load(str(path)).graph
    sizes = {item.name: int(np.prod(item.dims)) for item in graph.initializer}
    return sum(sizes.get(node.input[1], 0) for node in graph.node if node.op_type == "MatMulInteger")
