"""Styles and script as pages name them: under a version of all of them, so that a browser asks for each once.

Rules of this module: an address that names the version never means other bytes, so it may be kept for ever; a
new version of the program has other addresses. What every page needs is one sheet, joined when the program
starts: a slow phone waits for one answer of the box before it paints, not for five.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, request

FOLDER = Path(__file__).parent / "static"
JOINED = ("base", "parts", "viewer", "forms", "writing")  # in the order of their rules
KEPT = "public, max-age=31536000, immutable"
DIGITS = 12
ENDPOINTS = frozenset({"static", "sheet"})


@lru_cache(maxsize=1)
def version() -> str:
    """Return what tells these files from those of another version of the program."""
    files = sorted(path for path in FOLDER.iterdir() if path.is_file())
    text = b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in files)
    return hashlib.sha256(text).hexdigest()[:DIGITS]


@lru_cache(maxsize=1)
def joined() -> str:
    """Return the one sheet that every page has."""
    return "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in JOINED)


def install(app: Flask) -> None:
    """Serve the one sheet among the files, and let all of them be kept."""

    @app.get(f"{app.static_url_path}/page.css")
    def sheet() -> Response:
        return Response(joined(), mimetype="text/css")

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint in ENDPOINTS and response.status_code in {200, 304}:
            response.headers["Cache-Control"] = KEPT
        return response
