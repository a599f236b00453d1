"""Which device a training takes, with torch as it is and with what torch could say."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from appliance.core.errors import BadInput
from appliance.training.torch_training import choose, exact, fewer_bits


def torch_with(*, gpu: bool, gpu_bf16: bool = False, cpu_bf16: bool = False) -> Any:
    """Stand in for torch on a machine that has these."""

    def autocast(device: str, dtype: str = "", enabled: bool = True) -> tuple[str, str, bool]:
        return device, dtype, enabled

    return SimpleNamespace(
        cuda=SimpleNamespace(is_available=lambda: gpu, is_bf16_supported=lambda: gpu_bf16),
        cpu=SimpleNamespace(_is_avx512_bf16_supported=lambda: cpu_bf16),
        bfloat16="bfloat16",
        autocast=autocast,
    )


@pytest.mark.parametrize(
    ("gpu", "wanted", "taken"),
    [
        (True, "auto", "cuda"),
        (True, "cuda", "cuda"),
        (True, "cpu", "cpu"),
        (False, "auto", "cpu"),
        (False, "cpu", "cpu"),
    ],
)
def test_a_gpu_is_taken_where_one_is_there_and_not_refused(gpu: bool, wanted: str, taken: str) -> None:
    assert choose(torch_with(gpu=gpu), wanted) == taken


def test_a_gpu_that_is_not_there_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadInput, match="Leave --device away"):
        choose(torch_with(gpu=False), "cuda")


@pytest.mark.parametrize(
    ("device", "gpu_bf16", "cpu_bf16", "few"),
    [
        ("cuda", True, False, True),
        ("cuda", False, True, False),
        ("cpu", True, False, False),
        ("cpu", False, True, True),
    ],
)
def test_few_bits_are_taken_where_that_device_has_them(
    device: str, gpu_bf16: bool, cpu_bf16: bool, few: bool
) -> None:
    torch = torch_with(gpu=True, gpu_bf16=gpu_bf16, cpu_bf16=cpu_bf16)
    found = fewer_bits(torch, device)
    assert found == (device, "bfloat16", True) if few else isinstance(found, contextlib.nullcontext)
    assert exact(torch, device) == (device, "", False)


def test_few_bits_on_the_processor_hold_but_where_exactness_is_asked_for() -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    one = torch.ones(2, 2)
    with torch.autocast("cpu", torch.bfloat16):
        assert (one @ one).dtype == torch.bfloat16
        with exact(torch, "cpu"):
            assert (one @ one).dtype == torch.float32
