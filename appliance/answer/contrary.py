"""Whether a row or a column is for the opposite of what is asked: "with no lid" is not for "with a lid".

Rules of this module: pure. A condition is turned by a negation in its own phrase, which ends where a small
word or a sign opens the next. Two texts are opposed where the one states what the other only turns, or where
each holds one of two words that exclude each other ("single-storey", "multi-storey") and not the other. A
text that says both is opposed to nothing. Words: data/answer/columns.toml.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from appliance.core.files import shipped
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import words
from appliance.tables.ranges import alike

LONG = 3  # letters of a word that may state a condition


def opposed(asked: str, text: str, common: str = "") -> bool:
    """Tell whether a row or head is for the opposite of what a question states.

    `common` is said of all rows: its words tell nothing of one of them.
    """
    stated, turned = stated_and_turned(asked)
    held, denied = stated_and_turned(text)
    everywhere = frozenset(words(common))
    against = any(_among(word, denied) and not _among(word, held | everywhere) for word in stated - turned)
    against |= any(_among(word, held) and not _among(word, denied | everywhere) for word in turned - stated)
    return against or _excluded(stated, held)


def excluding(asked: str, text: str) -> bool:
    """Tell whether a text holds one of two words that exclude each other and the question the other."""
    return _excluded(stated_and_turned(asked)[0], stated_and_turned(text)[0])


def _excluded(stated: frozenset[str], held: frozenset[str]) -> bool:
    """Tell whether the two hold one side each of words that exclude each other."""
    for sides in _sides():
        mine = {at for at, side in enumerate(sides) if stated & side}
        other = {at for at, side in enumerate(sides) if held & side}
        if len(mine) == len(other) == 1 and mine != other:
            return True
    return False


def stated_and_turned(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that a text states and those that it turns."""
    stated: set[str] = set()
    turned: set[str] = set()
    for phrase in _phrases().split(text.casefold()):
        before, *behind = _negation().split(phrase, maxsplit=1)
        stated.update(_telling(before))
        turned.update(_telling(" ".join(behind)))
    return frozenset(stated), frozenset(turned)


def _telling(text: str) -> list[str]:
    stop = load_lexicon().stop
    return [word for said in text.split() if said not in stop for word in words(said) if len(word) >= LONG]


def _among(word: str, others: frozenset[str]) -> bool:
    return any(alike(word, other) for other in others)


@cache
def _phrases() -> re.Pattern[str]:
    """Return what ends a phrase; a negation that is a small word opens its own."""
    small = {*shipped("answer/columns")["behind"], *shipped("answer/columns")["joining"]}
    plain = sorted(word for word in small if word.isalpha() and word not in _data()["negations"])
    negations = "|".join(map(re.escape, _data()["negations"]))
    return re.compile(rf"[,;:.()/&]|\b(?:{'|'.join(plain)})\b|(?=\b(?:{negations})\b)")


@cache
def _negation() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _data()['negations']))})\b")


@cache
def _sides() -> tuple[tuple[frozenset[str], ...], ...]:
    """Return the words that exclude each other, in the form in which texts are compared."""
    return tuple(tuple(frozenset(words(" ".join(side))) for side in sides) for sides in _data()["words"])


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = shipped("answer/columns")["contrary"]
    return data
