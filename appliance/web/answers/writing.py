"""The language model as the page has it: what is offered beside an answer, under way, kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from flask import current_app, request

from appliance.answer.write.asking import GivenUp
from appliance.core.evidence import Answer, Grounded
from appliance.core.jobs import Gone, Job, Jobs, Told, untold
from appliance.core.settings import JobSettings
from appliance.web.answers import asked
from appliance.writing import Asked, Mode, mode_named

if TYPE_CHECKING:  # its routes show jobs as those of this module do
    from appliance.web.reading.figures import Describes

KEY_DIGITS = 32

AnswerJob = Job[Asked, Answer]
AnswerJobs = Jobs[Asked, Answer]


class Writes(Protocol):
    """Who writes answers: `appliance.writing.Writer`, or a small one of a test."""

    @property
    def mode(self) -> Mode: ...
    @property
    def version(self) -> str: ...
    @property
    def describer(self) -> Describes | None: ...

    def needs(self, answer: Answer, mode: Mode | None = None) -> bool: ...

    def answer(self, asked: Asked, watch: Any = None) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """What the page shows of the language model beside an answer.

    `starts` tells the script to have it written at once; `written` that this answer is the written one.
    """

    mode: Mode
    starts: bool
    written: bool


class Desk:
    """The writer of an app with its queue."""

    def __init__(self, writer: Writes, limits: JobSettings) -> None:
        self.writer = writer
        self.told: Told = untold  # who counts, once there is one (observed.py)
        self.jobs: AnswerJobs = Jobs(self._work, limits, lasting=lasts, told=self._tell)

    def key(self, wanted: Asked) -> str:
        """Return the name of a written answer: the same for the same question to the same library."""
        text = repr((wanted, self.writer.version))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]

    def _work(self, wanted: Asked, job: AnswerJob) -> Answer:
        try:
            answer = self.writer.answer(wanted, job)
        except GivenUp:
            raise Gone from None
        for name, value in costs(answer):
            self.told(name, value)
        return answer

    def _tell(self, name: str, value: float) -> None:
        self.told(name, value)


def costs(answer: Answer) -> Iterator[tuple[str, float]]:
    """Yield what the language model took for an answer: ms of each thing asked, tokens written a second."""
    steps = answer.written.steps if isinstance(answer, Grounded) and answer.written else ()
    for step in steps:
        yield f"time model {step.what}", 1000 * (step.first_seconds + step.writing_seconds)
    tokens, seconds = sum(step.tokens for step in steps), sum(step.writing_seconds for step in steps)
    if tokens and seconds:
        yield "tokens per second", tokens / seconds


def lasts(answer: Answer) -> bool:
    """Tell whether a written answer would be the same the next time: not one that lacks what failed."""
    return isinstance(answer, Grounded) and (answer.written is None or not answer.written.notice)


def desk() -> Desk | None:
    """Return the desk of the app, None where no language model is installed."""
    return cast("Desk | None", current_app.extensions.get("writing"))


def wanted(mode: Mode | None = None) -> Asked:
    """Return what the request asks, for a language model; raises BadInput."""
    given = asked.given()
    return Asked(
        question=request.args.get("q", "").strip(),
        documents=tuple(filter(None, request.args.getlist("d"))),
        mode=mode or _mode(),
        **given,
    )


def kept() -> Answer | None:
    """Return the written answer to what the request asks, None where none is kept or wanted."""
    at = desk()
    if at is None or _mode() == "deterministic":
        return None
    return at.jobs.result(at.key(wanted("always"))) if request.args.get("written") else None


def offer(answer: Answer) -> Offer | None:
    """Return what is offered beside an answer, None where there is no model or nothing to write about."""
    at = desk()
    if at is None or not isinstance(answer, Grounded):
        return None
    mode = _mode()
    return Offer(mode, starts=at.writer.needs(answer, mode), written=answer.written is not None)


def _mode() -> Mode:
    at = desk()
    named = request.args.get("mode", "")
    return mode_named(named) if named else at.writer.mode if at else "deterministic"
