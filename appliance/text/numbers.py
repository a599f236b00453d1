"""Printed numbers and units: what one looks like, and which number it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from appliance.core.files import shipped

SIGN = "[-\u2212\u2010\u2011\u2012\u2013]"  # hyphen, minus and what is printed for them
BLANK = "[\u00a0\u2007\u2009\u202f]"  # blanks at which no line breaks: they part the digits of one number

_HARD = rf"[1-9][0-9]{{0,2}}(?:{BLANK}[0-9]{{3}})+(?![0-9])(?:[.,][0-9]+)?"
_SOFT = r"(?:[1-9][0-9]?(?:[ ][0-9]{3})+|[1-9][0-9][0-9](?:[ ][0-9]00)+)(?![0-9])(?:[.,][0-9]+)?"
_COMMAS = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
_POINTS = r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,}(?![.,]?[0-9]))"
CODED = re.compile(r"[A-Z](?:/?[A-Z]){0,2}\W?")  # an entry of a table in letters: "P", "N/A", "C*"
MARKED = "[PB]{0,2}"  # behind the number of a paragraph: a principle, a rule for buildings ("(1)P", "(3)B")
COUNTED = r"(?:[0-9]{1,2}|1[0-9][0-9])"  # of a paragraph; later Parts count theirs from 101
PARAGRAPH = rf"\({COUNTED}\){MARKED}"

NUMBER = rf"(?:{_HARD}|{_SOFT}|{_COMMAS}|{_POINTS}|[0-9]+(?:[.,][0-9]+)?)"  # without its sign; has no groups

_DIGIT = re.compile(r"\d")
_DEGREE = re.compile(r"\u02da|(?<![^\W\d_])\u00ba")  # a ring above; a raised o, but not that of "n\u00ba"
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_POINT_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}")
_SIGNED = re.compile(rf"(?P<minus>{SIGN})?\+?(?P<rest>.*)", re.DOTALL)
_ROMAN = re.compile(r"(?:x[lc]|l?x{0,3})(?:i[xv]|v?i{0,3})")
_FIGURES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+", re.ASCII)


def with_degrees(text: str) -> str:
    """Return a text of the same length in which what prints as a degree is one ("48\u02daC", "48\u00baC")."""
    return text if text.isascii() else _DEGREE.sub("\u00b0", text)


def with_plain_digits(text: str) -> str:
    """Return a text of the same length with the digits of every alphabet as codes print them ("\u0663")."""
    return text if text.isascii() else _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)


def roman(text: str) -> int:
    """Return the Roman number of small letters, 0 where a text is none: 12 of "xii"."""
    if not text or not _ROMAN.fullmatch(text):
        return 0
    figures = [_FIGURES[letter] for letter in text]
    return sum(-one if one < after else one for one, after in zip(figures, [*figures[1:], 0], strict=True))


def value(printed: str, *, comma: bool = False) -> float:
    """Return the number that is printed; `comma` tells that a single comma is the decimal sign.

    Raises:
        ValueError: it is no number.
    """
    found = _SIGNED.fullmatch(re.sub(r"\s", "", printed))
    rest = found["rest"] if found else ""
    if _POINT_THOUSANDS.fullmatch(rest):
        plain = rest.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(rest) and not (comma and rest.count(",") == 1 and "." not in rest):
        plain = rest.replace(",", "")
    else:
        plain = rest.replace(",", ".")
    if not _PLAIN.fullmatch(plain):
        raise ValueError(f"{printed!r} is no number")
    return -float(plain) if found and found["minus"] else float(plain)


@cache
def spelt_numbers() -> Mapping[str, int]:
    """Return the numbers that are written as words: 3 of "three"."""
    spelt: dict[str, int] = shipped("quantities")["spelt"]
    return spelt


@cache
def unit_pattern() -> re.Pattern[str]:
    """Return what matches a unit as codes print it ("mm", "kN/m²", "l/s per m²")."""
    one = _symbols()
    part = rf"{_raised_apart()}|\(?(?:{one})\)?"
    return re.compile(rf"(?:{one})(?:\s?/\s?(?:{part})|(?:[·. ]| per )\(?(?:{one})\)?)*")


def closed_up(text: str) -> str:
    """Return a text with the raised figures of units that scans set apart beside them: "7 kN/m 2"."""
    return re.sub(rf"/\s?{_raised_apart()}", lambda found: re.sub(r"\s(?=\d$)", "", found.group()), text)


@cache
def _raised_apart() -> str:
    """Return what matches "m 2" where the figure is no number of its own: not "m 2 to 3", "m 2 kN"."""
    between = (*shipped("tables")["bounds"]["between"], "x", "×", ".", ",", ":", "/")
    joining = "|".join(map(re.escape, between))
    return rf"[cm]?m\s[23](?![^\W_]|\s?(?:{joining})\s?\d|\s?(?:{_symbols()})(?![^\W_]))"


@cache
def _symbols() -> str:
    """Return what matches the symbol of one unit; a degree may be printed by a sign that is like one."""
    symbols = sorted(shipped("units")["symbols"], key=len, reverse=True)
    return "|".join(map(re.escape, symbols)).replace("°", "[°\u00ba\u02da]")
