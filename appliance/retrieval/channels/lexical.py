"""The lexical channel: BM25 over children and over parents."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from appliance.core.evidence import Listing
from appliance.core.settings import SearchSettings
from appliance.retrieval.ask import Ask, place
from appliance.retrieval.query.question import Group, Question
from appliance.store.bm25 import Wanted
from appliance.store.channels import ColumnWeights, Hits, Unit, Vocabulary, search_terms
from appliance.store.read import Store

WEIGHTS = {"child": ColumnWeights(), "parent": ColumnWeights()}
WORDS, NAMES = ("title", "text"), ("label", "exact")
FEWEST = 2  # groups that are kept however common they are


def wanted_of(
    question: Question, vocabulary: Vocabulary, settings: SearchSettings, *, aliases: bool = False
) -> tuple[Wanted, ...]:
    """Return what a question asks for, nothing where the library holds none of its words."""
    found = [group for group in question.groups if alternatives(group, vocabulary, aliases=aliases)]
    rare = [group for group in found if vocabulary.share(group.stem) <= settings.common_term_share]
    if len(rare) < FEWEST:
        rare = sorted(found, key=lambda group: vocabulary.share(group.stem))[:FEWEST]
    words = [item for group in rare for item in alternatives(group, vocabulary, aliases=aliases)]
    return (*words, *(Wanted((name,), NAMES) for name in question.names))


def alternatives(group: Group, vocabulary: Vocabulary, *, aliases: bool) -> list[Wanted]:
    """Return the ways to say one idea that the library holds."""
    phrases = ((group.stem,), *(group.others if aliases else ()))
    return [
        Wanted(tuple(phrase), WORDS)
        for phrase in phrases
        if all(term in vocabulary.chunks for term in phrase)
    ]


def lexical(
    store: Store,
    unit: Unit,
    wanted: Sequence[Wanted],
    settings: SearchSettings,
    within: Collection[int] | None,
) -> Hits:
    """Return the best chunks of one kind for what is wanted."""
    return search_terms(store, unit, wanted, WEIGHTS[unit], settings.lexical_candidates, within=within)


def every_place(ask: Ask, first: int, count: int) -> Listing:
    """Return `count` of the places from the `first` (counted from 0) on, and how many there are."""
    vocabulary = ask.index.vocabulary
    match = [
        *(item for group in ask.question.groups for item in alternatives(group, vocabulary, aliases=False)),
        *(Wanted((name,), NAMES) for name in ask.question.names),
    ]
    hits = search_terms(
        ask.store, "child", match, WEIGHTS["child"], ask.store.chunk_count, within=ask.scope.children
    )
    owners = ask.store.parents([chunk for chunk, _ in hits])
    shown = list(dict.fromkeys(owners[chunk] for chunk, _ in hits))
    items = ask.store.chunks(shown[first : first + count])
    return Listing(tuple(place(item, 0.0, ("lexical",)) for item in items), len(shown))
