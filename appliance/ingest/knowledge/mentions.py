"""Which searched chunk speaks of what: the map from chunks to concepts, terms and parameters.

Rules of this module: names are looked for in all searched chunks, shared things everywhere, terms and
parameters in their own document alone. A name in the title or the headings above ranks before one in the
text; a symbol of one letter is no name that a text can be searched for.
"""

from __future__ import annotations

from collections.abc import Iterable

from appliance.document import Term
from appliance.ingest.knowledge.collected import Collected, Items, searched
from appliance.ingest.knowledge.phrases import Phrases
from appliance.ingest.knowledge.vocabulary import Vocabulary

HERE, TITLE, TEXT = 0, 1, 2
SHORTEST = 2  # characters of a symbol or abbreviation that is looked for


def read_mentions(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add what the searched chunks of a document speak of."""
    document = items.document
    own = _own_phrases(items, into)
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


def _own_phrases(items: Items, into: Collected) -> Phrases:
    own = items.document.id
    parameters = [(n.name, n.id) for n in into.nodes.values() if n.kind == "parameter" and n.document == own]
    terms: Iterable[Term] = items.document.terms
    words = [(term.term, items.term(term.term)) for term in terms if term.kind == "term"]
    signs = [
        (term.term, items.term(term.term))
        for term in terms
        if term.kind != "term" and len(term.term) >= SHORTEST
    ]
    return Phrases([*words, *parameters], signs)
