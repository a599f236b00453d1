"""Tables that go on over pages, joined by a caption that says so (without one: `going_on`).

Rules of this module: pure; a piece is what one page shows of a table; pieces are joined only where the
columns agree, and a head that is printed again is dropped once, not twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.ingest.captions import Caption
from appliance.ingest.cells import paragraph
from appliance.ingest.grid import Grid
from appliance.ingest.rules import Area
from appliance.ingest.table_notes import PrintedNote
from appliance.ingest.view import View

NAMES, SAME = 3, 0.7  # words of a head that tell it, and share of them that are the same


@dataclass(frozen=True)
class Piece:
    """What one page shows of a table; `repeats` tells that its head was printed before.

    `away` tells that it stands in the column behind that of its caption.
    """

    caption: Caption
    view: View
    area: Area | None
    grid: Grid | None
    head: int
    inside: tuple[PrintedNote, ...]
    outside: tuple[PrintedNote, ...]
    repeats: bool = False
    away: bool = False

    @property
    def apart(self) -> bool:
        """Tell whether the caption stands elsewhere: on the page before, or in the column before."""
        return self.away or self.view is not self.caption.view


def stitched(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the pieces in groups, one for each table."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        home = _home(piece, groups) if piece.caption.continued else None
        if home is None:
            groups.append([piece])
        else:
            home.append(going_on(piece, home[-1]))
    return groups


def _home(piece: Piece, groups: Sequence[list[Piece]]) -> list[Piece] | None:
    """Return the group that a continued piece belongs to: the last of its label, up to a page before."""
    for group in reversed(groups):
        last = group[-1]
        if last.caption.label == piece.caption.label and piece.caption.page - last.caption.page <= 1:
            return group
    return None


def going_on(piece: Piece, before: Piece) -> Piece:
    """Return the piece with what it shares with the one before: its head, or how many rows it has."""
    if piece.grid is None or before.grid is None:
        return piece
    same = _heads(piece)[: before.head] == _heads(before)[: before.head] if before.head else False
    if same:
        return replace(piece, head=before.head, repeats=True)
    if piece.grid.columns == before.grid.columns and piece.head and _alike(piece, before):
        return replace(piece, repeats=True)
    again = _printed_again(piece, before)
    return replace(piece, head=again, repeats=again > 0)


def _printed_again(piece: Piece, before: Piece) -> int:
    """Return after how many rows the last row of the head before stands again, 0 where it does not.

    What stands over it (a drawing in the head, lines of a noisy layer) may be read otherwise.
    """
    if piece.grid is None or not before.head:
        return 0
    last = set((_heads(before) + [""] * before.head)[before.head - 1].replace("|", " ").split())
    for at, text in enumerate(_heads(piece)):
        own = set(text.replace("|", " ").split())
        if len(last & own) >= NAMES and len(last & own) >= SAME * max(len(last), len(own)):
            return at + 1
    return 0


def _heads(piece: Piece) -> list[str]:
    """Return the text of each of the first rows."""
    if piece.grid is None:
        return []
    rows = range(min(6, piece.grid.rows))
    return ["|".join(paragraph(c.lines).casefold() for c in piece.grid.cells if c.row == r) for r in rows]


def _alike(piece: Piece, before: Piece) -> bool:
    """Tell whether the heads are the same but for a few letters (a noisy text layer)."""
    one, other = (
        set(" ".join(_heads(piece)[: piece.head]).replace("|", " ").split()),
        set(" ".join(_heads(before)[: before.head]).replace("|", " ").split()),
    )
    return bool(one) and len(one & other) >= 0.6 * max(len(one), len(other))
