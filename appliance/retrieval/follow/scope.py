"""Where a code states its scope, as a whole and for a part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Literal

from appliance.core.document import Label
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.retrieval.channels.gather import Jump
from appliance.retrieval.query.documents import absent, mentioned, replaced_spans
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.retrieval.search_context import Ask
from appliance.store.read import Store, kept
from appliance.store.records import ClauseEntry
from appliance.text.terms import fold, words

PER_DOCUMENT = 3  # clauses about scope of each
HELD = 5  # paragraphs under the heading of a scope
KEPT_TITLES = 4_096  # of which is remembered whether they are of a scope
SHOWN = frozenset({"clause", "requirement", "annex", "definition", "heading"})


def speaks_of_scope(text: str, which: Literal["signs", "leaving"] = "signs") -> bool:
    """Tell whether a text says what is covered or what is not; of "leaving" alone, what is not."""
    return _any_of(which).search(fold(text)) is not None


def is_scope(title: str) -> bool:
    """Tell whether this is the title of a clause about what is covered."""
    return bool(title) and _rank(title) < len(_words("titles"))


def scopes_of(store: Store, document: str, above: Iterable[str] = ()) -> list[ClauseEntry]:
    """Return the clauses about scope of a document as a whole, then those of divisions by their keys."""
    titled = _titled(store, document)
    if not titled:
        return []
    top = min(entry.level for entry in titled)
    whole = sorted((e for e in titled if e.level == top), key=lambda entry: _rank(entry.title))
    held = set(above)
    near = [entry for entry in titled if entry.parent and entry.parent.key in held]
    return list(dict.fromkeys([*whole[:1], *near, *whole[1:2]]))[:PER_DOCUMENT]


def chunks_under(store: Store, document: str, label: Label) -> list[int]:
    """Return the chunks that show a clause and the first paragraphs under it."""
    own = store.chunks_for(document, label)[:1]
    below = store.children(document, label.key)[:HELD]
    held = [chunk for child in below for chunk in store.chunks_for(document, child.label)[:1]]
    return list(dict.fromkeys((*own, *held)))


@kept
def _titled(store: Store, document: str) -> tuple[ClauseEntry, ...]:
    """Return the clauses about scope of a document."""
    return tuple(entry for entry in store.contents(document) if is_scope(entry.title))


@lru_cache(KEPT_TITLES)
def _rank(title: str) -> int:
    plain = fold(title).strip(" .:")
    titles = _words("titles")
    return next((rank for rank, title in enumerate(titles) if re.fullmatch(title, plain)), len(titles))


@cache
def _any_of(name: str) -> re.Pattern[str]:
    """Return what finds any of the words of a list of data/retrieval/scope.toml."""
    return re.compile(rf"\b(?:{'|'.join(_words(name))})\b")


def _words(name: str) -> Sequence[str]:
    words: Sequence[str] = shipped("retrieval/scope")[name]
    return words


Side = Literal["", "covered", "left out"]
OWN_SCOPE_HELD = 20  # paragraphs under the heading of a scope
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
    opening, covering, taken = ("|".join(_words(name)) for name in ("opening", "covering", "taken"))
    named = rf"(?:(?:{'|'.join(shipped('retrieval/editions')['articles'])}) )?\s*{NAME}"
    applying = rf"\b(?:{opening}) {named}[^?]*?\b(?:{covering})\b|(?:{taken})\b\s*{named}"
    return re.search(applying, fold(_unnamed(store, query, f" {NAME} "))) is not None


def _unnamed(store: Store, query: Query, instead: str) -> str:
    """Return a question with another text for the names of documents, "Part K" among them."""
    text = query.spelt or query.text
    for label in query.labels:
        if load_lexicon().label_kind(fold(label.split()[0])) == "part":
            text = text.replace(label, instead)
    return replaced_spans(text, mentioned(text, store.documents()), instead)


def asks_absent_scope(store: Store, query: Query) -> bool:
    """Tell whether a question asks what a document covers that is not loaded, and names none that is."""
    text = query.spelt or query.text
    named = () if query.documents or query.labels else absent(text, store.documents())
    return bool(named) and bool(_side(replaced_spans(text, named, " ")))


def _side(text: str) -> Side:
    """Return which side of a scope a text without the names in it asks for, "" where it says more."""
    covering, leaving = frozenset(_words("own")), frozenset(_words("own_leaving"))
    said = set(words(_any_of("own_together").sub("scope ", fold(text))))
    if not said & (covering | leaving) or said - covering - leaving - frozenset(_words("own_small")):
        return ""
    return "left out" if said & leaving else "covered"


@mechanism("follow.own_scope", without=lambda *_: None)
def own_scope(ask: Ask, _: Jump) -> Jump | None:
    """Return the places that say what the documents cover that a question names."""
    named = ask.question.query.documents[:DOCUMENTS]
    found = [chunks_of_scope(ask.store, document)[:LEADING] for document in named]
    return Jump(leading=tuple(chunk for chunks in found for chunk in chunks)) if any(found) else None


def chunks_of_scope(store: Store, document: str) -> list[int]:
    """Return the chunks that show the scope of a document as a whole, as printed."""
    # of the titles those that only introduce, or tell the limits of what is done, are left out
    plain = shipped("retrieval/scope")["plain"]
    whole = next((entry for entry in _titled(store, document) if _rank(entry.title) < plain), None)
    if whole is None:
        return []
    below = store.children(document, whole.label.key)[:OWN_SCOPE_HELD]
    labels = (whole.label, *(child.label for child in below))
    chunks = dict.fromkeys(chunk for label in labels for chunk in store.chunks_for(document, label))
    return [item.id for item in store.chunks(list(chunks)) if item.chunk.kind in SHOWN]
