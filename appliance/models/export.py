"""A Hugging Face encoder folder to a model of the appliance: ONNX, int8, projection, gate, card.

Rules of this module: needs the extra `export` (optimum, torch), which nothing else imports. The
recipe: float32 ONNX by optimum; per-channel dynamic int8 of the matrix products by optimum's
quantizer, with seven-bit weights, which cannot saturate on processors without VNNI, so that
builder and box get the same vectors on any x86-64 with AVX2 (without it nearly:
scripts/compare_processors.py); the word table as int8 rows, each with its own
scale (half of a small model's bytes, and no arithmetic is done in it). The gate: over the sample
texts, the mean cosine to float32 (of a cross-encoder: the correlation of the logits) must reach `GATE`,
or nothing is written.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from appliance.model_errors import ExportRefused
from appliance.models.catalogue import sha256_of
from appliance.models.entries import Entry, File
from appliance.models.export_pairs import PairsMeasured, measure_pairs
from appliance.models.onnx import OnnxEmbedder
from appliance.models.project import fit_projection
from appliance.models.protocols import Floats
from appliance.models.source import entry_of
from appliance.models.trained import RECORD as CARD
from appliance.paths import data_folder

GATE = 0.99  # agreement of int8 with float32: mean cosine of vectors, correlation of logits
PROJECTION = "projection.npy"
RECORD = "export.json"


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported model: its entry, where it lies, and what was measured."""

    entry: Entry
    folder: Path
    measured: Measured | PairsMeasured

    def __str__(self) -> str:
        """Return the sentence for the user."""
        return f"{self.entry.name} is in {self.folder}: {self.measured}."


@dataclass(frozen=True, slots=True)
class Measured:
    """What the export measured over the sample: cosines to float32, and how many texts."""

    mean_cosine: float
    least_cosine: float
    mean_token_cosine: float
    texts: int

    @property
    def agreement(self) -> float:
        """Return what the gate looks at."""
        return self.mean_cosine

    def __str__(self) -> str:
        """Return the figures as a sentence goes on with them."""
        return (
            f"mean cosine to float32 {self.mean_cosine:.4f} (least {self.least_cosine:.4f}) "
            f"over {self.texts} texts"
        )


def sample_texts() -> tuple[str, ...]:
    """Return the texts that exports are measured and fitted on: paragraphs and questions of the demo."""
    path = data_folder() / "models" / "sample.txt"
    return tuple(path.read_text(encoding="utf-8").splitlines())


def export(
    source: Path, folder: Path, entry: Entry | None = None, texts: Sequence[str] | None = None
) -> Exported:
    """Write the model of a Hugging Face folder to a new folder.

    `entry` says what the files cannot: name, licence, origin; without one they are asked (source.py).

    Raises:
        ExportRefused: the extra is not installed, the source is no encoder, or the gate is not met.
    """
    entry = entry or entry_of(source, folder.name)
    texts = texts or sample_texts()
    with tempfile.TemporaryDirectory() as scratch:
        exact, small = Path(scratch) / "float32", Path(scratch) / "int8"
        _to_onnx(entry, source, exact)
        _to_int8(entry, exact, small)
        for made in (exact, small):
            shutil.copy(source / "tokenizer.json", made / "tokenizer.json")
        shutil.copy(source / "config.json", small / "config.json")
        measured = (measure_pairs if entry.role == "reranker" else _measure)(entry, exact, small, texts)
        if not measured.agreement >= GATE:
            why = f"its agreement with float32 is {measured.agreement:.4f}, below {GATE}: {measured}"
            raise ExportRefused(entry.name, why)
        complete = _complete(entry, small)
        _write(small, folder, complete, measured)
        if (source / CARD).is_file():
            shutil.copyfile(source / CARD, folder / CARD)
    return Exported(complete, folder, measured)


def _to_onnx(entry: Entry, source: Path, target: Path) -> None:
    try:
        from optimum.exporters.onnx import main_export  # noqa: PLC0415 - the extra `export`
    except ImportError as error:
        why = f"{error}. Install what it needs with: pip install 'appliance[export]'"
        raise ExportRefused(entry.name, why) from None
    try:
        one_logit = entry.role == "reranker" and entry.score == "logit"
        task = "text-classification" if one_logit else "feature-extraction"
        main_export(str(source), target, task=task, library_name="transformers", device="cpu")
    except Exception as error:  # noqa: BLE001 - torch, transformers and optimum each raise their own
        why = f"{source} cannot be exported: {type(error).__name__}: {error}"
        raise ExportRefused(entry.name, why) from None


def _to_int8(entry: Entry, exact: Path, target: Path) -> None:
    from optimum.onnxruntime import ORTQuantizer  # noqa: PLC0415 - the extra `export`
    from optimum.onnxruntime.configuration import (  # noqa: PLC0415 - idem
        QuantFormat,
        QuantizationConfig,
        QuantizationMode,
        QuantType,
    )

    recipe = QuantizationConfig(
        is_static=False,
        format=QuantFormat.QOperator,
        mode=QuantizationMode.IntegerOps,
        activations_dtype=QuantType.QUInt8,
        weights_dtype=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        operators_to_quantize=["MatMul"],
    )
    quantizer = ORTQuantizer.from_pretrained(exact, file_name="model.onnx")
    quantizer.quantize(save_dir=target, quantization_config=recipe)
    narrow_word_table(target / "model_quantized.onnx", target / entry.model)


def narrow_word_table(source: Path, target: Path) -> None:
    """Rewrite the largest table that a Gather reads as int8 rows with a scale each."""
    import onnx  # noqa: PLC0415 - the extra `export`
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415 - idem

    model = onnx.load(source)
    graph = model.graph
    tensors = {item.name: item for item in graph.initializer}
    gathers = [node for node in graph.node if node.op_type == "Gather" and node.input[0] in tensors]
    node = max(gathers, key=lambda item: int(np.prod(tensors[item.input[0]].dims)))
    table = numpy_helper.to_array(tensors[node.input[0]])
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
    name, ids, output = node.input[0], node.input[1], node.output[0]
    graph.initializer.remove(tensors[name])
    graph.initializer.append(numpy_helper.from_array(np.rint(table / scales).astype(np.int8), f"{name}_int8"))
    graph.initializer.append(numpy_helper.from_array(scales.astype(np.float32), f"{name}_scale"))
    place = list(graph.node).index(node)
    graph.node.remove(node)
    steps = [
        helper.make_node("Gather", [f"{name}_int8", ids], [f"{name}_row"]),
        helper.make_node("Gather", [f"{name}_scale", ids], [f"{name}_row_scale"]),
        helper.make_node("Cast", [f"{name}_row"], [f"{name}_row_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}_row_float", f"{name}_row_scale"], [output]),
    ]
    for offset, step in enumerate(steps):
        graph.node.insert(place + offset, step)
    onnx.save(model, target)


def _measure(entry: Entry, exact: Path, small: Path, texts: Sequence[str]) -> Measured:
    """Compare the two models over the texts and fit the projection on the float32 one."""
    plain = msgspec.structs.replace(entry, projection="", token_dimension=0, files=())
    models = [OnnxEmbedder(plain, folder, "", threads=1) for folder in (exact, small)]
    pooled: list[float] = []
    tokens: list[float] = []
    fitted: list[Floats] = []
    for text in texts:
        (one, rows, _), (other, others, _) = (model.hidden(text) for model in models)
        pooled.append(float(one @ other))
        tokens.extend((rows * others).sum(axis=1).tolist())
        fitted.append(rows)
    if entry.token_dimension:
        matrix = fit_projection(fitted, entry.token_dimension)
        np.save(small / PROJECTION, matrix.astype(np.float16))
    return Measured(float(np.mean(pooled)), min(pooled), float(np.mean(tokens)), len(texts))


def _complete(entry: Entry, folder: Path) -> Entry:
    """Return the entry with its files, their sha256 and sizes."""
    names = [entry.model, entry.tokenizer, *([PROJECTION] if entry.token_dimension else [])]
    files = tuple(
        File(path=name, sha256=sha256_of(folder / name), size=(folder / name).stat().st_size)
        for name in names
    )
    projection = PROJECTION if entry.token_dimension else ""
    return msgspec.structs.replace(entry, files=files, projection=projection, export=False)


def _write(made: Path, folder: Path, entry: Entry, measured: Measured | PairsMeasured) -> None:
    """Copy the model's files and the record of the export to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*(file.path for file in entry.files), "config.json"):
        shutil.copyfile(made / name, folder / name)
    record = {"entry": entry, "measured": measured}
    (folder / RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
