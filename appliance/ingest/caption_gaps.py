"""Captions whose word the text layer of a scan lost: a number that the sequence skips, then a sign.

Rules of this module: pure. Between "Figure 6.2a" and "Figure 6.2c" a line that begins with "6.2b:", or
with a mangled word and that very number, is the missing caption; a number that no sequence skips never
makes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from appliance.ingest.caption_start import CaptionKind, CaptionStart

_NUMBER = re.compile(
    r"(?P<head>(?:[A-Z]+\.?)?(?:\d+[.-])*)(?P<number>\d+)(?P<open>\(?)(?P<suffix>[A-Za-z]?)\)?"
)
_LINE = re.compile(
    r"(?:(?P<word>\S+)\s)?(?P<number>[A-Z]?[\d.]+[a-z]?(?:\([A-Za-z]\))?)\s?[:–—-]+\s*(?P<rest>\S.*)"
)
_LIKE = 0.5  # of its letters, at least, a mangled caption word has in common with the true one


@dataclass(frozen=True, slots=True)
class Skipped:
    """A label that the captions skip, and the pages between which it should stand."""

    kind: CaptionKind
    word: str
    number: str
    first: int
    last: int


def skipped(captions: Iterable[tuple[CaptionKind, str, int]]) -> tuple[Skipped, ...]:
    """Return the single labels that (kind, label, page) in the order of the document skip."""
    found = []
    by_kind: dict[CaptionKind, list[tuple[str, int]]] = {"table": [], "figure": []}
    for kind, label, page in captions:
        by_kind[kind].append((label, page))
    for kind, placed in by_kind.items():
        for (one, first), (other, last) in pairwise(placed):
            word, _, number = one.rpartition(" ")
            middle = _between(number, other.rpartition(" ")[2])
            if middle and first <= last:
                found.append(Skipped(kind, word, middle, first, last))
    return tuple(found)


def _between(one: str, other: str) -> str:
    """Return the only number between two, "" where there is none or more than one."""
    before, after = _NUMBER.fullmatch(one), _NUMBER.fullmatch(other)
    if before is None or after is None or before["head"] != after["head"]:
        return ""
    if before["open"] != after["open"]:
        return ""
    number, suffix = int(before["number"]), before["suffix"]
    if suffix and after["suffix"] and after["number"] == before["number"]:
        lies = ord(after["suffix"]) - ord(suffix) == 2
        close = ")" if before["open"] else ""
        return f"{before['head']}{number}{before['open']}{chr(ord(suffix) + 1)}{close}" if lies else ""
    lies = not suffix and not after["suffix"] and int(after["number"]) - number == 2
    return f"{before['head']}{number + 1}" if lies else ""


def lost_word(text: str, page: int, missing: Iterable[Skipped]) -> CaptionStart | None:
    """Return what a line of this page says if it is the caption of a skipped label."""
    line = _LINE.match(text)
    for item in missing if line else ():
        if line is None or not item.first <= page <= item.last or line["number"].strip(".") != item.number:
            continue
        if line["word"] is None or Levenshtein.normalized_similarity(line["word"], item.word) >= _LIKE:
            return CaptionStart(item.kind, f"{item.word} {item.number}", sign=True, rest=line["rest"])
    return None
