"""The vocabulary files (aliases, acronyms, trade words), read in one way for search and graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from appliance.core.errors import BadSettings
from appliance.core.files import data_folder, parse

Key = Callable[[str], Hashable]  # of a word; a false one is that of no word
Group = tuple[str, ...]


def vocabulary_files(*folders: Path) -> tuple[Path, ...]:
    """Return the files of the shipped vocabularies, then those of the folders; raises BadSettings."""
    for folder in folders:
        if not folder.is_dir():
            message = f"There is no folder of vocabularies at {folder}."
            raise BadSettings(message)
    every = (data_folder() / "vocabularies", *folders)
    return tuple(path for folder in every for path in sorted(folder.glob("*.toml")))


def read_vocabulary(path: Path) -> dict[str, Any]:
    """Return what a file says; raises BadSettings."""
    try:
        return parse(path)[1]
    except ValueError as error:
        raise wrong(path, error) from None


def wrong(path: Path, error: Exception) -> BadSettings:
    """Return the error that names a wrong file."""
    return BadSettings(f"{path} is not a valid vocabulary: {error}.")


def with_groups(groups: Sequence[Group], data: Mapping[str, Any], key: Key) -> list[Group]:
    """Return the groups without what the file drops, then those of the file; one word alone is no group.

    Raises:
        ValueError: what stands there is no list of words.
    """
    gone = {key(word) for word in texts(data.get("drop", []), key)}
    left = [tuple(word for word in group if key(word) not in gone) for group in groups]
    kept = [group for group in left if len(group) > 1] if gone else list(groups)
    return [*kept, *(tuple(texts(group, key)) for group in data.get("groups", []))]


def named_things(data: Mapping[str, Any], table: str, key: Key) -> Iterator[tuple[str, str, Group]]:
    """Yield (kind, name, its words) of each thing under a table; raises ValueError, AttributeError."""
    for kind, things in data.get(table, {}).items():
        for name, words in things.items():
            yield kind, name, tuple(dict.fromkeys((name, *texts(words, key))))


def texts(value: Any, key: Key) -> list[str]:
    """Return a list of words as it stands; raises ValueError where it is none."""
    if not isinstance(value, list) or not all(isinstance(item, str) and key(item) for item in value):
        message = f"{value!r} is not a list of words"
        raise ValueError(message)
    return value
