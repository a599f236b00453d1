"""Word stems for comparison: endings meet, and a short word is no prefix of a long one."""

from __future__ import annotations

import re
from collections.abc import Iterable


def singular(word: str) -> str:
    """Return a word without the "s" of its plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


STEM = 5  # letters by which words are compared
LONG = 10  # letters from which a word is another than the short one that it begins with

_WORD = re.compile(r"[^\W_]{2,}")


def asked_stem(word: str, *, whole: bool = True) -> str:
    """Return what a word of a question is found by in `held_stems`; one that is not `whole` was cut off."""
    plain = singular(word.casefold()) if whole else word.casefold()
    if whole and len(plain) <= STEM:
        return f"{plain}."
    return f"{plain[:STEM]}-" if len(plain) >= LONG else plain[:STEM]


def asked_stems(words: Iterable[str]) -> set[str]:
    """Return what whole words of a question are found by."""
    return {asked_stem(word) for word in words}


def merely_begins(asked: str, printed: str) -> bool:
    """Tell whether a short word of a question is but the beginning of a long one that is printed."""
    short, long = singular(asked.casefold()), singular(printed.casefold())
    return len(short) <= STEM and len(long) >= LONG and long.startswith(short)


def held_stems(text: str) -> set[str]:
    """Return by what each word of a text is found: by its beginning, a short one as a whole word too."""
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        plain = singular(word)
        begins = plain[:STEM]
        found.add(begins)
        if len(plain) < LONG:
            found.add(f"{begins}.")
        if len(plain) > STEM:
            found.add(f"{begins}-")
    return found
