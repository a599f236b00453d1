"""All the places that hold words of a question, in the order of the search by words.

Rules of this module: nothing is left out for being common or far down, and nothing is judged; it is for
people who go on looking behind the places that the search thinks best. The filter of the question holds.
"""

from __future__ import annotations

from appliance.evidence import Listing
from appliance.retrieval.ask import Ask
from appliance.retrieval.lexical import NAMES, WEIGHTS, alternatives
from appliance.retrieval.places import place
from appliance.store.bm25 import Wanted
from appliance.store.channels import search_terms


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
