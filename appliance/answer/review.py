"""What the evidence still lacks for its question, and one more step towards it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.answer.reading.features import is_scope_place, scope_places
from appliance.answer.verify import holds_what_is_asked, phrases
from appliance.core.evidence import Channel, Evidence, Link, Place, Query, Round
from appliance.retrieval.ask import place
from appliance.store.read import Store
from appliance.text.terms import fold

ROUNDS = 2
DECIDING = 3  # first places whose references must all be followed
NUMBERED = 6  # first places of which one must hold a number of the kind asked for
ADDED = 6  # places that one need adds at most
PLACES = 24  # places that all rounds add at most
STOPPED = f"stopped at {PLACES} places, more are needed"


@dataclass(frozen=True, slots=True)
class Need:
    """What the question still needs: references to follow, or the `before`, `after` or `scope` of a place."""

    why: str
    links: tuple[Link, ...] = ()
    near: tuple[tuple[Place, str], ...] = ()
    scope: bool = False


def review(query: Query, hits: Sequence[Place], links: Mapping[int, Sequence[Link]]) -> tuple[Need, ...]:
    """Return what the evidence lacks; `links` are the references of its places by their chunk."""
    shown = {(hit.document, label.key) for hit in hits for label in (hit.label, *hit.labels)}
    needs: list[Need] = []
    if query.intent == "applicability" and not any(is_scope_place(hit) for hit in hits[:DECIDING]):
        needs.append(Need("whether something applies is said by the scope of the code", scope=True))
    numbered = any(holds_what_is_asked(query, hit.text) >= 1 for hit in hits[:NUMBERED])
    if query.intent == "value" and not numbered:
        near = _open(hits[:NUMBERED], links, shown)
        needs.append(Need("no first place holds a number of the kind asked for", tuple(near)))
    open_links = tuple(_open(hits[:DECIDING], links, shown))
    if open_links:
        names = ", ".join(dict.fromkeys(str(link.to_label) for link in open_links[:ADDED]))
        needs.append(Need(f"the deciding clauses refer to {names}", open_links))
    pointing = tuple(_pointing(hits[:DECIDING]))
    if pointing:
        where = ", ".join(dict.fromkeys(f"{hit.label} ({words})" for hit, _, words in pointing))
        needs.append(
            Need(f"what stands beside is meant: {where}", near=tuple((hit, way) for hit, way, _ in pointing))
        )
    return tuple(need for need in needs if need.links or need.near or need.scope)


def reviewed(
    store: Store, evidence: Evidence, documents: Collection[str]
) -> tuple[Evidence, tuple[Place, ...]]:
    """Return the evidence with what it lacked, and of this the places that hold what is asked for.

    Only `documents` are followed into: those that were searched.
    """
    query = evidence.query
    reached: list[Place] = []
    leading: tuple[Place, ...] = evidence.hits
    for _ in range(ROUNDS):
        rounds: list[Round] = []
        for need in review(query, leading, links_of(store, leading[:NUMBERED])):
            known = {hit.chunk for hit in (*evidence.hits, *reached)}
            met = {f.chunk: f for f in follow(store, evidence, need) if f.document in documents}
            new = [found for chunk, found in met.items() if chunk not in known]
            added = new[: min(ADDED, PLACES - sum(len(made.added) for made in evidence.rounds))]
            if need.scope:
                reached += [
                    f for f in scope_places(store, evidence) if f.chunk in known and f.document in documents
                ]
            reached += added
            if added:
                rounds.append(Round(need.why, tuple(added)))
                evidence = with_round(evidence, rounds[-1])
            if len(added) < min(ADDED, len(new)):
                return _stopped(evidence), _asked(query, reached)
        if not rounds:
            break
        leading = tuple(found for item in rounds for found in item.added)
    return evidence, _asked(query, reached)


def _asked(query: Query, reached: Iterable[Place]) -> tuple[Place, ...]:
    """Return the places that hold what is asked for, each once."""
    return tuple(
        dict.fromkeys(
            found for found in reached if is_scope_place(found) or holds_what_is_asked(query, found.text) >= 1
        )
    )


def _stopped(evidence: Evidence) -> Evidence:
    """Return the evidence with a last round that says that more is needed than was read."""
    *before, last = evidence.rounds
    return replace(evidence, rounds=(*before, replace(last, why=f"{last.why}; {STOPPED}")))


def with_round(evidence: Evidence, made: Round) -> Evidence:
    """Return the evidence with the places of a round behind those found."""
    return replace(
        evidence,
        hits=(*evidence.hits, *made.added),
        must_read=(*evidence.must_read, *made.added),
        rounds=(*evidence.rounds, made),
    )


def _open(
    hits: Iterable[Place], links: Mapping[int, Sequence[Link]], shown: set[tuple[str, str]]
) -> Iterator[Link]:
    """Yield the references of places to what is not shown, each target once."""
    seen = set(shown)
    for hit in hits:
        for link in links.get(hit.chunk, ()):
            target = (link.to_document, link.to_label.key)
            if target not in seen:
                seen.add(target)
                yield link


def _pointing(hits: Iterable[Place]) -> Iterator[tuple[Place, str, str]]:
    """Yield the places that send a reader to what stands before or after them, with the words."""
    for hit in hits:
        lines = fold(hit.text).strip()
        opening, ending = lines[:200], lines[-120:]
        for way, text in (("before", opening), ("after", ending)):
            words = next((w for w in phrases(way) if re.search(rf"\b{re.escape(w)}\b", text)), "")
            if words:
                yield hit, way, words


def links_of(store: Store, hits: Sequence[Place]) -> dict[int, tuple[Link, ...]]:
    """Return the references of places that lead to a loaded place."""
    found: dict[int, tuple[Link, ...]] = {}
    for hit in hits:
        keys = list(dict.fromkeys(label.key for label in (hit.label, *hit.labels)))
        found[hit.chunk] = tuple(
            Link(hit.document, item.source, item.document or hit.document, item.target, item.text)
            for item in store.references_from(hit.document, *keys)
            if item.target is not None and store.has(item.document or hit.document)
        )
    return found


def follow(store: Store, evidence: Evidence, need: Need) -> Iterator[Place]:
    """Yield the places that a need asks for."""
    if need.scope:
        yield from scope_places(store, evidence)
    for link in need.links:
        path = (str(link.from_label), str(link.to_label))
        yield from _shown(store, store.chunks_for(link.to_document, link.to_label)[:1], "reference", path)
    for hit, way in need.near:
        before, after = store.chunk_neighbours(hit.chunk)
        chunks = before[-1:] if way == "before" else after[:1]
        yield from _shown(store, chunks, "closure", (str(hit.label),))


def _shown(store: Store, chunks: Iterable[int], by: Channel, path: tuple[str, ...]) -> Iterator[Place]:
    for item in store.chunks(chunks):
        yield place(item, 0.0, (by,), path=path)
