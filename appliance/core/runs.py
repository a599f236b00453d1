"""Neighbours of a sequence that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def runs(items: Iterable[Item], joins: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """Return the items in runs: each `joins` the run before it, or begins one."""
    found: list[list[Item]] = []
    for item in items:
        if found and joins(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found
