"""Clause numbers without a name: "(see 5.3.2)", "5.2(2) to (4)", and whether their words speak of a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from appliance.core.document import ReferenceKind
from appliance.core.mechanisms import mechanism
from appliance.ingest.references.hosts import Mention, Reading
from appliance.ingest.references.names import hosted
from appliance.ingest.references.numbers import Element, expand, read_list
from appliance.ingest.references.words import fold_word

BACK = 3  # words before a preposition that may tell of a quantity
SENTENCE = 160  # characters before a number in which a place beside it is looked for
_SENTENCE = re.compile(r"(?:^|[.;:!?]\s|[(\[])\s*$")
_PHRASE_END = re.compile(r"\s*(?:$|[.,;:!?)\]](?!\d)|[A-Z(\[])")
_ENDS_AS_PLACE = re.compile(r"(?:[\d)\]][A-Za-z]?|\b[A-Z])\s*,?\s*$")
_SENTENCES = re.compile(r"[.!?]\s+(?=[A-Z])")
_IN_LIST = re.compile(r"\d(?:,\s|,?\s[^\W\d]+\s)$")  # the list before was no list of places
_PHRASE = re.compile(r"[.,;:]\s")


def stands_as_place(reading: Reading, before: str, elements: Sequence[Element]) -> bool:
    """Tell whether numbers that are labels of the document stand as the names of these places."""
    at, end = elements[0].start, elements[-1].end
    if _does(reading, before, end):
        return True
    if not stands_alone(reading, end):
        return False
    return _follows_weak(reading, before, at)


def stands_alone(reading: Reading, end: int) -> bool:
    """Tell whether nothing that is counted follows a number: its phrase ends there."""
    return bool(_PHRASE_END.match(reading.text, end) or reading.words.following.match(reading.text, end))


def _does(reading: Reading, before: str, end: int) -> bool:
    """Tell whether the number is said to do what provisions do: "4.1 applies", "except where 3.2 permits"."""
    opens = _SENTENCE.search(before) or reading.words.opening.search(before) or before.endswith(", ")
    if not opens or _IN_LIST.search(before):
        return False
    return bool(reading.words.doing.match(reading.text, end))


def _goes_on(reading: Reading, at: int) -> bool:
    """Tell whether a place named in the sentence is beside this one: "paragraph 3.28 for X or 3.29 for Y"."""
    sentence = _SENTENCES.split(reading.text[max(0, at - SENTENCE) : at])[-1]
    own = reading.text[at:].partition(".")[0]
    for match in re.finditer(rf"(?P<word>[^\W\d]+)\s+{re.escape(own)}\.\d", sentence):
        named = reading.words.names.get(fold_word(match["word"]))
        if named and named.kind == "clause":
            return True
    return False


def _follows_weak(reading: Reading, before: str, at: int) -> bool:
    """Tell whether a preposition stands before it and no word that measures before that."""
    weak = reading.words.weak.search(before)
    if not weak:
        return False
    ahead = before[: weak.start()]
    joins = reading.words.joins.fullmatch(before[weak.start() :])
    if joins and not (_ENDS_AS_PLACE.search(ahead) or _goes_on(reading, at)):
        return False  # "1.5 above the floor and 2.2 below it"
    words = re.findall(r"[\w’'-]+", _PHRASE.split(ahead.casefold())[-1])[-BACK:]
    return not any(word in reading.words.quantities or word.isdigit() for word in words)


LOOKED_BACK = 48
_NUMBER, _CODE, _SUB = frozenset({"number"}), frozenset({"code"}), frozenset({"sub"})
_ANNEXED = frozenset({"spaced", "annexed"})
_FORMULA, _ITEM = frozenset({"formula"}), frozenset({"item"})
_SIGN_BEFORE = re.compile(r"(?:[=<>≤≥±£$€×+−~≈]|\d)\s?$|[-/.,:]$")
_SIGN_AFTER = re.compile(r"\s?[=<>≤≥±×/%°²³]")
_PLAIN_CODE = re.compile(r"[A-Z]{1,2}\d{0,2}[a-z]?(?!\w|\.\d|\s?\(\s?(?:\d|[a-z]\)))")
_COMPOUND = re.compile(r"[A-Z]{2,}\d+")  # "CO2", no place unless it is one
_PUBLISHED = re.compile(r"[A-Z]{3,}\d{2,}")  # "HSG274", a publication unless it is a place
_GRADE = re.compile(r"[A-Z]{1,2}\d{3,4}[A-Z]{0,2}\d?")  # "S355 to EN 10025-2" names a steel
_DEEP = re.compile(r"[1-9]\d?(?:\.[1-9lIS]\d?){2,}")  # "9.9.9", "9.S.9", no date such as "01.04.14"
_LEADERS = re.compile(r"(?:…|\.{3,}|(?:\s\.){3,})\s*$")
_MIXED = re.compile(r"[A-Z]\d{1,2}[A-Z]\d{1,2}(?!\w)")
_WITHIN = r"P?(?:\([a-z]{1,4}\)|[a-z]\)?)*"  # the items of a paragraph: "(a)(ii)", "b)", "b"
_CODED = re.compile(r"(?:\b[A-Z]|\w*\d\w*|[.)])\s?$")  # a number right before: "A (5)", "FA (1)" for F.4(1)
_PLAIN_SUB = re.compile(rf"\(\d{{1,2}}\){_WITHIN}")
_PARAGRAPH = re.compile(rf"(?:\d{{1,2}}|[A-Z])(?:\.\d{{1,2}})+\(\d{{1,2}}\){_WITHIN}")


@mechanism("references.bare", "A number without a noun may be a reference.", without=lambda *_: [])
def read_bare(reading: Reading, at: int) -> list[Mention]:
    """Return the clauses, requirements or paragraphs whose bare numbers start here."""
    if reading.text[at] == "(":
        return _read_sub(reading, at) or _read_formulas(reading, at)
    if _is_thing(reading, at):
        return []
    if reading.text[at].isalpha():
        codes = _read_codes(reading, at)
        if codes or reading.text[at].islower():
            return codes or _read_items(reading, at)
    return hosted(reading, _read_annexed(reading, at)) or _read_numbers(reading, at)


def _read_numbers(reading: Reading, at: int) -> list[Mention]:
    """Return the clauses, and the sections behind a sure cue, whose numbers start here."""
    elements = _list_here(reading, at, _NUMBER)
    if elements and not _countable(elements[0].first):
        return []
    sure = bool(reading.words.sure.search(reading.text[max(0, at - LOOKED_BACK) : at]))
    elements = [
        element
        for element in elements
        if _countable(element.first) or (sure and stands_alone(reading, element.end))
    ]
    if not elements or (
        _GRADE.fullmatch(elements[0].first) and not reading.known("clause", "", elements[0].first)
    ):
        return []
    mentions = hosted(reading, _mentions(elements, "clause"))
    return mentions if mentions[0].designation or _is_clause(reading, at, elements) else []


def _is_thing(reading: Reading, at: int) -> bool:
    """Tell whether a code without dot and bracket names something else: "cases A, B1 and B3"."""
    before = reading.text[max(0, at - LOOKED_BACK) : at]
    return bool(_PLAIN_CODE.match(reading.text, at) and reading.words.things.search(before))


def _read_annexed(reading: Reading, at: int) -> list[Mention]:
    """Return the paragraphs of annexes "C(5)", and "A 1.3" with a space that print or scan has put in."""
    elements = read_list(reading, at, _ANNEXED) if reading.text[at].isalpha() else []
    cued = reading.words.cues.search(reading.text[max(0, at - LOOKED_BACK) : at])
    dotted = bool(elements) and "." in elements[0].first
    if not elements or not (dotted or "(" in elements[0].first):
        return []
    if not reading.has("clause", "", elements[0].first) and not (dotted and cued):
        return []
    return _mentions([element for element in elements if len(element.first) > 1], "clause")


def _list_here(reading: Reading, at: int, shapes: frozenset[str]) -> Sequence[Element]:
    elements = read_list(reading, at, shapes, reading.numbered("clause", ""))
    kept = list(elements[:1])
    for element in elements[1:]:
        if not (_has_sub(element.first) or reading.has("clause", "", element.first)):
            break
        kept.append(element)
    return kept


def _countable(number: str) -> bool:
    return "." in number or _has_sub(number) or number[0].isalpha()


def _has_sub(number: str) -> bool:
    return "(" in number


def _is_clause(reading: Reading, at: int, elements: Sequence[Element]) -> bool:
    element, text = elements[0], reading.text
    before, number = text[max(0, at - LOOKED_BACK) : at], element.first
    cued = bool(reading.words.cues.search(before))
    if (
        reading.words.foreign.search(before)
        or _LEADERS.search(before)
        or reading.words.units.match(text, element.end)
        or _SIGN_AFTER.match(text, element.end)
    ):
        return False
    if _PUBLISHED.fullmatch(number):
        return reading.known("clause", "", number)
    if _PARAGRAPH.fullmatch(number) or (reading.words.coded and _MIXED.match(number)):
        return True  # "5.3.3(4)" is nothing else, nor is "C2D4" in a code that numbers so
    if number[-1].islower() and reading.words.units.match(text, element.end - 1):
        return cued  # "1.2m" is a length, "see 1.2m" an item
    if _SIGN_BEFORE.search(before) and not _has_sub(number):
        return False
    return _believed(reading, before, elements, cued=cued)


def _believed(reading: Reading, before: str, elements: Sequence[Element], *, cued: bool) -> bool:
    """Tell whether a number that nothing speaks against is a clause."""
    number = elements[0].first
    known = reading.has("clause", "", number)
    plain = number.count(".") > 1 or _has_sub(number)
    if reading.comma and known:
        return True
    if cued:
        surely = bool(reading.words.sure.search(before)) and stands_alone(reading, elements[0].end)
        placed = not _decimal(number) and not _COMPOUND.fullmatch(number)
        return known or plain or reading.comma or placed or surely
    if not known and _DEEP.fullmatch(number):
        words = reading.words
        leads = words.weak.search(before) or words.placing.search(before) or words.opening.search(before)
        return bool(leads) and stands_alone(reading, elements[0].end)
    return known and (
        plain or _lettered(number) or reading.loose or stands_as_place(reading, before, elements)
    )


def _lettered(number: str) -> bool:
    """Tell whether a number with a letter is no mere code ("A.2", "H1-2.17", not "D2")."""
    return number[0].isalpha() and ("." in number or "-" in number)


def _decimal(number: str) -> bool:
    """Tell whether a number could as well be a quantity ("1.5")."""
    return bool(re.fullmatch(r"\d+\.\d+", number))


def _read_codes(reading: Reading, at: int) -> list[Mention]:
    """Return requirements named by their codes alone ("J2 to J5"), only those that the document has."""
    elements = read_list(reading, at, _CODE)
    label = reading.words.code
    kept = [element for element in elements if label and reading.has("requirement", label, element.first)]
    return _mentions(kept, "requirement", label) if kept[:1] == elements[:1] else []


def _read_sub(reading: Reading, at: int) -> list[Mention]:
    """Return paragraphs or items of the same clause: "see (4)", "(1) and (2) above"."""
    elements = read_list(reading, at, _SUB)
    holders = (reading.clause, reading.paragraph)
    for holder in holders:
        mentions = _held(reading, elements, holder)
        if mentions:
            return mentions
    return []


def _read_items(reading: Reading, at: int) -> list[Mention]:
    """Return list items of the same paragraph: "cases a) to c) above"."""
    return _held(reading, read_list(reading, at, _ITEM), reading.paragraph)


def _held(reading: Reading, elements: Sequence[Element], holder: str) -> list[Mention]:
    """Return what a cue or a word of place tells to be parts of the holder."""
    kept = []
    for element in elements:
        numbers = [holder + number for number in expand(element.first, element.last)]
        known = any(reading.known("clause", "", number) for number in numbers)
        if not holder or not known:
            break
        kept.append((element, numbers))
    if not kept:
        return []
    start, end = kept[0][0].start, kept[-1][0].end
    placed = reading.words.placed.match(reading.text, end)
    before = reading.text[max(0, start - LOOKED_BACK) : start]
    cued = reading.words.cues.search(before)
    if not placed and not cued and not _named_alone(reading, before, kept):
        return []
    mentions = [Mention(e.start, e.end, "clause", "", number) for e, numbers in kept for number in numbers]
    return [*mentions[:-1], replace(mentions[-1], end=placed.end() if placed else end)]


def _named_alone(reading: Reading, before: str, kept: Sequence[tuple[Element, Sequence[str]]]) -> bool:
    """Tell whether numbers in brackets that the holder has are places: "(1)P and (2)", "(3) applies".

    Letters are none without a cue: "in (a)", "a) or b)" and "(a) to (g)" mostly belong to what the sentence
    itself counts by letters, and their list stands in the same provision, so that nothing is missed.
    """
    elements = [element for element, _ in kept]
    if _CODED.search(before) or not all(reading.known("clause", "", n) for _, names in kept for n in names):
        return False
    plain = [bool(_PLAIN_SUB.fullmatch(element.first)) for element in elements]
    if not all(plain):
        return False
    if len(elements) > 1 or elements[0].last or elements[0].first.endswith("P"):
        return True
    return not reading.known("formula", "", elements[0].first) and stands_as_place(reading, before, elements)


def _read_formulas(reading: Reading, at: int) -> list[Mention]:
    """Return formulas of this document named by their numbers alone: "(6.5a) and (6.5b)"."""
    elements = read_list(reading, at, _FORMULA)
    cued = bool(reading.words.cues.search(reading.text[max(0, at - LOOKED_BACK) : at]))
    known = [
        item for item in elements if ("." in item.first or cued) and reading.known("formula", "", item.first)
    ]
    label = reading.words.formula
    if known[:1] != elements[:1]:
        return []
    return [
        Mention(item.start, item.end, "formula", label, number)
        for item in known
        for number in expand(item.first, item.last)
    ]


def _mentions(elements: Sequence[Element], kind: ReferenceKind, label: str = "") -> list[Mention]:
    return [
        Mention(element.start, element.end, kind, label, number)
        for element in elements
        for number in expand(element.first, element.last)
    ]
