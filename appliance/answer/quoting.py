"""Statements and citations: what is said of the candidates that were chosen, each quote numbered once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from appliance.answer.candidates.values import PIECES, Candidate, Quote
from appliance.answer.doubts import doubted
from appliance.answer.verify import Claim, verdict
from appliance.core.document import Label
from appliance.core.evidence import Citation, MarkedTable, Place, Statement
from appliance.store.read import Store

_APART = re.compile(r"\s*…(?:\s*…)+\s*|(?<=\S)\s*…\s+(?=\S)")  # what is left out, once between two pieces
UNSURE = "which of these values is meant is for the reader to tell"


@dataclass(frozen=True, slots=True)
class Said:
    """One statement to be made: claims of one place, with the notes that change a value."""

    claims: tuple[Candidate, ...]
    notes: tuple[Quote, ...] = ()

    @property
    def text(self) -> str:
        """Return its words: the lead-in that items share is said once."""
        told: list[str] = []
        leads: set[str] = set()
        for one in self.claims:
            _, found, item = one.text.partition(PIECES)
            told.append(item if found and one.lead in leads else one.text)
            leads |= {one.lead} if one.lead else set()
        text = PIECES.join((*told, *(" ".join(note.text.split()) for note in self.notes)))
        return _APART.sub(PIECES, text)

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """Return what proves it, the claims before what stands over them."""
        return tuple(dict.fromkeys((*(q for one in self.claims for q in reversed(one.quotes)), *self.notes)))

    @property
    def proofs(self) -> tuple[Claim, ...]:
        """Return what is claimed with the quotations that must hold it."""
        notes = (Claim(" ".join(note.text.split()), (note.text,)) for note in self.notes)
        return (*(claim for one in self.claims for claim in one.claims), *notes)


class Quotations:
    """The citations of one answer, numbered in the order in which they are first cited."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers: dict[Quote, int] = {}

    def statement(self, said: Said) -> Statement:
        """Return a statement with its citations; not confirmed means: shown as such, with the reason."""
        cited = tuple(self.number(quote) for quote in said.quotes)
        confirmed, why = verdict(said.proofs)
        doubt = doubted(self._store, said.quotes)
        return Statement(said.text, cited, confirmed and not doubt, "; ".join(filter(None, (why, doubt))))

    def number(self, quote: Quote) -> int:
        """Return the number of the citation of a quote."""
        return self._numbers.setdefault(quote, len(self._numbers) + 1)

    def citations(self) -> tuple[Citation, ...]:
        """Return all citations by their numbers."""
        return tuple(
            Citation(n, q.document, q.label, q.page, q.boxes, q.text, self._store.info(q.document).status)
            for q, n in self._numbers.items()
        )


def marked_tables(
    said: Iterable[Said], places: Sequence[Place], sure: tuple[str, Label] | None
) -> tuple[MarkedTable, ...]:
    """Return the tables of an answer: those whose rows are stated with their cells, then the others found.

    Only a value of the table that is `sure` (document and label) may be shown large.
    """
    marked: dict[tuple[str, str], MarkedTable] = {}
    for one in (claim for each in said for claim in each.claims if claim.marked):
        key = (one.place.document, one.place.label.key)
        why = "" if sure == (one.place.document, one.place.label) else UNSURE
        before = marked.get(key, MarkedTable(one.place.document, one.place.label, (), why))
        marked[key] = replace(before, marked=tuple(dict.fromkeys((*before.marked, *one.marked))))
    for place in places:
        if place.kind == "table":
            key = (place.document, place.label.key)
            marked.setdefault(key, MarkedTable(place.document, place.label, ()))
    return tuple(marked.values())
