"""What the head of a model file says, and whether the file is whole, before llama.cpp is given it."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

MAGIC = b"GGUF"
VERSIONS = (2, 3)
_MOST_ENTRIES = 100_000
_MOST_ITEMS = 4_000_000  # of an array; vocabularies have 300,000
_LONGEST = 8 << 20  # bytes of a text; chat templates have 10,000
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_ALIGNMENT = 32
# Weights and bytes of a block of each tensor type (ggml.h, enum ggml_type; ggml-common.h, block_*).
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110),
    22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8),
    29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip


class NotModel(Exception):
    """The file is no model that can be used; the text says why."""


class Length(int):
    """How long an array is, so that it is not taken for a value."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is said of a model: key to value (arrays to their length), weights, bytes that it must have."""

    values: dict[str, Any] = field(repr=False)
    weights: int
    size: int

    @property
    def architecture(self) -> str:
        return str(self.values.get("general.architecture", ""))

    @property
    def context(self) -> int:
        """Tokens of context that it was trained for, 0 where it does not say."""
        return self._number("context_length")

    @property
    def width(self) -> int:
        """Numbers of the vector of a token, 0 where it does not say."""
        return self._number("embedding_length")

    @property
    def is_projector(self) -> bool:
        """Whether it turns pictures into tokens for another model."""
        return self.architecture == "clip" or self.values.get("general.type") == "mmproj"

    def kept_bytes(self, context: int) -> int:
        """Return what a context of so many tokens takes at most, 16 bits a number."""
        layers, heads = self._number("block_count"), self._number("attention.head_count_kv")
        width = self._number("attention.key_length") + self._number("attention.value_length")
        width = width or 2 * self._number("embedding_length") // max(1, self._number("attention.head_count"))
        return context * layers * (heads or self._number("attention.head_count")) * width * 2

    def _number(self, key: str) -> int:
        value = self.values.get(f"{self.architecture}.{key}", 0)
        return value if isinstance(value, int) and not isinstance(value, Length) else 0


def read_head(path: Path) -> Head:
    """Return the head of a model file.

    Raises:
        NotModel: it is another kind of file, damaged, or shorter than its head says.
    """
    try:
        with path.open("rb") as stream:
            head = _head(stream)
    except (struct.error, UnicodeDecodeError, EOFError, OverflowError, KeyError):
        raise NotModel(f"{path.name} is cut off or damaged within its head") from None
    except OSError as error:
        raise NotModel(f"{path.name} cannot be read: {error.strerror or error}") from None
    size = path.stat().st_size
    if size < head.size:
        raise NotModel(f"{path.name} is cut off: it has {size} of {head.size} bytes")
    return head


def read_model(path: Path) -> Head:
    """Return the head of a file that holds a language model.

    Raises:
        NotModel: as above, or it holds something else, or no vocabulary.
    """
    head = read_head(path)
    kind = head.values.get("general.type", "model")
    if head.is_projector or kind != "model" or not head.architecture:
        what = "a vision projector" if head.is_projector else f"of type {kind!r}"
        raise NotModel(f"{path.name} is {what}, not a language model")
    if not head.values.get("tokenizer.ggml.tokens") or not head.weights:
        raise NotModel(f"{path.name} has no vocabulary or no weights")
    return head


def read_projector(path: Path, model: Head) -> Head:
    """Return the head of a file that turns pictures into tokens for a model.

    Raises:
        NotModel: as above, or it holds something else, or is made for another model.
    """
    head = read_head(path)
    if not head.is_projector or not head.values.get("clip.has_vision_encoder"):
        raise NotModel(f"{path.name} is no vision projector")
    own, width = head.values.get("clip.vision.projection_dim"), model.width
    if isinstance(own, int) and own and width and own != width:
        raise NotModel(f"{path.name} is made for another model: its vectors have {own} numbers, not {width}")
    return head


def _head(stream: BinaryIO) -> Head:
    if stream.read(4) != MAGIC:
        raise NotModel("the file is not in GGUF format")
    version, tensors, pairs = _take(stream, "<IQQ")
    if version not in VERSIONS:
        raise NotModel(f"its GGUF version is {version}; known are {VERSIONS[0]} and {VERSIONS[1]}")
    _refuse_over(max(tensors, pairs), _MOST_ENTRIES)
    values = {}
    for _ in range(pairs):
        key = _text(stream)
        values[key] = _value(stream, *_take(stream, "<I"))
    weights = end = 0  # where the last of the tensors ends after the head
    for _ in range(tensors):
        name = _text(stream)
        (dimensions,) = _take(stream, "<I")
        _refuse_over(dimensions, 4)
        number = prod(_take(stream, f"<{dimensions}Q"))
        kind, offset = _take(stream, "<IQ")
        if kind not in _BLOCKS:
            raise NotModel(f"its tensor {name[:80]} is of the unknown type {kind}")
        per_block, size = _BLOCKS[kind]
        weights += number
        end = max(end, offset + -(-number // per_block) * size)
    alignment = values.get("general.alignment", _ALIGNMENT)
    if not isinstance(alignment, int) or not 1 <= alignment <= _LONGEST:
        raise EOFError
    return Head(values, weights, -(-stream.tell() // alignment) * alignment + end)


def _value(stream: BinaryIO, kind: int) -> Any:
    """Return a value; of an array its length."""
    if kind == _STRING:
        return _text(stream)
    if kind != _ARRAY:
        return _take(stream, f"<{_SCALARS[kind]}")[0]
    of, length = _take(stream, "<IQ")
    _refuse_over(length, _MOST_ITEMS)
    if of == _STRING:
        for _ in range(length):
            _skip(stream, _take(stream, "<Q")[0])
    else:
        _skip(stream, length * struct.calcsize(_SCALARS[of]))
    return Length(length)


def _refuse_over(number: int, most: int) -> None:
    if number > most:
        raise EOFError


def _take(stream: BinaryIO, form: str) -> tuple[Any, ...]:
    size = struct.calcsize(form)
    return struct.unpack(form, stream.read(size))


def _text(stream: BinaryIO) -> str:
    (length,) = _take(stream, "<Q")
    _refuse_over(length, _LONGEST)
    body = stream.read(length)
    _refuse_over(length, len(body))
    return body.decode("utf-8", errors="replace")


def _skip(stream: BinaryIO, length: int) -> None:
    _refuse_over(length, _MOST_ITEMS * 8)
    stream.seek(length, io.SEEK_CUR)
