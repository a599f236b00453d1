"""The model's process, watched through all its lives, and whose turn it is."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import psutil

from appliance.core.errors import ApplianceError, ExtraMissing, GenerationFailed, ModelUnusable
from appliance.models.llama.gguf import NotModel
from appliance.models.llama.plan import Plan, lacking
from appliance.models.llama.wire import (
    VERSION,
    Count,
    Counted,
    Ear,
    Failed,
    Garbled,
    Happened,
    Open,
    Opened,
    Page,
    Said,
    Stop,
    Told,
    Warm,
    Write,
    send,
)
from appliance.models.protocols import Finished

STOP_SECONDS = 2.0  # between the word to stop and SIGTERM
TERM_SECONDS = 1.0  # between SIGTERM and SIGKILL
# Threads of OpenMP that wait for one another spin by default for as long as they wait, and take the core
# from the one that they wait for; asleep at once, they lose a third of the speed on free cores. So many
# turns, some tens of microseconds, wrote 24 tokens/s with 1.5B weights on two free cores (17 asleep at
# once), and as many as those on busy ones.
WAITING = {"GOMP_SPINCOUNT": "20000"}
_SHOWN = 300  # characters of the last words of a process


class Process:
    """A process with its pipe and its page; used by one thread at a time, `stop` from any."""

    def __init__(self, address_mib: int) -> None:
        ours, theirs = socket.socketpair()
        self._page, self._pipe, self._ear = Page(), ours, Ear(ours)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        with theirs:
            numbers = (theirs.fileno(), self._page.descriptor, os.getpid(), address_mib)
            self._popen = subprocess.Popen(  # noqa: S603 - our own module, by this interpreter
                [sys.executable, "-m", "appliance.models.llama.child", *map(str, numbers)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs.fileno(), self._page.descriptor),
                start_new_session=True,
                env=os.environ | WAITING | {"PYTHONUNBUFFERED": "1"},
            )
        self._said_before = 0
        self._watched = psutil.Process(self._popen.pid)

    @property
    def number(self) -> int:
        return self._popen.pid

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    @property
    def beats(self) -> int:
        return self._page.beats

    def stop(self, why: Stop) -> None:
        """Ask the generation under way to end, or take that back with ""."""
        self._page.stop = why

    def say(self, message: Said) -> None:
        """Send a message; raises OSError where the process has gone."""
        self._said_before = os.fstat(self._errors.fileno()).st_size
        send(self._pipe, message)

    def hear(self, seconds: float) -> Told | None:
        """Return the next message, None where none came in time; raises EOFError, Garbled."""
        return self._ear.told(seconds)

    def look(self) -> tuple[int, float, bool]:
        """Return memory in MiB, seconds of processor time, and whether somebody has halted it (SIGSTOP).

        Nothing of all that where it has gone.
        """
        try:
            with self._watched.oneshot():
                filled, times = self._watched.memory_info().rss, self._watched.cpu_times()
                halted = self._watched.status() in {psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP}
                return int(filled) >> 20, float(times.user + times.system), halted
        except psutil.Error:
            return 0, 0.0, False

    def end(self, *, at_once: bool = False) -> None:
        """End it by the rungs that are left and free what it held."""
        self._pipe.close()  # an idle one hears that and goes by itself
        with contextlib.suppress(subprocess.TimeoutExpired):
            if not at_once:
                self._popen.terminate()
                self._popen.wait(TERM_SECONDS)
        if self._popen.poll() is None:
            self._popen.kill()
        self._popen.wait()
        self._page.close()
        self._errors.close()

    def epitaph(self) -> str:
        """Return how it went, in words, after it has gone."""
        deadline = time.monotonic() + TERM_SECONDS
        while self.alive and time.monotonic() < deadline:
            time.sleep(0.01)
        status = self._popen.poll()
        if status is None:
            return "its process closed the pipe"
        # The last line on its standard error since the last message to it. The file's position is the
        # process's too, so it is read without moving that.
        errors = self._errors.fileno()
        size = os.fstat(errors).st_size
        start = max(self._said_before, size - _SHOWN * 4)
        lines = os.pread(errors, size - start, start).decode("utf-8", errors="replace").strip().splitlines()
        said = f" ({lines[-1][-_SHOWN:]})" if lines else ""
        if status >= 0:
            return f"its process ended with status {status}{said}"
        name = signal.Signals(-status).name
        hint = ", most likely because memory ran out" if -status == signal.SIGKILL else ""
        return f"its process was ended by {name}{hint}{said}"


WATCH = 0.5  # seconds between two looks at the process
HALTED_SECONDS = 1.0


class Watch:
    """Looks after a process during one exchange."""

    def __init__(self, process: Process, plan: Plan) -> None:
        self._process, self._plan = process, plan
        self._looked = self._worked = time.monotonic()
        self._beats, self._used = process.beats, process.look()[1]
        self._used_at_beat = self._used
        self._stopped: float | None = None
        self._halted: float | None = None

    def heard_too_late(self, why: Stop) -> bool:
        """Pass on the word to stop; tell whether it has not been heard in time."""
        now = time.monotonic()
        if why and self._stopped is None:
            self._stopped = now
            self._process.stop(why)
        return self._stopped is not None and now - self._stopped > STOP_SECONDS

    def fault(self) -> str:
        """Return what is wrong with the process, "" for nothing."""
        now = time.monotonic()
        if now - self._looked < min(WATCH, self._plan.silent_seconds):
            return ""
        self._looked = now
        filled, used, halted = self._process.look()
        self._halted = (self._halted or now) if halted else None
        if self._halted and now - self._halted >= HALTED_SECONDS:
            return "its process was halted"
        # The clock alone would end one that only waits for a busy processor, which it yields to everybody:
        # so the time without a beat is that which it was given, or that in which it took none.
        beats = self._process.beats
        if beats != self._beats:
            self._beats, self._used_at_beat, self._worked = beats, used, now
        if used != self._used:
            self._used, self._worked = used, now
        longest = self._plan.silent_seconds
        if used - self._used_at_beat > longest * self._plan.threads or now - self._worked > longest:
            return f"its process gave no sign of life for {self._plan.silent_seconds:g} s"
        if self._plan.memory_mib and filled > self._plan.memory_mib:
            return f"its process filled {filled} MiB of memory, and may fill {self._plan.memory_mib}"
        return ""


GLANCE = 0.05  # seconds between two looks at what the caller wants, or whether he has left
DYING_SECONDS = 0.5  # after a message, in which a process that goes was going already
PAUSE, LONGEST_PAUSE = 0.25, 15.0  # seconds before the next start after a failure
Asked = Write | Count | Warm


class _Gone(Exception):
    """The process closed the pipe; the text says how it went."""


def _is_last(told: Told | None) -> bool:
    """Tell whether this is the last thing that is told of a message."""
    ended = isinstance(told, Happened) and isinstance(told.event, Finished)
    return ended or isinstance(told, Counted | Failed)


class Service:
    """The process of one model."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.process: Process | None = None
        self.opened: Opened | None = None
        self._failures = 0
        self._not_before = 0.0
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="llama-starter")

    def exchange(self, message: Asked, stop: Callable[[], Stop]) -> Iterator[Told]:
        """Say a message and yield what is told of it, the last thing included.

        Ends without a last thing where `stop()` was heard too late, or before anything began. A caller
        who leaves early has stopped it: when this is closed, the process is idle or has been ended.

        Raises:
            GenerationFailed: it could not be done; the process has been ended.
            ModelUnusable: the file is no model.
        """
        try:
            for last in (False, True):  # said again where the process proves to have been dying
                process = self._ready(message, stop)
                if process is None:
                    return
                said, told = time.monotonic(), None
                try:
                    for told in self._hear(process, message.number, stop):
                        yield told
                        if _is_last(told):
                            self._failures = 0
                except _Gone as gone:
                    if last or told is not None or time.monotonic() - said > DYING_SECONDS:
                        raise self._failed(str(gone)) from None
                    self.end()
                else:
                    return
        except GenerationFailed:
            self._failures += 1
            self._not_before = time.monotonic() + min(PAUSE * 2**self._failures, LONGEST_PAUSE)
            self.end()
            raise

    def stop(self) -> None:
        """Say the word to stop to the process now, from any thread; its exchange says it a glance later."""
        if process := self.process:
            with suppress(ValueError):  # it has been ended meanwhile, and its page is closed
                process.stop("cancelled")

    def end(self, *, at_once: bool = True) -> None:
        """End the process, where there is one; not at once: SIGTERM first."""
        if self.process:
            self.process.end(at_once=at_once)
        self.process = self.opened = None

    def close(self) -> None:
        self.end()
        self._starter.shutdown()

    def _ready(self, message: Asked, stop: Callable[[], Stop]) -> Process | None:
        """Return a process that has taken the message, None where `stop()` came before.

        It is started where there is none, and one that had just died is replaced once.
        """
        for last in (False, True):
            if self.process and not self.process.alive:
                self.end()
            while self.process is None and time.monotonic() < self._not_before:
                if stop():
                    return None
                time.sleep(GLANCE)
            process = self.process or self._started()
            if not self._is_open(process, stop):
                return None
            try:
                process.stop("")
                process.say(message)
            except Garbled as error:
                raise self._failed(f"it was asked more than can be said ({error})") from None
            except OSError:
                if last:
                    raise self._failed(process.epitaph()) from None
                self.end()
            else:
                return process
        return None

    def _started(self) -> Process:
        """Start a process, unless it is plain what loading would find out after a while, or not survive."""
        plan = self.plan
        try:
            why = lacking(plan)
        except NotModel as error:
            raise ModelUnusable(plan.name, str(error)) from None
        if why:
            raise self._failed(why)
        address = plan.memory_mib and plan.memory_mib + plan.size_mib
        try:
            process = self.process = self._starter.submit(Process, address).result()
        except OSError as error:
            raise self._failed(f"its process cannot be started ({error.strerror or error})") from None
        try:
            process.say(Open(VERSION, plan))
        except OSError:
            raise self._failed(process.epitaph()) from None
        return process

    def _is_open(self, process: Process, stop: Callable[[], Stop]) -> bool:
        """Wait until the model is loaded; a caller who leaves lets it go on loading."""
        began = time.monotonic()
        while self.opened is None:
            try:
                told = self._told(process)
            except _Gone as gone:
                raise self._failed(str(gone)) from None
            if isinstance(told, Opened):
                self.opened = told
            elif isinstance(told, Failed):
                if told.kind == "failed":
                    raise self._failed(told.why)
                self.end()  # it has nothing more to do
                if told.kind == "unusable":
                    raise ModelUnusable(self.plan.name, told.why)
                raise ExtraMissing(extra="llm", package="llama-cpp-python")
            elif stop():
                return False
            elif time.monotonic() - began > self.plan.start_seconds:
                raise self._failed(f"it was not loaded within {self.plan.start_seconds:g} s")
        return True

    def _hear(self, process: Process, number: int, stop: Callable[[], Stop]) -> Iterator[Told]:
        watch = Watch(process, self.plan)
        left: Stop = "cancelled"
        try:
            while not watch.heard_too_late(stop()):
                told = self._told(process)
                if told is not None and getattr(told, "number", number) == number:
                    if _is_last(told):
                        left = ""
                    yield told
                    if not left:
                        return
                if fault := watch.fault():
                    left = ""
                    raise self._failed(fault)
        finally:
            if left:
                self._abandon(process, number, watch)

    def _abandon(self, process: Process, number: int, watch: Watch) -> None:
        """Bring a process whose caller has left to rest: by the word to stop, else by its end."""
        while not watch.heard_too_late("cancelled"):
            try:
                told = process.hear(GLANCE)
            except (EOFError, Garbled, OSError):
                break
            if _is_last(told) and getattr(told, "number", 0) == number:
                return
        self.end(at_once=False)

    def _told(self, process: Process) -> Told | None:
        try:
            return process.hear(GLANCE)
        except EOFError:
            raise _Gone(process.epitaph()) from None
        except Garbled as error:
            raise self._failed(f"its process talks nonsense ({error})") from None

    def _failed(self, why: str) -> ApplianceError:
        return GenerationFailed(self.plan.name, why)


class Turns:
    """A row of those who wait."""

    def __init__(self) -> None:
        self._row: deque[object] = deque()
        self._moved = threading.Condition()

    def __len__(self) -> int:
        return len(self._row)

    @contextmanager
    def turn(self, leaves: Callable[[], bool] = lambda: False) -> Iterator[bool]:
        """Yield True when the turn has come, False where `leaves()` became true before."""
        ticket = object()
        with self._moved:
            self._row.append(ticket)
        try:
            with self._moved:
                while self._row[0] is not ticket and not leaves():
                    self._moved.wait(GLANCE)
                come = self._row[0] is ticket
            yield come and not leaves()
        finally:
            with self._moved:
                self._row.remove(ticket)
                self._moved.notify_all()
