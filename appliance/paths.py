"""Where the files that ship with the program lie: in a checkout, or packaged beside the code."""

from __future__ import annotations

from pathlib import Path


def data_folder() -> Path:
    """Return the folder of schemes, vocabularies, models and the demo library."""
    packaged = Path(__file__).parent / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "data"


def images_folder(library: Path) -> Path:
    """Return the folder of the page images of a library file ("codes.db" -> "codes.images")."""
    return library.with_suffix(".images")
