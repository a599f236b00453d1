"""Characters that recognition confuses (l/1, O/0), folded for search and never for display."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from appliance.core.files import data_folder, shipped


def value_digits() -> Mapping[str, str]:
    """Return sign -> the figure that it is taken for in a value."""
    found: Mapping[str, str] = shipped("noise")["values"]
    return found


@cache
def formula_numbers() -> Mapping[int, str]:
    """Return the table that turns letters in a formula's number into figures."""
    return str.maketrans(shipped("noise")["formula_numbers"])


def folded() -> Mapping[str, str]:
    """Return sign or signs -> the one that stands for them in the folded form of a name."""
    found: Mapping[str, str] = shipped("noise")["folded"]
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
    return data_folder().joinpath(*str(shipped("noise")["language"]["vocabulary"]).split("/"))
