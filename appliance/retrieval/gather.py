"""All searches of one question, side by side, as rankings of what would be shown.

Rules of this module: children count for the parent that is shown, which takes the rank of its best
child; nothing is weighed here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from appliance.retrieval import ranking
from appliance.retrieval.ask import Ask
from appliance.retrieval.concepts import concepts
from appliance.retrieval.dense import dense
from appliance.retrieval.fusion import convex, of_greatest, reciprocal, scaled
from appliance.retrieval.lexical import lexical, wanted_of
from appliance.settings import SearchSettings
from appliance.store.channels import Hits


@dataclass(frozen=True, slots=True)
class Found:
    """Rankings of shown chunks by channel, the children met of each (best first), cosines of children.

    `strengths` are the scores behind the rankings, from 0 to 1.
    """

    rankings: Mapping[str, tuple[int, ...]]
    strengths: Mapping[str, Mapping[int, float]]
    children: Mapping[int, tuple[int, ...]]
    cosines: Mapping[int, float]


def gather(ask: Ask) -> Found:
    """Return what the searches by words, by meaning and in the graph find."""
    store, settings, scope = ask.store, ask.settings, ask.scope
    with ask.clock.step("lexical"):
        match = wanted_of(ask.question, ask.index.vocabulary, settings)
        by_child = lexical(store, "child", match, settings, scope.children)
        by_parent = lexical(store, "parent", match, settings, scope.parents)
        wide = wanted_of(ask.question, ask.index.vocabulary, settings, aliases=True)
        by_alias = lexical(store, "child", wide, settings, scope.children) if wide != match else by_child
    with ask.clock.step("dense"):
        near = dense(store, (ask.encoded, ask.plain), settings, scope.children)
    with ask.clock.step("graph"):
        spoken = concepts(ask)
    owners = store.parents([chunk for chunk, _ in (*by_child, *by_alias, *near, *spoken)])
    shown = {
        "child_words": _shown(by_child, owners),
        "parent_words": dict(by_parent),
        "aliases": _shown(by_alias, owners),
        "dense": _shown(near, owners),
        "concepts": _shown(spoken, owners),
    }
    strengths = {name: of_greatest(scores) for name, scores in shown.items()}
    strengths["dense"] = scaled(shown["dense"])
    strengths["concepts"] = _by_place(tuple(shown["concepts"]), settings.rrf_k)
    children: dict[int, dict[int, None]] = {}
    for chunk, _ in _interleaved(near, by_child):
        children.setdefault(owners[chunk], {})[chunk] = None
    rankings = {name: tuple(scores) for name, scores in shown.items()}
    met = {parent: tuple(found) for parent, found in children.items()}
    return Found(rankings, strengths, met, dict(near))


def joined(
    found: Found, settings: SearchSettings, names: Collection[str] = tuple(ranking.FUSED)
) -> dict[int, float]:
    """Return the fused score of every shown chunk that the named searches found."""
    if settings.convex_fusion:
        return convex((found.strengths[name], ranking.JOINED[name]) for name in names)
    return reciprocal(((found.rankings[name], ranking.FUSED[name]) for name in names), settings.rrf_k)


def _shown(hits: Hits, owners: Mapping[int, int]) -> dict[int, float]:
    """Return the shown chunks of hits in their order, each with the score of its best child."""
    scores: dict[int, float] = {}
    for chunk, score in hits:
        scores.setdefault(owners[chunk], score)
    return scores


def _by_place(ranked: Sequence[int], k: int) -> dict[int, float]:
    """Return k / (k + rank - 1) of each: 1 for the first. For searches whose scores say nothing."""
    return {chunk: k / (k + before) for before, chunk in enumerate(ranked)}


def _interleaved(first: Hits, second: Hits) -> Hits:
    """Return two rankings as one, taking from each in turn."""
    merged: Hits = []
    for position in range(max(len(first), len(second))):
        merged += first[position : position + 1] + second[position : position + 1]
    return merged
