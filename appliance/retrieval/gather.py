"""All searches of one question, side by side, as rankings of what would be shown.

Rules of this module: children count for the parent that is shown, which takes the rank of its best
child; nothing is weighed here. A search that the settings switch off finds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.retrieval.ask import Ask
from appliance.retrieval.concepts import concepts
from appliance.retrieval.dense import dense
from appliance.retrieval.lexical import lexical, wanted_of
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
        match, wide = _wanted(ask) if settings.by_words else ((), ())
        by_child = lexical(store, "child", match, settings, scope.children)
        by_parent = lexical(store, "parent", match, settings, scope.parents)
        by_alias = lexical(store, "child", wide, settings, scope.children) if wide != match else by_child
    with ask.clock.step("dense"):
        encoded = (ask.encoded, ask.plain) if settings.by_meaning else ()
        near = dense(store, encoded, settings, scope.children)
    with ask.clock.step("graph"):
        spoken = concepts(ask) if settings.by_concepts else []
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
