"""Processes that read PDFs: started, limited in time and memory for each one, heard, ended."""

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
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Protocol

from appliance.core.child import bound, death
from appliance.core.settings import IngestSettings

_LOG = logging.getLogger(__name__)
MIB = 1024 * 1024
_CONTEXT = multiprocessing.get_context("forkserver")
_ONE_AT_A_TIME = threading.Lock()  # multiprocessing counts its children without one
PATIENCE = 4.0  # seconds by the clock for each of the processor, which other work may share
SELDOM = (200_000, 50, 50)  # objects, rounds: what is read has no cycles, looking for them takes a fifth
_PRELOAD = [
    "appliance.ingest.pipeline",
    "appliance.ingest.pdf.rendering",
    "appliance.ingest.batch",
    "appliance.ingest.preloaded",
]


class Told(Protocol):
    """What a task calls: how many pages there are, the seconds that it needs besides, how far it is.

    `recognised` are the pages read from their pictures, and how many shall be.
    """

    def __call__(self, pages: int, more: float = 0.0, recognised: tuple[int, int] | None = None) -> None: ...


Task = Callable[[Told], None]
Heard = Callable[[tuple[int, int]], object]


class _Worker:
    """A process that does one task after another."""

    def __init__(self) -> None:
        self._pipe, theirs = _CONTEXT.Pipe()
        self.tasks = 0
        self.late = False
        with _ONE_AT_A_TIME:
            _CONTEXT.set_forkserver_preload(_PRELOAD)
            if multiprocessing.current_process().daemon:  # a worker of a cluster; its child ends with it too
                multiprocessing.current_process().daemon = False
            self._process = _CONTEXT.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
        theirs.close()

    def do(self, task: Task, limits: IngestSettings, heard: Heard, stopped: Connection) -> str:
        """Return why the task failed, "" for success."""
        self.tasks += 1
        seconds, started = limits.seconds_per_document, time.monotonic()
        try:
            self._pipe.send((task, limits))
            while True:
                until = started + PATIENCE * seconds
                ready = wait([self._pipe, stopped], timeout=max(0.0, until - time.monotonic()))
                if stopped in ready:
                    return "the build was ended"
                if not ready:
                    return self._too_late(seconds)
                said = self._pipe.recv()
                if isinstance(said, str):
                    return said
                if isinstance(said, tuple):
                    heard(said)
                else:
                    seconds = float(said)
        except (EOFError, OSError):
            code = self._exit_code()
            return self._too_late(seconds) if code == -signal.SIGXCPU else death("the reader", code)

    def _too_late(self, seconds: float) -> str:
        self.late = True
        return f"it took more than {seconds:g} seconds"

    def end(self) -> None:
        """End the process; what it wrote is whole or absent."""
        self._process.kill()
        self._exit_code()
        self._pipe.close()

    def _exit_code(self) -> int:
        """Wait for the end of the process; its code can be read once, so by one thread at a time."""
        wait([self._process.sentinel])
        with _ONE_AT_A_TIME:
            self._process.join()
            return self._process.exitcode or 0


class Workers:
    """The processes of a build, each for one task at a time; they end together, from any thread."""

    def __init__(self) -> None:
        self._stopped, self._open = _CONTEXT.Pipe(duplex=False)
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()

    @property
    def stopped(self) -> bool:
        """Tell whether all shall end."""
        return self._open.closed

    def stop(self) -> None:
        """End the processes that run, and those that begin."""
        with self._lock:
            self._open.close()
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()

    def run(self, task: Task, limits: IngestSettings, heard: Heard) -> str:
        """Do the task in a process apart, under the limits; return why it failed, "" for success.

        The task is given the function by which it asks for time and says how far it is, which is `heard`.
        What fails after other tasks in the same process is done again in a new one, but for its time: what
        went before shall not decide. May be called from several threads at once.
        """
        again = False
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle and not again else None
            worker, again = worker or _Worker(), True
            reason = worker.do(task, limits, heard, self._stopped)
            with self._lock:
                kept = not reason and not self.stopped
                self._idle += [worker] if kept else []
            if not kept:
                worker.end()
            if not reason or worker.tasks == 1 or worker.late or self.stopped:
                return reason


def _serve(pipe: Connection) -> None:
    """Run in the worker process: do each task under its limits and say how it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and ends its workers
    bound(resource.RLIMIT_CORE, 0)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(*SELDOM)
    gc.freeze()
    while True:
        task, limits = pipe.recv()
        bound(resource.RLIMIT_AS, limits.memory_mib * MIB)
        reason = _done(task, limits, pipe)
        gc.collect()
        pipe.send(reason)


def _done(task: Task, limits: IngestSettings, pipe: Connection) -> str:
    """Do one task; return why it failed, "" for success."""
    spent = time.process_time()

    def told(pages: int, more: float = 0.0, recognised: tuple[int, int] | None = None) -> None:
        if recognised is not None:
            pipe.send(recognised)
            return
        seconds = seconds_for(pages, limits) + more
        bound(resource.RLIMIT_CPU, int(spent + seconds) + 1)
        pipe.send(seconds)

    bound(resource.RLIMIT_CPU, int(spent + limits.seconds_per_document) + 1)
    try:
        task(told)
    except MemoryError:
        return f"it needs more than {limits.memory_mib} MiB of memory (memory_mib in [ingest])"
    except Exception as error:  # noqa: BLE001 - the last line of defence: one file must not end the build
        if type(error).__name__ == "UnreadablePdf":
            return str(error)
        _LOG.warning("reading failed", exc_info=True)
        return "the reader failed on it"
    return ""


def _end_with_parent() -> None:
    """Wait until the build is gone, however it ended, and end: nobody reads the result any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def seconds_for(pages: int, limits: IngestSettings) -> float:
    """Return the seconds that a document of so many pages may take: its own and those of its pages."""
    return limits.seconds_per_document + min(pages, limits.pages) * limits.seconds_per_page


LOW = 384  # MiB: what is only kept to be quick is given back
LEAST = 128  # MiB: a page of dense text takes some tens
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
    return (limit - taken) / MIB
