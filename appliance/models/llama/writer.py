"""One generation from its messages to its last token."""

from __future__ import annotations

import codecs
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from appliance.models.llama.chat import Chat
from appliance.models.llama.engine import BATCH, SEEN, Broken, Engine, Stopped, Words
from appliance.models.llama.grammar_sampling import Grammar, Initials
from appliance.models.llama.plan import LEAST, States
from appliance.models.protocols import Finished, Generation, Message, Picture, Piece, Reading, Reason

STAT = Path("/proc/stat")
SECONDS = 0.5  # between two looks
_SPARE = 0.25  # of a core that others may use while it still counts as free


@dataclass(frozen=True, slots=True)
class Look:
    """Seconds of processor time used so far, by all and by this process."""

    at: float
    everybody: float
    own: float


def look() -> Look | None:
    """Return what was used so far; None where the system does not tell."""
    try:
        line = STAT.read_text(encoding="ascii").split("\n", maxsplit=1)[0].split()[1:]
        user, nice, system, _idle, _wait, interrupt, soft, stolen = map(int, line[:8])
    except (OSError, ValueError):
        return None
    ticks = user + nice + system + interrupt + soft + stolen
    return Look(time.monotonic(), ticks / os.sysconf("SC_CLK_TCK"), time.process_time())


def free_cores(before: Look, after: Look, cores: int) -> int:
    """Return how many cores others left free between two looks, at least one."""
    seconds = max(after.at - before.at, 1e-3)
    others = max(0.0, (after.everybody - before.everybody) - (after.own - before.own)) / seconds
    return max(1, int(cores - others + _SPARE))


class Budget:
    """How many threads to use now: at most `most`, never more than are free."""

    def __init__(self, most: int, cores: int, eyes: Callable[[], Look | None] = look) -> None:
        self._most, self._cores, self._look = most, cores, eyes
        self._last = eyes()
        self.threads = 1 if self._last is None else most

    def begin(self) -> int:
        """Return the number of threads to begin with, all: what was used before, a search, is over."""
        self._last = self._last and self._look()
        self.threads = 1 if self._last is None else self._most
        return self.threads

    def renewed(self) -> int | None:
        """Return another number of threads where it has changed since the last time."""
        seen, last = self._look(), self._last
        if seen is None or last is None or seen.at - last.at < SECONDS:
            return None
        self._last = seen
        threads = min(self._most, free_cores(last, seen, self._cores))
        if threads == self.threads:
            return None
        self.threads = threads
        return threads


LONGEST_PERIOD = 64  # tokens: about three sentences
LEAST_STRETCH = 32  # tokens that the repetition must fill


def repeats(tokens: Sequence[int], times: int) -> bool:
    """Tell whether the end of the text is one period `times` times over; never where `times` is under 2."""
    if times < 2:
        return False
    for period in range(1, LONGEST_PERIOD + 1):
        stretch = max(period * times, LEAST_STRETCH)
        end = tokens[-stretch:]
        if len(end) == stretch and end[period:] == end[:-period]:
            return True
    return False


if TYPE_CHECKING:  # it loads a library that only models that see need
    from appliance.models.llama.sight import Sight

Tell = Callable[[Reading | Piece], None]
LEAST_ROOM = 16  # tokens that must remain to be written
_LOOKS = 16  # tokens between two looks for repetition


class TooLong(Exception):
    """The prompt leaves no room; `needed` tokens."""

    def __init__(self, needed: int) -> None:
        super().__init__()
        self.needed = needed


@dataclass(slots=True)
class _Course:
    """How far one generation has come."""

    began: float = field(default_factory=time.monotonic)
    prompt: int = 0
    restored: int = 0
    first: float = 0.0  # when the prompt was evaluated
    tokens: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def finished(self, reason: Reason) -> Finished:
        now = time.monotonic()
        first = self.first or now
        empty = reason == "stop" and not "".join(self.text).strip()
        return Finished(
            reason="empty" if empty else reason,
            text="".join(self.text),
            prompt_tokens=self.prompt,
            restored_tokens=self.restored,
            tokens=len(self.tokens),
            first_seconds=first - self.began,
            writing_seconds=now - first,
        )


class Writer:
    """Writes with one engine."""

    def __init__(
        self, engine: Engine, template: str, states: States, budget: Budget, sight: Sight | None = None
    ) -> None:
        self._engine, self._states, self._budget, self._sight = engine, states, budget, sight
        self.words = Words(engine)
        self._chat = Chat(template, self.words.begin, self.words.end)
        self._initials: Initials | None = None

    def write(self, generation: Generation, tell: Tell) -> Finished:
        """Write, telling progress.

        Raises:
            TooLong, BadTemplate, BadGrammar, Broken: nothing is lost by going on with another generation.
        """
        course = _Course()
        self._engine.threads(self._budget.begin())
        grammar = Grammar(self._engine, self.first_bytes, generation.grammar) if generation.grammar else None
        try:
            if generation.picture is None:
                tokens, length = self._tokens(generation.messages, generation.fixed)
                course.prompt = len(tokens)
                self._begin(tokens, length, course, tell)
                self._evaluate(tokens, tell)
            else:
                self._see(generation, generation.picture, course, tell)
            course.first = time.monotonic()
            return course.finished(self._go_on(generation, grammar, course, tell))
        except Stopped:
            return course.finished(self._engine.page.stop or "cancelled")
        finally:
            if grammar:
                grammar.close()

    def warm(self, messages: Sequence[Message], tell: Tell) -> Finished:
        """Evaluate and keep the fixed messages of a prompt; make what the first grammar would wait for."""
        course = _Course()
        try:
            rest = Message("user", "")
            tokens, fixed = self._tokens([*messages, rest], len(messages))
            self._recall(tokens[: fixed + 1], fixed)
            self._evaluate(tokens[:fixed], tell)
            self._states.keep(self._engine)
            self.first_bytes()
        except Stopped:
            return course.finished(self._engine.page.stop or "cancelled")
        return course.finished("stop")

    def _see(self, generation: Generation, picture: Picture, course: _Course, tell: Tell) -> None:
        """Bring the engine to the end of a prompt that shows a picture before its last message."""
        if self._sight is None:
            raise Broken("it sees no pictures")
        rendered = self._chat.render(generation.messages, generation.fixed)
        before, length = self.words.prompt(rendered.parts[: rendered.last], rendered.fixed)
        after = self.words.more(rendered.parts[rendered.last :])
        with self._sight.laid_out(picture) as layout:
            seen = [SEEN] * layout.cells
            course.prompt = len(before) + len(seen) + len(after)
            if course.prompt + LEAST_ROOM > self._engine.context:
                raise TooLong(course.prompt + LEAST_ROOM)
            self._begin([*before, SEEN], length, course, tell)
            self._evaluate(before, tell, course.prompt)
            self._look()
            layout.evaluate(lambda: tell(Reading(len(self._engine.past), course.prompt)))
        self._evaluate([*self._engine.past, *after], tell)

    def _begin(self, tokens: list[int], fixed: int, course: _Course, tell: Tell) -> None:
        """Keep, restore or evaluate the fixed instructions."""
        self._recall(tokens, fixed)
        course.restored = len(self._engine.past)
        if len(self._engine.past) < fixed:
            self._evaluate(tokens[:fixed], tell, course.prompt)
            self._states.keep(self._engine)

    def _tokens(self, messages: Sequence[Message], fixed: int) -> tuple[list[int], int]:
        rendered = self._chat.render(messages, fixed)
        tokens, length = self.words.prompt(rendered.parts, rendered.fixed)
        if not tokens or len(tokens) + LEAST_ROOM > self._engine.context:
            raise TooLong(len(tokens) + LEAST_ROOM)
        return tokens, length

    def _recall(self, tokens: list[int], fixed: int) -> None:
        """Keep or restore what of the prompt is evaluated already, at least one token less than all."""
        engine = self._engine
        pairs = enumerate(zip(engine.past, tokens[:-1], strict=False))
        least = min(len(engine.past), len(tokens[:-1]))
        common = next((number for number, (one, other) in pairs if one != other), least)
        if common >= max(fixed, LEAST) and engine.cut(common):
            return
        if fixed >= LEAST and self._states.restore(engine, tokens[:fixed]):
            return
        if not engine.cut(common):
            engine.forget()

    def _evaluate(self, tokens: list[int], tell: Tell, total: int = 0) -> None:
        """Evaluate what of the tokens is not evaluated yet; they may be the beginning of so many."""
        done = len(self._engine.past)
        while done < len(tokens):
            self._look()
            self._engine.evaluate(tokens[done : done + BATCH])
            done = len(self._engine.past)
            tell(Reading(done, total or len(tokens)))

    def _go_on(self, generation: Generation, grammar: Grammar | None, course: _Course, tell: Tell) -> Reason:
        spelling = codecs.getincrementaldecoder("utf-8")("replace")  # the beginning of a character waits
        room = min(generation.limits.tokens, self._engine.context - course.prompt)
        while True:
            scores = self._engine.scores()
            scores[self.words.forbidden] = -np.inf
            token = grammar.choose(scores) if grammar else int(np.argmax(scores))
            if not np.isfinite(scores[token]):
                raise Broken("the model computes no numbers")
            if self.words.ends(token):
                return "stop"
            if grammar:
                grammar.accept(token)
            course.tokens.append(token)
            if text := spelling.decode(self.words.piece(token)):
                course.text.append(text)
                tell(Piece(text))
            if len(course.tokens) >= room:
                return "tokens" if room == generation.limits.tokens else "context"
            if not len(course.tokens) % _LOOKS and repeats(course.tokens, generation.limits.repeats):
                return "repetition"
            self._look()
            self._engine.evaluate([token])

    def _look(self) -> None:
        """Stop where the page says so; take as many threads as are free."""
        if self._engine.page.stop:
            raise Stopped
        if (threads := self._budget.renewed()) is not None:
            self._engine.threads(threads)

    def first_bytes(self) -> Initials:
        """Return the tokens by their first byte, made when first needed."""
        if self._initials is None:
            self._initials = Initials(self.words)
        return self._initials
