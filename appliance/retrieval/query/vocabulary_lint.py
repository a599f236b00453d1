"""What is wrong with a folder of vocabularies, line by line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from appliance.core.evidence import Intent
from appliance.core.files import line_holding, line_of, lines_of_lists, parse
from appliance.retrieval.query.lexicon import Direction, Relation, Words, load_lexicon
from appliance.text.terms import words
from appliance.text.vocabularies import vocabulary_files

SENSES = 3  # groups that one word may stand in before it likely merges unlike senses
_NAMED = dict[str, list[str]]
FORMS: Mapping[str, Any] = {  # the least form that each key must have; more is asked of some below
    "stop": str, "placing": str, "listing": str, "drop": list[str], "words": _NAMED, "editions": _NAMED,
    "lists": _NAMED, "bare": _NAMED, "pages": _NAMED, "broader": dict[str, Any], "groups": list[Any],
    "instead": _NAMED,
    "tags": dict[str, dict[str, Any]], "conditions": dict[str, _NAMED], "intent": list[Any],
    "direction": list[Any], "relation": list[Any],
}  # fmt: skip
TYPES = {"object": "a table", "array": "a list", "str": "a text", "int": "a number", "float": "a number"}
KINDS = ("material", "structure", "load", "discipline")


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing about a vocabulary, with its file and line (0 for the file as a whole)."""

    path: Path
    line: int
    state: Literal["wrong", "note"]
    message: str


@dataclass(frozen=True, slots=True)
class File:
    """A vocabulary as read; `groups`, `broader`, `tags` hold what is well formed of it."""

    path: Path
    text: str
    data: Mapping[str, Any]
    own: bool  # one that is checked, not merely read with it

    @property
    def groups(self) -> list[list[str]]:
        """Return the groups that are lists of words, and hold one."""
        given = self.data.get("groups", [])
        return [group for group in given if group and _is_words(group)] if isinstance(given, list) else []

    @property
    def lines(self) -> list[int]:
        """Return the line of each of the groups."""
        return lines_of_lists(self.text, "groups", self.groups)

    @property
    def broader(self) -> dict[str, list[str]]:
        """Return each narrow word with the broad ones."""
        given = self.data.get("broader", {})
        pairs = given.items() if isinstance(given, dict) else ()
        return {name: broad for name, broad in pairs if _is_words(broad)}

    @property
    def tags(self) -> list[list[str]]:
        """Return the words of every tag."""
        given = self.data.get("tags", {})
        tables = (
            [table for table in given.values() if isinstance(table, dict)] if isinstance(given, dict) else []
        )
        return [[name, *names] for table in tables for name, names in table.items() if _is_words(names)]


def check(folder: Path | None = None, held: Callable[[str], bool] | None = None) -> tuple[Complaint, ...]:
    """Return what is to be said of the files of a folder, or of those shipped, by file and line.

    `held` tells whether a library holds all words of a phrase. Raises BadSettings: no such folder.
    """
    complaints: list[Complaint] = []
    files: list[File] = []
    shipped = vocabulary_files()
    for path in vocabulary_files(*([folder] if folder else [])):
        own = path not in shipped if folder else True
        try:
            files.append(File(path, *parse(path), own))
        except ValueError as error:
            line = re.match(r"line (\d+)", str(error))
            complaints.append(Complaint(path, int(line[1]) if line else 0, "wrong", f"{error}."))
    for file in files:
        if file.own:
            complaints += [*_shape(file), *_groups(file), *_targets(file, files)]
            complaints += _unheard(file, held) if held else []
    complaints += [*_twice(files), *_loops(files), *_crowded(files)]
    return tuple(sorted(set(complaints), key=lambda c: (c.path.name, c.line, c.state != "wrong", c.message)))


def stopped() -> frozenset[str]:
    """Return the words that a question is searched without."""
    return load_lexicon().stop


def _shape(file: File) -> Iterator[Complaint]:
    """Yield what is not of the form that is read."""
    for key in file.data:
        if key not in FORMS:
            known = ", ".join(FORMS)
            line = max(line_of(file.text, key), line_of(file.text, "", key))
            yield _wrong(file, line, f"unknown key {key!r}; known are: {known}.")
    yield from _not_of_form(file)
    yield from _not_words(file)
    for key, names in (
        ("intent", get_args(Intent)),
        ("direction", get_args(Direction)),
        ("relation", get_args(Relation)),
    ):
        entries = file.data.get(key, [])
        for entry in entries if isinstance(entries, list) else []:
            yield from _patterns(file, entry, key, names)


def _not_of_form(file: File) -> Iterator[Complaint]:
    for key in FORMS.keys() & file.data.keys():
        try:
            msgspec.convert(file.data[key], FORMS[key])
        except msgspec.ValidationError as error:
            line = max(line_of(file.text, key), line_of(file.text, "", key))
            wanted, got = re.findall(r"`(\w+)`", str(error))[:2]
            inside = " in it" if "$" in str(error) else ""
            why = f"{TYPES.get(wanted, wanted)} is wanted{inside}, not {TYPES.get(got, got)}"
            yield _wrong(file, line, f"{key}: {why}.")


def _not_words(file: File) -> Iterator[Complaint]:
    groups = file.data.get("groups", [])
    for group in groups if isinstance(groups, list) else [groups]:
        if group == [] or not _is_words(group):
            why = "a group is empty" if group == [] else f"{group!r} is not a list of words"
            yield _wrong(file, line_of(file.text, "", "groups"), f"{why}.")
    for table, kinds in (("broader", None), *((f"tags.{kind}", kind) for kind in _tables(file))):
        entries = file.data.get("broader", {}) if kinds is None else file.data["tags"][kinds]
        for name, value in entries.items() if isinstance(entries, dict) else ():
            if not _is_words(value):
                line = line_of(file.text, table, name)
                yield _wrong(file, line, f"{name!r} must be a list of words, not {value!r}.")
    for kind in _tables(file):
        if kind not in KINDS:
            line = line_of(file.text, f"tags.{kind}")
            yield _wrong(file, line, f"unknown kind of tag {kind!r}; known are: {', '.join(KINDS)}.")


def _tables(file: File) -> list[str]:
    tags = file.data.get("tags", {})
    return [kind for kind, names in tags.items() if isinstance(names, dict)] if isinstance(tags, dict) else []


def _patterns(file: File, entry: Any, key: str, names: Sequence[str]) -> Iterator[Complaint]:
    if not isinstance(entry, dict) or entry.get("name") not in names:
        yield _wrong(file, line_of(file.text, key), f"an entry of {key} has a name of: {', '.join(names)}.")
        return
    for pattern in entry.get("patterns", ()):
        try:
            re.compile(pattern)
        except (re.error, TypeError) as error:
            yield _wrong(file, line_holding(file.text, str(pattern)), f"{pattern!r} is no pattern: {error}.")


def _groups(file: File) -> Iterator[Complaint]:
    """Yield groups that say nothing, words that are said twice in one, and words never recognised."""
    stop = stopped()
    for line, group in zip(file.lines, file.groups, strict=True):
        folded = [tuple(words(item)) for item in group]
        if len(set(folded)) < 2:
            yield _wrong(file, line, f"the group of {group[0]!r} has no second word.")
        for at, phrase in enumerate(folded):
            if phrase in folded[:at]:
                yield _note(file, line, f"{group[at]!r} stands twice in its group.")
            if phrase and all(word in stop for word in phrase):
                message = f"{group[at]!r} is left out of questions: the others lead to it, not it to them."
                yield _note(file, line, message)


def _targets(file: File, files: Iterable[File]) -> Iterator[Complaint]:
    """Yield broad words that nobody names."""
    known = {
        tuple(words(item))
        for other in files
        for group in (*other.groups, *other.tags, list(other.broader))
        for item in group
    }
    for name, broad in file.broader.items():
        for item in broad:
            if tuple(words(item)) not in known:
                line = line_of(file.text, "broader", name)
                yield _wrong(file, line, f"{name!r} is said to be a kind of {item!r}, which no file names.")


def _twice(files: Sequence[File]) -> Iterator[Complaint]:
    """Yield groups that an earlier one already says in full."""
    seen: dict[frozenset[Words], str] = {}
    for file in files:
        for line, group in zip(file.lines, file.groups, strict=True):
            folded = frozenset(tuple(words(item)) for item in group)
            holder = next((name for known, name in seen.items() if folded <= known), None)
            if file.own and holder:
                state: Literal["wrong", "note"] = "wrong" if folded in seen else "note"
                message = f"the group of {group[0]!r} is already said ({holder})."
                yield Complaint(file.path, line, state, message)
            seen.setdefault(folded, f"{file.path.name}, {group[0]!r}")


def _loops(files: Sequence[File]) -> Iterator[Complaint]:
    """Yield words that are a kind of themselves, each loop once."""
    above: dict[Words, list[Words]] = defaultdict(list)
    homes: dict[Words, tuple[File, str]] = {}
    for file in files:
        for name, broad in file.broader.items():
            homes.setdefault(tuple(words(name)), (file, name))
            above[tuple(words(name))] += [tuple(words(item)) for item in broad]
    told: set[frozenset[Words]] = set()
    for start, (file, name) in homes.items():
        path = _way_back(start, above)
        if path and frozenset(path) not in told:
            told.add(frozenset(path))
            way = " is a kind of ".join(" ".join(step) for step in (*path, start))
            if file.own:
                yield _wrong(file, line_of(file.text, "broader", name), f"it goes round in a circle: {way}.")


def _way_back(start: Words, above: Mapping[Words, Sequence[Words]]) -> tuple[Words, ...]:
    """Return the words from one back to itself, () where there is no such way."""
    ways: list[tuple[Words, ...]] = [(start,)]
    seen: set[Words] = set()
    while ways:
        way = ways.pop()
        for broad in above.get(way[-1], ()):
            if broad == start:
                return way
            if broad not in seen:
                seen.add(broad)
                ways.append((*way, broad))
    return ()


def _crowded(files: Sequence[File]) -> Iterator[Complaint]:
    """Yield words of so many groups that they likely merge unlike senses."""
    homes: dict[Words, list[tuple[File, int, list[str], str]]] = defaultdict(list)
    for file in files:
        for line, group in zip(file.lines, file.groups, strict=True):
            for phrase, item in {tuple(words(item)): item for item in group}.items():
                homes[phrase].append((file, line, group, item))
    for found in homes.values():
        if len(found) > SENSES and found[-1][0].own:
            file, line, _, item = found[-1]
            others = ", ".join(repr(other[0]) for _, _, other, _ in found)
            message = f"{item!r} stands in {len(found)} groups and joins their senses: {others}."
            yield _note(file, line, message)


def _unheard(file: File, held: Callable[[str], bool]) -> Iterator[Complaint]:
    """Yield words that occur in no document of the library."""
    for line, group in zip(file.lines, file.groups, strict=True):
        absent = [item for item in group if not held(item)]
        if len(absent) == len(group):
            yield _note(file, line, f"no document says any word of the group of {group[0]!r}.")
        elif absent:
            yield _note(file, line, f"no document says {', '.join(map(repr, absent))}.")


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and words(item) for item in value)


def _wrong(file: File, line: int, message: str) -> Complaint:
    return Complaint(file.path, line, "wrong", message)


def _note(file: File, line: int, message: str) -> Complaint:
    return Complaint(file.path, line, "note", message)


def held_by(vocabulary: Collection[str], stem: Callable[[str], str]) -> Callable[[str], bool]:
    """Return what tells whether all words of a phrase occur in a library with these index terms."""
    return lambda phrase: all(stem(word) in vocabulary for word in words(phrase))
