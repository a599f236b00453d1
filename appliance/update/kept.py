"""Trusted metadata on the disk: each a file named by the sha256 of its content, and a copy beside it."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from appliance.update import durable

COPY = ".copy"  # end of the name of the second


def sound(folder: Path, name: str) -> bytes | None:
    """Return what the file, else its copy, holds where that is what the name says, None for neither."""
    for path in _files(folder, name):
        with suppress(OSError):
            content = path.read_bytes()
            if name == _name(content):
                return content
    return None


def keep(folder: Path, content: bytes) -> str:
    """Keep metadata and their copy under a name made of their content, and return it."""
    name = _name(content)
    path, copy = _files(folder, name)
    _write(path, content)
    with suppress(OSError):
        _write(copy, content)
    return name


def mend(folder: Path, name: str) -> None:
    """Write the file or its copy again, where the other one is what it was."""
    if content := sound(folder, name):
        with suppress(OSError):  # the next start tries again
            for path in _files(folder, name):
                _write(path, content)


def hash_of(path: Path) -> str:
    """Return the sha256 of a file as the disk has it, not as it was cached; "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _files(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / name, folder / f"{name}{COPY}"


def _name(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()}.json"


def _write(path: Path, content: bytes) -> None:
    if hash_of(path) != hashlib.sha256(content).hexdigest():  # not there, or a byte of it has changed
        durable.replace(path, content)
