"""What the ranker knows of each candidate: numbers by name, in one order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from appliance.core.evidence import Intent, PlaceKind
from appliance.models.protocols import Floats
from appliance.retrieval.ask import Coverage
from appliance.store.values import StoredChunk

KINDS: tuple[str, ...] = get_args(PlaceKind)
INTENTS = tuple(intent for intent in get_args(Intent) if intent != "comparison")  # its sides have their own
MEASURED = (
    "covered", "covered_head", "covered_part", "similarity", "cosine", "similar_whole", "similar_second",
)  # fmt: skip
AROUND = ("document_best", "beside_best", "links")  # of the places that a candidate stands among
EITHER_WAY = frozenset({"length", "ideas", "measures", "links"})  # more of them may speak for or against
PARTS = 40  # parts of a place whose words are read
NOWHERE = -1.0  # similarity of what no reranker judged


def names(signals: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all features, those of the signals first."""
    return (
        *signals,
        *MEASURED,
        *(f"below_{name}" for name in MEASURED),
        *AROUND,
        "length",
        *(f"kind_{kind}" for kind in KINDS),
        *(f"intent_{intent}" for intent in INTENTS),
        "ideas",
        "measures",
    )


def rising(feature: str) -> bool:
    """Tell whether more of a feature can only speak for a candidate."""
    return not feature.startswith(("kind_", "intent_")) and feature not in EITHER_WAY


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate: its signals by name, its chunk, what it covers, MaxSim and cosine to the question.

    `whole` and `second` are MaxSim of its parts as one and of the next best of them; `around` are the
    values of `AROUND`.
    """

    signals: Mapping[str, float]
    item: StoredChunk
    covered: Coverage
    similarity: float = NOWHERE
    cosine: float = 0.0
    whole: float = NOWHERE
    second: float = NOWHERE
    around: tuple[float, float, float] = (0.0, 0.0, 0.0)


def matrix(
    candidates: Sequence[Candidate], signals: Sequence[str], intent: Intent, ideas: int, *, measures: bool
) -> Floats:
    """Return the features [candidates, features]; `signals` are those that `names` was given.

    `ideas` counts those of the question, `measures` tells that it asks for a quantity.
    """
    if not candidates:
        return np.zeros((0, len(names(signals))), dtype=np.float32)
    first = [[one.signals.get(name, 0.0) for name in signals] for one in candidates]
    measured = np.array([_measured(one) for one in candidates], dtype=np.float32)
    below = measured - measured.max(axis=0)
    asked = [*(float(intent == known) for known in INTENTS), float(ideas), float(measures)]
    rest = [
        [*one.around, math.log1p(len(one.item.chunk.passage.text)), *_kind(one), *asked] for one in candidates
    ]
    return np.hstack([np.array(first, dtype=np.float32), measured, below, np.array(rest, dtype=np.float32)])


def _measured(one: Candidate) -> list[float]:
    said = [one.covered.whole, one.covered.head, one.covered.part, one.similarity, one.cosine]
    return [*said, one.whole, one.second]


def _kind(one: Candidate) -> list[float]:
    return [float(one.item.chunk.kind == kind) for kind in KINDS]
