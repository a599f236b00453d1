"""Linked documents to one graph: the values, demands, scope and names of each, in a fixed order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from appliance.core.document import Clause, Document, Figure, Label, Problem, Reference, Table
from appliance.core.files import content_hash, data_folder
from appliance.core.graph import Bound, Edge, Graph, Mention, Node, Proof, Quantity, name_key
from appliance.core.own_modules import behind
from appliance.core.page_boxes import in_box
from appliance.core.runs import grouped
from appliance.ingest.knowledge.collected import POOR, Collected, Items, page_of, searched
from appliance.ingest.knowledge.concept_names import (
    Phrases,
    Vocabulary,
    fold,
    load_vocabulary,
    nouns,
    wording,
)
from appliance.ingest.knowledge.values import (
    MOST,
    CellValue,
    Found,
    Saying,
    cell_values,
    decimal_comma,
    sayings,
)
from appliance.ingest.pipeline import Steps
from appliance.text.quantities import size_of
from appliance.text.sentences import sentence_spans


def build_graph(
    documents: Sequence[Document], relations: Iterable[Edge] = (), folders: Sequence[Path] = ()
) -> Graph:
    """Return the graph of linked documents; `relations` are the edges between documents.

    Raises:
        BadSettings: a vocabulary is not what this program reads.
    """
    vocabulary = load_vocabulary(*folders)
    items = {document.id: Items(document) for document in documents}
    into = Collected()
    into.nodes.update((node.id, node) for node in vocabulary.nodes)
    into.names.update(dict.fromkeys(vocabulary.names))
    for edge in (*vocabulary.edges, *relations):
        into.keep(edge)
    for document in documents:
        own, steps = items[document.id], Steps()
        for name, step in (  # each on its own: one that fails leaves what the others find
            ("values", partial(read_values, own, vocabulary, into)),
            ("demands", partial(read_demands, own, items, into)),
            ("scope of its clauses", partial(read_scope, own, vocabulary, into)),
            ("definitions in the graph", partial(read_definitions, own, vocabulary, into)),
            ("parameters", partial(read_parameters, own, vocabulary, into)),
            ("mentions", partial(read_mentions, own, vocabulary, into)),
        ):
            steps.run(name, step, None)
        into.problems += [(document.id, problem) for problem in steps.problems]
    return Graph(
        tuple(sorted(into.nodes.values())),
        tuple(edge for _, edge in sorted(into.edges.items())),
        tuple(into.names),
        tuple(sorted(into.quantities.items(), key=lambda item: item[0])),
        tuple(sorted(into.homes.items())),
        tuple(sorted(Mention(*place, rank) for place, rank in into.mentions.items())),
        tuple(into.problems),
    )


def knowledge_version() -> str:
    """Return a hash of the code and the words that decide what a graph holds."""
    folders = (data_folder(), data_folder() / "graph", data_folder() / "vocabularies")
    words = [path for folder in folders for path in folder.glob("*.toml")]
    return content_hash(
        sorted([*words, *behind(Path(__file__).parent.glob("*.py"))]), f"pint {version('pint')}"
    )


REACH = 110  # characters before a reference
SURE, EXCEPTION, POORLY = 0.9, 0.85, 0.8


def read_demands(items: Items, others: Mapping[str, Items], into: Collected) -> None:
    """Add what the references of a document make its provisions depend on."""
    ordered = sorted(items.document.references, key=lambda r: (r.source, r.start, r.end))
    for source, references in groupby(ordered, key=lambda reference: reference.source):
        clause, home = items.clauses.get(source), items.node(source)
        if clause is None or home is None:
            continue
        text = clause.passage.text
        poor = not items.trusted(clause.boxes[0].page if clause.boxes else 0)
        begun, ended, rule = -1, -1, ""  # where the proof began, where the reference before ended, its rule
        for reference in references:
            # The words before a reference that make it binding, or those before the one that it goes on from.
            first = max(0, reference.start - REACH)
            window = text[first : reference.start]
            demand = wording().requires.search(window)
            goes_on = rule and wording().between_demands.fullmatch(text, ended, max(ended, reference.start))
            if match := demand or wording().exceptions.search(window):
                begun, rule = first + match.start(), "demand" if demand else "exception"
            elif not goes_on:
                rule = ""
                continue
            ended = reference.end
            target = _target(reference, items, others, into)
            if target is not None:
                sure = POORLY if poor else EXCEPTION if rule == "exception" else SURE
                into.edge(home, "REQUIRES", target, sure, rule, items.proof(clause, begun, ended))


def _target(reference: Reference, items: Items, others: Mapping[str, Items], into: Collected) -> str | None:
    """Return the node that a reference leads to, None where that is not known."""
    if reference.status == "not_loaded" and reference.designation:
        node = Node("document", "", name_key(reference.designation), reference.designation)
        into.nodes.setdefault(node.id, node)
        return node.id
    if reference.status != "resolved":
        return None
    there = others.get(reference.document) if reference.document else items
    if there is None:
        return None
    return there.node(reference.target) if reference.target else there.whole


TITLE, STATED = 0.9, 0.9
SCOPE_REACH = 40  # characters before a thing in which it may be excepted


def read_scope(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add what the places of a document are about."""
    document = items.document
    for thing in _things(document.title, vocabulary):
        into.edge(items.whole, "APPLIES_TO", thing, TITLE, "title")
    titled: list[Clause | Table | Figure] = [*document.clauses, *document.tables, *document.figures]
    for item in titled:
        node = items.node(item.label)
        if node is None or not item.title:
            continue
        proof = Proof(document.id, item.label, 0, 0, " ".join(item.title.split()), item.boxes[:1])
        for thing in _things(item.title, vocabulary):
            into.edge(node, "APPLIES_TO", thing, TITLE, "title", proof)
    for clause in document.clauses:
        text, place = clause.passage.text, items.node(clause.label)
        spans = sentence_spans(text) if place and wording().applies.search(text) else ()
        for start, end in spans:
            match = wording().applies.search(text, start, end)
            if not place or not match or wording().negative.search(text, start, end):
                continue
            for thing in _things(text[match.end() : end], vocabulary):
                into.edge(place, "APPLIES_TO", thing, STATED, "stated", items.proof(clause, start, end))


def _things(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return what a text names, without what it excepts ("buildings other than dwellings")."""
    return tuple(
        dict.fromkeys(
            heard.node
            for heard in vocabulary.subjects.find(text)
            if not wording().exceptions.search(text[max(0, heard.start - SCOPE_REACH) : heard.start])
        )
    )


PLACED, SAME, MEANT, ALSO = 0.95, 0.9, 0.85, 0.6
MEANING_LONGEST = 8  # words of an explanation that may be a name


def read_definitions(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add where the terms of a document are defined, and what they are the same as."""
    on_page = grouped((box.page, (clause, box)) for clause in items.document.clauses for box in clause.boxes)
    names = {name_key(term.term): term.term for term in items.document.terms if term.kind == "term"}
    for term in items.document.terms:
        node = items.term(term.term)
        quote = " ".join(f"{term.term}: {term.passage.text}".split())[:200]
        proof = Proof(items.document.id, term.label, 0, 0, quote, term.boxes[:1])
        for first in term.boxes[:1]:  # in the last clause whose box holds the middle of the term's first box
            holding = (c for c, box in reversed(on_page.get(first.page, [])) if in_box(first, box))
            if (home := next(holding, None)) and (place := items.node(home.label)):
                into.edge(node, "DEFINED_IN", place, PLACED, "place", proof)
        if term.kind == "term":
            _called_alike(node, term.term, vocabulary, into, sure=SAME, proof=proof)
            continue
        meaning = name_key(term.passage.text) if len(fold(term.passage.text)) <= MEANING_LONGEST else ""
        if meaning in names:
            into.edge(node, "EQUIVALENT_TO", items.term(names[meaning]), MEANT, "meaning", proof)
        _called_alike(node, meaning, vocabulary, into, sure=MEANT, proof=proof)


def read_parameters(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Tie the parameters of a document to its terms, and to the concepts, of the same name."""
    terms = {name_key(term.term): term.term for term in items.document.terms}
    for node in [n for n in into.nodes.values() if n.kind == "parameter" and n.document == items.document.id]:
        if node.key in terms:
            into.edge(node.id, "EQUIVALENT_TO", items.term(terms[node.key]), SAME, "same name")
        _called_alike(node.id, node.name, vocabulary, into, sure=SAME)


def _called_alike(
    node: str, name: str, vocabulary: Vocabulary, into: Collected, *, sure: float, proof: Proof | None = None
) -> None:
    """Tie a node to the things of its name; by another of their names, only a person can tell."""
    first = vocabulary.firsts.named(name)
    for thing in first:
        into.edge(node, "EQUIVALENT_TO", thing, sure, "same name", proof)
    for thing in vocabulary.subjects.named(name):
        if thing not in first:
            into.edge(node, "EQUIVALENT_TO", thing, ALSO, "another name", proof)


DEFINED_HERE, IN_TITLE, IN_TEXT = 0, 1, 2
SHORTEST = 2  # characters of a symbol or abbreviation that is looked for


def read_mentions(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add what the searched chunks of a document speak of."""
    document = items.document
    words = [(term.term, items.term(term.term)) for term in document.terms if term.kind == "term"]
    words += [
        (n.name, n.id) for n in into.nodes.values() if n.kind == "parameter" and n.document == document.id
    ]
    signs = [
        (t.term, items.term(t.term)) for t in document.terms if t.kind != "term" and len(t.term) >= SHORTEST
    ]
    own = Phrases(words, signs)
    defined = {term.label: items.term(term.term) for term in document.terms}
    for position in searched(document):
        chunk = document.chunks[position]
        above = (chunk.title, *chunk.context[1:])  # the document's own title says nothing of a place
        for phrases in (vocabulary.phrases, own):
            for text, rank in (
                *((title, IN_TITLE) for title in above),
                (chunk.passage.text, IN_TEXT),
                (chunk.extra, IN_TEXT),
            ):
                for heard in phrases.find(text):
                    into.mention(document.id, position, heard.node, rank)
        if chunk.kind == "definition":
            for label in chunk.labels:
                if label in defined:
                    into.mention(document.id, position, defined[label], DEFINED_HERE)


WORD_OF_CONDITION = 0.9  # of the value's confidence: that a thing named in a condition is the condition
SIGNS: dict[Bound, str] = {
    "=": "", ">=": "≥ ", "<=": "≤ ", ">": "> ", "<": "< ", "range": "", "recommended": "",
}  # fmt: skip
NAMED = 90  # characters of a condition's name


@dataclass(slots=True)
class ValueMaker:
    """Makes the nodes and edges of values; counts what stands in one place twice."""

    items: Items
    vocabulary: Vocabulary
    into: Collected
    seen: Counter[str] = field(default_factory=Counter)

    def make(
        self, home: str, label: Label, said: CellValue | Saying, proof: Proof, confidence: float
    ) -> tuple[str, str]:
        """Add a value and return its node, and that of its parameter."""
        document = self.items.document.id
        name = printed(said.bound, said.found)
        place = f"{label.key}#{name}"
        self.seen[place] += 1
        again = self.seen[place]
        shown = f"{said.name} {name}"
        value = Node("value", document, place if again == 1 else f"{place}#{again}", shown)
        size = size_of(said.found.unit)
        self.into.nodes[value.id] = value
        self.into.quantities[value.id] = Quantity(
            said.bound, said.found.low, said.found.high, said.found.unit, size.dimension, size.factor
        )
        self.into.homes[value.id] = home
        parameter = self.into.node("parameter", document, said.name)
        self.into.edge(parameter, "HAS_VALUE", value.id, confidence, said.rule, proof)
        sure = min(confidence, WORD_OF_CONDITION)
        for words in filter(name_key, said.conditions):
            # In its own words, and the known things that they name as these are called. Another name for a
            # thing is no condition: a "balanced flue" is no chimney, "CC1" and "CC2" are both consequence
            # classes; and "minimum" says what the value is, not when.
            short = words if len(words) <= NAMED else f"{words[:NAMED].rsplit(' ', 1)[0]} …"
            own = self.into.node("concept", document, short)
            self.into.edge(value.id, "VALID_WHEN", own, confidence, "condition", proof)
            for heard in self.vocabulary.subjects.find(words):
                part = words[heard.start : heard.end]
                exact = bool(self.vocabulary.firsts.named(part)) or fold(part) == fold(words)
                if exact and part.casefold() not in nouns().extremes:
                    self.into.edge(value.id, "VALID_WHEN", heard.node, sure, "named in condition", proof)
        return value.id, parameter

    def mention(self, positions: Iterable[int], nodes: Iterable[str]) -> None:
        """Tie nodes to the searched parts that show what says them."""
        for position in positions:
            for node in nodes:
                self.into.mention(self.items.document.id, position, node, 0)


def printed(bound: Bound, found: Found) -> str:
    """Return a value as people read it, "≥ 900 mm"; a slope as it is printed, "≤ 1:40"."""
    if found.run:
        return f"{SIGNS[bound]}1:{found.run}"
    low, high = f"{found.low:.10g}", f"{found.high:.10g}"
    number = f"{low} to {high}" if found.ranged else low
    gap = "" if found.unit in {"", "°", "%", "°C"} else " "
    return f"{SIGNS[bound]}{number}{gap}{found.unit}"


def read_values(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add all values of a document."""
    document = items.document
    comma = decimal_comma(clause.passage.text for clause in document.clauses)
    maker = ValueMaker(items, vocabulary, into)
    for clause in document.clauses:
        _of_clause(clause, maker, comma=comma)
    symbols = {term.term for term in document.terms if term.kind == "symbol"}
    for table in document.tables:
        _of_table(table, symbols, maker, comma=comma)


def _of_clause(clause: Clause, maker: ValueMaker, *, comma: bool) -> None:
    text, items = clause.passage.text, maker.items
    home = items.node(clause.label)
    if home is None or not any(map(str.isdigit, text)):
        return
    above = items.clauses.get(clause.parent) if clause.kind == "item" and clause.parent else None
    spans = sentence_spans(above.passage.text) if above else []
    lead = above.passage.text[slice(*spans[-1])] if above and spans else ""  # under which the item stands
    for start, end in sentence_spans(text):
        for said in sayings(text, start, end, lead, comma=comma):
            trusted = items.trusted(page_of(clause, said.start, said.end))
            confidence = said.confidence * (1 if trusted else POOR)
            nodes = maker.make(home, clause.label, said, items.proof(clause, start, end), confidence)
            sentence = " ".join(text[start:end].split())
            maker.mention((at for at, part in items.parts.get(clause.label, ()) if sentence in part), nodes)


def _of_table(table: Table, symbols: set[str], maker: ValueMaker, *, comma: bool) -> None:
    items = maker.items
    home = items.node(table.label)
    if home is None:
        return
    for count, said in enumerate(cell_values(table, symbols, comma=comma)):
        if count == MOST:
            page = table.boxes[0].page if table.boxes else 0
            message = (
                f"{table.label} holds more than {MOST} values; those behind the first are not in the graph."
            )
            maker.into.problems.append((items.document.id, Problem(message, page)))
            return
        proof = Proof(items.document.id, table.label, 0, 0, said.row, (said.cell.box,))
        confidence = said.confidence * (1 if items.trusted(said.cell.box.page) else POOR)
        nodes = maker.make(home, table.label, said, proof, confidence)
        maker.mention(items.rows.get((table.label, said.cell.row), ()), nodes)
