"""Boxes and line spans as compact bytes: little-endian int32 records.

Rules of this module: a fraction of the page is kept to 5 decimals, as ingest rounds it, so that
what is read equals what was written; a blob of another length is damage, not a shorter list.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from appliance.document import Box, LineSpan

SCALE = 100_000
_BOX = struct.Struct("<5i")
_LINE = struct.Struct("<7i")


def pack_boxes(boxes: Iterable[Box]) -> bytes:
    """Return the boxes as 20 bytes each."""
    return b"".join(_BOX.pack(*_numbers(box)) for box in boxes)


def unpack_boxes(blob: bytes) -> tuple[Box, ...]:
    """Return the boxes of `pack_boxes`.

    Raises:
        ValueError: the blob is not a whole number of records.
    """
    try:
        return tuple(_box(*record) for record in _BOX.iter_unpack(blob))
    except struct.error as error:
        raise ValueError(str(error)) from None


def pack_lines(lines: Iterable[LineSpan]) -> bytes:
    """Return the line spans as 28 bytes each."""
    return b"".join(_LINE.pack(line.start, line.end, *_numbers(line.box)) for line in lines)


def unpack_lines(blob: bytes) -> tuple[LineSpan, ...]:
    """Return the line spans of `pack_lines`.

    Raises:
        ValueError: the blob is not a whole number of records.
    """
    try:
        records = tuple(_LINE.iter_unpack(blob))
    except struct.error as error:
        raise ValueError(str(error)) from None
    return tuple(LineSpan(start, end, _box(*rest)) for start, end, *rest in records)


def _numbers(box: Box) -> tuple[int, int, int, int, int]:
    x0, y0, x1, y1 = (round(value * SCALE) for value in (box.x0, box.y0, box.x1, box.y1))
    return box.page, x0, y0, x1, y1


def _box(page: int, x0: int, y0: int, x1: int, y1: int) -> Box:
    return Box(page, x0 / SCALE, y0 / SCALE, x1 / SCALE, y1 / SCALE)
