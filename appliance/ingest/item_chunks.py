"""Tables, figures and definitions as places to show, with what is searched in each.

Rules of this module: pure. A table is one place, never cut; its caption and each of its rows, read
out with their heads, are searched, and for a table of numbers also a sentence of what it gives. A
figure is shown with the paragraphs that refer to it. Definitions that stand together share a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from appliance.document import Box, Chunk, Clause, Document, Figure, Label, LineSpan, Passage, Table, Term
from appliance.ingest.clause_chunks import Outline
from appliance.ingest.pieces import Piece, drawn, labels_of, merged, packed, split, stacked, tokens
from appliance.tabular import row_sentences, table_text

CITING = 250  # tokens of paragraphs shown with a figure
DEFINITIONS = 250  # tokens of definitions that share a place
NUMBERS = 0.3  # share of body cells with a digit that makes a table of numbers
NAMED = 40  # row labels and heads named in the sentence on a table


def table_chunks(table: Table, outline: Outline, parent: int) -> Iterator[Chunk]:
    """Yield a table as a place, then its caption, its rows and what it gives; `parent` is its position."""
    context = outline.context(table.clause)
    rows = row_sentences(table)
    title = caption(table)
    heads = [cell.text for cell in table.cells if cell.header and cell.text]
    passages = [Passage(title, tuple(LineSpan(0, len(title), box) for box in table.boxes[:1]))]
    passages += [_row_passage(text, boxes) for _, text, boxes in rows]
    passages += [_row_passage(f"{note.mark} {note.text}".strip(), (note.box,)) for note in table.notes]
    whole = stacked(passages) if rows else Passage(table_text(table), passages[0].lines)

    def chunk(
        passage: Passage, boxes: tuple[Box, ...], row: int | None = None, *, shown: bool = False
    ) -> Chunk:
        above = None if shown else parent
        return Chunk(table.label, (table.label,), "table", title, context, passage, boxes, above, row)

    yield chunk(whole, table.boxes, shown=True)
    yield chunk(Passage("; ".join(dict.fromkeys([title, *heads]))), table.boxes)
    for row, text, boxes in rows:
        yield chunk(_row_passage(text, boxes), boxes or table.boxes, row)
    yield from (chunk(_row_passage(note.text, (note.box,)), (note.box,)) for note in table.notes if note.text)
    if _of_numbers(table):
        yield chunk(Passage(_gives(title, heads, [text for _, text, _ in rows])), table.boxes)


def caption(table: Table) -> str:
    """Return label and title of a table, the label left out where none is printed."""
    return f"{table.label} {table.title}".strip() if table.captioned else table.title or str(table.label)


def _row_passage(text: str, boxes: Sequence[Box]) -> Passage:
    return Passage(text, tuple(LineSpan(0, len(text), box) for box in boxes))


def _of_numbers(table: Table) -> bool:
    body = [cell for cell in table.cells if not cell.header and cell.text]
    return bool(body) and sum(any(c.isdigit() for c in cell.text) for cell in body) >= NUMBERS * len(body)


def _gives(title: str, heads: Sequence[str], rows: Sequence[str]) -> str:
    """Return in words what a table of numbers holds, its numbers left out."""
    labels = dict.fromkeys(row.partition(":")[0] for row in rows if ":" in row)
    given = "; ".join(list(dict.fromkeys(heads))[:NAMED])
    return f"{title}. {given}. {'; '.join(list(labels)[:NAMED])}."


def figure_chunks(figure: Figure, document: Document, outline: Outline, parent: int) -> Iterator[Chunk]:
    """Yield a figure as a place with the paragraphs that refer to it, then its caption and lettering."""
    title = f"{figure.label} {figure.title}".strip()
    context = outline.context(figure.clause)
    citing = _citing(figure, document, outline)
    own = Passage(title, tuple(LineSpan(0, len(title), box) for box in figure.boxes[:1]))
    lettering = Passage(figure.text, tuple(LineSpan(0, len(figure.text), box) for box in figure.boxes[:1]))
    labels = (figure.label, *labels_of(citing))
    boxes = tuple(dict.fromkeys([*figure.boxes, *(box for piece in citing for box in drawn(piece.passage))]))
    whole = stacked([own, lettering, *(piece.passage for piece in citing)])
    yield Chunk(figure.label, labels, "figure", title, context, whole, boxes)
    said = " ".join(piece.passage.text for piece in citing)
    yield Chunk(
        figure.label, (figure.label,), "figure", title, context, own, figure.boxes, parent, extra=said
    )
    if figure.text:
        yield Chunk(figure.label, (figure.label,), "figure", title, context, lettering, figure.boxes, parent)


def _citing(figure: Figure, document: Document, outline: Outline) -> list[Piece]:
    """Return the whole paragraphs that refer to a figure, as many as there is room for."""
    sources = dict.fromkeys(
        reference.source
        for reference in document.references
        if reference.target == figure.label and reference.document in (None, document.id)
    )
    pieces: list[Piece] = []
    room = CITING
    for source in sources:
        clause = outline.by_label.get(source)
        size = tokens(clause.passage.text) if clause else 0
        if clause and 0 < size <= room:
            pieces.append(Piece((clause.label,), clause.passage))
            room -= size
    return pieces


def definition_chunks(
    terms: Sequence[Term], outline: Outline, home: Clause | None, first: int
) -> Iterator[Chunk]:
    """Yield definitions that stand in one clause, neighbours together; `first` is the next position."""
    context = outline.context(home.label if home else None)
    at = first
    for group in _together(terms, home):
        labels = labels_of(group)
        passage = stacked(piece.passage for piece in group)
        boxes = merged(span.box for piece in group for span in piece.passage.lines)
        title = ", ".join(str(piece.labels[0]) for piece in group)
        yield Chunk(labels[0], labels, "definition", title, context, passage, boxes)
        parent = at
        at += 1
        for piece in group:
            own = drawn(piece.passage)
            name = str(piece.labels[0])
            yield Chunk(
                piece.labels[0], piece.labels, "definition", name, context, piece.passage, own, parent
            )
            at += 1


def _together(terms: Sequence[Term], home: Clause | None) -> list[list[Piece]]:
    pieces = [part for term in terms for part in split(_definition(term, home), DEFINITIONS)]
    return packed(pieces, DEFINITIONS, DEFINITIONS)


def _definition(term: Term, home: Clause | None) -> Piece:
    """Return a term over its meaning, each on its printed lines."""
    known = {span.box for span in term.passage.lines}
    heads = [box for box in term.boxes if box not in known] or list(term.boxes[:1])
    lines = [LineSpan(0, len(term.term), box) for box in heads[:1]]
    labels = (term.label, home.label) if home and _is_all(term, home) else (term.label,)
    return Piece(labels, stacked([Passage(term.term, tuple(lines)), term.passage]))


def _is_all(term: Term, home: Clause) -> bool:
    """Tell whether the clause is this definition ("1.5.3 term") and nothing more."""
    return home.title.casefold().strip(" :*") == term.term.casefold() or term.boxes == home.boxes


def homes_of(terms: Iterable[Term], document: Document) -> dict[Label, list[Term]]:
    """Return the definitions by the innermost clause that they stand in."""
    homes: dict[Label, list[Term]] = {}
    for term in terms:
        clause = next((c for c in reversed(document.clauses) if _holds(c, term)), None)
        if clause is None and document.clauses:
            clause = document.clauses[-1]
        if clause:
            homes.setdefault(clause.label, []).append(term)
    return homes


def _holds(clause: Clause, term: Term) -> bool:
    first = term.boxes[0] if term.boxes else None
    return first is not None and any(_middle_in(first, box) for box in clause.boxes)


def _middle_in(inner: Box, outer: Box) -> bool:
    across, down = (inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2
    return inner.page == outer.page and outer.x0 <= across <= outer.x1 and outer.y0 <= down <= outer.y1
