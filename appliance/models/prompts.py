"""Prompts with declared variables, and the vision model that describes a drawing."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template

import msgspec

from appliance.core.decoding import convert
from appliance.core.errors import BadInput
from appliance.core.files import data_folder
from appliance.models.protocols import Generation, Generator, Limits, Message, Picture, Writing

_ESCAPES = {chr(code): f"\\x{code:02X}" for code in (*range(32), ord('"'), ord("\\"))}


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question as the prompt would put it, and the answer wanted."""

    user: str
    assistant: str


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One prompt file. `lists` are the variables of its grammar; `tokens` and `seconds` bound the answer."""

    name: str = ""
    version: str = ""
    variables: tuple[str, ...]
    lists: tuple[str, ...] = ()
    tokens: int
    seconds: float
    system: str
    user: str
    grammar: str = ""
    examples: tuple[Example, ...] = ()

    @property
    def fixed(self) -> tuple[Message, ...]:
        """The messages that are the same for every question."""
        turns = [Message("system", self.system.strip())]
        for one in self.examples:
            turns += [Message("user", one.user.strip()), Message("assistant", one.assistant.strip())]
        return tuple(turns)

    def render(
        self, texts: Mapping[str, str], lists: Mapping[str, Sequence[str]] | None = None
    ) -> Generation:
        """Return the generation that asks for this prompt's answer.

        Raises:
            BadInput: a variable is missing, there is one too many, or a list is empty.
        """
        lists = lists or {}
        self._refuse_others(texts, self.variables)
        self._refuse_others(lists, self.lists)
        asked = Message("user", Template(self.user.strip()).substitute(texts))
        if empty := [name for name, items in lists.items() if not items]:
            raise BadInput(f"The prompt {self.name} needs one of {_names(empty)} at least.")
        alternatives = {  # of a GBNF rule, each once
            name: " | ".join(
                f'"{"".join(_ESCAPES.get(letter, letter) for letter in item)}"'
                for item in dict.fromkeys(items)
            )
            for name, items in lists.items()
        }
        return Generation(
            messages=(*self.fixed, asked),
            fixed=len(self.fixed),
            grammar=Template(self.grammar.strip()).substitute(alternatives),
            limits=Limits(tokens=self.tokens, seconds=self.seconds),
            prompt=f"{self.name}@{self.version}",
        )

    def _refuse_others(self, given: Mapping[str, object], declared: Sequence[str]) -> None:
        if set(given) != set(declared):
            raise BadInput(f"The prompt {self.name} takes {_names(declared)}, not {_names(given)}.")


def prompt_names() -> tuple[str, ...]:
    """Return the names of all prompts."""
    return tuple(sorted(path.stem for path in (data_folder() / "prompts").glob("*.toml")))


@cache
def load_prompt(name: str) -> Prompt:
    """Return a prompt that ships with the program.

    Raises:
        BadInput: there is none of this name, or its file is wrong.
    """
    path = data_folder() / "prompts" / f"{name}.toml"
    if not path.is_file():
        raise BadInput(f"There is no prompt {name}. Known are: {', '.join(prompt_names())}.")
    return read_prompt(path)


def read_prompt(path: Path) -> Prompt:
    """Return the prompt of a file.

    Raises:
        BadInput: the file is no prompt, or uses variables that it does not declare.
    """
    content = path.read_bytes()
    try:
        prompt = convert(tomllib.loads(content.decode("utf-8")), Prompt)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{path}: {error}.") from None
    for text, declared in ((prompt.user, prompt.variables), (prompt.grammar, prompt.lists)):
        template = Template(text)
        if not template.is_valid() or set(template.get_identifiers()) != set(declared):
            message = f"{path}: it declares {_names(declared)} and uses {_names(template.get_identifiers())}."
            raise BadInput(message)
    version = hashlib.sha256(content).hexdigest()[:12]
    return msgspec.structs.replace(prompt, name=path.stem, version=version)


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


PROMPT = "figure"
CAPTION = 400  # characters


class FigureReader:
    """A vision model that says in words what a drawing shows; safe to share between threads.

    It is a generator with a prompt; `files` are the sha256 of the files of its model.
    """

    def __init__(self, generator: Generator, files: tuple[str, ...], prompt: Prompt | None = None) -> None:
        self._generator = generator
        self._prompt = prompt or load_prompt(PROMPT)
        self._files = files

    @property
    def name(self) -> str:
        return self._generator.name

    @property
    def fingerprint(self) -> str:
        """What changes whenever its words may."""
        said = "|".join((self.name, self._prompt.version, *self._files))
        return hashlib.sha256(said.encode()).hexdigest()

    def begin(self, picture: Picture, caption: str) -> Writing:
        """Return the description of a drawing, to be iterated; nothing runs before."""
        asked = self._prompt.render({"caption": " ".join(caption.split())[:CAPTION] or "No caption."})
        return self._generator.begin(replace(asked, picture=picture))

    def close(self) -> None:
        self._generator.close()
