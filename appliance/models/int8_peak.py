"""What encoding takes at the least on this core: the products of the weights, at its best rate for int8.

Rules of this module: only `bench` uses it, with the package onnx (extra `dev`). The rate is that of one
large product by the same runtime, whose weights have seven bits as the encoder's do. What attention
multiplies is left out, a hundredth for a question: the limit is a little below the true one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime as ort

ROWS, INNER, COLUMNS = 256, 384, 1536  # large enough that nothing but the products takes time


class Int8Peak:
    """One large product of int8 matrices on one thread; `products` are the multiply-adds of a run."""

    products = ROWS * INNER * COLUMNS

    def __init__(self) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = ort.InferenceSession(_one_product(), options, providers=["CPUExecutionProvider"])
        self._rows = np.random.default_rng(1).integers(0, 256, (ROWS, INNER), dtype=np.uint8)

    def run(self) -> None:
        """Multiply once."""
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


def _one_product() -> bytes:
    """Return a model that multiplies uint8 rows by int8 weights.

    Raises:
        ImportError: the package onnx is not installed.
    """
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415 - only to measure

    weights = np.random.default_rng(2).integers(-64, 65, (INNER, COLUMNS), dtype=np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["rows", "weights", "zero"], ["made"])],
        "product",
        [helper.make_tensor_value_info("rows", TensorProto.UINT8, [ROWS, INNER])],
        [helper.make_tensor_value_info("made", TensorProto.INT32, [ROWS, COLUMNS])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array(128, np.uint8), "zero"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    return bytes(model.SerializeToString())
