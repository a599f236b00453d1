"""What a code says that it covers and what it leaves out: its scope, reached for every question of it.

Rules of this module: whether something applies is answered from the scope before any other clause, so
the scope of the documents that lead the evidence is always among the evidence and is always quoted.
What a scope is called and how it speaks are words of data/answer/scope.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache

from appliance.answer.findings import Finding
from appliance.document import Label
from appliance.evidence import Evidence, Place
from appliance.paths import data_folder
from appliance.retrieval.places import place
from appliance.store.read import Store
from appliance.store.values import ClauseEntry
from appliance.store.words import fold

DOCUMENTS = 3  # leading documents whose scope is reached
PER_DOCUMENT = 2
LEADING = 5  # places whose documents and divisions count
STATED = 4  # statements of scopes in one answer
HELD = 3  # paragraphs under the heading of a scope
SHOWN = frozenset({"clause", "requirement", "annex", "definition"})


def speaks_of_scope(text: str) -> bool:
    """Tell whether a text says what is covered or what is not."""
    return _signs().search(fold(text)) is not None


def with_scope(chosen: Sequence[Finding], said: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings with what the scope of each document says, before those of its other clauses."""
    stated = [item for item in said if is_scope_place(item.place) and speaks_of_scope(item.text)]
    first: list[Finding] = []
    for finding in sorted(stated, key=lambda item: -item.score):
        if sum(item.place.document == finding.place.document for item in first) < PER_DOCUMENT:
            first.append(finding)
    texts = {item.text for item in chosen}
    return (*chosen, *(item for item in first[:STATED] if item.text not in texts))


def is_scope_place(found: Place) -> bool:
    """Tell whether a place stands under a title about what is covered."""
    return any(is_scope(title) for title in (found.title, *found.heading_path[-1:]))


def scope_places(store: Store, evidence: Evidence) -> tuple[Place, ...]:
    """Return the places that say what the leading documents cover, those of the first document first."""
    leading = evidence.hits[:LEADING]
    documents = dict.fromkeys([*evidence.query.documents, *(hit.document for hit in leading)])
    known = {hit.chunk: hit for hit in evidence.hits}
    found: dict[int, Place] = {}
    for document in list(documents)[:DOCUMENTS]:
        above = {
            clause.label.key
            for hit in leading
            if hit.document == document
            for clause in store.lineage(document, hit.label.key)
        }
        for entry in _scopes(store, document, above):
            path = (str(leading[0].label), str(entry.label)) if leading else ()
            for item in store.chunks(_shown(store, document, entry.label)):
                if item.chunk.kind in SHOWN:
                    reached = place(item, 0.0, ("closure",), path=path)
                    found.setdefault(item.id, known.get(item.id, reached))
    return tuple(found.values())


def _scopes(store: Store, document: str, above: set[str]) -> list[ClauseEntry]:
    """Return the first clause about scope of a document, then those of the divisions of its hits."""
    titled = [entry for entry in store.contents(document) if is_scope(entry.title)]
    ranked = sorted(titled, key=lambda entry: _rank(entry.title))
    near = [entry for entry in titled if entry.parent and entry.parent.key in above]
    return list(dict.fromkeys([*ranked[:1], *near]))[:PER_DOCUMENT]


def _shown(store: Store, document: str, label: Label) -> list[int]:
    """Return the chunks that show a clause and the first paragraphs under it."""
    own = store.chunks_for(document, label)[:1]
    below = store.children(document, label.key)[:HELD]
    held = [chunk for child in below for chunk in store.chunks_for(document, child.label)[:1]]
    return list(dict.fromkeys((*own, *held)))


def is_scope(title: str) -> bool:
    """Tell whether this is the title of a clause about what is covered."""
    return bool(title) and _rank(title) < len(_titles())


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


def _words(name: str) -> Sequence[str]:
    words: Sequence[str] = tomllib.loads((data_folder() / "answer" / "scope.toml").read_text("utf-8"))[name]
    return words
