"""A `Generator` without weights that writes what it is told to: what a bad model could do, tried on purpose.

Rules of this module: it is held to the limits of a generation as a model is, and ends as one does; what it
writes is decided by its script, a function of what it is asked.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from appliance.model_errors import GenerationFailed
from appliance.models.protocols import (
    Event,
    Finished,
    Generation,
    GeneratorStatus,
    Message,
    Piece,
    Reading,
)

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

    def status(self) -> GeneratorStatus:
        return GeneratorStatus("idle", fault=self.failure)

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
