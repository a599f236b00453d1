"""Evaluated instructions kept on disk, so that no question waits for them.

Rules of this module: a state is found by all that decides it: model file, library, context and the
tokens themselves. A file is written beside its place and moved there; its name ends with the checksum of
its content, read again once in the life of a process, so that nobody need wait until it is on the disk.
A state that does not fit is removed and evaluated again: nothing here can fail a generation. A folder
that cannot be written means only that states are not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it loads the library, which not every installation has
    from appliance.models.llama.engine import Engine

LEAST = 32  # tokens: fewer are evaluated as quickly as they are read
_SUFFIX = ".state"


class States:
    """The kept states of one model in one context."""

    def __init__(self, folder: Path, key: str, most_mib: int) -> None:
        self._folder, self._key, self._most = folder, key, most_mib << 20
        self._checked: set[Path] = set()

    def restore(self, engine: Engine, tokens: Sequence[int]) -> bool:
        """Bring the engine to exactly these tokens; False where no state of them is kept."""
        path = self._found(tokens)
        if path is None:
            return False
        if self._whole(path) and engine.load(path, tokens):
            with contextlib.suppress(OSError):
                os.utime(path)  # the oldest make room, so a use renews it
            return True
        with contextlib.suppress(OSError):
            path.unlink()
        return False

    def keep(self, engine: Engine) -> None:
        """Keep the state of what the engine has evaluated, unless it is kept already."""
        if len(engine.past) < LEAST or self._found(engine.past):
            return
        beside = self._folder / f"{os.getpid()}.new"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not engine.save(beside):
                raise OSError  # noqa: TRY301 - as every other way in which it was not written
            path = self._folder / f"{self._name(engine.past)}.{_checksum(beside)}{_SUFFIX}"
            beside.replace(path)
            self._checked.add(path)
            self._make_room(path)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)

    def _found(self, tokens: Sequence[int]) -> Path | None:
        return next(iter(sorted(self._folder.glob(f"{self._name(tokens)}.*{_SUFFIX}"))), None)

    def _name(self, tokens: Sequence[int]) -> str:
        written = f"{self._key}|{','.join(map(str, tokens))}"
        return hashlib.sha256(written.encode()).hexdigest()[:32]

    def _whole(self, path: Path) -> bool:
        """Tell whether the content is the one that was written."""
        if path in self._checked:
            return True
        try:
            whole = path.name.split(".")[1] == _checksum(path)
        except (OSError, IndexError):
            return False
        if whole:
            self._checked.add(path)
        return whole

    def _make_room(self, newest: Path) -> None:
        """Remove the states unused for longest until the folder is no larger than it may be."""
        files = sorted(self._folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
        size = sum(path.stat().st_size for path in files)
        for path in files:
            if size <= self._most or path == newest:
                return
            size -= path.stat().st_size
            path.unlink(missing_ok=True)


def _checksum(path: Path) -> str:
    """Return the CRC-32 of a file: it finds a write cut by a loss of power, it need not resist anybody."""
    value = 0
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            value = zlib.crc32(piece, value)
    return f"{value:08x}"
