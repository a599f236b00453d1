"""One PDF in one process: started, limited in time and memory, heard, ended by its id."""

from __future__ import annotations

import gc
import logging
import math
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from appliance.core.settings import IngestSettings

_LOG = logging.getLogger(__name__)
MIB = 1024 * 1024
_CONTEXT = multiprocessing.get_context("forkserver")
SELDOM = (200_000, 50, 50)  # objects, rounds: what is read has no cycles, looking for them takes a fifth
_PRELOAD = [
    "appliance.ingest.pipeline",
    "appliance.ingest.pdf.rendering",
    "appliance.ingest.artefacts",
    "appliance.ingest.preloaded",
]


class Told(Protocol):
    """What a task calls: how many pages there are, the seconds that it needs besides, how far it is.

    `recognised` are the pages read from their pictures, and how many shall be.
    """

    def __call__(self, pages: int, more: float = 0.0, recognised: tuple[int, int] | None = None) -> None: ...


Task = Callable[[Told], None]


@dataclass(slots=True)
class Worker:
    """A running process, its pipe, the seconds it may take, and how many of how many pages it recognised."""

    name: str
    process: BaseProcess
    pipe: Connection
    started: float
    limit: float
    recognised: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class End:
    """How a worker ended: the reason of a failure, "" for success."""

    reason: str = ""


def start(name: str, task: Task, limits: IngestSettings) -> Worker:
    """Start a process that does the task; the task is given the function by which it asks for time."""
    _CONTEXT.set_forkserver_preload(_PRELOAD)
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_run, args=(theirs, task, limits), daemon=True)
    process.start()
    theirs.close()
    return Worker(name, process, ours, time.monotonic(), limits.seconds_per_document)


def _run(pipe: Connection, task: Task, limits: IngestSettings) -> None:
    """Run in the worker process: do the task under the limits and say how it ended."""
    _limit(limits)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(*SELDOM)

    def told(pages: int, more: float = 0.0, recognised: tuple[int, int] | None = None) -> None:
        if recognised is not None:
            pipe.send(recognised)
            return
        seconds = seconds_for(pages, limits) + more
        _bound(resource.RLIMIT_CPU, int(seconds) + 1)
        pipe.send(seconds)

    try:
        task(told)
        pipe.send("")
    except MemoryError:
        pipe.send(f"it needs more than {limits.memory_mib} MiB of memory (memory_mib in [ingest])")
    except Exception as error:  # noqa: BLE001 - the last line of defence: one file must not end the build
        unreadable = type(error).__name__ == "UnreadablePdf"
        if not unreadable:
            _LOG.warning("reading failed", exc_info=True)
        pipe.send(str(error) if unreadable else "the reader failed on it")


def _end_with_parent() -> None:
    """Wait until the build is gone, however it ended, and end: nobody reads the result any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def seconds_for(pages: int, limits: IngestSettings) -> float:
    """Return the seconds that a document of so many pages may take: its own and those of its pages."""
    return limits.seconds_per_document + min(pages, limits.pages) * limits.seconds_per_page


def _limit(limits: IngestSettings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and ends its workers
    _bound(resource.RLIMIT_AS, limits.memory_mib * MIB)
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_CPU, int(limits.seconds_per_document) + 1)


def _bound(kind: int, bound: int) -> None:
    """Set the soft limit, so that it can be raised; what the system refuses is left to the wall clock."""
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (bound, resource.getrlimit(kind)[1]))


def ended(running: list[Worker]) -> list[tuple[Worker, End]]:
    """Wait until a worker speaks or its time is over; return those that ended, already gone."""
    until = min(worker.started + worker.limit for worker in running)
    pipes: list[Any] = [worker.pipe for worker in running]
    ready = set(wait(pipes, timeout=max(0.0, until - time.monotonic())))
    ends: list[tuple[Worker, End]] = []
    for worker in running:
        if worker.pipe in ready:
            end = _hear(worker)
        elif time.monotonic() >= worker.started + worker.limit:
            end = End(f"it took more than {worker.limit:g} seconds")
        else:
            end = None
        if end is not None:
            stop(worker)
            ends.append((worker, end))
    return ends


def _hear(worker: Worker) -> End | None:
    """Return the end that the worker tells of, None where it asks for more time or tells how far it is."""
    try:
        said = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        return End(_death(worker.process.exitcode or 0))
    if isinstance(said, str):
        return End(said)
    if isinstance(said, tuple):
        worker.recognised = said
    else:
        worker.limit = float(said)
    return None


def _death(code: int) -> str:
    """Return why a process that said nothing ended."""
    if code >= 0:
        return f"the reader ended without a result (exit code {code})"
    return f"the reader was ended by the system ({signal.Signals(-code).name})"


def stop(worker: Worker) -> None:
    """End the process, by its id; what it wrote is whole or absent."""
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()


LOW = 384  # MiB: what is only kept to be quick is given back
LEAST = 128  # MiB: a page of dense text takes some tens
_MIB = 1024 * 1024
_SIZES = Path("/proc/self/statm")  # proc(5): the first number is the address space, in memory pages


def room() -> float:
    """Return the MiB of address space that are left below the limit of this process."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return math.inf
    try:
        taken = int(_SIZES.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return math.inf
    return (limit - taken) / _MIB
