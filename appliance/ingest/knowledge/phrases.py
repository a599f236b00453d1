"""Finding many names in a text at once, whatever their case and number.

Rules of this module: pure; names are compared word by word in a folded form (no case, no accents, no
plural s); of names that begin at one word, the longest is taken. The names of symbols and abbreviations
are compared as printed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from appliance.graph import NAME_WORD, fold_word

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
