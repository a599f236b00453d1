"""Pages as lines in reading order, with running heads, feet and watermarks set apart.

Rules of this module: it joins the steps (doubled text, segments, margins, columns, lines) and
decides nothing itself; pure; a page without words gives a layout without lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ingest.columns import Block, reading_order, shared_gutters
from appliance.ingest.gutters import cut_at_edges
from appliance.ingest.lines import Segment, make_line, segments, side_runs
from appliance.ingest.margins import margin_segments
from appliance.ingest.page import Line, PageContent, PageLayout, Source, Word

CELL = 8.0  # points: words at one place are looked for this far apart at most


def arrange(source: Source) -> tuple[PageLayout, ...]:
    """Return every page with its body lines in reading order."""
    words = [_once(page.words) for page in source.pages]
    level = [segments(word for word in page if word.upright) for page in words]
    side = [side_runs([word for word in page if not word.upright]) for page in words]
    pieces = [flat + up for flat, up in zip(level, side, strict=True)]
    pages = source.pages
    margins = margin_segments(list(zip(pages, pieces, strict=True)))
    body = [
        cut_at_edges([piece for position, piece in enumerate(flat) if (index, position) not in margins])
        for index, flat in enumerate(level)
    ]
    shared = shared_gutters(list(zip(pages, body, strict=True)))
    layouts = []
    for index, page in enumerate(pages):
        kept = [p for n, p in enumerate(side[index], len(level[index])) if (index, n) not in margins]
        apart = [piece for n, piece in enumerate(pieces[index]) if (index, n) in margins]
        lines = _lines(page, reading_order(body[index], page, shared)) + _side_lines(page, kept)
        layouts.append(PageLayout(page, tuple(lines), tuple(make_line(page.number, 0, [p]) for p in apart)))
    return tuple(layouts)


def _once(words: Sequence[Word]) -> list[Word]:
    """Drop words printed again at their place (fake bold, shadows, knocked-out watermarks)."""
    seen: dict[tuple[str, int, int], list[Word]] = {}
    kept: list[Word] = []
    for word in words:
        x, y = int(word.x0 // CELL), int(word.y1 // CELL)
        around = ((word.text, x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        if any(_same_place(word, twin) for cell in around for twin in seen.get(cell, ())):
            continue
        seen.setdefault((word.text, x, y), []).append(word)
        kept.append(word)
    return kept


def _same_place(one: Word, other: Word) -> bool:
    reach = min(0.25 * min(one.size, other.size), CELL)
    return abs(one.x0 - other.x0) < reach and abs(one.y1 - other.y1) < reach


def _lines(page: PageContent, blocks: Sequence[Block]) -> list[Line]:
    """Return the lines of the blocks: segments of one baseline in one block are one line."""
    lines: list[Line] = []
    for block in blocks:
        rows: list[list[Segment]] = []
        for piece in sorted(block.pieces, key=lambda p: (p.y1, p.x0)):
            home = next((row for row in reversed(rows[-4:]) if _one_row(row, piece)), None)
            if home is None:
                rows.append([piece])
            else:
                home.append(piece)
        for row in rows:
            row.sort(key=lambda p: p.x0)
            lines.append(make_line(page.number, block.column, row))
    return lines


def _one_row(row: list[Segment], piece: Segment) -> bool:
    """Tell whether the segment stands on the row's baseline, beside all of its segments."""
    near = min(row, key=lambda p: min(abs(p.x1 - piece.x0), abs(p.x0 - piece.x1)))
    base = abs((near.y1 - 0.22 * near.size) - (piece.y1 - 0.22 * piece.size))
    apart = all(piece.x0 > other.x1 - 1 or piece.x1 < other.x0 + 1 for other in row)
    return apart and base < 0.35 * min(near.size, piece.size)


def _side_lines(page: PageContent, pieces: Sequence[Segment]) -> list[Line]:
    return [make_line(page.number, 0, [piece], upright=False) for piece in pieces]
