"""What a document that a question names covers as a whole: "scope of EN 1991-1-4", "what is AD-K about?".

Rules of this module: whether the document covers a thing ("does AD-K apply to barns") is told from its scope
too. Besides the names of documents such a question says nothing but words that ask so
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
NAME = "§"  # stands for the name of a document


def asks_own_scope(store: Store, query: Query) -> Side:
    """Return which side of the scope of the documents it names a question asks for, "" where it asks more."""
    return _side(_unnamed(store, query, " ")) if query.documents else ""


def asks_what_applies(store: Store, query: Query) -> bool:
    """Tell whether a question asks if a document that it names covers a thing: "does AD-K apply to barns"."""
    if query.intent != "applicability" or not query.documents:
        return False
    return _applying().search(fold(_unnamed(store, query, f" {NAME} "))) is not None


def _unnamed(store: Store, query: Query, instead: str) -> str:
    """Return a question with another text for the names of documents, "Part K" among them."""
    text = query.spelt or query.text
    for label in query.labels:
        if load_lexicon().label_kind(fold(label.split()[0])) == "part":
            text = text.replace(label, instead)
    return _replaced(text, mentioned(text, store.documents()), instead)


def _replaced(text: str, spans: Sequence[tuple[int, int]], instead: str) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]}{instead}{text[end:]}"
    return text


def asks_absent_scope(store: Store, query: Query) -> bool:
    """Tell whether a question asks what a document covers that is not loaded, and names none that is."""
    text = query.spelt or query.text
    named = () if query.documents or query.labels else absent(text, store.documents())
    return bool(named) and bool(_side(_replaced(text, named, " ")))


def _side(text: str) -> Side:
    """Return which side of a scope a text without the names in it asks for, "" where it says more."""
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
def _applying() -> re.Pattern[str]:
    """Return what finds that the document itself is asked whether it covers a thing."""
    opening, covering, taken = (_any_of(name) for name in ("opening", "covering", "taken"))
    named = rf"(?:(?:{'|'.join(shipped('retrieval/editions')['articles'])}) )?\s*{NAME}"
    return re.compile(rf"\b(?:{opening}) {named}[^?]*?\b(?:{covering})\b|(?:{taken})\b\s*{named}")


def _any_of(name: str) -> str:
    return "|".join(shipped("retrieval/scope")[name])


@cache
def _together() -> re.Pattern[str]:
    """Return what finds the words that ask for a scope together only."""
    return re.compile(rf"\b(?:{'|'.join(shipped('retrieval/scope')['own_together'])})\b")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(shipped("retrieval/scope")[name])
