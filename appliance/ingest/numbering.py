"""Which readings are the document's numbers: the best chain in which each follows the one before.

Rules of this module: pure; no reading is right by itself. A chain gains where a number is the
successor of an open one or its first child, loses where numbers are left out, and may begin again
only where a new Part begins (or at a high price). The heaviest chain wins, so that one wrong
reading ("3.5 kN/m2" at a line start) cannot carry the sequence away from the many right ones. An
extract leaves out whole clauses: what is set as a title beyond doubt may stand any way further on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from appliance.ingest.markers import FOLDED, Number, Reading

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

_Key = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading on a line; `weight` is what its type, place and words say for it (0: nothing).

    `titled`: it is the number of a title beyond doubt, with which an extract may begin or go on.
    """

    reading: Reading
    place: tuple[int, int]  # page number, index in PageLayout.lines
    weight: float
    container: int  # how many Parts have begun before it
    titled: bool = False


@dataclass(slots=True)
class _Best:
    """The best chains so far: by number, and by every beginning of a number."""

    ends: dict[Number, tuple[float, int]] = field(default_factory=dict)
    by_prefix: dict[_Key, tuple[float, int]] = field(default_factory=dict)
    top: tuple[float, int] = (0.0, -1)

    def add(self, number: Number, score: float, index: int) -> None:
        for length in range(1, len(number) + 1):
            prefix = number[:length]
            if score > self.by_prefix.get(prefix, (float("-inf"), -1))[0]:
                self.by_prefix[prefix] = (score, index)
        if score > self.ends.get(number, (float("-inf"), -1))[0]:
            self.ends[number] = (score, index)
        if score > self.top[0]:
            self.top = (score, index)


def best_chain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the heaviest chain of candidates (given in reading order), in reading order."""
    best = _Best()
    back: list[int] = []
    line: tuple[int, int] | None = None
    waiting: list[tuple[Number, float, int]] = []
    for index, candidate in enumerate(candidates):
        if candidate.place != line:  # readings of one line exclude each other
            for item in waiting:
                best.add(*item)
            waiting, line = [], candidate.place
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
    misread = candidate.reading.price >= FOLDED and not _is_start(number)
    dotted = candidate.titled and "." in candidate.reading.text
    lost = HOMELESS if dotted else NEVER  # the title of its annex is not in the extract
    far = FAR if not candidate.titled else TITLED if _is_sure(candidate) else WHOLE
    yield (lost if homeless else NEVER if misread else 0.0 if _is_start(number) else far), -1
    yield from _after_sibling(number, best, titled=_is_titled_annex(candidate.reading))
    if _is_first(last) and parent:
        if parent in best.ends:
            yield best.ends[parent][0] + FOLLOWS, best.ends[parent][1]
        yield from _after_sibling(parent, best)
        if len(parent) > 1 and _is_first(parent[-1]):
            yield from _after_sibling(parent[:-1], best)
        yield from _under_lost(parent, best)
    elif parent in best.ends and isinstance(last, int):
        skipped = last - 1
        if skipped <= REACH or candidate.titled:
            gain = FOLLOWS - SKIPPED * skipped
            gain = max(gain, OWN) if candidate.titled else gain
            yield best.ends[parent][0] + gain, best.ends[parent][1]
    if best.top[1] >= 0:
        yield from _leaps(candidate, best, all_)


def _under_lost(parent: Number, best: _Best) -> Iterator[tuple[float, int]]:
    """Yield the chain that ends at the place over a lost parent: "903.3.1" straight under 903."""
    above = best.ends.get(parent[:-1])
    if above and parent not in best.by_prefix and isinstance(parent[-1], int) and parent[-1] <= REACH:
        yield above[0] + FOLLOWS - SKIPPED * parent[-1], above[1]


def _after_sibling(number: Number, best: _Best, *, titled: bool = False) -> Iterator[tuple[float, int]]:
    """Yield the chains that end at (or inside) an earlier sibling of the number; `titled`: of an annex."""
    last, parent = number[-1], number[:-1]
    if isinstance(last, int):
        for step in range(1, min(REACH, last) + 1):
            found = best.by_prefix.get((*parent, last - step))
            if found:
                yield found[0] + FOLLOWS - SKIPPED * (step - 1), found[1]
    elif len(last) == 1:
        for step in range(1, 1 + (REACH_LETTERS if titled else FEW)):
            found = best.by_prefix.get((*parent, chr(ord(last) - step)))
            if found:
                yield found[0] + FOLLOWS - SKIPPED * min(step - 1, FEW), found[1]


def _leaps(candidate: Candidate, best: _Best, all_: Sequence[Candidate]) -> Iterator[tuple[float, int]]:
    """Yield the chains after which the number is no neighbour: annexes, new Parts, lost pages."""
    number = candidate.reading.number
    score, at = best.top
    end = all_[at].reading.number
    if number == ("AA",) and isinstance(end[0], str) and len(end[0]) == 1:
        yield score + DOUBLED, at  # after the last single letter in use
    elif _is_set_apart(candidate.reading, end):
        yield score + DOUBLED, at
    if _is_annexed(number, end):
        yield score + ANNEXES, at
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


def _is_annexed(number: Number, end: Number) -> bool:
    """Tell whether a first annex (NA.A, 2.A) stands behind the clauses of its annex or section (2.9.3)."""
    inside = len(number) > 1 and len(end) > 1 and number[0] == end[0]
    first = all(_is_first(part) for part in number[1:])
    return inside and number[1] == "A" and isinstance(end[1], int) and first


def _is_set_apart(reading: Reading, end: Number) -> bool:
    """Tell whether an annex of more letters ("Annex ZA") stands behind another one: it follows no letter."""
    letters = reading.number[0]
    return (
        _is_titled_annex(reading)
        and isinstance(letters, str)
        and len(letters) > 1
        and isinstance(end[0], str)
    )


def _is_titled_annex(reading: Reading) -> bool:
    """Tell whether a line says "Annex" and its letters, read without doubt."""
    return reading.level.kind == "annex" and len(reading.number) == 1 and not reading.price


def _is_first(part: int | str) -> bool:
    return part in {0, 1, "A"}


def _is_start(number: Number) -> bool:
    """Tell whether a numbering may begin with it: 0, 1, 1.1, A, A.1, NA.1."""
    return all(_is_first(part) for part in number[1:]) and (
        isinstance(number[0], str) or _is_first(number[0])
    )
