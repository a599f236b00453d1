"""Concepts with all their names, and the words by which a code states values, demands and scope."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from appliance.core.files import shipped
from appliance.core.graph import NAME_WORD, Bound, Edge, Node, NodeKind, fold_word, name_key
from appliance.text.vocabularies import named_things, read_vocabulary, vocabulary_files, with_groups


@dataclass(frozen=True, slots=True)
class Nouns:
    """Words for what can be measured: units by noun, noun by adjective, sign by "maximum" and its like."""

    units: Mapping[str, frozenset[str]]
    adjectives: Mapping[str, str]
    extremes: Mapping[str, Bound]
    edges: frozenset[str]  # words that no name of a quantity holds


@dataclass(frozen=True, slots=True)
class Wording:
    """Compiled patterns; `before` and `after` pair each with the bound that it sets, longest first."""

    before: tuple[tuple[Bound, re.Pattern[str]], ...]
    after: tuple[tuple[Bound, re.Pattern[str]], ...]
    joints: str  # a pattern of what stands between the ends of a range
    joined: re.Pattern[str]
    behind: re.Pattern[str]
    comparing: re.Pattern[str]
    linking: re.Pattern[str]
    stating: re.Pattern[str]
    objects: re.Pattern[str]
    subjects: re.Pattern[str]
    rules: re.Pattern[str]
    conditions: re.Pattern[str]
    continued: re.Pattern[str]  # a comma behind which a condition goes on
    elsewhere: re.Pattern[str]  # what makes a condition an aside on another place
    endings: frozenset[str]  # words with which no condition ends
    apart: re.Pattern[str]
    shares: re.Pattern[str]
    names: re.Pattern[str]
    requires: re.Pattern[str]
    exceptions: re.Pattern[str]
    applies: re.Pattern[str]
    negative: re.Pattern[str]
    between_values: re.Pattern[str]
    between_names: re.Pattern[str]
    between_demands: re.Pattern[str]
    close: re.Pattern[str]  # all that may stand between a name and the words of its bound
    held_for: re.Pattern[str]  # behind a number: the case that it is for


@cache
def nouns() -> Nouns:
    """Return the words for what can be measured.

    Raises:
        BadSettings: the file is not what this program reads.
    """
    data = shipped("graph/quantities")
    units: dict[str, set[str]] = {}
    adjectives: dict[str, str] = {}
    for entry in data["noun"]:
        for word in entry["words"]:
            units.setdefault(word, set()).add(entry["unit"])
        for adjective in entry.get("adjectives", ()):
            adjectives[adjective] = entry["words"][0]
    extremes = {word: sign for sign, words in data["extremes"].items() for word in words}
    known = {word: frozenset(found) for word, found in units.items()}
    return Nouns(known, adjectives, extremes, frozenset(data["edges"]["words"]))


@cache
def wording() -> Wording:
    """Return the patterns of sentences.

    Raises:
        BadSettings: the file is not what this program reads.
    """
    data = shipped("graph/sentences")
    between = _any(data["requires"]["between"])
    lead = rf"(?:\W{{1,3}}{between}\b)*\W{{1,3}}$"
    leading = rf"(?:[^.;:]{{0,60}}\b{_any(data['requires']['leading'])})?\W{{0,3}}"
    return Wording(
        tuple((entry["sign"], _pattern(_before(entry["before"]))) for entry in data["bound"]),
        tuple(
            (entry["sign"], _pattern(rf"\s*{_any(entry['after'])}(?![^\W_])"))
            for entry in data["bound"]
            if entry["after"]
        ),
        _any([*data["ranges"]["spanning"], *data["ranges"]["joined"]]),
        _pattern(rf"\s*{_any(data['ranges']['joined'])}\s*"),
        _pattern(rf"{_any(data['ranges']['behind'])}\s*$"),
        _pattern(_before(data["comparing"]["words"])),
        _pattern(rf"(?:\s*{_any(data['linking']['words'])}\b)*\s*"),
        _pattern(_any(data["stating"]["patterns"])),
        _pattern(data["stating"]["objects"]),
        _pattern(data["stating"]["subjects"]),
        _words(data["rules"]["words"]),
        _words(data["conditions"]["words"]),
        _pattern(rf"[,;]?\s*{_any(data['conditions']['continued'])}(?![^\W_])"),
        _words(data["conditions"]["elsewhere"]),
        frozenset(data["conditions"]["endings"]),
        _words(data["conditions"]["apart"]),
        _pattern(rf"\s*{_any(data['conditions']['shares'])}"),
        _pattern(rf"(?<![^\W_]){_any(data['conditions']['names'])}\.?\s+$"),
        _pattern(rf"(?<![^\W_]){_any(data['requires']['patterns'])}{lead}"),
        _pattern(rf"(?<![^\W_]){_any(data['requires']['exceptions'])}\b{leading}$"),
        _pattern(_any(data["applies"]["patterns"])),
        _pattern(data["applies"]["negative"]),
        *_between(data["joining"]),
        _pattern(rf"\s+(?P<words>{_any(data['conditions']['behind'])}(?![^\W_])[^,;:.()]{{3,60}})"),
    )


def _between(
    words: Mapping[str, Iterable[str]],
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of what stands between values, names, demands, and a name and its bound."""
    values, names, demands = (_any(words[key]) for key in ("values", "names", "demands"))
    return (
        re.compile(rf"\s*(?:,|{values}|\s)+(?:{_any(words['articles'])}\s)?\s*", re.IGNORECASE),
        re.compile(rf"\s*(?:,|{names})\s*", re.IGNORECASE),
        re.compile(rf"\W*(?:{demands}\b\W*){{0,3}}", re.IGNORECASE),
        re.compile(rf"\s*\(?{_any(words['close'])}?\s*{_any(words['softened'])}?\s*\)?", re.IGNORECASE),
    )


def _before(patterns: Iterable[str]) -> str:
    return rf"(?<![^\W_]){_any(patterns)}\s*(?:(?:about|approximately|around|a|the|only)\s+)?$"


def _words(patterns: Iterable[str]) -> re.Pattern[str]:
    return _pattern(rf"(?<![^\W_]){_any(patterns)}(?![^\W_])")


def _any(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(patterns, key=len, reverse=True))})"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


_PRINTED = re.compile(r"[^\W_]+(?:[_,.][^\W_]+)*")

Words = tuple[str, ...]


def fold(text: str) -> Words:
    """Return the folded words of a text."""
    return tuple(fold_word(match.group()) for match in NAME_WORD.finditer(text))


@dataclass(frozen=True, slots=True)
class Heard:
    """A name at [start, end) of a text."""

    node: str
    start: int
    end: int


class Phrases:
    """Names of nodes, ready to be found."""

    def __init__(
        self, names: Iterable[tuple[str, str]] = (), printed: Iterable[tuple[str, str]] = ()
    ) -> None:
        """Take (name, node id) that may be written in any case, and those that are written just so."""
        self._first: dict[str, dict[Words, list[str]]] = defaultdict(dict)
        self._longest: dict[str, int] = defaultdict(int)
        for name, node in names:
            words = fold(name)
            if words:
                known = self._first[words[0]].setdefault(words, [])
                if node not in known:
                    known.append(node)
                self._longest[words[0]] = max(self._longest[words[0]], len(words))
        self._printed: dict[str, list[str]] = defaultdict(list)
        for name, node in printed:
            self._printed[name].append(node)

    def find(self, text: str) -> Iterator[Heard]:
        """Yield the names that stand in a text, in its order."""
        matches = list(NAME_WORD.finditer(text))
        words = [fold_word(match.group()) for match in matches]
        for at, word in enumerate(words):
            if word not in self._first:
                continue
            known = self._first[word]
            for length in range(min(self._longest[word], len(words) - at), 0, -1):
                nodes = known.get(tuple(words[at : at + length]))
                if nodes:
                    span = (matches[at].start(), matches[at + length - 1].end())
                    yield from (Heard(node, *span) for node in nodes)
                    break
        if self._printed:
            for match in _PRINTED.finditer(text):
                for node in self._printed.get(match.group(), ()):
                    yield Heard(node, match.start(), match.end())

    def named(self, text: str) -> tuple[str, ...]:
        """Return the nodes that have just this name."""
        words = fold(text)
        return tuple(self._first.get(words[0], {}).get(words, ())) if words else ()


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
    for said in map(read_vocabulary, files):
        groups = with_groups(groups, said, name_key)
        for tag, name, words in named_things(said.tags):
            names = (name.replace("_", " "), *(word for word in words if word != name))
            tagged.append(Thing(KINDS.get(tag, "concept"), names, tag not in KINDS))
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
