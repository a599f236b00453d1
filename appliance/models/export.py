"""A Hugging Face encoder folder to an int8 model of the appliance, with its gate and card."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from appliance.core.errors import ExportRefused
from appliance.core.files import data_folder, sha256_of
from appliance.models.add import TRAINED_RECORD as CARD
from appliance.models.add import TRAINED_RECORD as SOURCE_RECORD
from appliance.models.add import read_record
from appliance.models.catalogue import Entry, File
from appliance.models.cross import CrossEncoder
from appliance.models.encoder import OnnxEmbedder
from appliance.models.late_interaction import fit_projection
from appliance.models.protocols import Floats

ASKED = 150  # texts that stand as the question


@dataclass(frozen=True, slots=True)
class PairsMeasured:
    """What the export of a reader of pairs measured: correlation of logits, share of orders kept, pairs."""

    correlation: float
    orders_kept: float
    pairs: int

    @property
    def agreement(self) -> float:
        """Return what the gate looks at."""
        return self.correlation

    def __str__(self) -> str:
        """Return the figures as a sentence goes on with them."""
        return (
            f"correlation with the logits of float32 {self.correlation:.4f} over {self.pairs} pairs "
            f"({self.orders_kept:.4f} of the orders of two kept)"
        )


def measure_pairs(entry: Entry, exact: Path, small: Path, texts: Sequence[str]) -> PairsMeasured:
    """Compare the models of two folders over pairs of the texts."""
    models = [CrossEncoder(entry, folder, threads=1) for folder in (exact, small)]
    count, step = len(texts), max(1, len(texts) // ASKED)
    found = []
    for first in range(0, count, step):
        read = [texts[(first + far) % count] for far in (0, 1, 2, count // 2)]
        found.append(np.stack([model.logits(texts[first], read) for model in models]))
    logits = np.stack(found, axis=1)  # [2, questions, 4]
    left, right = (np.sign(model[:, :, None] - model[:, None, :]) for model in logits)
    apart = ~np.eye(logits.shape[2], dtype=bool)
    correlation = float(np.corrcoef(logits.reshape(2, -1)).flat[1])
    return PairsMeasured(correlation, float((left == right)[:, apart].mean()), logits[0].size)


READER = "reader.json"  # what a training of a reader of pairs says of it
LONGEST = 512  # tokens of a window, whatever the model could take: a chunk is no longer


def entry_of(source: Path, name: str) -> Entry:
    """Return the entry of the encoder in a folder, as its configuration describes it.

    Raises:
        ExportRefused: a file is missing, or the model is not an encoder of texts.
        BadInput: the record of its training, which lies beside it, is none.
    """
    config = _read(source / "config.json", name)
    width = config.get("hidden_size")
    if not isinstance(width, int) or width % 8 or not (source / "tokenizer.json").is_file():
        why = f"{source} is not an encoder with a tokenizer.json (hidden_size {width!r})"
        raise ExportRefused(name, why)
    kinds = config.get("architectures") or ()
    if (source / READER).is_file() or any(str(kind).endswith("ForSequenceClassification") for kind in kinds):
        return _reader_of_pairs(source, config, name)
    summary, licence = _origin(source, config)
    return Entry(
        name=name,
        role="embedder",
        adapter="encoder",
        summary=summary,
        licence=licence,
        dimension=width,
        token_dimension=width // 2,
        max_tokens=_window(source, config, name),
        pooling=_pooling(source, name),
        query_prefix=_prompt(source, name),
    )


def _reader_of_pairs(source: Path, config: dict[str, Any], name: str) -> Entry:
    """Return the entry of a model that reads question and passage together."""
    trained = _optional(source / READER, name)
    outputs = len(config.get("id2label") or (0, 1))  # two, where the file says nothing
    if outputs != 1:
        why = f"{source} gives {outputs} values of a pair instead of one score"
        raise ExportRefused(name, why)
    summary, licence = _origin(source, config)
    return Entry(
        name=name,
        role="reranker",
        adapter="cross-encoder",
        summary=summary,
        licence=licence,
        max_tokens=int(trained.get("max_tokens") or _window(source, config, name)),
    )


def _origin(source: Path, config: dict[str, Any]) -> tuple[str, str]:
    """Return the summary and the licence of a model: those of its training where it was trained here."""
    if not (source / SOURCE_RECORD).is_file():
        return f"exported from {config.get('_name_or_path') or source.name}", "as its origin says"
    record = read_record(source / SOURCE_RECORD)
    licences = ", ".join(sorted({one.licence for one in record.data}))
    summary = (
        f"trained from {record.base} on {record.learned}; {SOURCE_RECORD} beside it has recipe and figures"
    )
    return summary, f"as its base says; trained on data under {licences}"


def _window(source: Path, config: dict[str, Any], name: str) -> int:
    """Return the tokens of a window: what the model was trained with, else what it has positions for."""
    trained = _optional(source / "sentence_bert_config.json", name).get("max_seq_length")
    return min(int(trained or config.get("max_position_embeddings") or LONGEST), LONGEST)


def _pooling(source: Path, name: str) -> Any:
    """Return how the folder pools tokens; mean where it does not say."""
    told = _optional(source / "1_Pooling" / "config.json", name)
    if told.get("pooling_mode_mean_tokens") or told.get("pooling_mode") == "mean" or not told:
        return "mean"
    if told.get("pooling_mode_cls_token") or told.get("pooling_mode") == "cls":
        return "cls"
    why = "it pools its tokens neither by their mean nor by the first"
    raise ExportRefused(name, why)


def _prompt(source: Path, name: str) -> str:
    """Return what the model wants before a question."""
    prompts = _optional(source / "config_sentence_transformers.json", name).get("prompts") or {}
    return str(prompts.get("query") or "")


def _optional(path: Path, name: str) -> dict[str, Any]:
    return _read(path, name) if path.is_file() else {}


def _read(path: Path, name: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        why = f"{path} cannot be read: {error}"
        raise ExportRefused(name, why) from None


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
