"""Notes in the margin: print of another kind beside the running text, outside its measure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import around
from appliance.ingest.layout.lines import Segment
from appliance.ingest.page import PageContent

SMALL = 0.86  # of the type size of the running text
NARROW = 0.25  # of the page's width
PROSE = 5  # lines of running text that make a measure
WORDS = 4  # of such a line
WIDE = 0.25  # of the page's width: idem
CLEAR = 0.8  # ems between the text and a note at its side
LEADING = 0.9  # ems between the lines of one note
COLUMN = -1  # of the lines of such notes: no column of text

_WORD = re.compile(r"[^\W\d_]{3,}")


@mechanism(
    "layout.margin_notes",
    "Notes in the margin are set apart from the text.",
    without=lambda pieces, _page: (list(pieces), []),
)
def apart(pieces: Sequence[Segment], page: PageContent) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a page without its notes in the margin, and those notes.

    A note beside no line of text, nor by one that is, stays.
    """
    sizes: Counter[float] = Counter()
    styles: Counter[tuple[bool, int]] = Counter()  # slanting, colour
    for piece in pieces:
        sizes[round(piece.size * 2) / 2] += len(piece.words)
        styles[piece.words[0].italic, piece.words[0].colour] += len(piece.words)
    if not sizes:
        return [], []
    usual, style = sizes.most_common(1)[0][0], styles.most_common(1)[0][0]

    def other(piece: Segment) -> bool:
        return piece.size < SMALL * usual or all((w.italic, w.colour) != style for w in piece.words)

    prose = [p for p in pieces if len(p.words) >= WORDS and p.width >= WIDE * page.width and not other(p)]
    if len(prose) < PROSE or not any(map(other, pieces)):
        return list(pieces), []
    left = min(piece.x0 for piece in pieces if not other(piece))
    right = max(piece.x1 for piece in pieces if not other(piece))
    text = around(prose)
    rules = [s for s in page.strokes if s.y1 - s.y0 < 2 and text.y0 < s.y0 < text.y1]
    rules = [s for s in rules if min(s.x1, text.x1) - max(s.x0, text.x0) > 0]
    body: list[Segment] = []
    notes: list[Segment] = []
    for piece in pieces:
        clear = CLEAR * piece.size
        outside = piece.x1 <= left - clear or piece.x0 >= right + clear
        told = outside and piece.width <= NARROW * page.width and other(piece)
        told = told and any(_WORD.search(word.text) for word in piece.words)
        # a rule over or under both the segment and text beside it is one of a table
        ruled = told and any(s.x0 <= piece.x0 + 1 and s.x1 >= piece.x1 - 1 for s in rules)
        (notes if told and not ruled else body).append(piece)
    kept = [note for note in notes if any(line.y0 < note.y1 and note.y0 < line.y1 for line in prose)]
    rest = [note for note in notes if all(note is not one for one in kept)]
    while near := [note for note in rest if any(_adjoin(note, one) for one in kept)]:
        kept += near
        rest = [note for note in rest if all(note is not one for one in near)]
    return [*body, *rest], sorted(kept, key=lambda piece: (piece.y1, piece.x0))


def _adjoin(one: Segment, other: Segment) -> bool:
    """Tell whether two lines stand right under one another, whichever is the upper."""
    gap = max(one.y0, other.y0) - min(one.y1, other.y1)
    return gap < LEADING * max(one.size, other.size) and one.x0 < other.x1 and other.x0 < one.x1
