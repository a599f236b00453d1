"""The documents of a library as a review of references sees them: names, labels, pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

from appliance.core.document import Document, Label, first_page
from appliance.ingest.references.resolve import LabelIndex, Loaded
from appliance.store.records import DocumentInfo
from appliance.text.designations import Designation, names_of, stem_name


@dataclass(frozen=True, slots=True)
class Item:
    """A labelled item: its kind, its title, the page on which it starts."""

    kind: str
    title: str
    page: int


class Shelf:
    """The documents of one library, and its version; `read` returns one of them by its id."""

    def __init__(
        self, infos: tuple[DocumentInfo, ...], version: str, read: Callable[[str], Document]
    ) -> None:
        self.infos = infos
        self.version = version
        self.names: Mapping[str, tuple[Designation, ...]] = {info.id: names_of(info) for info in self.infos}
        called: dict[str, dict[str, DocumentInfo]] = defaultdict(dict)
        for info in self.infos:
            for name in self.names[info.id]:
                whole = name.key.partition("VOLUME")[0]  # a volume goes by the name of the whole too
                for key in (name.key, whole):
                    called[key][info.id] = info
        printed = frozenset(called)
        for info in self.infos:  # what no document prints as its name may be that of a file
            if (stem := stem_name(info.id).key) not in printed:
                called[stem][info.id] = info
        self.called: Mapping[str, tuple[DocumentInfo, ...]] = {
            key: tuple(found.values()) for key, found in called.items()
        }
        self._read = read
        self._held: dict[str, tuple[Loaded, Mapping[Label, Item]]] = {}
        self._lock = Lock()

    def held(self, document: str) -> tuple[Loaded, Mapping[Label, Item]]:
        """Return a document as references see it, and its items by label; read when first asked for."""
        with self._lock:
            if document not in self._held:
                self._held[document] = _held(self._read(document), self.names[document])
            return self._held[document]


def _held(document: Document, names: tuple[Designation, ...]) -> tuple[Loaded, Mapping[Label, Item]]:
    loaded = Loaded(document.id, names, superseded=False, labels=LabelIndex(document))
    items: dict[Label, Item] = {}
    for clause in document.clauses:
        items.setdefault(clause.label, Item(clause.kind, clause.title, first_page(clause.boxes, 1)))
    for kind, group in (("table", document.tables), ("figure", document.figures)):
        for each in group:
            items[each.label] = Item(kind, each.title, first_page(each.boxes, 1))
    for formula in document.formulas:
        items.setdefault(formula.label, Item("formula", "", first_page(formula.boxes, 1)))
    return loaded, items
