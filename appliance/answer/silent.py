"""What a short question is about and no statement speaks of: such answers may be of another thing.

Rules of this module: words of what is measured and numbers name no thing; another name that the search knows
for an idea stands for its words, and so does one word that the library writes for two. A word counts by how
rare it is in the library, for the rare one says what is asked about; one statement has to hold them together.
Long questions tell a story around the thing, and questions about places (by label, page, list or where a
thing stands) name none: neither is looked at (of the judged ones that miss as much, 8 in 10 are right).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from math import log

from appliance.answer.about import spoken_by, things
from appliance.answer.findings import Finding
from appliance.core.evidence import Evidence, Query
from appliance.core.files import shipped
from appliance.retrieval.ask import index_of
from appliance.retrieval.follow.scope import asks_own_scope
from appliance.store.read import Store
from appliance.text.quantities import counted_unit
from appliance.text.terms import fold, words

SHORT = 4  # things that a short question names at most
NOTED = 0.4  # share of them, by rarity, that is missing in every statement before it is said
FIRST = 4  # statements that are read


def silence(store: Store, evidence: Evidence, stated: Sequence[Finding]) -> tuple[str, bool]:
    """Return in a sentence what no statement speaks of, "" where one speaks of most of the question.

    With it stands whether no document holds anything asked about, or what a value is asked of: then nothing
    stated is an answer.
    """
    query = evidence.query
    bounds = {word for known in shipped("answer/columns")["bounds"].values() for word in known}
    units = set(chain.from_iterable(shipped("units")["same"])) if counted_unit(fold(query.text)) else set()
    asked = [word for word in things(query) if word not in bounds | units]
    if evidence.scope or not asked or len(asked) > SHORT or query.labels or query.parts[1:]:
        return "", False
    if asks_own_scope(store, query):
        return "", False
    rarity = {word: rarity_of(store, word) for word in asked}
    whole = _in_one(store, query)
    missing = [_missing(query, asked, finding, whole) for finding in stated[:FIRST]]
    least = min(missing, key=lambda words: sum(rarity[word] for word in words), default=[])
    if sum(rarity[word] for word in least) < NOTED * sum(rarity.values()):
        return "", False
    if unknown := [word for word in least if word not in whole and not count_of(store, word)]:
        return (
            f"No document loaded speaks of {_quoted(unknown)}.",
            unknown == asked or query.intent == "value",
        )
    return f"No statement speaks of {_quoted(asked)}{' together' if asked[1:] else ''}.", False


def _missing(query: Query, asked: Sequence[str], finding: Finding, whole: Mapping[str, str]) -> list[str]:
    held = _texts(finding)
    ways = ((word, (word, whole.get(word, word))) for word in asked)
    return [word for word, said in ways if not any(spoken_by(query, way, held) for way in said)]


def _in_one(store: Store, query: Query) -> dict[str, str]:
    """Return words asked apart that the library writes in one, with that word ("monopitch")."""
    said = words(fold(query.spelt or query.text))
    return {
        word: first + second
        for first, second in pairwise(said)
        if count_of(store, first + second) and not (count_of(store, first) and count_of(store, second))
        for word in (first, second)
    }


def _texts(finding: Finding) -> str:
    place = finding.place
    return " ".join(
        (finding.text, place.title, *place.heading_path, *(quote.text for quote in finding.quotes))
    )


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"\u201c{word}\u201d" for word in words)


def rarity_of(store: Store, word: str) -> float:
    """Return how rare a word is in a library: the logarithm of one over its share."""
    return log(1 + index_of(store).vocabulary.total / (1 + count_of(store, word)))


def count_of(store: Store, word: str) -> int:
    """Return how many places of a library hold a word."""
    return index_of(store).vocabulary.chunks.get(store.connections.stem(word), 0)
