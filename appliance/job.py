"""One piece of long work: what its worker tells, what those who wait see.

Rules of this module: values, and the state of one job; who gets a turn is `jobs.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
State = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED: frozenset[State] = frozenset({"done", "failed", "cancelled"})
TEXT = 20_000  # characters told of one job


Told = Callable[[str, float], None]  # what happened to a job, and a number of it


def untold(_name: str, _value: float) -> None:
    """Count nothing."""


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
class Job(Generic[Task, Result]):
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

    @property
    def stopped(self) -> bool:
        """Tell whether the work should end."""
        return self.given_up.is_set()

    def stage(self, name: str) -> None:
        """Be told what is done from now on."""
        self.at, self.done, self.total = name, 0, 0
        if self.stopped:
            raise Gone

    def read(self, done: int, total: int) -> None:
        """Be told how far a stage is."""
        self.done, self.total = done, total

    def say(self, text: str) -> None:
        """Be told further text."""
        self.text = (self.text + text)[:TEXT]

    def begin(self, writing: Cancellable) -> None:
        """Be given what is to be cancelled with the job."""
        self.under_way = writing
        if self.stopped:
            writing.cancel()

    def give_up(self) -> None:
        """End the work soon, whatever it does."""
        self.given_up.set()
        if self.under_way is not None:
            self.under_way.cancel()
