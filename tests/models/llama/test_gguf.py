"""What the head of a model file says, and every way in which a file is not one."""

from __future__ import annotations

import struct
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.models.llama.gguf import Length, NotModel, read_head, read_model
from tests.gguf_maker import QWEN3_06B, TINY


def test_a_head_tells_size_and_needs(tiny: Path) -> None:
    head = read_model(tiny)
    assert (head.architecture, head.context, head.size) == ("qwen3", TINY.context, tiny.stat().st_size)
    assert head.values["tokenizer.ggml.tokens"] == TINY.vocabulary, "an array is its length"
    assert head.kept_bytes(100) == 100 * TINY.layers * TINY.heads_kv * 2 * TINY.head * 2
    assert not head.is_projector


def test_what_a_context_takes_is_what_the_shape_says(tiny: Path) -> None:
    values = read_model(tiny).values | {
        "qwen3.block_count": QWEN3_06B.layers,
        "qwen3.attention.head_count_kv": QWEN3_06B.heads_kv,
        "qwen3.attention.key_length": QWEN3_06B.head,
        "qwen3.attention.value_length": QWEN3_06B.head,
    }
    assert replace(read_model(tiny), values=values).kept_bytes(1) == 112 * 1024  # measured with llama.cpp


def test_heads_that_differ_by_layer_are_not_counted_as_layers(tiny: Path) -> None:
    values = read_model(tiny).values | {"qwen3.attention.head_count_kv": Length(64)}
    kept = replace(read_model(tiny), values=values).kept_bytes(1)
    assert kept == TINY.layers * TINY.heads * 2 * TINY.head * 2, "every head kept, the most there can be"


def patched(tiny: Path, path: Path, old: bytes, new: bytes) -> Path:
    content = tiny.read_bytes()
    assert content.count(old) >= 1
    path.write_bytes(content.replace(old, new, 1))
    return path


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"GGUF", b"GGML", "not in GGUF format"),
        (b"GGUF\x03", b"GGUF\x07", "version is 7"),
        (b"tokenizer.ggml.tokens", b"tokenizer.ggml.tokenz", "no vocabulary"),
        (b"general.architecture", b"general.architecturx", "not a language model"),
    ],
)
def test_another_kind_of_file(tiny: Path, tmp_path: Path, old: bytes, new: bytes, words: str) -> None:
    with pytest.raises(NotModel, match=words):
        read_model(patched(tiny, tmp_path / "other.gguf", old, new))


@pytest.mark.parametrize(
    ("type_name", "words"),
    [("mmproj", "is a vision projector"), ("adapter", "of type 'adapter'"), ("imatrix", "'imatrix'")],
)
def test_another_kind_of_model(tmp_path: Path, type_name: str, words: str) -> None:
    gguf = pytest.importorskip("gguf")
    writer = gguf.GGUFWriter(tmp_path / "other.gguf", "qwen3")
    writer.add_type(type_name)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(NotModel, match=words):
        read_model(tmp_path / "other.gguf")
    assert read_head(tmp_path / "other.gguf").weights == 0


def test_a_file_cut_anywhere_is_no_model(tiny: Path, tmp_path: Path) -> None:
    content = tiny.read_bytes()
    for length in (0, 3, 4, 8, 23, 24, 30, 100, 5_000, 15_000, len(content) // 2, len(content) - 1):
        (tmp_path / "cut.gguf").write_bytes(content[:length])
        with pytest.raises(NotModel, match=r"not in GGUF|cut off"):
            read_model(tmp_path / "cut.gguf")


@pytest.mark.parametrize(
    "head",
    [
        struct.pack("<4sIQQ", b"GGUF", 3, 1 << 60, 0),
        struct.pack("<4sIQQ", b"GGUF", 3, 0, 1 << 60),
        struct.pack("<4sIQQQ", b"GGUF", 3, 0, 1, 1 << 62),
        struct.pack("<4sIQQQ1sIIQ", b"GGUF", 3, 0, 1, 1, b"k", 9, 9, 5),
        struct.pack("<4sIQQQ1sIIQ", b"GGUF", 3, 0, 1, 1, b"k", 9, 4, 1 << 60),
        struct.pack("<4sIQQQ1sI", b"GGUF", 3, 0, 1, 1, b"k", 99),
        struct.pack("<4sIQQQ1sI", b"GGUF", 3, 1, 0, 1, b"t", 1 << 30),
    ],
)
def test_a_hostile_head_allocates_nothing(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "hostile.gguf").write_bytes(head + bytes(64))
    with pytest.raises(NotModel, match="damaged"):
        read_model(tmp_path / "hostile.gguf")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_head_is_an_error_of_one_kind(tiny: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(tiny.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, 16_000))] = data.draw(st.integers(0, 255))
    (tmp_path / "damaged.gguf").write_bytes(content)
    with suppress(NotModel):
        read_model(tmp_path / "damaged.gguf")


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(NotModel, match="cannot be read"):
        read_model(tmp_path)
