"""What a language model did for an answer, for whoever wants to know.

Rules of this module: standard library only; values, no behaviour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ModelStep:
    """One thing that a language model was asked for an answer, how it ended, and what it cost.

    `prompt` is the name and version of the prompt file, `ending` why it ended, `found` what came of it in
    words. Tokens: of the prompt, of it restored instead of evaluated, written. Seconds: waiting, from then
    to the first token, writing. `asked` are the messages as sent, each with its role, of which the first
    `fixed` are the same for every question; `grammar` is what it was held to, `wrote` all that it wrote.
    """

    what: Literal["questions", "summary", "review", "answer"]
    prompt: str
    ending: str
    found: str = ""
    prompt_tokens: int = 0
    restored_tokens: int = 0
    tokens: int = 0
    waited_seconds: float = 0.0
    first_seconds: float = 0.0
    writing_seconds: float = 0.0
    asked: tuple[tuple[str, str], ...] = ()
    fixed: int = 0
    grammar: str = ""
    wrote: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A statement of a model: whether the code holds it, and the chunks of the places that it cites."""

    text: str
    confirmed: bool
    chunks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The part that a language model took in an answer; `notice` is a sentence about it for the reader.

    `shown` are the numbered sentences as it read them; of its statements `confirmed` are held by the code.
    `own` are those statements, as far as they are shown.
    """

    model: str
    notice: str = ""
    steps: tuple[ModelStep, ...] = ()
    shown: tuple[str, ...] = ()
    statements: int = 0
    confirmed: int = 0
    own: tuple[Own, ...] = ()
