"""One request to a language model: what it wrote, what it cost, and who waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Literal

from appliance.core.errors import ApplianceError
from appliance.core.evidence import ModelStep
from appliance.core.jobs import Gone, Watch
from appliance.core.settings import LlmSettings
from appliance.models.protocols import Event, Finished, Generation, Generator, Piece, Reading, Writing

Say = Callable[[str], None]

_ENDINGS = {
    "empty": "wrote nothing",
    "repetition": "went round in circles",
    "tokens": "came to no end",
    "seconds": "took too long",
    "context": "had no room left to write",
    "cancelled": "was interrupted",
}


class Silent(Exception):
    """The model gave nothing that can be used; the words say why ("took too long")."""


STEADY = 4  # tokens written after which a generation has a pace of its own
LAST = 4  # tokens at least that are still expected while it writes


@dataclass
class Pace:
    """What the last generation took: seconds of a token read and of one written, and the tokens read anew."""

    read: float = 0.0
    write: float = 0.0
    fresh: int = 0

    def learn(self, finished: Finished) -> None:
        """Take the pace of a generation that has ended."""
        fresh = finished.prompt_tokens - finished.restored_tokens
        if fresh > 0 and finished.tokens >= STEADY:
            self.read, self.write = finished.first_seconds / fresh, finished.writing_seconds / finished.tokens
            self.fresh = fresh


class Estimate:
    """Tells a watch what a generation still needs: at the pace of the last one, then at its own."""

    def __init__(self, watch: Watch, pace: Pace, expected: int) -> None:
        self._watch, self._pace, self._expected = watch, pace, expected
        self._unread, self._written, self._first = pace.fresh, 0, 0.0
        self._tell(pace.write)

    def hear(self, event: Event) -> None:
        """Be told of an event of the generation."""
        if isinstance(event, Reading):
            self._unread, self._first = event.total - event.done, time.monotonic()
        elif isinstance(event, Piece):
            self._written += 1
        steady = self._written >= STEADY
        self._tell((time.monotonic() - self._first) / self._written if steady else self._pace.write)

    def _tell(self, write: float) -> None:
        if write:
            more = max(self._expected - self._written, LAST)
            self._watch.left(self._unread * self._pace.read + more * write)


@dataclass
class Asker:
    """Asks one generator for what an answer needs, and keeps a record of it in `steps`."""

    generator: Generator
    watch: Watch
    limits: LlmSettings
    pace: Pace
    steps: list[ModelStep] = field(default_factory=list)

    def ask(
        self, generation: Generation, say: Say, expected: int, what: Literal["answer", "tool"] = "answer"
    ) -> str:
        """Return what the model writes, about `expected` tokens, `say` being told of each piece.

        Raises:
            Silent: it cannot be started, failed, wrote nothing, went round in circles or came to no end.
            Gone: nobody waits for it any more.
        """
        self.watch.stage("answer")
        if self.watch.stopped:
            raise Gone
        own = generation.limits
        tokens, seconds = min(own.tokens, self.limits.output_tokens), min(own.seconds, self.limits.seconds)
        generation = replace(generation, limits=replace(own, tokens=tokens, seconds=seconds))
        asked = tuple((message.role, message.text) for message in generation.messages)
        step = ModelStep(what, generation.prompt, "failed", asked=asked)
        step = replace(step, fixed=generation.fixed, grammar=generation.grammar)
        try:
            estimate = Estimate(self.watch, self.pace, expected)
            finished = followed(self.generator.begin(generation), self.watch, say, estimate.hear)
        except ApplianceError as error:
            self.steps.append(replace(step, found=str(error)))
            raise Silent(f"could not be asked ({error})") from None
        self.pace.learn(finished)
        self.steps.append(
            replace(
                step,
                ending=finished.reason,
                prompt_tokens=finished.prompt_tokens,
                restored_tokens=finished.restored_tokens,
                tokens=finished.tokens,
                waited_seconds=finished.waited_seconds,
                first_seconds=finished.first_seconds,
                writing_seconds=finished.writing_seconds,
                wrote=finished.text,
            )
        )
        return wrote(finished, self.watch)

    def found(self, words: str) -> None:
        """Keep what came of the last thing asked, in words."""
        self.steps[-1] = replace(self.steps[-1], found=words)


def followed(
    writing: Writing, watch: Watch, say: Say | None = None, hear: Callable[[Event], None] | None = None
) -> Finished:
    """Return how a generation ends, whoever watches being told of it; raises ApplianceError."""
    watch.begin(writing)
    with closing(iter(writing)) as events:  # type: ignore[type-var]  # each is a generator
        for event in events:
            if isinstance(event, Finished):
                return event
            if hear:
                hear(event)
            if isinstance(event, Reading):
                watch.read(event.done, event.total)
            elif isinstance(event, Piece) and say:
                say(event.text)
    return Finished("cancelled")


def wrote(finished: Finished, watch: Watch) -> str:
    """Return what a generation wrote to its end; raises Silent where that is nothing, Gone."""
    if finished.reason == "cancelled" and watch.stopped:
        raise Gone
    if finished.reason != "stop" or not finished.text.strip():
        raise Silent(_ENDINGS.get(finished.reason, _ENDINGS["empty"]))
    return finished.text
