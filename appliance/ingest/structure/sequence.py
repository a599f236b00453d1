"""Numbers and list markers at the start of lines in every reading, and the best chain of such readings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from unicodedata import normalize

from appliance.core.document import Problem
from appliance.core.files import shipped
from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.page import Line, PageLayout, box_of
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
    for one in _plain_readings(text, levels):
        twice = _TWICE.match(text)
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


FOLLOWS = 1.0  # gain of a successor or first child
SKIPPED = 0.6  # loss for each number left out
FAR = -2.0  # gain of any other number further on
TITLED = -0.5  # idem where the number is that of a title beyond doubt
WHOLE = -1.4  # idem at the start, of a whole number: alone it opens nothing ("12 Bridge Street")
OWN = 0.0  # idem right under the number that it is inside of: 5.3 under 5
AGAIN = -0.8  # gain of beginning again in a new Part
AGAIN_ANYWHERE = -8.0  # idem without a sign of a new Part
ANNEXES = 0.8  # gain of the first annex after the numbered clauses
HOMELESS = -3.0  # gain of a number whose level wants an annex, where none was found
NEVER = -1000.0  # idem at the start of a document
DOUBLED = 0.5  # gain of doubled letters after single ones
REACH = 6  # numbers that may be left out
REACH_LETTERS = 25  # annexes that may be left out; more than FEW cost no more
FEW = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading on a line; `weight` is what its type, place and words say for it (0: nothing).

    `titled`: it is the number of a title beyond doubt, with which an extract may begin or go on.
    """

    reading: Reading
    row: Row
    at: int  # among the rows
    weight: float
    container: int  # how many Parts have begun before it
    titled: bool = False


@dataclass(slots=True)
class _Best:
    """The best chains so far: by number, and by every beginning of a number."""

    ends: dict[Number, tuple[float, int]] = field(default_factory=dict)
    by_prefix: dict[Number, tuple[float, int]] = field(default_factory=dict)
    top: tuple[float, int] = (0.0, -1)

    def add(self, number: Number, score: float, index: int) -> None:
        for length in range(1, len(number) + 1):
            if score > self.by_prefix.get(number[:length], (-inf, -1))[0]:
                self.by_prefix[number[:length]] = (score, index)
        if score > self.ends.get(number, (-inf, -1))[0]:
            self.ends[number] = (score, index)
        if score > self.top[0]:
            self.top = (score, index)


def best_chain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the heaviest chain of candidates (given in reading order), in reading order."""
    best = _Best()
    back: list[int] = []
    line = -1
    waiting: list[tuple[Number, float, int]] = []
    for index, candidate in enumerate(candidates):
        if candidate.at != line:  # readings of one line exclude each other
            for item in waiting:
                best.add(*item)
            waiting, line = [], candidate.at
        score, before = max(_ways(candidate, best, candidates), key=lambda way: way[0])
        back.append(before)
        waiting.append((candidate.reading.number, score + candidate.weight, index))
    for item in waiting:
        best.add(*item)
    chain: list[Candidate] = []
    at = best.top[1]
    while at >= 0:
        chain.append(candidates[at])
        at = back[at]
    return chain[::-1]


def _ways(candidate: Candidate, best: _Best, all_: Sequence[Candidate]) -> Iterator[tuple[float, int]]:
    """Yield (score, index of the chain's end) of every chain that this candidate may continue."""
    number = candidate.reading.number
    last, parent = number[-1], number[:-1]
    homeless = bool(candidate.reading.level.within)
    second = candidate.reading.price >= BEHIND_ANOTHER and not _is_start(number)
    dotted = candidate.titled and "." in candidate.reading.text
    lost = HOMELESS if dotted else NEVER  # the title of its annex is not in the extract
    far = FAR if not candidate.titled else TITLED if _is_sure(candidate) else WHOLE
    yield (lost if homeless else NEVER if second else 0.0 if _is_start(number) else far), -1
    yield from _after_sibling(number, best, titled=_is_titled_annex(candidate.reading))
    if _is_first(last) and parent:
        over = parent[-1]
        if parent in best.ends:
            yield best.ends[parent][0] + FOLLOWS, best.ends[parent][1]
        yield from _after_sibling(parent, best)
        if len(parent) > 1 and (_is_first(over) or isinstance(over, str)):
            yield from _after_sibling(parent[:-1], best)
        if isinstance(over, str) and (above := best.by_prefix.get(parent[:-1])):  # D2P4, then D2D1
            yield above[0] + FOLLOWS, above[1]
        lost_parent = isinstance(over, int) and over <= REACH and parent not in best.by_prefix
        if lost_parent and (above := best.ends.get(parent[:-1])):  # "903.3.1" straight under 903
            yield above[0] + FOLLOWS - SKIPPED * int(over), above[1]
    elif parent in best.ends and isinstance(last, int):
        skipped = last - 1
        if skipped <= REACH or candidate.titled:
            gain = FOLLOWS - SKIPPED * skipped
            gain = max(gain, OWN) if candidate.titled else gain
            yield best.ends[parent][0] + gain, best.ends[parent][1]
    if best.top[1] >= 0:
        yield from _leaps(candidate, best, all_)


def _after_sibling(number: Number, best: _Best, *, titled: bool = False) -> Iterator[tuple[float, int]]:
    """Yield the chains that end at (or inside) an earlier sibling of the number; `titled`: of an annex."""
    last, parent = number[-1], number[:-1]
    reach = REACH_LETTERS if titled else FEW
    if isinstance(last, int):
        before: list[int | str] = [last - step for step in range(1, min(REACH, last) + 1)]
    else:
        before = [chr(ord(last) - step) for step in range(1, 1 + reach)] if len(last) == 1 else []
    for skipped, part in enumerate(before):
        if found := best.by_prefix.get((*parent, part)):
            loss = SKIPPED * (skipped if isinstance(last, int) else min(skipped, FEW))
            yield found[0] + FOLLOWS - loss, found[1]


def _leaps(candidate: Candidate, best: _Best, all_: Sequence[Candidate]) -> Iterator[tuple[float, int]]:
    """Yield the chains after which the number is no neighbour: annexes, new Parts, lost pages."""
    number = candidate.reading.number
    score, at = best.top
    end = all_[at].reading.number
    letters = len(number[0]) if isinstance(number[0], str) and isinstance(end[0], str) else 0
    doubled = number == ("AA",) and len(str(end[0])) == 1  # after the last single letter in use
    if letters > 1 and (doubled or _is_titled_annex(candidate.reading)):  # "Annex ZA" follows no letter
        yield score + DOUBLED, at
    inside = len(number) > 1 and len(end) > 1 and number[0] == end[0]
    if inside and number[1] == "A" and isinstance(end[1], int) and all(map(_is_first, number[1:])):
        yield score + ANNEXES, at  # a first annex (NA.A, 2.A) behind the clauses of its section (2.9.3)
    if isinstance(number[0], str) and isinstance(end[0], int):
        first = _is_start(number) and (number[0] == "A" or len(number[0]) > 1)
        homeless = bool(candidate.reading.level.within)
        yield score + (HOMELESS if homeless else ANNEXES if first else FAR / 2), at
    elif _is_start(number):
        new_part = candidate.container != all_[at].container
        yield score + (AGAIN if new_part else AGAIN_ANYWHERE), at
    elif isinstance(number[0], int) and isinstance(end[0], str) and candidate.container != all_[at].container:
        yield score + FAR, at  # a Part numbered by figures after one numbered by letters
    figures = isinstance(number[0], int)
    if figures == isinstance(end[0], int) and _order(end) < _order(number) and (figures or candidate.titled):
        yield score + (TITLED if candidate.titled and _is_sure(candidate) else FAR), at


def _order(number: Number) -> tuple[tuple[bool, int | str], ...]:
    """Return what orders numbers of letters and figures; letters stand behind figures."""
    return tuple((isinstance(part, str), part) for part in number)


def _is_sure(candidate: Candidate) -> bool:
    """Tell whether a number is of several parts or has a word before it: "5.3", "Section 5"."""
    return len(candidate.reading.number) > 1 or bool(candidate.reading.head)


def _is_titled_annex(reading: Reading) -> bool:
    """Tell whether a line says "Annex" and its letters, read without doubt."""
    return reading.level.kind == "annex" and len(reading.number) == 1 and not reading.price


def _is_first(part: int | str) -> bool:
    return part in {0, 1, "A"}


def _is_start(number: Number) -> bool:
    """Tell whether a numbering may begin with it: 0, 1, 1.1, A, A.1, NA.1."""
    return all(map(_is_first, number[1:])) and (isinstance(number[0], str) or _is_first(number[0]))


ALIKE = 0.5  # of the numbers of a depth: so many are set as a stray that opens a place of its own
TOLD = 60  # strays that are told one by one
DASHES = " –—-"  # between a number and its title: "3.4.1—Load Factors"
WORDS = 3  # of a paragraph that is no value and no name

Style = tuple[bool, int, int]  # bold, size, indent (ems)
Habits = Mapping[tuple[str, int], Counter[Style]]


@dataclass(frozen=True, slots=True)
class Stray:
    """A number out of the sequence, the number before it, and whether it opens a place of its own."""

    candidate: Candidate
    after: Number
    opens: bool
    again: bool  # the number is also one of the sequence


def strays(
    candidates: Sequence[Candidate], chosen: Sequence[Candidate], typography: Typography, habits: Habits
) -> list[Stray]:
    """Return the strays, one for a row, in reading order."""
    known = {id(one) for one in chosen}
    taken = {one.at for one in chosen}
    after = [one.reading.number for one in chosen]
    numbers = frozenset(after)
    found: dict[int, Stray] = {}
    at = 0
    for one in candidates:
        if id(one) in known:
            at += 1
            continue
        number = one.reading.number
        if not at or len(number) < 2:  # covers and lists before the first number announce what comes
            continue
        if one.at in taken or one.at in found or not opens_surely(one, typography):
            continue
        last, coming = after[at - 1], after[at] if at < len(after) else ()
        titled = typography.stands_out(one.row.line) and number == last[: len(number)]
        if titled or number in {last, coming}:  # that of the place just before or behind it, printed twice
            found[one.at] = Stray(one, last, opens=True, again=True)
        elif len(one.row.line.text[one.reading.end :].split()) >= WORDS:
            seen = habits.get((one.reading.level.name, len(number)))
            usual = seen is not None and alike(style_of(one.row), seen) >= ALIKE * seen.total()
            own = number[:-1] in {last[: len(number) - 1], coming[: len(number) - 1]}
            found[one.at] = Stray(one, last, opens=own and usual, again=number in numbers)
    return list(found.values())


def stray_problems(found: Sequence[Stray], layouts: Sequence[PageLayout]) -> tuple[Problem, ...]:
    """Return what a person should look at: each number out of the sequence, with the place of its line.

    A number that stands twice and opens a place each time is told by its label (`label_problems`).
    """
    pages = {page.content.number: page.content for page in layouts}
    told = [stray for stray in found if not (stray.opens and stray.again)]
    problems = []
    for stray in told[:TOLD]:
        number, line = stray.candidate.reading.text, stray.candidate.row.line
        after = ".".join(map(str, stray.after))
        message = f"The number {number} on page {line.page} is out of order: it follows {after}"
        if not stray.opens:
            message += ", and what it opens was left in the text there. Look at the page"
        problems.append(Problem(f"{message}.", line.page, box_of(pages[line.page], line)))
    if more := told[TOLD:]:
        page = more[0].candidate.row.line.page
        problems.append(Problem(f"{len(more)} more numbers are out of order.", page))
    return tuple(problems)


def opens_surely(one: Candidate, typography: Typography) -> bool:
    """Tell whether a number as printed starts a paragraph of words, set as its level sets titles."""
    reading, row = one.reading, one.row
    words = row.line.text[reading.end :].lstrip(DASHES).split()
    titled = reading.level.title != "rest" or row.alone or typography.stands_out(row.line)
    return (
        not reading.price
        and (row.fresh or row.after_end)
        and titled
        and one.weight > 0
        and (
            starts_upper(words[0]) and words[0].strip(",.").replace("-", "").isalpha()
            if words
            else bool(reading.level.series and reading.head)
        )
    )


def style_of(row: Row) -> Style:
    """Return how the number of a row is set."""
    word = row.line.words[0]
    return word.bold, round(word.size), round(row.indent)


def alike(style: Style, seen: Counter[Style]) -> int:
    """Return how many numbers are set in that style, give or take a point and an em."""
    bold, size, indent = style
    return sum(
        count
        for (b, s, i), count in seen.items()
        if b == bold and abs(s - size) <= 1 and abs(i - indent) <= 1
    )
