"""One PDF in one process: started, limited in time and memory, heard, ended."""

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
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol

from appliance.core.settings import IngestSettings

_LOG = logging.getLogger(__name__)
MIB = 1024 * 1024
_CONTEXT = multiprocessing.get_context("forkserver")
_ONE_AT_A_TIME = threading.Lock()  # multiprocessing counts its children without one
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


class Stop:
    """What ends every process that runs under it, from any thread."""

    def __init__(self) -> None:
        self.seen, self._kept = _CONTEXT.Pipe(duplex=False)

    @property
    def is_set(self) -> bool:
        """Tell whether all shall end."""
        return self._kept.closed

    def set(self) -> None:
        """End the processes that run, and those that begin."""
        self._kept.close()


def run(task: Task, limits: IngestSettings, heard: Callable[[tuple[int, int]], object], stop: Stop) -> str:
    """Do the task in a process of its own, under the limits; return why it failed, "" for success.

    The task is given the function by which it asks for time and says how far it is, which is `heard`. May
    be called from several threads at once.
    """
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    with _ONE_AT_A_TIME:
        _CONTEXT.set_forkserver_preload(_PRELOAD)
        if multiprocessing.current_process().daemon:  # a worker of a cluster; its child ends with it too
            multiprocessing.current_process().daemon = False
        process = _CONTEXT.Process(target=_run, args=(theirs, task, limits), daemon=True)
        process.start()
    theirs.close()
    try:
        return _heard_to_the_end(process, ours, limits.seconds_per_document, heard, stop)
    finally:
        process.kill()  # what it wrote is whole or absent
        _exit_code(process)
        ours.close()


def _heard_to_the_end(
    process: BaseProcess,
    pipe: Connection,
    seconds: float,
    heard: Callable[[tuple[int, int]], object],
    stop: Stop,
) -> str:
    """Return why the process failed, "" for success."""
    started = time.monotonic()
    while True:
        ready = wait([pipe, stop.seen], timeout=max(0.0, started + seconds - time.monotonic()))
        if stop.seen in ready:
            return "the build was ended"
        if not ready:
            return f"it took more than {seconds:g} seconds"
        try:
            said = pipe.recv()
        except (EOFError, OSError):
            return _death(_exit_code(process))
        if isinstance(said, str):
            return said
        if isinstance(said, tuple):
            heard(said)
        else:
            seconds = float(said)


def _exit_code(process: BaseProcess) -> int:
    """Wait for the end of a process; its code can be read once, so by one thread at a time."""
    wait([process.sentinel])
    with _ONE_AT_A_TIME:
        process.join()
        return process.exitcode or 0


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


def _death(code: int) -> str:
    """Return why a process that said nothing ended."""
    if code >= 0:
        return f"the reader ended without a result (exit code {code})"
    return f"the reader was ended by the system ({signal.Signals(-code).name})"


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
