"""Where a training computes: a GPU where torch finds one, else the processor.

Rules of this module: the one place that chooses; torch is handed in, or opened by `chosen`. What is computed
with few bits is bfloat16, where the device has it; cosines and their sums are not (`exact`). A GPU gives the
same figures from run to run to a few last digits only, the processor bit for bit.
"""

from __future__ import annotations

import contextlib
from typing import Any

from appliance.errors import BadInput, ExtraMissing

AUTO, CUDA, CPU = "auto", "cuda", "cpu"
DEVICES = (AUTO, CUDA, CPU)


def choose(torch: Any, wanted: str = AUTO) -> str:
    """Return the device to train on; raises BadInput where a GPU is asked for and torch finds none."""
    there = bool(torch.cuda.is_available())
    if wanted == CUDA and not there:
        message = (
            "torch finds no GPU here. Leave --device away to train on the processor, or install a torch "
            "that was built for this GPU's driver."
        )
        raise BadInput(message)
    return CUDA if there and wanted != CPU else CPU


def chosen(wanted: str = AUTO) -> str:
    """Return the device that a training takes, before anything is computed for it.

    Raises:
        ExtraMissing: torch is not installed. BadInput: as `choose`.
    """
    return choose(torch_here(), wanted)


def torch_here() -> Any:
    """Return torch; raises ExtraMissing where it is not installed."""
    try:
        import torch  # noqa: PLC0415 - the extra `train`
    except ModuleNotFoundError:
        raise ExtraMissing(extra="train", package="torch") from None
    return torch


def fewer_bits(torch: Any, device: str) -> Any:
    """Return bfloat16 arithmetic where the device has it, else nothing."""
    if device == CUDA:
        has = torch.cuda.is_bf16_supported()
    else:
        has = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)()
    return torch.autocast(device, torch.bfloat16) if has else contextlib.nullcontext()


def exact(torch: Any, device: str) -> Any:
    """Return single precision inside of `fewer_bits`: cosines lie close together."""
    return torch.autocast(device, enabled=False)
