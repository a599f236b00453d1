"""A text as the grammar of the codes reads it: short words in full, national letters parted by a blank.

Rules of this module: pure; every place of what is read is led back to the text as it was written. "cl.1.15"
is "clause 1.15", "§§ 5.2 and 5.3" are sections, but only before a number: "5 sec. 3" counts seconds, "Cl 0.4"
is chloride. National letters that a hyphen joins to a European or international standard ("SS-EN 1990") are
those of a body like any other. Words: data/citing/short.toml.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from appliance.shipped import shipped

_NATIONAL = re.compile(
    r"(?<![\w-])(?P<letters>[^\W\d_a-z]{1,6})(?P<joint>[-‐‑–])(?=(?P<what>(?:pr)?(?:EN|ISO|IEC)\b))"
)
_DIGITS = r"\(?[A-Z]{0,3}\.?(?!0[.,])\d"  # no clause is numbered "0.4"


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text as it is read; `ends` are the places behind what was changed, `places` those of it as written.

    `joined` are the national letters that a hyphen joined, as they are read, by how they were written.
    """

    text: str
    ends: tuple[int, ...]
    starts: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    joined: tuple[tuple[str, str], ...] = ()

    def written(self, at: int) -> int:
        """Return the place of the written text that a place of the read one stands for."""
        before = bisect_right(self.ends, at) - 1
        inside = bisect_right(self.starts, at) - 1
        if inside > before:
            return self.places[inside][0]
        return at if before < 0 else at - self.ends[before] + self.places[before][1]

    def as_written(self, designation: str) -> str:
        """Return a designation with its national letters joined as they were."""
        for read, written in self.joined:
            designation = designation.replace(read, written)
        return designation


def spelled(text: str) -> Spelled:
    """Return a text with what is written short in full."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    places: list[tuple[int, int]] = []
    at = length = 0
    for start, end, word in _changes(text):
        parts += (text[at:start], word)
        starts.append(length + start - at)
        length += start - at + len(word)
        ends.append(length)
        places.append((start, end))
        at = end
    joined = {
        f"{match['letters']} {match['what']}": f"{match.group()}{match['what']}"
        for match in _NATIONAL.finditer(text)
    }
    whole = "".join((*parts, text[at:]))
    return Spelled(whole, tuple(ends), tuple(starts), tuple(places), tuple(joined.items()))


def _changes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what is written short, in the order of the text, with the word in full."""
    short = _short()
    for match in short.pattern.finditer(text):
        if match["joint"]:
            yield match.start("joint"), match.end("joint"), " "
            continue
        form = match["form"].casefold()
        word = short.words[form]
        if form in short.dotted and not short.placed.match(text, match.end()):
            continue
        if match["number"] is not None or word in short.lettered:
            yield match.start("form"), match.end(), f"{word} "


@dataclass(frozen=True, slots=True)
class _Short:
    pattern: re.Pattern[str]
    words: dict[str, str]
    lettered: frozenset[str]
    dotted: frozenset[str]
    placed: re.Pattern[str]  # a number that such a form may stand before


@cache
def _short() -> _Short:
    data = shipped("citing/short")
    words = {form: word for word, forms in data["words"].items() for form in forms}
    longest = sorted(words, key=len, reverse=True)
    forms = "|".join(re.escape(form) for form in longest)
    short = (
        rf"(?<![\w.§-])(?<!^\d\s)(?<![\s(]\d\s)(?<![\s(]\d\d\s)(?P<form>(?i:{forms}))(?:(?<!\.)\.)?(?:(?<=[.§])\s{{0,3}}|\s{{1,3}})"
        rf"(?:(?P<number>(?={_DIGITS}))|(?=[A-Z](?!\w)))"
    )
    units = "|".join(map(re.escape, data["dotted"]["units"]))
    return _Short(
        re.compile(f"{short}|{_NATIONAL.pattern}"),
        words,
        frozenset(data["lettered"]["words"]),
        frozenset(data["dotted"]["words"]),
        re.compile(rf"[A-Z]?\d{{1,2}}\.\d{{1,2}}(?![\w.]\w|\s?(?:{units})\b)"),
    )
