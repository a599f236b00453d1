"""Reading a table: its rows as sentences, and the cell that stands under some words and beside others.

Rules of this module: pure, over document values only; a value is returned as printed or not at all:
nothing is interpolated, rounded or converted. Words are matched by their share of the row's (or the
head's) words, rare words of the table counting more; numbers match only numbers that are the same.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz import fuzz

from appliance.document import Box, Cell, Table, TableNote

ROW_SHARE = 0.62  # of the score that the row's words decide
ENOUGH = 0.45  # of the row's words must be found, else the nearest rows are told
COLUMN_ENOUGH = 0.34
CLOSE = 0.04  # of the score: cells so near the best are returned with it
FUZZY = 84  # of 100: two spellings of one word
NEAREST = 5
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[<>≤≥]")
_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁽⁾]+")
_MARKER = re.compile(r"^\(?\w{1,3}[.)]?$")
_NUMERIC = re.compile(r"^[<>≤≥±~–-]?\s?\(?\d")
_STOP = frozenset("a an and as at be by for from in is it of on or the to with".split())

Aliases = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell with the words that it stands under and beside, and the notes that its marks point to."""

    cell: Cell
    row_label: str
    header: str
    notes: tuple[TableNote, ...]
    score: float


@dataclass(frozen=True, slots=True)
class LookUp:
    """The cells found, best first; where no row fits, the labels of the nearest rows instead."""

    cells: tuple[FoundCell, ...]
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowText:
    """A body row as a sentence with its heads, and where it is printed."""

    row: int
    text: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table laid out: the cell at each place, spans filled in."""

    table: Table
    at: Mapping[tuple[int, int], Cell]
    rows: int
    columns: int
    head: int
    labels: tuple[int, ...]
    groups: Mapping[int, str] = field(default_factory=dict)


@lru_cache(maxsize=64)
def sheet(table: Table) -> Sheet:
    """Return the table laid out."""
    at = {
        (r, c): cell
        for cell in table.cells
        for r in range(cell.row, cell.row + cell.row_span)
        for c in range(cell.column, cell.column + cell.column_span)
    }
    rows = 1 + max((r for r, _ in at), default=-1)
    columns = 1 + max((c for _, c in at), default=-1)
    head = 1 + max((cell.row + cell.row_span - 1 for cell in table.cells if cell.header), default=-1)
    labels = _label_columns(at, rows, columns, head)
    return Sheet(table, at, rows, columns, head, labels, _groups(at, rows, columns, head))


def _label_columns(at: Mapping[tuple[int, int], Cell], rows: int, columns: int, head: int) -> tuple[int, ...]:
    """Return the columns that name the rows: the first, and the second where the first holds marks only."""
    first = [at[r, 0].text for r in range(head, rows) if (r, 0) in at and at[r, 0].text]
    if columns > 2 and all(_MARKER.match(text) for text in first):
        return (0, 1)
    return (0,)


def _groups(at: Mapping[tuple[int, int], Cell], rows: int, columns: int, head: int) -> dict[int, str]:
    """Return for each row the title of the group that it stands in: a row above with one text only."""
    groups, title = {}, ""
    for row in range(head, rows):
        cells = {id(at[row, c]): at[row, c] for c in range(columns) if (row, c) in at}
        texts = [cell for cell in cells.values() if cell.text]
        alone = len(texts) == 1 and texts[0].column == 0 and columns > 1
        if alone and (len(cells) > 1 or texts[0].column_span == columns) and texts[0].row_span == 1:
            title = texts[0].text
        elif title:
            groups[row] = title
    return groups


def header_of(table: Table, column: int) -> str:
    """Return the head of a column: its texts in all head rows, from the top, each once.

    A head cell that is empty over others takes the words of the one to its left, which it belongs to.
    """
    laid = sheet(table)
    texts: list[str] = []
    for row in range(laid.head):
        cell = laid.at.get((row, column))
        left = column
        while row + 1 < laid.head and left > 0 and (cell is None or not cell.text):
            left -= 1
            cell = laid.at.get((row, left))
            if cell is not None and cell.text and cell.row_span > 1:
                cell = None
                break
        if cell is not None and cell.text and cell.text not in texts:
            texts.append(cell.text)
    return " – ".join(texts)


def row_label(table: Table, row: int) -> str:
    """Return what names a body row: the group it stands in, then its first column, carried down."""
    laid = sheet(table)
    texts = [laid.groups[row]] if row in laid.groups else []
    for column in laid.labels:
        cell = laid.at.get((row, column))
        above = row
        while (cell is None or not cell.text) and column == 0 and above > laid.head:
            above -= 1
            cell = laid.at.get((above, column))
            if above in laid.groups and laid.groups.get(row) != laid.groups[above]:
                cell = None
                break
        if cell is not None and cell.text and cell.text not in texts:
            texts.append(cell.text)
    return ", ".join(texts)


def row_sentences(table: Table) -> tuple[RowText, ...]:
    """Return each body row as "row label: head value; head value" with the boxes of its cells."""
    laid = sheet(table)
    sentences = []
    for row in range(laid.head, laid.rows):
        cells = _distinct(laid, row)
        values = [c for c in cells if c.column not in laid.labels and c.text]
        if not any(cell.text for cell in cells):
            continue
        said = [f"{header} {c.text}".strip() if (header := _head_over(laid, c)) else c.text for c in values]
        label = row_label(table, row)
        text = f"{label}: {'; '.join(said)}" if label and said else label or "; ".join(said)
        sentences.append(RowText(row, text, _boxes(cells)))
    return tuple(sentences)


def table_text(table: Table) -> str:
    """Return the table as text: caption, heads, a line for each row, notes."""
    laid = sheet(table)
    caption = f"{table.label} {table.title}".strip() if table.captioned else table.title
    heads = list(dict.fromkeys(filter(None, (header_of(table, c) for c in range(laid.columns)))))
    lines = [caption, "; ".join(heads), *(row.text for row in row_sentences(table))]
    lines += [f"{note.mark} {note.text}".strip() for note in table.notes]
    return "\n".join(line for line in lines if line)


def _distinct(laid: Sheet, row: int) -> list[Cell]:
    """Return the cells of a row, each once."""
    return list(dict.fromkeys(laid.at[row, c] for c in range(laid.columns) if (row, c) in laid.at))


def _head_over(laid: Sheet, cell: Cell) -> str:
    heads = [header_of(laid.table, c) for c in range(cell.column, cell.column + cell.column_span)]
    return " / ".join(dict.fromkeys(filter(None, heads)))


def _boxes(cells: Sequence[Cell]) -> tuple[Box, ...]:
    """Return one box for each page that the cells stand on."""
    pages: dict[int, list[Box]] = {}
    for cell in cells:
        pages.setdefault(cell.box.page, []).append(cell.box)
    return tuple(
        Box(page, min(b.x0 for b in bs), min(b.y0 for b in bs), max(b.x1 for b in bs), max(b.y1 for b in bs))
        for page, bs in sorted(pages.items())
    )


def table_lookup(
    table: Table, row_words: str, column_words: str, aliases: Aliases | None = None, limit: int = 5
) -> LookUp:
    """Return the cells beside the row's words and under the column's words, best first.

    `aliases` gives other words for a word. Where the words fit better the other way round (a table
    printed with its rows as columns), they are taken so.
    """
    laid = sheet(table)
    if not laid.at:
        return LookUp(())
    straight = _scored(laid, _tokens(row_words), _tokens(column_words), aliases or {})
    turned = _scored(laid, _tokens(column_words), _tokens(row_words), aliases or {}) if column_words else []
    best = turned if turned and (not straight or turned[0][0] > straight[0][0] + 0.15) else straight
    if not best:
        return LookUp((), _nearest(laid, _tokens(row_words), aliases or {}))
    top = best[0][0]
    cells = [cell for score, cell in best if score >= top - CLOSE]
    return LookUp(tuple(_found(laid, cell, score) for score, cell in best[: max(1, min(limit, len(cells)))]))


def _scored(
    laid: Sheet, row_query: Sequence[str], column_query: Sequence[str], aliases: Aliases
) -> list[tuple[float, Cell]]:
    """Return the cells that fit, best first, each once."""
    weights = _weights(laid)
    heads = [_tokens(header_of(laid.table, c)) for c in range(laid.columns)]
    column_scores = [_match(column_query, head, weights, aliases) for head in heads]
    known = bool(column_query) and max(column_scores, default=0.0) >= COLUMN_ENOUGH
    scores: dict[Cell, float] = {}
    for row in range(laid.head, laid.rows):
        for cell in _distinct(laid, row):
            if cell.column in laid.labels[:1] and laid.columns > 1 and known:
                continue
            beside = _words_beside(laid, row, cell)
            fits = _match(row_query, beside, weights, aliases)
            if fits < ENOUGH:
                continue
            under = max(column_scores[cell.column : cell.column + cell.column_span], default=0.0)
            score = ROW_SHARE * fits + (1 - ROW_SHARE) * (under if known else 0.5)
            score += 0.02 * (cell.row == row) - 0.2 * (not cell.text) - 0.1 * (known and under < COLUMN_ENOUGH)
            scores[cell] = max(scores.get(cell, 0.0), score)
    return sorted(((s, c) for c, s in scores.items()), key=lambda item: (-item[0], item[1].row, item[1].column))


def _words_beside(laid: Sheet, row: int, cell: Cell) -> list[str]:
    """Return the words of the row but for the cell's own, the row's label and group first."""
    words = _tokens(row_label(laid.table, row))
    for other in _distinct(laid, row):
        if other is not cell or other.column in laid.labels:
            words += _tokens(other.text)
    return words


def _weights(laid: Sheet) -> dict[str, float]:
    """Return how telling each word is: rare in the rows and heads of this table counts more."""
    seen: dict[str, int] = {}
    for row in range(laid.rows):
        for word in {w for cell in _distinct(laid, row) for w in _tokens(cell.text)}:
            seen[word] = seen.get(word, 0) + 1
    return {word: 0.3 + math.log(1 + laid.rows / count) for word, count in seen.items()}


def _match(query: Sequence[str], words: Sequence[str], weights: Mapping[str, float], aliases: Aliases) -> float:
    """Return how well the words answer the query, 0..1: mostly how much of it they hold."""
    if not query or not words:
        return 0.0
    strange = 0.6  # a word that the table has nowhere tells little
    total = sum(weights.get(q, strange) for q in query)
    held = sum(weights.get(q, strange) * _best(q, words, aliases) for q in query)
    back = sum(_best(word, query, {}) for word in words) / len(words)
    return 0.86 * held / total + 0.14 * back


def _best(word: str, words: Sequence[str], aliases: Aliases) -> float:
    """Return how well the best of the words fits this one, 0..1."""
    if word in words:
        return 1.0
    if any(alias in words for alias in aliases.get(word, ())):
        return 0.95
    if not word.isalpha() or len(word) < 3:
        return 0.0
    best = max((fuzz.ratio(word, other) for other in words if other.isalpha() and len(other) > 2), default=0.0)
    starts = any(other.startswith(word) or word.startswith(other) for other in words if len(other) > 3)
    return 0.9 * best / 100 if best >= FUZZY else 0.7 if starts and len(word) > 3 else 0.0


def _nearest(laid: Sheet, query: Sequence[str], aliases: Aliases) -> tuple[str, ...]:
    """Return the labels of the rows that fit best, though not well enough."""
    weights = _weights(laid)
    rows = range(laid.head, laid.rows)
    labels = {row_label(laid.table, r): _match(query, _tokens(row_label(laid.table, r)), weights, aliases) for r in rows}
    ordered = sorted(labels, key=lambda label: -labels[label])
    return tuple(label for label in ordered if label)[:NEAREST]


def _found(laid: Sheet, cell: Cell, score: float) -> FoundCell:
    label, head = row_label(laid.table, cell.row), _head_over(laid, cell)
    return FoundCell(cell, label, head, notes_for(laid.table, cell.text, label, head), round(score, 3))


def notes_for(table: Table, *texts: str) -> tuple[TableNote, ...]:
    """Return the notes whose marks the texts carry, and those that hold for the whole table."""
    carried = {mark for text in texts for mark in _marks(text)}
    return tuple(note for note in table.notes if not note.mark or note.mark in carried)


def _marks(text: str) -> Iterable[str]:
    for raised in re.findall(r"[⁰-⁾ᵃ-ᶻ¹²³,]+", text):
        yield from filter(None, unicodedata.normalize("NFKC", raised).replace("(", ",").replace(")", ",").split(","))
    yield from re.findall(r"[*†‡§]+", text)
    yield from re.findall(r"\((\w)\)", text)
    yield from re.findall(r"\s([a-z]|\d)\)", text)


def find_table(tables: Sequence[Table], label: str) -> Table | None:
    """Return the table that a label as printed names: its own, its figure's, or that of its clause."""
    wanted = _folded(label)
    steps = (
        lambda t: _folded(str(t.label)) == wanted,
        lambda t: _folded(str(t.label)).endswith((f" in {wanted}", f" to {wanted}")),
        lambda t: t.clause is not None and not t.captioned and _folded(str(t.clause)) == wanted,
        lambda t: t.clause is not None and not t.captioned and _folded(str(t.clause)).endswith(wanted),
    )
    return next((t for step in steps for t in tables if step(t)), None)


def _folded(label: str) -> str:
    text = re.sub(r"\(uncaptioned\)", "", label, flags=re.IGNORECASE)
    return re.sub(r"[\s–—-]+", " ", text).strip(" .:").casefold()


@lru_cache(maxsize=8192)
def _tokens_of(text: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKC", _RAISED.sub(_power_or_mark, text)).casefold()
    return tuple(_stem(token) for token in _TOKEN.findall(plain) if token not in _STOP)


def _power_or_mark(match: re.Match[str]) -> str:
    """Keep a power after a unit, drop the mark of a footnote."""
    before = match.string[: match.start()]
    return match[0] if before[-1:] == "m" else " "


def _tokens(text: str) -> list[str]:
    """Return the words of a text: small letters, plurals cut, signs and stop words left out."""
    return list(_tokens_of(text))


def _stem(token: str) -> str:
    if token[:1].isdigit():
        return token.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+", token) else token.replace(",", ".")
    if len(token) > 4 and token.endswith("ies"):
        return token[:-3] + "y"
    return token[:-1] if len(token) > 3 and token.endswith("s") and not token.endswith("ss") else token
