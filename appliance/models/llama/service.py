"""One model's process through all its lives, and whose turn it is."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

from appliance.core.errors import ApplianceError, ExtraMissing, GenerationFailed, ModelUnusable
from appliance.models.llama.gguf import NotModel
from appliance.models.llama.plan import Plan, lacking
from appliance.models.llama.process import Process, Watch
from appliance.models.llama.wire import (
    VERSION,
    Count,
    Counted,
    Done,
    Failed,
    Garbled,
    Open,
    Opened,
    Stop,
    Told,
    Warm,
    Write,
)

GLANCE = 0.05  # seconds between two looks at what the caller wants, or whether he has left
DYING_SECONDS = 0.5  # after a message, in which a process that goes was going already
PAUSE, LONGEST_PAUSE = 0.25, 15.0  # seconds before the next start after a failure
LAST = (Done, Counted, Failed)  # of what is told of one message
Asked = Write | Count | Warm


class _Gone(Exception):
    """The process closed the pipe; the text says how it went."""


class Service:
    """The process of one model."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.process: Process | None = None
        self.opened: Opened | None = None
        self.starts = 0
        self.fault = ""
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
                        if isinstance(told, LAST):
                            self._failures = 0
                except _Gone as gone:
                    if last or told is not None or time.monotonic() - said > DYING_SECONDS:
                        raise self._failed(str(gone)) from None
                    self.end()
                else:
                    return
        except GenerationFailed as failure:
            self.fault = str(failure)
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
        """End the process and the thread that starts it."""
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
                why = f"it was asked more than can be said ({error})"
                raise self._failed(why) from None
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
            raise self._unusable(str(error)) from None
        if why:
            raise self._failed(why)
        address = plan.memory_mib and plan.memory_mib + plan.size_mib
        try:
            process = self.process = self._starter.submit(Process, address).result()
        except OSError as error:
            why = f"its process cannot be started ({error.strerror or error})"
            raise self._failed(why) from None
        self.starts += 1
        asked = Open(
            version=VERSION,
            path=str(plan.path),
            sha256=plan.sha256,
            context=plan.context,
            threads=plan.threads,
            states=str(plan.states),
            states_mib=plan.states_mib,
            projector=str(plan.projector or ""),
        )
        try:
            process.say(asked)
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
                    raise self._unusable(told.why)
                self.fault = str(missing := ExtraMissing("llm", "llama-cpp-python"))
                raise missing
            elif stop():
                return False
            elif time.monotonic() - began > self.plan.start_seconds:
                why = f"it was not loaded within {self.plan.start_seconds:g} s"
                raise self._failed(why)
        return True

    def _hear(self, process: Process, number: int, stop: Callable[[], Stop]) -> Iterator[Told]:
        watch = Watch(process, self.plan)
        left: Stop = "cancelled"
        try:
            while not watch.heard_too_late(stop()):
                told = self._told(process)
                if told is not None and getattr(told, "number", number) == number:
                    if isinstance(told, LAST):
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
            if isinstance(told, LAST) and told.number == number:
                return
        self.end(at_once=False)

    def _told(self, process: Process) -> Told | None:
        try:
            return process.hear(GLANCE)
        except EOFError:
            raise _Gone(process.epitaph()) from None
        except Garbled as error:
            why = f"its process talks nonsense ({error})"
            raise self._failed(why) from None

    def _failed(self, why: str) -> ApplianceError:
        return GenerationFailed(self.plan.name, why)

    def _unusable(self, why: str) -> ApplianceError:
        self.fault = str(error := ModelUnusable(self.plan.name, why))
        return error


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
