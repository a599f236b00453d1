"""Numbering schemes: what a family of codes calls its parts and how it numbers them, as TOML data.

Rules of this module: no word of any family stands here; a scheme is a frozen value; a table of the
TOML that this module does not know stays in `extra`, where its owner reads it (`[references]`). A
document in another language than its family's is read with the words of both (`schemes/languages`).
The patterns are regular expressions matched at the start of a line, with the group `number`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from appliance.document import ClauseKind
from appliance.errors import BadSettings
from appliance.ingest.language import language_of
from appliance.ingest.page import PageLayout, Source
from appliance.ingest.scheme_files import (
    LevelRow,
    SchemeFile,
    Sequencing,
    Styling,
    Titling,
    read_file,
    read_words,
)
from appliance.paths import data_folder

GENERIC = "decimal"  # the scheme of a code that no family claims
ENOUGH = 0.5  # of detection weight; below, no family is claimed
_SPOKEN_LISTS = (
    "definition_titles", "contents_titles", "informative", "normative", "top_titles", "not_headings",
    "not_after", "editions",
)  # fmt: skip
_SAMPLE = 40  # pages that are read to tell the family
OPENED, LINES = 0.5, 4  # share of the numbered lines that a family must be able to open; fewer say nothing
_NUMBERED = re.compile(r"((?:\d{1,3}|[A-Z])(?:\.\d{1,3})+)\.?(?=\s+[A-Z][a-z])")  # "5.3.1", "C.3.1"


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of numbered place.

    `sequence` tells which number follows which ("dotted": 5.3.1 -> 5.3.2, 5.4, 6). `label` is the
    template of the printed label; for what stands inside a clause `{parent}` is the clause's number.
    `rank` orders the depths: a place belongs to the nearest open one of a lower rank; a dotted number
    adds one for each of its dots. `title` tells where the heading stands ("rest" of the line, the bold
    line "above", the rest of its own "line" alone, nowhere, or decided by the type: "auto"). `style` is what
    its type must be: "heading" (bold, larger or coloured), "bold" (in any size), "lead" (the number itself
    bold), "small" (smaller than the body, as in boxes of legal text). `restarts` tells that numbers may begin
    again in it and that it then parts the labels.
    """

    name: str
    kind: ClauseKind
    pattern: re.Pattern[str]
    label: str
    rank: float
    sequence: Sequencing = "free"
    title: Titling = "none"
    style: Styling = "any"
    restarts: bool = False
    within: frozenset[str] = frozenset()  # names of levels it stands in; empty: anywhere
    after: re.Pattern[str] | None = None  # a line of the same or the last page must hold this
    informative: bool = False  # what stands in it explains and does not bind
    comments: str = ""  # how the clause it comments on is printed elsewhere: "{number}" for "R5.2.1"


@dataclass(frozen=True, slots=True)
class Scheme:
    """What a family of codes calls and numbers its places."""

    name: str
    detect: tuple[tuple[re.Pattern[str], float], ...]
    levels: tuple[Level, ...]
    captions: Mapping[str, tuple[str, ...]]  # "table" -> ("Table", ...); see captions.py
    definition_titles: tuple[str, ...]
    contents_titles: tuple[str, ...]
    informative: tuple[str, ...] = ()
    normative: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()  # words after a number that make it a quantity ("mm", "kN")
    designations: tuple[re.Pattern[str], ...] = ()
    editions: tuple[re.Pattern[str], ...] = ()
    statuses: Mapping[str, tuple[re.Pattern[str], ...]] = field(default_factory=dict)
    language: str = "en"  # of its words
    not_headings: tuple[re.Pattern[str], ...] = ()
    top_titles: tuple[str, ...] = ()  # unnumbered titles that no annex or clause holds ("Bibliography")
    back_titles: tuple[str, ...] = ()  # titles from which the publisher's own pages begin
    resets: tuple[re.Pattern[str], ...] = ()  # lines after which text belongs to the provision named

    def level(self, name: str) -> Level | None:
        """Return the level of this name."""
        return next((level for level in self.levels if level.name == name), None)


def load_schemes(folder: Path | None = None) -> tuple[Scheme, ...]:
    """Return the schemes of the program, then those of the user's folder (same name: the user's).

    No folder, or ".", stands for the schemes of the program alone.

    Raises:
        BadSettings: a scheme file is not TOML or does not fit.
    """
    found = {scheme.name: scheme for scheme in (*_shipped(), *map(read_scheme, own_schemes(folder)))}
    return tuple(found.values())


def own_schemes(folder: Path | None) -> tuple[Path, ...]:
    """Return the files of the user's folder in order; raises BadSettings where there is no such folder."""
    if folder is None or folder == Path():
        return ()
    if not folder.is_dir():
        message = f"{folder} is no folder of numbering schemes. Name an existing one in ingest.schemes."
        raise BadSettings(message)
    return tuple(sorted(folder.glob("*.toml")))


@cache
def _shipped() -> tuple[Scheme, ...]:
    return tuple(
        _scheme(read_file(path, tried=False)) for path in sorted((data_folder() / "schemes").glob("*.toml"))
    )


def read_scheme(path: Path) -> Scheme:
    """Return the scheme of one file; raises BadSettings with the file and what is wrong in it."""
    return _scheme(read_file(path))


def _scheme(file: SchemeFile) -> Scheme:
    return Scheme(
        name=file.name,
        detect=tuple((re.compile(sign.pattern), sign.weight) for sign in file.detect),
        levels=tuple(map(_level, file.levels)),
        captions=MappingProxyType({str(kind): words for kind, words in file.captions.items()}),
        definition_titles=file.definition_titles,
        contents_titles=file.contents_titles,
        informative=file.informative,
        normative=file.normative,
        not_after=file.not_after,
        top_titles=file.top_titles,
        back_titles=file.back_titles,
        designations=_compiled(file.designations),
        not_headings=_compiled(file.not_headings),
        resets=_compiled(file.resets),
        editions=_compiled(file.editions),
        statuses=MappingProxyType({key: _compiled(patterns) for key, patterns in file.statuses.items()}),
        language=file.language,
    )


def _compiled(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


def _level(row: LevelRow) -> Level:
    values = {**msgspec.structs.asdict(row), "pattern": re.compile(row.pattern)}
    return Level(**{**values, "after": re.compile(row.after) if row.after else None})


def choose(schemes: Sequence[Scheme], layouts: Sequence[PageLayout], source: Source) -> Scheme:
    """Return the scheme whose signs the document shows most; the generic one where none shows enough.

    Each sign counts by its weight and by the share of the sampled pages that show it. A document may speak
    of a family all the time and be none of it: one that cannot open the numbers of its lines is not its own.
    """
    texts = [f"{source.title}\n{text}" for text in _samples(layouts)]
    best = max(schemes, key=lambda scheme: _weight(scheme, texts))
    if _weight(best, texts) < ENOUGH or not _opens(best, texts):
        best = next((scheme for scheme in schemes if scheme.name == GENERIC), best)
    return spoken(best, language_of(texts))


def spoken(scheme: Scheme, language: str) -> Scheme:
    """Return the scheme with the words of the language that the document is written in, beside its own."""
    words = _language(language) if language != scheme.language else None
    if words is None:
        return scheme
    names = {level.name for level in scheme.levels}
    kinds = dict.fromkeys([*scheme.captions, *words.captions])
    captions = {kind: _both(scheme.captions, words.captions, kind) for kind in kinds}
    lists: dict[str, Any] = {
        key: tuple(dict.fromkeys((*getattr(scheme, key), *getattr(words, key)))) for key in _SPOKEN_LISTS
    }
    levels = (*scheme.levels, *(level for level in words.levels if level.name in names))
    return replace(scheme, captions=MappingProxyType(captions), levels=levels, **lists)


def _both(
    one: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]], key: str
) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one.get(key, ()), *other.get(key, ()))))


@cache
def _language(code: str) -> Scheme | None:
    """Return the words of a language as a scheme without signs, None where there are none."""
    path = data_folder() / "schemes" / "languages" / f"{code}.toml"
    if not path.is_file():
        return None
    return _scheme(read_words(path, code))


def _samples(layouts: Sequence[PageLayout]) -> list[str]:
    step = max(1, len(layouts) // _SAMPLE)
    return ["\n".join(line.text for line in (*page.margins, *page.lines)) for page in layouts[::step]]


def _weight(scheme: Scheme, texts: Sequence[str]) -> float:
    return sum(
        weight * sum(1 for text in texts if pattern.search(text)) / max(1, len(texts))
        for pattern, weight in scheme.detect
    )


def _opens(scheme: Scheme, texts: Sequence[str]) -> bool:
    """Tell whether most lines that begin with a dotted number can be places of the scheme."""
    lines = [
        (line, found[1]) for text in texts for line in text.splitlines() if (found := _NUMBERED.match(line))
    ]
    opened = sum(
        any((read := level.pattern.match(line)) and read["number"] == number for level in scheme.levels)
        for line, number in lines
    )
    return len(lines) < LINES or opened >= OPENED * len(lines)
