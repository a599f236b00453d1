"""How a line begins that may be a caption: a caption word of the scheme and a number.

Rules of this module: pure, text only; in a noisy text layer a caption word may have one wrong letter
and a number may hold letters; what the line looks like is judged in `captions`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rapidfuzz.distance import Levenshtein

from appliance.shipped import shipped

CaptionKind = Literal["table", "figure"]
BRACKET = r"\((?:[A-Za-z]|[A-Z]{2}|\d{1,2})\)"  # "Table 5.2(A)", "Tableau 4.3(NA)", "TABLE 307.1(1)"
LETTER = r"\.?-[A-Z](?![\w-])"  # "Table 9.10.14.4.-A", "TABLE 16-A"
_APART = r"(?:\s\([A-Z]\)(?=\s*[–—:-]\s|\s*$))"  # "Table NA.A1.2 (A) – Design values"
_AFTER = r"(?=[.,;:]?(?:$|[\s)(–—-]))"
_NOISY = re.compile(
    rf"(?:[A-Za-z0-9]{{1,2}}\s?[.,]\s?[A-Za-z0-9]{{1,3}}(?:{BRACKET})?|\d{{1,3}}(?=\s?[:–—-])|[A-Z]\d{{1,2}})"
    r"(?=[.,;:]?(?:$|[\s)(–—•·@-]))"
)
_SIGN = re.compile(r"\s*(?:[–—:•·=~-]|\.{1,2}(?=\s))+\s*")


@dataclass(frozen=True, slots=True)
class CaptionStart:
    """What a line begins with: `sign`: a dash or colon follows the number; `rest`: what comes then."""

    kind: CaptionKind
    label: str
    sign: bool
    rest: str


@cache
def _number() -> re.Pattern[str]:
    """Return what matches the number of a table or figure."""
    national = "|".join(map(re.escape, shipped("tables")["naming"]["national"]))
    return re.compile(
        rf"(?:(?:(?:{national})\.?\s?|[A-Z]\.(?=(?:{national})\.))?"  # "Table NA.A1.2", "Table A.NA.1"
        rf"(?:[A-Z]{{1,3}}\.?)?\d+(?:[.-]\d+)*"
        rf"(?:{LETTER}|[a-zA-Z]?(?:{BRACKET}|{_APART})?)|[ivx]{{1,4}}){_AFTER}"
        rf"|(?:[A-Z]\d{{1,2}}){{2,3}}[a-z]?{_AFTER}"  # "Table C2D2", "Table S5C11a"
        r"|[A-Z]{1,2}(?=:\s|\s[–—-]\s)"  # "TABLE A: Tolerances"
    )


def match(text: str, words: Mapping[str, tuple[str, ...]], *, noisy: bool) -> CaptionStart | None:
    """Return what a line says if it begins like a caption: a caption word and a number."""
    for kind in ("table", "figure"):
        for word in words.get(kind, ()):
            start = _after_word(text, word, noisy=noisy)
            if start is None:
                continue
            found = _after_number(text, start, word, words, noisy=noisy)
            if found is not None:
                label, rest = found
                sign = _SIGN.match(rest)
                return CaptionStart(
                    kind, label, sign is not None, rest[sign.end() :] if sign else rest.strip()
                )
    return None


def _after_word(text: str, word: str, *, noisy: bool) -> int | None:
    """Return where the text goes on after the caption word, None where it does not begin with it."""
    if text[: len(word)].casefold() == word.casefold() and text[len(word) : len(word) + 1].isspace():
        return len(word) + 1 if text[0].isupper() or word[0].islower() else None
    if noisy and text[len(word) : len(word) + 1].isspace() and text[:1] == word[:1]:
        return len(word) + 1 if Levenshtein.distance(text[: len(word)], word) == 1 else None
    return None


def _after_number(
    text: str, start: int, word: str, words: Mapping[str, tuple[str, ...]], *, noisy: bool
) -> tuple[str, str] | None:
    """Return the label and the rest of the line; the number may be that of a figure ("Table to Figure 3")."""
    number = (_NOISY.match(text, start) if noisy else None) or _number().match(text, start)
    if number is not None:
        printed = "".join(number[0].split()).replace(",", ".")
        return f"{word} {printed}", text[number.end() :]
    middle = re.match(r"(?:\S{2,3}) ", text[start:])
    for other in words.get("figure", ()) if middle else ():
        inner = _after_word(text[start + middle.end() :], other, noisy=noisy) if middle else None
        if inner is None or middle is None:
            continue
        begin = start + middle.end() + inner
        number = _number().match(text, begin)
        if number is not None:
            return f"{word} {middle[0]}{other} {number[0]}", text[number.end() :]
    return None


def without_tag(text: str) -> str:
    """Drop a short piece of noise before the caption word (amendment tags in scans: "<51 Figure 7.9")."""
    text = text.lstrip("~<>@|_-—–•·'\"([{*^ ")
    head, _, rest = text.partition(" ")
    return rest if len(head) <= 5 and not head.isalpha() else text
