"""Where things lie: the files that ship with the program, and what stands beside a library file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def data_folder() -> Path:
    """Return the folder of schemes, vocabularies, models and the demo library."""
    packaged = Path(__file__).parent / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "data"


def images_folder(library: Path) -> Path:
    """Return the folder of the page images of a library file ("codes.db" -> "codes.db.images")."""
    return library.with_name(f"{library.name}.images")


def cache_folder(library: Path) -> Path:
    """Return the folder in which the builder keeps its results ("codes.db" -> "codes.db.cache")."""
    return library.with_name(f"{library.name}.cache")


def content_hash(paths: Iterable[Path], *also: str) -> str:
    """Return one sha256 over names and contents of files and over words that decide as much."""
    digest = hashlib.sha256("\0".join(also).encode())
    for path in paths:
        digest.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
