"""Values of a table beside another one that says more of what is asked: they are not surely those wanted.

Rules of this module: pure. A row is named by its own words, by the heads of its deciding cells and by the
caption and heading over the table. Where one table found names all words of the question that another one
names, and some that it lacks ("clay" over the pipes, "axle" before the load), the values of the other stand
in its rows and none is shown as the number asked for. A table that names clearly rarer words is the nearer
one ("sand", not "loose"), as long as the question is one and not several. Numbers and small words name
nothing. A table that names all that the first finding names, and more, leads where it gives what is asked as
well; so does one with a row that is named by words of the question alone, where the rows of the first are of
other things with it as a part of their names ("lead", not "red lead paint"). What stands in brackets, behind
a comma or a small word says more of the same thing ("kitchen with a hood").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import inf

from appliance.answer.findings import Finding, holds_what_is_asked
from appliance.answer.measured import numbers_of
from appliance.core.document import OUT_OF_FORCE
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.store.read import Store
from appliance.tables.lookup import words
from appliance.tables.ranges import alike
from appliance.text.stems import merely_begins

SHORT_QUESTION = 5  # naming words of a question that is about one thing
CLEAR = 0.05  # share of the weight of its words by which one table is clearly nearer than another
CLEARER = 0.15  # the same where a question tells of more than one thing
SHORT = 2  # letters of a word that names nothing


def without_nearer(
    query: Query, found: Sequence[Finding], rarity: Callable[[str], float] = lambda _: 1.0
) -> tuple[Finding, ...]:
    """Return the findings; the values of a table are unsure where another one names more of the question.

    `rarity` is what a word weighs.
    """
    held = {at: _best(query, finding) for at, finding in enumerate(found) if finding.marked}
    weights = {at: sum(map(rarity, own)) for at, own in held.items()}
    asked = list(_ways(query))
    clear = inf if query.parts[1:] else CLEAR if len(asked) <= SHORT_QUESTION else CLEARER
    least = clear * sum(map(rarity, asked))
    near = {
        at: [
            other
            for other, theirs in held.items()
            if own < theirs or (weights[other] > weights[at] + least and not found[other].unsure)
        ]
        for at, own in held.items()
    }
    above = [at for at in near.get(0, ()) if held[0] < held[at]]
    lead = _leading(query, found, above, lambda at: weights[at])
    doubted = dict.fromkeys(at for at, others in near.items() if others and not found[at].unsure)
    for at in doubted:
        nearer = max(near[at], key=lambda other: weights[other])
        lacking = ", ".join(f"\u201c{word}\u201d" for word in sorted(held[nearer] - held[at]))
        table, other = found[at].place, found[nearer].place
        where = f"{other.document} {other.label}" if other.document != table.document else f"{other.label}"
        doubted[at] = f"{where} speaks of {lacking}, {table.label} does not"
    told = [replace(item, unsure=doubted.get(at) or item.unsure) for at, item in enumerate(found)]
    return tuple(told) if lead is None else (told[lead], *told[:lead], *told[lead + 1 :])


def whole_thing_first(query: Query, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, before the rows of other things those that are named by what is asked alone."""
    first = found[0] if found else None
    if first is None or not first.rows or "exact" in first.place.found_by or _is_whole(query, first):
        return tuple(found)
    own = _best(query, first)
    for finding in found[1:]:
        whole = finding.rows and not finding.unsure and _is_whole(query, finding)
        if whole and own <= _best(query, finding) and _gives_as_much(query, first, finding):
            return (finding, *(item for item in found if item is not finding))
    return tuple(found)


def _leading(
    query: Query, found: Sequence[Finding], nearer: Sequence[int], weight: Callable[[int], float]
) -> int | None:
    """Return which of the nearer tables leads instead of the first finding, None for none."""
    if not nearer or "exact" in found[0].place.found_by:
        return None
    sure = (at for at in nearer if not found[at].unsure and _gives_as_much(query, found[0], found[at]))
    return max(sure, key=weight, default=None)


def _gives_as_much(query: Query, first: Finding, finding: Finding) -> bool:
    """Tell whether a finding gives what is asked: a quantity of its kind, where one of a kind is."""
    given = holds_what_is_asked(query, finding.text)
    return given >= (1.0 if query.kinds else holds_what_is_asked(query, first.text))


def _is_whole(query: Query, finding: Finding) -> bool:
    """Tell whether a row stated is named by words of the question alone, or by none."""
    return any(len(_held(query, name)) >= len(set(words(name))) for name in map(_core, finding.rows))


def _core(name: str) -> str:
    """Return what a row is the row of, without what is said of it behind a bracket, a comma, a small word."""
    return _behind().split(name.strip(), maxsplit=1)[0]


@cache
def _behind() -> re.Pattern[str]:
    small = "|".join(map(re.escape, (*shipped("answer/columns")["behind"], *load_lexicon().stop)))
    return re.compile(rf"(?<=\S)(?:\s?[(\[,;:]|\s(?:{small})\s)", re.IGNORECASE)


def without_old(store: Store, query: Query, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings; the values of a document out of force are unsure where it was not asked for."""
    old = {
        info.id: info.status
        for info in store.documents()
        if info.status in OUT_OF_FORCE and info.id not in query.documents
    }
    return tuple(
        replace(item, unsure=f"{item.place.label} stands in {item.place.document}, which is {status}")
        if item.marked and not item.unsure and (status := old.get(item.place.document))
        else item
        for item in found
    )


def _best(query: Query, finding: Finding) -> frozenset[str]:
    """Return the words of a question that the best named row of a finding holds."""
    return max((_held(query, text) for text in finding.named), key=len, default=frozenset())


def _held(query: Query, text: str) -> frozenset[str]:
    own = words(text)
    return frozenset(
        word
        for word, ways in _ways(query).items()
        if any(all(any(_is_said(part, other) for other in own) for part in way) for way in ways)
    )


def _is_said(asked: str, printed: str) -> bool:
    return alike(asked, printed) and not merely_begins(asked, printed)


def _ways(query: Query) -> dict[str, list[list[str]]]:
    """Return each naming word of a question with the ways to say it."""
    small = {part for word in load_lexicon().stop for part in (word, *words(word))}
    small |= {part for bound in shipped("answer/columns")["bounds"].values() for part in bound}
    text = query.spelt or query.text
    small |= {part for number in numbers_of(text) for part in words(number.unit)}
    asked = [word for word in words(text) if word not in small and not word[0].isdigit()]
    ways = {word: [[word]] for word in asked if len(word) >= SHORT}
    for idea in query.concepts:
        for word in words(idea.words):
            if word in ways:
                ways[word] += filter(None, map(words, idea.others))
    return ways
