"""A bounded queue of long work, one piece at a time, with its progress for those who wait."""

from __future__ import annotations

import logging
import secrets
import statistics
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from appliance.core.settings import JobSettings

Task = TypeVar("Task")
Result = TypeVar("Result")
State = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED: frozenset[State] = frozenset({"done", "failed", "cancelled"})
TEXT = 20_000  # characters told of one job


Told = Callable[[str, float], None]  # what happened to a job, and a number of it


class Refused(Exception):
    """No ticket is given now; `seconds` is when to try again."""

    def __init__(self, why: Literal["full", "one each"], seconds: float) -> None:
        super().__init__(why)
        self.why, self.seconds = why, seconds


class Gone(Exception):
    """The work ends because nobody waits for it any more, or it has taken too long."""


class Cancellable(Protocol):
    """Something under way that can be ended from another thread."""

    def cancel(self) -> None: ...


class Watch:
    """Someone who waits for long work: this one waits to the end and shows nothing of it."""

    @property
    def stopped(self) -> bool:
        """Tell whether nobody waits any more."""
        return False

    def stage(self, name: str) -> None:
        """Be told what is done from now on."""

    def read(self, done: int, total: int) -> None:
        """Be told how far a stage is: how many tokens of how many the model has read."""

    def left(self, seconds: float) -> None:
        """Be told how many seconds the work still needs, as far as that is known."""

    def say(self, text: str) -> None:
        """Be told further text."""

    def begin(self, writing: Cancellable) -> None:
        """Be given what begins, to cancel it from another thread."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a job is: `position` counts from 0 (it runs), `seconds` is the estimate until it is done.

    `text` is what was told since the offset asked for; `told` is the offset to ask for next.
    """

    state: State
    stage: str = ""
    done: int = 0
    total: int = 0
    position: int = 0
    seconds: float = 0.0
    text: str = ""
    told: int = 0
    message: str = ""
    key: str = ""


@dataclass(eq=False)
class Job(Watch, Generic[Task, Result]):
    """One piece of work: what its worker tells, what those who wait see."""

    key: str
    task: Task
    began: float | None = None
    asked: float = 0.0
    state: State = "waiting"
    at: str = ""
    done: int = 0
    total: int = 0
    text: str = ""
    message: str = ""
    result: Result | None = None
    under_way: Cancellable | None = None
    given_up: threading.Event = field(default_factory=threading.Event)
    clock: Callable[[], float] = time.monotonic
    ends: float | None = None  # when it will be done, as its worker told last

    @property
    def stopped(self) -> bool:
        return self.given_up.is_set()

    def stage(self, name: str) -> None:
        self.at, self.done, self.total = name, 0, 0
        if self.stopped:
            raise Gone

    def read(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def left(self, seconds: float) -> None:
        self.ends = self.clock() + seconds

    def say(self, text: str) -> None:
        self.text = (self.text + text)[:TEXT]

    def begin(self, writing: Cancellable) -> None:
        self.under_way = writing
        if self.stopped:
            writing.cancel()

    def give_up(self) -> None:
        """End the work soon, whatever it does."""
        self.given_up.set()
        if self.under_way is not None:
            self.under_way.cancel()


_LOG = logging.getLogger(__name__)

REMEMBERED = 20  # of the last jobs, whose median time is the estimate
FIRST_ESTIMATE = 30.0  # seconds, before any job has ended
TICKETS = 256  # remembered at once; the oldest that have ended make room
TABS = 8  # unfinished tickets of one client, all for the same job; the oldest make room
LOOKS = 0.25  # seconds between two looks for leases that ran out


@dataclass(eq=False)
class _Ticket(Generic[Task, Result]):
    id: str
    client: str
    job: Job[Task, Result]
    seen: float


class Jobs(Generic[Task, Result]):
    """The queue with its one worker; safe to share between threads."""

    def __init__(
        self,
        work: Callable[[Task, Job[Task, Result]], Result],
        limits: JobSettings,
        clock: Callable[[], float] = time.monotonic,
        lasting: Callable[[Result], bool] = lambda _: True,
        told: Told = lambda *_: None,
    ) -> None:
        self._told = told
        self._work, self._limits, self._clock, self._lasting = work, limits, clock, lasting
        self._waiting: deque[Job[Task, Result]] = deque()
        self._running: Job[Task, Result] | None = None
        self._tickets: OrderedDict[str, _Ticket[Task, Result]] = OrderedDict()
        self._kept: OrderedDict[Hashable, Job[Task, Result]] = OrderedDict()
        self._times: deque[float] = deque(maxlen=REMEMBERED)
        self._changed = threading.Condition()
        self._closed = False
        self._threads: list[threading.Thread] = []

    def submit(self, key: str, client: str, task: Task) -> str:
        """Return the ticket of a job with this key, a new one where there is none.

        Raises:
            Refused: the queue is full, or the client has an unfinished ticket for something else.
        """
        with self._changed:
            self._start()
            self.sweep()
            job = self._known(key)
            own = [t for t in self._tickets.values() if t.client == client and t.job.state not in ENDED]
            if (job is None or job.state not in ENDED) and any(t.job is not job for t in own):
                raise Refused(why="one each", seconds=self._limits.lease_seconds)
            if job is None:
                if len(self._waiting) + (self._running is not None) > self._limits.waiting:
                    self._told("jobs refused", 0.0)
                    raise Refused(why="full", seconds=self._seconds_until_done(0))
                job = Job(key, task, asked=self._clock(), clock=self._clock)
                self._waiting.append(job)
                self._told("jobs waiting", len(self._waiting) - (self._running is None))
            ticket = _Ticket(secrets.token_hex(16), client, job, self._clock())
            self._tickets[ticket.id] = ticket
            self._forget(client)
            self._changed.notify_all()
            return ticket.id

    def look(self, ticket: str, after: int = 0) -> Look | None:
        """Return how a job is, None for a ticket that is not known; looking renews the lease."""
        with self._changed:
            held = self._tickets.get(ticket)
            if held is None:
                return None
            held.seen, job = self._clock(), held.job
            position = self._waiting.index(job) + 1 if job in self._waiting else 0
            return Look(
                state=job.state,
                stage=job.at,
                done=job.done,
                total=job.total,
                position=position,
                seconds=0.0 if job.state in ENDED else self._seconds_until_done(position),
                text=job.text[min(max(after, 0), len(job.text)) :],
                told=len(job.text),
                message=job.message,
                key=job.key,
            )

    def cancel(self, ticket: str) -> bool:
        """Give a ticket up, and its job where nobody else waits for it; tell whether it had not ended."""
        with self._changed:
            held = self._tickets.get(ticket)
            if held is None or held.job.state in ENDED:
                return False
            del self._tickets[ticket]
            self._release(held.job)
            return True

    def result(self, key: str) -> Result | None:
        """Return the kept result of a key, None where there is none."""
        with self._changed:
            job = self._kept.get(key)
            if job is None:
                return None
            self._kept.move_to_end(key)
            return job.result

    def load(self) -> tuple[int, int]:
        """Return how many jobs are done now (0 or 1), and how many wait."""
        with self._changed:
            return int(self._running is not None), len(self._waiting)

    def sweep(self) -> None:
        """Give up what nobody has looked at for the time of the lease, and what takes too long."""
        with self._changed:
            now = self._clock()
            for ticket in list(self._tickets.values()):
                if ticket.job.state not in ENDED and now - ticket.seen > self._limits.lease_seconds:
                    del self._tickets[ticket.id]
                    self._release(ticket.job)
            for job in list(self._waiting):
                if now - job.asked > self._limits.waiting_seconds:
                    self._end(job, "failed", "It waited too long for its turn.")
            running = self._running
            if running and running.began is not None and now - running.began > self._limits.seconds:
                running.message = "It took too long."
                running.give_up()

    def close(self) -> None:
        """Give everything up and end the threads."""
        with self._changed:
            self._closed = True
            for job in (*self._waiting, *filter(None, (self._running,))):
                job.give_up()
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(10)

    # -- under the lock

    def _known(self, key: str) -> Job[Task, Result] | None:
        """Return the job of a key that waits or runs, or is kept with a result that lasts."""
        kept = self._kept.get(key)
        if kept is not None and kept.result is not None and self._lasting(kept.result):
            self._kept.move_to_end(key)
            return kept
        open_jobs = (*self._waiting, *filter(None, (self._running,)))
        return next((job for job in open_jobs if job.key == key and not job.stopped), None)

    def _release(self, job: Job[Task, Result]) -> None:
        """Cancel a job where no ticket for it is left."""
        if job.state in ENDED or any(ticket.job is job for ticket in self._tickets.values()):
            return
        job.give_up()
        if job in self._waiting:
            self._end(job, "cancelled", "")

    def _end(self, job: Job[Task, Result], state: State, message: str) -> None:
        if job in self._waiting:
            self._waiting.remove(job)
        job.state, job.message, job.under_way = state, message, None
        self._told(f"jobs {state}", 1000 * (self._clock() - job.asked))
        if state == "done":
            self._kept[job.key] = job
            while len(self._kept) > self._limits.kept:
                self._kept.popitem(last=False)
        self._changed.notify_all()

    def _forget(self, client: str) -> None:
        """Forget the oldest tickets: of jobs that ended, and of a client that holds too many for its job."""
        ended = [ticket.id for ticket in self._tickets.values() if ticket.job.state in ENDED]
        for ticket_id in ended[: max(0, len(self._tickets) - TICKETS)]:
            del self._tickets[ticket_id]
        own = [t for t in self._tickets.values() if t.client == client and t.job.state not in ENDED]
        for old in own[:-TABS]:
            del self._tickets[old.id]

    def _seconds_until_done(self, position: int) -> float:
        """Return the estimate for the job at a position; at 0 it is the one that runs."""
        each = statistics.median(self._times) if self._times else FIRST_ESTIMATE
        now, running, left = self._clock(), self._running, each
        if running is not None and running.began is not None:
            left = running.began + each - now if running.ends is None else running.ends - now
        return max(left, 1.0) + position * each

    # -- the threads

    def _start(self) -> None:
        if self._threads or self._closed:
            return
        for target in (self._go_on, self._watch):
            thread = threading.Thread(target=target, name=f"jobs {target.__name__}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _watch(self) -> None:
        while not self._closed:
            self.sweep()
            with self._changed:
                self._changed.wait_for(lambda: self._closed, LOOKS)

    def _go_on(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                job = self._running = self._waiting.popleft()
                job.state, job.began = "running", self._clock()
                self._told("time job waited", 1000 * (job.began - job.asked))
            state: State = "failed"
            try:
                job.result = self._work(job.task, job)
                state = "done"
            except Gone:
                state = "cancelled"
            except Exception as error:  # noqa: BLE001 - a worker that ends would leave all others waiting
                _LOG.exception("a job failed")
                job.message = str(error)
            with self._changed:
                self._running = None
                if job.stopped and state != "done":
                    state = "failed" if job.message else "cancelled"
                if state == "done":
                    self._times.append(self._clock() - job.began)
                self._end(job, state, job.message)
