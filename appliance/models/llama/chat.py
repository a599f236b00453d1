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
        nonce = secrets.token_hex(8)  # marks stand for the texts while the template runs
        marked = [
            {"role": message.role, "content": f"\ue000{nonce}:{number}\ue001"}
            for number, message in enumerate(messages)
        ]
        forms: list[list[dict[str, Any]]] = [marked]
        if len(messages) > 1 and messages[0].role == "system":  # for a template without a place for it
            first, second, *others = marked
            together = f"{first['content']}\n\n{second['content']}"
            forms.append([{"role": second["role"], "content": together}, *others])
        forms += [  # templates of models that see want the text as a list of parts
            [{**one, "content": [{"type": "text", "text": one["content"]}]} for one in form] for form in forms
        ]
        why = BadTemplate("its chat template drops, repeats or changes the text of messages")
        for form in forms:
            try:
                pieces = re.split(f"\ue000{nonce}:(\\d+)\ue001", self._text(form))
            except BadTemplate as fault:
                why = fault
                continue
            if pieces[1::2] == [str(number) for number in range(len(messages))]:
                return _joined(pieces, messages, fixed)
        raise why

    def _text(self, messages: list[dict[str, Any]]) -> str:
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        # No date: an instruction that changes every day could not be kept evaluated.
        environment.globals |= {"raise_exception": _refuse, "strftime_now": lambda _format: ""}
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
            raise BadTemplate("its chat template cannot be rendered") from error


def _joined(pieces: Sequence[str], messages: Sequence[Message], fixed: int) -> Rendered:
    """Return what the template printed, by turns its own text and the number of a message, as parts."""
    parts: list[Part] = []
    fixed_parts = last = 0
    for i, piece in enumerate(pieces):
        if i % 2:
            if int(piece) == fixed:
                fixed_parts = len(parts)
            last = len(parts)
            parts.append(Part(messages[int(piece)].text, trusted=False))
        elif piece:
            parts.append(Part(piece, trusted=True))
    return Rendered(tuple(parts), fixed_parts, last)


class _Refusal(TemplateError):
    """What a template raises of its own will."""


def _refuse(why: str) -> Never:
    raise _Refusal(why)
