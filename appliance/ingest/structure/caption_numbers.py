"""How captions begin, and their numbers as the sequence that they form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from appliance.core.files import shipped
from appliance.ingest.structure.markers import CJK

CaptionKind = Literal["table", "figure"]
# "Table 5.2(A)", "Tableau 4.3(NA)", "TABLE 307.1(1)", "Figure A-4.1.6.16.(6)(c)"
BRACKET = r"(?:\.?\((?:[A-Za-z]|[A-Z]{2}|\d{1,2})\))+"
LETTER = r"\.?-[A-Z](?![\w-])"  # "Table 9.10.14.4.-A", "TABLE 16-A"
_SUBLETTER = r"\s[a-z](?=\s*(?:[.:–—-]|$)|\s+[A-Z])"  # "Table 1 a. Restrictions"
_APART = r"(?:\s\([A-Z]\)(?=\s*[–—:-]\s|\s*$))"  # "Table NA.A1.2 (A) – Design values"
_AFTER = rf"(?=[.,;:]?(?:$|[\s)(–—-]|{CJK}))"
_BETWEEN = re.compile(
    r"\.?\s+|\.?\s*[–－-]\s?(?=\d)|\.?(?=(?:[A-Z][.-]?)?\d)"
)  # of word and number: "Fig.2", "Table-1"
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
        rf"(?:[A-Z]{{1,3}}[.–-]?|[A-Z]\s|§\s?)?\d+(?:[.:/–-]\d+)*"  # "Table B-1", "Fig. C 1", "Table § 6-1"
        rf"(?:{LETTER}|{_SUBLETTER}|\.(?:[IVX]{{1,4}}|[a-z])|[a-zA-Z]?(?:{BRACKET}(?:{LETTER})?|{_APART})?)|[ivx]{{1,4}}){_AFTER}"
        rf"|(?:[A-Z]\d{{1,2}}){{2,3}}[a-z]?{_AFTER}"  # "Table C2D2", "Table S5C11a"
        r"|[A-Z]{1,2}(?=:\s|\s[–—-]\s)"  # "TABLE A: Tolerances"
    )


def match(text: str, words: Mapping[str, tuple[str, ...]]) -> CaptionStart | None:
    """Return what a line says if it begins like a caption: a caption word and a number."""
    for kind in ("table", "figure"):
        for word in words.get(kind, ()):
            start = _after_word(text, word)
            found = _before_word(text, word) if start is None else _after_number(text, start, word, words)
            if found is not None:
                label, rest = found
                sign = _SIGN.match(rest)
                said = rest[sign.end() :] if sign else rest.strip()
                stop = sign is not None and sign[0].strip(" .") == ""  # "Table 3.1.3.1. is repealed"
                return CaptionStart(kind, label, sign is not None and not (stop and said[:1].islower()), said)
    return None


def _after_word(text: str, word: str) -> int | None:
    """Return where the text goes on after the caption word, None where it does not begin with it."""
    if text[: len(word)].casefold() == word.casefold():
        end = _BETWEEN.match(text, len(word))
        return end.end() if end and (text[0].isupper() or word[0].islower() or not word.isascii()) else None
    return None


def _before_word(text: str, word: str) -> tuple[str, str] | None:
    """Return the label and the rest of a line whose number stands before the caption word: "3. táblázat"."""
    number = _number().match(text)
    if number is None:
        return None
    behind = re.compile(rf"(?i)\.?\s{re.escape(word)}(?=\s*(?:[.:–—-]|$)|\s+[^\W\d_](?!\S*\d))")
    end = behind.match(text, number.end())
    return (text[: end.end()], text[end.end() :]) if end else None


def _after_number(
    text: str, start: int, word: str, words: Mapping[str, tuple[str, ...]]
) -> tuple[str, str] | None:
    """Return the label and the rest of the line; the number may be that of a figure ("Table to Figure 3")."""
    if number := _number().match(text, start):
        stem, _, letter = number[0].rpartition(" ")
        printed = f"{stem} {letter}" if letter.islower() and stem else "".join(number[0].split())
        printed = printed.replace(",", ".").replace("§", "§ ")
        return f"{word}{'' if re.match(CJK, word) else ' '}{printed}", text[number.end() :]
    middle, _, named = text[start:].partition(" ")
    for other in words.get("figure", ()) if 2 <= len(middle) <= 3 else ():
        inner = _after_word(named, other)
        number = _number().match(text, len(text) - len(named) + inner) if inner is not None else None
        if number:
            return f"{word} {middle} {other} {number[0]}", text[number.end() :]
    return None


def without_tag(text: str) -> str:
    """Drop the sign of an amendment before a caption, as a scan has it: "AC1 Table A.9", "<51 Figure 7.9"."""
    text = text.lstrip("~<>@|_-—–•·'\"([{*^ ")
    head, _, rest = text.partition(" ")
    return rest if len(head) <= 5 and not head.isalpha() else text


_MORE = r"(?:\s+[^\s()\[\]]+){0,4}"  # "(continued from the previous page)"


@dataclass(frozen=True, slots=True)
class Told:
    """A title without what tells that it goes on; `sheet` is the number of the sheet, 0 for none."""

    title: str
    continued: bool = False
    sheet: int = 0


def goes_on(title: str, words: Mapping[str, Sequence[str]]) -> Told:
    """Return a title without a word that says it goes on, and without the number of its sheet."""
    title, sheet = without_sheet(title, words.get("sheet", ()))
    said = "|".join(map(re.escape, words.get("continued", ()))) or "(?!)"
    for form in (
        rf"[\s–—-]*[(\[]?\s*\b(?:{said})\s*[)\]]?\s*\.?$",
        rf"(?:[\s–—-]*[(\[]|(?:^|\s)[–—-])\s*(?:{said}){_MORE}\s*[)\]]?\s*\.?$",
        rf"^[(\[]\s*(?:{said}){_MORE}\s*[)\]][\s:–—-]*",
        rf"^(?:{said})\b{_MORE}\.?$",
        rf"^(?-i:{said})\s+(?=\S)",  # "TABLE 1607.1-continued LIVE LOADS"
    ):
        cut = re.sub(form, "", title, flags=re.IGNORECASE)
        if cut != title:
            return Told(cut, continued=True, sheet=sheet)
    return Told(title, sheet > 1, sheet)


def without_sheet(title: str, sheets: Sequence[str]) -> tuple[str, int]:
    """Return a title without the number of its sheet, and that number, 0 for none."""
    said = "|".join(map(re.escape, sheets)) or "(?!)"
    named = rf"\b(?:{said})\s+(\d{{1,2}})\s*(?:/|\w{{1,4}}\s)\s*\d{{1,2}}\b"
    for form in (
        rf"^[(\[]\s*{named}\s*[)\]][\s.:–—-]*",
        rf"^{named}[\s.:–—-]*",
        rf"[\s–—-]*[(\[]\s*{named}\s*[)\]]$",
    ):
        if found := re.search(form, title, flags=re.IGNORECASE):
            return title[: found.start()] + title[found.end() :], int(found[1])
    return title, 0
