"""The order of candidates and the decision, fitted on judged questions with each family left out in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.answer import headline
from appliance.answer.candidates import Candidate, candidates
from appliance.answer.chosen_statements import claim
from appliance.answer.compose import FOUND
from appliance.answer.reading import order
from appliance.answer.reading.order import ALL_NAMES, COMPARED, NAMES, features
from appliance.answer.reading.question import Asked, asked_of
from appliance.core.evidence import Grounded
from appliance.evaluation.places import any_found, normal_label
from appliance.evaluation.questions import Family, Question, load_questions, reading_of
from appliance.library import Library
from appliance.models.session import FEATURES, Trees
from appliance.text.printed_labels import printed_labels

Rows = NDArray[np.float64]
WORDS = 30  # of the claim that has to hold a wanted value
KEPT = 70  # candidates of a question that are learned from, best first by the plain sum
PRIOR = 10.0  # strength of the pull of the weights of the decision to nought
BOOSTING = {
    "num_leaves": 8, "learning_rate": 0.05, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0,
    "verbose": -1, "seed": 0, "num_threads": 1,
}  # fmt: skip
ORDER = {
    "objective": "lambdarank", "min_data_in_leaf": 40, "feature_fraction": 0.4,
    "lambdarank_truncation_level": 5, "label_gain": [0, 1, 2, 4],
}  # fmt: skip
VALUE = {"objective": "regression", "min_data_in_leaf": 30, "feature_fraction": 0.5}
ORDER_ROUNDS, VALUE_ROUNDS = 300, 200
BOUNDS = (0.5, 0.6, 0.7, 0.8)  # chances from which values are counted
# What makes a candidate better alone, whatever else is known of it, and what makes it worse: the trees may
# not learn the contrary from a few questions.
BETTER = (
    "late", "late_own", "late_best", "late_place_gap", "late_around", "cover", "cover_heads", "cover_name",
    "cover_lead", "cover_around", "parent_cover", "title_cover", "pool_cover", "pool_name", "soft_own",
    "soft_part", "soft_least", "wanted", "number", "unit_known", "place_score", "place_gap", "exact", "named",
    "conditions", "told", "told_gap", "plain",
)  # fmt: skip
WORSE = ("missing_rare", "rank", "conditions_missed", "broken")
# The same of a value.
LIKELIER = (
    "kind", "unit", "near", "near_gap", "agreed", "score", "score_gap", "fit", "fit_gap", "row_fit",
    "row_gap", "number", *headline.ANSWER,
)  # fmt: skip
UNLIKELIER = ("stated",)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """The candidates of one question: their features, and how right each is (0 to 3)."""

    family: str
    rows: Rows
    right: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """An answer of a family left out: its signals, its values, and what of them is right."""

    family: str
    signals: Mapping[str, float]
    right: bool
    values: NDArray[np.float32]
    values_right: NDArray[np.bool_]


def cases(family: Family) -> Iterator[Case]:
    """Yield the candidates of each question of a family with their grades."""
    with closing(Library.open(family.library or Path())) as library:
        for question in load_questions(family.questions):
            evidence = library.search(question.question, wanted=question.filter)
            judges = library.judges(evidence.query)
            meant = asked_of(library.store, evidence.query, judges.encoded)
            if found := candidates(library.store, evidence.hits):
                rows = features(library.store, meant, found, judges.reranker)
                yield Case(family.name, rows, np.array([grade(question, one, meant) for one in found]))


def grade(question: Question, one: Candidate, meant: Asked) -> int:
    """Return how right a candidate is (0 to 3): it holds a wanted value, in its claim, at a wanted place."""
    here = {normal_label(label) for label in (str(one.label), one.label.named, *printed_labels(one.place))}
    page = one.quotes[-1].page
    gold = [g for g in question.gold if g.document == one.place.document and abs(g.page - page) <= 1]
    placed = any(g.kind == "page" or normal_label(g.label) in here for g in gold)
    if question.values:
        if not any_found(question.values, one.text):
            return 0
        worth = 3 if placed else 2
        return worth if any_found(question.values, claim(meant, one, WORDS).text) else (worth + 1) // 2
    own = any(normal_label(g.label) == normal_label(str(one.label)) for g in gold)
    return 3 if own else 2 * placed


def fit_order(learned: Sequence[Case], path: Path) -> Trees:
    """Fit the order, write it as ONNX with the names of its features, and return it."""
    plain = NAMES.index("plain")
    kept = [(case, np.argsort(-case.rows[:, plain], kind="stable")[:KEPT]) for case in learned]
    kept = [(case, np.sort(best)) for case, best in kept if case.right[best].any()]
    return _grown(
        ORDER | {"monotone_constraints": [direction(name) for name in ALL_NAMES]},
        ORDER_ROUNDS,
        (
            np.vstack([case.rows[best] for case, best in kept]),
            np.concatenate([case.right[best] for case, best in kept]),
            [len(best) for _, best in kept],
        ),
        ALL_NAMES,
        path,
    )


def fit_value(learned: Sequence[Judged], path: Path) -> Trees:
    """Fit the choice of the value that answers, as `fit_order` does."""
    held = [(name in LIKELIER) - (name in UNLIKELIER) for name in headline.NAMES]
    rows = np.vstack([one.values for one in learned])
    right = np.concatenate([one.values_right for one in learned]).astype(np.int64)
    given = VALUE | {"monotone_constraints": held}
    return _grown(given, VALUE_ROUNDS, (rows, right, None), headline.NAMES, path)


def _grown(
    how: Mapping[str, object],
    rounds: int,
    data: tuple[NDArray[np.floating], NDArray[np.int64], list[int] | None],
    names: Sequence[str],
    path: Path,
) -> Trees:
    """Grow a forest over rows, what they are worth, and how many belong together; write and return it."""
    import lightgbm  # noqa: PLC0415 - the extra `train`

    rows, worth, groups = data
    made = lightgbm.train(BOOSTING | dict(how), lightgbm.Dataset(rows, worth, group=groups), rounds)
    write_forest(made, names, path)
    return Trees(path, names)


def write_forest(made: Any, names: Sequence[str], path: Path) -> None:
    """Write what LightGBM has grown as ONNX with the names of its features."""
    import onnxmltools  # noqa: PLC0415 - the extra `train`
    from onnxmltools.convert.common.data_types import FloatTensorType  # noqa: PLC0415 - idem

    types = [("rows", FloatTensorType([None, len(names)]))]
    form = onnxmltools.convert_lightgbm(made, name=path.stem, initial_types=types)
    form.metadata_props.add(key=FEATURES, value=" ".join(names))
    path.write_bytes(form.SerializeToString())


def direction(name: str) -> int:
    """Return whether a feature may only raise a score (1), only lower it (-1), or both (0)."""
    compared, _, way = name.rpartition("_")
    if compared in COMPARED:
        return 1 if way == "gap" else -1
    return 1 if name in BETTER else -1 if name in WORSE else 0


def judged(family: Family, trees: Trees) -> Iterator[Judged]:
    """Yield the answers to the questions of a family with an order that has not seen it."""
    with closing(Library.open(family.library or Path())) as library, order.using(trees):
        for question in load_questions(family.questions):
            with headline.recorded() as values:
                answer = library.ask(question.question, wanted=question.filter)
            if not isinstance(answer, Grounded):
                continue
            read = reading_of(question, answer)
            told = [f"{figure.value} {figure.unit}" for figure, _ in values]
            yield Judged(
                family.name,
                dict(answer.confidence.signals),
                question.answerable and bool(read.lead_value if question.values else read.lead_page),
                headline.rows_of([measures for _, measures in values]),
                np.array([any_found(question.values, one) for one in told], bool),
            )


def with_value(one: Judged, trees: Trees) -> tuple[Mapping[str, float], bool]:
    """Return the signals of an answer with the chance of its likeliest value, and whether that is right."""
    if not len(one.values):
        return {**one.signals, "value_chance": 0.0}, False
    chances = np.clip(trees.scores(one.values), 0.0, 1.0)
    best = int(np.argmax(chances))
    return {**one.signals, "value_chance": float(chances[best])}, bool(one.values_right[best])


def logistic(
    rows: Rows, right: Sequence[bool] | NDArray[np.bool_], pull: float, weights: Rows | None = None
) -> tuple[float, Rows]:
    """Return intercept and slopes [signals] of a logistic model over rows [n, signals], each of a weight [n].

    `pull` is the strength with which the slopes over standardised signals are drawn to nought.
    """
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    table = np.hstack([(rows - mean) / spread, np.ones((len(rows), 1))])
    drawn = np.diag([pull] * rows.shape[1] + [0.0])
    worth = np.ones(len(rows)) if weights is None else weights
    found = np.zeros(rows.shape[1] + 1)
    truth = np.array(right, dtype=np.float64)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-table @ found))
        slope = table.T @ (worth * (chance - truth)) + drawn @ found
        curvature = (table * (worth * chance * (1 - chance))[:, None]).T @ table + drawn
        found -= np.linalg.solve(curvature, slope)
    plain: Rows = found[:-1] / spread
    return float(found[-1] - plain @ mean), plain


def fit_chance(
    names: Sequence[str], signals: Sequence[Mapping[str, float]], right: Sequence[bool]
) -> dict[str, float]:
    """Return the weights of a logistic model over signals, with its `intercept`, each pulled to nought."""
    rows = np.array([[one[name] for name in names] for one in signals])
    intercept, slopes = logistic(rows, right, PRIOR)
    found = {name: round(float(weight), 4) for name, weight in zip(names, slopes, strict=True)}
    return found | {"intercept": round(intercept, 4)}


def fit(families: Sequence[Family], into: Path) -> dict[str, object]:
    """Fit order, choice of the value and decision; write both forests, return the weights of the decision."""
    learned = {family.name: list(cases(family)) for family in families}
    aside = into / "left_out.onnx"
    answers: dict[str, list[Judged]] = {}
    for family in families:
        others = [case for name, own in learned.items() if name != family.name for case in own]
        answers[family.name] = list(judged(family, fit_order(others, aside)))
    fit_order([case for own in learned.values() for case in own], into / "order.onnx")
    known = {}
    for name, own in answers.items():
        trees = fit_value([one for other, rest in answers.items() if other != name for one in rest], aside)
        known[name] = [with_value(one, trees) for one in own]
    fit_value([one for own in answers.values() for one in own], into / "value.onnx")
    aside.unlink(missing_ok=True)
    right = [one.right for own in answers.values() for one in own]
    signals = [given for own in known.values() for given, _ in own]
    return {
        "found": fit_chance(FOUND, signals, right),
        "left_out": {
            name: {
                "answers": len(own),
                "right": float(np.mean([one.right for one in own])),
                # How many answers have a value as likely as a bound, and in how many of them it is right.
                "headlines": {
                    bound: (len(shown), sum(shown))
                    for bound in BOUNDS
                    for shown in [[right for one, right in known[name] if one["value_chance"] >= bound]]
                },
            }
            for name, own in answers.items()
        },
    }
