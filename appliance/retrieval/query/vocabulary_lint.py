"""What is wrong with the form of a folder of vocabularies, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec

from appliance.core.evidence import Intent
from appliance.core.files import line_holding, line_of, parse
from appliance.retrieval.query.lexicon import Direction, Relation
from appliance.text.terms import words
from appliance.text.vocabularies import vocabulary_files

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
    """What is wrong with a vocabulary, with its file and line (0 for the file as a whole)."""

    path: Path
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class File:
    """A vocabulary as read."""

    path: Path
    text: str
    data: Mapping[str, Any]


def check(folder: Path | None = None) -> tuple[Complaint, ...]:
    """Return what is wrong with the files of a folder, or with those shipped, by file and line.

    Raises BadSettings: no such folder.
    """
    complaints: list[Complaint] = []
    shipped = vocabulary_files()
    for path in vocabulary_files(*([folder] if folder else [])):
        if folder and path in shipped:
            continue
        try:
            complaints += _shape(File(path, *parse(path)))
        except ValueError as error:
            line = re.match(r"line (\d+)", str(error))
            complaints.append(Complaint(path, int(line[1]) if line else 0, f"{error}."))
    return tuple(sorted(set(complaints), key=lambda one: (one.path.name, one.line, one.message)))


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


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and words(item) for item in value)


def _wrong(file: File, line: int, message: str) -> Complaint:
    return Complaint(file.path, line, message)
