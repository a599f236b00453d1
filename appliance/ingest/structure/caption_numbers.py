"""How captions begin, and their numbers as the sequence that they form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from typing import Literal

from rapidfuzz.distance import Levenshtein

from appliance.core.files import shipped
from appliance.ingest.structure.markers import CJK
from appliance.text.folding import digits, letters

CaptionKind = Literal["table", "figure"]
BRACKET = r"\((?:[A-Za-z]|[A-Z]{2}|\d{1,2})\)"  # "Table 5.2(A)", "Tableau 4.3(NA)", "TABLE 307.1(1)"
LETTER = r"\.?-[A-Z](?![\w-])"  # "Table 9.10.14.4.-A", "TABLE 16-A"
_SUBLETTER = r"\s[a-z](?=\s*(?:[.:–—-]|$)|\s+[A-Z])"  # "Table 1 a. Restrictions"
_APART = r"(?:\s\([A-Z]\)(?=\s*[–—:-]\s|\s*$))"  # "Table NA.A1.2 (A) – Design values"
_AFTER = rf"(?=[.,;:]?(?:$|[\s)(–—-]|{CJK}))"
_NOISY = re.compile(
    rf"(?:[A-Za-z0-9]{{1,2}}\s?[.,]\s?[A-Za-z0-9]{{1,3}}(?:{BRACKET})?|\d{{1,3}}(?=\s?[:–—-])|[A-Z]\d{{1,2}})"
    r"(?=[.,;:]?(?:$|[\s)(–—•·@-]))"
)
_BETWEEN = re.compile(
    r"\.?\s+|\.?\s*[–-]\s?(?=\d)|\.?(?=(?:[A-Z][.-]?)?\d)"
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
        rf"(?:[A-Z]{{1,3}}[.–-]?|[A-Z]\s)?\d+(?:[.:/–-]\d+)*"  # "Table B-1", "Fig. C 1", "TABLE R301.2(1)"
        rf"(?:{LETTER}|{_SUBLETTER}|[a-zA-Z]?(?:{BRACKET}|{_APART})?)|[ivx]{{1,4}}){_AFTER}"
        rf"|(?:[A-Z]\d{{1,2}}){{2,3}}[a-z]?{_AFTER}"  # "Table C2D2", "Table S5C11a"
        r"|[A-Z]{1,2}(?=:\s|\s[–—-]\s)"  # "TABLE A: Tolerances"
    )


def match(text: str, words: Mapping[str, tuple[str, ...]], *, noisy: bool) -> CaptionStart | None:
    """Return what a line says if it begins like a caption: a caption word and a number."""
    for kind in ("table", "figure"):
        for word in words.get(kind, ()):
            start = _after_word(text, word, noisy=noisy)
            found = (
                _before_word(text, word)
                if start is None
                else _after_number(text, start, word, words, noisy=noisy)
            )
            if found is not None:
                label, rest = found
                sign = _SIGN.match(rest)
                return CaptionStart(
                    kind, label, sign is not None, rest[sign.end() :] if sign else rest.strip()
                )
    return None


def _after_word(text: str, word: str, *, noisy: bool) -> int | None:
    """Return where the text goes on after the caption word, None where it does not begin with it."""
    if text[: len(word)].casefold() == word.casefold():
        end = _BETWEEN.match(text, len(word))
        return end.end() if end and (text[0].isupper() or word[0].islower() or not word.isascii()) else None
    if noisy and text[len(word) : len(word) + 1].isspace() and text[:1] == word[:1]:
        return len(word) + 1 if Levenshtein.distance(text[: len(word)], word) == 1 else None
    return None


def _before_word(text: str, word: str) -> tuple[str, str] | None:
    """Return the label and the rest of a line whose number stands before the caption word: "3. táblázat"."""
    number = _number().match(text)
    end = (
        re.compile(rf"\.?\s{re.escape(word)}(?=\s*(?:[.:–—-]|$)|\s+[^\W\d_](?!\S*\d))", re.IGNORECASE).match(
            text, number.end()
        )
        if number
        else None
    )
    return (text[: end.end()], text[end.end() :]) if end else None


def _after_number(
    text: str, start: int, word: str, words: Mapping[str, tuple[str, ...]], *, noisy: bool
) -> tuple[str, str] | None:
    """Return the label and the rest of the line; the number may be that of a figure ("Table to Figure 3")."""
    number = (_NOISY.match(text, start) if noisy else None) or _number().match(text, start)
    if number is not None:
        stem, _, letter = number[0].rpartition(" ")
        printed = f"{stem} {letter}" if letter.islower() and stem else "".join(number[0].split())
        printed = printed.replace(",", ".")
        return f"{word}{'' if re.match(CJK, word) else ' '}{printed}", text[number.end() :]
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


_SHAPE = re.compile(
    r"(?P<chapter>(?:NA\.)?(?:[A-Z]|\d+))?(?P<dot>[.–-]?)(?P<number>\d+)(?P<rest>(?:[.-]\d+)*)(?P<suffix>[a-zA-Z]?(?:\(\w{1,2}\))?)"
)
_BRACKET = re.compile(rf"{BRACKET}$")
LONG, LONG_COST = 60, 1.5  # a document with so many items numbers them by chapter
READINGS = 24  # of one number, at most


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a number: its place in the order of the document and what it costs."""

    text: str
    chapter: tuple[int, int]
    number: int
    suffix: str
    cost: float


def folded(numbers: Sequence[str], again: Sequence[bool] = (), firm: Sequence[bool] = ()) -> list[str]:
    """Return the numbers, in document order, with mangled ones read as the sequence asks.

    `again` tells which say that they go on: one with the number before is no next one; `firm` which cannot be
    mangled.
    """
    same = [
        bool(at) and at < len(again) and again[at] and number == numbers[at - 1]
        for at, number in enumerate(numbers)
    ]
    apart = [at for at, goes_on in enumerate(same) if not goes_on]
    read = iter(_path([_readings(numbers[at], firm=at < len(firm) and firm[at]) for at in apart]))
    found: list[str] = []
    for goes_on in same:
        found.append(found[-1] if goes_on else next(read))
    return found


def _path(readings: Sequence[Sequence[_Reading]]) -> list[str]:
    """Return the readings of the numbers of a sequence that fit each other best."""
    if not readings:
        return []
    totals = [[reading.cost for reading in readings[0]]]
    back: list[list[int]] = [[0] * len(readings[0])]
    for before, here in pairwise(readings):
        column, arrows = [], []
        for reading in here:
            costs = [total + _step(b, reading) for total, b in zip(totals[-1], before, strict=True)]
            best = min(range(len(costs)), key=costs.__getitem__)
            column.append(costs[best] + reading.cost)
            arrows.append(best)
        totals.append(column)
        back.append(arrows)
    chosen = min(range(len(totals[-1])), key=totals[-1].__getitem__)
    path = []
    for place in range(len(readings) - 1, -1, -1):
        path.append(readings[place][chosen].text)
        chosen = back[place][chosen]
    return path[::-1]


def _readings(number: str, *, firm: bool = False) -> list[_Reading]:
    """Return the ways to read a printed number, the printed one first; unreadable ones keep their text."""
    if firm:
        return [_reading(number, 0.0) or _Reading(number, (0, 0), 0, "", 4.0)]
    found: dict[str, _Reading] = {}
    plain, bracket = _apart(number)
    clean = plain.replace(",", ".").strip(".")
    dot = next((char for char in clean if char in ".–-"), ".")
    head, dot, tail = clean.partition(dot)
    heads = {head: 0.0} | dict.fromkeys(letters().get(head, ""), 1.0)
    if not dot and len(head) == 2 and head[0] in letters():  # "81" for "B1"
        heads |= {letter + head[1]: 1.0 for letter in letters()[head[0]]}
    figures = "".join(digits().get(char, char) for char in head)
    if figures != head and len(head) > 1:
        heads[figures] = 1.0
    tails = {tail: 0.0} | dict(_digit_readings(tail))
    for (h, h_cost), (t, t_cost) in product(heads.items(), tails.items()):
        reading = _reading(h + dot + t + bracket, h_cost + t_cost)
        if reading is not None and (reading.text not in found or found[reading.text].cost > reading.cost):
            found[reading.text] = reading
    readings = sorted(found.values(), key=lambda r: r.cost)[:READINGS]
    return readings or [_Reading(number, (0, 0), 0, "", 4.0)]


def _apart(number: str) -> tuple[str, str]:
    """Return a number and the bracket that ends it: "5.2" and "(A)"; its sign is never read as a figure."""
    bracket = _BRACKET.search(number)
    return (number[: bracket.start()], bracket[0]) if bracket else (number, "")


def _digit_readings(tail: str) -> list[tuple[str, float]]:
    """Return a tail with its letters read as digits: all of them, and all but the last."""
    every = "".join(digits().get(char, char) for char in tail)
    but_last = "".join(digits().get(char, char) for char in tail[:-1]) + tail[-1:]
    return [(text, 0.6) for text in {every, but_last} if text != tail]


def _reading(text: str, cost: float) -> _Reading | None:
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        return None
    chapter = shape["chapter"] or ""
    if chapter and not shape["dot"] and chapter[-1].isdigit():  # "12" is one number, not chapter 1
        number = int(chapter + shape["number"])
        return _Reading(text, (0, 0), number, shape["suffix"], cost + (LONG_COST if number > LONG else 0))
    last = chapter[-1:] if chapter else ""
    order = (0, int(chapter)) if chapter.isdigit() else (1, ord(last)) if last else (0, 0)
    return _Reading(text, order, int(shape["number"]), shape["suffix"], cost)


def _step(before: _Reading, here: _Reading) -> float:
    """Return how unlikely one number follows the other, 0 for the very next."""
    if here.chapter == before.chapter:
        ahead = here.number - before.number
        if ahead == 1 or (ahead == 0 and here.suffix > before.suffix):
            return 0.0
        return 0.3 * ahead if 0 < ahead <= 5 else 1.5 if ahead == 0 else 3.0
    if here.chapter > before.chapter:
        near = here.chapter[0] != before.chapter[0] or here.chapter[1] - before.chapter[1] <= 3
        return 0.2 + 0.3 * min(here.number - 1, 6) + (0.0 if near else 1.0)
    return 4.0


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
    title, continued = _without_continued(title, words.get("continued", ()))
    return Told(title, continued or sheet > 1, sheet)


def without_sheet(title: str, sheets: Sequence[str]) -> tuple[str, int]:
    """Return a title without the number of its sheet, and that number, 0 for none."""
    if not sheets:
        return title, 0
    said = "|".join(re.escape(word) for word in sheets)
    named = rf"\b(?:{said})\s+(\d{{1,2}})\s*(?:/|\w{{1,4}}\s)\s*\d{{1,2}}\b"
    for form in (
        rf"^[(\[]\s*{named}\s*[)\]][\s.:–—-]*",
        rf"^{named}[\s.:–—-]*",
        rf"[\s–—-]*[(\[]\s*{named}\s*[)\]]$",
    ):
        if found := re.search(form, title, flags=re.IGNORECASE):
            return title[: found.start()] + title[found.end() :], int(found[1])
    return title, 0


def _without_continued(title: str, said: Sequence[str]) -> tuple[str, bool]:
    """Return the title without a word that says it goes on, and whether there was one."""
    if not said:
        return title, False
    words = "|".join(re.escape(word) for word in said)
    for form in (
        rf"[\s–—-]*[(\[]?\s*\b(?:{words})\s*[)\]]?\s*\.?$",
        rf"(?:[\s–—-]*[(\[]|(?:^|\s)[–—-])\s*(?:{words}){_MORE}\s*[)\]]?\s*\.?$",
        rf"^[(\[]\s*(?:{words}){_MORE}\s*[)\]][\s:–—-]*",
        rf"^(?:{words})\b{_MORE}\.?$",
        rf"^(?-i:{words})\s+(?=\S)",  # "TABLE 1607.1-continued LIVE LOADS"
    ):
        cut = re.sub(form, "", title, flags=re.IGNORECASE)
        if cut != title:
            break
    return cut, cut != title
