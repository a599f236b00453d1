"""What a question states of its case: materials, uses, locations, quantities."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from appliance.core.evidence import Concept, Condition, Stated
from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import Slot
from appliance.retrieval.query.lexicon import Tag, Words
from appliance.store.connection import Stem
from appliance.text.numbers import spelt_numbers, value
from appliance.text.quantities import Quantity, quantities, unit_behind
from appliance.text.terms import fold, words

_WORD = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+\d*")
ENDING = 3  # letters by which the forms of a word differ at most
PHRASE = 4  # words of the longest name of an idea


def conditions(text: str, tags: Sequence[Tag], stem: Stem) -> Iterator[Condition]:
    """Yield the conditions that a question states, in its order, each once."""
    seen: set[tuple[str, str]] = set()
    for tag, start, end in _tagged(text, tags, stem):
        if (tag.kind, tag.name) not in seen:
            seen.add((tag.kind, tag.name))
            yield Condition(tag.kind, tag.name, text[start:end])  # type: ignore[arg-type]  # load_conditions


def condition_slots(text: str, tags: Sequence[Tag], stem: Stem) -> Iterator[Slot]:
    """Yield where the conditions stand in a text."""
    for tag, start, end in _tagged(text, tags, stem):
        yield Slot(tag.kind, start, end, text[start:end])


def _tagged(text: str, tags: Sequence[Tag], stem: Stem) -> list[tuple[Tag, int, int]]:
    """Return the tags of a text with their places; the longest of those that overlap, all of one place."""
    known = _by_first(tuple(tags), stem)
    tokens = [(stem(fold(match.group())), *match.span()) for match in _WORD.finditer(text)]
    found: list[tuple[Tag, int, int]] = []
    for position, (first, start, _) in enumerate(tokens):
        for phrase, name, tag in known.get(first, ()):
            said = tokens[position : position + len(phrase)]
            end = said[-1][2]  # "apart" has the stem of "apartment" and is no form of it
            if tuple(word for word, *_ in said) == phrase and abs(end - start - len(name)) <= ENDING:
                found.append((tag, start, end))
    whole = [
        item
        for item in found
        if not any(a <= item[1] and item[2] <= b and b - a > item[2] - item[1] for _, a, b in found)
    ]
    return sorted(whole, key=lambda item: item[1])


@lru_cache(maxsize=8)
def _by_first(tags: tuple[Tag, ...], stem: Stem) -> dict[str, list[tuple[Words, str, Tag]]]:
    known: dict[str, list[tuple[Words, str, Tag]]] = {}
    for tag in tags:
        for name in tag.names:
            phrase = tuple(map(stem, words(name)))
            known.setdefault(phrase[0], []).append((phrase, name, tag))
    return known


def concepts(
    text: str,
    groups: Sequence[tuple[Words, ...]],
    stop: Collection[str],
    stem: Stem,
    nearest: Sequence[tuple[Words, tuple[Words, ...]]] = (),
) -> Iterator[Concept]:
    """Yield the ideas of a question that have other names, with those names; the longest phrase counts.

    `nearest` are the names that stand for one word and not for one another.
    """
    tokens = [(stem(fold(match.group())), *match.span()) for match in _WORD.finditer(text)]
    known = _phrases(tuple(groups), tuple(nearest), stem)
    position = 0
    while position < len(tokens):
        stems = tuple(token[0] for token in tokens[position : position + PHRASE])
        length = next((n for n in range(len(stems), 0, -1) if stems[:n] in known), 0)
        if not length or fold(text[tokens[position][1] : tokens[position][2]]) in stop:
            position += 1
            continue
        said = text[tokens[position][1] : tokens[position + length - 1][2]]
        yield Concept(said, known[stems[:length]])
        position += length


@lru_cache(maxsize=8)
def _phrases(
    groups: tuple[tuple[Words, ...], ...], nearest: tuple[tuple[Words, tuple[Words, ...]], ...], stem: Stem
) -> dict[Words, tuple[str, ...]]:
    """Return the other names of each stemmed phrase."""
    known: dict[Words, dict[str, None]] = {}
    for group in groups:
        stems = [tuple(map(stem, phrase)) for phrase in group]
        for own in stems:
            others = (" ".join(phrase) for phrase, other in zip(group, stems, strict=True) if other != own)
            known.setdefault(own, {}).update(dict.fromkeys(others))
    for asked, names in nearest:
        known.setdefault(tuple(map(stem, asked)), {}).update(dict.fromkeys(map(" ".join, names)))
    return {phrase: tuple(others) for phrase, others in known.items()}


_NUMBER = re.compile(r"[-\u2212]?\d+(?:[., ]\d+)*")
_REST = re.compile(r"[·/*^²³\w.()-]*[²³\w)]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNTED = re.compile(r"[ -]([^\W\d_]{3,})")


def stated(text: str, names: Iterable[str] = ()) -> tuple[Stated, ...]:
    """Return the quantities of a question in its order; `names` are labels and documents as typed in it."""
    taken = [match.span() for name in names for match in re.finditer(re.escape(name), text, re.IGNORECASE)]
    kept: list[tuple[int, Stated]] = []
    for found in sorted(quantities(text), key=lambda item: (item.kinds == {"count"}, item.start)):
        for start, each in _read(text, found):
            span = (start, start + len(each.words))
            if not any(a < span[1] and span[0] < b for a, b in taken):
                taken.append(span)
                kept.append((start, each))
    return tuple(each for _, each in sorted(kept, key=lambda item: item[0]))


def _read(text: str, found: Quantity) -> Iterator[tuple[int, Stated]]:
    """Yield (start, quantity), for a range both of its ends."""
    words, kinds = text[found.start : found.end], tuple(sorted(found.kinds))
    if found.kinds == {"count"}:
        if (counted := _COUNTED.match(text, found.end)) and not _YEAR.fullmatch(words):
            whole = text[found.start : counted.end()]
            yield found.start, Stated(whole, _number(words), counted[1], kinds)
        return
    number = _NUMBER.match(words)
    unit = unit_behind(words, number.end()) if number else ""
    if number and unit:
        rest = _REST.match(text, found.end)
        if rest and text[found.end] in "/·*^²³m":
            words, unit, kinds = words + rest.group(), unit + rest.group(), ()
        if first := _first().search(text[: found.start]):
            yield first.start(1), Stated(first[1], _number(first[1]), unit, kinds)
    yield found.start, Stated(words, _number(number.group()) if number and unit else None, unit, kinds)


def _number(text: str) -> float | None:
    """Return a number as typed: "2,500" is two thousand five hundred, "2,5" is two and a half."""
    try:
        return value(text)
    except ValueError:
        return spelt_numbers().get(text.strip().lower())


@cache
def _first() -> re.Pattern[str]:
    """Return what finds the first number of a range or size at the end of a text ("10 to", "2 x")."""
    words = "|".join(map(re.escape, shipped("retrieval/parts")["between"]))
    return re.compile(
        rf"(?<![\w.,:/-])([-\u2212]?\d+(?:[.,]\d+)*)\s?(?:{words}|[-\u2013\u00d7])\s?$", re.IGNORECASE
    )
