"""The documents of a library as a review of references sees them: names, labels, pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from appliance.core.document import Box, Document, Label
from appliance.ingest.references.index import LabelIndex
from appliance.ingest.references.resolve import Loaded
from appliance.store.values import DocumentInfo
from appliance.text.designations import Designation, names_of, stem_name


class Listed(Protocol):
    """What is loaded, and under which version."""

    @property
    def documents(self) -> tuple[DocumentInfo, ...]: ...
    @property
    def version(self) -> str: ...


class Source(Protocol):
    """The part of a library that is reviewed against."""

    def overview(self) -> Listed: ...
    def document(self, document: str) -> Document: ...


@dataclass(frozen=True, slots=True)
class Item:
    """A labelled item: its kind, its title, the page on which it starts."""

    kind: str
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class Held:
    """A document with its labels, as references from others see it, and its items by label."""

    loaded: Loaded
    items: Mapping[Label, Item]


class Shelf:
    """The documents of one library."""

    def __init__(self, source: Source) -> None:
        listed = source.overview()
        self.infos = listed.documents
        self.version = listed.version
        self.names: Mapping[str, tuple[Designation, ...]] = {info.id: names_of(info) for info in self.infos}
        called: dict[str, dict[str, DocumentInfo]] = defaultdict(dict)
        for info in self.infos:
            for name in self.names[info.id]:
                for key in (
                    name.key,
                    name.key.partition("VOLUME")[0],
                ):  # a volume by the name of the whole too
                    called[key][info.id] = info
        printed = frozenset(called)
        for info in self.infos:  # what no document prints as its name may be that of a file
            if (stem := stem_name(info.id).key) not in printed:
                called[stem][info.id] = info
        self.called: Mapping[str, tuple[DocumentInfo, ...]] = {
            key: tuple(found.values()) for key, found in called.items()
        }
        self._source = source
        self._held: dict[str, Held] = {}
        self._lock = Lock()

    def held(self, document: str) -> Held:
        """Return a document with its labels, read when first asked for."""
        with self._lock:
            if document not in self._held:
                self._held[document] = _held(self._source.document(document), self.names[document])
            return self._held[document]


def _held(document: Document, names: tuple[Designation, ...]) -> Held:
    loaded = Loaded(document.id, names, superseded=False, labels=LabelIndex(document))
    items: dict[Label, Item] = {}
    for clause in document.clauses:
        items.setdefault(clause.label, Item(clause.kind, clause.title, _page(clause.boxes)))
    for kind, group in (("table", document.tables), ("figure", document.figures)):
        for each in group:
            items[each.label] = Item(kind, each.title, _page(each.boxes))
    for formula in document.formulas:
        items.setdefault(formula.label, Item("formula", "", _page(formula.boxes)))
    return Held(loaded, items)


def _page(boxes: tuple[Box, ...]) -> int:
    return min((box.page for box in boxes), default=1)
