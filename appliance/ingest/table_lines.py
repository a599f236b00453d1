"""The lines that tables are made of: no text of a clause holds them.

Rules of this module: pure. Captions, cells and footnotes are taken. A NOTE under a table may be one of the
clause that cites it and stays in both; on a page that holds nothing beside tables it is the table's alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ingest.page import PageLayout
from appliance.ingest.stitch import Piece
from appliance.ingest.table_notes import PrintedNote

Lines = frozenset[tuple[int, int]]
"""Lines as (page, index)."""


def lines_of(groups: Sequence[list[Piece]], layouts: Sequence[PageLayout]) -> Lines:
    """Return the lines of these tables, each a group of pieces."""
    pieces = [piece for group in groups for piece in group]
    taken = frozenset(line for piece in pieces for line in _taken(piece)) | _shared(groups)
    notes = {line for piece in pieces for line in _within(piece, piece.outside)}
    alone = {
        layout.content.number
        for layout in layouts
        if all((layout.content.number, at) in taken | notes for at in range(len(layout.lines)))
    }
    return taken | {line for line in notes if line[0] in alone}


def _taken(piece: Piece) -> Lines:
    """Return the lines that the piece is made of, its footnotes and what stands over them among these."""
    lines = set(piece.caption.lines) if not piece.apart else set()
    if piece.area is not None:
        lines |= set(piece.view.lines_in(piece.area))
    last = max((at for at, note in enumerate(piece.outside) if note.mark), default=-1)
    footnotes = [note for at, note in enumerate(piece.outside) if note.mark or note.listed or at < last]
    return frozenset((piece.view.page.number, line) for line in lines) | _within(piece, footnotes)


def _within(piece: Piece, notes: Sequence[PrintedNote]) -> Lines:
    number = piece.view.page.number
    return frozenset((number, line) for note in notes for line in piece.view.lines_in(note.area))


def _shared(groups: Sequence[list[Piece]]) -> Lines:
    """Return the lines that run over several tables side by side."""
    pieces = [piece for group in groups for piece in group if piece.area is not None]
    views = {id(piece.view): piece.view for piece in pieces}
    found = set()
    for key, view in views.items():
        areas = [piece.area for piece in pieces if id(piece.view) == key and piece.area is not None]
        for index, line in view.lines if len(areas) > 1 else ():
            middles = [((word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2) for word in line.words]
            if all(any(area.holds(x, y) for area in areas) for x, y in middles):
                found.add((view.page.number, index))
    return frozenset(found)
