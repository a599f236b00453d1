"""ONNX Runtime sessions and tokenizers, set up once in the one way that measured best; forests of trees."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it publishes no types
from tokenizers import Tokenizer

from appliance.core.errors import ModelUnusable
from appliance.models.protocols import Floats

Ids = NDArray[np.int64]
Given = TypeVar("Given")
Made = TypeVar("Made")


def open_session(name: str, model: Path | bytes) -> ort.InferenceSession:
    """Return a CPU session of one thread over the model in a file, or in memory.

    Raises:
        ModelUnusable: ONNX Runtime cannot read it.
    """
    hold_blas_to_one_thread()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        given = model if isinstance(model, bytes) else str(model)
        return ort.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - the runtime raises a dozen unrelated classes
        what = model.name if isinstance(model, Path) else "it"
        raise ModelUnusable(name, f"ONNX Runtime cannot load {what}: {_first_line(error)}") from None


@cache
def hold_blas_to_one_thread() -> None:
    """Stop numpy's BLAS from starting threads, in the whole process and for good."""
    threadpool_limits(limits=1, user_api="blas")


def open_tokenizer(name: str, path: Path) -> Tokenizer:
    """Return the tokenizer without the truncation and padding that its file may ask for.

    Raises:
        ModelUnusable: the file is not a tokenizer.
    """
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # noqa: BLE001 - the library raises bare Exception
        raise ModelUnusable(name, f"{path.name} is not a tokenizer: {_first_line(error)}") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def run(session: ort.InferenceSession, ids: Ids, types: Ids | None = None) -> Floats:
    """Return the first output for one sequence of token ids, without its batch axis."""
    row = ids[None, :]
    fed = {
        "input_ids": row,
        "attention_mask": np.ones_like(row),
        "token_type_ids": np.zeros_like(row) if types is None else types[None, :],
    }
    wanted = {item.name for item in session.get_inputs()}
    outputs = session.run(None, {key: value for key, value in fed.items() if key in wanted})
    first: Floats = outputs[0][0]
    return first


def side_by_side(work: Callable[[Given], Made], items: Sequence[Given], threads: int) -> list[Made]:
    """Return work(item) for each item in order, `threads` at a time (the runtime releases the GIL)."""
    if threads <= 1 or len(items) <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


def thread_count(wanted: int) -> int:
    """Return the threads to use: the wanted number, or for 0 the physical cores less one, at least one."""
    return wanted if wanted > 0 else max(1, physical_cores() - 1)


def physical_cores(folder: Path = Path("/sys/devices/system/cpu")) -> int:
    """Return how many physical cores this process may use; all logical ones where Linux does not tell."""
    usable = os.sched_getaffinity(0)
    siblings: set[str] = set()
    for cpu in usable:
        try:
            siblings.add((folder / f"cpu{cpu}/topology/thread_siblings_list").read_text().strip())
        except OSError:
            return len(usable)
    return len(siblings)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]


FEATURES = "features"  # key of the names, joined by blanks, among the file's own properties


class Trees:
    """A trained forest; more is better."""

    def __init__(self, path: Path, features: Sequence[str]) -> None:
        """Open a forest; raises ModelUnusable where it is damaged or was trained on other features."""
        self._session = open_session(path.name, path)
        known = self._session.get_modelmeta().custom_metadata_map.get(FEATURES, "").split()
        if known != list(features):
            different = sorted(set(known) ^ set(features)) or ["another order"]
            raise ModelUnusable(path.name, f"it was trained on other features ({', '.join(different)})")
        self._input = self._session.get_inputs()[0].name

    def scores(self, rows: Floats) -> Floats:
        """Return the score [n] of each row [n, features]."""
        if not len(rows):
            return np.zeros(0, dtype=np.float32)
        (scores,) = self._session.run(None, {self._input: rows.astype(np.float32)})
        return np.asarray(scores, dtype=np.float32).reshape(-1)
