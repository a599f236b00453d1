"""Items of a sequence that belong together: neighbours, those of one key, those that pairs join."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")


def runs(items: Iterable[Item], joins: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """Return the items in runs: each `joins` the run before it, or begins one."""
    found: list[list[Item]] = []
    for item in items:
        if found and joins(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def grouped(keyed: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Return the items by their keys, both in the order given; a key that there is not has none."""
    found: dict[Key, list[Item]] = defaultdict(list)
    for key, item in keyed:
        found[key].append(item)
    return found


def together(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the numbers below `count` in the sets that the pairs join them to (union-find), in order."""
    parent = list(range(count))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for one, other in pairs:
        parent[root(other)] = root(one)
    return list(grouped((root(at), at) for at in range(count)).values())
