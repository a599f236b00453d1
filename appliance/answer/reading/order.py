"""The fitted order of candidates: a small forest over the features, and nothing behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from appliance.answer.candidates.gather import candidates
from appliance.answer.candidates.values import Candidate
from appliance.answer.reading.features import ALL_NAMES, Rows, features
from appliance.answer.reading.question import Asked, Judges, asked
from appliance.core.evidence import Place, Query
from appliance.core.files import data_folder
from appliance.models.session import Trees
from appliance.store.read import Store

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
    meant = asked(store, query, judges.encoded)
    found = candidates(store, places)
    rows = features(store, meant, found, judges.reranker)
    trees = _USED.get() or forest()
    scores = trees.scores(rows.astype(np.float32)) if found else np.zeros(0)
    order = np.argsort(-scores, kind="stable")
    best = tuple(replace(found[at], score=float(scores[at])) for at in order)
    return Ranked(meant, best, rows[order])


def said(store: Store, query: Query, places: Sequence[Place], judges: Judges) -> tuple[Candidate, ...]:
    """Return what these places say, best first, without its features."""
    return ranked(store, query, places, judges).found


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
