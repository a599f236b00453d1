"""The file of a numbering scheme: which keys it may have, of what type, and what must be in them.

Rules of this module: whatever would make the reading lose places without a word is refused here, with the
key at fault: a text where a list of words belongs, an empty word, a level without its number, a template
or a name that nothing fills. The types are checked by msgspec; the meaning of the keys is told in
docs/schemes.md and beside the values of `schemes.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Annotated, Literal

import msgspec

from appliance.document import ClauseKind
from appliance.errors import BadSettings
from appliance.ingest.slow_patterns import slow_text
from appliance.toml_lines import line_holding, parse

Sequencing = Literal["dotted", "number", "letter", "doubled", "roman", "once", "free"]
Titling = Literal["rest", "line", "auto", "none", "above"]
Styling = Literal["any", "heading", "bold", "lead", "small"]
CaptionKind = Literal[
    "table", "figure", "formula", "note", "footnote", "aside", "continued", "sheet", "key", "explained"
]

Word = Annotated[str, msgspec.Meta(pattern=r"\S")]
Words = tuple[Word, ...]

WANTED_CAPTIONS: tuple[CaptionKind, ...] = ("table", "figure")  # without them all tables would be lost
PARTS = frozenset({"number", "head", "parent"})  # of the template of a label


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What tells the family of a document, and how surely."""

    pattern: Word
    weight: float


class LevelRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of numbered place as written."""

    name: Word
    kind: ClauseKind
    pattern: Word
    label: Word
    rank: float
    sequence: Sequencing = "free"
    title: Titling = "none"
    style: Styling = "any"
    restarts: bool = False
    within: frozenset[Word] = frozenset()
    after: str = ""
    informative: bool = False
    comments: str = ""


class SchemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scheme as written; patterns are texts that compile."""

    name: Word
    levels: tuple[LevelRow, ...] = ()
    captions: dict[CaptionKind, Words] = {}
    detect: tuple[Sign, ...] = ()
    definition_titles: Words = ()
    contents_titles: Words = ()
    informative: Words = ()
    normative: Words = ()
    not_after: Words = ()
    designations: Words = ()
    editions: Words = ()
    statuses: dict[Word, Words] = {}
    language: Annotated[str, msgspec.Meta(pattern="^[a-z]{2,3}$")] = "en"
    not_headings: Words = ()
    top_titles: Words = ()
    back_titles: Words = ()
    resets: Words = ()


def read_file(path: Path, *, tried: bool = True) -> SchemeFile:
    """Return what a file says; `tried`: its patterns are tried on hard texts, as those of a user are.

    Raises:
        BadSettings: it is no scheme; with the file and what is wrong in it.
    """
    try:
        text, rows = parse(path)
        found = msgspec.convert(rows, SchemeFile)
        wrong = next(_wrong(found), "") or (next(_slow(found, text), "") if tried else "")
    except msgspec.ValidationError as error:
        wrong = str(error).replace("`$.", "`")
    except ValueError as error:
        wrong = str(error)
    if wrong:
        message = f"{path} is not a numbering scheme: {wrong}. docs/schemes.md tells what its keys mean."
        raise BadSettings(message)
    return found


def read_words(path: Path, language: str) -> SchemeFile:
    """Return the words of a language, as a scheme that need not be whole; raises ValueError."""
    return msgspec.convert({"name": language, "language": language, **parse(path)[1]}, SchemeFile)


def _wrong(file: SchemeFile) -> Iterator[str]:
    """Yield what the types do not tell."""
    if not file.levels:
        yield "it has no `levels`"
    for kind in WANTED_CAPTIONS:
        if kind not in file.captions:
            yield f"`captions` has no `{kind}` (a list of words; [] for a code that has none)"
    for key, pattern in _patterns(file):
        try:
            re.compile(pattern)
        except (re.error, OverflowError) as error:
            yield f"`{key}` is no regular expression ({error}): {pattern}"
    if not all(math.isfinite(sign.weight) for sign in file.detect):
        yield "a `weight` of `detect` is no number"
    names = {level.name for level in file.levels}
    for level in file.levels:
        yield from (f"level {level.name}: {fault}" for fault in _faults(level, names))


def _slow(file: SchemeFile, text: str) -> Iterator[str]:
    """Yield the patterns that would keep the reading waiting, with their lines in the text of the file."""
    for key, pattern in _patterns(file):
        if hard := slow_text(pattern):
            line = line_holding(text, pattern)
            yield f"line {line}, `{key}` takes too long on a text such as “{hard}...”: {pattern}"


def _patterns(file: SchemeFile) -> Iterator[tuple[str, str]]:
    for key in ("designations", "editions", "not_headings", "resets"):
        yield from ((key, pattern) for pattern in getattr(file, key))
    yield from (("statuses", pattern) for patterns in file.statuses.values() for pattern in patterns)
    yield from (("detect", sign.pattern) for sign in file.detect)
    for level in file.levels:
        yield f"level {level.name}: pattern", level.pattern
        yield f"level {level.name}: after", level.after


def _faults(level: LevelRow, names: set[str]) -> Iterator[str]:
    pattern = re.compile(level.pattern)
    if "number" not in pattern.groupindex:
        yield "`pattern` has no group `number`, as in (?P<number>[0-9]+)"
    if pattern.match(""):
        yield "`pattern` matches where nothing is printed"
    if not math.isfinite(level.rank):
        yield "`rank` is no number"
    if lost := sorted(level.within - names):
        yield f"`within` names {', '.join(lost)}, which is no level of this file"
    yield from _unfilled("label", level.label, PARTS)
    yield from _unfilled("comments", level.comments, frozenset({"number"}))


def _unfilled(key: str, template: str, known: frozenset[str]) -> Iterator[str]:
    """Yield what is wrong with a template of which these parts are filled."""
    try:
        parts = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError as error:
        yield f"`{key}` is no template ({error})"
    else:
        if others := sorted(parts - known):
            filled = ", ".join(f"{{{name}}}" for name in ("number", "head", "parent") if name in known)
            verb = "are" if len(known) > 1 else "is"
            yield f"`{key}` has {{{others[0]}}}, which nothing fills: {filled} {verb}"
