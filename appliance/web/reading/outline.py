"""The tree of the clauses of a document, and its running text with references, terms and drawings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakKeyDictionary

from appliance.core.document import Clause, Figure, Label, Reference, Table, Term, pages_of
from appliance.library import Library
from appliance.web.answers.cited_places import Drawing

SNIPPET = 110  # characters of a clause without a title
FOLDED = frozenset({"item", "note"})
WORDS_OF_A_TERM = 3  # letters: what is shorter is a symbol and not marked in running text
MARKED = 24  # terms marked in one text
_MAKING = Lock()
_HELD: WeakKeyDictionary[Library, dict[str, Glossary]] = WeakKeyDictionary()  # as long as its library is open


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
class Entry:
    """A term of a document; `page` is where it stands."""

    name: str
    text: str
    key: str
    page: int


@dataclass(frozen=True, slots=True)
class Glossary:
    """The terms of a document by their folded names, and what finds them in a text."""

    pattern: re.Pattern[str] | None
    named: dict[str, Entry]

    def entry(self, words: str) -> Entry | None:
        """Return what words of a text are defined as, in the plural too; None for what is not defined."""
        name = " ".join(words.casefold().split())
        forms = (name, name.removesuffix("s"), name.removesuffix("es"))
        return next((self.named[form] for form in forms if form in self.named), None)


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
    nodes: dict[Label, Node] = {}
    for clause in clauses:
        if clause.kind not in FOLDED:
            page = next(iter(pages_of(clause.boxes)), 0)
            title = clause.title or snippet(clause.passage.text)
            # it only repeats the title
            number = "" if str(clause.label) == clause.title else str(clause.label)
            marker = clause.marker or number
            nodes[clause.label] = Node(clause.label, clause.kind, marker, title, page, bool(clause.title))
    hung = [(nodes[clause.label], clause.parent) for clause in clauses if clause.kind not in FOLDED]
    for kind, items in (("table", tables), ("figure", figures)):
        for item in items:
            page = next(iter(pages_of(item.boxes)), 0)
            hung.append((Node(item.label, kind, str(item.label), item.title, page), item.clause))
    parents = {clause.label: clause.parent for clause in clauses}
    roots: list[Node] = []
    for node, above in hung:
        parent, seen = above, set[Label]()
        while parent is not None and parent not in nodes and parent not in seen:
            seen.add(parent)
            parent = parents.get(parent)
        home = nodes.get(parent) if parent is not None else None
        (roots if home is None or home is node else home.children).append(node)
    return tuple(roots)


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
    text: str, references: Iterable[Reference], drawings: Mapping[tuple[int, int], Drawing] | None = None
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
    return tuple(_parted(text, sorted(cuts, key=lambda cut: (cut[0], -cut[1]))))


def _parted(text: str, cuts: Iterable[tuple[int, int, Piece]]) -> Iterator[Piece]:
    """Yield a text with pieces in place of its stretches; what begins in one before it is left out."""
    at = 0
    for start, end, piece in cuts:
        if start < at or not start < end <= len(text):
            continue
        if start > at:
            yield Piece(text[at:start])
        yield piece
        at = end
    if at < len(text):
        yield Piece(text[at:])


def with_terms(cut: Iterable[Piece], found: Glossary, entries: Collection[Entry]) -> tuple[Piece, ...]:
    """Return a text cut at the words that its document defines too; `entries` are those to be marked."""
    parts: list[Piece] = []
    for piece in cut:
        if piece.reference or piece.drawing or found.pattern is None:
            parts.append(piece)
            continue
        terms = (
            (*match.span(), Piece(match.group(), term=entry))
            for match in found.pattern.finditer(piece.text)
            if (entry := found.entry(match.group())) in entries
        )
        parts += _parted(piece.text, terms)
    return tuple(parts)


def glossary(library: Library, document: str) -> Glossary:
    """Return what a document defines; read once. Raises UnknownDocument."""
    with _MAKING:
        held = _HELD.setdefault(library, {})
        if document not in held:
            held[document] = made(library.document(document).terms)
        return held[document]


def made(terms: Sequence[Term]) -> Glossary:
    """Return the glossary of some terms, of two with one name the first; symbols are not marked in text."""
    named: dict[str, Entry] = {}
    for term in terms:
        if term.kind != "symbol" and len(term.term) >= WORDS_OF_A_TERM:
            page = term.boxes[0].page if term.boxes else 0
            entry = Entry(term.term, " ".join(term.passage.text.split()), term.label.key, page)
            named.setdefault(" ".join(term.term.casefold().split()), entry)
    if not named:
        return Glossary(None, named)
    longest_first = sorted(named, key=len, reverse=True)
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    # A plural is the name too.
    return Glossary(re.compile(rf"(?<![\w-])(?:{names})(?:s|es)?(?![\w-])", re.IGNORECASE), named)


def used_in(found: Glossary, texts: Iterable[str], but: Collection[str] = ()) -> tuple[Entry, ...]:
    """Return the entries whose names stand in the texts, in the order of the alphabet.

    Those that are defined at the keys `but` are left out: a definition is not explained by itself.
    """
    if found.pattern is None:
        return ()
    words = {match.group() for text in texts for match in found.pattern.finditer(text)}
    met = {entry for word in words if (entry := found.entry(word)) and entry.key not in but}
    return tuple(sorted(met, key=lambda entry: entry.name.casefold())[:MARKED])
