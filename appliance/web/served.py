"""What the app serves: its library, what is loaded of it, and the file that it was opened from."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal, cast

from flask import Flask, current_app
from markupsafe import Markup

from appliance.library import Library, Overview
from appliance.site.gaps_and_feedback import written
from appliance.store.records import DocumentInfo
from appliance.web.language import language

SHORT = 12  # digits of the version
PATH, STAMP = "library path", "library stamp"  # in the app: where the library lies, what its file was
Standing = Literal["same", "replaced", "gone"]


def library() -> Library:
    """Return the library that the app serves."""
    return cast("Library", current_app.extensions["library"])


def loaded() -> Overview:
    """Return what is loaded; read once, for a library never changes while it is open."""
    if "overview" not in current_app.extensions:
        current_app.extensions["overview"] = library().overview()
    return cast("Overview", current_app.extensions["overview"])


def library_version() -> str:
    """Return the version of the library, short: an open page tells by it that another one is served."""
    return loaded().version[:SHORT]


def info_of(document: str) -> DocumentInfo | None:
    """Return what is known of a document, None when it is not loaded."""
    return next((info for info in loaded().documents if info.id == document), None)


def tongue(document: str) -> Markup:
    """Return the language of a document's words as an attribute, nothing where it is that of the page."""
    info = info_of(document)
    written = info.language if info else ""
    return Markup(' lang="{}"').format(written) if written and written != language() else Markup()


def remember(app: Flask, path: Path | None) -> None:
    """Keep where the library lies and what its file is now."""
    app.extensions[PATH] = path
    app.extensions[STAMP] = _stat(path)


def standing() -> Standing:
    """Tell whether the file that was opened still lies at its place."""
    opened, path = _opened(), current_app.extensions.get(PATH)
    if opened is None or path is None:
        return "same"
    if (now := _stat(path)) is None:
        return "gone"
    written = (now.st_size, now.st_mtime_ns) == (opened.st_size, opened.st_mtime_ns)
    return "same" if written and os.path.samestat(now, opened) else "replaced"


def file_day() -> str:
    """Return the day on which the opened file was written, "" where that cannot be told."""
    opened = _opened()
    return written(opened.st_mtime)[:10] if opened else ""


def _opened() -> os.stat_result | None:
    return cast("os.stat_result | None", current_app.extensions.get(STAMP))


def _stat(path: Path | None) -> os.stat_result | None:
    with suppress(OSError):
        return path.stat() if path else None
    return None
