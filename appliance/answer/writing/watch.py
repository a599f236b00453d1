"""Whoever waits for an answer: is told how it goes, and may give up.

Rules of this module: no clock and no thread. A watch is told of every step from the thread that works;
it may be asked to stop from any other.
"""

from __future__ import annotations

from typing import Literal, Protocol

from appliance.models.protocols import Writing

Stage = Literal["searching", "questions", "summary", "review", "answer", "checking", "figure"]


class Watch(Protocol):
    """Someone who waits for an answer."""

    @property
    def stopped(self) -> bool:
        """Tell whether nobody waits any more."""
        ...

    def stage(self, name: Stage) -> None:
        """Be told what is done from now on."""
        ...

    def read(self, done: int, total: int) -> None:
        """Be told how many tokens of how many the model has read."""
        ...

    def say(self, text: str) -> None:
        """Be told further text of the answer, not yet checked."""
        ...

    def begin(self, writing: Writing) -> None:
        """Be given a generation that begins, to cancel it from another thread."""
        ...


class Alone:
    """Nobody in particular: waits to the end and shows nothing."""

    stopped = False

    def stage(self, name: Stage) -> None: ...

    def read(self, done: int, total: int) -> None: ...

    def say(self, text: str) -> None: ...

    def begin(self, writing: Writing) -> None: ...


class GivenUp(Exception):
    """Nobody waits for the answer any more."""
