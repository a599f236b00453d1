"""What is started for a model, its limits, and the evaluated instructions kept on disk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from appliance.models.llama.gguf import read_model, read_projector

RESERVE_MIB = 256  # of interpreter and library


@dataclass(frozen=True, slots=True)
class Plan:
    """What is started: the model's file, checked, and its limits. `memory_mib` 0 means no bound.

    `projector` is a second file, checked as well, with which the model sees pictures.
    """

    name: str
    path: Path
    sha256: str
    context: int
    threads: int
    memory_mib: int
    states: Path
    states_mib: int
    start_seconds: float
    silent_seconds: float
    projector: Path | None = None

    @property
    def size_mib(self) -> int:
        files = (self.path, self.projector) if self.projector else (self.path,)
        return sum(file.stat().st_size for file in files) >> 20


def lacking(plan: Plan) -> str:
    """Return which memory a plan lacks, "" for none; raises NotModel for files that are none."""
    head = read_model(plan.path)
    if plan.projector:
        read_projector(plan.projector, head)
    kept = head.kept_bytes(min(plan.context, head.context or plan.context)) >> 20
    needed = plan.size_mib + kept + RESERVE_MIB
    free = psutil.virtual_memory().available >> 20
    if needed > free:
        return f"it needs {needed} MiB of memory, and {free} MiB are free"
    if plan.memory_mib and needed > plan.memory_mib:
        return f"it needs {needed} MiB of memory, and may fill {plan.memory_mib} (memory_mib in [llm])"
    return ""


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
        with contextlib.suppress(OSError):
            whole = path in self._checked or path.name.split(".")[1] == _checksum(path)
            if whole and engine.load(path, tokens):
                self._checked.add(path)
                with contextlib.suppress(OSError):
                    os.utime(path)  # the oldest make room, so a use renews it
                return True
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
            files = sorted(self._folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
            size = sum(path.stat().st_size for path in files)
            for oldest in files:  # unused for longest, until the folder is no larger than it may be
                if size <= self._most or oldest == path:
                    return
                size -= oldest.stat().st_size
                oldest.unlink(missing_ok=True)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)

    def _found(self, tokens: Sequence[int]) -> Path | None:
        return next(iter(sorted(self._folder.glob(f"{self._name(tokens)}.*{_SUFFIX}"))), None)

    def _name(self, tokens: Sequence[int]) -> str:
        written = f"{self._key}|{','.join(map(str, tokens))}"
        return hashlib.sha256(written.encode()).hexdigest()[:32]


def _checksum(path: Path) -> str:
    """Return the CRC-32 of a file: it finds a write cut by a loss of power, it need not resist anybody."""
    value = 0
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            value = zlib.crc32(piece, value)
    return f"{value:08x}"
