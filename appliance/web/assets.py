"""Styles and script under a version of their content, and text sent as gzip."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from flask import Flask, Response, request

FOLDER = Path(__file__).parent / "static"
JOINED = ("base", "parts", "viewer", "forms", "writing")  # in the order of their rules
STYLES_KEPT = "public, max-age=31536000, immutable"
DIGITS = 12
ENDPOINTS = frozenset({"static", "sheet"})


@cache
def version() -> str:
    """Return what tells these files from those of another version of the program."""
    files = sorted(path for path in FOLDER.iterdir() if path.is_file())
    text = b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in files)
    return hashlib.sha256(text).hexdigest()[:DIGITS]


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
    """Serve the one sheet that every page has, let all files be kept, and pack what the app sends."""
    joined = "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in JOINED)

    @app.get(f"{app.static_url_path}/page.css")
    def sheet() -> Response:
        return Response(joined, mimetype="text/css")

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
        held = response.is_sequence or response.direct_passthrough
        if not (held and _takes(response) and LEAST <= size <= MOST):
            return response
        response.direct_passthrough = False
        content = response.get_data()
        packed = _kept(content) if request.endpoint in ENDPOINTS else gzip.compress(content, LEVEL, mtime=0)
        response.set_data(packed)
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
        return response

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint in ENDPOINTS and response.status_code in {200, 304}:
            response.headers["Cache-Control"] = STYLES_KEPT
        return response


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
