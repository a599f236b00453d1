"""Text sent small: pages, styles and script as gzip to whoever takes it.

Rules of this module: only whole answers of text are packed, never images (they are), parts or streams;
what is served from a file is packed once. A packed answer carries a weak ETag, for its bytes
differ while its meaning does not (RFC 9110, 8.8.1). No page holds a secret beside what the reader typed, so
that the length of a packed page tells nothing worth knowing (BREACH).
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

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
        size = response.calculate_content_length() or response.content_length or 0
        if not _packs(response) or not LEAST <= size <= MOST:
            return response
        response.direct_passthrough = False
        content = response.get_data()
        response.set_data(
            _kept(content) if request.endpoint == "static" else gzip.compress(content, LEVEL, mtime=0)
        )
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
        return response


def _packs(response: Response) -> bool:
    whole = response.status_code < 300 and response.status_code not in {204, 206}
    plain = not response.content_encoding and (response.is_sequence or response.direct_passthrough)
    return whole and plain and request.method == "GET" and request.accept_encodings["gzip"] > 0


@lru_cache(maxsize=KEPT)
def _kept(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
