"""Numbering schemes: what a family of codes calls its parts and how it numbers them, as TOML data.

Rules of this module: no word of any family stands here; a scheme is a frozen value; a table of the
TOML that this module does not know stays in `extra`, where its owner reads it (`[references]`).
The patterns are regular expressions matched at the start of a line, with the group `number`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from appliance.document import ClauseKind
from appliance.errors import BadSettings
from appliance.ingest.page import PageLayout, Source
from appliance.paths import data_folder

Sequencing = Literal["dotted", "number", "letter", "roman", "once", "free"]
Titling = Literal["rest", "auto", "none", "above"]
Styling = Literal["any", "heading", "bold", "small"]

GENERIC = "decimal"  # the scheme of a code that no family claims
ENOUGH = 0.5  # of detection weight; below, no family is claimed
_SAMPLE = 40  # pages that are read to tell the family


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of numbered place.

    `sequence` tells which number follows which ("dotted": 5.3.1 -> 5.3.2, 5.4, 6). `label` is the
    template of the printed label; for what stands inside a clause `{parent}` is the clause's number.
    `rank` orders the depths: a place belongs to the nearest open one of a lower rank; a dotted number
    adds one for each of its dots. `title` tells where the heading stands ("rest" of the line, the bold
    line "above", nowhere, or decided by the type: "auto"). `style` is what its type must be: "heading"
    (bold, larger or coloured), "bold" (in any size), "small" (smaller than the body, as in boxes of
    legal text). `restarts` tells that numbers may begin again in it and that it then parts the labels.
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
    not_after: tuple[str, ...] = ()  # words after a number that make it a quantity ("mm", "kN")
    designations: tuple[re.Pattern[str], ...] = ()
    editions: tuple[re.Pattern[str], ...] = ()
    statuses: Mapping[str, tuple[re.Pattern[str], ...]] = field(default_factory=dict)
    language: str = "en"  # of its words
    not_headings: tuple[re.Pattern[str], ...] = ()
    top_titles: tuple[str, ...] = ()  # unnumbered titles that no annex or clause holds ("Bibliography")
    back_titles: tuple[str, ...] = ()  # titles from which the publisher's own pages begin
    resets: tuple[re.Pattern[str], ...] = ()  # lines after which text belongs to the provision named
    extra: Mapping[str, Any] = field(default_factory=dict)

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
    return tuple(read_scheme(path) for path in sorted((data_folder() / "schemes").glob("*.toml")))


def read_scheme(path: Path) -> Scheme:
    """Return the scheme of one file; raises BadSettings with the file and what is wrong in it."""
    try:
        return _scheme(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, re.error) as error:
        message = f"{path} is not a numbering scheme: {error}."
    except (KeyError, TypeError, ValueError) as error:
        message = f"{path} is not a numbering scheme: {type(error).__name__} {error}."
    raise BadSettings(message)


def _scheme(data: dict[str, Any]) -> Scheme:
    known = {
        "name", "detect", "levels", "captions", "definition_titles", "contents_titles", "informative",
        "not_after", "designations", "statuses", "not_headings", "resets", "editions", "language",
        "top_titles", "back_titles",
    }  # fmt: skip
    return Scheme(
        name=data["name"],
        detect=tuple((re.compile(row["pattern"]), float(row["weight"])) for row in data.get("detect", ())),
        levels=tuple(_level(row) for row in data["levels"]),
        captions=MappingProxyType({kind: tuple(words) for kind, words in data.get("captions", {}).items()}),
        definition_titles=tuple(data.get("definition_titles", ())),
        contents_titles=tuple(data.get("contents_titles", ())),
        informative=tuple(data.get("informative", ())),
        not_after=tuple(data.get("not_after", ())),
        top_titles=tuple(data.get("top_titles", ())),
        back_titles=tuple(data.get("back_titles", ())),
        designations=_patterns(data, "designations"),
        not_headings=_patterns(data, "not_headings"),
        resets=_patterns(data, "resets"),
        editions=_patterns(data, "editions"),
        statuses=MappingProxyType(
            {key: _patterns(data["statuses"], key) for key in data.get("statuses", {})}
        ),
        language=data.get("language", "en"),
        extra=MappingProxyType({key: value for key, value in data.items() if key not in known}),
    )


def _patterns(data: Mapping[str, Any], key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in data.get(key, ()))


def _level(row: dict[str, Any]) -> Level:
    for key, allowed in (
        ("kind", ClauseKind),
        ("sequence", Sequencing),
        ("title", Titling),
        ("style", Styling),
    ):
        if key in row and row[key] not in get_args(allowed):
            message = (
                f"level {row.get('name')}: {key} = {row[key]!r} is none of {', '.join(get_args(allowed))}"
            )
            raise ValueError(message)
    values = {**row, "pattern": re.compile(row["pattern"]), "within": frozenset(row.get("within", ()))}
    if "after" in row:
        values["after"] = re.compile(row["after"])
    return Level(**values)


def choose(schemes: Sequence[Scheme], layouts: Sequence[PageLayout], source: Source) -> Scheme:
    """Return the scheme whose signs the document shows most; the generic one where none shows enough.

    Each sign counts by its weight and by the share of the sampled pages that show it.
    """
    texts = [f"{source.title}\n{text}" for text in _samples(layouts)]
    best = max(schemes, key=lambda scheme: _weight(scheme, texts))
    if _weight(best, texts) >= ENOUGH:
        return best
    return next((scheme for scheme in schemes if scheme.name == GENERIC), best)


def _samples(layouts: Sequence[PageLayout]) -> list[str]:
    step = max(1, len(layouts) // _SAMPLE)
    return ["\n".join(line.text for line in (*page.margins, *page.lines)) for page in layouts[::step]]


def _weight(scheme: Scheme, texts: Sequence[str]) -> float:
    return sum(
        weight * sum(1 for text in texts if pattern.search(text)) / max(1, len(texts))
        for pattern, weight in scheme.detect
    )
