"""Text sent small: pages, styles and script as gzip to whoever takes it.

Rules of this module: only text is packed, never images (they are) or parts of files; what is served from a
file is packed once, and of what is sent piece by piece each piece can be read as it comes. A packed answer
carries a weak ETag, for its bytes differ while its meaning does not (RFC 9110, 8.8.1). No page holds a secret
beside what the reader typed, so that the length of a packed page tells nothing worth knowing (BREACH).
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache

from flask import Flask, Response, request

from appliance.web.styles import ENDPOINTS

LEAST = 1_024  # bytes below which packing gains nothing
MOST = 8 * 1024 * 1024  # bytes of an answer that is packed in memory
LEVEL = 5
KEPT = 64  # packed files kept
TEXT = frozenset(
    {
        "text/html",
        "text/css",
        "text/javascript",
        "application/javascript",
        "application/json",
        "image/svg+xml",
    }
)


def install(app: Flask) -> None:
    """Pack what the app sends."""

    @app.after_request
    def pack(response: Response) -> Response:
        if response.mimetype not in TEXT:
            return response
        response.vary.add("Accept-Encoding")
        if response.is_streamed and not response.direct_passthrough:
            if _takes(response):
                response.response = _stream(response.iter_encoded())
                response.content_encoding = "gzip"
            return response  # its length would be known at its end alone
        size = response.calculate_content_length() or response.content_length or 0
        if not _packs(response) or not LEAST <= size <= MOST:
            return response
        response.direct_passthrough = False
        content = response.get_data()
        response.set_data(
            _kept(content) if request.endpoint in ENDPOINTS else gzip.compress(content, LEVEL, mtime=0)
        )
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
        return response


def _packs(response: Response) -> bool:
    return (response.is_sequence or response.direct_passthrough) and _takes(response)


def _takes(response: Response) -> bool:
    whole = response.status_code < 300 and response.status_code not in {204, 206}
    takes = request.method == "GET" and request.accept_encodings["gzip"] > 0
    return whole and takes and not response.content_encoding


def _stream(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield parts packed, each so that it can be read before the next one is there."""
    packing = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | 16)  # with the head and the end of gzip
    try:
        for part in parts:
            yield packing.compress(part) + packing.flush(zlib.Z_SYNC_FLUSH)
        yield packing.flush()
    finally:
        if close := getattr(parts, "close", None):  # one who goes away in the middle ends the work too
            close()


@lru_cache(maxsize=KEPT)
def _kept(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
