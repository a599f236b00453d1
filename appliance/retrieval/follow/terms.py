"""Defined terms that a text uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import proxy

from appliance.core.document import Label
from appliance.store.channels import index_terms
from appliance.store.read import Store
from appliance.text.terms import fold

SHORTEST = 3  # letters of a term that may be as common a word of any question ("going"); "a" is a symbol
Stems = tuple[str, ...]
Known = Mapping[str, Sequence[tuple[Stems, "Defined"]]]


@dataclass(frozen=True, slots=True)
class Defined:
    """A term with the place that defines it."""

    term: str
    document: str
    label: Label


class Terms:
    """The defined terms of a library by the stems of their words; `words` are those of one word."""

    def __init__(self, store: Store) -> None:
        names = {term.term for info in store.documents() for term in store.terms(info.id)}
        self.words = frozenset(folded for name in names if len(folded := fold(name)) >= SHORTEST)
        self._store = proxy(store)  # terms are kept beside their store and never keep it alive
        self._by_document = {info.id: _by_first(store, info.id) for info in store.documents()}

    def used(self, text: str, document: str | None = None) -> tuple[Defined, ...]:
        """Return the terms that a text uses, each once, in the order of the text."""
        stems = index_terms(self._store, text)
        scopes = [self._by_document[document]] if document else list(self._by_document.values())
        return tuple(dict.fromkeys(found for known in scopes for found in _in(stems, known)))


def _by_first(store: Store, document: str) -> Known:
    """Return the terms of a document by their first stem, the longest first."""
    terms: dict[Stems, Defined] = {}
    for term in store.terms(document):
        if stems := index_terms(store, term.term):
            terms.setdefault(stems, Defined(term.term, document, term.label))
    known: dict[str, list[tuple[Stems, Defined]]] = {}
    for stems in sorted(terms, key=len, reverse=True):
        known.setdefault(stems[0], []).append((stems, terms[stems]))
    return known


def _in(stems: Stems, known: Known) -> Iterator[Defined]:
    position = 0
    while position < len(stems):
        for term, found in known.get(stems[position], ()):
            if stems[position : position + len(term)] == term:
                yield found
                position += len(term) - 1
                break
        position += 1
