"""Which of two readings of one entry of a scanned table stands: its text layer, or the picture read again.

Rules of this module: pure, texts only. The layer stands unless it lost something that the picture has: a
figure, a Greek letter, what compares two numbers, a sign before a number of a table that writes signs, a
degree that it took for a nought. A Greek letter for a single Latin one is no gain where nothing else tells:
recognisers take "a" for "α". Where both are clean and their numbers differ, both are told.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.cell_noise import clean
from appliance.ingest.page import Word
from appliance.lookalikes import value_digits

WHOLE = 0.75  # of the signs of the layer: a reading with fewer has lost some
SIGNED = 3  # numbers with a sign, from which a table writes signs
ONE_SYMBOL = 3  # entries with the same words, from which they tell what symbol stands in another

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]{3,}")
_GREEK = re.compile(r"[Ͱ-Ͽ]{2,}")
_SIGN = re.compile(r"[+-]")
_SIGNED = re.compile(r"(?<!\S)[+−–-]\s?\d+(?:[.,]\d+)?(?!\S)")
_COMPARE = frozenset("<>≤≥⩽⩾±")
_DASHES = str.maketrans("–—−,", "---.")

Entry = list[tuple[Word, float]]


def writes_signs(layer: str) -> bool:
    """Tell whether the table of this text has a sign before its numbers."""
    return len(_SIGNED.findall(layer)) >= SIGNED


def verdict(layer: str, read: str, *, signed: bool = False) -> str:
    """Return whose reading stands: "layer", "picture", or the layer's with "both" told.

    `signed` tells that numbers of the table have signs.
    """
    plain = _plain(layer), _plain(read)
    if _is_symbol(layer, read) or _degrees(*plain) or (signed and _sign_found(*plain)):
        return "picture"
    same = _alike(layer, read) and has_figures(layer) and (clean(layer) or not clean(read))
    if not has_figures(read) or plain[0] == plain[1] or same:
        return "layer"
    found = Counter(_numbers(layer)) == Counter(_numbers(read)) and _signs(read) - _signs(layer)
    if found or _alike(layer, read):
        return "picture"  # the layer has lost Greek letters, what compares the numbers, or figures ("O.2m")
    if not clean(read) or len(plain[1]) < WHOLE * len(plain[0]):
        return "layer"  # a formula, of which the picture gave less
    return _cleaner(layer, read)


def _cleaner(layer: str, read: str) -> str:
    """Return which of two readings stands, of which that of the picture is clean."""
    if not clean(layer):
        return "picture"
    ours, theirs = Counter(_numbers(layer)), Counter(_numbers(read))
    if ours == theirs:
        return "layer"
    return "picture" if not ours - theirs else "both"


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two texts hold the same numbers with the same signs and compare them in the same way."""
    if _sign(one) != _sign(other):
        return False
    same = Counter(_numbers(one)) == Counter(_numbers(other)) and _signs(one) == _signs(other)
    return same or _alike(one, other)


def has_figures(text: str) -> bool:
    """Tell whether a text holds a figure."""
    return any(sign.isdigit() for sign in text)


def with_one_symbol(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with a Greek letter that was read as two ("φρ") as the one of its likes.

    Its likes are the entries of the table with the same words around a single letter of the two.
    """
    known: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        for at, (word, _) in enumerate(entry):
            if len(word.text) == 1 and "Ͱ" <= word.text <= "Ͽ":
                known[_around(entry, at)][word.text] += 1
    return [[_settled(entry, at, known) for at in range(len(entry))] for entry in entries]


def _settled(entry: Entry, at: int, known: dict[tuple[str, ...], Counter[str]]) -> tuple[Word, float]:
    word, score = entry[at]
    if not _GREEK.fullmatch(word.text):
        return entry[at]
    likes = [(count, sign) for sign, count in known[_around(entry, at)].items() if sign in word.text]
    count, sign = max(likes, default=(0, ""))
    return (replace(word, text=sign), score) if count >= ONE_SYMBOL else entry[at]


def _around(entry: Entry, at: int) -> tuple[str, ...]:
    """Return the words of an entry but for one; numbers are alike."""
    return tuple(
        "#" if other == at else "0" if has_figures(word.text) else word.text
        for other, (word, _) in enumerate(entry)
    )


def _is_symbol(layer: str, read: str) -> bool:
    """Tell whether the layer has noise where the picture has a Greek letter, and both the same words."""
    if has_figures(layer + read) or not _signs(read) - _signs(layer):
        return False
    words = [Counter(_WORD.findall(text.casefold())) for text in (layer, read)]
    others = [piece for piece in layer.split() if not _WORD.search(piece)]
    return bool(words[0]) and words[0] == words[1] and any(len(piece) > 1 for piece in others)


def _degrees(layer: str, read: str) -> bool:
    """Tell whether the layer has a nought where the picture has a degree, and the rest is the same."""
    return "°" in read and layer == read.replace("°", "0")


def _sign_found(layer: str, read: str) -> bool:
    """Tell whether the picture has a sign before the number that the layer has without."""
    return bool(_NUMBER.fullmatch(layer) and _SIGN.match(read) and read[1:] == layer)


def _sign(text: str) -> str:
    """Return the sign that a text begins with, "" for none."""
    found = _SIGN.match(_plain(text))
    return found.group() if found else ""


def _signs(text: str) -> Counter[str]:
    """Return the Greek letters and signs of comparison of a text."""
    return Counter(sign for sign in _plain(text) if sign in _COMPARE or "Ͱ" <= sign <= "Ͽ")


def _alike(one: str, other: str) -> bool:
    """Tell whether two texts differ only in letters and figures that are taken for each other."""
    return _as_figures(one) == _as_figures(other)


def _as_figures(text: str) -> str:
    return "".join(value_digits().get(sign, sign) for sign in _plain(text).lstrip("-•."))


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).translate(_DASHES)


def _numbers(text: str) -> list[str]:
    return [number.replace(",", ".") for number in _NUMBER.findall(text)]
