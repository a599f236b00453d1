"""Pairing what was found with what is there, one to one, and counting it.

Rules of this module: pure. Items pair when one of their names is equal and their pages are the same
or next to each other. Names are compared without spaces and punctuation; in a second pass a leading
word is forgiven ("Requirement K1" and "K1", "Section 1" and "1"), because truth and code spell the
same number both ways. Exact pairs are made first, so that forgiveness never steals one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.evaluation.places import PAGES_APART

_IGNORED = re.compile(r"[\s:;,'\"\u00ad\u200b-\u200d\u2010-\u2015\u2018-\u201d\u2212\ufeff-]+")
_NUMBER_LAST = re.compile(r"^[^\d]*\s(?P<number>\S*\d\S*|[A-Z]{1,2}|[ivx]+)\.?$")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that pairs: its names, its page, and whether it is an error to return or miss it.

    An item that is not `counted` may pair, yet costs nothing where it does not: what the truth of a
    document leaves open (its list items, headings where only numbers are listed).
    """

    names: tuple[str, ...]
    page: int
    counted: bool = True

    @property
    def shown(self) -> str:
        """Return the name and page to print in a list of errors."""
        return f"{self.names[0]} (p. {self.page})"


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one kind of item, with the errors by name."""

    expected: int
    found: int
    returned: int
    correct: int
    missed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def recall(self) -> float | None:
        """Return the share of the expected items that was found; None where none is expected."""
        return self.found / self.expected if self.expected else None

    @property
    def precision(self) -> float | None:
        """Return the share of the returned items that is right; None where none was returned."""
        return self.correct / self.returned if self.returned else None

    @property
    def f1(self) -> float | None:
        """Return the harmonic mean of precision and recall; None where there is nothing to find."""
        if not self.expected:
            return None
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def total(scores: Iterable[Score]) -> Score:
    """Return the scores of several documents as one, each item counted once (micro average)."""
    parts = tuple(scores)
    return Score(
        expected=sum(part.expected for part in parts),
        found=sum(part.found for part in parts),
        returned=sum(part.returned for part in parts),
        correct=sum(part.correct for part in parts),
        missed=tuple(name for part in parts for name in part.missed),
        wrong=tuple(name for part in parts for name in part.wrong),
    )


def bare(text: str) -> str:
    """Return the text without case, spaces and the punctuation that printing varies."""
    return _IGNORED.sub("", text).casefold().rstrip(".")


def number_of(text: str) -> str:
    """Return the number or letter that ends a name of several words, "" where there is none."""
    match = _NUMBER_LAST.match(text.strip())
    return bare(match["number"]) if match else ""


def pair(expected: Sequence[Item], returned: Sequence[Item]) -> dict[int, int]:
    """Return which returned item (by position) is which expected one."""
    pairs: dict[int, int] = {}
    for names in (_exact_names, _loose_names):
        keys = [names(item) for item in returned]
        for wanted, item in enumerate(expected):
            if wanted in pairs:
                continue
            taken = set(pairs.values())
            wanted_names = names(item)
            candidates = [
                (abs(other.page - item.page), at)
                for at, other in enumerate(returned)
                if at not in taken and wanted_names & keys[at] and abs(other.page - item.page) <= PAGES_APART
            ]
            if candidates:
                pairs[wanted] = min(candidates)[1]
    return pairs


def score(expected: Sequence[Item], returned: Sequence[Item]) -> Score:
    """Return the counts of returned items against expected ones."""
    pairs = pair(expected, returned)
    right = set(pairs.values())
    neutral = {at for wanted, at in pairs.items() if not expected[wanted].counted}
    return Score(
        expected=sum(item.counted for item in expected),
        found=sum(item.counted for wanted, item in enumerate(expected) if wanted in pairs),
        returned=sum((item.counted or at in right) and at not in neutral for at, item in enumerate(returned)),
        correct=len(right - neutral),
        missed=tuple(item.shown for at, item in enumerate(expected) if item.counted and at not in pairs),
        wrong=tuple(item.shown for at, item in enumerate(returned) if item.counted and at not in right),
    )


def _exact_names(item: Item) -> frozenset[str]:
    return frozenset(bare(name) for name in item.names) - {""}


def _loose_names(item: Item) -> frozenset[str]:
    return _exact_names(item) | frozenset(number_of(name) for name in item.names) - {""}
