"""Values of a document as nodes: each with its quantity, the parameter that has it and its conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from appliance.core.document import Clause, Label, Problem, Table
from appliance.core.graph import Bound, Node, Proof, Quantity, name_key
from appliance.ingest.knowledge.collected import POOR, Collected, Items, page_of
from appliance.ingest.knowledge.quantities import Found, decimal_comma
from appliance.ingest.knowledge.sentence_values import Saying, sayings
from appliance.ingest.knowledge.table_values import MOST, CellValue, cell_values
from appliance.ingest.knowledge.vocabulary import Vocabulary, fold, nouns
from appliance.text.quantities import size_of
from appliance.text.sentences import sentence_spans

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

    def _condition(self, value: str, words: str, confidence: float, proof: Proof) -> None:
        """Add a condition in its own words, and the known things that they name as these are called.

        Another name for a thing is no condition: a "balanced flue" is no chimney, "CC1" and "CC2" are both
        consequence classes; and "minimum" says what the value is, not when.
        """
        if not name_key(words):
            return
        short = words if len(words) <= NAMED else f"{words[:NAMED].rsplit(' ', 1)[0]} …"
        own = self.into.node("concept", self.items.document.id, short)
        self.into.edge(value, "VALID_WHEN", own, confidence, "condition", proof)
        sure = min(confidence, WORD_OF_CONDITION)
        for heard in self.vocabulary.subjects.find(words):
            said = words[heard.start : heard.end]
            exact = bool(self.vocabulary.firsts.named(said)) or fold(said) == fold(words)
            if exact and said.casefold() not in nouns().extremes:
                self.into.edge(value, "VALID_WHEN", heard.node, sure, "named in condition", proof)


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
