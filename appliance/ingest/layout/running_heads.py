"""Running heads and feet, page numbers, watermarks and side tabs, told by their repetition."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from rapidfuzz import fuzz

from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.runs import grouped, runs
from appliance.ingest.layout.lines import Segment, text_of
from appliance.ingest.page import PageContent, Source, Stroke
from appliance.text.numbers import roman

EDGE = 0.13  # of the height: heads and feet stand in this outer part
SIDE = 0.09  # of the width: side tabs stand in this outer part
SHARE = 0.18  # of the pages: text repeated so often at one place is margin
ACROSS = 0.5  # of the pages: idem for text amid the body (watermarks stand on nearly all)
RULED_EDGE = 0.25  # of the height: idem, where a rule at one height on most pages parts it from the text
RULED_PAGES = 10  # pages of the document; in a shorter one it may be that of a table on all of them
RULE = 0.4  # of the width: the shortest such rule
RULED = 2.5  # type sizes: text amid the body so near a rule over its width is a table's head or caption
COLUMNS = 3  # of the head of a table, at the least
FEWEST = 3  # pages; below, repetition proves nothing
PLACE = 3.0  # points: what counts as the same place in a digital page
DRIFT = 10.0  # points: idem in a scan
LEAST = 4  # letters and figures: what is no longer may be like anything
LIKE = 82.0  # per cent of equal characters that make two heads the same
SAME_SIZE = 0.08  # of a size: how far those of one text may be apart
CLOSE = 0.5  # type sizes between lines of running text, at most
AGAIN = 0.35  # of the texts at one height: so many repeated on near pages make it a head

THIN = 2.0  # points: the thickest rule
LONGEST = 60  # letters and figures of a head that counts the pages
NUMBER = 4  # figures of the number of a page

_FIGURES = re.compile(r"\d+")
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A segment near an edge, or anywhere, as it is compared between pages."""

    page: int
    zone: str
    text: str
    x: float
    y: float
    size: float
    place: tuple[int, int]  # part index, segment index
    ruled: bool = False  # a rule runs along it, in the body or beside it


def margin_segments(parts: Sequence[tuple[PageContent, Sequence[Segment]]]) -> set[tuple[int, int]]:
    """Return (part index, segment index) of every segment that belongs to the margins.

    A part is a page with its segments, or some of them: those that run another way are a part of their
    own, with the page as they are read.
    """
    usual = median(page.height for page, _ in parts) if parts else 0.0
    pages = len({page.number for page, _ in parts})
    fewest, often = max(FEWEST, round(SHARE * pages)), max(FEWEST, round(ACROSS * pages))
    rim = [_ruled_rim(parts, often, top=top) if pages >= RULED_PAGES else 0.0 for top in (True, False)]
    marks = [mark for index, part in enumerate(parts) for mark in _marks(index, *part, usual, rim)]
    drift = DRIFT if any(page.trust == "ocr" for page, _ in parts) else PLACE
    edge = [mark for mark in marks if mark.zone != "body"]
    repeated = _same_place(marks, fewest, often) | _same_text(edge, fewest, drift)
    counted = _counters(edge, FEWEST)
    counted |= _counters([mark for mark in edge if mark.place not in repeated], often)  # above other feet
    heights = {(mark.page, round(mark.y)) for mark in edge if mark.place in counted}
    beside = [mark for mark in edge if (mark.page, round(mark.y)) in heights]  # wherever the text ends
    repeated |= _numbers(marks, fewest, often) | counted | _same_text(beside, fewest, math.inf)
    short = fewest == FEWEST
    if short:
        repeated -= _under_text(marks, repeated)
    known = [mark for mark in edge if mark.place in repeated]
    under = _under_text(marks, repeated) if short else set()
    # the beginning of a table's caption is no head of a chapter
    words = {word.lower() for spoken in shipped("structure/captions")["table"].values() for word in spoken}
    caption = re.compile(rf"(?:{'|'.join(words)})[a-z]?[\d.-]*\d")
    titles = {mark.place for mark in edge if caption.match(mark.text)}
    body = {mark.place for mark in marks if mark.zone == "body"}
    rims = [mark for mark in edge if mark.place not in under]
    bands = _bands(rims, fewest, lambda place: _runs_on(place, parts[place[0]][1], body))
    repeated |= (bands | _alike(edge, known, drift)) - titles
    return repeated - under - _table_heads(edge, repeated, parts)


def _pages(marks: Iterable[_Mark]) -> int:
    """Count the pages on which the marks stand."""
    return len({mark.page for mark in marks})


def _under_text(marks: list[_Mark], margins: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """What stands at the head of a page under a line that is no margin, so that it is none itself.

    In a document of few pages "(informative)" under the names of three annexes is repeated as a head is.
    """
    found: set[tuple[int, int]] = set()
    for page in grouped((mark.page, mark) for mark in marks if mark.zone == "head").values():
        free = (one.y for one in page if one.place not in margins and len(one.text) > LEAST)
        text = min(free, default=math.inf)
        found |= {one.place for one in page if one.y > text + PLACE}
    return found


def _ruled_rim(parts: Sequence[tuple[PageContent, Sequence[Segment]]], often: int, *, top: bool) -> float:
    """Return how far heads or feet reach from their edge (points): to a rule at one height on most pages."""
    heights: dict[int, set[int]] = defaultdict(set)
    for page, _ in parts:
        for stroke in page.strokes:
            depth = stroke.y1 if top else page.height - stroke.y0
            thin = stroke.y1 - stroke.y0 < THIN and stroke.x1 - stroke.x0 >= RULE * page.width
            if thin and 0 < depth < RULED_EDGE * page.height:
                heights[round(depth / PLACE)].add(page.number)
    return max((at * PLACE for at, on in heights.items() if len(on) >= often), default=0.0)


def _marks(
    index: int, page: PageContent, pieces: Sequence[Segment], usual: float, rim: Sequence[float]
) -> Iterator[_Mark]:
    """Yield the segments as marks; heads and feet stand as far from the edge as on a usual page."""
    rules = sorted((s for s in page.strokes if s.y1 - s.y0 < THIN < s.x1 - s.x0), key=lambda s: s.y0)
    for position, piece in enumerate(pieces):
        middle, edge = (piece.y0 + piece.y1) / 2, EDGE * max(page.height, usual)
        head, foot = max(edge, rim[0]), max(edge, rim[1])
        zone = "head" if middle < head else "foot" if middle > page.height - foot else "body"
        if zone == "body" and (piece.x1 < SIDE * page.width or piece.x0 > (1 - SIDE) * page.width):
            zone = "side"
        text = "".join(text_of(piece.words).lower().split())
        low = piece.y1 + usual - page.height if zone == "foot" and page.height != usual else piece.y1
        near: Sequence[Stroke] = ()  # rules over or under the segment
        if zone in {"body", "side"}:
            reach = RULED * piece.size
            first = bisect_left(rules, piece.y0 - reach, key=lambda rule: rule.y0)
            near = rules[first : bisect_left(rules, piece.y1 + reach, key=lambda rule: rule.y0)]
        ruled = any(rule.x0 <= piece.x0 + 2 and rule.x1 >= piece.x1 - 2 for rule in near)
        yield _Mark(page.number, zone, text, piece.x0, low, piece.size, (index, position), ruled)


def _same_place(marks: list[_Mark], fewest: int, often: int) -> set[tuple[int, int]]:
    """Same text at the same place on many pages: watermarks too, which cross the body.

    The head of a table that is printed again on every page of it is none.
    """
    groups = grouped(
        ((mark.text, round(mark.x / PLACE), round(mark.y / PLACE)), mark)
        for mark in marks
        if mark.zone != "body" or (len(mark.text) > 3 and not mark.ruled)
    )
    found: set[tuple[int, int]] = set()
    for group in groups.values():
        if _pages(group) >= (often if all(mark.zone == "body" for mark in group) else fewest):
            found |= {mark.place for mark in group}
    return found


def _same_text(edge: list[_Mark], fewest: int, drift: float) -> set[tuple[int, int]]:
    """Same text at the same height near an edge, left or right."""
    found: set[tuple[int, int]] = set()
    for group in grouped(((mark.zone, mark.text), mark) for mark in edge if mark.zone != "side").values():
        middle = sorted(mark.y for mark in group)[len(group) // 2]
        if _pages(group) >= fewest:
            found |= {mark.place for mark in group if abs(mark.y - middle) <= 2 * drift}
    return found


def _numbers(marks: list[_Mark], fewest: int, often: int) -> set[tuple[int, int]]:
    """Lone numbers that count with the pages: near an edge, Roman ones too, or farther in on most pages."""
    plain = grouped(
        ((mark.zone, leaves, int(mark.text) - leaves * mark.page), mark)
        for mark in marks
        if mark.text.isdecimal() and len(mark.text) <= NUMBER
        for leaves in (1, 2)  # pages of print on a page of the file
    )
    lettered = grouped(
        ((mark.zone, value - mark.page), mark)
        for mark in marks
        if mark.zone != "body" and (value := roman(mark.text))
    )
    counted = [
        group for group in plain.values() if _pages(group) >= (often if group[0].zone == "body" else fewest)
    ]
    counted += [group for group in lettered.values() if _pages(group) > 1]
    return {mark.place for group in counted for mark in group}


def _counters(edge: list[_Mark], fewest: int) -> set[tuple[int, int]]:
    """Return the outermost texts that are one but for a number that counts with the pages: "Page 17"."""
    depths = [(-mark.y if mark.zone == "foot" else mark.y, mark) for mark in edge if mark.zone != "side"]
    rims: dict[tuple[int, str], float] = {}
    for depth, mark in depths:
        rims[mark.page, mark.zone] = min(depth, rims.get((mark.page, mark.zone), math.inf))
    groups = grouped(
        ((mark.zone, pattern, int(match.group()) - mark.page), mark)
        for depth, mark in depths
        if depth <= rims[mark.page, mark.zone] + PLACE and len(mark.text) <= LONGEST
        for match in _FIGURES.finditer(mark.text)
        if (pattern := f"{mark.text[: match.start()]}#{mark.text[match.end() :]}") != "#"
        and len(match.group()) <= NUMBER
    )
    return {mark.place for group in groups.values() if _pages(group) >= fewest for mark in group}


def _runs_on(place: tuple[int, int], pieces: Sequence[Segment], body: Container[tuple[int, int]]) -> bool:
    """Tell whether lines without white space between them lead from a piece near an edge into the `body`."""
    part, at = place
    waiting, seen = [at], {at}
    while waiting:
        piece = pieces[waiting.pop()]
        for index, other in enumerate(pieces):
            gap = max(piece.y0, other.y0) - min(piece.y1, other.y1)
            beside = other.x0 > piece.x1 or other.x1 < piece.x0
            other_type = abs(other.size - piece.size) > SAME_SIZE * piece.size
            if index in seen or beside or other_type or gap > CLOSE * piece.size:
                continue
            if (part, index) in body:
                return True
            seen.add(index)
            waiting.append(index)
    return False


def _table_heads(
    edge: list[_Mark], margins: set[tuple[int, int]], parts: Sequence[tuple[PageContent, Sequence[Segment]]]
) -> set[tuple[int, int]]:
    """Return what begins pages in columns, on one of them right over columns: the head of a table again."""
    heads = [mark for mark in edge if mark.zone == "head" and mark.place in margins]
    again: set[tuple[str, int]] = set()
    for part, marks in grouped((mark.place[0], mark) for mark in heads).items():
        lines = runs(sorted(marks, key=lambda mark: mark.y), lambda run, mark: mark.y - run[-1].y < PLACE)
        pieces = parts[part][1]
        top = min((piece.y0 for at, piece in enumerate(pieces) if (part, at) not in margins), default=0.0)
        if sum(abs(piece.y0 - top) <= PLACE for piece in pieces) < COLUMNS:
            continue
        close: list[_Mark] = []  # lines that lead down to the columns
        for line in reversed(lines):
            if top - max(mark.y for mark in line) > CLOSE * line[0].size:
                break
            close += line
            top = min(pieces[mark.place[1]].y0 for mark in line)
        if any(sum(mark in close for mark in line) >= COLUMNS for line in lines):
            again |= {(mark.text, round(mark.y / PLACE)) for mark in close}
    return {mark.place for mark in heads if (mark.text, round(mark.y / PLACE)) in again}


def _bands(
    edge: list[_Mark], fewest: int, runs_on: Callable[[tuple[int, int]], bool]
) -> set[tuple[int, int]]:
    """Heights at which most pages carry something that the next pages repeat: chapter heads.

    What is not repeated there is a head, too, but where it `runs_on` into the text.
    """
    sides = (mark for mark in edge if mark.zone != "side")
    found: set[tuple[int, int]] = set()
    bands = grouped(((mark.zone, round(mark.y / PLACE), round(mark.size)), mark) for mark in sides)
    for band in bands.values():
        pages = {(mark.text, mark.page + step) for mark in band for step in (-2, -1, 1, 2)}
        again = [mark for mark in band if (mark.text, mark.page) in pages]
        if _pages(again) >= fewest and len(again) >= AGAIN * len(band):
            repeated = {mark.place for mark in again}
            found |= {mark.place for mark in band if mark.place in repeated or not runs_on(mark.place)}
    return found


def _alike(edge: list[_Mark], known: list[_Mark], drift: float) -> set[tuple[int, int]]:
    """Heads that a scan misread, however their letters or the signs between them were read."""
    samples = {(mark.zone, mark.text): mark.y for mark in reversed(known) if len(mark.text) > LEAST}

    def like(one: str, other: str) -> bool:
        bare = _SIGNS.sub("", one)
        return fuzz.ratio(one, other) >= LIKE or (len(bare) > LEAST and bare == _SIGNS.sub("", other))

    return {
        mark.place
        for mark in edge
        if any(
            zone == mark.zone and abs(y - mark.y) <= 2 * drift and like(text, mark.text)
            for (zone, text), y in samples.items()
        )
    }


DENSE = 1 / 3  # of the pages from the first to the last of a run that print its numbers
LEVEL, LEVEL_DRIFT = 6.0, 12.0  # points: numbers of pages at one height, in a digital page and in a scan
BESIDE = 24.0  # points: the same distance from the nearer side, where only two pages tell of a run
AGREE = 0.9  # of the labels of a file that its print has to bear out
_NUMBER = re.compile(
    r"[\W_]{0,2}(?P<before>[A-Z]{0,2}\d{0,2}(?:\.\d{1,2}){0,3}[-–])?(?P<count>\d{1,4})[\W_]{0,2}"
)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A number in a head or foot: its distance from that edge and from the nearer side, in points."""

    page: int
    label: str
    run: tuple[str, str, int]  # head or foot, how it counts, by how much its value is ahead of the page
    depth: float
    side: float


@mechanism("layout.printed_numbers", without=lambda source: source)
def with_printed_numbers(source: Source) -> Source:
    """Return the source, each page with the number it prints, "" where none is proven."""
    printed = printed_numbers(source.pages) if source.heads else {}
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
    drift = LEVEL_DRIFT if any(page.trust == "ocr" for page in pages) else LEVEL
    counted: dict[tuple[str, str, int], list[_Seen]] = defaultdict(list)
    for page in pages:
        for word in page.words:
            middle, edge = (word.y0 + word.y1) / 2, EDGE * page.height
            zone = "head" if middle < edge else "foot" if middle > page.height - edge else ""
            if zone and word.upright and (read := _read(word.text)):
                label, counts, value = read
                depth = word.y0 if zone == "head" else page.height - word.y1
                key = (zone, counts, value - page.number)
                seen = _Seen(page.number, label, key, depth, min(word.x0, page.width - word.x1))
                counted[key].append(seen)
    proven: list[list[_Seen]] = []
    for group in counted.values():
        level = sorted(group, key=lambda one: one.depth)
        proven += runs(level, lambda run, one: one.depth - run[0].depth <= 2 * drift)
    proven = [run for run in proven if _is_run(run, FEWEST)]
    places = [(run[0].run[0], median(one.depth for one in run), {one.side for one in run}) for run in proven]
    known = {id(one) for run in proven for one in run}
    for group in counted.values():
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
        proven += [at_place] if _is_run(at_place, FEWEST - 1) else []
    # The number of a page is that of the longest run; none where two are as long and differ.
    best: dict[int, tuple[int, str]] = {}
    for run in proven:
        long = len({one.page for one in run})
        for one in run:
            before = best.get(one.page, (0, ""))
            if long > before[0]:
                best[one.page] = long, one.label
            elif long == before[0] and before[1].casefold() != one.label.casefold():
                best[one.page] = long, ""
    return {page: label for page, (_, label) in best.items() if label}


def _read(text: str) -> tuple[str, str, int] | None:
    """Return a number as printed, how it counts, and its value: "xii" is ("xii", "roman", 12)."""
    number = _NUMBER.fullmatch(text)
    if number:
        before = (number["before"] or "").replace("–", "-")
        return before + number["count"], before, int(number["count"])
    bare = text.strip("-–—|.[]() ")
    value = roman(bare.casefold()) if bare.islower() or bare.isupper() else 0
    return (bare, "roman", value) if value else None


def _is_run(run: Sequence[_Seen], fewest: int) -> bool:
    """Tell whether so many pages, near each other, count on."""
    pages = {one.page for one in run}
    return len(pages) >= fewest and len(pages) >= DENSE * (max(pages) - min(pages) + 1)
