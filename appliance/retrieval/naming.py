"""The names of documents in a text: "BS EN 1991-1-3", "EC1-1-3", "1991-1-3", "Approved Document K", "Doc K".

Rules of this module: pure; each function gives (start, end, id), any of which may stand inside another.
What was found is remembered while a question is read: its text is looked at many times.
Names are met however they are spaced or dashed, but letters alone are never joined ("add" is no "AD-D").
A work in volumes is named without its volume too, unless another one is named; "national annex to" before a
name makes it the name of another document. Words:
data/retrieval/editions.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from appliance.ingest.designations import ANNEX, fold_designation, names_of
from appliance.shipped import shipped
from appliance.store.values import DocumentInfo
from appliance.store.words import fold, words

SHORT_NAME = 3  # letters of what tells the documents of one series apart ("K" of "Approved Document K")
ANNEX_WORDS = 7  # words of the name of a national annex: "UK National Annex to BS EN 1991-1-3"
NAME_WORDS = 4  # words of a name that is written in another form
KEPT = 4_000  # names whose patterns are remembered
ASKED = 64  # texts whose names are
BETWEEN = r"[\s.:_-]*"  # the words of a name
SERIES_DIGITS = 4  # digits of the name of a series ("EN 1991"); fewer name too much

_BARE = re.compile(r"\d{4,5}(?:-\d{1,2})+")  # the number of a standard without the letters of its body
_BODY = re.compile(r"^[^\d]*(?=\d)")
_APART = re.compile(r"(?<=\d)\s+(?=\d{1,2}-\d)")  # between a series and the number of its Part: "EC1 1-4"
_NUMBERED_ANNEX = re.compile(rf"{re.escape(ANNEX)}[A-Z]+\d+(?:-\d{{1,2}})*")
_PARTED = re.compile(r"(?P<series>[A-Z]+\d+)-(?P<number>\d{1,2})")
_NUMBERED = re.compile(r"(?P<body>[A-Z]+)\d{4,5}(?:-\d{1,2})*")

Mention = tuple[int, int, str]


def work(info: DocumentInfo) -> str:
    """Return what the editions of one work share: the designation without its year."""
    return re.sub(r"\s*:\s*(?:19|20)\d\d.*$", "", fold(info.designation)).strip()


def by_name(folded: str, documents: Iterable[DocumentInfo]) -> tuple[Mention, ...]:
    """Return every name of a document in the text: its id, its designation, an alias, or a shorter form."""
    return _by_name(folded, tuple(documents))


def in_other_form(folded: str, documents: Iterable[DocumentInfo]) -> tuple[Mention, ...]:
    """Return where a text names a document in another form: "EC1-1-3", "1991-1-3", "EC1-3".

    A whole series ("EC1") names all of its Parts. A short form may leave out the Part that its one document
    of this number is of.
    """
    return _in_other_form(folded, tuple(documents))


@lru_cache(maxsize=ASKED)
def _by_name(folded: str, documents: tuple[DocumentInfo, ...]) -> tuple[Mention, ...]:
    found: list[Mention] = []
    for info in documents:
        for name, volume in _names(info):
            for pattern in _patterns(name):
                for match in pattern.finditer(folded):
                    start, end = match.span("name")
                    behind = _volume_behind().match(folded, end) if volume else None
                    if behind is None or behind["number"] == volume:
                        found.append((start, behind.end() if behind else end, info.id))
    return tuple(found)


@lru_cache(maxsize=ASKED)
def _in_other_form(folded: str, documents: tuple[DocumentInfo, ...]) -> tuple[Mention, ...]:
    known = [(name.key, info.id) for info in documents for name in names_of(info)]
    known += [(_BODY.sub("", key), document) for key, document in known if not key.startswith(ANNEX)]
    found: list[Mention] = []
    short = {(start, end) for start, end, _ in short_forms(folded)}
    for start, end, key in (*_keys(folded), *annexes(folded)):
        if any(a <= start and end <= b and b - a > end - start for a, b in short):
            continue  # "EC1" of "EC1 1-4"
        named = [document for name, document in known if name == key or name.startswith(f"{key}-")]
        if not named and (start, end) in short and (parted := _PARTED.fullmatch(key)):
            inside = re.compile(rf"{re.escape(parted['series'])}-\d-{parted['number']}")
            named = [document for name, document in known if inside.fullmatch(name)]
            named = named if len(set(named)) == 1 else []
        found += [(start, end, document) for document in named]
    return tuple(found)


def short_forms(text: str) -> Iterator[Mention]:
    """Yield where a text names a numbered document in a short form, with the whole one: "EC2", "EN1992"."""
    for start, end, key in _keys(fold(text)) if len(fold(text)) == len(text) else ():
        written = re.sub(r"\s+", "", text[start:end]).upper()
        named = _NUMBERED.fullmatch(key)
        if named and not written.startswith(named["body"]) and key not in written:
            yield start, end, key


def annexes(text: str) -> Iterator[Mention]:
    """Yield where a text names the national annex to a document, loaded or not, with its designation."""
    folded = fold(text)
    tokens = list(re.finditer(r"[^\s,;?!()]+", folded if len(folded) == len(text) else ""))
    for at, last in enumerate(tokens):
        for opening in reversed(tokens[max(0, at + 1 - ANNEX_WORDS) : at]):
            written = folded[opening.start() : last.end()].rstrip(".:")
            key = fold_designation(_article().sub(" ", written)).key
            if _NUMBERED_ANNEX.fullmatch(key) and written[-1:].isalnum():
                yield opening.start(), opening.start() + len(written), key
                break


def _keys(folded: str) -> Iterator[Mention]:
    """Yield what may be the name of a document, as its folded designation.

    Words before the letters of a body may pass for those of a national one ("does EN 1991-1-3"), so of the
    names with one end and one meaning the shortest counts.
    """
    tokens = list(re.finditer(r"[^\s,;?!()]+", folded))
    for at, last in enumerate(tokens):
        told: set[str] = set()
        for opening in reversed(tokens[max(0, at + 1 - NAME_WORDS) : at + 1]):
            written = folded[opening.start() : last.end()].rstrip(".:")
            key = fold_designation(_APART.sub("-", written)).key
            if key not in told and _names_a_series(key):
                told.add(key)
                yield opening.start(), opening.start() + len(written), key


def _names_a_series(key: str) -> bool:
    if len(re.findall(r"\d", key)) < SERIES_DIGITS:
        return False
    return re.search(r"[A-Z]", key) is not None or _BARE.fullmatch(key) is not None


def _names(info: DocumentInfo) -> Iterator[tuple[str, str]]:
    """Yield the names of a document, each once, with the volume that it is where the name does not say so."""
    seen: set[str] = set()
    designation = work(info)
    volume = _volume().search(designation)
    for name in (info.id, info.designation, designation, *info.aliases):
        shorter = _without_volume(name, volume["number"]) if volume else ""
        for form, number in ((name, ""), (shorter, volume["number"] if volume else "")):
            if form and form not in seen:
                seen.add(form)
                yield form, number


def _without_volume(name: str, number: str) -> str:
    """Return a name without the number of a volume at its end, "" where it has none."""
    folded = fold(name)
    if found := _volume().search(folded):
        return folded[: found.start()]
    cut = folded.removesuffix(number)
    return cut if cut != folded and cut[-1:].isalpha() else ""  # "AD-M1"


@cache
def _volume() -> re.Pattern[str]:
    return re.compile(rf"\s*,?\s*\b(?:{any_of('volumes')})\.?\s*(?P<number>\w+)\s*$")


@cache
def _volume_behind() -> re.Pattern[str]:
    """Return what finds the number of a volume behind the name of a document."""
    return re.compile(rf"[\s,:(]*\b(?:{any_of('volumes')})\b\.?\s*(?P<number>\w+)")


@lru_cache(maxsize=KEPT)
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a name however it is spaced or dashed, none for one of a single word.

    Where its last word is short there is one for a list of its like: "Approved Documents K and M", and the
    words that all of a series have may be shorter: "Doc K".
    """
    parts = words(name)
    if len(parts) < 2:
        return ()
    last = re.escape(parts[-1])
    apart = parts[-2].isalpha() and (len(parts[-2]) > SHORT_NAME or parts[-1].isalpha())
    parted = r"[\s.:_-]+" if apart else BETWEEN
    behind = r"(?!\w|[.-]\d)"
    if len(parts[-1]) > SHORT_NAME:
        return (re.compile(rf"(?<![\w-])(?P<name>{_spaced(parts[:-1])}{parted}{last}){behind}"),)
    others = rf"(?:[^\W_]{{1,{SHORT_NAME}}}(?:\s*,\s*|\s+(?:{any_of('listed')})\s+|\s*&\s*))"
    found = []
    for head in _heads(tuple(parts)):
        found.append(re.compile(rf"(?<![\w-])(?P<name>{head}{parted}{last}){behind}"))
        found.append(re.compile(rf"(?<![\w-]){head}s\s+{others}*(?P<name>{last})(?![\w-]){behind}"))
    return tuple(found)


def _heads(parts: tuple[str, ...]) -> Iterator[str]:
    """Yield patterns for the words before the last of a name, as printed and as they are shortened."""
    yield _spaced(parts[:-1])
    known: dict[str, list[str]] = shipped("retrieval/editions")["shortened"]
    if len(parts) > 2 and parts[-1].isalpha() and parts[-1] not in shipped("retrieval/editions")["small"]:
        yield from (rf"{re.escape(form)}\.?" for form in known.get(parts[-2], ()))


def _spaced(parts: Sequence[str]) -> str:
    """Return a pattern of words however they are spaced or dashed, a comma before the word for a volume."""
    volumes = shipped("retrieval/editions")["volumes"]
    commas = [r",?" if part in volumes else "" for part in parts[1:]]
    first, *rest = map(re.escape, parts)
    return first + "".join(f"{comma}{BETWEEN}{part}" for comma, part in zip(commas, rest, strict=True))


@cache
def _article() -> re.Pattern[str]:
    return re.compile(rf"\s+(?:{any_of('articles')})\s+")


def any_of(name: str) -> str:
    """Return the words of a list of data/retrieval/editions.toml as alternatives."""
    return "|".join(map(re.escape, shipped("retrieval/editions")[name]))
