"""The file that the served library was opened from: when it was written, and whether it still lies there.

Rules of this module: a library never changes while it is open, so what is shown of the file is what it was
then. It looks at the file's place alone (inode, length, time: POSIX `stat`); it never opens it again.
"""

from __future__ import annotations

from contextlib import suppress
from os import stat_result
from pathlib import Path
from typing import Literal

from flask import Flask, current_app

from appliance.keeping.contract import written

Standing = Literal["same", "replaced", "gone"]
PATH, STAMP = "library path", "library stamp"


def remember(app: Flask, path: Path | None) -> None:
    """Keep where the library lies and what its file is now."""
    app.extensions[PATH] = path
    app.extensions[STAMP] = _look(path)


def standing() -> Standing:
    """Tell whether the file that was opened still lies at its place."""
    opened, path = _opened(), current_app.extensions.get(PATH)
    if opened is None or path is None:
        return "same"
    now = _look(path)
    if now is None:
        return "gone"
    return "same" if _marks(now) == _marks(opened) else "replaced"


def file_day() -> str:
    """Return the day on which the opened file was written, "" where that cannot be told."""
    opened = _opened()
    return written(opened.st_mtime)[:10] if opened else ""


def _opened() -> stat_result | None:
    known = current_app.extensions
    if STAMP not in known:
        known[STAMP] = _look(known.get(PATH))
    found: stat_result | None = known[STAMP]
    return found


def _look(path: Path | None) -> stat_result | None:
    with suppress(OSError):
        return path.stat() if path else None
    return None


def _marks(found: stat_result) -> tuple[int, int, int, int]:
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
