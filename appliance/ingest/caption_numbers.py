"""Numbers of captions in a noisy text layer, read as the sequence that they most likely form.

Rules of this module: pure. Captions of one kind follow each other (6.1, 6.2, A.1); a number that the
text layer mangled ("A.I", "E.S", "81", "0.1" in Annex D) gets the reading that fits its neighbours
best, found over the whole sequence at once (Viterbi, IEEE Trans. Inf. Theory 13, 1967). A number that
fits as it stands is never changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from appliance.ingest.caption_start import BRACKET
from appliance.lookalikes import digits, letters

_SHAPE = re.compile(
    r"(?P<chapter>(?:NA\.)?(?:[A-Z]|\d+))?(?P<dot>\.?)(?P<number>\d+)(?P<rest>(?:[.-]\d+)*)(?P<suffix>[a-zA-Z]?(?:\(\w{1,2}\))?)"
)
_BRACKET = re.compile(rf"{BRACKET}$")
LONG, LONG_COST = 60, 1.5  # a document with so many items numbers them by chapter
READINGS = 24  # of one number, at most


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a number: its place in the order of the document and what it costs."""

    text: str
    chapter: tuple[int, int]
    number: int
    suffix: str
    cost: float


def folded(numbers: Sequence[str], again: Sequence[bool] = ()) -> list[str]:
    """Return the numbers, in document order, with mangled ones read as the sequence asks.

    `again` tells which say that they go on: one with the number before is no next one.
    """
    same = [
        bool(at) and at < len(again) and again[at] and number == numbers[at - 1]
        for at, number in enumerate(numbers)
    ]
    read = iter(_path([number for number, goes_on in zip(numbers, same, strict=True) if not goes_on]))
    found: list[str] = []
    for goes_on in same:
        found.append(found[-1] if goes_on else next(read))
    return found


def _path(numbers: Sequence[str]) -> list[str]:
    """Return the numbers of a sequence as they fit each other best."""
    if not numbers:
        return []
    readings = [_readings(number) for number in numbers]
    totals = [[reading.cost for reading in readings[0]]]
    back: list[list[int]] = [[0] * len(readings[0])]
    for before, here in pairwise(readings):
        column, arrows = [], []
        for reading in here:
            costs = [total + _step(b, reading) for total, b in zip(totals[-1], before, strict=True)]
            best = min(range(len(costs)), key=costs.__getitem__)
            column.append(costs[best] + reading.cost)
            arrows.append(best)
        totals.append(column)
        back.append(arrows)
    chosen = min(range(len(totals[-1])), key=totals[-1].__getitem__)
    path = []
    for place in range(len(numbers) - 1, -1, -1):
        path.append(readings[place][chosen].text)
        chosen = back[place][chosen]
    return path[::-1]


def _readings(number: str) -> list[_Reading]:
    """Return the ways to read a printed number, the printed one first; unreadable ones keep their text."""
    found: dict[str, _Reading] = {}
    plain, bracket = _apart(number)
    clean = plain.replace(",", ".").strip(".")
    head, dot, tail = clean.partition(".")
    heads = {head: 0.0} | dict.fromkeys(letters().get(head, ""), 1.0)
    if not dot and len(head) == 2 and head[0] in letters():  # "81" for "B1"
        heads |= {letter + head[1]: 1.0 for letter in letters()[head[0]]}
    figures = "".join(digits().get(char, char) for char in head)
    if figures != head and len(head) > 1:
        heads[figures] = 1.0
    tails = {tail: 0.0} | dict(_digit_readings(tail))
    for (h, h_cost), (t, t_cost) in product(heads.items(), tails.items()):
        reading = _reading(h + dot + t + bracket, h_cost + t_cost)
        if reading is not None and (reading.text not in found or found[reading.text].cost > reading.cost):
            found[reading.text] = reading
    readings = sorted(found.values(), key=lambda r: r.cost)[:READINGS]
    return readings or [_Reading(number, (0, 0), 0, "", 4.0)]


def _apart(number: str) -> tuple[str, str]:
    """Return a number and the bracket that ends it: "5.2" and "(A)"; its sign is never read as a figure."""
    bracket = _BRACKET.search(number)
    return (number[: bracket.start()], bracket[0]) if bracket else (number, "")


def _digit_readings(tail: str) -> list[tuple[str, float]]:
    """Return a tail with its letters read as digits: all of them, and all but the last."""
    every = "".join(digits().get(char, char) for char in tail)
    but_last = "".join(digits().get(char, char) for char in tail[:-1]) + tail[-1:]
    return [(text, 0.6) for text in {every, but_last} if text != tail]


def _reading(text: str, cost: float) -> _Reading | None:
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        return None
    chapter = shape["chapter"] or ""
    if chapter and not shape["dot"] and chapter[-1].isdigit():  # "12" is one number, not chapter 1
        number = int(chapter + shape["number"])
        return _Reading(text, (0, 0), number, shape["suffix"], cost + (LONG_COST if number > LONG else 0))
    last = chapter[-1:] if chapter else ""
    order = (0, int(chapter)) if chapter.isdigit() else (1, ord(last)) if last else (0, 0)
    return _Reading(text, order, int(shape["number"]), shape["suffix"], cost)


def _step(before: _Reading, here: _Reading) -> float:
    """Return how unlikely one number follows the other, 0 for the very next."""
    if here.chapter == before.chapter:
        ahead = here.number - before.number
        if ahead == 1 or (ahead == 0 and here.suffix > before.suffix):
            return 0.0
        return 0.3 * ahead if 0 < ahead <= 5 else 1.5 if ahead == 0 else 3.0
    if here.chapter > before.chapter:
        near = here.chapter[0] != before.chapter[0] or here.chapter[1] - before.chapter[1] <= 3
        return 0.2 + 0.3 * min(here.number - 1, 6) + (0.0 if near else 1.0)
    return 4.0
