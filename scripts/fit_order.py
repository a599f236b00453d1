# ruff: noqa: INP001, T201 - a script that prints
"""Fit which statement stands first, [weights] of data/answer/order.toml.

    python scripts/fit_order.py gather LIBRARY QUESTIONS.jsonl... --into FILE.json
    python scripts/fit_order.py fit FILE.json...

`gather` keeps the signals of what the first places say, for every question with wanted values. The best of
them hold most of these values at a wanted place. `fit` is a multinomial logistic fit: the best against the
others of their question. Documents are left out in turn, in fifths, for the figures; then all are fitted
and the weights printed, that of the score being 1; nothing is overwritten.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from appliance.answer.choosing import choose
from appliance.answer.findings import Finding
from appliance.answer.order import FURTHEST, signals_of
from appliance.answer.silent import rarity_of
from gathered import Entry, run
from numpy.typing import NDArray
from scipy.optimize import minimize

from appliance.answer.reading import findings
from appliance.evaluation.places import all_found, covers
from appliance.evaluation.questions import Question, load_questions
from appliance.library import Library

PENALTY = 1.0  # of squared weights, beside the sum of the losses
FOLDS = 5

Floats = NDArray[np.float64]


def gather(path: Path, questions: Sequence[Path]) -> Iterator[Entry]:
    """Yield the case of every question whose values some statement holds.

    A case: its document, the signals of each statement (the score first), and whether each is a best one.
    """
    library = Library.open(path)
    for question in load_questions(questions):
        if not question.values or not question.gold:
            continue
        evidence = library.search(question.question)
        query, settings = evidence.query, library.settings.answer
        places = evidence.hits[: settings.places_read]
        said = list(findings(library.store, query, places, library.judges(query)))
        chosen = choose(library.store, query, places, said, settings)
        worth = [_worth(question, item) for item in chosen]
        if max(worth, default=0) == 0:
            continue
        ranks = [places.index(item.place) if item.place in places else FURTHEST for item in chosen]
        rarity = partial(rarity_of, library.store)
        signals = [
            {"score": item.score, **signals_of(query, item, rank, rarity)}
            for item, rank in zip(chosen, ranks, strict=True)
        ]
        best = [value == max(worth) for value in worth]
        yield {"document": question.id.rsplit("-", 1)[0], "signals": signals, "best": best}
    library.close()


def _worth(question: Question, item: Finding) -> int:
    """Return how well a statement answers: all values at a wanted place, some of them, all elsewhere."""
    text = "\n".join((item.text, *(quote.text for quote in item.quotes)))
    wanted = any(covers(item.place, gold) for gold in question.gold)
    if all_found(question.values, text):
        return 3 if wanted else 1
    return 2 if wanted and any(all_found((value,), text) for value in question.values) else 0


def report(cases: Sequence[Entry]) -> None:
    """Print how often a best statement is first, now, and with each fifth of the documents left out."""
    read = [_read(case) for case in cases]
    names = list(cases[0]["signals"][0])
    documents = sorted({str(case["document"]) for case in cases})
    if len(documents) < 2:
        sys.exit("Cases of at least two documents are needed: one is left out in turn.")
    folds = [set(documents[at::FOLDS]) for at in range(FOLDS)]
    first = 0
    for fold in folds:
        out = [str(case["document"]) in fold for case in cases]
        weights = fit([one for one, left in zip(read, out, strict=True) if not left])
        first += sum(_is_first(*one, weights) for one, left in zip(read, out, strict=True) if left)
    alone = np.array([1.0, *([0.0] * (len(names) - 1))])
    print(f"{len(cases)} questions; best first by score {np.mean([_is_first(*o, alone) for o in read]):.3f}")
    print(f"left out: {first / len(cases):.3f}")
    weights = fit(read)
    for name, weight in zip(names, weights / weights[0], strict=True):
        print(f"{name} = {weight:.2f}")


def fit(read: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> Floats:
    """Return the weights of the signals under which the best statements of each question stand first."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = PENALTY * float(weights @ weights), 2 * PENALTY * weights
        for signals, best in read:
            raised = np.exp(signals @ weights - np.max(signals @ weights))
            all_, among = raised / raised.sum(), raised * best / (raised * best).sum()
            total -= float(np.log(all_[best].sum()))
            slope -= signals.T @ (among - all_)
        return total, slope

    start = np.zeros(read[0][0].shape[1])
    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found


def _read(case: Entry) -> tuple[Floats, NDArray[np.bool_]]:
    signals = [list(one.values()) for one in case["signals"]]
    return np.array(signals, dtype=np.float64), np.array(case["best"])


def _is_first(signals: Floats, best: NDArray[np.bool_], weights: Floats) -> bool:
    return bool(best[int(np.argmax(signals @ weights))])


if __name__ == "__main__":
    run(str(__doc__), gather, report)
