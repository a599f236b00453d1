"""Examples for training, as values and as a folder of two JSON-lines files.

Rules of this module: a place is its parts, as a reranker reads them: at most `PARTS` passages, named
by a hash of their text, so that a passage stands once in `passages.jsonl` however many questions meet
it. Each example names its source, the document it comes from ("" for none) and the licence under
which it may be trained on; an example without a licence cannot be written.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from appliance.errors import BadInput

PARTS = 8
ASKED = "asked"  # the source of what people wrote
PASSAGES = "passages.jsonl"
EXAMPLES = "examples.jsonl"
Parts = tuple[str, ...]  # ids of passages
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Example:
    """A question, the places that answer it and the places that look as if they did."""

    question: str
    right: tuple[Parts, ...]
    wrong: tuple[Parts, ...]
    source: str
    document: str
    licence: str


@dataclass(frozen=True, slots=True)
class Data:
    """Examples with the texts of their passages by id."""

    examples: tuple[Example, ...]
    passages: Mapping[str, str]

    def without(self, documents: Iterable[str]) -> Data:
        """Return the examples that have nothing to do with these documents."""
        out = frozenset(documents)
        return Data(tuple(one for one in self.examples if one.document not in out), self.passages)

    def chosen(self, sources: Collection[str], most: int, seed: int) -> Data:
        """Return the examples of these sources (all, where none is named), `most` of each but the asked."""
        by_source: dict[str, list[Example]] = defaultdict(list)
        for one in self.examples:
            if not sources or one.source in sources:
                by_source[one.source].append(one)
        dice = random.Random(seed)  # noqa: S311 - no secret
        kept: list[Example] = []
        for source, examples in sorted(by_source.items()):
            whole = source == ASKED or not most or len(examples) <= most
            kept += examples if whole else dice.sample(examples, most)
        return Data(tuple(kept), self.passages)

    def counts(self) -> dict[str, int]:
        """Return the number of examples of each source."""
        return dict(sorted(Counter(one.source for one in self.examples).items()))


@dataclass(frozen=True, slots=True)
class _Passage:
    id: str
    text: str


@dataclass(slots=True)
class Writer:
    """A folder being filled; what is there already is kept, so that making can go on where it ended."""

    folder: Path
    known: set[str] = field(default_factory=set)
    done: set[tuple[str, str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in (PASSAGES, EXAMPLES):
            _mend(self.folder / name)
        if (self.folder / EXAMPLES).exists():
            data = _read(self.folder)
            self.known = set(data.passages)
            self.done = {(one.source, one.document, one.question) for one in data.examples}

    def has(self, source: str, document: str, question: str) -> bool:
        """Tell whether this question of this source stands in the folder."""
        return (source, document, question) in self.done

    def passage(self, text: str) -> str:
        """Return the id of a text, writing it where it is new."""
        name = passage_id(text)
        if name not in self.known:
            self.known.add(name)
            self._add(PASSAGES, {"id": name, "text": text})
        return name

    def add(self, example: Example) -> None:
        """Write an example; raises BadInput where it names no licence."""
        if not example.licence:
            message = f"An example of {example.source} names no licence, so it may not be trained on."
            raise BadInput(message)
        self.done.add((example.source, example.document, example.question))
        self._add(EXAMPLES, example)

    def _add(self, name: str, value: object) -> None:
        with (self.folder / name).open("ab") as file:
            file.write(msgspec.json.encode(value) + b"\n")


def passage_id(text: str) -> str:
    """Return the name of a passage: a hash of its text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read(folder: Path) -> Data:
    """Return the examples of a folder; raises BadInput where a file is missing or a line is broken.

    A last line that was cut off (the making was stopped) is left out.
    """
    data = _read(folder)
    if not data.examples:
        message = f"{folder} holds no examples. Make some with: appliance train data --into {folder}"
        raise BadInput(message)
    return data


def _read(folder: Path) -> Data:
    passages = {line.id: line.text for line in _lines(folder / PASSAGES, _Passage)}
    examples = tuple(
        one
        for one in _lines(folder / EXAMPLES, Example)
        if all(part in passages for parts in (*one.right, *one.wrong) for part in parts)
    )
    return Data(examples, passages)


def _mend(path: Path) -> None:
    """Cut off a last line that was not written whole."""
    if path.exists() and not (content := path.read_bytes()).endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])


def _lines(path: Path, kind: type[Line]) -> Iterator[Line]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise BadInput(message) from None
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            if number == len(lines):
                return
            message = f"{path}, line {number}: {error}."
            raise BadInput(message) from None
