"""All channels of one question side by side, and their rankings fused into one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask
from appliance.retrieval.channels.searches import concepts, dense, lexical, wanted_of
from appliance.store.bm25 import Wanted
from appliance.store.channels import Hits


@dataclass(frozen=True, slots=True)
class Found:
    """Rankings of shown chunks by channel, the children met of each (best first), cosines of children."""

    rankings: Mapping[str, tuple[int, ...]]
    children: Mapping[int, tuple[int, ...]]
    cosines: Mapping[int, float]


def gather(ask: Ask) -> Found:
    """Return what the searches by words, by meaning and in the graph find."""
    store, settings, scope = ask.store, ask.settings, ask.scope
    with ask.clock.step("lexical"):
        match, wide = _wanted(ask)
        by_child = _by_child(ask, match)
        by_parent = _by_parent(ask, match)
        by_alias = _by_alias(ask, wide) if wide != match else by_child
    with ask.clock.step("dense"):
        near = dense(store, (ask.encoded, ask.plain), settings, scope.children)
    with ask.clock.step("graph"):
        spoken = concepts(ask)
    owners = store.parents([chunk for chunk, _ in (*by_child, *by_alias, *near, *spoken)])
    rankings = {
        "child_words": _shown(by_child, owners),
        "parent_words": tuple(chunk for chunk, _ in by_parent),
        "aliases": _shown(by_alias, owners),
        "dense": _shown(near, owners),
        "concepts": _shown(spoken, owners),
    }
    children: dict[int, dict[int, None]] = {}
    for chunk, _ in _interleaved(near, by_child):
        children.setdefault(owners[chunk], {})[chunk] = None
    return Found(rankings, {parent: tuple(met) for parent, met in children.items()}, dict(near))


@mechanism("channels.child_words", "The search by words over the searched parts.", without=lambda *_: [])
def _by_child(ask: Ask, match: Sequence[Wanted]) -> Hits:
    return lexical(ask.store, "child", match, ask.settings, ask.scope.children)


@mechanism("channels.parent_words", "The search by words over whole places.", without=lambda *_: [])
def _by_parent(ask: Ask, match: Sequence[Wanted]) -> Hits:
    return lexical(ask.store, "parent", match, ask.settings, ask.scope.parents)


@mechanism("channels.alias_words", "The search by words and their other names.", without=lambda *_: [])
def _by_alias(ask: Ask, wide: Sequence[Wanted]) -> Hits:
    return lexical(ask.store, "child", wide, ask.settings, ask.scope.children)


def _wanted(ask: Ask) -> tuple[tuple[Wanted, ...], tuple[Wanted, ...]]:
    """Return what is searched by words, as asked and with the other names of it."""
    narrow, wide = (
        wanted_of(ask.question, ask.index.vocabulary, ask.settings, aliases=aliases)
        for aliases in (False, True)
    )
    return narrow, wide


def _shown(hits: Hits, owners: Mapping[int, int]) -> tuple[int, ...]:
    """Return the shown chunks of hits, each at its best child's place."""
    return tuple(dict.fromkeys(owners[chunk] for chunk, _ in hits))


def _interleaved(first: Hits, second: Hits) -> Hits:
    """Return two rankings as one, taking from each in turn."""
    merged: Hits = []
    for position in range(max(len(first), len(second))):
        merged += first[position : position + 1] + second[position : position + 1]
    return merged


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


def one_of_each(ranking: Sequence[int], names: Mapping[int, Hashable], first: int) -> list[int]:
    """Return a ranking in whose `first` ids no name stands twice; the others come behind.

    An id without a name stands for itself.
    """
    seen: set[Hashable] = set()
    head: list[int] = []
    for item in ranking:
        name = names.get(item)
        if (name is None or name not in seen) and len(head) < first:
            seen.add(name)
            head.append(item)
    taken = set(head)
    return [*head, *(item for item in ranking if item not in taken)]


@mechanism(
    "rank.floors",
    "The first hits of every channel and what the closure demands keep a place.",
    without=lambda ranking, _floors, limit, _keep=0: list(ranking[:limit]),
)
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
