"""Which defined terms a text uses.

Rules of this module: a term is used where all its words stand together, in any form of each word;
the longest term wins ("utility stair" is not also a "stair"). A text is read with the terms of its
own document, a question with those of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import proxy

from appliance.document import Label
from appliance.store.channels import index_terms
from appliance.store.read import Store

Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defined:
    """A term with the place that defines it."""

    term: str
    document: str
    label: Label


class Terms:
    """The defined terms of a library by the stems of their words."""

    def __init__(self, store: Store) -> None:
        self._store = proxy(store)  # terms are kept beside their store and never keep it alive
        self._by_document: dict[str, dict[Stems, Defined]] = {}
        for info in store.documents():
            known = self._by_document[info.id] = {}
            for term in store.terms(info.id):
                if stems := index_terms(store, term.term):
                    known.setdefault(stems, Defined(term.term, info.id, term.label))
        lengths = [len(stems) for known in self._by_document.values() for stems in known]
        self._longest = max(lengths, default=0)

    def used(self, text: str, document: str | None = None) -> tuple[Defined, ...]:
        """Return the terms that a text uses, each once, in the order of the text."""
        stems = index_terms(self._store, text)
        scopes = [self._by_document[document]] if document else list(self._by_document.values())
        return tuple(dict.fromkeys(found for known in scopes for found in self._in(stems, known)))

    def _in(self, stems: Sequence[str], known: Mapping[Stems, Defined]) -> Iterator[Defined]:
        position = 0
        while position < len(stems):
            for length in range(min(self._longest, len(stems) - position), 0, -1):
                if found := known.get(tuple(stems[position : position + length])):
                    yield found
                    position += length - 1
                    break
            position += 1
