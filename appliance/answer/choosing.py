"""Which findings an answer states: the best, what leads the evidence, and what else was asked.

Rules of this module: pure but for the references that the store knows. The best findings come first; then
the best one of each of the first places, for the search puts the deciding place there more often than its
parts can tell; then what the first places send a reader to (a table, a figure, a definition with a number
of the kind asked for); then the best finding for each word of the question that nothing stated speaks of,
so that the second half of a question is not lost behind the first. None is stated twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from appliance.answer.findings import Finding, best_first, holds_what_is_asked, term_stems
from appliance.core.document import Label
from appliance.core.evidence import Place, Query
from appliance.core.settings import AnswerSettings
from appliance.retrieval.ask import index_of, place
from appliance.store.read import Store
from appliance.store.values import StoredChunk
from appliance.text.stems import held_stems

LEADING = 3  # first places of which the best finding is stated
SENDING = 3  # first places whose tables and definitions are stated with them
COMPANIONS = 3  # findings that are stated because the first places send a reader there
FURTHER = 3  # findings that are stated for words that nothing else speaks of
NEAR = 8  # places among which a further word is looked for
COMMON = 0.34  # share of the findings beyond which a word tells nothing
DEFINED = 3  # definitions that are read besides
NEARLY = 0.8  # share of a text from which its end says the same as the whole


def choose(
    store: Store, query: Query, places: Sequence[Place], said: Sequence[Finding], settings: AnswerSettings
) -> tuple[Finding, ...]:
    """Return what is stated, best first; `places` are those read, best first."""
    best = best_first(said, settings.statements, settings.margin)
    if not best:
        return ()
    leading = list(_best_of(places[:LEADING], said))
    companions = list(_companions(store, query, places[:SENDING], said))[:COMPANIONS]
    first = once([*best[:1], *leading, *companions])
    near = [item for item in said if item.place in places[:NEAR]]
    first = once([*first, *islice(_further(query, first, near), FURTHER)])
    chosen = once([*first, *best])[: max(settings.statements, len(first))]
    return tuple(sorted(chosen, key=lambda item: -item.score))


def defined_places(store: Store, query: Query, places: Sequence[Place]) -> tuple[Place, ...]:
    """Return the definitions of terms that the first places use and that hold what is asked for."""
    known = {hit.chunk for hit in places}
    found: dict[int, Place] = {}
    if not query.kinds:
        return ()
    for hit in places[:SENDING]:
        for term in index_of(store).terms.used(hit.text, hit.document):
            for item in store.chunks(store.chunks_for(term.document, term.label)[:1]):
                if item.id not in known and _holds(query, _definition(store, item, term.label)):
                    path = (str(hit.label), str(term.label))
                    found.setdefault(item.id, place(item, 0.0, ("reference",), path=path))
    return tuple(found.values())[:DEFINED]


def _definition(store: Store, shown: StoredChunk, label: Label) -> str:
    """Return the text that defines one term of those that are shown together."""
    parts = store.chunks(store.chunk_children([shown.id])[shown.id])
    return next((part.chunk.passage.text for part in parts if part.chunk.label == label), "")


def _holds(query: Query, text: str) -> bool:
    return holds_what_is_asked(query, text) >= 1


def _best_of(places: Iterable[Place], said: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the best finding of each of these places."""
    for one in places:
        own = [item for item in said if item.place == one]
        yield from sorted(own, key=lambda item: -item.score)[:1]


def _companions(
    store: Store, query: Query, leading: Sequence[Place], said: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield the best finding of each table, figure or definition that these places send a reader to."""
    for one in leading:
        keys = [label.key for label in (one.label, *one.labels)]
        targets = {
            (item.document or one.document, item.target.key)
            for item in store.references_from_any(one.document, keys)
            if item.target is not None
        }
        targets |= {
            (term.document, term.label.key) for term in index_of(store).terms.used(one.text, one.document)
        }
        reached = [
            item
            for item in said
            if item.place.kind in {"table", "figure", "definition"}
            and any((quote.document, quote.label.key) in targets for quote in item.quotes)
            and (not query.kinds or _holds(query, item.text))
        ]
        yield from sorted(reached, key=lambda item: -item.score)


def _further(query: Query, stated: Sequence[Finding], said: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the best finding for each word of the question that nothing stated speaks of."""
    held = [(item, held_stems(item.text)) for item in said]
    met = set[str]().union(*(held_stems(item.text) for item in stated))
    for stem in term_stems(query):
        speaking = [item for item, stems in held if stem in stems]
        if stem in met or not speaking or len(speaking) > COMMON * len(held) + 1:
            continue
        best = max(speaking, key=lambda item: item.score)
        met |= held_stems(best.text)
        yield best


def once(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without any that says the same as one before, with its title or without."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        said = " ".join(finding.text.split()).casefold()
        if not any(_is_same(said, other) for other in kept):
            kept[said] = finding
    return list(kept.values())


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (longer.endswith(shorter) and len(shorter) >= NEARLY * len(longer))
