"""The clause tree as nested nodes in document order, tables and figures at their clause."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from appliance.core.document import Clause, Figure, Label, Reference, Table, pages_of

if TYPE_CHECKING:
    from appliance.web.answers.cited_places import Drawing
    from appliance.web.reading.glossaries import Entry, Glossary

SNIPPET = 110  # characters of a clause without a title
FOLDED = frozenset({"item", "note"})


@dataclass(slots=True)
class Node:
    """One line of the tree; `kind` says which reading view it opens."""

    label: Label
    kind: str
    marker: str
    title: str
    page: int
    titled: bool = True
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; with a `reference` it is one that can be followed (or says why not).

    With a `drawing` the text was read with doubt, and the picture stands in its place; with a `term` it is
    a word that the document defines.
    """

    text: str
    reference: Reference | None = None
    drawing: Drawing | None = None
    term: Entry | None = None


def tree(
    clauses: Sequence[Clause], tables: Iterable[Table] = (), figures: Iterable[Figure] = ()
) -> tuple[Node, ...]:
    """Return the roots of the tree. An item whose parent is missing or folded stands where it can."""
    shown = [clause for clause in clauses if clause.kind not in FOLDED]
    nodes = {clause.label: _clause_node(clause) for clause in shown}
    parents = {clause.label: clause.parent for clause in clauses}
    roots: list[Node] = []
    for clause in shown:
        _hang(nodes[clause.label], clause.parent, nodes, parents, roots)
    items: list[tuple[Table | Figure, str]] = [(table, "table") for table in tables]
    items += [(figure, "figure") for figure in figures]
    for item, kind in items:
        page = next(iter(pages_of(item.boxes)), 0)
        node = Node(item.label, kind, str(item.label), item.title, page)
        _hang(node, item.clause, nodes, parents, roots)
    return tuple(roots)


def _hang(
    node: Node,
    parent: Label | None,
    nodes: dict[Label, Node],
    parents: dict[Label, Label | None],
    roots: list[Node],
) -> None:
    seen: set[Label] = set()
    while parent is not None and parent not in nodes and parent not in seen:
        seen.add(parent)
        parent = parents.get(parent)
    home = nodes.get(parent) if parent is not None else None
    (roots if home is None or home is node else home.children).append(node)


def _clause_node(clause: Clause) -> Node:
    page = next(iter(pages_of(clause.boxes)), 0)
    title = clause.title or snippet(clause.passage.text)
    return Node(clause.label, clause.kind, clause.marker or _number(clause), title, page, bool(clause.title))


def _number(clause: Clause) -> str:
    """Return the printed label, or nothing where it only repeats the title."""
    return "" if str(clause.label) == clause.title else str(clause.label)


def snippet(text: str, length: int = SNIPPET) -> str:
    """Return the beginning of a text, cut after a word."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0].rstrip(",;: …") + " …"


def below(clauses: Sequence[Clause], clause: Clause) -> tuple[Clause, ...]:
    """Return the clause with all that stands under it, in document order."""
    under = {clause.label}
    found = []
    for item in clauses:
        if item.label == clause.label or (item.parent is not None and item.parent in under):
            under.add(item.label)
            found.append(item)
    return tuple(found) or (clause,)


def beside(
    clauses: Sequence[Clause], clause: Clause, under: Sequence[Clause]
) -> tuple[Clause | None, Clause | None]:
    """Return the clause to read before this one (of its level or above it), and the one after its last."""
    order = [item.label for item in clauses]
    at = order.index(clause.label)
    earlier = (item for item in reversed(clauses[:at]) if item.level <= clause.level)
    inside = {item.label for item in under}
    later = (item for item in clauses[at:] if item.label not in inside and item.kind not in FOLDED)
    return next((item for item in earlier if item.kind not in FOLDED), None), next(later, None)


def pieces(
    text: str,
    references: Iterable[Reference],
    drawings: Mapping[tuple[int, int], Drawing] | None = None,
) -> tuple[Piece, ...]:
    """Return a text cut at its references and at what is drawn in place of it, by stretch of the text.

    Of two that overlap the first and longer one is kept; a drawing goes before any reference.
    """
    drawn = drawings or {}
    cuts = [(start, end, Piece(text[start:end], drawing=item)) for (start, end), item in drawn.items()]
    cuts += [
        (item.start, item.end, Piece(text[item.start : item.end], item))
        for item in references
        if not any(item.start < end and start < item.end for start, end in drawn)
    ]
    found: list[Piece] = []
    at = 0
    for start, end, piece in sorted(cuts, key=lambda cut: (cut[0], -cut[1])):
        if start < at or not start < end <= len(text):
            continue
        if start > at:
            found.append(Piece(text[at:start]))
        found.append(piece)
        at = end
    if at < len(text):
        found.append(Piece(text[at:]))
    return tuple(found)


def with_terms(cut: Iterable[Piece], found: Glossary, entries: Collection[Entry]) -> tuple[Piece, ...]:
    """Return a text cut at the words that its document defines too; `entries` are those to be marked."""
    pattern = found.pattern
    if pattern is None or not entries:
        return tuple(cut)
    return tuple(part for piece in cut for part in _marked(piece, pattern, found, entries))


def _marked(
    piece: Piece, pattern: re.Pattern[str], found: Glossary, entries: Collection[Entry]
) -> Iterator[Piece]:
    if piece.reference or piece.drawing:
        yield piece
        return
    at = 0
    for match in pattern.finditer(piece.text):
        entry = found.entry(match.group())
        if entry not in entries:
            continue
        if match.start() > at:
            yield Piece(piece.text[at : match.start()])
        yield Piece(match.group(), term=entry)
        at = match.end()
    if at < len(piece.text):
        yield Piece(piece.text[at:])
