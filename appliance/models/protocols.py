"""The models as the rest of the appliance sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Int8s = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """A question as vectors: `pooled` [dimension] of unit length, `tokens` [n, token_dimension] unit rows.

    `spans` are the characters [start, end) of the text that each row stands for, none where that is unknown.
    """

    text: str
    pooled: Floats
    tokens: Floats
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class EncodedPassage:
    """A passage as vectors.

    `pooled` is [dimension] of unit length; `tokens` is [n, bytes] int8, one packed row for each token:
    the store keeps them as they are, and only the reranker over the same embedder reads them.
    """

    pooled: Floats
    tokens: Int8s


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a reranker may look at: the indexed text and, where the library holds them, its token vectors."""

    text: str
    tokens: Int8s | None


class Embedder(Protocol):
    """Text to vectors. `fingerprint` changes whenever its vectors would."""

    @property
    def fingerprint(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def token_dimension(self) -> int: ...

    def encode_query(self, text: str) -> EncodedQuery: ...

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]: ...


class Reranker(Protocol):
    """Question and candidates to scores [len(candidates)], higher is better, any scale."""

    @property
    def name(self) -> str: ...

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a prompt. Its text is data: control words of the model in it stay plain text."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as its pixels: rows from the top, three bytes (red, green, blue) for each pixel."""

    width: int
    height: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a generation ends whatever the model wants: tokens written, seconds since its turn came."""

    tokens: int = 400
    seconds: float = 120.0
    repeats: int = 8  # the same few words this many times in a row


@dataclass(frozen=True, slots=True)
class Generation:
    """One thing to write, greedily.

    `messages` are rendered by the model's own chat template. The first `fixed` of them are the same
    for every question (instructions and examples of one prompt): their evaluated state is kept on
    disk and restored, so they must stand first. `grammar` is GBNF with a rule `root`, "" for none.
    `prompt` is the name and version of the prompt file, for the record. `picture` is shown before the
    last message, to a model that sees.
    """

    messages: tuple[Message, ...]
    fixed: int = 0
    grammar: str = ""
    limits: Limits = field(default_factory=Limits)
    prompt: str = ""
    picture: Picture | None = None


Reason = Literal["stop", "tokens", "seconds", "context", "repetition", "empty", "cancelled"]


class Reading(msgspec.Struct, frozen=True, tag="read"):
    """So many of the prompt's tokens are evaluated (restored ones included)."""

    done: int
    total: int


class Piece(msgspec.Struct, frozen=True, tag="wrote"):
    """New text, whole characters only."""

    text: str


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """Why a generation ended, and what it cost; always the last event.

    Only `stop` is an ending of the model's own (with a grammar: the text is a whole sentence of it).
    Tokens: of the prompt, of it restored instead of evaluated, written. Seconds: waiting for its
    turn, from then to the first token, writing all others.
    """

    reason: Reason
    text: str = ""
    prompt_tokens: int = 0
    restored_tokens: int = 0
    tokens: int = 0
    waited_seconds: float = 0.0
    first_seconds: float = 0.0
    writing_seconds: float = 0.0


Event = Reading | Piece | Finished


class Writing(Protocol):
    """A generation under way: iterate it once, in one thread; cancel it from any."""

    def __iter__(self) -> Iterator[Event]:
        """Yield events until `Finished`, waiting for its turn first; closing the iterator cancels.

        Raises:
            GenerationFailed: the model cannot be started, died, hung, or ran out of memory.
            PromptTooLong: the messages and the least room to write do not fit the context.
        """

    def cancel(self) -> None:
        """End it soon: `Finished("cancelled")` follows, whether it waits, reads or writes."""


class Generator(Protocol):
    """A language model that writes one thing at a time; safe to share between threads."""

    @property
    def name(self) -> str: ...
    @property
    def context(self) -> int:
        """Tokens of prompt and text together."""

    def begin(self, generation: Generation) -> Writing:
        """Return the generation, to be iterated; nothing runs before."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text, waiting for a generation under way.

        Raises:
            GenerationFailed: as above.
        """

    def warm(self, messages: Sequence[Message]) -> None:
        """Evaluate the fixed messages of a prompt now and keep their state; starts the model.

        Raises:
            GenerationFailed, PromptTooLong: as above.
        """

    def close(self) -> None:
        """End the model's process; a generation under way ends as cancelled."""
