"""The models as the page has them: what is offered beside an answer or a figure, under way, kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import cast

from flask import current_app, request

from appliance.core.evidence import Answer, Grounded
from appliance.core.jobs import Job, Jobs, Told
from appliance.core.settings import JobSettings
from appliance.figure_descriptions import Described, Describer
from appliance.web.answers import request_filters
from appliance.written_answers import Asked, Mode, Writer, mode_named

KEY_DIGITS = 32
FigurePlace = tuple[str, str]  # document and key


class Desk:
    """The writer of an app with its queue."""

    def __init__(self, writer: Writer, limits: JobSettings, told: Told) -> None:
        self.writer, self._told = writer, told
        self.jobs: Jobs[Asked, Answer] = Jobs(self._work, limits, lasting=lasts, told=told)

    def key(self, wanted: Asked) -> str:
        """Return the name of a written answer: the same for the same question to the same library."""
        text = repr((wanted, self.writer.version))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]

    def _work(self, wanted: Asked, job: Job[Asked, Answer]) -> Answer:
        answer = self.writer.answer(wanted, job)
        for name, value in costs(answer):
            self._told(name, value)
        return answer


class FigureDesk:
    """The describer of an app with its queue."""

    def __init__(self, describer: Describer, limits: JobSettings) -> None:
        self.describer = describer
        self.jobs: Jobs[FigurePlace, Described] = Jobs(
            lambda place, job: describer.describe(*place, job), limits
        )


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


def figure_desk() -> FigureDesk | None:
    """Return the desk of the app for figures, None where no vision model is installed."""
    return cast("FigureDesk | None", current_app.extensions.get("describing"))


def described(document: str, key: str) -> tuple[Described | None] | None:
    """Return the description that is kept of a figure, if any; None where no vision model is installed."""
    at = figure_desk()
    return (at.describer.kept(document, key),) if at else None


def wanted(mode: Mode | None = None) -> Asked:
    """Return what the request asks, for a language model; raises BadInput."""
    return Asked(
        question=request_filters.question(),
        mode=mode or _mode(),
        **request_filters.given(),
    )


def kept() -> Answer | None:
    """Return the written answer to what the request asks, None where none is kept or wanted."""
    at = desk()
    if at is None or _mode() == "deterministic" or not request.args.get("written"):
        return None
    return at.jobs.result(at.key(wanted("always")))


def offer(answer: Grounded) -> dict[str, bool] | None:
    """Return what is offered of the language model beside an answer, None where there is none.

    `starts` tells the script to have it written at once; `written` that this answer is the written one.
    """
    at = desk()
    written = answer.written is not None
    return {"starts": at.writer.needs(answer, _mode()), "written": written} if at else None


def _mode() -> Mode:
    at = desk()
    named = request.args.get("mode", "")
    return mode_named(named) if named else at.writer.mode if at else "deterministic"
