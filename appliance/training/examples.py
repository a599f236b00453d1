"""Examples for training, as values and as a folder of two JSON-lines files."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import msgspec

from appliance.core.decoding import decode
from appliance.core.errors import BadInput

PARTS = 8
PASSAGES = "passages.jsonl"
EXAMPLES = "examples.jsonl"
Parts = tuple[str, ...]  # ids of passages
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Example:
    """A question, the places that answer it and the places that look as if they did.

    `also` are the documents that it comes from beside the first.
    """

    question: str
    right: tuple[Parts, ...]
    wrong: tuple[Parts, ...]
    source: str
    document: str
    licence: str
    also: tuple[str, ...] = ()

    @property
    def documents(self) -> frozenset[str]:
        return frozenset((self.document, *self.also))


@dataclass(frozen=True, slots=True)
class Data:
    """Examples with the texts of their passages by id."""

    examples: tuple[Example, ...]
    passages: Mapping[str, str]
    documents: Mapping[str, frozenset[str]] = field(default_factory=dict)  # that a passage stands in

    def named(self) -> list[str]:
        found = frozenset[str]().union(*(one.documents for one in self.examples), *self.documents.values())
        return sorted(found - {""})

    def of(self, documents: Iterable[str]) -> Data:
        """Return the examples of these documents, of one of them at least."""
        wanted = frozenset(documents)
        return replace(self, examples=tuple(one for one in self.examples if one.documents & wanted))

    def without(self, documents: Iterable[str]) -> Data:
        """Return the examples that have nothing to do with these documents, nor their wrong places.

        Raises:
            BadInput: there is no such document.
        """
        out = frozenset(documents)
        if not out:
            return self
        refuse_unknown(out, self.named())
        hidden = {name for name, stands in self.documents.items() if stands <= out}
        kept = []
        for one in self.examples:
            wrong = tuple(parts for parts in one.wrong if hidden.isdisjoint(parts))
            if one.right and wrong and not one.documents & out and all(map(hidden.isdisjoint, one.right)):
                kept.append(replace(one, wrong=wrong))
        return replace(self, examples=tuple(kept))


def refuse_unknown(wanted: Iterable[str], there: Collection[str]) -> None:
    """Raise BadInput where a document that is to be held out is not there."""
    if unknown := sorted(set(wanted) - set(there)):
        raise BadInput(
            f"There is no document {', '.join(unknown)} to hold out; there are "
            f"{', '.join(sorted(there)) or 'none'}."
        )


@dataclass(frozen=True, slots=True)
class _Passage:
    id: str
    text: str
    document: str


@dataclass(slots=True)
class Writer:
    """A folder being filled; what is there already is kept, so that making can go on where it ended."""

    folder: Path
    known: dict[str, set[str]] = field(default_factory=dict)  # passage -> documents written of it
    done: set[tuple[str, str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in (self.folder / PASSAGES, self.folder / EXAMPLES):
            if path.exists() and not (content := path.read_bytes()).endswith(b"\n"):
                path.write_bytes(content[: content.rfind(b"\n") + 1])  # a line that was not written whole
        if (self.folder / EXAMPLES).exists():
            data = _read(self.folder)
            self.known = {name: set(stands) for name, stands in data.documents.items()}
            self.done = {(one.source, one.document, one.question) for one in data.examples}

    def has(self, source: str, document: str, question: str) -> bool:
        """Tell whether this question of this source stands in the folder."""
        return (source, document, question) in self.done

    def refuse(self, held_out: Collection[str]) -> None:
        """Raise BadInput where the folder holds what stands in documents held out alone."""
        stands = [{document} for _, document, _ in self.done] + list(self.known.values())
        if held_out and any(documents <= set(held_out) for documents in stands):
            raise BadInput(
                f"{self.folder} holds what stands in {', '.join(sorted(held_out))} alone, made when nothing "
                "of it was held out. Name another folder with --into."
            )

    def passage(self, text: str, document: str) -> str:
        """Return the id of a text of a document ("": of none), writing it where it is new."""
        name = passage_id(text)
        written = self.known.setdefault(name, set())
        if document not in written:
            written.add(document)
            self._add(PASSAGES, {"id": name, "text": text, "document": document})
        return name

    def add(self, example: Example) -> None:
        """Write an example; raises BadInput where it names no licence."""
        if not example.licence:
            raise BadInput(f"An example of {example.source} names no licence, so it may not be trained on.")
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
    begun = (folder / EXAMPLES).exists() or not folder.is_dir()
    data = _read(folder) if begun else Data((), {})
    if not data.examples:
        raise BadInput(f"{folder} holds no examples. Make some with: appliance train data --into {folder}")
    return data


def _read(folder: Path) -> Data:
    passages: dict[str, str] = {}
    stands: dict[str, set[str]] = defaultdict(set)
    for line in _lines(folder / PASSAGES, _Passage):
        passages[line.id] = line.text
        stands[line.id].add(line.document)
    examples = tuple(
        one
        for one in _lines(folder / EXAMPLES, Example)
        if all(part in passages for parts in (*one.right, *one.wrong) for part in parts)
    )
    return Data(examples, passages, {name: frozenset(found) for name, found in stands.items()})


def _lines(path: Path, kind: type[Line]) -> Iterator[Line]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from None
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield decode(line, kind)
        except msgspec.DecodeError as error:
            if number == len(lines):
                return
            raise BadInput(f"{path}, line {number}: {error}.") from None
