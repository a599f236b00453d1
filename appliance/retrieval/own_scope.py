"""What a document that a question names covers as a whole: "scope of EN 1991-1-4", "what is AD-K about?".

Rules of this module: besides the names of documents such a question says nothing but words that ask so
(data/retrieval/scope.toml). The scope of a whole document is the first clause in it with such a title; an
introduction and what limits a method are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from appliance.evidence import Query
from appliance.retrieval.around import Found
from appliance.retrieval.ask import Ask
from appliance.retrieval.covered import SHOWN, titled_scopes
from appliance.retrieval.editions import mentioned
from appliance.retrieval.elsewhere import absent
from appliance.retrieval.exact import Jump
from appliance.retrieval.lexicon import load_lexicon
from appliance.shipped import shipped
from appliance.store.read import Store
from appliance.store.words import fold, words

Side = Literal["", "covered", "left out"]
HELD = 20  # paragraphs under the heading of a scope
LEADING = 3  # chunks of each document that lead
DOCUMENTS = 3  # named documents whose scope is shown


def asks_own_scope(store: Store, query: Query) -> Side:
    """Return which side of the scope of the documents it names a question asks for, "" where it asks more."""
    if not query.documents:
        return ""
    text = query.spelt or query.text
    for label in query.labels:  # "Part K" is a document by its part
        if load_lexicon().label_kind(fold(label.split()[0])) == "part":
            text = text.replace(label, " ")
    return _side(text, mentioned(text, store.documents()))


def asks_absent_scope(store: Store, query: Query) -> bool:
    """Tell whether a question asks what a document covers that is not loaded, and names none that is."""
    text = query.spelt or query.text
    named = () if query.documents or query.labels else absent(text, store.documents())
    return bool(named) and bool(_side(text, named))


def _side(text: str, named: Sequence[tuple[int, int]]) -> Side:
    """Return which side of a scope a text asks for that says nothing else besides the names in it."""
    for start, end in reversed(named):
        text = f"{text[:start]} {text[end:]}"
    covering, leaving = _words("own"), _words("own_leaving")
    said = set(words(_together().sub("scope ", fold(text))))
    if not said & (covering | leaving) or said - covering - leaving - _words("own_small"):
        return ""
    return "left out" if said & leaving else "covered"


def own_scope(ask: Ask, _: Jump) -> Found | None:
    """Return the places that say what the documents cover that a question names."""
    named = ask.question.query.documents[:DOCUMENTS]
    found = [chunks_of_scope(ask.store, document)[:LEADING] for document in named]
    return Found(leading=tuple(chunk for chunks in found for chunk in chunks)) if any(found) else None


def chunks_of_scope(store: Store, document: str) -> list[int]:
    """Return the chunks that show the scope of a document as a whole, as printed."""
    whole = next(iter(titled_scopes(store, document)), None)
    if whole is None:
        return []
    labels = (whole.label, *(child.label for child in store.children(document, whole.label.key)[:HELD]))
    chunks = dict.fromkeys(chunk for label in labels for chunk in store.chunks_for(document, label))
    return [item.id for item in store.chunks(list(chunks)) if item.chunk.kind in SHOWN]


@cache
def _together() -> re.Pattern[str]:
    """Return what finds the words that ask for a scope together only."""
    return re.compile(rf"\b(?:{'|'.join(shipped('retrieval/scope')['own_together'])})\b")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(shipped("retrieval/scope")[name])
