"""A Hugging Face encoder folder to an int8 model of the appliance, with its gate and card."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from appliance.core.decoding import decode
from appliance.core.errors import ExportRefused
from appliance.core.files import data_folder
from appliance.models.add import RECORD, TRAINED_RECORD, read_record
from appliance.models.catalogue import Entry, file_of
from appliance.models.encoder import CrossEncoder, OnnxEmbedder
from appliance.models.late_interaction import fit_projection

GATE = 0.99  # agreement of int8 with float32: mean cosine of vectors, correlation of logits
PROJECTION = "projection.npy"
ASKED = 150  # texts that stand as the question
LONGEST = 512  # tokens of a window, whatever the model could take: a chunk is no longer


@dataclass(frozen=True, slots=True)
class Measured:
    """How near int8 came to float32: what the gate looks at, all figures by name, and these in words."""

    agreement: float
    figures: Mapping[str, float]
    said: str


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported model: its entry, where it lies, and what was measured."""

    entry: Entry
    folder: Path
    measured: Measured

    def __str__(self) -> str:
        """Return the sentence for the user."""
        return f"{self.entry.name} is in {self.folder}: {self.measured.said}."


def entry_of(source: Path, name: str) -> Entry:
    """Return the entry of the encoder in a folder, as its configuration describes it.

    Raises:
        ExportRefused: a file is missing, or the model is not an encoder of texts.
        BadInput: the record of its training, which lies beside it, is none.
    """

    def read(file: str, *, needed: bool = False) -> dict[str, Any]:
        path = source / file
        try:
            return decode(path.read_bytes(), dict[str, Any]) if needed or path.is_file() else {}
        except (OSError, msgspec.DecodeError) as error:
            raise ExportRefused(name, f"{path} cannot be read: {error}") from None

    config = read("config.json", needed=True)
    width = config.get("hidden_size")
    if not isinstance(width, int) or width % 8 or not (source / "tokenizer.json").is_file():
        raise ExportRefused(name, f"{source} is not an encoder with a tokenizer.json (hidden_size {width!r})")
    summary, licence = f"exported from {config.get('_name_or_path') or source.name}", "as its origin says"
    if (source / TRAINED_RECORD).is_file():  # it was trained here
        record = read_record(source / TRAINED_RECORD)
        licences = ", ".join(sorted({one.licence for one in record.data}))
        told = f"{TRAINED_RECORD} beside it has recipe and figures"
        summary = f"trained from {record.base} on {record.learned}; {told}"
        licence = f"as its base says; trained on data under {licences}"
    trained_window = read("sentence_bert_config.json").get("max_seq_length")
    window = min(int(trained_window or config.get("max_position_embeddings") or LONGEST), LONGEST)
    entry = partial(Entry, name=name, summary=summary, licence=licence, max_tokens=window)
    if any(str(kind).endswith("ForSequenceClassification") for kind in config.get("architectures") or ()):
        outputs = len(config.get("id2label") or (0, 1))  # two, where the file says nothing
        if outputs != 1:
            raise ExportRefused(name, f"{source} gives {outputs} values of a pair instead of one score")
        return entry(role="reranker", adapter="cross-encoder")
    pools = read("1_Pooling/config.json")
    pooling: Literal["mean", "cls"] = "mean"  # where the folder does not say
    if pools and not pools.get("pooling_mode_mean_tokens") and pools.get("pooling_mode") != "mean":
        if not pools.get("pooling_mode_cls_token") and pools.get("pooling_mode") != "cls":
            raise ExportRefused(name, "it pools its tokens neither by their mean nor by the first")
        pooling = "cls"
    prompts = read("config_sentence_transformers.json").get("prompts") or {}
    return entry(
        role="embedder",
        adapter="encoder",
        dimension=width,
        token_dimension=width // 2,
        pooling=pooling,
        query_prefix=str(prompts.get("query") or ""),
        projection=PROJECTION,
    )


def sample_texts() -> tuple[str, ...]:
    """Return the texts that exports are measured and fitted on: paragraphs and questions of the demo."""
    path = data_folder() / "models" / "sample.txt"
    return tuple(path.read_text(encoding="utf-8").splitlines())


def export(source: Path, folder: Path, texts: Sequence[str] | None = None) -> Exported:
    """Write the model of a Hugging Face folder to a new folder, by which it is named.

    Raises:
        ExportRefused: the extra is not installed, the source is no encoder, or the gate is not met.
    """
    entry = entry_of(source, folder.name)
    with tempfile.TemporaryDirectory() as scratch:
        exact, small = Path(scratch) / "float32", Path(scratch) / "int8"
        _to_onnx(entry, source, exact)
        _to_int8(entry, exact, small)
        for made in (exact, small):
            shutil.copy(source / "tokenizer.json", made / "tokenizer.json")
        measure = measure_pairs if entry.role == "reranker" else measure_vectors
        measured = measure(entry, exact, small, texts or sample_texts())
        if not measured.agreement >= GATE:
            why = f"its agreement with float32 is {measured.agreement:.4f}, below {GATE}: {measured.said}"
            raise ExportRefused(entry.name, why)
        names = [name for name in (entry.model, entry.tokenizer, entry.projection) if name]
        files = tuple(file_of(name, small / name) for name in names)
        entry = msgspec.structs.replace(entry, files=files)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copyfile(small / name, folder / name)
    for name in ("config.json", TRAINED_RECORD):
        if (source / name).is_file():
            shutil.copyfile(source / name, folder / name)
    told = msgspec.json.encode({"entry": entry, "measured": measured.figures})
    (folder / RECORD).write_bytes(msgspec.json.format(told, indent=2) + b"\n")
    return Exported(entry, folder, measured)


def _to_onnx(entry: Entry, source: Path, target: Path) -> None:
    try:
        from optimum.exporters.onnx import main_export  # noqa: PLC0415 - the extra `export`
    except ImportError as error:
        why = f"{error}. Install what it needs with: pip install 'appliance[export]'"
        raise ExportRefused(entry.name, why) from None
    try:
        task = "text-classification" if entry.role == "reranker" else "feature-extraction"
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


def measure_vectors(entry: Entry, exact: Path, small: Path, texts: Sequence[str]) -> Measured:
    """Compare the vectors of the models of two folders; fit the projection on those of float32."""
    plain = msgspec.structs.replace(entry, projection="", token_dimension=0)
    models = [OnnxEmbedder(plain, folder, "", threads=1) for folder in (exact, small)]
    pooled, tokens, fitted = [], [], []
    for text in texts:
        (one, rows, _), (other, others, _) = (model.hidden(text) for model in models)
        pooled.append(float(one @ other))
        tokens.extend((rows * others).sum(axis=1).tolist())
        fitted.append(rows)
    np.save(small / entry.projection, fit_projection(fitted, entry.token_dimension).astype(np.float16))
    mean, least, count = float(np.mean(pooled)), min(pooled), len(texts)
    return Measured(
        mean,
        {
            "mean_cosine": mean,
            "least_cosine": least,
            "mean_token_cosine": float(np.mean(tokens)),
            "texts": count,
        },
        f"mean cosine to float32 {mean:.4f} (least {least:.4f}) over {count} texts",
    )


def measure_pairs(entry: Entry, exact: Path, small: Path, texts: Sequence[str]) -> Measured:
    """Compare the logits of the models of two folders over pairs of the texts."""
    models = [CrossEncoder(entry, folder, threads=1) for folder in (exact, small)]
    count, step = len(texts), max(1, len(texts) // ASKED)
    found = []
    for first in range(0, count, step):
        read = [texts[(first + far) % count] for far in (0, 1, 2, count // 2)]
        found.append(np.stack([model.logits(texts[first], read) for model in models]))
    logits = np.stack(found, axis=1)  # [2, questions, 4]
    left, right = (np.sign(model[:, :, None] - model[:, None, :]) for model in logits)
    apart = ~np.eye(logits.shape[2], dtype=bool)
    kept, pairs = float((left == right)[:, apart].mean()), logits[0].size
    correlation = float(np.corrcoef(logits.reshape(2, -1)).flat[1])
    return Measured(
        correlation,
        {"correlation": correlation, "orders_kept": kept, "pairs": pairs},
        f"correlation with the logits of float32 {correlation:.4f} over {pairs} pairs "
        f"({kept:.4f} of the orders of two kept)",
    )
