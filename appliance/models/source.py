"""What a Hugging Face folder says of its own model.

Rules of this module: reads the small JSON files of the folder, decides nothing that they tell;
standard library and msgspec only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from appliance.model_errors import ExportRefused
from appliance.models.entries import Entry
from appliance.models.trained import RECORD, read_record

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
    if outputs != 1 and trained.get("score") != "tokens":
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
        score="tokens" if trained.get("score") == "tokens" else "logit",
        beside=float(trained.get("beside") or 0.0),
        base=str(trained.get("base") or ""),
    )


def _origin(source: Path, config: dict[str, Any]) -> tuple[str, str]:
    """Return the summary and the licence of a model: those of its training where it was trained here."""
    if not (source / RECORD).is_file():
        return f"exported from {config.get('_name_or_path') or source.name}", "as its origin says"
    record = read_record(source / RECORD)
    licences = ", ".join(sorted({one.licence for one in record.data}))
    summary = f"trained from {record.base} on {record.learned}; {RECORD} beside it has recipe and figures"
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
