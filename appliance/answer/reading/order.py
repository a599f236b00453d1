"""The fitted order of candidates: what is measured of each against a question, and a small forest over it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from appliance.answer.candidates import Candidate, candidates
from appliance.answer.reading.question import Asked, Judges, Stems, asked_of, met, nearness, stems
from appliance.answer.statement_support import OBLIGING, obligation, worth_of
from appliance.core.evidence import Place, Query
from appliance.core.files import data_folder, shipped
from appliance.core.mechanisms import mechanism
from appliance.core.runs import grouped
from appliance.models.protocols import Candidate as Passage
from appliance.models.protocols import Reranker
from appliance.models.session import Trees
from appliance.retrieval.follow.scope import is_scope
from appliance.store.read import Store
from appliance.store.records import StoredChunk
from appliance.store.rows import embedded_text
from appliance.tables.ranges import Range, likeness, tokens
from appliance.text.quantities import kinds_in, kinds_of

Rows = NDArray[np.float64]
FORMS = ("sentence", "item", "row", "definition", "formula", "figure")
CROSSED = (
    ("value", "row"), ("definition", "definition"), ("general", "row"), ("procedure", "item"),
    ("requirement", "sentence"), ("figure", "figure"), ("value", "definition"),
)  # fmt: skip
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
    *(f"{intent}_x_{form}" for intent, form in CROSSED),
    "kinds_asked", "plain",
)  # fmt: skip
COMPARED = (
    "plain", "cover_heads", "pool_cover", "pool_name", "late_own", "cover", "soft_own", "cover_around",
)  # fmt: skip
ALL_NAMES = (*NAMES, *(f"{name}_{way}" for name in COMPARED for way in ("gap", "order")))


def features(store: Store, asked: Asked, found: Sequence[Candidate], reranker: Reranker | None) -> Rows:
    """Return the features [candidates, NAMES] of candidates."""
    late, own, soft = _late(store, asked, found, reranker)
    told = _told(asked, found, late)
    around = _highest([(one.place.document, one.label.key) for one in found], own)
    of_place = _highest([one.place.chunk for one in found], late)
    most = _highest([(one.place.document, one.place.label.key) for one in found], told)
    texts = [stems(one.text) for one in found]
    # how much each word tells these candidates apart: rare among them counts for more, 0 for none
    counts = [sum(met(word, text) for text in texts) for word in asked.words]
    pool = [log(1 + len(texts) / count) if count else 0.0 for count in counts]
    top, best = max((one.place.score for one in found), default=0.0), max(late, default=0.0)
    table = []
    for at, one in enumerate(found):
        row = _one(asked, one, texts[at], pool)
        row |= {
            "late": late[at],
            "late_own": own[at],
            "late_best": late[at] - best,
            "late_place_gap": late[at] - of_place[at],
            "place_gap": one.place.score - top,
            "late_around": around[at],
            "told": told[at],
            "told_gap": told[at] - most[at] if told[at] else 0.0,
            "soft_own": soft[at][0],
            "soft_part": soft[at][1],
            "soft_least": soft[at][2],
        }
        row["plain"] = (
            late[at] + 0.30 * row["cover"] + 0.12 * row["wanted"] - 0.03 * one.rank
            + 0.30 * row["exact"] + 0.15 * row["pool_name"]
        )  # fmt: skip
        table.append([row[name] for name in NAMES])
    if not table:
        return np.zeros((0, len(ALL_NAMES)))
    rows = np.array(table, dtype=np.float64)
    beside = []  # how far each candidate is behind the best, and how many are before it
    for column in (rows[:, NAMES.index(name)] for name in COMPARED):
        places = np.argsort(np.argsort(-column, kind="stable"), kind="stable")
        beside += [column - column.max(), places / 10.0]
    return np.hstack([rows, np.stack(beside, axis=1)])


def _highest(keys: Sequence[Hashable], scores: Sequence[float]) -> list[float]:
    """Return for each score the highest of those with its key."""
    best: dict[Hashable, float] = {}
    for key, score in zip(keys, scores, strict=True):
        best[key] = max(best.get(key, score), score)
    return [best[key] for key in keys]


def _one(asked: Asked, one: Candidate, text: Stems, pool: Sequence[float]) -> dict[str, float]:
    """Return what is measured of one candidate; `text` are the stems of its words."""
    query, place = asked.query, one.place
    own = asked.met(text)
    over = _either(own, asked.met(stems(f"{one.heads} {place.document}")))
    name = f"{one.name} {' '.join(head for value in one.values for head in value.heads)}"
    in_name = asked.met(stems(name)) if one.values else own
    around = asked.met(stems(f"{one.lead} {one.around}") if one.around else text)
    rarities = [word.rarity for word in asked.words]
    missed = [rarity for rarity, held in zip(rarities, over, strict=True) if not held]
    number, many = len(asked.words) or 1, len(one.text) or 1
    pooled = sum(pool) or 1.0
    wanted, numbered, known = _quantity(asked, one)
    conditions, unmet = _conditions(asked, one)
    in_scope, obliging = is_scope_place(place), query.intent in OBLIGING
    return {
        "cover": asked.share(own),
        "cover_heads": asked.share(over),
        "cover_name": asked.share(in_name),
        "cover_lead": sum(asked.met(stems(one.lead))) / number,
        "cover_around": asked.share(_either(over, around)),
        "parent_cover": asked.share(around),
        "digits": sum(map(str.isdigit, one.text)) / many,
        "capitals": sum(map(str.isupper, one.text)) / many,
        "number_word": float(bool(_words("numbers").search(one.text))),
        "captioned": float(place.kind != "table" or not str(place.label).startswith("Table on")),
        "points": float(bool(_words("points").search(one.text))),
        "opens_list": float(one.text.rstrip().endswith(":")),
        "scope_place": float(in_scope),
        "applicability_x_scope": float(in_scope and query.intent == "applicability"),
        "what_who": float(bool(_words("who").search(asked.text))),
        "title_cover": sum(asked.met(stems(place.title))) / number,
        "pool_cover": sum(w for w, held in zip(pool, own, strict=True) if held) / pooled,
        "pool_name": sum(w for w, held in zip(pool, in_name, strict=True) if held) / pooled,
        "missing_rare": max(missed, default=0.0) / (max(rarities, default=1.0) or 1.0),
        "wanted": wanted,
        "number": numbered,
        "unit_known": known,
        "rank": log(1 + one.rank),
        "place_score": place.score,
        "exact": float("exact" in place.found_by),
        "named": float(bool(query.documents) and place.document in query.documents),
        "words": log(1 + len(one.text.split())),
        "obliges": float(obliging and bool(obligation().search(one.text))),
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
        **{f"{i}_x_{form}": float(query.intent == i and one.form == form) for i, form in CROSSED},
    }


def is_scope_place(found: Place) -> bool:
    """Tell whether a place stands under a title about what is covered."""
    return any(is_scope(title) for title in (found.title, *found.heading_path[-1:]))


def _either(one: Sequence[bool], other: Sequence[bool]) -> list[bool]:
    return [a or b for a, b in zip(one, other, strict=True)]


def _quantity(asked: Asked, one: Candidate) -> tuple[float, float, float]:
    """Return whether a candidate holds the kind wanted (1, 0.25 another number), a number, a unit."""
    kinds = kinds_in(one.text).union(*(kinds_of(value.unit) for value in one.values if value.unit))
    wanted = worth_of(asked.query, asked.kinds, one.text, kinds)
    return wanted, float(bool(_DIGIT.search(one.text))), float(bool(kinds))


def _conditions(asked: Asked, one: Candidate) -> tuple[float, float]:
    """Return the share of the stated numbers that a candidate holds, and of those it contradicts."""
    if not asked.numbers:
        return 0.0, 0.0
    held = [token for token in tokens(f"{one.lead} {one.text}") if isinstance(token, Range)]
    scores = [likeness(number, held) if held else 0.0 for number in asked.numbers]
    met_share = sum(score >= 0.5 for score in scores) / len(scores)
    return met_share, float(bool(held)) * (1.0 - met_share)


@mechanism("answer.told", without=lambda _asked, found, _late: [0.0] * len(found))
def _told(asked: Asked, found: Sequence[Candidate], late: Sequence[float]) -> list[float]:
    """Return how much of the path of a row is in the question or in the clauses that send to its table.

    "Normal weight concrete" is said where a clause sends for reinforced concrete to a table of densities:
    "lightweight" is not. Words that tell the rows of one table apart count for more.
    """
    spoken = frozenset[str]().union(stems(asked.text), *(way for word in asked.words for way in word.ways))
    tables = grouped(
        ((one.place.document, one.place.label.named), at) for at, one in enumerate(found) if one.form == "row"
    )
    result = [0.0] * len(found)
    for (document, name), rows in tables.items():
        others = [at for at, one in enumerate(found) if one.form != "row" and one.place.document == document]
        sending = [
            at
            for at in others
            if name != found[at].place.label.named and _names(found[at].quotes[-1].text, name)
        ]
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
    nothing = [0.0] * len(found), [0.0] * len(found), [(0.0, 0.0, 0.0)] * len(found)
    if asked.encoded is None or reranker is None or not found:
        return nothing
    chunks = dict.fromkeys(one.chunk for one in found)
    vectors = store.vectors(chunks)
    parts = {part.id: part for part in store.chunks(chunks)}
    whole = [chunk for chunk in chunks if chunk in vectors and len(vectors[chunk].tokens)]
    position = {chunk: at for at, chunk in enumerate(whole)}
    slices = [vectors[chunk].tokens for chunk in whole]  # of whole parts, then of stretches of them
    spans: dict[tuple[int, int, int], int] = {}
    own: list[int] = []
    for one in found:
        at = position.get(one.chunk, -1)
        if at >= 0 and one.span != (0.0, 1.0):
            start, end = _token_rows(parts[one.chunk], one.span, len(slices[at]))
            at = spans.setdefault((one.chunk, start, end), len(slices))
            if at == len(slices):
                slices.append(vectors[one.chunk].tokens[start:end])
        own.append(at)
    if not slices:
        return nothing
    scores = list(map(float, reranker.scores(asked.encoded, [Passage("", rows) for rows in slices])))
    held = [word for word in asked.words if word.rows]
    near = nearness(asked.encoded, [word.rows for word in held], slices)
    weights = np.array([word.rarity for word in held])
    weights = weights / (weights.sum() or 1.0)
    soft = []
    for one, at in zip(found, own, strict=True):
        if at < 0 or not held:
            soft.append((0.0, 0.0, 0.0))
        else:
            part = near[position[one.chunk]]
            soft.append((float(near[at] @ weights), float(part @ weights), float(part.min())))
    late = [scores[position[one.chunk]] if one.chunk in position else 0.0 for one in found]
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


_USED: ContextVar[Trees | None] = ContextVar("trees", default=None)


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Candidates, best first, with their features in the same order."""

    asked: Asked
    found: tuple[Candidate, ...]
    rows: Rows

    def feature(self, name: str, at: int = 0) -> float:
        """Return a feature of the candidate at a position, 0 where there is none."""
        return float(self.rows[at, ALL_NAMES.index(name)]) if at < len(self.found) else 0.0


def ranked(store: Store, query: Query, places: Sequence[Place], judges: Judges) -> Ranked:
    """Return what these places say, best first."""
    meant = asked_of(store, query, judges.encoded)
    found = candidates(store, places)
    rows = features(store, meant, found, judges.reranker)
    trees = _USED.get() or forest()
    scores = trees.scores(rows.astype(np.float32)) if found else np.zeros(0)
    order = np.argsort(-scores, kind="stable")
    best = tuple(replace(found[at], score=float(scores[at])) for at in order)
    return Ranked(meant, best, rows[order])


@contextmanager
def using(trees: Trees) -> Iterator[None]:
    """Order with other trees inside: those of a fit that leaves a family out."""
    token = _USED.set(trees)
    try:
        yield
    finally:
        _USED.reset(token)


@cache
def forest() -> Trees:
    """Return the forest as it ships."""
    return Trees(data_folder() / "answer" / "order.onnx", ALL_NAMES)
