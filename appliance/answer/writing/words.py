"""The words of data/answer/writing.toml, as the checks of what a language model wrote need them.

Rules of this module: read once; all is compared folded, in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from appliance.answer.verify import particulars, phrases
from appliance.shipped import shipped
from appliance.store.words import fold

LETTERS = 5  # of a word that are compared, so that its endings do not count

_WORD = re.compile(r"[^\W\d_]{3,}")


def content(text: str) -> tuple[str, ...]:
    """Return the beginnings of the words of a text that tell what it is about, in order."""
    return tuple(begin for begin, _ in content_words(text))


def content_words(text: str) -> tuple[tuple[str, str], ...]:
    """Return these words with their beginnings before them."""
    found = (word for word in _WORD.findall(fold(text)) if word not in _fillers())
    return tuple((_same().get(word, word)[:LETTERS], word) for word in found)


def judgements(text: str) -> set[str]:
    """Return the words of a text that judge ("allowed", "sufficient")."""
    return set(_WORD.findall(fold(text))) & _judgements()


def turned(text: str) -> bool:
    """Tell whether a text holds a negation that is not part of a limit ("shall not", "never")."""
    return any(found in _turning() for found in particulars(text))


def naming() -> str:
    """Return a pattern of the words that name the number behind them as that of a place."""
    return any_of(words()["naming"])


@cache
def bounds() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of the words that bound a number, and the bound (">=", "<=") of each."""
    named = {**dict.fromkeys(words()["least"], ">="), **dict.fromkeys(words()["most"], "<=")}
    return re.compile(any_of(sorted(named, key=len, reverse=True))), named


@cache
def behind() -> frozenset[str]:
    """Return the words that bound the number before them."""
    return frozenset(words()["behind"])


def any_of(these: Sequence[str]) -> str:
    """Return a pattern of whole words or signs, however they are spaced."""
    spelt = (r"\s+".join(map(re.escape, item.split())) for item in these)
    return "|".join(rf"(?<!\w){item}(?!\w)" for item in spelt)


@cache
def words() -> dict[str, Any]:
    """Return what the file holds."""
    return shipped("answer/writing")


@cache
def _same() -> dict[str, str]:
    return {word: group[0] for group in words()["same"] for word in group}


@cache
def _fillers() -> frozenset[str]:
    return frozenset(str(words()["fillers"]).split())


@cache
def _judgements() -> frozenset[str]:
    return frozenset(words()["judgements"])


@cache
def _turning() -> frozenset[str]:
    own = {"not", "never", "no", "cannot"} & set(phrases("negations"))
    return frozenset(own | {modal for modal in phrases("modals") if modal.endswith(" not")})
