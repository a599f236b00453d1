"""The numbers of parts: one number, a list of them, a range of them."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from appliance.ingest.references.named_documents import Reading
from appliance.text.numbers import COUNTED

Own = tuple[re.Pattern[str], ...]
LONGEST_RANGE = 60
_PREFIX = r"(?:[A-Z]{1,3}\d{0,2}[A-Z]?(?:\.\s?|-(?=[A-Z]?\.?\d{1,3}\.\d)))*[A-Z]{0,3}"
_SUB = rf"(?:\s?|\.)\(\s?(?:{COUNTED}[A-Z]{{0,2}}|[lI][\dlIO]|\dl|[a-z]|[ivx]{{1,4}}|[A-HlI])\s?\)"
_ITEM = r"(?:\s?[a-z]\)(?:\s?\([ivx]{1,4}\)|(?!\s?\()))"  # "5.2(3)P a)", "5.2(1)c) (ii)"
_LETTER = r"(?:[a-z](?![A-Za-z0-9)]))"  # "5.2(1)a"
_SUBS = rf"(?:(?:{_SUB})+(?:(?:PB?|BP?)(?![A-Za-z]))?(?:{_SUB}|{_ITEM}|{_LETTER})?)"
_DOTTED = r"\d{1,4}[A-Z]{0,2}(?:\.\s?\d{1,3}|\s\.\d{1,2}|\.[\dlIOS]{1,3}(?=[\s.,;:()]|$))*"
_DOTTED += r"(?:(?<=\.\d)\s[OlI](?=[.,;:)](?:\s|$)|$))?"  # "C.1 O."
_DOTTED += r"(?:\.[A-Z](?:\.\d{1,2}){0,3}(?![\w.]\w))?"  # "2.A", "2.A.1": of an annex of section 2
_CODED = r"[A-Z]\d{1,2}[A-Z]\d{1,2}[a-z]?"  # "C2D4", "S5C11a"
_STEPS = r"(?:\)\s?\d{1,2}\)(?:\s?[ivx]{1,4}\))?)?"  # "22.2a)1)ii)"
_END = r"(?![A-Za-z0-9])(?!\.\d)(?!\.[A-Z](?:\.\d|[\s,;)]|$))(?!['’]\w)"
_SHAPES = {
    "number": re.compile(
        rf"(?:{_CODED}|{_PREFIX}{_DOTTED}(?:[a-z](?![a-z]){_STEPS}|(?<=\.\d)\s[a-z]\)|(?<=\.\d\d)\s[a-z]\)|(?<=\.\d)(?:[A-Z]|DE)|(?<=\.\d\d)(?:[A-Z]|DE))?){_END}{_SUBS}?"
    ),
    "annexed": re.compile(
        r"[A-Z]{1,2}\s?\((?:\d{1,2}|[a-z]{1,2})\)(?:\((?:\d{1,2}|[a-z]{1,4})\))*(?:PB?|BP?)?(?![A-Za-z])"
    ),  # "C(5)": paragraph 5 of Annex C; "A(b)(i)"
    "spaced": re.compile(rf"[A-Z]\s\d{{1,2}}(?:(?:\.\d{{1,2}})+{_SUBS}?)?(?!\w|[.,]\d)"),  # "Annex A 1"
    "outlined": re.compile(
        r"\d{1,2}\.\d{1,2}\.[A-Z]{1,2}(?:\.(?:\d{1,2}|[a-z]{1,2}(?![A-Za-z])))*(?:\)[a-z]\))?(?!\w)"
    ),  # "1.2.A.1.a"
    "grouped": re.compile(r"\d{2}(?:\s?\d{2}){2}(?:\.\d{2})?(?!\w|\.\d)|\d{5}(?!\w|\.\d)"),  # "03 30 00"
    "integer": re.compile(r"\d{1,2}(?![\w]|[-–.]\d)"),
    "hyphened": re.compile(r"\d{1,2}(?:[-–]\d{1,2}){1,2}(?!\w|\.\d)"),  # "Part 1-3"
    "letter": re.compile(
        rf"(?:[A-Z]\d{{0,2}}[-–.])?(?:[A-Z]{{1,2}}|Z[A-Z]{{2}})(?![A-Za-z0-9'’&])(?!\s\d{{3}}){_SUBS}?"
    ),  # "A", not the "EN" of "EN 1990"
    "roman": re.compile(r"(?:[A-Z]-)?(?:[ivx]{1,4}|[IVXL]{1,7})(?![\w'’])"),  # "Diagram i", "Table A-IV"
    "code": re.compile(
        rf"[A-Z]{{1,2}}\d{{1,2}}[A-Z]?(?:\.\d{{1,2}})?{_END}(?![-–]\d)(?:\((?:\d{{1,2}}|[a-z])\))*"
    ),
    "sub": re.compile(_SUBS),
    "item": re.compile(r"(?:[a-m]|[ivx]{1,4})\)"),
    "letter item": re.compile(r"[b-z](?![\w'’.])"),  # "5.2(1)b and c"
    "joined": re.compile(
        r"[A-Z]{0,2}\.?\d{1,4}(?:\.\d{1,3}){0,5}[-–]\d{1,3}[a-z]?(?![\w]|[-–.]\d)"
        r"|[A-Z][-–]\d{1,3}(?:[.-]\d{1,3})*[a-z]?(?![\w]|[-–.]\d)"
    ),  # "Equation 16-23", "Table 12.2-1", "Figure A-1": one number, not two ends of a range
    # "Table 9.10.14.4.-A", "TABLE 16-A", "Tableau 4.3(NA)"
    "lettered": re.compile(r"\d{1,2}(?:\.\d{1,3})*(?:\.?-[A-Z](?![\w-])|\([A-Z]{2}\))"),
    "formula": re.compile(
        r"\(\s?[A-Z]{0,2}\.?\d{1,3}(?:\.\s?[\dlIOS]{1,3}){0,3}(?:-\d{1,3})?\s?(?:\.?[a-z](?:N|DE)?|(?<=\d)(?:[A-Z]|DE))?\s?\)"
    ),
}
_FORMULA = re.compile(r"\([A-Z]{0,2}\.?\d{0,3}\.")  # "(A.1)" stands beside "(5.1)"
_BRACKET = re.compile(r"\([^()]*\)")
# "5.2(1)a", "5.2(1)a)"
_HELD = re.compile(r"(?P<holder>.*(?:\)P?|\d(?=[a-z]\))))(?P<item>[a-z])(?P<tail>\)?)")
_SPLIT = re.compile(r"^(?P<head>.*?)(?P<last>\d+|[A-Za-z])(?P<tail>(?:(?<=\d)N)?\)?)P?$")


@dataclass(frozen=True, slots=True)
class Element:
    """One number or range of a list, with its place in the text; `last` is "" for a single number."""

    start: int
    end: int
    first: str
    last: str = ""


def read_number(text: str, at: int, shapes: AbstractSet[str], own: Own = ()) -> tuple[int, str] | None:
    """Return where the longest number of the shapes, or of the document's `own`, ends, and the number."""
    patterns = (*(_SHAPES[shape] for shape in shapes), *own)
    matches = [match for pattern in patterns if (match := pattern.match(text, at))]
    if not matches:
        return None
    best = max(matches, key=lambda match: match.end())
    return best.end(), clean(best.group())


def clean(number: str) -> str:
    """Return a number without spaces, and without the mark of a rule for buildings; outer brackets kept."""
    number = re.sub(r"\s", "", number).replace("–", "-").replace(".(", "(")
    return re.sub(r"(?<=\))(?:B(P?)|(P)B)(?![A-Za-z])", r"\1\2", number)


def read_list(reading: Reading, at: int, shapes: AbstractSet[str], own: Own = ()) -> list[Element]:
    """Return the numbers of a list that starts here: "3, 4 and 7", "5.2(2) to (4)".

    `own` are the patterns of the document's own numbers of the kind.
    """
    elements: list[Element] = []
    position = at
    while element := _read_element(reading, position, shapes, own, elements[-1].first if elements else ""):
        elements.append(element)
        sheet = reading.words.sheets.match(reading.text, element.end)  # "Tables 5.2 (sheet 3) and 6.1"
        joined = reading.words.joins.match(reading.text, sheet.end() if sheet else element.end)
        if not joined:
            break
        position = joined.end()
    return elements


def _read_element(
    reading: Reading, at: int, shapes: AbstractSet[str], own: Own, before: str
) -> Element | None:
    text, words = reading.text, reading.words
    shapes = shapes | _going_on(before)
    number = read_number(text, at, shapes, own)
    if not number or at in reading.hosts or (before and words.units.match(text, number[0])):
        return None
    end, first = number[0], borrowed(number[1], before)
    ranged = words.ranges.match(text, end)
    within = ranged and ranged.end() not in reading.hosts
    last = read_number(text, ranged.end(), shapes | _going_on(first), own) if ranged and within else None
    if last and ranged and ranged[0] in "-–" and not ascends(first, _ranged(borrowed(last[1], first), first)):
        return Element(at, last[0], clean(text[at : last[0]]))  # "3.4.1-1", one number and no range
    if last and not words.units.match(text, last[0]):
        return Element(at, last[0], first, _ranged(borrowed(last[1], first), first))
    return Element(at, end, first)


def ascends(first: str, last: str) -> bool:
    """Tell whether the second of two numbers comes behind the first in one series: 7 and 12, 3.4.1 and 3.4.3.

    Numbers with brackets may leave out what they have in common.
    """
    if first.isalpha() != last.isalpha():
        return False
    if "(" in first + last or not (first[-1:].isdigit() and last[-1:].isdigit()):
        return True
    pieces = (re.findall(r"\d+|[A-Za-z]+", number) for number in (first, last))
    low, high = ([(int(one), "") if one.isdigit() else (0, one) for one in each] for each in pieces)
    return len(high) == len(low) and low < high


def _going_on(before: str) -> frozenset[str]:
    """Return the shapes that a list may go on with behind this number: "b)" behind "5.2(1)a)"."""
    held = _HELD.fullmatch(before)
    items = {"item" if held["tail"] else "letter item"} if held else set()
    return frozenset({"sub", *items} if before else ())


def borrowed(number: str, before: str) -> str:
    """Return a number completed by the one before it: "(4)" after "5.2(2)" is "5.2(4)".

    A letter takes the place of a letter, a figure that of a figure: "(c)" after "5.2(2)(a)" is "5.2(2)(c)".
    """
    if not before or _FORMULA.match(number):
        return number
    held = _HELD.fullmatch(before)
    if held and re.fullmatch(r"\(?[a-z]\)?", number):
        return held["holder"] + number
    if number.startswith("("):
        before = before.removesuffix("P")
        brackets, figure = list(_BRACKET.finditer(before)), number[1:2].isdigit()
        ends = [one.start() for one in brackets[:1] if figure]
        # "(2)" after "5.2(a)" stands beside it
        ends += [one.start() for one in brackets if figure == one[0][1].isdigit()]
        return before[: ends[-1] if ends else len(before)].removesuffix("P") + number
    prefix = re.match(r"[A-Z]{1,2}\d{0,2}-", before)
    return prefix.group() + number if prefix and number[0].isdigit() else number


def _ranged(last: str, first: str) -> str:
    """Return the end of a range as its beginning is written: "8" after "E7" is "E8"."""
    letters = re.match(r"[A-Z]{1,2}(?=\d)", first)
    return letters.group() + last if letters and last[0].isdigit() and "-" not in first else last


def expand(first: str, last: str) -> tuple[str, ...]:
    """Return the numbers from first to last; only the two where what lies between cannot be counted."""
    if not last:
        return (first,)
    low, high = _SPLIT.match(first), _SPLIT.match(last)
    if not low or not high or (low["head"], low["tail"]) != (high["head"], high["tail"]):
        return (first, last)
    start, stop = low["last"], high["last"]
    if start.isdigit() and stop.isdigit():
        middle = [str(n) for n in range(int(start), int(stop) + 1)]
    elif start.isalpha() and stop.isalpha():
        middle = [chr(n) for n in range(ord(start), ord(stop) + 1)]
    else:
        return (first, last)
    if not 2 <= len(middle) <= LONGEST_RANGE:
        return (first, last)
    return tuple(low["head"] + number + low["tail"] for number in middle)
