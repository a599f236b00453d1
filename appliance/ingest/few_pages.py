"""Running heads and feet of files with few pages, where a repetition by itself proves little.

Rules of this module: pure; what stands outermost on two pages at one place and reads alike, but for a
number that counts with the pages, is margin, where white space parts it from what comes next. A line of
the body repeats so seldom; the head of a table that goes on is close to its rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from appliance.ingest.lines import Segment, text_of
from appliance.ingest.page import PageContent

MOST = 3  # pages of such a file; longer ones tell by repetition (`margins`)
EDGE = 0.13  # of the height: heads and feet stand in this outer part
PLACE = 3.0  # points: what counts as one place
DRIFT = 10.0  # points: idem across a scan, where dirt beside a line may be taken for its beginning
WHITE = 1.0  # type sizes between the innermost line of a head and the text
LAYERS = 3  # lines of a head
NUMBER = 4  # figures of the number of a page
_FIGURES = re.compile(r"\d+")
Part = tuple[PageContent, Sequence[Segment]]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A segment at its height from the edge of its page, growing inwards."""

    place: tuple[int, int]  # part index, segment index
    page: int
    outer: float
    inner: float
    x: float
    drift: float
    size: float
    keys: frozenset[str]  # what it reads as, with each of its numbers as a count


def heads_of_few(parts: Sequence[Part], held: AbstractSet[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return (part index, segment index) of the heads and feet of a file of few pages.

    `held` are the segments that belong to a table.
    """
    if not 1 < len({page.number for page, _ in parts}) <= MOST:
        return set()
    found: set[tuple[int, int]] = set()
    for foot in (False, True):
        pieces = list(_pieces(parts, foot=foot))
        seen: dict[str, list[_Piece]] = defaultdict(list)
        for piece in pieces:
            for key in piece.keys:
                seen[key].append(piece)
        for page in {piece.page for piece in pieces}:
            found |= _edge([piece for piece in pieces if piece.page == page], seen, held)
    return found


def _pieces(parts: Sequence[Part], *, foot: bool) -> Iterator[_Piece]:
    for at, (page, segments) in enumerate(parts):
        for index, one in enumerate(segments):
            if all(word.upright for word in one.words):
                outer, inner = (page.height - one.y1, page.height - one.y0) if foot else (one.y0, one.y1)
                keys = frozenset(_keys(one, page.number)) if inner <= EDGE * page.height else frozenset()
                drift = DRIFT if page.trust == "ocr" else PLACE
                yield _Piece((at, index), page.number, outer, inner, one.x0, drift, one.size, keys)


def _keys(segment: Segment, page: int) -> Iterator[str]:
    """Yield the text, and it with each number as what it counts from the page on."""
    text = "".join(text_of(segment.words).casefold().split())
    if not text.isdecimal():
        yield text
    for match in _FIGURES.finditer(text) if text[-1:].isdigit() else ():  # "Page 1 of 3", never "5 kN"
        if len(match.group()) <= NUMBER:
            count = f"#{int(match.group()) - page:+d}"
            yield f"{text[: match.start()]}{count}{text[match.end() :]}"


def _edge(
    pieces: Sequence[_Piece], seen: Mapping[str, Sequence[_Piece]], held: AbstractSet[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Return the outermost lines of a page that another page has, down to the last with white behind it."""
    lines: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.outer):
        if lines and piece.outer - lines[-1][0].outer <= PLACE:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    found: set[tuple[int, int]] = set()
    head: set[tuple[int, int]] = set()
    for at, line in enumerate(lines[:LAYERS]):
        if not all(piece.place not in held and _is_shared(piece, seen) for piece in line):
            break
        head |= {piece.place for piece in line}
        after = lines[at + 1][0].outer if at + 1 < len(lines) else float("inf")
        if after - max(piece.inner for piece in line) > WHITE * line[0].size:
            found = set(head)
    return found


def _is_shared(piece: _Piece, seen: Mapping[str, Sequence[_Piece]]) -> bool:
    others = (other for key in piece.keys for other in seen[key])
    return any(
        other.page != piece.page
        and abs(other.outer - piece.outer) <= PLACE
        and abs(other.x - piece.x) <= piece.drift
        for other in others
    )
