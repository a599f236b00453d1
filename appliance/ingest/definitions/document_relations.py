"""How the documents of a library relate: editions, national annexes with what they decide, amendments."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeVar

from appliance.core.document import (
    OUT_OF_FORCE,
    Box,
    Clause,
    Document,
    Label,
    Problem,
    Reference,
    ReferenceKind,
    Table,
)
from appliance.core.graph import Edge, EdgeState, Node, NodeKind, Proof, loop_through
from appliance.ingest.overrides import Override
from appliance.ingest.references.resolve import LabelIndex, shorter
from appliance.text.designations import (
    Belonging,
    Designation,
    Named,
    belonging,
    fold_designation,
    found,
    load_edition_words,
    names_of,
    stem_name,
)
from appliance.text.numbers import MARKED
from appliance.text.sentences import sentence_spans

PAIR = 2  # documents that are said to supersede one another
FRONT = 12  # clauses that may say what a document replaces, from its first
_DATED = re.compile(r"(?<=[\w)]),?\s+\(?(?P<year>(?:19|20)\d\d)(?: edition)?\)?$")
_NOWHERE = Label(("front",))
_NOBODY = "no other is so named"
_Named = TypeVar("_Named", bound=Named)


@dataclass(frozen=True, slots=True)
class _Parent:
    id: str
    same_edition: bool


def parent_of(belongs: Belonging, document: str, documents: Iterable[Named]) -> _Parent | str:
    """Return the loaded document to which one belongs, or why there is none."""
    wanted = fold_designation(belongs.parent)
    named = [d for d in _all_named(wanted, documents) if d.id != document and belonging(d) is None]
    dated = [d for d in named if not wanted.year or any(n.year == wanted.year for n in names_of(d))]
    valid = [d for d in named if d.status not in OUT_OF_FORCE]
    for chosen in (dated, [d for d in dated if d in valid], [] if dated else valid or named):
        if len(chosen) == 1:
            return _Parent(chosen[0].id, chosen[0] in dated)
    if not named:
        annexes = sorted(d.id for d in _all_named(wanted, documents))
        if annexes:
            return f"{', '.join(annexes)} itself belongs to another document, so nothing can belong to it"
        return f"{belongs.parent} is not loaded"
    return "several documents: " + ", ".join(sorted(d.id for d in dated or named))


# -- editions


def _by_words(documents: Sequence[Document]) -> Iterator[Edge]:
    """Yield what documents say in their first clauses that they replace or are replaced by."""
    words = load_edition_words()
    forms = [(pattern, True) for pattern in words.forward] + [(pattern, False) for pattern in words.backward]
    for document in documents:
        for clause in document.clauses[:FRONT]:
            text = clause.passage.text
            for match, newer in ((match, newer) for form, newer in forms for match in form.finditer(text)):
                if found(words.other, text[: match.start()]):
                    continue
                proof = Proof(document.id, clause.label, match.start(), match.end(), match.group())
                for other in _called(match["name"], document, documents):
                    pair = (document.id, other.id) if newer else (other.id, document.id)
                    yield _supersedes(*pair, 1.0, "said in the text", proof)


def _by_years(documents: Sequence[Document]) -> Iterator[Edge]:
    """Yield each edition of a work with the one before it."""
    works: dict[str, list[tuple[str, Document]]] = defaultdict(list)
    for document in documents:
        if (name := _own_name(document)) and name.year:
            works[name.key].append((name.year, document))
    for editions in works.values():
        ordered = sorted(editions, key=lambda entry: (entry[0], entry[1].id))
        for (earlier, older), (later, newer) in pairwise(ordered):
            if earlier < later:
                alike = _plain(older.title) == _plain(newer.title)
                edge = _supersedes(newer.id, older.id, 0.9 if alike else 0.6, "year of the edition", None)
                yield edge if alike else replace(edge, state="to review")


def _supersedes(newer: str, older: str, confidence: float, rule: str, proof: Proof | None) -> Edge:
    source, target = (Node("document", name, "").id for name in (newer, older))
    return Edge(source, "SUPERSEDES", target, confidence, rule, proof)


def _called(name: str, by: Document, documents: Sequence[Document]) -> list[Document]:
    """Return the only other document with this name or id, none where several have it."""
    chosen = _all_called(name, by, documents)
    return chosen if len(chosen) == 1 else []


def _all_called(name: str, by: Document, documents: Sequence[Document]) -> list[Document]:
    """Return the other document with this id, or else all with this name."""
    own = [d for d in documents if d.id == name and d.id != by.id]
    wanted = fold_designation(_DATED.sub(r":\g<year>", name))
    return own or [
        d
        for d in _all_named(wanted, documents)
        if d.id != by.id
        and (belonging(d) is None) == (belonging(by) is None)
        and any(wanted.year in ("", n.year) for n in names_of(d))
    ]


def _own_name(document: Document) -> Designation | None:
    if not document.designation:
        return None
    folded = fold_designation(document.designation)
    year = folded.year or next((name.year for name in names_of(document) if name.year), "")
    return Designation(folded.key, year)


def _all_named(wanted: Designation, documents: Iterable[_Named]) -> list[_Named]:
    """Return the documents of that name, as they print it; only else those whose file is so named."""
    every = tuple(documents)
    printed = [document for document in every if any(n.key == wanted.key for n in names_of(document))]
    return printed or [document for document in every if stem_name(document.id).key == wanted.key]


def _plain(title: str) -> str:
    return re.sub(r"\W+", " ", title.casefold()).strip()


# -- what a build makes of it


def overridden(documents: Sequence[Document], overrides: Mapping[str, Override]) -> tuple[Document, ...]:
    """Return the documents under the names and statuses that a person gives them."""
    found = []
    for document in documents:
        said = overrides.get(document.id, Override())
        before = document.designation if said.designation else ""
        annex = f"NA to {said.national_annex_to}" if said.national_annex_to else ""
        named = replace(
            document,
            designation=said.designation or document.designation,
            edition=said.edition or document.edition,
            status=said.status or document.status,
            aliases=tuple(dict.fromkeys(filter(None, (*document.aliases, before, annex)))),
        )
        found.append(named)
    return tuple(found)


def settle(
    documents: Sequence[Document], overrides: Mapping[str, Override] | None = None
) -> tuple[tuple[Document, ...], tuple[Edge, ...]]:
    """Return the documents with the statuses that follow and their problems, and the edges between them.

    One that another loaded one says it replaces is superseded, whatever it says of itself; to what an
    annex belongs is asked once that is known. References are resolved before.
    """
    given = overrides or {}
    told = {  # by document the ids of those that a person says it supersedes
        document.id: [
            older.id for name in given[document.id].supersedes for older in _called(name, document, documents)
        ]
        for document in documents
        if document.id in given
    }
    by_person = (  # of a circle of three and more nothing can be followed
        _supersedes(newer, older, 1.0, "documents.toml", None)
        for newer, replaced in told.items()
        for older in replaced
        if len(loop_through(newer, older, told)) <= PAIR
    )
    # each pair once: a person's word first, then the text's
    superseding: dict[frozenset[str], Edge] = {}
    for edge in (*by_person, *_by_words(documents), *_by_years(documents)):
        superseding.setdefault(frozenset((edge.source, edge.target)), edge)
    edges = list(superseding.values())
    surely = {edge.target for edge in edges if edge.confidence >= 1.0 and edge.state == "accepted"}
    settled = []
    for document in documents:
        out = document.status in OUT_OF_FORCE or (document.id in given and given[document.id].status)
        replaced = Node("document", document.id, "").id in surely and not out
        settled.append(replace(document, status="superseded") if replaced else document)
    loaded = {document.id: document for document in settled}
    problems = _namesakes(settled)
    for document in settled:
        if belongs := belonging(document):
            parent = parent_of(belongs, document.id, settled)
            if isinstance(parent, str):
                label = document.clauses[0].label if document.clauses else _NOWHERE
                missing: Sequence[Unmatched] = [Unmatched(label, belongs.parent, parent)]
            else:
                made, missing = modifies(
                    document, loaded[parent.id], belongs.what, same_edition=parent.same_edition
                )
                edges += made
            clauses = {clause.label: clause for clause in document.clauses}
            # a place of the other document that this one decides on and that is not there
            for item in missing:
                box = next(iter(clauses[item.label].boxes), None) if item.label in clauses else None
                message = f"What it decides for {item.text} is not shown there: {item.reason}."
                problems[document.id].append(Problem(message, box.page if box else 0, box))
    for document in settled:
        names = given[document.id].supersedes if document.id in given else ()
        problems[document.id] += _unknown(document, names, told, settled)
    whole = tuple(replace(d, problems=(*problems[d.id], *d.problems)) for d in settled)
    return whole, tuple(dict.fromkeys(edges))


def _unknown(
    document: Document, names: Iterable[str], told: Mapping[str, Sequence[str]], documents: Sequence[Document]
) -> Iterator[Problem]:
    """Yield a problem for each name that a person says it replaces and that is not exactly one document's."""
    for name in names:
        found = _all_called(name, document, documents)
        if len(found) == 1:
            loop = loop_through(document.id, found[0].id, told)
            if len(loop) == PAIR:
                yield Problem(
                    f"documents.toml says that it supersedes “{name}” and that “{name}” supersedes it: "
                    "one of the two must be wrong. Take one out."
                )
            elif loop:
                circle = ", ".join(f"{a} supersedes {b}" for a, b in pairwise((*loop, loop[0])))
                yield Problem(
                    f"documents.toml says in a circle that {circle}: none of it is followed. Take one out."
                )
            continue
        several = ", ".join(sorted(other.id for other in found))
        why = f"several documents have this name ({several}); write an id" if several else _NOBODY
        yield Problem(f"documents.toml says that it supersedes “{name}”, and nothing comes of it: {why}.")


def _namesakes(documents: Sequence[Document]) -> defaultdict[str, list[Problem]]:
    """Return the problems of the documents that share designation and year with others, by document."""
    problems: defaultdict[str, list[Problem]] = defaultdict(list)
    named: dict[Designation, list[Document]] = defaultdict(list)
    for document in documents:
        belongs = belonging(document)
        if (name := _own_name(document)) and not (belongs and belongs.what == "amendment"):
            named[name].append(document)
    for same in named.values():
        for document in same if len(same) > 1 else ():
            others = ", ".join(other.id for other in same if other is not document)
            message = (
                f"It carries the same designation as {others} ({document.designation}), so a reference "
                "to it cannot be followed. Tell them apart in documents.toml, or remove one."
            )
            box = _printed_name(document)
            problems[document.id].append(Problem(message, box.page if box else 0, box))
    return problems


def _printed_name(document: Document) -> Box | None:
    """Return the box of the first of the front clauses that prints the designation.

    A name that no text prints stands in the head or the picture of the first page.
    """
    wanted = "".join(document.designation.split()).casefold()
    for clause in document.clauses[:FRONT]:
        printed = "".join(f"{clause.title}{clause.passage.text}".split()).casefold()
        if wanted in printed and clause.boxes:
            return clause.boxes[0]
    return Box(document.pages[0].number, 0.0, 0.0, 1.0, 1.0) if document.pages else None


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
    # the first words under the heading prove it, the heading itself where there are none
    below = (item for item in pair.annex.clauses if item.parent == clause.label and item.passage.text.strip())
    saying = clause if clause.passage.text.strip() else next(below, None)
    proof = Proof(pair.annex.id, clause.label, 0, 0, clause.title)
    if saying is not None:
        proof = _proof(pair.annex.id, saying, sentence_spans(saying.passage.text)[0][0])
    source = Node("clause", pair.annex.id, clause.label.key).id
    for kind, number in numbers(named, every=amending or choosing):
        if choosing or not _is_own(pair.own, kind, number):  # its name is that of a place of the code
            yield _Mention((source,), kind, number, SURE, f"{pair.what} heading", proof)


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
