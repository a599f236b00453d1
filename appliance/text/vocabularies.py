"""The vocabulary files (aliases, acronyms, trade words), read in one way for search and graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from appliance.core.decoding import convert
from appliance.core.errors import BadSettings
from appliance.core.evidence import Intent
from appliance.core.files import data_folder, parse

Key = Callable[[str], Hashable]  # of a word; a false one is that of no word
Group = tuple[Annotated[str, msgspec.Meta(pattern=r"[^\W_]")], ...]
Things = Mapping[str, Group]  # names, each with its words
Marks = Mapping[str, tuple[str, ...]]  # signs are among them
Direction = Literal["incoming", "outgoing"]
Relation = Literal["above", "before", "after", "contents", "replaced"]
Name = TypeVar("Name")
PLAIN = {"object": "a table", "array": "a list", "str": "a text", "int": "a number", "float": "a number"}


class Sign(msgspec.Struct, Generic[Name], frozen=True, forbid_unknown_fields=True):
    """What tells that a folded question asks for something."""

    name: Name
    patterns: tuple[re.Pattern[str], ...]

    def stands_in(self, folded: str) -> bool:
        """Tell whether one of the patterns does."""
        return any(pattern.search(folded) for pattern in self.patterns)


class Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says (docs/vocabularies.md)."""

    stop: str = ""
    placing: str = ""
    listing: str = ""
    intent: tuple[Sign[Intent], ...] = ()
    direction: tuple[Sign[Direction], ...] = ()
    relation: tuple[Sign[Relation], ...] = ()
    words: Marks = {}
    editions: Marks = {}
    lists: Marks = {}
    bare: Marks = {}
    pages: Marks = {}
    groups: tuple[Annotated[Group, msgspec.Meta(min_length=1)], ...] = ()
    drop: Group = ()
    broader: Things = {}
    instead: Things = {}
    tags: Mapping[Literal["material", "structure", "load", "discipline"], Things] = {}
    conditions: Mapping[str, Things] = {}


def vocabulary_files(*folders: Path) -> tuple[Path, ...]:
    """Return the files of the shipped vocabularies, then those of the folders; raises BadSettings."""
    for folder in folders:
        if not folder.is_dir():
            raise BadSettings(f"There is no folder of vocabularies at {folder}.")
    every = (data_folder() / "vocabularies", *folders)
    return tuple(path for folder in every for path in sorted(folder.glob("*.toml")))


def read_vocabulary(path: Path) -> Vocabulary:
    """Return what a file says; raises BadSettings with the first fault and the line of its key."""
    try:
        text, said = parse(path)
    except ValueError as error:
        raise BadSettings(f"{path} is not a valid vocabulary: {error}.") from None
    try:
        return convert(said, Vocabulary, hook=_compiled)
    except msgspec.ValidationError as error:
        key = re.search(r"`\$\.(\w+)|field `(\w+)`(?!.*`\$)", str(error))
        named = key and re.search(rf"(?m)^[ \t\[\"']*{key[1] or key[2]}[\"']?[ \t]*[=.\]]", text)
        line = f", line {text.count(chr(10), 0, named.start()) + 1}" if named else ""
        why = re.sub(r"`(\w+)`", lambda word: PLAIN.get(word[1], word[0]), str(error).replace("`$.", "`"))
        raise BadSettings(f"{path}{line} is not a valid vocabulary: {why}.") from None


def _compiled(_: type, pattern: Any) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, TypeError) as error:
        raise ValueError(f"{pattern!r} is no pattern: {error}") from None


def with_groups(groups: Sequence[Group], said: Vocabulary, key: Key) -> list[Group]:
    """Return the groups without what a file drops, then those of the file; one word alone is no group."""
    gone = set(map(key, said.drop))
    left = [tuple(word for word in group if key(word) not in gone) for group in groups]
    return [*([group for group in left if len(group) > 1] if gone else groups), *said.groups]


def named_things(table: Mapping[Any, Things]) -> Iterator[tuple[str, str, Group]]:
    """Yield (kind, name, its words) of each thing of a table."""
    for kind, things in table.items():
        for name, words in things.items():
            yield kind, name, tuple(dict.fromkeys((name, *words)))
