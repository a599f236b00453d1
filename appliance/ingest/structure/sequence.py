"""The best chain of readings in which each number follows the one before, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from appliance.core.document import Problem
from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.page import PageLayout, box_of
from appliance.ingest.structure.markers import BEHIND_ANOTHER, Number, Reading, starts_upper

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
