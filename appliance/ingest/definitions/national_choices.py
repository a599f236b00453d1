"""What a national annex or an amendment decides for the clauses, tables and figures of its parent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from appliance.core.document import Clause, Document, Label, Reference, ReferenceKind, Table
from appliance.core.graph import Edge, Node, NodeKind, Proof
from appliance.ingest.references.index import LabelIndex, shorter
from appliance.text.designations import fold_designation, found, load_edition_words, names_of
from appliance.text.numbers import MARKED
from appliance.text.sentences import sentence_spans

SURE, LESS, UNSURE = 0.95, 0.9, 0.5  # a row or heading; a sentence that decides; one that may
ENCLOSING = 0.75  # share of it for a place that only holds the number, or has a look-alike one
OTHER_EDITION = 0.5  # share of it where the parent is not the edition that is named
WHOLE_WORDS = 120  # a paragraph up to this long proves a decision whole
_NODES: dict[str, NodeKind] = {"table": "table", "figure": "figure", "formula": "formula"}
CLAUSES = frozenset({"clause", "paragraph", "item"})
_PLACES = frozenset({"clause", "paragraph", "item", "note", "table", "figure", "formula", "annex"})


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A place of another document that this one names and that could not be found, with the reason."""

    document: str
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
    tabled = _by_table(pair)
    for mention in _mentions(pair):
        target = _target(pair.labels, mention)
        if isinstance(target, str):
            name = mention.number if mention.kind in CLAUSES else f"{mention.kind} {mention.number}"
            unmatched[Unmatched(annex.id, mention.proof.label, name, target)] = None
            continue
        label, share = target
        node = Node(_NODES.get(mention.kind, "clause"), parent.id, label.key).id
        for edge in _edges(mention, node, share if same_edition else share * OTHER_EDITION, same_edition):
            row = mention.proof.quote if edge.source == mention.sources[0] and mention.rule == tabled else ""
            kept = edges.get((edge.source, node, row))  # each row of a table decides by itself
            if kept is None or kept.confidence < edge.confidence:
                edges[edge.source, node, row] = edge
    decided = {edge.target for edge in edges.values() if edge.state == "accepted"}
    lasting = [edge for edge in edges.values() if edge.state == "accepted" or edge.target not in decided]
    return tuple(lasting), tuple(unmatched)


def _mentions(pair: _Pair) -> Iterator[_Mention]:
    for table in pair.annex.tables:
        yield from _rows(pair, table)
    for clause in pair.annex.clauses:
        if clause.kind != "front":
            yield from _heading(pair, clause)
    yield from _sentences(pair)


def _edges(mention: _Mention, target: str, share: float, same_edition: bool) -> Iterator[Edge]:
    sure = same_edition and mention.confidence > UNSURE
    for source in mention.sources:
        yield Edge(
            source,
            "MODIFIES",
            target,
            round(mention.confidence * share, 3),
            mention.rule,
            mention.proof,
            "accepted" if sure else "to review",
        )


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
    columns = _columns(table)
    if columns is None:
        return
    node = Node("table", pair.annex.id, table.label.key).id
    for row in _grouped(table, columns):
        quote = " | ".join(part for part in row if part)
        proof = Proof(pair.annex.id, table.label, 0, 0, quote)
        sources = (node, *_named_in(pair, table, quote))
        for kind, number in numbers(row[columns], every=True):
            if not _is_own(pair.own, kind, number):
                yield _Mention(sources, kind, number, SURE, _by_table(pair), proof)


def _by_table(pair: _Pair) -> str:
    """Return the name of the rule by which rows of a table decide; their first source is the table."""
    return f"{pair.what} table"


def _columns(table: Table) -> int | None:
    """Return the column that names places, None where the table is none of decisions."""
    words = load_edition_words()
    heads = [cell for cell in table.cells if cell.header] or [c for c in table.cells if c.row == 0]
    places = [cell.column for cell in heads if found(words.places, cell.text)]
    decides = any(cell.column not in places[:1] and found(words.decisions, cell.text) for cell in heads)
    decides = decides or found(words.decisions, table.title)
    return min(places) if places and decides else None


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


def _named_in(pair: _Pair, table: Table, quote: str) -> tuple[str, ...]:
    """Return the clauses of the annex to which a row of its table sends the reader."""
    return tuple(
        dict.fromkeys(
            Node("clause", pair.annex.id, reference.target.key).id
            for reference in pair.annex.references
            if reference.source == table.label
            and reference.target
            and reference.kind == "clause"
            and reference.document == pair.annex.id
            and re.search(rf"(?<![\w.]){re.escape(reference.text)}(?![\w.]*\d)", quote)
        )
    )


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
    first = sentence_spans(saying.passage.text)[0]
    return _proof(annex.id, saying, *first)


def numbers(text: str, *, every: bool = False) -> list[tuple[ReferenceKind, str]]:
    """Return the kinds and numbers of the places that a heading or cell names, in its order.

    A bare number without a bracket ("4.1") may be a value: it counts only with `every`, or in brackets.
    """
    words = load_edition_words()
    named = list(words.named.finditer(text))
    items: list[tuple[int, int, ReferenceKind, str]] = [
        (m.start(), m.end(), _kind(m["kind"]), m["number"]) for m in named
    ]
    for match in words.bare.finditer(text):
        inside = any(start <= match.start() < end for start, end, _, _ in items)
        sure = every or "(" in match["number"] or text[match.start() - 1 : match.start()] in {"[", "("}
        if sure and not inside:
            items.append((match.start(), match.end(), "clause", match["number"]))
    return [entry for item in sorted(items) for entry in _with_more(text, item)]


def _with_more(text: str, item: tuple[int, int, ReferenceKind, str]) -> Iterator[tuple[ReferenceKind, str]]:
    """Yield a place and the further paragraphs of it: "5.3.4(3) and (4)"."""
    _, end, kind, number = item
    yield kind, number
    stem = re.sub(rf"\s?\(\d+\)\s?{MARKED}$", "", number)
    rest = text[end:].lstrip(" ")
    while match := load_edition_words().more.match(rest):
        yield kind, stem + match["number"]
        rest = rest[match.end() :].lstrip(" ")


def _kind(word: str) -> ReferenceKind:
    named = load_edition_words().kinds.get(word.casefold()[:3])
    kinds: tuple[ReferenceKind, ...] = ("table", "figure", "annex", "formula")
    return next((kind for kind in kinds if kind == named), "clause")


def _is_own(own: LabelIndex, kind: ReferenceKind, number: str) -> bool:
    """Tell whether a number is that of a place of the annex itself."""
    return load_edition_words().own.match(number) is not None or bool(own.find(kind, "", number, None))


# -- sentences


def _sentences(pair: _Pair) -> Iterator[_Mention]:
    clauses = {clause.label: clause for clause in pair.annex.clauses if clause.kind != "front"}
    for reference in pair.annex.references:
        clause = clauses.get(reference.source)
        if clause is None or reference.kind not in _PLACES or not _points_at(pair, reference):
            continue
        text, words = clause.passage.text, load_edition_words()
        start, end = _sentence_at(text, reference.start)
        if found(words.citing, text[start : reference.start]):
            continue
        confidence = LESS if found(words.deciding, text[start:end]) else UNSURE
        source = Node("clause", pair.annex.id, clause.label.key).id
        proof = _proof(pair.annex.id, clause, start, end)
        rule = f"{pair.what} text"
        yield _Mention((source,), reference.kind, _number(reference), confidence, rule, proof)


def _proof(document: str, clause: Clause, start: int, end: int) -> Proof:
    """Return the paragraph as proof, or of a long one the sentence with those beside it.

    The sentence alone would hide what the one before it changes: "It is 0.9. The others are adopted."
    """
    text = clause.passage.text
    if len(text.split()) <= WHOLE_WORDS:
        start, end = 0, len(text)
    else:
        spans = sentence_spans(text)
        at = next((at for at, span in enumerate(spans) if span[0] == start), 0)
        near = spans[max(at - 1, 0) : at + 2]
        start, end = near[0][0], near[-1][1]
    return Proof(document, clause.label, start, end, text[start:end])


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


def _sentence_at(text: str, position: int) -> tuple[int, int]:
    spans = sentence_spans(text)
    return next(((a, b) for a, b in spans if a <= position < b), (0, len(text)))
