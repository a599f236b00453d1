"""A document cut into places to show and the smaller parts of them that are searched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from appliance.core.document import Box, Chunk, Clause, Document, Figure, Label, Table, Term
from appliance.ingest.clause_chunks import (
    HANGING,
    MOST,
    Group,
    Outline,
    Piece,
    children_of,
    clause_groups,
    drawn,
    heading,
    labels_of,
    overview,
    passage_of,
    stacked,
    tokens,
)
from appliance.ingest.item_chunks import (
    CHILD,
    Defined,
    definition_chunks,
    figure_chunks,
    homes_of,
    table_chunks,
)

LEAST = 40  # tokens of a searched part, as far as neighbours can be joined
CONTENTS = 120  # tokens of the contents of a division
DEFINED = 0.8  # share of a clause's lines that are definitions, to show them as such only
SEVERAL = 3  # definitions that make a numbered clause a list of them
_DIVISIONS = frozenset({"section", "annex", "part"})
_TITLES = frozenset({"heading", "section", "part", "front"})


def make_chunks(document: Document) -> tuple[Chunk, ...]:
    """Return the chunks of a document, parents followed by their children."""
    outline = Outline(document)
    homes = homes_of(document.terms, document)
    defined = _defined(document, homes)
    groups: Mapping[Label, list[Group]] = defaultdict(list)
    for group in clause_groups(outline, defined):
        groups[group.clause.label].append(group)
    definitions = _definitions(document, homes, defined)
    placed = _placed(document)
    chunks: list[Chunk] = []
    for clause in document.clauses:
        contents = list(_overview(clause, outline))
        chunks += contents
        for group in groups.get(clause.label, ()):
            if not (contents and len(group.pieces) == 1):  # its title alone
                chunks += _clause_chunks(group, outline, len(chunks))
        chunks += definition_chunks(definitions.pop(clause.label, ()), outline, clause.label, len(chunks))
        for item in placed.pop(clause.label, ()):
            chunks += _item(item, document, outline, len(chunks))
    for terms in definitions.values():
        chunks += definition_chunks(terms, outline, None, len(chunks))
    for item in (item for rest in placed.values() for item in rest):
        chunks += _item(item, document, outline, len(chunks))
    return tuple(chunks)


def _definitions(
    document: Document, homes: Mapping[Label | None, Sequence[Term]], defined: frozenset[Label]
) -> dict[Label | None, list[Defined]]:
    """Return the definitions by the clause after which they are shown, with the labels that they hold.

    Numbered definitions that follow one another are shown together, after the first of them.
    """
    shown: dict[Label | None, list[Defined]] = {}
    first: Clause | None = None
    for clause in document.clauses:
        also = (clause.label,) if clause.label in defined else ()
        terms = [(term, also) for term in homes.get(clause.label, ())]
        if also and not terms and clause.kind in HANGING:
            continue  # a part of the definition above it
        follows = first is not None and also and terms and clause.parent == first.parent
        if not follows:
            first = clause if also and terms else None
        if terms:
            shown.setdefault(first.label if first else clause.label, []).extend(terms)
    if None in homes:
        shown[None] = [(term, ()) for term in homes[None]]
    return shown


def _placed(document: Document) -> dict[Label | None, list[Table | Figure]]:
    placed: dict[Label | None, list[Table | Figure]] = defaultdict(list)
    for table in document.tables:
        placed[table.clause].append(table)
    for figure in document.figures:
        placed[figure.clause].append(figure)
    return placed


def _item(item: Table | Figure, document: Document, outline: Outline, at: int) -> Iterator[Chunk]:
    if isinstance(item, Table):
        return table_chunks(item, outline, at)
    return figure_chunks(item, document, outline, at)


def _clause_chunks(group: Group, outline: Outline, at: int) -> Iterator[Chunk]:
    """Yield one place and its searched parts, none where the place is its only part; `at` is its position."""
    whole = passage_of(group)
    kind = _kind(group.clause)
    label = group.clause.label
    title, context = _title(label, outline), outline.context(label)
    yield Chunk(label, labels_of(group.pieces), kind, title, context, whole, drawn(whole))
    parts = children_of(group, outline, LEAST, CHILD)
    for pieces in parts if len(parts) > 1 else ():
        passage = stacked(piece.passage for piece in pieces)
        lead = pieces[0].lead if pieces[0].lead not in passage.text else ""
        own = _label(pieces, outline)
        title, context = _title(own, outline), outline.context(own)
        labels, boxes = labels_of(pieces), drawn(passage)
        yield Chunk(own, labels, kind, title, context, passage, boxes, at, extra=lead)


def _label(pieces: Sequence[Piece], outline: Outline) -> Label:
    """Return the label of the first text among the pieces, that of a title only where nothing else is."""
    labels = [piece.labels[-1] for piece in pieces]
    return next((label for label in labels if _is_text(label, outline)), labels[0])


def _is_text(label: Label, outline: Outline) -> bool:
    return label in outline.by_label and outline.by_label[label].kind not in _TITLES


def _title(label: Label, outline: Outline) -> str:
    """Return the title of a clause or of the nearest place above it that has one."""
    return next((clause.title for clause in reversed(outline.path(label)) if clause.title), "")


def _kind(clause: Clause) -> Literal["requirement", "annex", "heading", "clause"]:
    if clause.kind in {"requirement", "annex"}:
        return clause.kind
    return "heading" if clause.kind in _TITLES else "clause"


def _overview(clause: Clause, outline: Outline) -> Iterator[Chunk]:
    """Yield the title and contents of a division that is too long to be one place."""
    if clause.kind not in _DIVISIONS or _size(clause, outline) <= MOST:
        return
    passage = overview(clause, outline, CONTENTS)
    if passage:
        context = outline.context(clause.parent)
        boxes = drawn(passage)
        yield Chunk(clause.label, (clause.label,), _kind(clause), heading(clause), context, passage, boxes)


def _size(clause: Clause, outline: Outline) -> int:
    below = sum(_size(child, outline) for child in outline.children.get(clause.label, ()))
    return tokens(clause.passage.text) + below


def _defined(document: Document, homes: Mapping[Label | None, Sequence[Term]]) -> frozenset[Label]:
    """Return the clauses whose text is shown as definitions."""
    lines = {span.box for term in document.terms for span in term.passage.lines}
    lines |= {box for term in document.terms for box in term.boxes}
    return frozenset(
        clause.label
        for clause in document.clauses
        if clause.passage.lines and _is_definitions(clause, homes.get(clause.label, ()), lines)
    )


def _is_definitions(clause: Clause, terms: Sequence[Term], lines: set[Box]) -> bool:
    own = [span.box in lines for span in clause.passage.lines]
    if clause.kind in HANGING:
        return all(own)
    if any(set(clause.boxes) <= set(term.boxes) for term in terms):
        return True
    if clause.kind not in _TITLES and len(terms) < SEVERAL:
        return False  # a clause that defines a term in passing
    return sum(own) >= DEFINED * len(own)
