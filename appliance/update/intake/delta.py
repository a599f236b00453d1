"""A library as a patch of the one before: what zstd writes with the old file as its dictionary."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from appliance.update.words import refusal

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MOST = 1 << 30
LEVEL = 6
_CHUNK = 1 << 20
_WINDOW = 30  # log2 of bytes; the window has to reach over the old file


def make_patch(old: bytes, new: bytes) -> bytes:
    """Return what turns the old bytes into the new ones; the window covers both."""
    window = min(max(len(old) + len(new), 1 << 20).bit_length(), _WINDOW)
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: LEVEL,
        zstd.CompressionParameter.window_log: window,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    return zstd.compress(new, options=options, zstd_dict=zstd.ZstdDict(old, is_raw=True).as_prefix)


def packed(content: bytes) -> bytes:
    """Return content compressed without an old file, to compare a patch with."""
    return zstd.compress(content, level=LEVEL)


def apply_patch(old: bytes, patch: bytes, length: int) -> Iterator[bytes]:
    """Yield the new bytes in pieces, at most `length` of them; raises UpdateRefused."""
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW + 1}
    reader = zstd.ZstdDecompressor(zstd_dict=zstd.ZstdDict(old, is_raw=True).as_prefix, options=options)
    given = patch
    left = length
    try:
        while not reader.eof:
            piece = reader.decompress(given, max_length=min(_CHUNK, left + 1))
            given = b""
            left -= len(piece)
            if left < 0 or (not piece and reader.needs_input):
                raise refusal("damaged", name="the patch of the library")
            yield piece
    except zstd.ZstdError as error:
        raise refusal("damaged", name="the patch of the library") from error
