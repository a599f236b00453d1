"""What an order by one score is worth on examples that were held out.

Rules of this module: pure; a place is as good as its best part. The candidates are those of the
examples alone (a fixed list, made once by the search), so that two rerankers meet the same; places
that the search never met cost both the same and are not counted here. A reader of pairs reads the best
part of the best places, as in the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from appliance.models.head import Head
from appliance.models.late import max_sim
from appliance.models.protocols import Floats
from appliance.training.examples import Example
from appliance.training.heads import usable_of
from appliance.training.rows import Rows

FIRST = 10


@dataclass(frozen=True, slots=True)
class Worth:
    """Means over the questions; complete@k is the share with every right candidate among the first k."""

    questions: int
    mrr: float
    map_10: float
    recall_5: float
    recall_10: float
    complete_5: float
    complete_10: float


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of pairs: question and texts to logits, the texts of passages, what a logit counts.

    With `beside` 0 the logits alone order the `reads` places that are read.
    """

    logits: Callable[[str, Sequence[str]], Floats]
    texts: Mapping[str, str]
    beside: float
    reads: int


def worth(examples: Iterable[Example], rows: Rows, head: Head | None, reader: Reader | None = None) -> Worth:
    """Return what plain MaxSim, or a head, and a reader of pairs behind them are worth on these examples."""
    return mean_worth([ranks_of(one, rows, head, reader) for one in usable_of(examples, rows)])


def mean_worth(ranks: Sequence[Sequence[int]]) -> Worth:
    """Return the means over questions whose right places stand at these ranks, from 1 and ascending."""
    figures = [_figures(one) for one in ranks]
    means = np.mean(figures, axis=0) if figures else np.zeros(6)
    return Worth(len(figures), *(round(float(mean), 4) for mean in means))


def ranks_of(example: Example, rows: Rows, head: Head | None, reader: Reader | None = None) -> list[int]:
    """Return the ranks, from 1 and ascending, of the right places; of equal scores the first stands first."""
    places = (*example.right, *example.wrong)
    parts = [rows.passages[part] for place in places for part in place]
    each = np.split(
        max_sim(rows.questions[example.question], parts, head),
        np.cumsum([len(place) for place in places])[:-1],
    )
    scores = np.array([one.max() for one in each])
    if reader:
        best = [place[int(one.argmax())] for place, one in zip(places, each, strict=True)]
        scores = _read(example.question, best, scores, reader)
    return ranks_by(scores, len(example.right))


def ranks_by(scores: Floats, right: int) -> list[int]:
    """Return the ranks of the first `right` places by their scores, from 1 and ascending."""
    order = np.argsort(-scores, kind="stable").tolist()
    return sorted(order.index(place) + 1 for place in range(right))


def _read(question: str, best: Sequence[str], scores: Floats, reader: Reader) -> Floats:
    """Return the scores of places after the best of them were read; the others stay behind in their order."""
    first = np.argsort(-scores, kind="stable")[: reader.reads]
    logits = reader.logits(question, [reader.texts[best[place]] for place in first])
    if not reader.beside:
        read: Floats = scores - scores.max() + logits.min() - 1
        read[first] = logits
        return read
    read = scores + reader.beside * logits.min()
    read[first] = scores[first] + reader.beside * logits
    return read


def _figures(ranks: Sequence[int]) -> tuple[float, ...]:
    within = [rank for rank in ranks if rank <= FIRST]
    precision = sum(number / rank for number, rank in enumerate(within, 1)) / min(len(ranks), FIRST)
    recall = [sum(rank <= cut for rank in ranks) / len(ranks) for cut in (5, FIRST)]
    return (1 / ranks[0], precision, *recall, float(ranks[-1] <= 5), float(ranks[-1] <= FIRST))


def by_document(examples: Sequence[Example], rows: Rows, head: Head | None) -> Mapping[str, Worth]:
    """Return the worth on each document by itself."""
    names = sorted({one.document for one in examples})
    return {name: worth([one for one in examples if one.document == name], rows, head) for name in names}
