# ruff: noqa: INP001, T201 - a script that prints
"""What it takes to make a folder of many small files durable: an fsync for each, or one syncfs.

python scripts/measure_sync.py build/codes.db.images
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from appliance.update.durable import sync_all, write_new


def fsync_each(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write each file and wait for it."""
    for name, content in files.items():
        write_new(folder / name, (content,))
        handle = os.open(folder / name, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def sync_once(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files and wait once, as an update does."""
    for name, content in files.items():
        write_new(folder / name, (content,))
    sync_all(folder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how files are made durable.")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    files = {path.name: path.read_bytes() for path in given.folder.iterdir() if path.is_file()}
    ways: tuple[Callable[[Path, Mapping[str, bytes]], None], ...] = (fsync_each, sync_once)
    for way in ways:
        with tempfile.TemporaryDirectory(dir=given.folder.parent) as name:
            os.sync()
            start = time.perf_counter()
            way(Path(name), files)
            print(f"{len(files)} files, {way.__name__}: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
