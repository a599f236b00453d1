"""In which language an answer goes on paper: words of ours are put into it, sentences of the engine too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def english(text: str, /, **values: object) -> str:
    """Return a text of ours with its values put in."""
    return text % values if values else text


@dataclass(frozen=True, slots=True)
class Speech:
    """How a paper speaks: `say` words of ours, `phrase` a sentence of the engine, in `language`."""

    language: str = "en"
    say: Callable[..., str] = english
    phrase: Callable[[str], str] = str


ENGLISH = Speech()


def later(text: str) -> str:
    """Mark a text of a constant for the catalogue; it is said where it is written."""
    return text
