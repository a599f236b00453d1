"""Characters that recognition confuses (l/1, O/0), folded for search and never for display."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from appliance.core.files import data_folder, shipped


@cache
def _data() -> Mapping[str, Any]:
    return shipped("noise")


@cache
def digits() -> Mapping[str, str]:
    """Return sign -> the figure that it is taken for."""
    found: Mapping[str, str] = _data()["digits"]
    return found


@cache
def value_digits() -> Mapping[str, str]:
    """Return sign -> the figure that it is taken for in a value."""
    found: Mapping[str, str] = _data()["values"]
    return found


@cache
def marker_signs() -> Mapping[int, str]:
    """Return the table that turns what stands for figures, points and brackets of a marker into them."""
    return str.maketrans(_data()["markers"])


@cache
def second_figures() -> Mapping[str, str]:
    """Return letter -> a second figure that it is read for as often."""
    found: Mapping[str, str] = _data()["second_figures"]
    return found


@cache
def formula_numbers() -> Mapping[int, str]:
    """Return the table that turns letters in a formula's number into figures."""
    return str.maketrans(_data()["formula_numbers"])


@cache
def formula_figures() -> Mapping[int, str]:
    """Return the table for what stands behind the point of a formula's number in a poor text layer."""
    return str.maketrans(_data()["formula_figures"])


@cache
def confused_numbers(*, contents: bool = False) -> Mapping[int, str]:
    """Return the table that gives numbers that a poor text layer confuses one form."""
    return str.maketrans(_data()["confused_contents" if contents else "confused_numbers"])


@cache
def annex_letters(*, numbered: bool = False) -> Mapping[str, str]:
    """Return figure -> the letter of an annex that it is read for, alone or with a number behind."""
    found: Mapping[str, str] = _data()["annexes_numbered" if numbered else "annexes"]
    return found


@cache
def letters() -> Mapping[str, str]:
    """Return sign -> the letters that may be printed where a number begins with one."""
    found: Mapping[str, str] = _data()["letters"]
    return found


@cache
def folded() -> Mapping[str, str]:
    """Return sign or signs -> the one that stands for them in the folded form of a name."""
    found: Mapping[str, str] = _data()["folded"]
    return found


@cache
def language_words() -> frozenset[str]:
    """Return words of the language: those that the vocabulary of the shipped encoder holds whole.

    Whatever other models are installed decides nothing; without the file no word is known.
    """
    path = language_file()
    if not path.is_file():
        return frozenset()
    vocabulary = json.loads(path.read_text(encoding="utf-8")).get("model", {}).get("vocab", {})
    return frozenset(word for word in vocabulary if word.isalpha())


def language_file() -> Path:
    """Return the file that the words of the language are taken from."""
    return data_folder().joinpath(*str(_data()["language"]["vocabulary"]).split("/"))


@cache
def capitals() -> tuple[tuple[str, str], ...]:
    """Return what capitals of a word that opens a note or section are read as, each with the capitals."""
    return tuple((read, printed) for printed, reads in _data()["capitals"].items() for read in reads)
