"""The words of data/answer/writing.toml, as the checks of written answers need them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from appliance.core.files import shipped
from appliance.text.terms import fold

LETTERS = 5  # of a word that are compared, so that its endings do not count

_WORD = re.compile(r"[^\W\d_]{3,}")


def content(text: str) -> tuple[str, ...]:
    """Return the beginnings of the words of a text that tell what it is about, in order."""
    found = (word for word in _WORD.findall(fold(text)) if word not in _fillers())
    return tuple(_same().get(word, word)[:LETTERS] for word in found)


def naming() -> str:
    """Return a pattern of the words that name the number behind them as that of a place."""
    return any_of(words()["naming"])


def pointing() -> str:
    """Return a pattern of the words that point to a place in passing."""
    return any_of(sorted(words()["pointing"], key=len, reverse=True))


@cache
def light() -> frozenset[str]:
    """Return the words that a sentence may leave out or add without meaning anything else."""
    return frozenset(words()["light"])


@cache
def linking() -> frozenset[str]:
    """Return the words that join the name of a row of a table, the head over a cell and the cell."""
    return frozenset(words()["linking"])


@cache
def short() -> frozenset[str]:
    """Return the words of up to three letters that are no symbols."""
    return frozenset(str(words()["short"]).split())


@cache
def lettered() -> frozenset[str]:
    """Return the words behind which a letter is a name."""
    return frozenset(str(words()["lettered"]).split())


@cache
def plural() -> frozenset[str]:
    """Return the words that mean something else without their final "s"."""
    return frozenset(str(words()["plural"]).split())


@cache
def powered() -> frozenset[str]:
    """Return the units that are printed with a power."""
    return frozenset(words()["powered"])


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
