"""A `Generator` that writes what a test tells it to, of the kinds that models are."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from appliance.core.errors import GenerationFailed
from appliance.models.protocols import Event, Finished, Generation, Message, Piece, Reading

Script = Callable[[Generation], str]
Line = tuple[str, str, str]  # id, label and words of a numbered sentence
_PIECE = 4  # characters of a piece
_LINE = re.compile(r"^(S\d+) \[(.*?)\] (.*)$", re.MULTILINE)


def shown(generation: Generation) -> list[Line]:
    """Return the numbered sentences of a prompt."""
    return _LINE.findall(generation.messages[-1].text)


def _nothing(_: Generation) -> str:
    """Say as little as may be said."""
    return "{}"


@dataclass
class ScriptedGenerator:
    """Writes what its script says, a few characters at a time; `failure` makes each generation fail."""

    script: Script = _nothing
    failure: str = ""
    name: str = "scripted"
    context: int = 4096
    asked: list[Generation] = field(default_factory=list)
    warmed: list[tuple[Message, ...]] = field(default_factory=list)

    def begin(self, generation: Generation) -> ScriptedWriting:
        self.asked.append(generation)
        return ScriptedWriting(self, generation)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def warm(self, messages: Sequence[Message]) -> None:
        self.warmed.append(tuple(messages))

    def close(self) -> None:
        pass


class ScriptedWriting:
    """One generation of a script, held to the limits as a model is."""

    def __init__(self, generator: ScriptedGenerator, generation: Generation) -> None:
        self._generator, self._generation = generator, generation
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    def __iter__(self) -> Iterator[Event]:
        if self._generator.failure:
            raise GenerationFailed(self._generator.name, self._generator.failure)
        total = sum(self._generator.count([message.text for message in self._generation.messages]))
        yield Reading(total, total)
        text = self._generator.script(self._generation)
        pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
        written: list[str] = []
        for piece in pieces:
            if self._cancelled.is_set():
                yield Finished("cancelled", "".join(written), total, 0, len(written))
                return
            if len(written) >= self._generation.limits.tokens:
                yield Finished("tokens", "".join(written), total, 0, len(written))
                return
            written.append(piece)
            yield Piece(piece)
        yield Finished("stop" if text.strip() else "empty", text, total, 0, len(written))


def lazy(_: Generation) -> str:
    """It says as little as it may."""
    return "{}"


def empty(_: Generation) -> str:
    """It ends before it has begun."""
    return ""


def looping(_: Generation) -> str:
    """It never comes to an end."""
    return "S1 S1 S1 S1 " * 10_000


def always(text: str) -> Script:
    """It says the same whatever it is asked: an answer, what an injection wants."""
    return lambda _: text


def answering(write: Callable[[list[Line]], Sequence[str]]) -> Script:
    """It names what `write` chooses of the sentences."""
    return lambda generation: json.dumps({"a": list(write(shown(generation)))}, separators=(",", ":"))


perfect = answering(lambda lines: [name for name, _, _ in lines[:2]])
inventing = answering(lambda _: ["S99"])
