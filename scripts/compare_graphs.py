# ruff: noqa: INP001, T201 - a script that prints
"""Write the graph of the int8 encoder anew in fewer steps, and measure time and vectors of each way.

    python scripts/compare_graphs.py TEXTS [--limit 100]

TEXTS is a file with a text a line, or a folder of judged questions. The weights are those of the model that
ships (one shaped as BERT, exported by `appliance models export`). `same steps` has the same arithmetic but
for what reckons shapes, `float attention` multiplies what attends to what in float32 by one step. Time is
processor time of one thread, the least of three runs, all ways in turn; cosines are of pooled vectors, to the
model that ships and to float32 with the same weights. Needs the package onnx (extra `dev`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

from appliance.core.settings import Settings
from appliance.models.catalogue import embedder_files
from appliance.models.late_interaction import unit
from appliance.models.peers import float_model
from appliance.models.session import open_tokenizer, run

HEADS = 12
ROUNDS = 3
OURS = "com.microsoft"  # the domain of the runtime's own steps
WAYS = {"as it ships": None, "same steps": "int8", "float attention": "float", "float32": None}
PARTS = (
    *(f"attention.self.{name}" for name in ("query", "key", "value")),
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


class Graph:
    """A graph that grows; each step returns the name of its first result."""

    def __init__(self, weights: dict[str, Any]) -> None:
        self.weights, self.nodes, self.constants = weights, [], {}  # type: ignore[var-annotated] # onnx says Any

    def constant(self, name: str, value: Any = None) -> str:
        """Name a constant, by default the weight of that name."""
        found = self.weights[name] if value is None else np.asarray(value)
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(found).reshape(found.shape), name)
        return name

    def step(self, kind: str, inputs: Sequence[str], outputs: str, domain: str = "", **more: Any) -> str:
        """Add a step; `outputs` are names with blanks between them."""
        names = outputs.split()
        self.nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **more))
        return names[0]

    def normed(self, name: str, given: str, weights: str) -> str:
        """Add a normalisation of each row."""
        both = [self.constant(f"{weights}.weight"), self.constant(f"{weights}.bias")]
        return self.step("LayerNormalization", [given, *both], name, epsilon=1e-12)

    def product(self, name: str, given: str, matrix: str, bias: str) -> str:
        """Multiply rows, rounded to int8 by their own range, by a matrix of int8, and add the bias."""
        scale = self.constant(matrix.replace("_quantized", "_scale"))
        inputs = [given, self.constant(matrix), scale, "", self.constant(bias)]
        return self.step("DynamicQuantizeMatMul", inputs, name, OURS)


def joined(path: Path, attention: str) -> bytes:
    """Return the model with one step for each product with its rounding, scale and bias."""
    model = onnx.load(str(path))
    weights = {item.name: numpy_helper.to_array(item) for item in model.graph.initializer}
    matrices = [
        node.input[1]
        for node in model.graph.node
        if node.op_type == "MatMulInteger" and node.input[1] in weights
    ]
    graph = Graph(weights)
    rows = _embedded(graph)
    for layer in range(len(matrices) // len(PARTS)):
        own = dict(zip(PARTS, matrices[layer * len(PARTS) :], strict=False))
        rows = _layer(graph, rows, f"encoder.layer.{layer}.", own, attention)
    graph.step("Identity", [rows], "last_hidden_state")
    shape = ["batch_size", "sequence_length"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in _INPUTS]
    width = weights["embeddings.LayerNorm.bias"].shape[0]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, width])
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], list(graph.constants.values()))
    versions = [helper.make_opsetid("", 18), helper.make_opsetid(OURS, 1)]
    return bytes(helper.make_model(made, opset_imports=versions, ir_version=8).SerializeToString())


_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def _embedded(graph: Graph) -> str:
    """Add what makes rows of tokens, and the mask as a sum over what attends to what."""
    table = "embeddings.word_embeddings.weight"
    graph.step("Gather", [graph.constant(f"{table}_int8"), "input_ids"], "small")
    graph.step("Gather", [graph.constant(f"{table}_scale"), "input_ids"], "scales")
    graph.step("Cast", ["small"], "plain", to=TensorProto.FLOAT)
    graph.step("Mul", ["plain", "scales"], "words")
    graph.step(
        "Gather", [graph.constant("embeddings.token_type_embeddings.weight"), "token_type_ids"], "types"
    )
    graph.step("Add", ["words", "types"], "typed")
    graph.step("Shape", ["input_ids"], "length", start=1, end=2)
    places = graph.constant("embeddings.position_embeddings.weight")
    graph.step("Slice", [places, graph.constant("first", [0]), "length"], "placed")
    graph.step("Add", ["typed", "placed"], "summed")
    graph.step("Cast", ["attention_mask"], "counted", to=TensorProto.FLOAT)
    graph.step("Sub", [graph.constant("all", np.float32(1)), "counted"], "left_out")
    graph.step("Mul", ["left_out", graph.constant("never", np.finfo(np.float32).min)], "barred")
    graph.step("Unsqueeze", ["barred", graph.constant("axes", [1, 2])], "mask")
    graph.step("Cast", ["attention_mask"], "mask_of_ints", to=TensorProto.INT32)
    return graph.normed("embedded", "summed", "embeddings.LayerNorm")


def _layer(graph: Graph, rows: str, at: str, own: dict[str, str], attention: str) -> str:
    """Add a layer: attention and its product, then the wide one and the narrow one."""
    three = [graph.product(f"{at}{part}", rows, own[part], f"{at}{part}.bias") for part in PARTS[:3]]
    if attention == "float":
        inputs = [*three, "", "mask_of_ints"]
        met = graph.step("MultiHeadAttention", inputs, f"{at}met", OURS, num_heads=HEADS)
    else:
        met = _attention(graph, at, three)
    mixed = graph.product(f"{at}mixed", met, own[PARTS[3]], f"{at}{PARTS[3]}.bias")
    summed = graph.step("Add", [mixed, rows], f"{at}with_rows")
    middle = graph.normed(f"{at}middle", summed, f"{at}attention.output.LayerNorm")
    wide = graph.product(f"{at}wide", middle, own[PARTS[4]], f"{at}{PARTS[4]}.bias")
    bent = graph.step("Gelu", [wide], f"{at}bent", OURS)
    narrow = graph.product(f"{at}narrow", bent, own[PARTS[5]], f"{at}{PARTS[5]}.bias")
    summed = graph.step("Add", [narrow, middle], f"{at}with_middle")
    return graph.normed(f"{at}made", summed, f"{at}output.LayerNorm")


def _attention(graph: Graph, at: str, three: Sequence[str]) -> str:
    """Add attention whose products are of int8, as the export has it."""
    width = graph.weights["embeddings.LayerNorm.bias"].shape[0]
    apart = graph.constant("apart", [0, 0, HEADS, width // HEADS])
    scale = graph.constant("scale", np.float32((width // HEADS) ** -0.25))
    query, key, value = (
        graph.step(
            "Transpose", [graph.step("Reshape", [one, apart], f"{one}_apart")], f"{one}_turned", perm=perm
        )
        for one, perm in zip(three, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True)
    )
    query, key = (graph.step("Mul", [one, scale], f"{one}_scaled") for one in (query, key))
    near = _of_both(graph, f"{at}near", query, key)
    masked = graph.step("Add", [near, "mask"], f"{at}masked")
    shares = graph.step("Softmax", [masked], f"{at}shares", axis=-1)
    taken = graph.step(
        "Transpose", [_of_both(graph, f"{at}taken", shares, value)], f"{at}back", perm=[0, 2, 1, 3]
    )
    return graph.step("Reshape", [taken, graph.constant("whole", [0, 0, width])], f"{at}met")


def _of_both(graph: Graph, name: str, left: str, right: str) -> str:
    graph.step("DynamicQuantizeLinear", [right], f"{name}_q {name}_s {name}_z")
    return graph.step("DynamicQuantizeMatMul", [left, f"{name}_q", f"{name}_s", f"{name}_z"], name, OURS)


def texts_of(path: Path, limit: int) -> list[str]:
    """Return the questions of a folder, or the lines of a file, evenly taken."""
    if path.is_dir():
        lines = [
            line for file in sorted(path.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()
        ]
        found = [str(json.loads(line)["question"]) for line in lines]
    else:
        found = path.read_text("utf-8").splitlines()
    return found[:: max(1, len(found) // limit)][:limit]


def measured(tokens: Sequence[Any]) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Return for each way the milliseconds of each text, and its pooled vectors [texts, dimension]."""
    entry, folder = embedder_files(Settings().models)
    path = folder / entry.model
    models = {way: joined(path, how) if how else path.read_bytes() for way, how in WAYS.items()}
    models["float32"] = float_model(path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    sessions = {way: ort.InferenceSession(made, options) for way, made in models.items()}
    spent: dict[str, list[float]] = {way: [] for way in WAYS}
    made: dict[str, list[Any]] = {way: [] for way in WAYS}
    for ids in tokens:
        for way, session in sessions.items():
            times = []
            for _ in range(ROUNDS):
                started = time.process_time()
                output = run(session, ids)
                times.append(1000 * (time.process_time() - started))
            spent[way].append(min(times))
            made[way].append(unit(output.mean(axis=0)))
    return spent, {way: np.array(rows) for way, rows in made.items()}


def main() -> None:
    """Measure each way and print a line for it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    given = parser.parse_args()
    entry, folder = embedder_files(Settings().models)
    tokenizer = open_tokenizer(entry.name, folder / entry.tokenizer)
    encoded = [tokenizer.encode(text).ids for text in texts_of(given.texts, given.limit)]
    tokens = [np.array(ids[: entry.max_tokens], np.int64) for ids in encoded]
    spent, made = measured(tokens)
    print(f"{len(tokens)} texts, {np.median([len(ids) for ids in tokens]):g} tokens the median\n")
    print("| way | ms, median | texts a second | cosine to what ships, mean | least | to float32, mean |")
    print("|---|---|---|---|---|---|")
    for way in WAYS:
        near, exact = ((made[way] * made[name]).sum(axis=1) for name in ("as it ships", "float32"))
        figures = (
            f"{np.median(spent[way]):.2f} | {1000 * len(tokens) / sum(spent[way]):.1f} | {near.mean():.4f}"
        )
        print(f"| {way} | {figures} | {near.min():.4f} | {exact.mean():.4f} |")


if __name__ == "__main__":
    main()
