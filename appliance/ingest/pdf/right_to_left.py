"""Text that runs from right to left: words and lines in reading order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any

from appliance.ingest.page import Word
from appliance.text.numbers import unit_pattern

_RIGHT = frozenset({"R", "AL"})
_PLAIN = frozenset({"L", "EN", "AN"})  # what keeps its direction inside text from right to left
_FORMS = ((0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))  # letters of Hebrew and Arabic in the shape of their place
_MIRROR = str.maketrans("()[]", ")(][")


@cache
def _class(sign: str) -> str:
    return unicodedata.bidirectional(sign)


def runs_left(text: str) -> bool:
    """Tell whether the text holds a letter of a script that runs from right to left."""
    return not text.isascii() and any(_class(sign) in _RIGHT for sign in text)


def shaped(sign: str) -> str:
    """Return the letters that a shape of a letter or ligature stands for, as they are drawn."""
    if any(first <= ord(sign) <= last for first, last in _FORMS):
        return unicodedata.normalize("NFKC", sign)[::-1]
    return sign


def left_to_right(spans: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the spans of a rawdict line, their characters in the order in which they stand.

    Several characters of one glyph are given as they would stand if each were drawn.
    """
    chars = [(span, char) for span in spans for char in span["chars"]]
    if not any(_class(char["c"]) in _RIGHT for _, char in chars if not char["c"].isascii()):
        return list(spans)
    starts = [char["bbox"][0] for _, char in chars]
    wide = [char["bbox"][2] - char["bbox"][0] > 0.01 for _, char in chars]
    places: list[tuple[float, int, int]] = []  # from left to right; those without width go with a glyph
    for at, (_, char) in enumerate(chars):
        if wide[at]:
            places.append((starts[at], 1, 0))
            continue
        before = next((i for i in range(at - 1, -1, -1) if wide[i]), None)
        after = next((i for i in range(at + 1, len(chars)) if wide[i]), None)
        turned = before is not None and after is not None and starts[after] < starts[before]
        follows = not turned or unicodedata.category(char["c"]) == "Mn"
        glyph = before if (follows and before is not None) or after is None else after
        places.append((starts[at if glyph is None else glyph], 0, at if turned else -at))
    ordered = [chars[at] for at in sorted(range(len(chars)), key=lambda at: (places[at], at))]
    found = []
    for _, group in groupby(ordered, key=lambda pair: id(pair[0])):
        run = list(group)
        letters = [  # those that a character is a shape of, as they would stand
            {**char, "c": letter} if letter != char["c"] else char
            for _, char in run
            for letter in ([char["c"]] if char.get("proven") else shaped(char["c"]))
        ]
        found.append({**run[0][0], "chars": letters})
    return found


def as_read(drawn: str) -> str:
    """Return a word that is given from left to right in the order in which it is read."""
    if not runs_left(drawn):
        return drawn
    signs = drawn[::-1]
    plain = [_class(sign) in _PLAIN for sign in signs]
    turned, at = "", 0
    while at < len(plain):  # each run from one plain sign to the last of it is turned back
        end = at + 1
        while plain[at] and end < len(plain) and (plain[end] or (end + 1 < len(plain) and plain[end + 1])):
            end += 1
        turned += signs[at:end][::-1]
        at = end
    closed, opened = turned.find(")"), turned.find("(")
    return turned.translate(_MIRROR) if -1 < closed < opened else turned


def words_as_read(words: Sequence[Word]) -> list[Word]:
    """Return the words of a line, given from left to right, in the order in which they are read."""
    right = [runs_left(word.text) for word in words]
    if not any(right):
        return list(words)
    letters = [sum(sign.isalpha() for sign in word.text) for word in words]
    if 2 * sum(n for n, turned in zip(letters, right, strict=True) if turned) >= sum(letters):
        order = _from_right(words, right, letters)
    else:
        order = [at for run in _right_runs(right, letters) for at in run]
    found = []
    for before, at in zip([order[0], *order], order, strict=False):
        # a piece is glued to the one before it where they touch as drawn
        glued = abs(before - at) == 1 and words[max(before, at)].glued
        found.append(words[at] if words[at].glued == glued else replace(words[at], glued=glued))
    return found


def _from_right(words: Sequence[Word], right: Sequence[bool], letters: Sequence[int]) -> list[int]:
    """Return the order of a line from right to left; Latin words and what follows them keep theirs."""
    groups: list[list[int]] = []
    for at, word in enumerate(words):
        first = groups[-1][0] if groups else at
        joins = first < at and not right[at] and not right[at - 1] and bool(letters[first])
        if joins and (letters[at] or word.glued or not unit_pattern().fullmatch(words[first].text)):
            groups[-1].append(at)
        else:
            groups.append([at])
    return [at for group in reversed(groups) for at in group]


def _right_runs(right: Sequence[bool], letters: Sequence[int]) -> Iterable[list[int]]:
    """Yield the places of a line from left to right, its runs of words from right to left turned."""
    at = 0
    while at < len(right):
        end = at + 1
        if right[at]:
            while end < len(right) and not (letters[end] and not right[end]):
                end += 1
            while not right[end - 1]:
                end -= 1
        yield list(range(end - 1, at - 1, -1))
        at = end
