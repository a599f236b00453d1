"""The search by words: BM25 over children and over parents.

Rules of this module: words too common in the library to tell chunks apart are left out as long as
others remain; aliases widen a search of their own, because BM25 would count them like the words that
were asked; names (labels, designations, values with
units) are searched in their own columns.
"""

from __future__ import annotations

from collections.abc import Collection

from appliance.retrieval.query import Group, Question
from appliance.settings import SearchSettings
from appliance.store.channels import (
    ColumnWeights,
    Hits,
    Unit,
    Vocabulary,
    any_of,
    quoted,
    search_words,
)
from appliance.store.read import Store

WEIGHTS = {"child": ColumnWeights(), "parent": ColumnWeights()}
FEWEST = 2  # groups that are kept however common they are


def expression(
    question: Question, vocabulary: Vocabulary, settings: SearchSettings, *, aliases: bool = False
) -> str:
    """Return the FTS5 expression of a question, "" where the library holds none of its words."""
    found = [group for group in question.groups if alternatives(group, vocabulary, aliases=aliases)]
    rare = [group for group in found if vocabulary.share(group.stem) <= settings.common_term_share]
    if len(rare) < FEWEST:
        rare = sorted(found, key=lambda group: vocabulary.share(group.stem))[:FEWEST]
    parts = [
        f"{{title text}} : ({' OR '.join(alternatives(group, vocabulary, aliases=aliases))})"
        for group in rare
    ]
    if question.names:
        parts.append(any_of(question.names, ("label", "exact")))
    return " OR ".join(parts)


def alternatives(group: Group, vocabulary: Vocabulary, *, aliases: bool) -> list[str]:
    """Return the ways to say one idea that the library holds, each as an expression."""
    phrases = ((group.stem,), *(group.others if aliases else ()))
    return [
        quoted(phrase[0]) if len(phrase) == 1 else f"({' AND '.join(map(quoted, phrase))})"
        for phrase in phrases
        if all(term in vocabulary.chunks for term in phrase)
    ]


def lexical(
    store: Store, unit: Unit, match: str, settings: SearchSettings, within: Collection[int] | None
) -> Hits:
    """Return the best chunks of one kind for an expression."""
    return search_words(store, unit, match, WEIGHTS[unit], settings.lexical_candidates, within=within)
