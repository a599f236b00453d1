"""Lists of symbols or documents among the places found: they name what a code speaks of and answer little.

Rules of this module: pure. A list of documents is told by the title of its division
(data/retrieval/lists.toml), and wanted where a question says a word of this title. A list of symbols is a
place of definitions most of whose labels are a few signs long, together with the clause in whose division it
stands, and a clause that is called so. A question that asks what something means, or that prints one of the
symbols, may want it; for any other it says in one line what other places rule on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from rapidfuzz import fuzz

from appliance.evidence import Query
from appliance.ingest.terms import LOST
from appliance.retrieval.ranking import section_of
from appliance.shipped import shipped
from appliance.store.values import StoredChunk
from appliance.store.words import fold

SIGNS = 4  # characters of a symbol at most
FEWEST = 3  # symbols of a list
MOST = 2 / 3  # of its labels that are symbols
BEHIND = 5  # places that come before the lists
LIKE = 80.0  # likeness (0-100) of a title to what lists of symbols are called
STEM = 7  # letters by which words are compared
ARTICLES = frozenset({"a", "i"})  # words that are no symbol in a sentence


def lists_behind(query: Query, chunks: Mapping[int, StoredChunk], ranked: Sequence[int]) -> list[int]:
    """Return the ranking with the lists of symbols among its first places behind `BEHIND` others."""
    known = {chunk: chunks[chunk] for chunk in ranked if chunk in chunks}
    lists = _lists(query, known) | _of_documents(query, known)
    if query.intent == "definition" or not lists & set(ranked[:BEHIND]):
        return list(ranked)
    others = [chunk for chunk in ranked if chunk not in lists]
    early = [chunk for chunk in ranked[:BEHIND] if chunk in lists]
    rest = [chunk for chunk in ranked if chunk not in early and chunk not in others[:BEHIND]]
    return [*others[:BEHIND], *early, *rest]


def _lists(query: Query, chunks: Mapping[int, StoredChunk]) -> set[int]:
    """Return the lists of symbols, and the clauses around them, none of whose symbols the question prints."""
    said = {word.strip("?.,;:()").casefold() for word in query.text.split()}
    found = {chunk for chunk, item in chunks.items() if _is_list(item)}
    asked = {chunk for chunk in found if said & _names(chunks[chunk])}
    around = {section_of(chunks[chunk]) for chunk in found - asked}
    hosts = {chunk for chunk, item in chunks.items() if section_of(item) in around and _heads(item)}
    wanted = {section_of(chunks[chunk]) for chunk in asked}
    titled = {
        chunk for chunk, item in chunks.items() if _is_titled_so(item) and section_of(item) not in wanted
    }
    return (found - asked) | hosts | titled


def _of_documents(query: Query, chunks: Mapping[int, StoredChunk]) -> set[int]:
    """Return the lists of documents, none whose title the question speaks of."""
    said = _stems(query.spelt or query.text)
    return {
        chunk
        for chunk, item in chunks.items()
        for title in {_named(item.chunk.title), _named("".join(item.chunk.context[-1:]))}
        if any(pattern.search(title) for pattern in _titles()) and not said & _stems(title)
    }


def _named(heading: str) -> str:
    """Return a heading folded, without its number."""
    return re.sub(rf"^(?:(?:{'|'.join(_told('divisions'))}) )?(?:[a-z]?[\d.]+|[a-z]) ", "", fold(heading))


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in re.findall(r"[^\W\d_]{4,}", fold(text))}


@cache
def _titles() -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, _told("documents")))


@cache
def _told(name: str) -> tuple[str, ...]:
    return tuple(shipped("retrieval/lists")[name])


def _is_titled_so(item: StoredChunk) -> bool:
    """Tell whether a place of no definitions is called a list of symbols, as printed or nearly so."""
    title = _named(item.chunk.title)
    if item.chunk.kind == "definition" or not title:
        return False
    return any(fuzz.ratio(title, known) >= LIKE for known in _told("symbols"))


def _is_list(item: StoredChunk) -> bool:
    if item.chunk.kind != "definition":
        return False
    labels = {str(label) for label in (item.chunk.label, *item.chunk.labels)}
    signs = [label for label in labels if len(label) <= SIGNS or label == LOST]
    return len(signs) >= FEWEST and len(signs) >= MOST * len(labels)


def _heads(item: StoredChunk) -> bool:
    """Tell whether a place is the clause after which its own division is named: "1.7" of "1.7 Symbols"."""
    return item.chunk.kind != "definition" and item.chunk.context[-1:] == (
        f"{item.chunk.label} {item.chunk.title}".strip(),
    )


def _names(item: StoredChunk) -> set[str]:
    """Return the symbols of a list as a question may print them; an article is none."""
    return {str(label).casefold() for label in item.chunk.labels} - ARTICLES
