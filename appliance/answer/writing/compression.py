"""Is a sentence the same as a printed one, or a compression of it that leaves its meaning as it is?

Rules of this module: pure functions of text. Textual entailment is restricted to what needs no knowledge:
the words, numbers and signs of a written sentence must be those of the printed one, all of them, in the same
order. Only articles, forms of "be", a final "s" and a reference in passing ("see 4.2") may differ.
Whatever else a sentence leaves out may be its condition, so it is not the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache

from appliance.answer.writing.tokens import Word, words_of
from appliance.answer.writing.words import any_of, naming, pointing, words

SHOWN = 6  # words of a reason
PLACE = r"(?:[A-Z]{0,3}\.?\d[\w.]*(?:\(\w+\))*|[A-Z](?:\.\d+)+)"  # the number of a place


def difference(written: str, printed: str, leave: Collection[str] = ()) -> tuple[int, str]:
    """Return how many words apart two sentences are but for `leave`, and how; (0, "") for the same."""
    own = [word for word in words_of(written) if word[0] not in leave]
    texts = dict.fromkeys((printed, _without_pointers(printed)))
    others = ([word for word in words_of(text) if word[0] not in leave] for text in texts)
    return min(_apart(own, other) for other in others)


def _apart(own: Sequence[Word], other: Sequence[Word]) -> tuple[int, str]:
    ours, theirs = ([begin for begin, _ in words] for words in (own, other))
    if ours == theirs:
        return 0, ""
    strange, left = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    apart = strange.total() + left.total()
    if strange:
        return apart, f"not in the quoted text: {_shown(own, strange)}"
    if left:
        return apart, f"it leaves out what the quoted text says with it: {_shown(other, left)}"
    return 1, "the quoted text says it in another order"


def _shown(words: Sequence[Word], these: Counter[str]) -> str:
    shown = dict.fromkeys(word for begin, word in words if begin in these and not word.isspace())
    return ", ".join(list(shown)[:SHOWN]) or "“ ”"  # what alone differs is a space between numbers


def _without_pointers(text: str) -> str:
    """Return a text without references that are made in passing, at its end or in brackets; not to notes."""
    return _pointer().sub(lambda found: found.group() if _noted().search(found.group()) else "", text)


@cache
def _noted() -> re.Pattern[str]:
    return re.compile(any_of(words()["noted"]), re.IGNORECASE)


@cache
def _pointer() -> re.Pattern[str]:
    named = rf"(?:(?:{naming()})\s+)?{PLACE}"
    listing = "|".join(map(re.escape, words()["listing"]))
    pointer = rf"(?:{pointing()})\s+{named}(?:\s*(?:,|{listing})\s*{named})*"
    return re.compile(rf"\s*\({pointer}\)|\s*[,;]\s*{pointer}(?=\s*\.?\s*$)", re.IGNORECASE)
