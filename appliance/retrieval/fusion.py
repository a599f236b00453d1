"""Several rankings into one.

Rules of this module: pure functions over lists of ids, best first. Reciprocal rank fusion (Cormack,
Clarke & Buettcher, SIGIR 2009) needs no scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence


def reciprocal(rankings: Iterable[tuple[Sequence[int], float]], k: int) -> dict[int, float]:
    """Return the fused score of every id: the sum of weight / (k + rank), rank from 1."""
    scores: dict[int, float] = {}
    for ranking, weight in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return scores


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores brought to 0..1 between their least and their greatest; all equal gives 1."""
    if not scores:
        return {}
    least, most = min(scores.values()), max(scores.values())
    width = most - least
    return {item: (value - least) / width if width else 1.0 for item, value in scores.items()}


def best_first(scores: Mapping[int, float]) -> list[int]:
    """Return the ids by falling score; equal scores in the order of the ids, so that it never changes."""
    return sorted(scores, key=lambda item: (-scores[item], item))


def one_of_each(
    ranking: Sequence[int], names: Mapping[int, Hashable], first: int, times: int = 1
) -> list[int]:
    """Return a ranking in whose `first` ids no name stands more than `times`; the others come behind.

    An id without a name stands for itself.
    """
    seen: Counter[Hashable] = Counter()
    head: list[int] = []
    for item in ranking:
        name = names.get(item)
        if (name is None or seen[name] < times) and len(head) < first:
            seen[name] += 1
            head.append(item)
    taken = set(head)
    return [*head, *(item for item in ranking if item not in taken)]


def with_floors(
    ranking: Sequence[int], floors: Iterable[Sequence[int]], limit: int, keep: int = 0
) -> list[int]:
    """Return the first `limit` of a ranking, the last of them giving way to the floors' ids left out.

    No id of a floor gives way to another one, and none of the first `keep`; where the floors hold more
    than there is room for, the earlier ones stay.
    """
    kept = list(ranking[:limit])
    wanted = list(dict.fromkeys(item for floor in floors for item in floor))
    safe = {*kept[:keep], *[item for item in wanted if item not in kept[:keep]][: max(limit - keep, 0)]}
    absent = [item for item in wanted if item in safe and item not in kept]
    loose = [item for item in kept if item not in safe]
    given = set(loose[len(loose) - max(len(kept) + len(absent) - limit, 0) :])
    return [item for item in kept if item not in given] + absent
