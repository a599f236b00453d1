"""The difference of two texts by words, and the fold under which two texts are the same.

Rules of this module: pure functions. What is shown is always printed words; folding only decides whether
they are the same, so that a line broken elsewhere or another dash is no change.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Fate = Literal["same", "gone", "new"]

MOST = 4_000  # words of a text that are compared; of longer ones the rest is told as a whole
_WORD = re.compile(r"\S+")
_SIGNS = re.compile(r"[^\w%<>=\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}+/]", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that stand in both texts, in the older alone (gone), or in the newer alone (new)."""

    fate: Fate
    text: str


def folded(text: str) -> str:
    """Return a text without what only its setting decides: spaces, case, hyphens, kinds of quotes.

    Superscripts keep their digits (NFKC), and signs that change a value stay. The hyphen is not among
    them: at the end of a line none can be told from a dash, while a minus before a number stays.
    """
    plain = unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-")
    plain = re.sub(r"(?<![\w)])-(?=[\d.])", "minus", plain)
    plain = re.sub(r"(?<=\d)[.,](?=\d)", "point", plain)
    return _SIGNS.sub("", plain).casefold()


def difference(old: str, new: str) -> tuple[Stretch, ...]:
    """Return both texts as one line of stretches, in reading order."""
    return tuple(_joined(_compared(old, new)))


def around(old: str, new: str, context: int = 24) -> tuple[Stretch, ...]:
    """Return the difference of a quotation to the text that now stands there.

    What the newer text says before and after the quotation is cut to so many words.
    """
    found = _compared(old, new)
    if found and found[0].fate == "new":
        words = found[0].text.split()
        cut = len(words) > context
        found[0] = Stretch("same", " ".join((["…"] if cut else []) + words[-context:]))
    if len(found) > 1 and found[-1].fate == "new" and found[-2].fate == "same":
        words = found[-1].text.split()
        cut = len(words) > context
        found[-1] = Stretch("same", " ".join(words[:context] + (["…"] if cut else [])))
    return tuple(_joined(found))


def _compared(old: str, new: str) -> list[Stretch]:
    return list(_stretches(_WORD.findall(old)[:MOST], _WORD.findall(new)[:MOST]))


def _stretches(before: Sequence[str], after: Sequence[str]) -> Iterator[Stretch]:
    old, new = ([folded(word) or word for word in words] for words in (before, after))
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Stretch("same", " ".join(after[b0:b1]))
            continue
        if a1 > a0:
            yield Stretch("gone", " ".join(before[a0:a1]))
        if b1 > b0:
            yield Stretch("new", " ".join(after[b0:b1]))


def _joined(held: Sequence[Stretch]) -> Iterator[Stretch]:
    """Yield the stretches, those with a single short word between two changes joined to one change."""
    gone: list[str] = []
    new: list[str] = []
    for at, item in enumerate(held):
        between = bool(gone or new) and at < len(held) - 1 and held[at + 1].fate != "same"
        if item.fate == "gone":
            gone.append(item.text)
        elif item.fate == "new":
            new.append(item.text)
        elif between and len(item.text) <= 3 and " " not in item.text:
            gone.append(item.text)
            new.append(item.text)
        else:
            yield from _changed(gone, new)
            gone, new = [], []
            yield item
    yield from _changed(gone, new)


def _changed(gone: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
    if gone:
        yield Stretch("gone", " ".join(gone))
    if new:
        yield Stretch("new", " ".join(new))
