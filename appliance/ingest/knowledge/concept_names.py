"""Concepts with all their names, and the words by which a code states values, demands and scope."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from appliance.core.files import shipped
from appliance.core.graph import NAME_WORD, Bound, Edge, Node, NodeKind, fold_word, name_key
from appliance.core.runs import grouped
from appliance.text.vocabularies import named_things, read_vocabulary, vocabulary_files, with_groups


class Nouns:
    """Words for what can be measured, as the file of quantities has them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        units: dict[str, set[str]] = {}
        self.adjectives: dict[str, str] = {}  # with the noun of each
        for entry in data["noun"]:
            for word in entry["words"]:
                units.setdefault(word, set()).add(entry["unit"])
            for adjective in entry.get("adjectives", ()):
                self.adjectives[adjective] = entry["words"][0]
        self.units = {word: frozenset(found) for word, found in units.items()}
        self.extremes: dict[str, Bound] = {  # the sign of "maximum" and its like
            word: sign for sign, words in data["extremes"].items() for word in words
        }
        self.edges = frozenset(data["edges"]["words"])  # words that no name of a quantity holds


class Wording:
    """The patterns of sentences, as their file has them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        conditions, ranges, requires = data["conditions"], data["ranges"], data["requires"]
        stating, joining = data["stating"], data["joining"]
        # With the bound that each sets, the longest first.
        self.before: list[tuple[Bound, re.Pattern[str]]] = [
            (entry["sign"], _pattern(_before(entry["before"]))) for entry in data["bound"]
        ]
        self.after: list[tuple[Bound, re.Pattern[str]]] = [
            (entry["sign"], _pattern(rf"\s*{_any(entry['after'])}(?![^\W_])"))
            for entry in data["bound"]
            if entry["after"]
        ]
        # Between the ends of a range, and between two numbers.
        self.joints = _any([*ranges["spanning"], *ranges["joined"]])
        self.joined = _pattern(rf"\s*{_any(ranges['joined'])}\s*")
        self.behind = _pattern(rf"{_any(ranges['behind'])}\s*$")
        self.comparing = _pattern(_before(data["comparing"]["words"]))
        self.linking = _pattern(rf"(?:\s*{_any(data['linking']['words'])}\b)*\s*")
        self.stating = _pattern(_any(stating["patterns"]))
        self.objects = _pattern(stating["objects"])
        self.subjects = _pattern(stating["subjects"])
        self.rules = _words(data["rules"]["words"])
        self.conditions = _words(conditions["words"])
        # A comma behind which a condition goes on; what makes it an aside on another place; words with which
        # none ends; and, behind a number, the case that it is for.
        self.continued = _pattern(rf"[,;]?\s*{_any(conditions['continued'])}(?![^\W_])")
        self.elsewhere = _words(conditions["elsewhere"])
        self.endings = frozenset(conditions["endings"])
        self.held_for = _pattern(rf"\s+(?P<words>{_any(conditions['behind'])}(?![^\W_])[^,;:.()]{{3,60}})")
        self.apart = _words(conditions["apart"])
        self.shares = _pattern(rf"\s*{_any(conditions['shares'])}")
        self.names = _pattern(rf"(?<![^\W_]){_any(conditions['names'])}\.?\s+$")
        lead = rf"(?:\W{{1,3}}{_any(requires['between'])}\b)*\W{{1,3}}$"
        self.requires = _pattern(rf"(?<![^\W_]){_any(requires['patterns'])}{lead}")
        leading = rf"(?:[^.;:]{{0,60}}\b{_any(requires['leading'])})?\W{{0,3}}"
        self.exceptions = _pattern(rf"(?<![^\W_]){_any(requires['exceptions'])}\b{leading}$")
        self.applies = _pattern(_any(data["applies"]["patterns"]))
        self.negative = _pattern(data["applies"]["negative"])
        values, names, demands = (_any(joining[key]) for key in ("values", "names", "demands"))
        articles, close, softened = (_any(joining[key]) for key in ("articles", "close", "softened"))
        self.between_values = re.compile(rf"\s*(?:,|{values}|\s)+(?:{articles}\s)?\s*", re.IGNORECASE)
        self.between_names = re.compile(rf"\s*(?:,|{names})\s*", re.IGNORECASE)
        self.between_demands = re.compile(rf"\W*(?:{demands}\b\W*){{0,3}}", re.IGNORECASE)
        # All that may stand between a name and the words of its bound.
        self.close = re.compile(rf"\s*\(?{close}?\s*{softened}?\s*\)?", re.IGNORECASE)


@cache
def nouns() -> Nouns:
    """Return the words for what can be measured; raises BadSettings."""
    return Nouns(shipped("graph/quantities"))


@cache
def wording() -> Wording:
    """Return the patterns of sentences; raises BadSettings."""
    return Wording(shipped("graph/sentences"))


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
        self._printed = grouped(printed)

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


class Vocabulary:
    """The nodes that no document owns, with all their names."""

    def __init__(self, things: Sequence[Thing]) -> None:
        named = {thing.node.id: thing.node for thing in reversed(things)}  # the first name of a node stays
        own = [thing for thing in things if not thing.gathers]
        self.nodes = tuple(sorted(named.values()))
        self.names = tuple(dict.fromkeys((thing.node.id, name) for thing in things for name in thing.names))
        self.edges = tuple(_near(own))
        self.phrases = Phrases((name, node) for node, name in self.names)
        # Without the names of disciplines, which only gather words; and of these, those that a thing is first
        # called by.
        self.subjects = Phrases((name, thing.node.id) for thing in own for name in thing.names)
        self.firsts = Phrases((thing.names[0], thing.node.id) for thing in own)


@dataclass(frozen=True, slots=True)
class Thing:
    """What a file names; `gathers` tells that its words only belong to it."""

    node: Node
    names: tuple[str, ...]
    gathers: bool = False


def _thing(kind: NodeKind, names: tuple[str, ...], *, gathers: bool = False) -> Thing:
    """Return a thing whose node is named by the first of its words."""
    return Thing(Node(kind, "", name_key(names[0]), names[0]), names, gathers)


@cache
def load_vocabulary(*folders: Path) -> Vocabulary:
    """Return what the shipped vocabularies and those of the folders know.

    Groups come without what later files drop, then what is tagged.

    Raises:
        BadSettings: a file is not what this program reads.
    """
    groups: list[tuple[str, ...]] = []
    tagged: list[Thing] = []
    for said in map(read_vocabulary, vocabulary_files(*folders)):
        groups = with_groups(groups, said, name_key)
        for tag, name, words in named_things(said.tags):
            names = (name.replace("_", " "), *(word for word in words if word != name))
            tagged.append(_thing(KINDS.get(tag, "concept"), names, gathers=tag not in KINDS))
    return Vocabulary([*(_thing("concept", group) for group in groups if group), *tagged])


def _near(things: Sequence[Thing]) -> Iterator[Edge]:
    """Yield an edge for each two things of which one bears the name that the other is first called by."""
    first = grouped((name_key(thing.names[0]), thing.node.id) for thing in things)
    pairs = {
        tuple(sorted((thing.node.id, other)))
        for thing in things
        for name in thing.names
        for other in first.get(name_key(name), ())
        if other != thing.node.id
    }
    for one, other in sorted(pairs):
        yield Edge(one, "EQUIVALENT_TO", other, NEAR, "shared word")
