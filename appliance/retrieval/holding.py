"""The section or annex that holds what was found, which a question for a place or for all of something wants.

Rules of this module: the searches find the clauses in which the words stand; "where is this dealt with" and
"list the ways" want the division around them, which may print none of the words. A division counts where it
holds a good share of the leading places, the early ones most; of two inside one another the smaller is
meant, unless it holds less. A division without text of its own is shown with the first clause under its
heading.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from appliance.document import Label
from appliance.evidence import Link
from appliance.retrieval.ask import Ask
from appliance.retrieval.closure import OVERVIEWS, Edge
from appliance.store.values import StoredChunk

WHOLE = frozenset({"location", "coverage"})  # intents of questions that a whole division answers
ENOUGH = 0.3  # share of the weight of the leading places that a division holds
NARROWER = 0.75  # share of what a division holds from which a smaller one inside it is meant
HEAD = 2  # by so much the weight of the places falls more slowly than one over their rank
INSIDE = "inside"  # the kind of a step from a place to the division around it


def holding(ask: Ask, leading: Sequence[StoredChunk]) -> Iterator[Edge]:
    """Yield the step to the division that such a question wants, from the first place inside."""
    if ask.question.query.intent not in WHOLE:
        return
    weights: dict[tuple[str, Label], float] = defaultdict(float)
    first: dict[tuple[str, Label], StoredChunk] = {}
    deep: dict[tuple[str, Label], int] = {}
    for rank, item in enumerate(leading, 1):
        for depth, clause in enumerate(ask.store.lineage(item.document, item.chunk.label)[:-1]):
            place = (item.document, clause.label)
            weights[place] += 1 / (rank + HEAD)
            first.setdefault(place, item)
            deep[place] = depth
    total = sum(1 / (rank + HEAD) for rank in range(1, len(leading) + 1))
    most = max(weights.values(), default=0.0)
    known = [place for place, weight in weights.items() if weight >= max(ENOUGH * total, NARROWER * most)]
    for document, label in sorted(known, key=lambda place: -deep[place]):
        item = first[document, label]
        shown = ask.store.chunks(ask.store.chunks_for(document, label)[:1])
        if shown and _is_head(shown[0], label):
            words = f"{item.chunk.label} stands in {label}"
            yield Edge(item.id, shown[0].id, INSIDE, Link(document, item.chunk.label, document, label, words))
            return


def _is_head(item: StoredChunk, division: Label) -> bool:
    """Tell whether a place opens a division: it is its heading, or its first clause under the heading."""
    own = item.chunk.label == division and item.chunk.kind in OVERVIEWS
    return own or item.chunk.labels[:1] == (division,)
