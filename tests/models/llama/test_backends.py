"""The arithmetic of llama.cpp: there once loaded, loaded once, and from no folder but its own."""

from __future__ import annotations

import ctypes
from pathlib import Path

import llama_cpp
import pytest

from appliance.models.llama import engine as backends


def test_something_can_do_sums_and_a_second_time_adds_nothing() -> None:
    first = backends.load_backends()
    assert first >= 1
    assert backends.load_backends() == first


@pytest.mark.parametrize("registered", [0, 1])
def test_only_where_nothing_is_loaded_its_own_folder_is_looked_in(
    registered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bytes] = []

    class Library:
        @staticmethod
        def ggml_backend_reg_count() -> int:
            return registered + len(looked)

        @staticmethod
        def ggml_backend_load_all_from_path(folder: bytes) -> None:
            looked.append(folder)

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library)
    assert backends.load_backends() == 1
    own = str(Path(llama_cpp.__file__).parent / "lib").encode()
    assert looked == ([] if registered else [own])


def test_a_library_built_in_another_way_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llama_cpp, "__file__", str(tmp_path / "__init__.py"))
    assert backends.load_backends() == -1
