"""Numbering schemes as TOML data: what a family of codes calls its parts and how it numbers them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from appliance.core.decoding import convert
from appliance.core.document import ClauseKind
from appliance.core.errors import BadSettings
from appliance.core.files import data_folder, parse, shipped
from appliance.ingest.page import PageLayout, Source
from appliance.text.language import language_of

Sequencing = Literal["dotted", "number", "letter", "doubled", "roman", "han", "once", "free"]
Titling = Literal["rest", "line", "auto", "none", "above"]
Styling = Literal["any", "heading", "bold", "lead", "small"]
CAPTIONS = frozenset(
    {"table", "figure", "formula", "note", "footnote", "continued", "sheet", "key", "explained"}
)

Word = Annotated[str, msgspec.Meta(pattern=r"\S")]
Words = tuple[Word, ...]
Patterns = tuple[re.Pattern[str], ...]

WANTED_CAPTIONS = ("table", "figure")  # without them all tables would be lost
PARTS = ("number", "head", "parent")  # of the template of a label
INNER = 19.5  # rank from which places stand inside a clause: lists and notes


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What tells the family of a document, and how surely."""

    pattern: re.Pattern[str]
    weight: float


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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

    name: Word
    kind: ClauseKind
    pattern: re.Pattern[str]
    label: str
    rank: float
    sequence: Sequencing = "free"
    title: Titling = "none"
    style: Styling = "any"
    restarts: bool = False
    within: frozenset[Word] = frozenset()  # names of levels it stands in; empty: anywhere
    after: re.Pattern[str] | None = None  # a line of the same or the last page must hold this
    informative: bool = False  # what stands in it explains and does not bind
    comments: str = ""  # how the clause it comments on is printed elsewhere: "{number}" for "R5.2.1"
    series: str = ""  # whose numbers count with its own; found ones have a name


class Scheme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a family of codes calls and numbers its places."""

    name: Word
    levels: tuple[Level, ...] = ()
    captions: Mapping[str, Words] = {}  # "table" -> ("Table", ...); see captions.py
    detect: tuple[Sign, ...] = ()
    definition_titles: Words = ()
    contents_titles: Words = ()
    informative: Words = ()
    normative: Words = ()
    not_after: Words = ()  # words after a number that make it a quantity ("mm", "kN")
    designations: Patterns = ()
    editions: Patterns = ()
    statuses: Mapping[str, Patterns] = {}
    language: Annotated[str, msgspec.Meta(pattern="^[a-z]{2,3}$")] = "en"  # of its words
    not_headings: Patterns = ()
    top_titles: Words = ()  # unnumbered titles that no annex or clause holds ("Bibliography")
    back_titles: Words = ()  # titles from which the publisher's own pages begin
    resets: Patterns = ()  # lines after which text belongs to the provision named


def read_scheme(path: Path) -> Scheme:
    """Return the scheme of one file.

    Raises:
        BadSettings: it is no scheme; with the file and what is wrong in it.
    """
    try:
        found = convert(parse(path)[1], Scheme, hook=_compiled)
        wrong = next(_wrong(found), "")
    except msgspec.ValidationError as error:
        wrong = str(error).replace("`$.", "`")
    except ValueError as error:
        wrong = str(error)
    if wrong:
        message = f"{path} is not a numbering scheme: {wrong}. docs/schemes.md tells what its keys mean."
        raise BadSettings(message)
    return found


def _compiled(_: type, pattern: Any) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, TypeError) as error:
        raise ValueError(f"{pattern!r} is no regular expression ({error})") from None


def _wrong(scheme: Scheme) -> Iterator[str]:
    """Yield what the types do not tell."""
    if not scheme.levels:
        yield "it has no `levels`"
    for kind in sorted(scheme.captions.keys() - CAPTIONS):
        yield f"`captions` has `{kind}`; known are {', '.join(sorted(CAPTIONS))}"
    for kind in WANTED_CAPTIONS:
        if kind not in scheme.captions:
            yield f"`captions` has no `{kind}` (a list of words; [] for a code that has none)"
    if not all(math.isfinite(sign.weight) for sign in scheme.detect):
        yield "a `weight` of `detect` is no number"
    names = {level.name for level in scheme.levels}
    for level in scheme.levels:
        yield from (f"level {level.name}: {fault}" for fault in _faults(level, names))


def _faults(level: Level, names: set[str]) -> Iterator[str]:
    if "number" not in level.pattern.groupindex:
        yield "`pattern` has no group `number`, as in (?P<number>[0-9]+)"
    if level.pattern.match(""):
        yield "`pattern` matches where nothing is printed"
    if not math.isfinite(level.rank):
        yield "`rank` is no number"
    if lost := sorted(level.within - names):
        yield f"`within` names {', '.join(lost)}, which is no level of this file"
    filled = ("label", level.label, PARTS, "are"), ("comments", level.comments, PARTS[:1], "is")
    for key, template, known, verb in filled:
        try:
            parts = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
        except ValueError as error:
            yield f"`{key}` is no template ({error})"
            continue
        if others := sorted(parts.difference(known)):
            fields = ", ".join(f"{{{name}}}" for name in known)
            yield f"`{key}` has {{{others[0]}}}, which nothing fills: {fields} {verb}"


GENERIC = "decimal"  # the scheme of a code that no family claims
ENOUGH = 0.5  # of detection weight; below, no family is claimed
_SPOKEN_LISTS = ("informative", "normative", "top_titles", "not_headings", "not_after", "editions")
_SAMPLE = 40  # pages that are read to tell the family
OPENED, LINES = 0.5, 4  # share of the numbered lines that a family must be able to open; fewer say nothing
_NUMBERED = re.compile(r"((?:\d{1,3}|[A-Z])(?:\.\d{1,3})+)\.?(?=\s+[A-Z][a-z])")  # "5.3.1", "C.3.1"


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


def generic() -> Scheme:
    """Return the scheme of a code that no family claims."""
    return next(scheme for scheme in _shipped() if scheme.name == GENERIC)


def choose(schemes: Sequence[Scheme], layouts: Sequence[PageLayout], source: Source) -> Scheme:
    """Return the scheme whose signs the document shows most; the generic one where none shows enough.

    Each sign counts by its weight and by the share of the sampled pages that show it. A document may speak
    of a family all the time and be none of it: one that cannot open the numbers of its lines is not its own.
    """
    pages = layouts[:: max(1, len(layouts) // _SAMPLE)]
    texts = ["\n".join([source.title, *(line.text for line in (*p.margins, *p.lines))]) for p in pages]
    best = max(schemes, key=lambda scheme: _weight(scheme, texts))
    if _weight(best, texts) < ENOUGH or not _opens(best, texts):
        best = next((scheme for scheme in schemes if scheme.name == GENERIC), best)
    return with_words(best, language_of(texts))


def with_words(scheme: Scheme, language: str) -> Scheme:
    """Return the scheme with the words of the language that the document is written in, beside its own.

    In its own language it needs no further levels, and has its own say on what is no heading or edition.
    Behind them stands what any language calls tables, figures and some titles.
    """
    foreign = bool(language) and language != scheme.language
    words = _language(language or scheme.language)
    rows: Mapping[str, Mapping[str, Sequence[str]]] = shipped("structure/captions")
    others = {kind: tuple(chain.from_iterable(spoken.values())) for kind, spoken in rows.items()}
    lists: dict[str, Any] = {
        key: (*getattr(scheme, key), *others.pop(key)) for key in ("definition_titles", "contents_titles")
    }
    for key in _SPOKEN_LISTS if foreign else ():
        lists[key] = tuple(dict.fromkeys((*getattr(scheme, key), *getattr(words, key))))
    every = (scheme.captions, words.captions, others)
    captions = {
        kind: tuple(dict.fromkeys(word for called in every for word in called.get(kind, ())))
        for kind in chain.from_iterable(every)
    }
    names = {level.name for level in scheme.levels if foreign}
    levels = (*scheme.levels, *(level for level in words.levels if level.name in names))
    return replace(scheme, captions=captions, levels=levels, **lists)


@cache
def _language(code: str) -> Scheme:
    """Return the words of a language as a scheme without signs, an empty one where there are none."""
    path = data_folder() / "schemes" / "languages" / f"{code}.toml"
    if not path.is_file():
        return Scheme(code)
    said = {"name": code, "language": code, **parse(path)[1]}
    return convert(said, Scheme, hook=_compiled)


def _weight(scheme: Scheme, texts: Sequence[str]) -> float:
    return sum(
        sign.weight * sum(1 for text in texts if sign.pattern.search(text)) / max(1, len(texts))
        for sign in scheme.detect
    )


def _opens(scheme: Scheme, texts: Sequence[str]) -> bool:
    """Tell whether most lines that begin with a dotted number can be places of the scheme."""
    every = (line for text in texts for line in text.splitlines())
    lines = [(line, found[1]) for line in every if (found := _NUMBERED.match(line))]
    opened = sum(
        any((read := level.pattern.match(line)) and read["number"] == number for level in scheme.levels)
        for line, number in lines
    )
    return len(lines) < LINES or opened >= OPENED * len(lines)
