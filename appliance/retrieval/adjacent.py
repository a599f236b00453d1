"""Ranked places to places as shown: what is printed side by side is one place, as long as there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from appliance.core.evidence import Place
from appliance.core.mechanisms import mechanism

Item = TypeVar("Item")

WORDS = 370  # of a place as shown, about 500 tokens


@mechanism(
    "rank.adjacent", without=lambda ranked, limit, _around, _size: [[chunk] for chunk in ranked][:limit]
)
def side_by_side(
    ranked: Iterable[int],
    limit: int,
    around: Callable[[int], Iterable[int]],
    size: Callable[[int], int],
) -> list[list[int]]:
    """Return at most `limit` groups of shown chunks, in the order of the best of each, which comes first.

    A chunk joins the best group with one that it is printed beside (`around`), where all have room together
    by their words (`size`): the list then has room for what else bears on the question.
    """
    groups: list[list[int]] = []
    for chunk in ranked:
        beside = set(around(chunk))
        joins = (each for each in groups if beside & {*each} and sum(map(size, (*each, chunk))) <= WORDS)
        if own := next(joins, None):
            own.append(chunk)
        elif len(groups) < limit:
            groups.append([chunk])
        else:
            break
    return groups


def as_shown(groups: Sequence[Sequence[int]], places: Mapping[int, Place]) -> tuple[Place, ...]:
    """Return the place of each group: named by its best chunk, with the text of all as it is printed."""
    return tuple(_joined([places[chunk] for chunk in group]) for group in groups)


def _joined(places: Sequence[Place]) -> Place:
    best, *others = places
    if not others:
        return best
    printed = sorted(places, key=lambda place: place.chunk)
    return replace(
        best,
        labels=_each(place.labels for place in printed),
        pages=tuple(sorted(_each(place.pages for place in printed))),
        boxes=_each(place.boxes for place in printed),
        text="\n".join(place.text for place in printed),
        found_by=_each(place.found_by for place in places),
        parts=tuple(places),
    )


def _each(several: Iterable[Iterable[Item]]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(several)))
