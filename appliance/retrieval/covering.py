"""Where a subject is covered: the headings, tables and figures that are named after it.

Rules of this module: a heading leads only where its title says nearly all of the subject, by rarity. Ideas
count with their other names.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from appliance.document import Label
from appliance.evidence import Listed, Scoped
from appliance.retrieval.around import Found, chunks_of
from appliance.retrieval.ask import Ask
from appliance.retrieval.exact import Jump
from appliance.retrieval.frames import sorts_of
from appliance.retrieval.query import Group
from appliance.store.read import Store
from appliance.store.words import fold, words

ENOUGH = 0.75  # share of the subject, by rarity, that the title of a leading heading says
LEADING = 3  # headings that lead
SPARE = 0.5  # of the words of such a title that belong to the subject at least
MOST = 60  # items of a list
LOWEST = 9  # the level of tables and figures among divisions
DIVIDED = frozenset({"clause", "requirement"})  # kinds of place whose chunks hold several clauses
KINDS = {"table": "table", "figure": "figure"}


@dataclass(frozen=True, slots=True)
class _Title:
    """A titled division, table or figure."""

    document: str
    label: Label
    kind: str
    title: str
    page: int
    level: int
    stems: frozenset[str]


_SECTIONS: WeakKeyDictionary[Store, dict[str, str]] = WeakKeyDictionary()  # of each document, as first told
_TITLES: WeakKeyDictionary[Store, tuple[_Title, ...]] = WeakKeyDictionary()  # as first asked for


def headings(ask: Ask, _: Jump) -> Found | None:
    """Return the divisions, tables and figures whose titles hold the subject of a question for a place."""
    subject = subject_of(ask)
    if not subject:
        return None
    wanted = _wanted_kind(ask)
    scored = [
        (covered, precise, title)
        for title in _titles(ask)
        if is_inside(ask, title.document) and (wanted is None or title.kind == wanted)
        for covered, precise in [match_of(ask, subject, title.stems)]
        if covered >= ENOUGH and precise >= SPARE
    ]
    scored.sort(key=lambda item: (-round(item[0], 2), -round(item[1], 2), item[2].level, item[2].page))
    listed = tuple(
        Listed(title.document, title.label, title.title, title.page, title.kind) for _, _, title in scored
    )
    if not listed:
        return None
    told = Scoped(
        "location",
        f"{count_of(len(listed), 'is', 'are')} named after the subject.",
        listed[:MOST],
        searched(ask),
    )
    return Found(leading=chunks_of(ask.store, listed[:LEADING])[:LEADING], told=told)


def searched(ask: Ask) -> tuple[str, ...]:
    """Return what was gone through: each document with its sections and pages."""
    return tuple(
        f"{info.id}: {_sections(ask.store, info.id)}pages 1-{info.pages}"
        for info in ask.store.documents()
        if is_inside(ask, info.id)
    )


def _sections(store: Store, document: str) -> str:
    known = _SECTIONS.setdefault(store, {})
    if document not in known:
        tops = [e for e in store.contents(document) if e.parent is None and e.kind != "front"]
        names = ", ".join(str(entry.label) for entry in tops[:MOST])
        known[document] = f"sections {names}; " if names else ""
    return known[document]


def subject_of(ask: Ask) -> tuple[Group, ...]:
    """Return the ideas of a question but for those that ask for the place or for documents."""
    stem = ask.store.connections.stem
    named = [
        word
        for info in ask.store.documents()
        if info.id in ask.question.query.documents
        for word in words(f"{info.id} {info.designation}")
    ]
    beside = {stem(word) for word in (*ask.lexicon.placing, *ask.lexicon.listing, *named)}
    frame = ask.question.frame
    inside = (
        {stem(word) for word in frame.subject} if frame else {group.stem for group in ask.question.groups}
    )
    subject = inside - beside - {stem(word) for word in sorts_of(fold(ask.question.spelt))}
    return tuple(group for group in ask.question.groups if group.stem in subject)


def _wanted_kind(ask: Ask) -> str | None:
    """Return "table" or "figure" where the question asks for one ("which table gives ...")."""
    said = words(ask.question.query.text)[:3]
    kinds = (ask.lexicon.label_kind(word) for word in said)
    return next((KINDS[kind] for kind in kinds if kind in KINDS), None)


def is_inside(ask: Ask, document: str) -> bool:
    """Tell whether a document is one of those that are asked about."""
    named = ask.question.query.documents
    return (not named or document in named) and (not ask.documents or document in ask.documents)


def match_of(ask: Ask, subject: Iterable[Group], stems: frozenset[str]) -> tuple[float, float]:
    """Return the share of the subject that a title says, by rarity, and the share of its words that do."""
    total = met = 0.0
    used: set[str] = set()
    for group in subject:
        weight = math.log(
            1.0 + ask.index.vocabulary.total / (1.0 + ask.index.vocabulary.chunks.get(group.stem, 0))
        )
        total += weight
        ways = [phrase for phrase in ((group.stem,), *group.others) if stems.issuperset(phrase)]
        if ways:
            met += weight
            used.update(word for phrase in ways for word in phrase)
    return (met / total if total else 0.0, len(used & stems) / len(stems) if stems else 0.0)


def _titles(ask: Ask) -> tuple[_Title, ...]:
    """Return the titles of a library, read the first time."""
    if ask.store not in _TITLES:
        _TITLES[ask.store] = tuple(_all_titles(ask.store, ask.lexicon.stop))
    return _TITLES[ask.store]


def _all_titles(store: Store, stop: Collection[str]) -> Iterator[_Title]:
    for info in store.documents():
        for entry in store.contents(info.id):
            if entry.title:
                stems = _stems(store, entry.title, stop)
                yield _Title(info.id, entry.label, "section", entry.title, entry.page, entry.level, stems)
        for kind, items in (("table", store.tables(info.id)), ("figure", store.figures(info.id))):
            for item in items:
                page, stems = item.boxes[0].page if item.boxes else 0, _stems(store, item.title, stop)
                yield _Title(info.id, item.label, kind, item.title, page, LOWEST, stems)


def stems_of(ask: Ask, title: str) -> frozenset[str]:
    """Return the stems of the words of a title that mean something."""
    return _stems(ask.store, title, ask.lexicon.stop)


def _stems(store: Store, title: str, stop: Collection[str]) -> frozenset[str]:
    said = (word for word in words(title) if word not in stop and not word[:1].isdigit())
    return frozenset(map(store.connections.stem, said))


def count_of(number: int, one: str, many: str) -> str:
    """Return in words how many places there are."""
    return f"1 place {one}" if number == 1 else f"{number} places {many}"
