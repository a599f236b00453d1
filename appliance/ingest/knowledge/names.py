"""Names of terms, concepts and parameters: where they are defined and which chunk mentions them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from appliance.core.document import Box, Clause
from appliance.core.frames import in_box
from appliance.core.graph import Bound, Proof, name_key
from appliance.ingest.knowledge.collected import Collected, Items, searched
from appliance.ingest.knowledge.vocabulary import Phrases, Vocabulary, fold, nouns, wording
from appliance.text.quantities import size_of

PLACED, SAME, MEANT, ALSO = 0.95, 0.9, 0.85, 0.6
LONGEST = 8  # words of an explanation that may be a name


def read_definitions(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add where the terms of a document are defined, and what they are the same as."""
    on_page: dict[int, list[tuple[Clause, Box]]] = {}
    for clause in items.document.clauses:
        for box in clause.boxes:
            on_page.setdefault(box.page, []).append((clause, box))
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
        meaning = name_key(term.passage.text) if len(fold(term.passage.text)) <= LONGEST else ""
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
    node: str,
    name: str,
    vocabulary: Vocabulary,
    into: Collected,
    *,
    sure: float,
    proof: Proof | None = None,
) -> None:
    """Tie a node to the things of its name; by another of their names, only a person can tell."""
    first = vocabulary.firsts.named(name)
    for thing in first:
        into.edge(node, "EQUIVALENT_TO", thing, sure, "same name", proof)
    for thing in vocabulary.subjects.named(name):
        if thing not in first:
            into.edge(node, "EQUIVALENT_TO", thing, ALSO, "another name", proof)


HERE, TITLE, TEXT = 0, 1, 2
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
                *((title, TITLE) for title in above),
                (chunk.passage.text, TEXT),
                (chunk.extra, TEXT),
            ):
                for heard in phrases.find(text):
                    into.mention(document.id, position, heard.node, rank)
        if chunk.kind == "definition":
            for label in chunk.labels:
                if label in defined:
                    into.mention(document.id, position, defined[label], HERE)


NAMES_LONGEST = 5  # words of a name
_WORD = re.compile(r"[^\W\d_]+(?:[-’'.][^\W\d_]+)*")
_GAP = re.compile(r"[ \t\u00a0\n-]{1,3}")


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a quantity at [start, end); `bound` is what "maximum" or "minimum" in it says."""

    start: int
    end: int
    text: str
    noun: str
    bound: Bound | None = None

    def fits(self, unit: str) -> bool:
        """Tell whether a number with this unit may be a value of it; a bare number fits a ratio only."""
        wanted = {size_of(known).dimension for known in nouns().units[self.noun]}
        return size_of(unit).dimension in wanted


def names_in(text: str) -> list[Name]:
    """Return the names of quantities that stand in a text, in order."""
    words = list(_WORD.finditer(text))
    found = (_name(text, words, at) for at in range(len(words)) if _noun(words[at].group()))
    kept = list({name.start: name for name in found}.values())  # not "load" of "load factor"
    for at in range(1, len(kept)):
        between = text[kept[at - 1].end : kept[at].start]
        if kept[at].bound is None and wording().between_names.fullmatch(between):
            kept[at] = replace(kept[at], bound=kept[at - 1].bound)  # "minimum width and depth"
    return kept


def _noun(word: str) -> str:
    """Return the noun that a word is, in the singular, "" where it is none."""
    folded = word.casefold()
    singulars = (folded.removesuffix("s"), folded.removesuffix("es"), folded.removesuffix("ies") + "y")
    return next((form for form in (folded, *singulars) if form in nouns().units), "")


def _name(text: str, words: list[re.Match[str]], at: int) -> Name:
    """Return the name that ends with the word at this position."""
    known, first = nouns(), at
    bound: Bound | None = None
    while first and at - first < NAMES_LONGEST - 1:
        word, gap = words[first - 1], text[words[first - 1].end() : words[first].start()]
        if word.group().casefold() in known.edges or not _GAP.fullmatch(gap):
            break
        first -= 1
    while first < at and (sign := known.extremes.get(words[first].group().casefold())):
        bound, first = bound or sign, first + 1
    for word in words[first:at]:
        bound = bound or known.extremes.get(word.group().casefold())
    start, end = words[first].start(), words[at].end()
    return Name(start, end, " ".join(text[start:end].split()), _noun(words[at].group()), bound)
