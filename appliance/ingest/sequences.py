"""Gaps in sequences of printed numbers: what stands between 1.3 and 1.5 and was not found.

Rules of this module: pure. Numbers follow one another within one chapter of one Part; a sequence counts
from 1 (from 0 where it has one); letters behind a number ("3.2a", "3.2(a)") from the first that is there,
without those that look like figures. A sequence that misses more than it has is none, and tells nothing,
but for the paragraphs of a clause that begin with (1).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from appliance.document import Box, Label

UNUSED = "IO"  # letters that codes leave out of their annexes because they look like figures
LEFT_OUT = 9  # paragraphs that a clause may leave out behind (1), which are told all the same
FEWEST = 2  # items that make a sequence
ALIKE = "ilo"  # letters that lists may leave out for the same reason
_LETTER = re.compile(r"(?P<bare>.*[\d)])(?P<open>\(?)(?P<letter>[a-z])(?P<close>\)?)")
_ROMAN = re.compile(r".+\((?:[ivx]{2,5})\)?")
_NUMBER = re.compile(r"(?P<head>.*?)(?P<number>\d{1,3})(?P<tail>\)?P?)(?P<suffix>[a-z]?)")


@dataclass(frozen=True, slots=True)
class Placed:
    """A numbered item and where it stands."""

    label: Label
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A number that is skipped, as it would be printed; `before` is None at the start of a chapter."""

    printed: str
    before: Placed | None
    after: Placed


def gaps(items: Sequence[Placed]) -> tuple[Gap, ...]:
    """Return the skipped numbers of all sequences that the items form, in their order."""
    series: dict[tuple[tuple[str, ...], str, str], dict[int, Placed]] = defaultdict(dict)
    for item in items:
        shape = _NUMBER.fullmatch(str(item.label))
        if shape is not None:
            key = (item.label.parts[:-1], shape["head"], shape["tail"])
            series[key].setdefault(int(shape["number"]), item)
    named = {(item.label.parts[:-1], str(item.label)): item for item in items}
    for (above, head, _), found in series.items():  # the first sheet of a table bears its bare name
        if head.endswith(" (") and (first := named.get((above, head[:-2]))):
            found.setdefault(1, first)
    numbers = [gap for (_, head, tail), found in series.items() for gap in _skipped(found, head, tail)]
    return (*numbers, *_skipped_letters(items))


def _skipped_letters(items: Sequence[Placed]) -> list[Gap]:
    """Return the letters that are skipped behind one number: 6.2b of 6.2a and 6.2c, 5(c) of 5(b) and 5(d)."""
    series: dict[tuple[object, ...], dict[int, Placed]] = defaultdict(dict)
    roman = set()
    for item in items:
        shape = _LETTER.fullmatch(str(item.label))
        if shape is not None:
            key = (item.label.parts[:-1], shape["bare"] + shape["open"], shape["close"])
            series[key].setdefault(ord(shape["letter"]), item)
        elif _ROMAN.fullmatch(str(item.label)):
            roman.add((item.label.parts[:-1], str(item.label).rpartition("(")[0] + "("))
    return [
        Gap(f"{bare}{chr(letter)}{close}", found[max(n for n in found if n < letter)], found[letter + 1])
        for (above, bare, close), found in series.items()
        for letter in range(min(found) + 1, max(found))
        if (above, bare) not in roman
        and chr(letter) not in ALIKE
        and letter not in found
        and letter + 1 in found
    ]


def letter_gaps(items: Sequence[Placed]) -> tuple[Gap, ...]:
    """Return the letters that are skipped between places named by one: Annex B of Annex A and Annex C."""
    series: dict[tuple[object, ...], dict[str, Placed]] = defaultdict(dict)
    for item in items:
        head, letter = str(item.label)[:-1], str(item.label)[-1:]
        if head.endswith(" ") and letter in ascii_uppercase:
            series[item.label.parts[:-1], head].setdefault(letter, item)
    return tuple(
        Gap(
            f"{head}{letter}",
            found[max(known for known in found if known < letter)],
            found[min(known for known in found if known > letter)],
        )
        for (_, head), found in series.items()
        for letter in ascii_uppercase
        if min(found) < letter < max(found) and letter not in found and letter not in UNUSED
    )


def _skipped(found: dict[int, Placed], head: str, tail: str) -> list[Gap]:
    last = max(found)
    missing = [number for number in range(1, last) if number not in found]
    paragraphs = tail.startswith(")") and 1 in found and len(missing) <= LEFT_OUT
    if len(found) < FEWEST or (len(missing) > len(found) and not paragraphs):
        return []
    skipped = []
    for number in missing:
        earlier = [known for known in found if known < number]
        after = min(known for known in found if known > number)
        before = found[max(earlier)] if earlier else None
        skipped.append(Gap(f"{head}{number}{tail}", before, found[after]))
    return skipped


def in_one_sequence(one: Sequence[Placed], other: Sequence[Placed]) -> bool:
    """Tell whether two kinds of items are numbered together: no number twice, and no gap when joined."""
    shared = {_bare(item) for item in one} & {_bare(item) for item in other}
    if not one or not other or shared:
        return False
    joined = [Placed(Label((*i.label.parts[:-1], f"No {_bare(i)[-1]}")), i.boxes) for i in (*one, *other)]
    return not gaps(joined)


def _bare(item: Placed) -> tuple[str, ...]:
    """Return the number without its caption word, with the Part that it stands in."""
    return (*item.label.parts[:-1], str(item.label).rpartition(" ")[2])
