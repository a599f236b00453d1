"""What may be a number or list marker at the start of a line: every reading, none decided yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from appliance.core.files import shipped
from appliance.ingest.layout.typography import Row
from appliance.ingest.page import Line
from appliance.ingest.structure.schemes import Level
from appliance.text.numbers import roman

Number = tuple[int | str, ...]

NUMBERED_ANNEX = "annex"  # parts the numbers of annexes from those of clauses
SIGNED = 0.2  # price of a reading after signs of amendment
SECOND = 1.2  # price of a number in brackets before another: of "(5) (1) The" the second is the number
BEHIND_ANOTHER = 0.9  # price of that second one, or of one behind the letter of its annex
# What stands for an amendment's begin and end ("!", arrows) and what a scan makes of it ("~", "I§)").
_SIGNS = re.compile(
    r"(?:[~!\"'“”«»<>©®§@#*≠±]{1,3}|[^\s()]{0,4}[§~@©®{}<>][^\s()]{0,2}|\S{0,2}[§~@©®<>]\S{0,2})\s*(?=[(\w])"
)
_TWICE = re.compile(r"\(\d{1,2}\)\s?\(\d{1,2}\)")
# What may stand before the number of a paragraph: that of an amendment, the letter of the annex ("B(3) The").
_LED = re.compile(r"(?:\(\d{1,2}\)\s?|[A-Z]\s?)(?=\(\d{1,2}\)[PB]{0,2}\s+[A-Z])")
CJK = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"  # may follow a number without a space
# A mark of change round a number or behind it: "\\2\\ 1404.3.4 /2/".
CHANGE = re.compile(r"\s*(?P<mark>[^\w\s().\[])\w{1,2}(?P=mark)(?:\s+|$)")
_HAN = "零一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the start of a line.

    `number` is what follows in sequence ((5, 3, 2), ("A", 1)); `text` the number as the label writes
    it; `head` the words that go with it ("Section 4"); the rest of the line starts at `end`.
    """

    level: Level
    number: Number
    text: str
    head: str
    printed: str
    end: int
    price: float = 0.0
    principle: bool = False


def readings(text: str, levels: Sequence[Level]) -> Iterator[Reading]:
    """Yield every reading of the start of the text by these levels, marks and signs of change skipped."""
    if change := CHANGE.match(text):
        yield from _after(text, change.end(), levels, 0.0)
        return
    if signs := _SIGNS.match(text):
        yield from _plain_readings(text, levels)
        yield from _after(text, signs.end(), levels, SIGNED)
        return
    twice = _TWICE.match(text)
    for one in _plain_readings(text, levels):
        yield replace(one, price=one.price + SECOND) if twice and one.end < twice.end() else one
    if led := _LED.match(text):
        yield from _after(text, led.end(), levels, BEHIND_ANOTHER)


def _after(text: str, start: int, levels: Sequence[Level], price: float) -> Iterator[Reading]:
    """Yield the readings of the text from `start`, dearer by the price of what was skipped."""
    for one in _plain_readings(text[start:], levels):
        end = start + one.end
        change = CHANGE.match(text, end)
        end = change.end() if change else end
        yield replace(one, end=end, price=one.price + price, printed=text[:end].strip())


def _plain_readings(text: str, levels: Sequence[Level]) -> Iterator[Reading]:
    for level in levels:
        match = level.pattern.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        written = re.sub(r"\s", "", groups.get("number") or "")
        dotted = re.sub(r"^([A-Z])-(?=\d)", r"\1.", written)  # "B-2.1" is B.2.1, "H1-2.17" is 2.17 of a Part
        counted = written.upper() if level.series else dotted.rpartition("-")[2]
        number = parsed(counted, level.sequence)
        if number is None:
            continue
        annexed = groups.get("annexed")  # "A2.1" of Appendix 2
        if annexed or (level.kind == "annex" and isinstance(number[0], int) and len(number) == 1):
            number = (NUMBERED_ANNEX, *number)
        yield Reading(
            level=level,
            number=number,
            text=written,
            head=" ".join((groups.get("head") or annexed or "").split()),
            printed=text[: match.end()].strip(),
            end=match.end(),
            principle=bool(groups.get("principle")),
        )


def parsed(text: str, sequence: str) -> Number | None:
    """Return what a written number counts as, None where it cannot be one of that sequence."""
    if sequence == "letter":
        text = text.partition(".")[0]  # "A.1" stands behind A
        alphabets: list[str] = shipped("structure/alphabets")["letters"]
        letters = next((some for some in alphabets if text[0].lower() in some), "")
        doubled = len(letters) * (len(text) - 1)  # "aa" follows "z"
        return (letters.index(text[0].lower()) + 1 + doubled,) if letters and len(set(text)) == 1 else None
    if sequence == "doubled":  # "bb" follows "aa"
        return (ord(text[0].lower()) - ord("a") + 1,) if len(text) == 2 and text[0] == text[1] else None
    if sequence in {"roman", "han"}:
        value = roman(text.lower()) if sequence == "roman" else _han(text)
        return (value,) if value else None
    if sequence == "number":
        digits = re.search(r"\d+", normalize("NFKC", text))  # "NA.5" is 5, "⑤" too
        return (int(digits.group()),) if digits else None
    if sequence == "dotted":
        parts = re.findall(r"\d+|[A-Z]+", text)
        return tuple(int(part) if part.isdigit() else part for part in parts) or None
    return (text,)


def _han(text: str) -> int:
    """Return a Chinese number up to 99: 3 of 三, 12 of 十二, 20 of 二十."""
    tens, ten, ones = text.rpartition("十")
    figures = [_HAN.find(sign) for sign in (tens or ("一" if ten else "零"), ones or "零")]
    return 10 * figures[0] + figures[1] if len(text) <= 3 and min(figures) >= 0 else 0


LEFT_OUT = 5  # letters that a list in brackets may leave out
FIGURES = "ilo"  # letters that look like figures, which lists of many standards leave out
SAME = 0.5  # ems between the indents of one list's items
NEAR, NEAR_PARAGRAPH = 1.5, 3.0  # the same where the next number stands there, and of paragraphs
OUTSIDE = 0.8  # ems left of its marker at which a line after a full stop is no part of an item


def follows(row: Row, reading: Reading, last: tuple[int, float]) -> bool:
    """Tell whether a marker goes on with the list whose last number and indent are given."""
    step = value(reading) - last[0]
    near = abs(row.indent - last[1]) <= (NEAR_PARAGRAPH if reading.level.kind == "paragraph" else NEAR)
    lookalike = reading.level.sequence == "letter" and step == 2 and chr(ord("a") + last[0]) in FIGURES
    if step == 1 or lookalike or is_inserted(reading, last[0]):
        return near
    if reading.level.sequence == "letter" and 1 < step <= LEFT_OUT and reading.printed[:1] == "(":
        return abs(row.indent - last[1]) <= SAME and not parsed(reading.text, "roman")
    if reading.level.kind != "paragraph" or not near or reading.price:
        return False
    if row.fresh and step in {0, 2, 3}:  # left out, or by a slip printed twice
        return True
    upper = starts_upper(row.line.text[reading.end :].lstrip())
    return step > 0 and abs(row.indent - last[1]) <= SAME and (row.fresh or row.after_end) and upper


def starts_upper(text: str) -> bool:
    """Tell whether a text begins with a capital, or with a letter of a script that has none."""
    return text[:1].isalpha() and not text[:1].islower()


def is_inserted(reading: Reading, last: int) -> bool:
    """Tell whether an amendment has put the item behind the last one: "(aa)" or "A.1" behind "a" or "A"."""
    doubled = reading.text == 2 * chr(ord("a") - 1 + last)
    again = "." in reading.text and value(reading) == last
    return reading.level.sequence == "letter" and (doubled or again)


def value(reading: Reading) -> int:
    """Return what a marker counts as, 0 where it counts nothing."""
    first = reading.number[0]
    return first if isinstance(first, int) else 0


def leaves(row: Row, indent: float, lines: Sequence[Line], items: Sequence[Sequence[Line]]) -> bool:
    """Tell whether a line without white space above stands outside the item before it.

    It does left of the item's marker, or as a new sentence right below the marker in a list whose texts
    stand deeper. `indent` and `lines` are the item's, `items` the lines of all items of its list.
    """
    last = lines[-1]
    beside = (last.page, last.column) == (row.line.page, row.line.column)
    stopped = last.text.rstrip().endswith((".", ";", ":"))  # a short line may still go on
    if not (row.after_end and stopped and beside):
        return False
    if row.indent < indent - OUTSIDE:  # none of its own lines stands left of the marker
        first = lines[0]
        return all(line.x0 >= first.x0 - OUTSIDE * line.size for line in lines if line.page == first.page)
    below = row.indent <= indent + SAME and starts_upper(row.line.text)
    return below and any(
        (line.page, line.column) == (first.page, first.column) and line.x0 > first.x0 + OUTSIDE * line.size
        for first, *others in items
        for line in others
    )
