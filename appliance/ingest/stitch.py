"""Tables that go on over pages, joined by a caption that says so (without one: `going_on`).

Rules of this module: pure; a piece is what one page shows of a table; pieces are joined only where the
columns agree, and a head that is printed again is dropped once, not twice. A page with another head is a
part of its own: its values never stand under the names of another page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from appliance.ingest.captions import Caption
from appliance.ingest.cells import paragraph
from appliance.ingest.grid import Grid
from appliance.ingest.rules import Area
from appliance.ingest.table_notes import PrintedNote
from appliance.ingest.view import View

FIRST = 6  # rows among which a head is looked for
NAMED = 2  # columns with a name that tell a head of one row
COLUMNS = 3  # with a name each that tell a head whose drawing reads otherwise
WORD = 4  # letters of a word of a head; what is shorter may be a letter of its drawing
LIKE = 85.0  # per cent of equal characters that make two names the same
SHARED = 0.6  # of the words of two heads: one is the other, or takes its place
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")


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
    """Return the pieces in groups, one for each table.

    A numbered sheet with a head of its own is a part of its table, which is named after it: "Table 5.2 (2)".
    """
    groups: list[list[Piece]] = []
    homes: list[str] = []  # the label that is printed over each group
    for own in pieces:
        piece, caption = own, own.caption
        at = _home(piece, groups, homes) if caption.continued else None
        joined = going_on(piece, groups[at][-1]) if at is not None else None
        if at is not None and joined is not None:
            groups[at].append(joined)
            continue
        if at is not None and caption.sheet:
            piece = replace(piece, caption=replace(caption, label=f"{caption.label} ({caption.sheet})"))
        groups.append([piece])
        homes.append(caption.label)
    return groups


def _home(piece: Piece, groups: Sequence[list[Piece]], homes: Sequence[str]) -> int | None:
    """Return which group a continued piece belongs to: the last of its label, up to a page before."""
    for at in reversed(range(len(groups))):
        near = piece.caption.page - groups[at][-1].view.page.number <= 1
        if homes[at] == piece.caption.label and near:
            return at
    return None


def going_on(piece: Piece, before: Piece) -> Piece | None:
    """Return the piece with what it shares with the one before: its head, or how many rows it has.

    None where it has a head of its own: its values stand under other names, whatever the caption says.
    """
    if piece.grid is None or before.grid is None:
        return piece
    if before.head and _same(_rows(piece, before.head), _rows(before, before.head)):
        return replace(piece, head=before.head, repeats=True)
    again = _printed_again(piece, before)
    if again:
        return replace(piece, head=again, repeats=True)
    if _drawn_again(piece, before):
        return replace(piece, repeats=True)
    apart = piece.head if piece.caption.sheet else _has_own_head(piece, before)
    return None if apart else replace(piece, head=0)


def _printed_again(piece: Piece, before: Piece) -> int:
    """Return after how many rows the last row of the head before stands again, 0 where it does not.

    Over a head of one row anything may stand (a drawing, lines of a noisy layer); rows over the last one of a
    higher head say what holds below, and have to be the same.
    """
    head = _rows(before, before.head)
    for at, row in enumerate(_rows(piece, FIRST)) if head else ():
        named = sum(any(sign.isalpha() for sign in text) for text in row.values())
        over = _rows(piece, at)[-len(head) + 1 :] if len(head) > 1 else []
        if named >= NAMED and _same([*over, row], head):
            return at + 1
    return 0


def _drawn_again(piece: Piece, before: Piece) -> bool:
    """Tell whether a scanned page repeats the head of the page before but for letters of a drawing in it."""
    mine, its = _rows(piece, piece.head), _rows(before, before.head)
    scanned = all(one.view.page.trust == "ocr" for one in (piece, before))
    if not scanned or not mine or not its or len(mine[-1]) < COLUMNS or not _same(mine[-1:], its[-1:]):
        return False
    said, before_said = _words_over(mine), _words_over(its)
    return bool(said) and _each_in(said, before_said) and _each_in(before_said, said)


def _words_over(rows: Sequence[dict[int, str]]) -> set[str]:
    """Return the words and bare numbers over the last row of a head, with the sign that ends a name."""
    over = [text.split() for row in rows[:-1] for text in row.values()]
    names = {word for cell in over for word in cell if _is_word(word) or _is_number(word)}
    ends = [cell[-2:] for cell in over if len(cell) > 1]
    kinds = {" ".join(end) for end in ends if _is_word(end[0]) and not _is_word(end[1])}  # "type a"
    return names | kinds


def _is_word(text: str) -> bool:
    return len(text) >= WORD and text.isalpha()


def _is_number(text: str) -> bool:
    """Tell whether a number is printed; a lone figure may be a letter of the drawing ("0" for D)."""
    return len(text) > 1 and bool(_FIGURES.fullmatch(text))


def _each_in(words: set[str], others: set[str]) -> bool:
    """Tell whether each word has one like it among the others; the sign behind a word is the same."""
    return all(
        any(
            _reads_as(word, other) and (" " not in word or word.split()[1:] == other.split()[1:])
            for other in others
        )
        for word in words
    )


def _rows(piece: Piece, count: int) -> list[dict[int, str]]:
    """Return the first rows as the text of each cell that has any, by column."""
    cells = piece.grid.cells if piece.grid is not None else ()
    rows: list[dict[int, str]] = [{} for _ in range(min(count, piece.grid.rows if piece.grid else 0))]
    for cell in cells:
        if cell.row < len(rows) and (text := paragraph(cell.lines).casefold()):
            rows[cell.row][cell.column] = text
    return rows


def _same(one: Sequence[dict[int, str]], other: Sequence[dict[int, str]]) -> bool:
    """Tell whether rows say the same cell by cell but for a few letters; no figure may be another."""
    return len(one) == len(other) and all(
        first.keys() == second.keys() and all(_reads_as(first[at], second[at]) for at in first)
        for first, second in zip(one, other, strict=True)
    )


def _reads_as(one: str, other: str) -> bool:
    return one == other or (
        _FIGURES.findall(one) == _FIGURES.findall(other) and fuzz.ratio(one, other) >= LIKE
    )


def _has_own_head(piece: Piece, before: Piece) -> bool:
    """Tell whether a page of a table begins with names of its columns that are not those of the page before.

    They share words with them, or are words alone over columns of values.
    """
    rows = _rows(piece, FIRST)
    if not piece.head or not rows:
        return False
    mine, its = (
        {word for row in _rows(one, one.head) for text in row.values() for word in text.split()}
        for one in (piece, before)
    )
    if its and len(mine & its) >= SHARED * max(len(mine), len(its)):
        return True
    names = {at: text for at, text in rows[0].items() if at}
    valued = [at for at in names if any(_FIGURES.search(row.get(at, "")) for row in rows[piece.head :])]
    return len(names) > 1 and len(valued) == len(names) and not any(map(_FIGURES.search, names.values()))
