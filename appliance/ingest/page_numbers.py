"""The numbers that pages print in their heads or feet, and the labels that the file gives its pages.

Rules of this module: pure. A number is the number of its page only as one of a run over the document: at
one height of the head or foot, at the left, right or middle, numbers grow by one with the pages, Arabic
or Roman, plain or behind the number of a chapter ("5-12"). Pages between may lack it and runs may begin
anew; a page that prints none has none, nothing is counted on. Labels of the file that the print
contradicts are dropped.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from appliance.ingest.page import PageContent, Source

EDGE = 0.13  # of the height: heads and feet stand in this outer part
FEWEST = 3  # pages that prove a run; two at the place of another run are one as well
DENSE = 1 / 3  # of the pages from the first to the last of a run that print its numbers
PLACE, DRIFT = 6.0, 12.0  # points: the same height, in a digital page and in a scan
BESIDE = 24.0  # points: the same distance from the nearer side, where only two pages tell of a run
AGREE = 0.9  # of the labels of a file that its print has to bear out
_NUMBER = re.compile(r"[\W_]{0,2}(?P<before>[A-Z]{0,2}\d{0,2}[-–])?(?P<count>\d{1,4})[\W_]{0,2}")
_ROMAN = re.compile(r"(?=[ivxlIVXL])(?:x[lc]|l?x{0,3})(?:i[xv]|v?i{0,3})", re.IGNORECASE)
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A number in a head or foot: its distance from that edge and from the nearer side, in points."""

    page: int
    label: str
    run: tuple[str, str, int]  # head or foot, how it counts, by how much its value is ahead of the page
    depth: float
    side: float


def with_printed_numbers(source: Source) -> Source:
    """Return the source, each page with the number it prints, "" where none is proven."""
    printed = printed_numbers(source.pages)
    labels = {page.number: page.printed for page in source.pages if page.printed}
    both = [number for number in labels if number in printed]
    same = sum(labels[number].casefold() == printed[number].casefold() for number in both)
    trusted = labels if same >= AGREE * len(both) else {}
    shown = {**trusted, **printed}
    return replace(
        source, pages=tuple(replace(page, printed=shown.get(page.number, "")) for page in source.pages)
    )


def printed_numbers(pages: Sequence[PageContent]) -> Mapping[int, str]:
    """Return the numbers that pages print, as printed, by the page of the file."""
    drift = DRIFT if any(page.trust == "ocr" for page in pages) else PLACE
    runs: dict[tuple[str, str, int], list[_Seen]] = defaultdict(list)
    for seen in (seen for page in pages for seen in _numbers(page)):
        runs[seen.run].append(seen)
    proven = [run for group in runs.values() for run in _level(group, drift) if _is_run(run, FEWEST)]
    places = [(run[0].run[0], median(one.depth for one in run), {one.side for one in run}) for run in proven]
    known = {id(one) for run in proven for one in run}
    for group in runs.values():
        at_place = [
            one
            for one in group
            if id(one) not in known
            and any(
                zone == one.run[0]
                and abs(depth - one.depth) <= drift
                and any(abs(side - one.side) <= BESIDE for side in sides)
                for zone, depth, sides in places
            )
        ]
        proven += [run for run in [at_place] if _is_run(run, FEWEST - 1)]
    return _chosen(proven)


def _numbers(page: PageContent) -> Iterator[_Seen]:
    """Yield what may be the number of a page."""
    edge = EDGE * page.height
    for word in page.words:
        middle = (word.y0 + word.y1) / 2
        zone = "head" if middle < edge else "foot" if middle > page.height - edge else ""
        read = _read(word.text) if zone and word.upright else None
        if read:
            label, counts, value = read
            depth = word.y0 if zone == "head" else page.height - word.y1
            side = min(word.x0, page.width - word.x1)
            yield _Seen(page.number, label, (zone, counts, value - page.number), depth, side)


def _read(text: str) -> tuple[str, str, int] | None:
    """Return a number as printed, how it counts, and its value: "xii" is ("xii", "roman", 12)."""
    number = _NUMBER.fullmatch(text)
    if number:
        before = (number["before"] or "").replace("–", "-")
        return before + number["count"], before, int(number["count"])
    bare = text.strip("-–—|.[]() ")
    if bare and (bare.islower() or bare.isupper()) and _ROMAN.fullmatch(bare):
        digits = [_VALUES[letter] for letter in bare.casefold()]
        signed = zip(digits, [*digits[1:], 0], strict=True)
        return bare, "roman", sum(-one if one < after else one for one, after in signed)
    return None


def _level(group: Sequence[_Seen], drift: float) -> Iterator[list[_Seen]]:
    """Yield the numbers that stand at one height, from the edge inwards."""
    level: list[_Seen] = []
    for one in sorted(group, key=lambda one: one.depth):
        if level and one.depth - level[0].depth > 2 * drift:
            yield level
            level = []
        level.append(one)
    if level:
        yield level


def _is_run(run: Sequence[_Seen], fewest: int) -> bool:
    """Tell whether so many pages, near each other, count on."""
    pages = {one.page for one in run}
    return len(pages) >= fewest and len(pages) >= DENSE * (max(pages) - min(pages) + 1)


def _chosen(runs: Iterable[Sequence[_Seen]]) -> Mapping[int, str]:
    """Return the number of each page: that of the longest run; none where two are as long and differ."""
    best: dict[int, tuple[int, str]] = {}
    for run in runs:
        long = len({one.page for one in run})
        for one in run:
            before = best.get(one.page, (0, ""))
            if long > before[0]:
                best[one.page] = long, one.label
            elif long == before[0] and before[1].casefold() != one.label.casefold():
                best[one.page] = long, ""
    return {page: label for page, (_, label) in best.items() if label}
