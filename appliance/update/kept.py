"""Trusted metadata, each a file named by the sha256 of its content; and hashes as the disk has them."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from appliance.update import durable


def sound(folder: Path, name: str) -> bytes | None:
    """Return what the file holds where that is what its name says, else None."""
    with suppress(OSError):
        content = (folder / name).read_bytes()
        if name == _name(content):
            return content
    return None


def keep(folder: Path, content: bytes) -> str:
    """Keep metadata under a name made of their content, and return it."""
    name = _name(content)
    if sound(folder, name) is None:  # not there, or a byte of it has changed
        durable.replace(folder / name, content)
    return name


def hash_of(path: Path) -> str:
    """Return the sha256 of a file as the disk has it, not as it was cached; "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _name(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()}.json"
