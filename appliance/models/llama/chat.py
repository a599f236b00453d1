"""Messages to parts of a prompt, by the chat template that stands in the model file."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Never

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from appliance.models.protocols import Message

CHATML = (  # for models that bring no template: the commonest form
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class BadTemplate(Exception):
    """The template cannot render what it is given."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a prompt: of the template (it may hold control words) or of a message (it holds none)."""

    text: str
    trusted: bool


@dataclass(frozen=True, slots=True)
class Rendered:
    """The parts in order; the first `fixed` of them are the same for every question.

    `last` is where the text of the last message stands among them.
    """

    parts: tuple[Part, ...]
    fixed: int
    last: int = 0


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat template with the words for beginning and end that it may print."""

    template: str
    begin: str = ""
    end: str = ""

    def render(self, messages: Sequence[Message], fixed: int) -> Rendered:
        """Return the prompt that makes the model answer the last message.

        Raises:
            BadTemplate: with the reason.
        """
        marks = _Marks(messages)
        forms = [marks.all()]
        if len(messages) > 1 and messages[0].role == "system":
            forms.append(marks.joined())  # for a template without a place for instructions
        why = BadTemplate("its chat template drops, repeats or changes the text of messages")
        for form in (*forms, *map(_typed, forms)):
            try:
                text = self._text(form)
            except BadTemplate as fault:
                why = fault
                continue
            if not marks.missing(text):
                return marks.cut(text, fixed)
        raise why

    def _text(self, messages: list[dict[str, Any]]) -> str:
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        environment.globals |= {"raise_exception": _refuse, "strftime_now": _no_clock}
        try:
            return environment.from_string(self.template).render(
                messages=messages,
                add_generation_prompt=True,
                enable_thinking=False,
                bos_token=self.begin,
                eos_token=self.end,
            )
        except _Refusal:
            return ""  # it has no place for one of the roles
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            message = f"its chat template cannot be rendered ({str(error) or type(error).__name__})"
            raise BadTemplate(message) from None


def _typed(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with their text as a list of parts, as templates of models that see want it."""
    return [
        {"role": message["role"], "content": [{"type": "text", "text": message["content"]}]}
        for message in messages
    ]


class _Refusal(TemplateError):
    """What a template raises of its own will."""


def _refuse(why: str) -> Never:
    raise _Refusal(why)


def _no_clock(_format: str) -> str:
    """Stand for the date: an instruction that changes every day could not be kept evaluated."""
    return ""


class _Marks:
    """What stands for the texts while the template runs."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._nonce = secrets.token_hex(8)
        self._marks = [f"\ue000{self._nonce}:{i}\ue001" for i in range(len(messages))]

    def all(self) -> list[dict[str, Any]]:
        return [
            {"role": message.role, "content": mark}
            for message, mark in zip(self._messages, self._marks, strict=True)
        ]

    def joined(self) -> list[dict[str, Any]]:
        """Return the messages with the instructions put before the first question."""
        first, second, *others = self.all()
        return [{"role": second["role"], "content": f"{first['content']}\n\n{second['content']}"}, *others]

    def missing(self, text: str) -> bool:
        found = re.findall(f"\ue000{self._nonce}:(\\d+)\ue001", text)
        return [int(number) for number in found] != list(range(len(self._marks)))

    def cut(self, text: str, fixed: int) -> Rendered:
        pieces = re.split(f"\ue000{self._nonce}:(\\d+)\ue001", text)
        parts: list[Part] = []
        fixed_parts = last = 0
        for i, piece in enumerate(pieces):
            if i % 2:
                if int(piece) == fixed:
                    fixed_parts = len(parts)
                last = len(parts)
                parts.append(Part(self._messages[int(piece)].text, trusted=False))
            elif piece:
                parts.append(Part(piece, trusted=True))
        return Rendered(tuple(parts), fixed_parts, last)
