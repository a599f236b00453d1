# ruff: noqa: INP001, T201 - a script that prints
"""Fit the chance that an answer is right, data/answer/confidence.toml.

    python scripts/fit_confidence.py LIBRARY=QUESTIONS.jsonl...

A logistic fit of answers that are right against those that are not. Right is an answer that holds all wanted
values and one of them in its first statement; one to a question that no document answers is wrong. Each
document is left out in turn for the figures, then all are fitted; the numbers are printed for copying,
nothing is overwritten.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.core.evidence import Grounded
from appliance.evaluation.places import all_found
from appliance.evaluation.questions import load_questions, said
from appliance.library import Library

PENALTY = 3.0  # of squared standardised weights
HIGH, LOW = 0.8, 0.4
STEPS = 60  # of Newton's method, far more than it needs

Floats = NDArray[np.float64]
Case = tuple[str, dict[str, float], bool]  # document, signals, whether the answer was right


def main() -> None:
    """Print the figures on documents left out, then the fit on all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pairs", nargs="+", help="a library and its file or folder of questions")
    pairs = (pair.split("=", 1) for pair in parser.parse_args().pairs)
    cases = [case for library, questions in pairs for case in gather(Path(library), Path(questions))]
    names = list(cases[0][1])
    signals = np.array([[case[1][name] for name in names] for case in cases])
    right = np.array([float(case[2]) for case in cases])
    documents = np.array([case[0] for case in cases])
    left_out = np.zeros(len(cases))
    for document in sorted(set(documents)):
        out = documents == document
        left_out[out] = chances(signals[out], fit(signals[~out], right[~out]))
    for name, chosen in (("high", left_out >= HIGH), ("low", left_out < LOW)):
        print(f"{name}: {chosen.sum()} of {len(cases)} answers, {right[chosen].mean():.3f} right")
    for name, weight in zip(["intercept", *names], fit(signals, right), strict=True):
        print(f"{name} = {weight:.2f}")


def gather(path: Path, questions: Path) -> Iterator[Case]:
    """Yield the case of every question with wanted values, and of those that nothing answers."""
    library = Library.open(path)
    for question in load_questions(sorted(questions.glob("*.jsonl")) if questions.is_dir() else [questions]):
        answer = library.ask(question.question)
        if isinstance(answer, Grounded) and (question.values or not question.gold):
            right = bool(question.gold) and all_found(question.values, said(answer))
            right = right and any(all_found((value,), first_said(answer)) for value in question.values)
            yield question.id.rsplit("-", 1)[0], dict(answer.confidence.signals), right
    library.close()


def first_said(answer: Grounded) -> str:
    """Return the first statement of an answer with its quotes."""
    cited = {citation.n: citation.quote for citation in answer.citations}
    first = answer.statements[0]
    return "\n".join((first.text, *(cited[number] for number in first.citations)))


def fit(signals: Floats, right: Floats) -> Floats:
    """Return intercept and weights [1 + signals] of the penalised logistic fit."""
    middle, spread = signals.mean(0), signals.std(0) + 1e-9
    columns = np.c_[np.ones(len(signals)), (signals - middle) / spread]
    penalty = np.eye(columns.shape[1]) * PENALTY
    penalty[0, 0] = 0
    weights = np.zeros(columns.shape[1])
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-columns @ weights))
        curve = columns.T @ (columns * (sure * (1 - sure))[:, None]) + penalty
        weights -= np.linalg.solve(curve, columns.T @ (sure - right) + penalty @ weights)
    own = weights[1:] / spread
    found: Floats = np.r_[weights[0] - own @ middle, own]
    return found


def chances(signals: Floats, weights: Floats) -> Floats:
    """Return the chance of each case."""
    found: Floats = 1 / (1 + np.exp(-(weights[0] + signals @ weights[1:])))
    return found


if __name__ == "__main__":
    main()
