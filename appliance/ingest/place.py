"""Tables, figures and formulas put into the clause tree.

Rules of this module: pure; an item belongs to the clause in which it stands on the page, whatever
clause mentions it; labels that repeat in the document ("Table 1" in every Part) get their Part.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from typing import TypeVar

from appliance.document import Box, Clause, Figure, Formula, Label, Table

Placed = TypeVar("Placed", Table, Figure, Formula)


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a clause starts, for finding what stands in it; `order` counts through the document."""

    order: int
    box: Box
    clause: Clause


@dataclass(frozen=True, slots=True)
class _Pages:
    """Starts by page, so that thousands of tables in tens of thousands of clauses are placed in one pass."""

    numbers: list[int]
    starts: list[list[_Start]]  # of each of these pages
    lasts: list[_Start]  # the last in order up to each of these pages


def place(items: Sequence[Placed], clauses: Sequence[Clause]) -> tuple[Placed, ...]:
    """Return the items with the clause in which each stands, labels told apart by their Part.

    An item belongs to the last clause that starts before it: on an earlier page, or above it on its
    own page in the same column or in one to the left.
    """
    pages = _pages(clauses)
    homes = [_home(item.boxes[0], pages) if item.boxes else None for item in items]
    keys = Counter(item.label.key for item in items)
    placed: list[Placed] = []
    for item, home in zip(items, homes, strict=True):
        part = _part_of(home, clauses) if home and keys[item.label.key] > 1 else ()
        label = _within(part, item.label)
        placed.append(replace(item, clause=home.label if home else None, label=label))
    return _distinct(placed)


def _pages(clauses: Sequence[Clause]) -> _Pages:
    found: dict[int, list[_Start]] = {}
    boxes = ((box, clause) for clause in clauses for box in clause.boxes)
    for order, (box, clause) in enumerate(boxes):
        found.setdefault(box.page, []).append(_Start(order, box, clause))
    numbers = sorted(found)
    starts = [found[number] for number in numbers]
    return _Pages(numbers, starts, list(accumulate((page[-1] for page in starts), _later)))


def _later(one: _Start, other: _Start) -> _Start:
    return max(one, other, key=lambda start: start.order)


def _home(box: Box, pages: _Pages) -> Clause | None:
    at = bisect_left(pages.numbers, box.page)
    before = pages.lasts[at - 1 : at] if at else []
    same = pages.starts[at] if pages.numbers[at : at + 1] == [box.page] else []
    above = [each for each in same if each.box.y0 <= box.y0 + 0.01 and each.box.x0 <= box.x1]
    met = [*before, *above]
    return reduce(_later, met).clause if met else None


def _part_of(clause: Clause, clauses: Sequence[Clause]) -> tuple[str, ...]:
    """Return the Part of a clause: of its label, else the top place above it."""
    if len(clause.label.parts) > 1:
        return clause.label.parts[:1]
    by_label = {item.label: item for item in clauses}
    top = clause
    while top.parent is not None and top.parent in by_label:
        top = by_label[top.parent]
    return (str(top.label),)


def _within(part: tuple[str, ...], label: Label) -> Label:
    """Return the label inside a Part; the label itself where there is none."""
    return Label((*part, *label.parts))


def _counted(label: Label, count: int) -> Label:
    """Return the label with a count before its printed number."""
    return Label((*label.parts[:-1], f"no. {count}", label.parts[-1]))


def _distinct(items: Sequence[Placed]) -> tuple[Placed, ...]:
    """Return the items with every label another one, by a count where nothing else tells apart."""
    used: dict[str, int] = {}
    done: list[Placed] = []
    for item in items:
        key = item.label.key
        used[key] = used.get(key, 0) + 1
        done.append(replace(item, label=_counted(item.label, used[key])) if used[key] > 1 else item)
    return tuple(done)
