"""What a national annex or an amendment decides for the clauses, tables and figures of its parent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from appliance.core.document import Clause, Document, Label, Reference, ReferenceKind, Table
from appliance.core.graph import Edge, EdgeState, Node, NodeKind, Proof
from appliance.ingest.references.resolve import LabelIndex, shorter
from appliance.text.designations import fold_designation, found, load_edition_words, names_of
from appliance.text.numbers import MARKED
from appliance.text.sentences import sentence_spans

SURE, LESS, UNSURE = 0.95, 0.9, 0.5  # a row or heading; a sentence that decides; one that may
ENCLOSING = 0.75  # share of it for a place that only holds the number, or has a look-alike one
OTHER_EDITION = 0.5  # share of it where the parent is not the edition that is named
WHOLE_WORDS = 120  # a paragraph up to this long proves a decision whole
_NODES: dict[str, NodeKind] = {"table": "table", "figure": "figure", "formula": "formula"}
CLAUSES = frozenset({"clause", "paragraph", "item"})
_PLACES = CLAUSES | {"note", "table", "figure", "formula", "annex"}


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A place of another document that one names at a label and that could not be found, with the reason."""

    label: Label
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Mention:
    """A place of the parent as named: by which node, how, and with what proof."""

    sources: tuple[str, ...]
    kind: ReferenceKind
    number: str
    confidence: float
    rule: str
    proof: Proof


@dataclass(frozen=True, slots=True)
class _Pair:
    """An annex or amendment with its parent; `what` begins the name of every rule."""

    annex: Document
    parent: Document
    own: LabelIndex
    labels: LabelIndex
    what: str


def modifies(
    annex: Document, parent: Document, what: str, *, same_edition: bool = True
) -> tuple[tuple[Edge, ...], tuple[Unmatched, ...]]:
    """Return the edges from places of the annex to those of the parent, and what could not be found."""
    pair = _Pair(annex, parent, LabelIndex(annex), LabelIndex(parent), what)
    edges: dict[tuple[str, str, str], Edge] = {}
    unmatched: dict[Unmatched, None] = {}
    rows = (mention for table in annex.tables for mention in _rows(pair, table))
    clauses = [clause for clause in annex.clauses if clause.kind != "front"]
    headings = (mention for clause in clauses for mention in _heading(pair, clause))
    for mention in chain(rows, headings, _sentences(pair, clauses)):
        target = _target(pair.labels, mention)
        if isinstance(target, str):
            name = mention.number if mention.kind in CLAUSES else f"{mention.kind} {mention.number}"
            unmatched[Unmatched(mention.proof.label, name, target)] = None
            continue
        label, share = target
        node = Node(_NODES.get(mention.kind, "clause"), parent.id, label.key).id
        confidence = round(mention.confidence * (share if same_edition else share * OTHER_EDITION), 3)
        sure = same_edition and mention.confidence > UNSURE
        for source in mention.sources:
            own_row = source == mention.sources[0] and mention.rule == f"{what} table"
            # each row of a table decides by itself
            key = source, node, mention.proof.quote if own_row else ""
            if key not in edges or edges[key].confidence < confidence:
                state: EdgeState = "accepted" if sure else "to review"
                edges[key] = Edge(source, "MODIFIES", node, confidence, mention.rule, mention.proof, state)
    decided = {edge.target for edge in edges.values() if edge.state == "accepted"}
    lasting = [edge for edge in edges.values() if edge.state == "accepted" or edge.target not in decided]
    return tuple(lasting), tuple(unmatched)


def _target(labels: LabelIndex, mention: _Mention) -> tuple[Label, float] | str:
    """Return the one item with this number and the share of confidence it leaves, or why there is none."""
    tried = mention.number
    while tried:
        items = labels.find(mention.kind, "", tried, None)
        items = labels.likely(items) if len(items) > 1 else items
        if len(items) == 1:
            return items[0], 1.0 if tried == mention.number else ENCLOSING
        if items:
            return f"{len(items)} places have this number"
        tried = shorter(tried)
    return f"no such {mention.kind} there"


# -- tables of decisions


def _rows(pair: _Pair, table: Table) -> Iterator[_Mention]:
    """Yield the places that the rows of a table of decisions name; their first source is the table."""
    words = load_edition_words()
    heads = [cell for cell in table.cells if cell.header] or [c for c in table.cells if c.row == 0]
    places = [cell.column for cell in heads if found(words.places, cell.text)]
    decides = any(cell.column not in places[:1] and found(words.decisions, cell.text) for cell in heads)
    if not places or not (decides or found(words.decisions, table.title)):
        return
    node = Node("table", pair.annex.id, table.label.key).id
    for row in _grouped(table, min(places)):
        quote = " | ".join(part for part in row if part)
        proof = Proof(pair.annex.id, table.label, 0, 0, quote)
        named = (  # the clauses of the annex to which the row sends the reader
            Node("clause", pair.annex.id, reference.target.key).id
            for reference in pair.annex.references
            if reference.source == table.label
            and reference.target
            and reference.kind == "clause"
            and reference.document == pair.annex.id
            and re.search(rf"(?<![\w.]){re.escape(reference.text)}(?![\w.]*\d)", quote)
        )
        sources = (node, *dict.fromkeys(named))
        for kind, number in numbers(row[min(places)], every=True):
            if not _is_own(pair.own, kind, number):
                yield _Mention(sources, kind, number, SURE, f"{pair.what} table", proof)


def _grouped(table: Table, places: int) -> Iterator[list[str]]:
    """Yield the body rows as texts by column; a row that names no place goes on with the one before."""
    width = max(cell.column for cell in table.cells) + 1
    last = max((cell.row for cell in table.cells if cell.header), default=0)
    kept: list[str] = []
    for row in range(last + 1, max(cell.row for cell in table.cells) + 1):
        texts = [""] * width
        for cell in table.cells:
            if cell.row == row:
                texts[cell.column] = " ".join(cell.text.split())
        if texts[places]:
            if kept:
                yield kept
            kept = texts
        elif kept:
            kept = [" ".join(filter(None, pair)) for pair in zip(kept, texts, strict=True)]
    if kept:
        yield kept


# -- headings


def _heading(pair: _Pair, clause: Clause) -> Iterator[_Mention]:
    amending = found(load_edition_words().amending, clause.title)
    choosing = found(load_edition_words().choosing, clause.label.parts[-1])
    named = clause.label.parts[-1] if choosing else clause.title
    if pair.what == "amendment" and not amending:
        return
    proof = _said_below(pair.annex, clause)
    source = Node("clause", pair.annex.id, clause.label.key).id
    for kind, number in numbers(named, every=amending or choosing):
        if choosing or not _is_own(pair.own, kind, number):  # its name is that of a place of the code
            yield _Mention((source,), kind, number, SURE, f"{pair.what} heading", proof)


def _said_below(annex: Document, clause: Clause) -> Proof:
    """Return the first words under a heading as its proof, the heading itself where there are none."""
    below = (item for item in annex.clauses if item.parent == clause.label and item.passage.text.strip())
    saying = clause if clause.passage.text.strip() else next(below, None)
    if saying is None:
        return Proof(annex.id, clause.label, 0, 0, clause.title)
    return _proof(annex.id, saying, sentence_spans(saying.passage.text)[0][0])


def numbers(text: str, *, every: bool = False) -> list[tuple[ReferenceKind, str]]:
    """Return the kinds and numbers of the places that a heading or cell names, in its order.

    A bare number without a bracket ("4.1") may be a value: it counts only with `every`, or in brackets.
    """
    words = load_edition_words()
    kinds: tuple[ReferenceKind, ...] = ("table", "figure", "annex", "formula")
    items: list[tuple[int, int, ReferenceKind, str]] = []
    for match in words.named.finditer(text):
        named = words.kinds.get(match["kind"].casefold()[:3])
        kind: ReferenceKind = next((known for known in kinds if known == named), "clause")
        items.append((match.start(), match.end(), kind, match["number"]))
    for match in words.bare.finditer(text):
        inside = any(start <= match.start() < end for start, end, _, _ in items)
        sure = every or "(" in match["number"] or text[match.start() - 1 : match.start()] in {"[", "("}
        if sure and not inside:
            items.append((match.start(), match.end(), "clause", match["number"]))
    places: list[tuple[ReferenceKind, str]] = []
    for _, end, kind, number in sorted(items):
        places.append((kind, number))
        stem = re.sub(rf"\s?\(\d+\)\s?{MARKED}$", "", number)
        rest = text[end:].lstrip(" ")
        while more := words.more.match(rest):  # further paragraphs of it: "5.3.4(3) and (4)"
            places.append((kind, stem + more["number"]))
            rest = rest[more.end() :].lstrip(" ")
    return places


def _is_own(own: LabelIndex, kind: ReferenceKind, number: str) -> bool:
    """Tell whether a number is that of a place of the annex itself."""
    return load_edition_words().own.match(number) is not None or bool(own.find(kind, "", number, None))


# -- sentences


def _sentences(pair: _Pair, clauses: Iterable[Clause]) -> Iterator[_Mention]:
    words, by_label = load_edition_words(), {clause.label: clause for clause in clauses}
    for reference in pair.annex.references:
        clause = by_label.get(reference.source)
        if clause is None or reference.kind not in _PLACES or not _points_at(pair, reference):
            continue
        text = clause.passage.text
        spans = ((a, b) for a, b in sentence_spans(text) if a <= reference.start < b)
        start, end = next(spans, (0, len(text)))
        if found(words.citing, text[start : reference.start]):
            continue
        confidence = LESS if found(words.deciding, text[start:end]) else UNSURE
        source = Node("clause", pair.annex.id, clause.label.key).id
        proof = _proof(pair.annex.id, clause, start)
        rule = f"{pair.what} text"
        yield _Mention((source,), reference.kind, _number(reference), confidence, rule, proof)


def _proof(document: str, clause: Clause, start: int) -> Proof:
    """Return the paragraph as proof, or of a long one the sentence that starts there with those beside it.

    The sentence alone would hide what the one before it changes: "It is 0.9. The others are adopted."
    """
    text = clause.passage.text
    first, last = 0, len(text)
    if len(text.split()) > WHOLE_WORDS:
        spans = sentence_spans(text)
        at = next((at for at, span in enumerate(spans) if span[0] == start), 0)
        near = spans[max(at - 1, 0) : at + 2]
        first, last = near[0][0], near[-1][1]
    return Proof(document, clause.label, first, last, text[first:last])


def _points_at(pair: _Pair, reference: Reference) -> bool:
    """Tell whether a reference is into the parent; one without a document that the annex lacks is."""
    if reference.external and reference.document is None:  # of an edition that is not the one loaded
        return fold_designation(reference.designation).key in {n.key for n in names_of(pair.parent)}
    if reference.external:
        return reference.document == pair.parent.id
    return reference.status == "unresolved" and not _is_own(pair.own, reference.kind, _number(reference))


def _number(reference: Reference) -> str:
    """Return the number alone: "Table 5.1" has "5.1"."""
    return re.sub(r"^[A-Z][a-z]+\s+", "", reference.number)
