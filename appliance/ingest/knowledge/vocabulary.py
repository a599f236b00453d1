"""What the vocabularies know: concepts with all their names, materials, kinds of structure, loads.

Rules of this module: every word comes from data/vocabularies/*.toml. Words that people use for one thing
(`groups`) are one concept, named by the first of them; `tags` name materials, structures, loads and
disciplines. Groups that share a word are near one another, and are said to be.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

from appliance.errors import BadSettings
from appliance.graph import Edge, Node, NodeKind, name_key
from appliance.ingest.knowledge.phrases import Phrases
from appliance.paths import data_folder

NEAR = 0.8  # confidence that concepts which share a word are the same


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The nodes that no document owns, with all their names."""

    nodes: tuple[Node, ...]
    names: tuple[tuple[str, str], ...]  # (node id, name)
    edges: tuple[Edge, ...]
    phrases: Phrases


@cache
def load_vocabulary(*folders: Path) -> Vocabulary:
    """Return what the shipped vocabularies and those of the folders know.

    Raises:
        BadSettings: a file is not what this program reads.
    """
    nodes: dict[str, Node] = {}
    names: dict[tuple[str, str], None] = {}
    for folder in (data_folder() / "vocabularies", *folders):
        for path in sorted(folder.glob("*.toml")):
            for kind, group in _groups(path):
                node = Node(kind, "", name_key(group[0]), group[0])
                nodes.setdefault(node.id, node)
                names |= dict.fromkeys((node.id, name) for name in group)
    pairs = tuple(names)
    return Vocabulary(
        tuple(sorted(nodes.values())),
        pairs,
        tuple(_near(pairs)),
        Phrases((name, node) for node, name in pairs),
    )


def _groups(path: Path) -> Iterator[tuple[NodeKind, tuple[str, ...]]]:
    """Yield each thing that a file names with its words."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from (("concept", _words(group)) for group in data.get("groups", ()) if group)
        for tag, things in data.get("tags", {}).items():
            kind = tag if tag in get_args(NodeKind) else "concept"
            yield from ((kind, words) for words in _things(things) if words)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, TypeError) as error:
        message = f"{path} is not a valid vocabulary: {error}."
        raise BadSettings(message) from None


def _things(things: Any) -> Iterator[tuple[str, ...]]:
    """Yield the words of each thing under a tag: a list of names or groups, or names with their words."""
    if isinstance(things, Mapping):
        for name, words in things.items():
            known = words.get("words", ()) if isinstance(words, Mapping) else words
            yield tuple(dict.fromkeys((name.replace("_", " "), *_words(known))))
        return
    for thing in things:
        yield (thing,) if isinstance(thing, str) else _words(thing)


def _words(group: Sequence[str]) -> tuple[str, ...]:
    if isinstance(group, str) or not all(isinstance(word, str) and name_key(word) for word in group):
        message = f"{group!r} is not a list of words"
        raise TypeError(message)
    return tuple(group)


def _near(names: Sequence[tuple[str, str]]) -> Iterator[Edge]:
    """Yield an edge for each two concepts that share a name, both being called by it."""
    called: dict[str, list[str]] = {}
    for node, name in names:
        holders = called.setdefault(name_key(name), [])
        if node not in holders:
            holders.append(node)
    pairs = {
        (one, other): None
        for holders in called.values()
        for at, one in enumerate(sorted(holders))
        for other in sorted(holders)[at + 1 :]
    }
    for one, other in sorted(pairs):
        yield Edge(one, "EQUIVALENT_TO", other, NEAR, "shared word")
