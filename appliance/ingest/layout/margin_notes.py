"""Notes in the margin: print of another kind beside the running text, outside its measure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.core.mechanisms import mechanism
from appliance.ingest.layout.lines import Segment
from appliance.ingest.page import Line, PageContent, PageLayout, Word
from appliance.ingest.structure.labels import Node
from appliance.ingest.structure.schemes import Level, Scheme

SMALL = 0.86  # of the type size of the running text
NARROW = 0.25  # of the page's width
PROSE = 5  # lines of running text that make a measure
WORDS = 4  # of such a line
WIDE = 0.25  # of the page's width: idem
CLEAR = 0.8  # ems between the text and a note at its side
LEADING = 0.9  # ems between the lines of one note
COLUMN = -1  # of the lines of such notes: no column of text
NAME = "margin note"  # what they are called where the scheme has no word of its own
RANK = 21.0

_WORD = re.compile(r"[^\W\d_]{3,}")
Style = tuple[bool, int]  # slanting, colour


@dataclass(frozen=True, slots=True)
class Aside:
    """A note in the margin: its lines and their indexes on the page."""

    lines: tuple[Line, ...]
    indexes: tuple[int, ...]


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


def _follows(one: Segment | Line, other: Segment | Line) -> bool:
    """Tell whether two lines stand right under one another, whichever is the upper."""
    gap = max(one.y0, other.y0) - min(one.y1, other.y1)
    return gap < LEADING * max(one.size, other.size) and one.x0 < other.x1 and other.x0 < one.x1


@mechanism("layout.asides", "Boxes beside the text are set apart.", without=lambda *_: ())
def find_asides(layouts: Sequence[PageLayout], taken: Collection[tuple[int, int]]) -> tuple[Aside, ...]:
    """Return the notes in the margins of the pages, lines that are `taken` left out."""
    return tuple(aside for page in layouts for aside in _on_page(page, taken))


def _on_page(page: PageLayout, taken: Collection[tuple[int, int]]) -> Iterator[Aside]:
    number = page.content.number
    free = [(i, line) for i, line in enumerate(page.lines) if line.column == COLUMN]
    parts: list[list[tuple[int, Line]]] = []
    for index, line in free:
        if (number, index) in taken:
            continue
        home = next((part for part in parts if _follows(part[-1][1], line)), None)
        if home is None:
            parts.append([(index, line)])
        else:
            home.append((index, line))
    for part in parts:
        yield Aside(tuple(line for _, line in part), tuple(index for index, _ in part))


def with_asides(nodes: Sequence[Node], asides: Sequence[Aside], scheme: Scheme) -> list[Node]:
    """Return the nodes with each note in the margin as a note of the place that it stands beside."""
    name = next(iter(scheme.captions.get("aside", ())), NAME)
    level = next((level for level in scheme.levels if level.kind == "note"), None)
    if level is None:
        level = Level("note", "note", re.compile("(?!)"), "", RANK)
    level = replace(level, name=NAME, label=f"{{parent}} {name} {{number}}")
    grown = list(nodes)
    count: Counter[int] = Counter()
    for aside in asides:
        at = _beside(grown, aside.lines[0])
        above = grown[at] if at is not None else None
        while above is not None and above.rank >= level.rank and above.parent is not None:
            above = above.parent
        count[id(above)] += 1
        note = Node(
            kind="note",
            rank=level.rank,
            parent=above,
            level=level,
            number=str(count[id(above)]),
            normative=above.normative if above else True,
            container=above.container if above else None,
            lines=list(aside.lines),
        )
        grown.insert(_behind(grown, at), note)
    return grown


def _beside(nodes: Sequence[Node], first: Line) -> int | None:
    """Return the position of the node whose line stands nearest to the height of the note's first line."""
    best: tuple[float, int] | None = None
    before: int | None = None
    for at, node in enumerate(nodes):
        for line in (*node.titles, *node.lines):
            if line.page < first.page:
                before = at
            elif line.page == first.page and line.column != COLUMN:
                far = abs((line.y0 + line.y1) - (first.y0 + first.y1))
                best = min(best or (far, at), (far, at))
    return best[1] if best else before


def _behind(nodes: Sequence[Node], at: int | None) -> int:
    """Return the position behind the node at `at` and all places under it."""
    if at is None:
        return 0
    end = at + 1
    while end < len(nodes) and any(above is nodes[at] for above in nodes[end].ancestors()):
        end += 1
    return end
