"""Whether any place gives what is asked for: the gates before anything is stated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from appliance.answer.reading.question import (
    Judges,
    asks_one_value,
    count_of,
    head_kinds,
    heads_of,
    kinds_held,
    kinds_named,
    measuring,
    naming_nothing,
    nearness,
    nowhere,
    rarity,
)
from appliance.core.evidence import Evidence, Place, Query, SubQuestion
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.models.protocols import Candidate, EncodedQuery
from appliance.retrieval.rank.model import chance_of
from appliance.store.channels import index_terms
from appliance.store.read import Store
from appliance.store.records import StoredChunk
from appliance.store.rows import embedded_text
from appliance.text.quantities import kinds_told
from appliance.text.terms import fold, words

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: its stem and other names, its rows among the tokens, how rare it is.

    `measure` tells that it says what is to be measured, `kinds` which quantities are asked for by it.
    """

    text: str
    ways: tuple[frozenset[str], ...]
    rows: tuple[int, ...]
    rarity: float
    known: bool
    measure: bool
    kinds: frozenset[str] = frozenset()


def words_asked(store: Store, query: Query, encoded: EncodedQuery) -> Iterator[Word]:
    """Yield the words of a question that tell what is asked about, with their rows among its tokens."""
    folded, measures = fold(encoded.text), measuring(query)
    idle, aside = shipped("answer/given")["asks"]["idle"].split(), naming_nothing(folded)
    if len(folded) != len(encoded.text):
        return  # signs were spelt out: the rows cannot be told
    at = 0
    for text in words(encoded.text):
        start = folded.find(text, at)
        if start < 0:
            continue
        at = start + len(text)
        rows = tuple(n for n, (first, end) in enumerate(encoded.spans) if first < at and end > start)
        own = store.connections.stem(text)
        if rows and own in query.terms and text not in idle and start not in aside:
            ways = tuple(dict.fromkeys((frozenset({own}), *_others(store, query, own))))
            known, kinds = count_of(store, text) > 0, kinds_named(query, text)
            yield Word(text, ways, rows, rarity(store, text), known, text in measures, kinds)


def _others(store: Store, query: Query, stem: str) -> Iterator[frozenset[str]]:
    """Yield the stems of each other name of the ideas that begin with a word, or of one with another for it.

    "Letter plate" says all words of "letter box" but one, which it meets. A name of words that the question
    says itself is the same idea with less said: it meets no further word.
    """
    for idea in query.concepts:
        named = index_terms(store, idea.words)
        if stem not in named:
            continue
        beside = frozenset(named) - {stem}
        for way in (frozenset(index_terms(store, other)) for other in idea.others if words(other)):
            if not way <= set(query.terms) and (stem == named[0] or (beside and beside <= way)):
                yield way


HEADED = 0.8  # worth of a word that only the heading of a part holds
RENAMED = 0.8  # worth of another name: it may be part of a longer one ("truck" in "fork-lift truck")
MET = 0.55  # from which a word counts as met
WHOLE = 2  # words of a question that one part meets which is never refused
WORTH = 0.3  # of the reranker's score beside the words, where the best part is chosen
NEAREST = 3  # places that are named

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What the parts of the places meet of the words.

    `met` and `near` are [parts, words] from 0 to 1, `near` by cosine alone; `judged` is what the reranker
    says of each part; `holding` tells of each part whether its place holds a quantity of the wanted kind;
    `relevance` is the chance that the documents bear on the question at all.
    """

    words: tuple[Word, ...]
    met: Rows
    near: Rows
    judged: Rows
    holding: NDArray[np.bool_]
    relevance: float


@dataclass(frozen=True, slots=True)
class Ungiven:
    """That no place gives the value: in a sentence, with the chance (0..1) that one does all the same."""

    sentence: str
    chance: float

    @property
    def refuses(self) -> bool:
        """Whether the chance is so low that the places are not shown as an answer."""
        return bool(self.chance < shipped("answer/given")["refuse"])

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why nothing is stated, with the chance that something could be."""
        return self.sentence, f"estimated chance that one of them does: {round(10 * self.chance)} in 10"


@mechanism("answer.lacking", without=lambda *_: None)
def ungiven(store: Store, evidence: Evidence, places: Sequence[Place], judges: Judges) -> Ungiven | None:
    """Return that no place gives the value asked for, None where one may or the question is another one."""
    read = read_parts(store, evidence, places, judges)
    if read is None:
        return None
    sure = chance(signals_of(read))
    # one part of a place that holds the wanted kind may meet every word of the question
    whole = (read.met[read.holding] >= MET).all(axis=1).any() and len(read.words) >= WHOLE
    if sure >= shipped("answer/given")["doubt"] or whole:
        return None
    named = ", ".join(dict.fromkeys(f"{place.document} {place.label}" for place in places[:NEAREST]))
    return Ungiven(f"No place found gives the value asked for; it is spoken of in {named}.", sure)


def read_parts(store: Store, evidence: Evidence, places: Sequence[Place], judges: Judges) -> Read | None:
    """Return what the parts of the places meet, None where nothing is to be judged."""
    encoded = judges.encoded
    if not places or judges.reranker is None or encoded is None or not encoded.spans:
        return None
    judged = not evidence.scope and asks_one_value(evidence.query)
    asked = tuple(words_asked(store, evidence.query, encoded)) if judged else ()
    if not asked:
        return None
    families = store.chunk_children([place.chunk for place in places])
    owners = {child: parent for parent, children in families.items() for child in children}
    vectors = store.vectors(owners)
    parts = [part for part in store.chunks(owners) if part.id in vectors and len(vectors[part.id].tokens)]
    if not parts:
        return None
    tokens = [vectors[part.id].tokens for part in parts]
    candidates = [Candidate(embedded_text(p.chunk), rows) for p, rows in zip(parts, tokens, strict=True)]
    near = nearness(encoded, [word.rows for word in asked], tokens)
    return Read(
        asked,
        np.maximum(near, _met(store, asked, parts)),
        near,
        np.asarray(judges.reranker.scores(encoded, candidates), dtype=np.float64),
        _holding(store, evidence, places, {part: owners[part.id] for part in parts}, asked),
        evidence.relevance,
    )


def signals_of(read: Read) -> dict[str, float]:
    """Return the signals by their names in data/answer/given.toml."""
    rarities = np.array([word.rarity for word in read.words])
    known = rarities * [word.known for word in read.words]
    whole = rarities / rarities.sum()
    told = known / known.sum() if known.any() else whole
    apart = float(read.met.max(axis=0) @ whole)
    here = read.holding
    if not here.any():
        none = dict.fromkeys(("near", "met", "words", "measure", "judged", "together"), 0.0)
        return none | {"apart": apart, "bears": read.relevance}
    met, judged = read.met[here], read.judged[here]
    best = met[int(np.argmax(met @ whole + WORTH * judged))]
    every = range(len(read.words))
    measures = [at for at in every if read.words[at].measure]
    # how far one part meets both what is measured and the thing that it is measured of; a word that no
    # document holds tells nothing of the thing where others do
    things = [at for at in every if not read.words[at].measure]
    named = [at for at in things if read.words[at].known] or things or list(every)
    thing = met[:, named] @ (rarities[named] / rarities[named].sum())
    measured = met[:, measures].max(axis=1) if measures else np.ones(len(met))
    return {
        "near": float((read.near[here] @ told).max()),
        "met": float((met @ told).max()),
        "apart": apart - float((met @ whole).max()),
        "words": float((met >= MET).sum(axis=1).max()),
        "measure": float(best[measures].mean() if measures else best.mean()),
        "judged": float(judged.max()),
        "together": float(np.minimum(thing, measured).max()),
        "bears": read.relevance,
    }


def chance(signals: Mapping[str, float]) -> float:
    """Return the chance (0..1) that a place with these signals gives the value."""
    weights: Mapping[str, float] = shipped("answer/given")["weights"]
    return chance_of(weights["intercept"], weights, signals)


def _met(store: Store, asked: Sequence[Word], parts: Sequence[StoredChunk]) -> list[list[float]]:
    """Return how far each part meets each word by stem or name; notes are of each row of their table.

    A text that prints two sides says in numbers what "size" asks for.
    """
    tables = {(part.document, part.chunk.label.key) for part in parts if part.chunk.kind == "table"}
    notes = {place: table.notes for place in tables if (table := store.table(*place))}
    found: list[list[float]] = []
    for part in parts:
        beside = (note.text for note in notes.get((part.document, part.chunk.label.key), ()))
        own = frozenset(index_terms(store, _body(part)))
        head = frozenset(index_terms(store, " ".join((part.chunk.title, *part.chunk.context[1:], *beside))))
        told = kinds_told(_body(part))
        row = []
        for word in asked:
            renamed = any(way <= own for way in word.ways[1:]) or word.kinds & told
            headed = any(way <= head for way in word.ways)
            row.append(1.0 if word.ways[0] <= own else max(RENAMED * bool(renamed), HEADED * headed))
        found.append(row)
    return found


def _holding(
    store: Store,
    evidence: Evidence,
    places: Sequence[Place],
    owners: Mapping[StoredChunk, int],
    asked: Sequence[Word],
) -> NDArray[np.bool_]:
    """Tell of each part whether its place, or one that a reference joins to it, holds a wanted quantity.

    What the heads of the first place measure is wanted too where the question names them. A row that names
    what is measured holds it in its numbers: a poor text layer spoils the unit in the head first.
    """
    query = evidence.query
    wanted = head_kinds(query.spelt or query.text, heads_of(store, places)) | frozenset(query.kinds)
    measures = frozenset[str]().union(*(word.ways[0] for word in asked if word.measure))
    held = set()
    for part, owner in owners.items():
        text = _body(part)
        row = part.chunk.kind == "table" and part.chunk.row is not None and measures and _DIGIT.search(text)
        if wanted & kinds_held(text) or (row and measures <= set(index_terms(store, text))):
            held.add(owner)
    shown: dict[tuple[str, str], set[int]] = {}
    for place in places:
        for label in (place.label, *place.labels):
            shown.setdefault((place.document, label.key), set()).add(place.chunk)
    joined = set(held)
    for link in evidence.chain:
        source = shown.get((link.from_document, link.from_label.key), set())
        target = shown.get((link.to_document, link.to_label.key), set())
        if held & (source | target):
            joined |= source | target
    return np.array([owner in joined for owner in owners.values()])


def _body(part: StoredChunk) -> str:
    return f"{part.chunk.passage.text}\n{part.chunk.extra}"


@dataclass(frozen=True, slots=True)
class Gated:
    """A part of a question with why nothing answers it, "" where something may.

    `query` is the part as it is judged: in its own words, with the thing that it leaves unsaid.
    """

    part: SubQuestion
    query: Query
    why: str


def is_parted(query: Query, judges: Judges) -> bool:
    """Tell whether a question has several parts, each of which can be read for itself."""
    return len(query.parts) > 1 and judges.read is not None


def gated(
    store: Store, evidence: Evidence, seen: Sequence[Place], read: Sequence[Place], judges: Judges
) -> tuple[Gated, ...]:
    """Return the parts of a question, each with why no place answers it.

    `seen` are the places found and those reached from them, `read` those that are stated from.
    """
    found: list[Gated] = []
    if judges.read is None:
        return ()
    for part in evidence.query.parts:
        own, encoded = judges.read(part.asked)
        asked = own
        # the words of the thing that the part leaves unsaid, without what else is to be measured of it
        unsaid = words(part.searched.removeprefix(part.asked))
        measured = measuring(replace(own, text=" ".join(unsaid), spelt=""))
        if thing := " ".join(word for word in unsaid if fold(word) not in measured):
            asked, _ = judges.read(f"{part.asked.rstrip('?. ')} {thing}")
        query = replace(asked, parts=(), intent=own.intent, kinds=own.kinds)
        alone = replace(evidence, query=query, scope=None)
        why = ""
        if not own.labels:
            able = replace(judges, encoded=encoded if part.asked == part.searched else None)
            lacking = ungiven(store, alone, seen, able)
            why = nowhere(store, query, read) or (lacking.sentence if lacking else "")
        found.append(Gated(part, query, why))
    return tuple(found)


def of_all(gates: Sequence[Gated]) -> tuple[str, ...]:
    """Return why no part of a question is answered, nothing where one may be."""
    return tuple(dict.fromkeys(gate.why for gate in gates if all(each.why for each in gates)))
