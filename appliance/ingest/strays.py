"""Numbers that the best sequence leaves out, though they stand as the numbers of provisions do.

Rules of this module: pure. A slip of the print gives two clauses one number, leaves some out or puts one
before the other; neither is the other's text. A number that the sequence leaves out is a stray where it
begins a paragraph of words set as its level is. A stray opens a place of its own where it is a brother of
the number before or behind it and is set as most numbers of its depth are, or repeats one of them; any
other stays in the text. All are said, so that a person can look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from appliance.document import Problem
from appliance.ingest.markers import SPELT, Number
from appliance.ingest.numbering import Candidate
from appliance.ingest.page import PageLayout, box_on
from appliance.ingest.rows import Row
from appliance.ingest.typography import Typography

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
    candidates: Sequence[Candidate],
    chosen: Sequence[Candidate],
    rows: Sequence[Row],
    typography: Typography,
    habits: Habits,
) -> list[Stray]:
    """Return the strays, one for a row, in reading order; `rows` are those of the candidates."""
    known = {id(one) for one in chosen}
    taken = {one.place for one in chosen}
    after = [one.reading.number for one in chosen]
    numbers = frozenset(after)
    found: dict[tuple[int, int], Stray] = {}
    at = 0
    for one, row in zip(candidates, rows, strict=True):
        if id(one) in known:
            at += 1
            continue
        number = one.reading.number
        if not at:  # covers and lists before the first number announce what comes
            continue
        if one.place in taken or one.place in found or not opens_surely(one, row, typography):
            continue
        last, coming = after[at - 1], after[at] if at < len(after) else ()
        if _repeats(number, last, coming, out=typography.stands_out(row.line)):
            found[one.place] = Stray(one, last, opens=True, again=True)
        elif len(number) > 1 and len(row.line.text[one.reading.end :].split()) >= WORDS:
            own = number[:-1] in {last[: len(number) - 1], coming[: len(number) - 1]}
            own = own and _is_usual(one, row, habits)
            found[one.place] = Stray(one, last, opens=own, again=number in numbers)
    return list(found.values())


def _repeats(number: Number, last: Number, coming: Number, *, out: bool) -> bool:
    """Tell whether a number is that of the place just before or behind it, printed twice."""
    return len(number) > 1 and (number in {last, coming} or (out and number == last[: len(number)]))


def stray_problems(found: Sequence[Stray], layouts: Sequence[PageLayout]) -> tuple[Problem, ...]:
    """Return what a person should look at: each number out of the sequence, with the place of its line.

    A number that stands twice and opens a place each time is told by its label (`number_problems`).
    """
    pages = {page.content.number: page for page in layouts}
    told = [stray for stray in found if not (stray.opens and stray.again)]
    problems = []
    for stray in told[:TOLD]:
        number, (at, index) = stray.candidate.reading.text, stray.candidate.place
        line, page = pages[at].lines[index], pages[at].content
        after = ".".join(str(part) for part in stray.after)
        message = f"The number {number} on page {at} is out of order: it follows {after}"
        if not stray.opens:
            message += ", and what it opens was left in the text there. Look at the page"
        box = box_on(page, line.x0, line.y0, line.x1, line.y1)
        problems.append(Problem(f"{message}.", at, box))
    if len(told) > TOLD:
        problems.append(
            Problem(f"{len(told) - TOLD} more numbers are out of order.", told[TOLD].candidate.place[0])
        )
    return tuple(problems)


def opens_surely(one: Candidate, row: Row, typography: Typography) -> bool:
    """Tell whether a number as printed starts a paragraph of words, set as its level sets titles."""
    reading, words = one.reading, row.line.text[one.reading.end :].lstrip(DASHES).split()
    titled = reading.level.title != "rest" or typography.stands_out(row.line)
    return (
        reading.price in (0, SPELT)  # its word may be misread
        and (row.fresh or row.after_end)
        and titled
        and one.weight > 0
        and bool(words)
        and words[0][:1].isupper()
        and words[0].isalpha()
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


def _is_usual(one: Candidate, row: Row, habits: Habits) -> bool:
    seen = habits.get((one.reading.level.name, len(one.reading.number)))
    return seen is not None and alike(style_of(row), seen) >= ALIKE * seen.total()
