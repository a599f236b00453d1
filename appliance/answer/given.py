"""Whether any place gives the one value that a question asks for, not only speaks of its subject.

Rules of this module: only questions that ask for one value in so many words are judged (single.py). Their
words are looked for in every part of the places found: by stem or by another name, in its heading or the
notes of its table for a little less, or by the best cosine of the word among the tokens of the part. Words
that spell a unit are left out. Only places that hold a quantity of the wanted kind count; what is looked at
is how much of the question one part of them meets, against what all parts meet each on its own. No word,
label or document is known to the model (data/answer/given.toml), whose signals and weights are few and
told; nothing found is ever hidden.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.answer.headed import head_kinds, heads_of
from appliance.answer.judges import Judges
from appliance.answer.nearness import Rows, Word, nearness, words_asked
from appliance.answer.single import asks_one_value
from appliance.answer.sought import kinds_held
from appliance.core.evidence import Evidence, Place, Query
from appliance.core.files import shipped
from appliance.models.protocols import Candidate
from appliance.store.channels import index_terms
from appliance.store.read import Store
from appliance.store.rows import embedded_text
from appliance.store.values import StoredChunk
from appliance.text.quantities import kinds_told

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
    def reasons(self) -> tuple[str, ...]:
        """Return why nothing is stated, with the chance that something could be."""
        return self.sentence, f"estimated chance that one of them does: {round(10 * self.chance)} in 10"


def ungiven(store: Store, evidence: Evidence, places: Sequence[Place], judges: Judges) -> Ungiven | None:
    """Return that no place gives the value asked for, None where one may or the question is another one."""
    read = read_parts(store, evidence, places, judges)
    if read is None:
        return None
    sure = chance(signals_of(read))
    if sure >= _model()["refuse"] or _met_whole(read):
        return None
    return Ungiven(_sentence(evidence.query, read, places), sure)


def _met_whole(read: Read) -> bool:
    """Tell whether one part of a place that holds the wanted kind meets every word of the question."""
    met = read.met[read.holding] >= MET
    return len(read.words) >= WHOLE and bool(met.all(axis=1).any())


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
    near = nearness(asked, encoded, tokens)
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
    rarity = np.array([word.rarity for word in read.words])
    known = rarity * [word.known for word in read.words]
    whole = rarity / rarity.sum()
    told = known / known.sum() if known.any() else whole
    apart = float(read.met.max(axis=0) @ whole)
    here = read.holding
    if not here.any():
        none = dict.fromkeys(("near", "met", "words", "measure", "judged", "together"), 0.0)
        return none | {"apart": apart, "bears": read.relevance}
    met, judged = read.met[here], read.judged[here]
    best = met[int(np.argmax(met @ whole + WORTH * judged))]
    measures = [place for place, word in enumerate(read.words) if word.measure]
    return {
        "near": float((read.near[here] @ told).max()),
        "met": float((met @ told).max()),
        "apart": apart - float((met @ whole).max()),
        "words": float((met >= MET).sum(axis=1).max()),
        "measure": float(best[measures].mean() if measures else best.mean()),
        "judged": float(judged.max()),
        "together": _together(read, met),
        "bears": read.relevance,
    }


def _together(read: Read, met: Rows) -> float:
    """Return how far one part meets both what is measured and the thing that it is measured of.

    A word that no document holds tells nothing of the thing where others do.
    """
    things = [place for place, word in enumerate(read.words) if not word.measure]
    named = [place for place in things if read.words[place].known] or things or list(range(len(read.words)))
    rarity = np.array([read.words[place].rarity for place in named])
    thing = met[:, named] @ (rarity / rarity.sum())
    measures = [place for place, word in enumerate(read.words) if word.measure]
    measured = met[:, measures].max(axis=1) if measures else np.ones(len(met))
    return float(np.minimum(thing, measured).max())


def chance(signals: Mapping[str, float]) -> float:
    """Return the chance (0..1) that a place with these signals gives the value."""
    weights: Mapping[str, float] = _model()["weights"]
    total = weights["intercept"] + sum(weights.get(name, 0.0) * value for name, value in signals.items())
    return 1 / (1 + math.exp(-total))


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
        found.append([max(_held(word, own, head), RENAMED * bool(word.kinds & told)) for word in asked])
    return found


def _held(word: Word, own: frozenset[str], head: frozenset[str]) -> float:
    if word.ways[0] <= own:
        return 1.0
    renamed = RENAMED * any(way <= own for way in word.ways[1:])
    return max(renamed, HEADED * any(way <= head for way in word.ways))


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
    measures = [word.ways[0] for word in asked if word.measure]
    held = {
        owner
        for part, owner in owners.items()
        if wanted & kinds_held(_body(part)) or _counts(store, part, measures)
    }
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


def _counts(store: Store, part: StoredChunk, measures: Sequence[frozenset[str]]) -> bool:
    """Tell whether a part is a row of a table that prints what is to be measured and a number."""
    text = _body(part)
    if part.chunk.kind != "table" or part.chunk.row is None or not measures or not _DIGIT.search(text):
        return False
    held = frozenset(index_terms(store, text))
    return all(way <= held for way in measures)


def _body(part: StoredChunk) -> str:
    return f"{part.chunk.passage.text}\n{part.chunk.extra}"


def _sentence(query: Query, read: Read, places: Sequence[Place]) -> str:
    """Say where the subject is spoken of, and what none of the places gives."""
    named = ", ".join(dict.fromkeys(f"{place.document} {place.label}" for place in places[:NEAREST]))
    kinds = ", ".join(query.kinds)
    best = read.met[int(np.argmax(read.met @ [word.rarity for word in read.words]))]
    apart = [w.text for w, met in zip(read.words, best, strict=True) if met < MET and not w.measure]
    told = f"The documents speak of this ({named}), but no place found gives a value ({kinds})"
    missing = ", ".join(f"\u201c{text}\u201d" for text in dict.fromkeys(apart))
    return f"{told} with {missing}." if missing else f"{told} for it."


@cache
def _model() -> dict[str, Any]:
    return shipped("answer/given")
