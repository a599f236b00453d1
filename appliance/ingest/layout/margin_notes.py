"""Notes in the margin: print of another kind beside the running text, outside its measure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from appliance.core.mechanisms import mechanism
from appliance.ingest.layout.lines import Segment
from appliance.ingest.page import PageContent, Word

SMALL = 0.86  # of the type size of the running text
NARROW = 0.25  # of the page's width
PROSE = 5  # lines of running text that make a measure
WORDS = 4  # of such a line
WIDE = 0.25  # of the page's width: idem
CLEAR = 0.8  # ems between the text and a note at its side
LEADING = 0.9  # ems between the lines of one note
COLUMN = -1  # of the lines of such notes: no column of text

_WORD = re.compile(r"[^\W\d_]{3,}")
Style = tuple[bool, int]  # slanting, colour


@mechanism(
    "layout.margin_notes",
    "Notes in the margin are set apart from the text.",
    without=lambda pieces, _page: (list(pieces), []),
)
def apart(pieces: Sequence[Segment], page: PageContent) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a page without its notes in the margin, and those notes."""
    sizes: Counter[float] = Counter()
    styles: Counter[Style] = Counter()
    for piece in pieces:
        sizes[round(piece.size * 2) / 2] += len(piece.words)
        styles[_style(piece.words[0])] += len(piece.words)
    if not sizes:
        return [], []
    usual, style = sizes.most_common(1)[0][0], styles.most_common(1)[0][0]

    def other(piece: Segment) -> bool:
        return piece.size < SMALL * usual or all(_style(word) != style for word in piece.words)

    prose = [p for p in pieces if len(p.words) >= WORDS and p.width >= WIDE * page.width and not other(p)]
    if len(prose) < PROSE or not any(map(other, pieces)):
        return list(pieces), []
    left = min(piece.x0 for piece in pieces if not other(piece))
    right = max(piece.x1 for piece in pieces if not other(piece))
    body: list[Segment] = []
    notes: list[Segment] = []
    for piece in pieces:
        clear = CLEAR * piece.size
        outside = piece.x1 <= left - clear or piece.x0 >= right + clear
        told = outside and piece.width <= NARROW * page.width and other(piece)
        told = told and any(_WORD.search(word.text) for word in piece.words)
        (notes if told and not _is_ruled(piece, prose, page) else body).append(piece)
    return _with_neighbours(body, notes, prose)


def _style(word: Word) -> Style:
    return word.italic, word.colour


def _is_ruled(piece: Segment, prose: Sequence[Segment], page: PageContent) -> bool:
    """Tell whether a rule runs over or under both the segment and text beside it, as in a table."""
    left, right = min(p.x0 for p in prose), max(p.x1 for p in prose)
    top, low = min(p.y0 for p in prose), max(p.y1 for p in prose)
    return any(
        s.y1 - s.y0 < 2
        and s.x0 <= piece.x0 + 1
        and s.x1 >= piece.x1 - 1
        and min(s.x1, right) - max(s.x0, left) > 0
        and top < s.y0 < low
        for s in page.strokes
    )


def _with_neighbours(
    body: list[Segment], notes: list[Segment], prose: Sequence[Segment]
) -> tuple[list[Segment], list[Segment]]:
    """Return the two; a note beside no line of text, nor by one that is, goes to the body."""
    kept = [note for note in notes if any(line.y0 < note.y1 and note.y0 < line.y1 for line in prose)]
    rest = [note for note in notes if all(note is not other for other in kept)]
    grown = True
    while rest and grown:
        near = [note for note in rest if any(_follows(note, other) for other in kept)]
        grown = bool(near)
        kept += near
        rest = [note for note in rest if all(note is not other for other in near)]
    return [*body, *rest], sorted(kept, key=lambda piece: (piece.y1, piece.x0))


def _follows(one: Segment, other: Segment) -> bool:
    """Tell whether two lines stand right under one another, whichever is the upper."""
    gap = max(one.y0, other.y0) - min(one.y1, other.y1)
    return gap < LEADING * max(one.size, other.size) and one.x0 < other.x1 and other.x0 < one.x1
