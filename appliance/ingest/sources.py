"""The text of every item that can hold a reference, each stretch with its printed line.

Rules of this module: order is that of the document; a reference's span counts in these passages, so
whoever shows one takes the text from here. The text of a clause is its own, without its children; a
table's is its title, cells row by row and notes, a figure's its title and lettering, a formula's its
explanation of symbols, one line each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from appliance.document import Box, Document, Figure, Formula, Label, LineSpan, Passage, Table, Term


def passages(document: Document) -> Iterator[tuple[Label, Passage]]:
    """Yield the label and text of every clause, table, figure, formula and definition."""
    known = set()
    for clause in document.clauses:
        known.add(clause.label)
        yield clause.label, clause.passage
    for table in document.tables:
        yield table.label, table_passage(table)
    for figure in document.figures:
        yield figure.label, figure_passage(figure)
    for formula in document.formulas:
        yield formula.label, formula_passage(formula)
    yield from ((term.label, term.passage) for term in document.terms if _separate(term, known, document))


def table_passage(table: Table) -> Passage:
    """Return title, cells and notes of a table, a line each."""
    whole = table.boxes[:1]
    parts = [(table.title, whole)]
    parts += [(cell.text, (cell.box,)) for cell in sorted(table.cells, key=lambda c: (c.row, c.column))]
    parts += [(note.text, (note.box,)) for note in table.notes]
    return joined(parts)


def figure_passage(figure: Figure) -> Passage:
    """Return title and lettering of a figure."""
    return joined([(figure.title, figure.boxes[:1]), (figure.text, figure.boxes[:1])])


def formula_passage(formula: Formula) -> Passage:
    """Return the explanation of a formula's symbols; the formula itself refers to nothing."""
    return joined([(formula.where, formula.boxes[:1])])


def joined(parts: Iterable[tuple[str, tuple[Box, ...]]]) -> Passage:
    """Return texts with their boxes as one passage, a line each, empty ones left out."""
    text, lines = "", []
    for part, boxes in parts:
        if not part:
            continue
        start = len(text) + bool(text)
        text = f"{text}\n{part}" if text else part
        lines += [LineSpan(start, len(text), box) for box in boxes]
    return Passage(text, tuple(lines))


def _separate(term: Term, known: set[Label], document: Document) -> bool:
    """Tell whether a definition's text stands nowhere else."""
    if term.label in known:
        return False
    pages = {box.page for box in term.boxes}
    words = term.passage.text[:60]
    return not any(
        words in clause.passage.text
        for clause in document.clauses
        if pages & {box.page for box in clause.boxes}
    )
