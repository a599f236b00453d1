"""What is measured of each candidate against a question: the one input of the fitted order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from appliance.answer.candidates.values import Candidate
from appliance.answer.reading.question import Asked, Stems, Word, met, nearness, stems
from appliance.answer.verify import ANY_NUMBER, OBLIGING, obligation
from appliance.core.evidence import Evidence, Place
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.models.protocols import Candidate as Passage
from appliance.models.protocols import Reranker
from appliance.retrieval.ask import place
from appliance.retrieval.follow.scope import SHOWN, chunks_under, is_scope, scopes_of
from appliance.store.read import Store
from appliance.store.rows import embedded_text
from appliance.store.values import StoredChunk
from appliance.tables.ranges import Range, likeness, tokens
from appliance.text.quantities import kinds_in, kinds_of

DOCUMENTS = 3  # leading documents whose scope is reached
PER_DOCUMENT = 2  # clauses about scope, and statements, of each
LEADING = 5  # places whose documents and divisions count


def is_scope_place(found: Place) -> bool:
    """Tell whether a place stands under a title about what is covered."""
    return any(is_scope(title) for title in (found.title, *found.heading_path[-1:]))


def scope_places(store: Store, evidence: Evidence) -> tuple[Place, ...]:
    """Return the places that say what the leading documents cover, those of the first document first."""
    leading = evidence.hits[:LEADING]
    documents = dict.fromkeys([*evidence.query.documents, *(hit.document for hit in leading)])
    known = {hit.chunk: hit for hit in evidence.hits}
    found: dict[int, Place] = {}
    for document in list(documents)[:DOCUMENTS]:
        above = {
            clause.label.key
            for hit in leading
            if hit.document == document
            for clause in store.lineage(document, hit.label.key)
        }
        for entry in scopes_of(store, document, above)[:PER_DOCUMENT]:
            path = (str(leading[0].label), str(entry.label)) if leading else ()
            for item in store.chunks(chunks_under(store, document, entry.label)):
                if item.chunk.kind in SHOWN:
                    reached = place(item, 0.0, ("closure",), path=path)
                    found.setdefault(item.id, known.get(item.id, reached))
    return tuple(found.values())


Rows = NDArray[np.float64]
FORMS = ("sentence", "item", "row", "definition", "formula", "figure")
INTENTS = ("value", "procedure", "applicability", "requirement", "definition", "location", "coverage",
           "reference", "figure", "comparison", "general")  # fmt: skip
SENDING = 2  # clauses that send to a table whose words are those of the question too
MARGIN_ROWS = 2  # token rows beside a sentence, for its place among them is estimated
_DIGIT = re.compile(r"\d")
_GOES_ON = re.compile(r"\w|\.\d")  # behind a label: it is a longer one

NAMES = (
    "late", "late_own", "late_best", "cover", "cover_heads", "cover_name", "pool_cover", "pool_name",
    "missing_rare", "wanted", "number", "unit_known", "rank", "place_score", "place_gap", "exact", "named",
    "words", "obliges", "conditions", "conditions_missed", "found_lexical", "found_dense",
    "found_reference", "note", "value_intent", "broken", "late_place_gap", "cover_lead", "title_cover",
    "cover_around", "soft_own", "soft_part", "soft_least", "digits", "capitals", "number_word", "captioned",
    "points", "parent_cover", "opens_list", "what_who", "late_around", "told", "told_gap", "scope_place",
    "applicability_x_scope",
    *(f"form_{form}" for form in FORMS),
    *(f"{intent}_x_{form}" for intent, form in (("value", "row"), ("definition", "definition"),
      ("general", "row"), ("procedure", "item"), ("requirement", "sentence"), ("figure", "figure"),
      ("value", "definition"))),
    "kinds_asked", "plain",
)  # fmt: skip
COMPARED = (
    "plain",
    "cover_heads",
    "pool_cover",
    "pool_name",
    "late_own",
    "cover",
    "soft_own",
    "cover_around",
)
ALL_NAMES = (*NAMES, *(f"{name}_{way}" for name in COMPARED for way in ("gap", "order")))


def features(store: Store, asked: Asked, found: Sequence[Candidate], reranker: Reranker | None) -> Rows:
    """Return the features [candidates, NAMES] of candidates."""
    late, own, soft = _late(store, asked, found, reranker)
    around: dict[tuple[str, str], float] = {}
    for one, score in zip(found, own, strict=True):
        key = (one.place.document, one.label.key)
        around[key] = max(around.get(key, -9.0), score)
    texts = [stems(one.text) for one in found]
    names = [stems(f"{one.name} {' '.join(h for v in one.values for h in v.heads)}") for one in found]
    heads = [stems(f"{one.heads} {one.place.document}") for one in found]
    pool = _pool_weights(asked.words, texts)
    top = max((one.place.score for one in found), default=0.0)
    best = max(late, default=0.0)
    by_place: dict[int, float] = {}
    for one, score in zip(found, late, strict=True):
        by_place[one.place.chunk] = max(by_place.get(one.place.chunk, -9.0), score)
    table = []
    told = _told(asked, found, late)
    most: dict[tuple[str, str], float] = {}
    for one, share in zip(found, told, strict=True):
        key = (one.place.document, one.place.label.key)
        most[key] = max(most.get(key, 0.0), share)
    for at, one in enumerate(found):
        row = _one(asked, one, (texts[at], names[at], heads[at]), pool)
        row |= {
            "late": late[at],
            "late_own": own[at],
            "late_best": late[at] - best,
            "late_place_gap": late[at] - by_place[one.place.chunk],
            "place_gap": one.place.score - top,
            "late_around": around[(one.place.document, one.label.key)],
            "told": told[at],
            "told_gap": told[at] - most[(one.place.document, one.place.label.key)] if told[at] else 0.0,
            "soft_own": soft[at][0],
            "soft_part": soft[at][1],
            "soft_least": soft[at][2],
        }
        row["plain"] = (
            late[at] + 0.30 * row["cover"] + 0.12 * row["wanted"] - 0.03 * one.rank
            + 0.30 * row["exact"] + 0.15 * row["pool_name"]
        )  # fmt: skip
        table.append([row[name] for name in NAMES])
    return _compared(np.array(table, dtype=np.float64).reshape(len(found), len(NAMES)))


def _compared(table: Rows) -> Rows:
    """Return the features with how far each candidate is behind the best, and how many are before it."""
    if not len(table):
        return np.zeros((0, len(ALL_NAMES)))
    beside = []
    for name in COMPARED:
        column = table[:, NAMES.index(name)]
        beside += [
            column - column.max(),
            np.argsort(np.argsort(-column, kind="stable"), kind="stable") / 10.0,
        ]
    return np.hstack([table, np.stack(beside, axis=1)])


def _one(
    asked: Asked, one: Candidate, said: tuple[Stems, Stems, Stems], pool: Sequence[float]
) -> dict[str, float]:
    """Return what is measured of one candidate; `said` are the stems of its text, its name and its heads."""
    text, name, heads = said
    query, place = asked.query, one.place
    weight = asked.weight
    own = [met(word, text) for word in asked.words]
    over = [held or met(word, heads) for held, word in zip(own, asked.words, strict=True)]
    in_name = [met(word, name) for word in asked.words] if one.values else own
    missed = [word.rarity for word, held in zip(asked.words, over, strict=True) if not held]
    pooled = sum(pool) or 1.0
    lead = stems(one.lead) if one.lead else frozenset()
    title = stems(place.title)
    around = stems(f"{one.lead} {one.around}") if one.around else text
    wanted, number, known = _quantity(asked, one)
    conditions, unmet = _conditions(asked, one)
    return {
        "cover": _share(own, asked.words, weight),
        "cover_heads": _share(over, asked.words, weight),
        "cover_name": _share(in_name, asked.words, weight),
        "cover_lead": sum(met(word, lead) for word in asked.words) / (len(asked.words) or 1) if lead else 0.0,
        "cover_around": _share(
            [held or met(word, around) for held, word in zip(over, asked.words, strict=True)],
            asked.words,
            weight,
        ),
        "parent_cover": _share([met(word, around) for word in asked.words], asked.words, weight),
        "digits": sum(map(str.isdigit, one.text)) / (len(one.text) or 1),
        "capitals": sum(map(str.isupper, one.text)) / (len(one.text) or 1),
        "number_word": float(bool(_words("numbers").search(one.text))),
        "captioned": float(one.place.kind != "table" or not str(one.place.label).startswith("Table on")),
        "points": float(bool(_words("points").search(one.text))),
        "opens_list": float(one.text.rstrip().endswith(":")),
        "scope_place": float(is_scope_place(place)),
        "applicability_x_scope": float(is_scope_place(place) and query.intent == "applicability"),
        "what_who": float(bool(_words("who").search(asked.text))),
        "title_cover": sum(met(word, title) for word in asked.words) / (len(asked.words) or 1),
        "pool_cover": sum(w for w, held in zip(pool, own, strict=True) if held) / pooled,
        "pool_name": sum(w for w, held in zip(pool, in_name, strict=True) if held) / pooled,
        "missing_rare": max(missed, default=0.0) / (max((w.rarity for w in asked.words), default=1.0) or 1.0),
        "wanted": wanted,
        "number": number,
        "unit_known": known,
        "rank": log(1 + one.rank),
        "place_score": place.score,
        "exact": float("exact" in place.found_by),
        "named": float(bool(query.documents) and place.document in query.documents),
        "words": log(1 + len(one.text.split())),
        "obliges": float(query.intent in OBLIGING and bool(obligation().search(one.text))),
        "conditions": conditions,
        "conditions_missed": unmet,
        "found_lexical": float("lexical" in place.found_by),
        "found_dense": float("dense" in place.found_by),
        "found_reference": float("reference" in place.found_by or "closure" in place.found_by),
        "note": float("NOTE" in str(one.label) or (one.form == "sentence" and place.kind == "table")),
        "value_intent": float(query.intent in {"value", "general"}),
        "kinds_asked": float(bool(asked.kinds)),
        "broken": float(one.form == "sentence" and one.text[:1].islower()),
        **{f"form_{form}": float(one.form == form) for form in FORMS},
        **{
            name: float(query.intent == intent and one.form == form)
            for name in NAMES
            if "_x_" in name and not name.endswith("scope")
            for intent, form in [name.split("_x_")]
        },
    }


def _share(held: Sequence[bool], words: Sequence[Word], weight: float) -> float:
    return sum(word.rarity for word, is_held in zip(words, held, strict=True) if is_held) / weight


def _quantity(asked: Asked, one: Candidate) -> tuple[float, float, float]:
    """Return whether a candidate holds the kind wanted (1, 0.25 another number), a number, a unit."""
    number = float(bool(_DIGIT.search(one.text)))
    kinds = kinds_in(one.text).union(*(kinds_of(value.unit) for value in one.values if value.unit))
    wanted = 0.0
    if asked.kinds:
        wanted = 1.0 if kinds & asked.kinds else ANY_NUMBER * number
    elif asked.query.intent == "value":
        wanted = number
    elif asked.query.intent in OBLIGING:
        wanted = float(bool(obligation().search(one.text)))
    return wanted, number, float(bool(kinds))


def _conditions(asked: Asked, one: Candidate) -> tuple[float, float]:
    """Return the share of the stated numbers that a candidate holds, and of those it contradicts."""
    if not asked.numbers:
        return 0.0, 0.0
    held = [token for token in tokens(f"{one.lead} {one.text}") if isinstance(token, Range)]
    scores = [likeness(number, held) if held else 0.0 for number in asked.numbers]
    met_share = sum(score >= 0.5 for score in scores) / len(scores)
    return met_share, float(bool(held)) * (1.0 - met_share)


def _pool_weights(words: Sequence[Word], texts: Sequence[Stems]) -> list[float]:
    """Return how much each word tells these candidates apart: rare among them counts for more, 0 for none."""
    total = len(texts) or 1
    counts = [sum(met(word, text) for text in texts) for word in words]
    return [log(1 + total / count) if count else 0.0 for count in counts]


@mechanism(
    "answer.told",
    "The path of a row is compared with the clauses that send to its table.",
    without=lambda _asked, found, _late: [0.0] * len(found),
)
def _told(asked: Asked, found: Sequence[Candidate], late: Sequence[float]) -> list[float]:
    """Return how much of the path of a row is in the question or in the clauses that send to its table.

    "Normal weight concrete" is said where a clause sends for reinforced concrete to a table of densities:
    "lightweight" is not. Words that tell the rows of one table apart count for more.
    """
    spoken = frozenset[str]().union(stems(asked.text), *(way for word in asked.words for way in word.ways))
    tables: dict[tuple[str, str], list[int]] = {}
    for at, one in enumerate(found):
        if one.form == "row":
            tables.setdefault((one.place.document, one.place.label.named), []).append(at)
    result = [0.0] * len(found)
    for (document, name), rows in tables.items():
        sending = [
            at
            for at, one in enumerate(found)
            if one.form != "row" and one.place.document == document and name != one.place.label.named
            and _names(one.quotes[-1].text, name)
        ]  # fmt: skip
        best = sorted(sending, key=lambda at: -late[at])[:SENDING]
        told = spoken.union(*(stems(found[at].text) for at in best))
        paths = {at: stems(found[at].name) for at in rows}
        counts = Counter(stem for path in paths.values() for stem in path)
        for at, path in paths.items():
            weights = {stem: log(1 + len(rows) / counts[stem]) for stem in sorted(path)}
            held = sum(weight for stem, weight in weights.items() if stem in told)
            result[at] = held / (sum(weights.values()) or 1.0)
    return result


def _names(text: str, label: str) -> bool:
    """Tell whether a text names a table."""
    at = text.casefold().find(label.casefold())
    return at >= 0 and label[:1].isalpha() and not _GOES_ON.match(text, at + len(label))


def _late(
    store: Store, asked: Asked, found: Sequence[Candidate], reranker: Reranker | None
) -> tuple[list[float], list[float], list[tuple[float, float, float]]]:
    """Return the late interaction of each candidate's part and of its own stretch, and how words are met.

    The soft ones are the mean nearness of the words of the question to the stretch, to its part, and of the
    word that is met least.
    """
    none = [0.0] * len(found)
    if asked.encoded is None or reranker is None or not found:
        return none, none, [(0.0, 0.0, 0.0)] * len(found)
    chunks = dict.fromkeys(one.chunk for one in found)
    vectors = store.vectors(chunks)
    parts = {part.id: part for part in store.chunks(chunks)}
    whole = [chunk for chunk in chunks if chunk in vectors and len(vectors[chunk].tokens)]
    spans: dict[tuple[int, int, int], int] = {}
    slices: list[Passage] = [Passage("", vectors[chunk].tokens) for chunk in whole]
    position = {chunk: at for at, chunk in enumerate(whole)}
    own: list[int] = []
    for one in found:
        if one.chunk not in position:
            own.append(-1)
            continue
        at = position[one.chunk]
        if one.span == (0.0, 1.0):
            own.append(at)
            continue
        tokens_of = vectors[one.chunk].tokens
        start, end = _token_rows(parts[one.chunk], one.span, len(tokens_of))
        key = (one.chunk, start, end)
        if key not in spans:
            spans[key] = len(slices)
            slices.append(Passage("", tokens_of[start:end]))
        own.append(spans[key])
    if not slices:
        return none, none, [(0.0, 0.0, 0.0)] * len(found)
    scores = list(map(float, reranker.scores(asked.encoded, slices)))
    held = [word for word in asked.words if word.rows]
    passages = [one.tokens for one in slices if one.tokens is not None]
    near = nearness(asked.encoded, [word.rows for word in held], passages)
    weights = np.array([word.rarity for word in held])
    weights = weights / (weights.sum() or 1.0)
    late = [scores[position[one.chunk]] if one.chunk in position else 0.0 for one in found]
    soft = []
    for one, at in zip(found, own, strict=True):
        if at < 0 or not near.shape[1]:
            soft.append((0.0, 0.0, 0.0))
        else:
            part = near[position[one.chunk]]
            soft.append((float(near[at] @ weights), float(part @ weights), float(part.min())))
    return late, [scores[at] if at >= 0 else 0.0 for at in own], soft


def _token_rows(part: StoredChunk, span: tuple[float, float], count: int) -> tuple[int, int]:
    """Return the token rows [start, end) of a stretch of a part, by its share of the characters."""
    whole = len(embedded_text(part.chunk)) or 1
    text = len(part.chunk.passage.text)
    before = whole - text - len(part.chunk.extra)
    first, last = (before + share * text for share in span)
    start = max(int(first / whole * count) - MARGIN_ROWS, 0)
    return start, max(min(int(last / whole * count) + MARGIN_ROWS, count), start + 1)


@cache
def _words(key: str) -> re.Pattern[str]:
    """Return what finds the words of that name in data/answer/features.toml, of all languages."""
    listed = [word for language in shipped("answer/features").values() for word in language[key]]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, listed))})\b", re.IGNORECASE)
