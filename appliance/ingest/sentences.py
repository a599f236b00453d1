"""Where sentences begin and end in the text of a code.

Rules of this module: spans only, the text is never changed; together the spans hold every character
that is not space. A full stop ends a sentence unless it stands in a number, an abbreviation or an
initial; a line that begins a list item begins a sentence. Abbreviations are data. (The
usual library, pysbd 0.3.4, cuts 5 of the 22 texts of the test's table elsewhere: "1.14. The", "approx. 3".)
"""

from __future__ import annotations

import re
from functools import cache

from appliance.shipped import shipped

_STOP = re.compile(
    r"[.!?…]+[\"”’)\]]*(?=\s)|;(?=\s*\n)|\n(?=\s*(?:[-–•—]\s|\(?(?:[a-z]|[ivx]{1,4})[.)]\s))|\n\n+"
)
_WORD_BEFORE = re.compile(r"(?<!\w)(?:[^\W\d_][\w.]*)$")  # not the N of "Table 4.4N."
_OPENS = re.compile(r"\s*[\"“‘(\[•–—-]*\s*(?:[A-Z0-9§]|\(?[a-z0-9]{1,2}\)|[a-z]\.\s+[A-Z])")
_MARKER_ONLY = re.compile(r"\s*[\"“(]?(?:[A-Z]?\d{0,3}(?:\.\d+)*|[a-z]|[ivx]{1,4})[.)]*\s*$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return [start, end) of each sentence, outer spaces left out."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _STOP.finditer(text):
        if _ends(text, start, match):
            _add(spans, text, start, match.end())
            start = match.end()
    _add(spans, text, start, len(text))
    return spans


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    inner = text[start:end]
    if inner.strip():
        spans.append((start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip())))


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark.startswith((";", "\n")):
        return True
    if _MARKER_ONLY.match(text[start : match.end()]):
        return False  # "a." or "1.14." opens a sentence
    if not _OPENS.match(text, match.end()):
        return False  # goes on in lower case
    return not mark.startswith(".") or not _abbreviated(text, match)


def _abbreviated(text: str, match: re.Match[str]) -> bool:
    before = _WORD_BEFORE.search(text[max(0, match.start() - 24) : match.start()])
    if not before:
        return False
    word = before.group().casefold()
    if len(word) == 1 and before.group().isupper():
        return not text[: match.start() - 1].rstrip().endswith(_before_letters())
    abbreviations, final = _abbreviations()
    if word not in abbreviations:
        return False
    following = text[match.end() :].lstrip()[:1]
    return word not in final or following.isdigit()


@cache
def _data() -> dict[str, list[str]]:
    return shipped("sentences/abbreviations")


@cache
def _before_letters() -> tuple[str, ...]:
    return tuple(_data()["before_letters"])


@cache
def _abbreviations() -> tuple[frozenset[str], frozenset[str]]:
    data = _data()
    return frozenset(data["abbreviations"]), frozenset(data["also_final"])
