# ruff: noqa: INP001, T201 - a script that prints
"""Fit the chance that a place gives the value asked for, [weights] of data/answer/given.toml.

    python scripts/fit_given.py gather LIBRARY QUESTIONS.jsonl... --into FILE.json
    python scripts/fit_given.py fit FILE.json...

`gather` keeps the signals of every question that asks for one value, read as training/sources.py says; one
written for training over a document that is not in the library asks for what no document loaded gives (some
of them are answered all the same by another document; that is left as it is). `fit` is a logistic fit with
little weights; each document is left out in turn for the figures on judged questions, then all are fitted;
the numbers are printed for copying, nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from fitting import run, told
from numpy.typing import NDArray

from appliance.answer.lacking import reviewed
from appliance.answer.reading.answerability import read_parts, signals_of
from appliance.answer.reading.question import asks_one_value
from appliance.core.errors import BadQuestion
from appliance.library import Library
from appliance.retrieval.search import read
from appliance.training.answer_fitting import logistic
from appliance.training.sources import WRITTEN, read_asked

PENALTY = 20.0  # of squared standardised weights, beside the sum of the losses
JUDGED = 2.0  # times that a judged question without an answer counts as much as another one
LIMITS = tuple(round(0.2 + 0.05 * step, 2) for step in range(7))
NAMES = ("near", "met", "apart", "words", "measure", "judged", "together", "bears")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question: its document, its signals, whether it was judged, and whether it has an answer."""

    document: str
    question: str
    signals: dict[str, float]
    judged: bool
    answered: bool


def gather(path: Path, questions: Sequence[Path]) -> Iterator[Case]:
    """Yield the case of every question that asks for one value."""
    library = Library.open(path)
    store = library.store
    loaded = frozenset(info.id for info in store.documents())
    for one in told(list(read_asked(questions))):
        try:
            if not asks_one_value(read(store, one.question, library.settings.search).query):
                continue
            evidence = library.search(one.question)
        except BadQuestion as error:
            print(f"left out: {error}")
            continue
        evidence, reached = reviewed(store, evidence, loaded)
        places = tuple(dict.fromkeys((*evidence.hits, *reached)))
        parts = read_parts(store, evidence, places, library.judges(evidence.query))
        if parts is not None:
            answered = bool(one.gold) if one.type != WRITTEN else one.documents[0] in loaded
            yield Case(one.documents[0], one.question, signals_of(parts), one.type != WRITTEN, answered)
    library.close()


def report(cases: Sequence[Case]) -> None:
    """Print what the limits are worth on documents left out, then the weights of a fit on all."""
    chances = np.zeros(len(cases))
    for document in sorted({case.document for case in cases}):
        out = np.array([case.document == document for case in cases])
        weights = fit([case for case in cases if case.document != document])
        chances[out] = _chances(_rows([case for case in cases if case.document == document]), weights)
    groups = {
        name: np.array([case.judged == judged and case.answered == answered for case in cases])
        for name, judged, answered in (
            ("judged, no answer", True, False),
            ("judged, answered", True, True),
            ("other, no answer", False, False),
            ("other, answered", False, True),
        )
    }
    print("# below each limit, with the document left out:", {n: int(g.sum()) for n, g in groups.items()})
    for limit in LIMITS:
        print(f"# {limit:.2f}", {name: int((chances[group] < limit).sum()) for name, group in groups.items()})
    print("[weights]")
    for name, weight in zip(("intercept", *NAMES), fit(cases), strict=True):
        print(f"{name} = {weight:.2f}")


def fit(cases: Sequence[Case]) -> Floats:
    """Return intercept and weights [1 + signals], the answered and the others of equal weight in all."""
    right = np.array([case.answered for case in cases])
    weight = np.array([JUDGED if case.judged and not case.answered else 1.0 for case in cases])
    weight[right] *= weight[~right].sum() / right.sum()
    intercept, slopes = logistic(_rows(cases), right, PENALTY, weight)
    made: Floats = np.concatenate(([intercept], slopes))
    return made


def _rows(cases: Sequence[Case]) -> Floats:
    return np.array([[case.signals[name] for name in NAMES] for case in cases])


def _chances(rows: Floats, weights: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-(weights[0] + rows @ weights[1:])))
    return found


if __name__ == "__main__":
    run(
        str(__doc__),
        lambda library, questions: map(asdict, gather(library, questions)),
        lambda entries: report([Case(**entry) for entry in entries]),
    )
