"""Tables, figures and definitions as places to show, with what is searched in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from appliance.core.document import (
    Box,
    Chunk,
    Clause,
    Document,
    Figure,
    Label,
    Passage,
    Table,
    Term,
)
from appliance.core.frames import in_box
from appliance.ingest.clause_chunks import (
    MOST,
    TOKENS_PER_WORD,
    Outline,
    Piece,
    drawn,
    labels_of,
    packed,
    placed,
    split,
    stacked,
    tokens,
)
from appliance.tables.rows import row_sentences

CHILD = 120  # tokens of a searched part
CITING = 250  # tokens of paragraphs shown with a figure
FIGURE = 480  # tokens of a figure as a place
LETTERING = 300  # tokens of lettering that it shows
DEFINITIONS = 250  # tokens of definitions that share a place
NUMBERS = 0.3  # share of body cells with a digit that makes a table of numbers


def table_chunks(table: Table, outline: Outline, first: int) -> Iterator[Chunk]:
    """Yield a table as a place, then its caption, its rows and what it gives; `first` is its position."""
    title, context = caption(table), outline.context(table.clause)
    label, at = (table.label,), first
    for part in _parts(table, title):
        whole = stacked(piece.passage for piece in part.pieces)
        boxes = table.boxes if part.whole else drawn(stacked(p.passage for p in part.pieces[1:]))
        yield Chunk(table.label, label, "table", title, context, whole, boxes)
        parent = at
        children = [*(_about(table, title) if at == first else ()), *_spoken(part)]
        for row, passage, own in children:
            yield Chunk(table.label, label, "table", title, context, passage, own or table.boxes, parent, row)
        at += 1 + len(children)


@dataclass(frozen=True, slots=True)
class _Part:
    """A place of a table: its caption, then rows and notes with their row numbers (None for a note)."""

    pieces: tuple[Piece, ...]
    rows: tuple[int | None, ...]
    whole: bool


def _parts(table: Table, title: str) -> list[_Part]:
    """Return the rows and notes of a table in as few places as hold them, the caption on each."""
    label = (table.label,)
    top = Piece(label, placed(title, table.boxes[:1]))
    said: list[tuple[int | None, Passage]] = [
        (row, placed(text, boxes)) for row, text, boxes in row_sentences(table)
    ]
    noted = ((f"{note.mark} {note.text}".strip(), note.box) for note in table.notes)
    said += [(None, placed(text, (box,))) for text, box in noted if text]
    groups: list[list[tuple[int | None, Piece]]] = [[]]
    size = top.tokens
    for row, passage in said:
        piece = Piece(label, passage)
        if groups[-1] and size + piece.tokens > MOST:
            groups.append([])
            size = top.tokens
        groups[-1].append((row, piece))
        size += piece.tokens
    return [
        _Part((top, *(piece for _, piece in group)), tuple(row for row, _ in group), len(groups) == 1)
        for group in groups
    ]


def _about(table: Table, title: str) -> Iterator[tuple[None, Passage, tuple[Box, ...]]]:
    """Yield what is searched of the table as a whole: caption with heads, and what its numbers are for."""
    heads = list(dict.fromkeys(cell.text for cell in table.cells if cell.header and cell.text))
    yield None, Passage(_within("; ".join([title, *heads]), CHILD)), table.boxes
    if _of_numbers(table):
        yield None, Passage(_within(_gives(title, heads, table), CHILD)), table.boxes


def _spoken(part: _Part) -> Iterator[tuple[int | None, Passage, tuple[Box, ...]]]:
    for row, piece in zip(part.rows, part.pieces[1:], strict=True):
        yield row, piece.passage, drawn(piece.passage)


def _within(text: str, most: int) -> str:
    """Return the text as it is where it is short, else its first words, at most so many tokens."""
    if tokens(text) <= most:
        return text
    return " ".join(text.split()[: int(most / TOKENS_PER_WORD)])


def caption(table: Table) -> str:
    """Return label and title of a table, the label left out where none is printed."""
    return f"{table.label} {table.title}".strip() if table.captioned else table.title or str(table.label)


def _of_numbers(table: Table) -> bool:
    body = [cell for cell in table.cells if not cell.header and cell.text]
    return bool(body) and sum(any(c.isdigit() for c in cell.text) for cell in body) >= NUMBERS * len(body)


def _gives(title: str, heads: Sequence[str], table: Table) -> str:
    """Return in words what a table of numbers holds, its numbers left out: names of rows, then heads."""
    labels = dict.fromkeys(text.partition(":")[0] for _, text, _ in row_sentences(table) if ":" in text)
    return f"{title}. {'; '.join(labels)}. {'; '.join(heads)}."


def figure_chunks(figure: Figure, document: Document, outline: Outline, parent: int) -> Iterator[Chunk]:
    """Yield a figure as a place with the paragraphs that refer to it, then its caption and lettering."""
    title = f"{figure.label} {figure.title}".strip()
    context = outline.context(figure.clause)
    own = placed(title, figure.boxes[:1])
    lettering = placed(_within(figure.text, LETTERING), figure.boxes[:1])
    room = FIGURE - tokens(own.text) - tokens(lettering.text)
    citing = _citing(figure, document, outline, min(room, CITING))
    labels = (figure.label, *labels_of(citing))
    boxes = tuple(dict.fromkeys([*figure.boxes, *(box for piece in citing for box in drawn(piece.passage))]))
    whole = stacked([own, lettering, *(piece.passage for piece in citing)])
    yield Chunk(figure.label, labels, "figure", title, context, whole, boxes)
    said = " ".join(piece.passage.text for piece in citing)
    yield Chunk(
        figure.label, (figure.label,), "figure", title, context, own, figure.boxes, parent, extra=said
    )
    for piece in split(Piece((figure.label,), lettering), CHILD) if figure.text else ():
        yield Chunk(figure.label, piece.labels, "figure", title, context, piece.passage, figure.boxes, parent)


def _citing(figure: Figure, document: Document, outline: Outline, room: int) -> list[Piece]:
    """Return the whole paragraphs that refer to a figure, as many as there is room for."""
    sources = dict.fromkeys(
        reference.source
        for reference in document.references
        if reference.target == figure.label and reference.document in (None, document.id)
    )
    pieces: list[Piece] = []
    for source in sources:
        clause = outline.by_label.get(source)
        size = tokens(clause.passage.text) if clause else 0
        if clause and 0 < size <= room:
            pieces.append(Piece((clause.label,), clause.passage))
            room -= size
    return pieces


Defined = tuple[Term, tuple[Label, ...]]
"""A definition and the labels of the clauses whose text it shows."""


def definition_chunks(
    terms: Sequence[Defined], outline: Outline, home: Label | None, first: int
) -> Iterator[Chunk]:
    """Yield definitions that stand together, neighbours in one place; `first` is the next position."""
    context, at = outline.context(home), first
    for group in packed([_definition(*defined) for defined in terms], DEFINITIONS, DEFINITIONS):
        passage = stacked(piece.passage for piece in group)
        labels = labels_of(group)
        title = ", ".join(dict.fromkeys(str(piece.labels[0]) for piece in group))
        yield Chunk(labels[0], labels, "definition", title, context, passage, drawn(passage))
        parent = at
        at += 1
        parts = [part for piece in group for part in split(piece, CHILD)]
        for piece in parts if len(parts) > 1 else ():
            own, name = drawn(piece.passage), str(piece.labels[0])
            yield Chunk(
                piece.labels[0], piece.labels, "definition", name, context, piece.passage, own, parent
            )
            at += 1


def _definition(term: Term, also: tuple[Label, ...]) -> Piece:
    """Return a term over its meaning, each on its printed lines."""
    known = {span.box for span in term.passage.lines}
    heads = [box for box in term.boxes if box not in known] or list(term.boxes)
    return Piece((term.label, *also), stacked([placed(term.term, heads[:1]), term.passage]))


def homes_of(terms: Iterable[Term], document: Document) -> dict[Label | None, list[Term]]:
    """Return the definitions by the innermost clause that they stand in, None where there is none."""
    homes: dict[Label | None, list[Term]] = {}
    for term in terms:
        clause = next((c for c in reversed(document.clauses) if _holds(c, term)), None)
        homes.setdefault(clause.label if clause else None, []).append(term)
    return homes


def _holds(clause: Clause, term: Term) -> bool:
    first = term.boxes[0] if term.boxes else None
    return first is not None and any(in_box(first, box) for box in clause.boxes)
