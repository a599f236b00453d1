"""Where a code says what it covers and what it leaves out: titles, sentences, paragraphs.

Rules of this module: what a scope is called and how it speaks are words of data/retrieval/scope.toml. The
scope of a whole document comes before that of its sections; of each the paragraphs that say what is
covered count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from weakref import WeakKeyDictionary

from appliance.document import Label
from appliance.shipped import shipped
from appliance.store.read import Store
from appliance.store.values import ClauseEntry
from appliance.store.words import fold

PER_DOCUMENT = 3  # clauses about scope of each
HELD = 5  # paragraphs under the heading of a scope
SHOWN = frozenset({"clause", "requirement", "annex", "definition", "heading"})

_SCOPES: WeakKeyDictionary[Store, Mapping[str, Sequence[ClauseEntry]]] = WeakKeyDictionary()


def speaks_of_scope(text: str) -> bool:
    """Tell whether a text says what is covered or what is not."""
    return _signs().search(fold(text)) is not None


def leaves_out(text: str) -> bool:
    """Tell whether a text says that something is not covered."""
    return _leaving().search(fold(text)) is not None


def is_scope(title: str) -> bool:
    """Tell whether this is the title of a clause about what is covered."""
    return bool(title) and _rank(title) < len(_titles())


def asks_what_is_covered(text: str) -> bool:
    """Tell whether a question asks what a code itself covers, not merely whether something is needed."""
    return _asking().search(fold(text)) is not None


def scopes_of(store: Store, document: str, above: Iterable[str] = ()) -> list[ClauseEntry]:
    """Return the clauses about scope of a document as a whole, then those of divisions by their keys."""
    titled = _scopes(store).get(document, ())
    if not titled:
        return []
    top = min(entry.level for entry in titled)
    whole = sorted((e for e in titled if e.level == top), key=lambda entry: _rank(entry.title))
    held = set(above)
    near = [entry for entry in titled if entry.parent and entry.parent.key in held]
    return list(dict.fromkeys([*whole[:1], *near, *whole[1:2]]))[:PER_DOCUMENT]


def titled_scopes(store: Store, document: str) -> list[ClauseEntry]:
    """Return the clauses titled as one that says what is covered, in the order of the document.

    Those that only introduce, or tell the limits of what is done, are left out.
    """
    plain = shipped("retrieval/scope")["plain"]
    return [entry for entry in _scopes(store).get(document, ()) if _rank(entry.title) < plain]


def chunks_under(store: Store, document: str, label: Label) -> list[int]:
    """Return the chunks that show a clause and the first paragraphs under it."""
    own = store.chunks_for(document, label)[:1]
    below = store.children(document, label.key)[:HELD]
    held = [chunk for child in below for chunk in store.chunks_for(document, child.label)[:1]]
    return list(dict.fromkeys((*own, *held)))


def _scopes(store: Store) -> Mapping[str, Sequence[ClauseEntry]]:
    """Return the clauses about scope of a library by document, read the first time."""
    if store not in _SCOPES:
        _SCOPES[store] = {info.id: tuple(_titled(store, info.id)) for info in store.documents()}
    return _SCOPES[store]


def _titled(store: Store, document: str) -> Iterator[ClauseEntry]:
    yield from (entry for entry in store.contents(document) if is_scope(entry.title))


def _rank(title: str) -> int:
    plain = fold(title).strip(" .:")
    ranks = (rank for rank, pattern in enumerate(_titles()) if pattern.fullmatch(plain))
    return next(ranks, len(_titles()))


@cache
def _titles() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in _words("titles"))


@cache
def _signs() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_words('signs'))})\b")


@cache
def _leaving() -> re.Pattern[str]:
    return re.compile(_any_of("leaving"))


@cache
def _asking() -> re.Pattern[str]:
    opening, codes, covering, taken = map(_any_of, ("opening", "codes", "covering", "taken"))
    said = rf"(?:{codes}[^?]*{covering}|{taken}[^?]*{codes})"
    return re.compile(rf"(?:^|[.,;:!?–-]\s*){opening}[^?]*{said}")


def _any_of(name: str) -> str:
    return rf"\b(?:{'|'.join(_words(name))})\b"


def _words(name: str) -> Sequence[str]:
    words: Sequence[str] = shipped("retrieval/scope")[name]
    return words
