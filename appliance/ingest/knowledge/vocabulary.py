"""What the vocabularies know: concepts with all their names, materials, kinds of structure, loads.

Rules of this module: every word comes from data/vocabularies/*.toml. Words that people use for one thing
(`groups`) are one concept, named by the first of them; `tags` name materials, structures, loads and
disciplines. Groups that share a word are near one another, and are said to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from appliance.graph import Edge, Node, NodeKind, name_key
from appliance.ingest.knowledge.phrases import Phrases
from appliance.word_files import named_things, read_vocabulary, vocabulary_files, with_groups, wrong

KINDS: dict[str, NodeKind] = {"material": "material", "structure": "structure", "load": "load"}  # by tag
NEAR = 0.8  # confidence that concepts which share a word are the same


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The nodes that no document owns, with all their names."""

    nodes: tuple[Node, ...]
    names: tuple[tuple[str, str], ...]  # (node id, name)
    edges: tuple[Edge, ...]
    phrases: Phrases  # all names
    subjects: Phrases  # without those of disciplines, which only gather words
    firsts: Phrases  # of these, the names that a thing is first called by


@dataclass(frozen=True, slots=True)
class Thing:
    """What a file names; `gathers` tells that its words only belong to it."""

    kind: NodeKind
    names: tuple[str, ...]
    gathers: bool = False

    @property
    def node(self) -> Node:
        """Return its node, named by the first of its words."""
        return Node(self.kind, "", name_key(self.names[0]), self.names[0])

    @property
    def id(self) -> str:
        """Return the id of its node."""
        return self.node.id


@cache
def load_vocabulary(*folders: Path) -> Vocabulary:
    """Return what the shipped vocabularies and those of the folders know.

    Raises:
        BadSettings: a file is not what this program reads.
    """
    things = _read(vocabulary_files(*folders))
    nodes = {thing.id: thing.node for thing in reversed(things)}  # the first name of a node stays
    names = tuple(dict.fromkeys((thing.id, name) for thing in things for name in thing.names))
    own = [thing for thing in things if not thing.gathers]
    return Vocabulary(
        tuple(sorted(nodes.values())),
        names,
        tuple(_near(things)),
        Phrases((name, node) for node, name in names),
        Phrases((name, thing.id) for thing in own for name in thing.names),
        Phrases((thing.names[0], thing.id) for thing in own),
    )


def _read(files: Iterable[Path]) -> list[Thing]:
    """Return the things that the files name: groups without what later files drop, then what is tagged."""
    groups: list[tuple[str, ...]] = []
    tagged: list[Thing] = []
    for path in files:
        data = read_vocabulary(path)
        try:
            groups = with_groups(groups, data, name_key)
            for tag, name, words in named_things(data, "tags", name_key):
                names = (name.replace("_", " "), *(word for word in words if word != name))
                tagged.append(Thing(KINDS.get(tag, "concept"), names, tag not in KINDS))
        except (AttributeError, TypeError, ValueError) as error:
            raise wrong(path, error) from None
    return [*(Thing("concept", group) for group in groups if group), *tagged]


def _near(things: Sequence[Thing]) -> Iterator[Edge]:
    """Yield an edge for each two things of which one bears the name that the other is first called by.

    A discipline only gathers words, and is the same as none of them.
    """
    named = [thing for thing in things if not thing.gathers]
    first: dict[str, list[str]] = {}
    for thing in named:
        first.setdefault(name_key(thing.names[0]), []).append(thing.id)
    pairs = {
        tuple(sorted((thing.id, other)))
        for thing in named
        for name in thing.names
        for other in first.get(name_key(name), ())
        if other != thing.id
    }
    for one, other in sorted(pairs):
        yield Edge(one, "EQUIVALENT_TO", other, NEAR, "shared word")
