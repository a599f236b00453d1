"""The rows of a table that a question joins: "balconies and offices" asks for two.

Rules of this module: pure. Only what stands right beside "and" or "or" is joined, with what commas put before
it. Where the rows stated are named by one of the things joined, those that another one names come too; a
word further off ("the floor of offices and shops") joins nothing. A name holds the very word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from appliance.core.files import shipped
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import words

MOST = 6  # rows that are stated together
SHORT = 3  # words between two commas of a list
BESIDE = 2  # words that name a thing beside "and"

_TOKEN = re.compile(r"[^\W_]+|[,;&?.]")


def joined(asked: str, names: Mapping[int, str], stated: Sequence[int]) -> list[int]:
    """Return further rows, by number, that a question joins to those stated; `names` are of all rows."""
    held = {row: set(words(name)) for row, name in names.items()}
    known = set[str]().union(*held.values())
    said = set[str]().union(*(held.get(row, ()) for row in stated))
    found: dict[int, None] = {}
    for things in _lists(asked):
        named = [thing & known for thing in things]
        if any(thing and thing <= said for thing in named):
            lacking = set[str]().union(*named) - said
            found |= dict.fromkeys(row for row, own in held.items() if own & lacking)
    return list(found) if len(found) + len(stated) <= MOST else []


def _lists(asked: str) -> Iterator[list[set[str]]]:
    """Yield the words of the things that each "and" or "or" of a question joins."""
    parts: list[list[str]] = [[]]
    marks: list[str] = []
    for token in _TOKEN.findall(asked.casefold()):
        if token in _joining() or not token[0].isalnum():
            marks.append(token)
            parts.append([])
        else:
            parts[-1].append(token)
    for at, mark in enumerate(marks):
        if mark in _joining():
            first = at
            while first and marks[first - 1] == "," and len(parts[first]) <= SHORT:
                first -= 1
            between = [set(words(" ".join(part))) for part in parts[first + 1 : at + 1]]
            yield [_nearest(parts[first][::-1]), *between, _nearest(parts[at + 1])]


def _nearest(part: Sequence[str]) -> set[str]:
    """Return the words of a thing that stands at the beginning of a part, behind its article."""
    found: list[str] = []
    for word in part[: BESIDE + 1]:
        if word not in load_lexicon().stop:
            found.append(word)
        elif found:
            break
    return set(words(" ".join(found[:BESIDE])))


@cache
def _joining() -> frozenset[str]:
    return frozenset(one for one in shipped("answer/columns")["joining"] if one.isalpha() or one == "&")
