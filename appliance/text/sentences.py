"""Where sentences and list items begin and end, a text cut at a word, in which script a word is written."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Literal

from appliance.core.files import shipped

# Signs that open an item, as characters of a class: dashes, bullets, and the arrows, shapes, dingbats and
# unmapped signs of symbol fonts that word processors offer as bullets.
BULLETS = r"\-–—•‣⁃∙·*\u2190-\u21ff\u25a0-\u25ff\u2700-\u27bf\uf000-\uf0ff"
_STOP = re.compile(
    rf"[.!?…]+[\"”’)\]]*(?=\s)|;(?=\s*\n)|\n(?=\s*(?:[{BULLETS}]\s|\(?(?:[a-z]|[ivx]{{1,4}})[.)]\s))|\n\n+"
)
_WORD_BEFORE = re.compile(r"(?<!\w)(?:[^\W\d_][\w.]*)$")  # not the N of "Table 4.4N."
_OPENS = re.compile(
    r"(?!\s*\(\d[\d.,]*[ -][^\d\s()]{1,8}\d?\))"  # the same measure in other units: "24 in. (610 mm)"
    rf"\s*[\"“‘(\[{BULLETS}]*\s*(?:[A-Z0-9§]|\(?[a-z0-9]{{1,2}}\)|[a-z]\.\s+[A-Z])"
)
_MARKER_ONLY = re.compile(r"\s*[\"“(]?(?:[A-Z]?\d{0,3}(?:\.\d+)*|[a-z]|[ivx]{1,4})[.)]*\s*$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return [start, end) of each sentence, outer spaces left out."""
    spans: list[tuple[int, int]] = []
    start = 0
    stops = (match.end() for match in _STOP.finditer(text) if _ends(text, start, match))
    for end in chain(stops, (len(text),)):
        inner = text[start:end]
        if inner.strip():
            spans.append((start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip())))
        start = end
    return spans


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark.startswith((";", "\n")):
        return True
    if _MARKER_ONLY.match(text[start : match.end()]) or not _OPENS.match(text, match.end()):
        return False  # "a." or "1.14." opens a sentence, or it goes on in lower case
    return not mark.startswith(".") or not _abbreviated(text, match)


def _abbreviated(text: str, match: re.Match[str]) -> bool:
    before = _WORD_BEFORE.search(text[max(0, match.start() - 24) : match.start()])
    if not before:
        return False
    word = before.group().casefold()
    if len(word) == 1 and before.group().isupper():
        return not text[: match.start() - 1].rstrip().endswith(_abbreviations()["before_letters"])
    if word not in _abbreviations()["abbreviations"]:
        return False
    following = text[match.end() :].lstrip()[:1]
    return word not in _abbreviations()["also_final"] or following.isdigit()


@cache
def _abbreviations() -> dict[str, tuple[str, ...]]:
    return {name: tuple(words) for name, words in shipped("sentences/abbreviations").items()}


@lru_cache(maxsize=4096)
def script_of(sign: str) -> str:
    """Return the script of a letter as its Unicode name begins ("LATIN", "GREEK"), "" for other signs."""
    return unicodedata.name(sign, "").split(" ")[0] if sign.isalpha() else ""


def one_script(word: str) -> str:
    """Return the script that all letters of a word are of, "" where there is none or several."""
    found = {script_of(sign) for sign in word if sign.isalpha()}
    return found.pop() if len(found) == 1 else ""


ItemKind = Literal["dash", "letter", "roman", "number", "bracketed"]

_MARK = re.compile(
    rf"\s*(?:(?P<dash>[{BULLETS}])|\(?(?P<letter>[a-z])[).]|\(?(?P<roman>[ivx]{{2,}})[).]"
    r"|(?P<number>\d{1,2})[).]|\((?P<bracketed>\d{1,2})[).])\s"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of an item: its kind, its sign without brackets and stops, and where it ends in the text."""

    kind: ItemKind
    sign: str
    end: int


def shortened(text: str, length: int) -> str:
    """Return a text on one line, cut at a word where it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[:length].rsplit(" ", 1)[0] + " …"


def mark_of(text: str, at: int = 0) -> Mark | None:
    """Return the mark of the item that begins at a character of a text, None where none does."""
    found = _MARK.match(text, at)
    if found is None:
        return None
    kind, sign = next((name, said) for name, said in found.groupdict().items() if said)
    return Mark(kind, sign, found.end())  # type: ignore[arg-type]  # the names of the groups are the kinds
