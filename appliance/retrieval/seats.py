"""Places kept behind the first ones for what must be read with the very first.

Rules of this module: pure. Whoever reads a clause needs what it refers to, what its terms mean, and the
clause beside it, which goes on with it; by their own words these often stand low, for the question says
none of them. One of each has a seat behind the first places, the best by score; so has, where a question
asks whether something applies, what the code says of itself (opening.py). What stands before the seats anyway
takes none, and nothing is taken away but pushed down by at most four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from appliance.retrieval import ranking
from appliance.retrieval.closure import Edge
from appliance.retrieval.steps import DECIDES, STEP

FIRST_SEAT = 8  # places before the seats
BY_RULE = frozenset(
    {*ranking.LOOSE, *ranking.HOSTING, "choice", "chosen", "class", "inside", STEP, DECIDES, ranking.OPENS}
)


def with_seats(contest: ranking.Contest, ranked: Sequence[int], scores: Mapping[int, float]) -> list[int]:
    """Return the ranking with a neighbour, a term and a reference of the first place behind the first."""
    chosen = list(_chosen(contest, ranked, scores))
    rest = [chunk for chunk in ranked[FIRST_SEAT:] if chunk not in chosen]
    return [*ranked[:FIRST_SEAT], *chosen, *rest]


def _chosen(contest: ranking.Contest, ranked: Sequence[int], scores: Mapping[int, float]) -> Iterator[int]:
    """Yield the best target of each way out of the first place that does not stand among the first."""
    taken = set(ranked[:FIRST_SEAT])
    place = {chunk: rank for rank, chunk in enumerate(ranked)}
    for leads in WAYS:
        targets = {
            edge.target
            for edge in contest.edges
            if (edge.source in ranked[:1] or edge.kind == ranking.OPENS)
            and leads(edge)
            and edge.target in place
        }
        if best := min(targets - taken, key=lambda chunk: (-scores[chunk], place[chunk]), default=None):
            taken.add(best)
            yield best


def _refers(edge: Edge) -> bool:
    """Tell whether a reference in the text makes the step."""
    return edge.kind not in BY_RULE


def _stands_beside(edge: Edge) -> bool:
    return edge.kind == "beside"


def _defines(edge: Edge) -> bool:
    return edge.kind == "term"


def _opens(edge: Edge) -> bool:
    return edge.kind == ranking.OPENS


WAYS: tuple[Callable[[Edge], bool], ...] = (_stands_beside, _defines, _refers, _opens)
