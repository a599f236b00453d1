# ruff: noqa: INP001, T201 - a script that prints
"""Compare ways to fuse the searches, each tuned on other documents than it is judged on.

    python scripts/compare_fusion.py LIBRARY QUESTIONS.jsonl...

Reciprocal rank fusion (Cormack, Clarke & Buettcher, SIGIR 2009), with the weights of the program and
with equal ones, beside convex combination of scores brought to 0..1 by each search's greatest (Bruch,
Gai & Ingber, TOIS 2023). A question counts where every wanted place is among the first 5, 10, 20.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from appliance.core.settings import Settings
from appliance.evaluation.places import first_rank
from appliance.evaluation.questions import Question, load_questions
from appliance.models.catalogue import load_embedder
from appliance.retrieval.ask import Ask, place
from appliance.retrieval.channels.concepts import concepts
from appliance.retrieval.channels.dense import dense
from appliance.retrieval.channels.gather import best_first, reciprocal
from appliance.retrieval.channels.lexical import lexical, wanted_of
from appliance.retrieval.rank.model import FUSED
from appliance.retrieval.search import prepare
from appliance.store.read import Store, open_library

Scores = Mapping[str, Mapping[int, float]]  # search -> shown chunk -> score, best first
Way = Callable[[Scores], list[int]]
FIRST = (5, 10, 20)
BY_PLACE = "concepts"  # its scores say nothing, its order does


def searched(store: Store, ask: Ask) -> dict[str, dict[int, float]]:
    """Return the shown chunks of every search with the score of the best child of each."""
    settings, vocabulary = ask.settings, ask.index.vocabulary
    words = wanted_of(ask.question, vocabulary, settings)
    wide = wanted_of(ask.question, vocabulary, settings, aliases=True)
    hits = {
        "child_words": lexical(store, "child", words, settings, None),
        "parent_words": lexical(store, "parent", words, settings, None),
        "aliases": lexical(store, "child", wide, settings, None),
        "dense": dense(store, (ask.encoded, ask.plain), settings, None),
        "concepts": [(chunk, -float(rank)) for rank, (chunk, _) in enumerate(concepts(ask))],
    }
    owners = store.parents(chunk for name in hits if name != "parent_words" for chunk, _ in hits[name])
    shown: dict[str, dict[int, float]] = {name: {} for name in hits}
    for name, found in hits.items():
        for chunk, score in found:
            shown[name].setdefault(chunk if name == "parent_words" else owners[chunk], score)
    return shown


def convex(scores: Scores, dense_share: float, others: float) -> list[int]:
    """Return the chunks by the weighted sum of their scores, each brought to 0..1."""
    left = 1 - dense_share
    shares = {"dense": dense_share, "child_words": 0.4 * left, "parent_words": 0.6 * left}
    total: dict[int, float] = {}
    for name, found in scores.items():
        most, least = max(found.values(), default=1.0), min(found.values(), default=0.0)
        low = least if name in {"dense", BY_PLACE} else 0.0
        for chunk, score in found.items():
            part = (score - low) / max(most - low, 1e-9)
            total[chunk] = total.get(chunk, 0.0) + shares.get(name, 0.15 * others) * part
    return best_first(total)


def reciprocal_of(weights: Mapping[str, float], k: int) -> Way:
    """Return reciprocal rank fusion with these weights."""
    return lambda scores: best_first(
        reciprocal([(list(found), weights[name]) for name, found in scores.items()], k)
    )


def ways() -> dict[str, dict[str, Way]]:
    """Return every way of each family with its setting."""
    equal = dict.fromkeys(FUSED, 1.0)
    return {
        "reciprocal, weighted": {f"k={k}": reciprocal_of(FUSED, k) for k in (5, 10, 20, 40, 60)},
        "reciprocal, equal": {f"k={k}": reciprocal_of(equal, k) for k in (5, 10, 20, 40, 60)},
        "convex": {
            f"dense {share}, others {others}": lambda scores, share=share, others=others: convex(  # type: ignore[misc] # a lambda with defaults
                scores, share, others
            )
            for share, others in product((0.4, 0.5, 0.6, 0.7, 0.8), (0.0, 0.5, 1.0))
        },
    }


def complete(store: Store, question: Question, ranked: Sequence[int]) -> list[bool]:
    """Tell whether every wanted place is among the first 5, 10, 20."""
    places = [place(item, 0.0, ()) for item in store.chunks(ranked[: max(FIRST)])]
    ranks = [first_rank(places, gold) or sys.maxsize for gold in question.gold]
    return [max(ranks) <= first for first in FIRST]


def main(library: Path, files: Sequence[Path]) -> None:
    """Print the figures of every way, then of each family tuned on the other documents."""
    settings = Settings()
    embedder = load_embedder(settings.models)
    questions = [question for question in load_questions(files) if question.answerable]
    documents = np.array([question.gold[0].document for question in questions])
    with open_library(library) as store:
        found = [
            searched(store, prepare(store, embedder, None, question.question, settings.search))
            for question in questions
        ]
        for family, members in ways().items():
            judged = {
                name: np.array(
                    [complete(store, asked, way(item)) for asked, item in zip(questions, found, strict=True)]
                )
                for name, way in members.items()
            }
            for name, rows in judged.items():
                print(f"{family}, {name}:", rows.mean(axis=0).round(3))
            held_out = np.zeros((len(questions), len(FIRST)))
            for document in sorted(set(documents)):
                left = documents == document
                best = max(
                    judged, key=lambda name: (judged[name][~left, 1].mean(), judged[name][~left].mean())
                )
                held_out[left] = judged[best][left]
            print(f"{family}, tuned on other documents:", held_out.mean(axis=0).round(3))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
