"""One request to a language model: what it wrote, how it ended, what it cost, and who waits for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from appliance.core.errors import ApplianceError
from appliance.core.evidence import ModelStep
from appliance.models.protocols import Finished, Generation, Generator, Limits, Piece, Reading, Writing

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


What = Literal["questions", "summary", "review", "answer"]
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


@dataclass(frozen=True, slots=True)
class Wrote:
    """What a model wrote; not `whole` means that a limit cut it short, for the reason `ending`."""

    text: str
    ending: str = ""

    @property
    def whole(self) -> bool:
        return not self.ending


@dataclass
class Asker:
    """Asks one generator for everything that one answer needs, and keeps a record of it."""

    generator: Generator
    watch: Watch
    most: Limits
    steps: list[ModelStep] = field(default_factory=list)

    def ask(self, what: What, generation: Generation, say: Say | None = None, seconds: float = 0.0) -> Wrote:
        """Return what the model writes, `say` being told of each piece; at most so many seconds.

        Raises:
            Silent: it cannot be started, failed, wrote nothing or went round in circles.
            GivenUp: nobody waits for it any more.
        """
        self.watch.stage(what)
        try:
            finished = self._finished(self._limited(generation, seconds), say)
        except ApplianceError as error:
            self.steps.append(_sent(ModelStep(what, generation.prompt, "failed", str(error)), generation))
            why = f"could not be asked ({error})"
            raise Silent(why) from None
        self.steps.append(_sent(_step(what, generation.prompt, finished), generation))
        return wrote(finished, self.watch)

    def found(self, words: str) -> None:
        """Keep what came of the last thing asked, in words."""
        self.steps[-1] = replace(self.steps[-1], found=words)

    def _limited(self, generation: Generation, seconds: float) -> Generation:
        own = generation.limits
        limits = replace(
            own,
            tokens=min(own.tokens, self.most.tokens),
            seconds=min(filter(None, (own.seconds, self.most.seconds, seconds))),
        )
        return replace(generation, limits=limits)

    def _finished(self, generation: Generation, say: Say | None) -> Finished:
        if self.watch.stopped:
            raise GivenUp
        return followed(self.generator.begin(generation), self.watch, say)


def followed(writing: Writing, watch: Watch, say: Say | None = None) -> Finished:
    """Return how a generation ends, whoever watches being told of it; raises ApplianceError."""
    watch.begin(writing)
    with closing(iter(writing)) as events:  # type: ignore[type-var]  # each is a generator
        for event in events:
            if isinstance(event, Finished):
                return event
            if isinstance(event, Reading):
                watch.read(event.done, event.total)
            elif isinstance(event, Piece) and say:
                say(event.text)
    return Finished("cancelled")


def wrote(finished: Finished, watch: Watch) -> Wrote:
    """Return what a generation gave; raises Silent where nothing that can be used, GivenUp."""
    if finished.reason == "cancelled" and watch.stopped:
        raise GivenUp
    if finished.reason in {"empty", "repetition", "cancelled"} or not finished.text.strip():
        raise Silent(_ENDINGS.get(finished.reason, _ENDINGS["empty"]))
    return Wrote(finished.text, "" if finished.reason == "stop" else _ENDINGS[finished.reason])


def _sent(step: ModelStep, generation: Generation) -> ModelStep:
    """Return a step with what was sent."""
    asked = tuple((message.role, message.text) for message in generation.messages)
    return replace(step, asked=asked, fixed=generation.fixed, grammar=generation.grammar)


def _step(what: What, prompt: str, finished: Finished) -> ModelStep:
    return ModelStep(
        what=what,
        prompt=prompt,
        ending=finished.reason,
        prompt_tokens=finished.prompt_tokens,
        restored_tokens=finished.restored_tokens,
        tokens=finished.tokens,
        waited_seconds=finished.waited_seconds,
        first_seconds=finished.first_seconds,
        writing_seconds=finished.writing_seconds,
        wrote=finished.text,
    )
