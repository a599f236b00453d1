"""What stands around a place that a question names, what refers to it, and what replaced a document.

Rules of this module: answers come from the tree and the graph of the library. Of several places of one
label the one that comes first in the exact jump is meant; it is named in the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from appliance.document import OUT_OF_FORCE, Clause, Figure, Label, Table
from appliance.evidence import Link, Listed, Scoped
from appliance.retrieval.ask import Ask
from appliance.retrieval.exact import Jump, key_of
from appliance.retrieval.naming import work
from appliance.retrieval.wanted import links
from appliance.store.read import Store
from appliance.store.values import DocumentInfo

MOST = 40  # items that are listed
TITLE = 80  # characters of a clause without a title that name it
Item = Clause | Table | Figure


@dataclass(frozen=True, slots=True)
class Found:
    """Ids of shown chunks that a question asks for by place, and what is said of them.

    `others` only compete with what the searches find.
    """

    first: tuple[int, ...] = ()
    leading: tuple[int, ...] = ()
    told: Scoped | None = None
    others: tuple[int, ...] = ()


def around(ask: Ask, named: Jump) -> Found | None:
    """Return what stands above, before, after or in the place that a question names."""
    place = _named_place(ask, named)
    relation = ask.question.relation
    if place is None or relation is None:
        return None
    document, item = place
    own = f"{item.label} of {document}"
    match relation:
        case "above":
            items = _above(ask.store, document, item)
            text = f"{own} stands in {_title(items[0])}." if items else f"Nothing stands above {own}."
        case "contents":
            items = _inside(ask.store, document, item)
            text = (
                f"{own} contains {_count(len(items))}." if items else f"{own} contains nothing with a label."
            )
        case _:
            items = _beside(ask.store, document, item, relation)
            order = "After" if relation == "after" else "Before"
            told = f"{order} {own} comes {_title(items[0])}." if items else ""
            text = told or f"Nothing comes {relation} {own} in its document."
    listed = tuple(listed_item(document, found) for found in items[:MOST])
    return Found(chunks_of(ask.store, listed[:3]), told=Scoped("relation", text, listed))


def linked(ask: Ask, named: Jump) -> Found | None:
    """Return what refers to the place that a question names; the search itself brings its places."""
    place = _named_place(ask, named)
    if place is None:
        return None
    document, item = place
    cited = [link for link in links(ask, named) if not _inside_of(link, document, item)]
    listed = tuple(
        Listed(
            link.from_document,
            link.from_label,
            "",
            _page(ask.store, link.from_document, link.from_label),
            link.words,
            (link.from_document, link.from_label),
        )
        for link in cited
    )
    text = f"{_count(len(listed), 'reference')} to {item.label} of {document} found in the documents loaded."
    return Found(
        told=Scoped("relation", text, listed[:MOST], tuple(info.id for info in ask.store.documents()))
    )


def led(ask: Ask, named: Jump) -> Found | None:
    """Return what the places that a question names refer to; the search itself brings its places."""
    place = _named_place(ask, named)
    if place is None:
        return None
    document, item = place
    found = links(ask, named)
    listed = tuple(
        Listed(
            link.to_document,
            link.to_label,
            "",
            _page(ask.store, link.to_document, link.to_label),
            link.words,
            (link.from_document, link.from_label),
        )
        for link in found
    )
    sources = ", ".join(dict.fromkeys(str(link.from_label) for link in found)) or str(item.label)
    text = f"{_count(len(listed), 'reference')} of {sources} ({document}) could be followed."
    return Found(told=Scoped("relation", text, listed[:MOST], (document,)))


def _inside_of(link: Link, document: str, item: Item) -> bool:
    return link.from_document == document and link.from_label == item.label


def _page(store: Store, document: str, label: Label) -> int:
    """Return the page on which a place begins, 0 where that is not known."""
    item = item_of(store, document, label.key) if store.has(document) else None
    return item.boxes[0].page if item and item.boxes else 0


def replaced(ask: Ask, _: Jump) -> Found | None:
    """Return what replaced the documents that a question names, and what they replaced."""
    said: list[str] = []
    listed: list[Listed] = []
    for info in ask.store.documents():
        if info.id not in ask.question.query.documents:
            continue
        newer = _editions(ask.store, info, "in")
        older = _editions(ask.store, info, "out")
        said += [_replacement(info, newer, older)]
        listed += [_document_item(item, "replaces it") for item in newer]
        listed += [_document_item(item, "is replaced by it") for item in older]
    return Found(told=Scoped("relation", " ".join(said), tuple(listed))) if said else None


def _replacement(info: DocumentInfo, newer: Sequence[DocumentInfo], older: Sequence[DocumentInfo]) -> str:
    name = info.designation or info.id
    if newer:
        return f"{name} is replaced by {_designations(newer)}."
    if info.status in OUT_OF_FORCE:
        return f"{name} is {info.status}; what replaced it is not among the documents loaded."
    if older:
        return f"{name} replaces {_designations(older)}; no later edition is among the documents loaded."
    return f"Nothing among the documents loaded replaces {name} (status: {info.status})."


def _editions(store: Store, info: DocumentInfo, direction: str) -> list[DocumentInfo]:
    """Return the documents that replace one ("in"), or that it replaces, by the graph and by their years."""
    known = {item.id: item for item in store.documents()}
    node = f"document:{info.id}:"
    near = store.neighbours(node, ("SUPERSEDES",), "in" if direction == "in" else "out")
    found = {item.node.document: known[item.node.document] for item in near if item.node.document in known}
    for other in known.values():
        later = (other.status not in OUT_OF_FORCE, other.designation) > (
            info.status not in OUT_OF_FORCE,
            info.designation,
        )
        if other.id != info.id and work(other) == work(info) and later == (direction == "in"):
            found[other.id] = other
    return list(found.values())


def _designations(documents: Iterable[DocumentInfo]) -> str:
    return " and ".join(info.designation or info.id for info in documents)


def _document_item(info: DocumentInfo, how: str) -> Listed:
    return Listed(info.id, Label((info.designation or info.id,)), info.title, 1, how)


def _named_place(ask: Ask, named: Jump) -> tuple[str, Item] | None:
    """Return the first place that a question names, as document and item."""
    for asked, chunks in named.labels:
        for chunk in ask.store.chunks(chunks):
            key = key_of(chunk, asked)
            if key and (item := item_of(ask.store, chunk.document, key)):
                return chunk.document, item
    return None


def item_of(store: Store, document: str, key: str) -> Item | None:
    """Return the clause, table or figure of a key."""
    return store.clause(document, key) or store.table(document, key) or store.figure(document, key)


def _above(store: Store, document: str, item: Item) -> list[Item]:
    """Return what holds an item, the nearest first."""
    if isinstance(item, Clause):
        return list(store.lineage(document, item.label)[-2::-1])
    return list(store.lineage(document, item.clause)[::-1]) if item.clause else []


def _inside(store: Store, document: str, item: Item) -> list[Item]:
    """Return what stands directly in a clause, and its tables and figures."""
    if not isinstance(item, Clause):
        return []
    key = item.label.key
    return [
        *store.children(document, key),
        *store.tables(document, clause=key),
        *store.figures(document, clause=key),
    ]


def _beside(store: Store, document: str, item: Item, relation: str) -> list[Item]:
    """Return what comes after or before an item among its like: a clause with all that it holds is passed."""
    if isinstance(item, Clause):
        entries = list(_siblings(store, document, item))
    elif isinstance(item, Table):
        entries = list(store.tables(document))
    else:
        entries = list(store.figures(document))
    labels = [entry.label for entry in entries]
    at = labels.index(item.label) + (1 if relation == "after" else -1)
    return [entries[at]] if 0 <= at < len(entries) else []


def _siblings(store: Store, document: str, item: Clause) -> Iterator[Item]:
    """Yield a clause between its neighbours of its level or above, so that what it holds is passed."""
    line = store.contents(document)
    at = next(number for number, entry in enumerate(line) if entry.label == item.label)
    before = next((entry for entry in line[:at][::-1] if entry.level <= item.level), None)
    after = next((entry for entry in line[at + 1 :] if entry.level <= item.level), None)
    for entry in (before, item, after):
        if entry is not None and (clause := store.clause(document, entry.label)):
            yield clause


def listed_item(document: str, item: Item, how: str = "") -> Listed:
    """Return an item as one of a list."""
    page = item.boxes[0].page if item.boxes else 0
    return Listed(document, item.label, name_of(item), page, how)


def name_of(item: Item) -> str:
    """Return the title of an item, or how its text begins."""
    title = item.title or (item.passage.text if isinstance(item, Clause) else "")
    flat = " ".join(title.split())
    return flat if len(flat) <= TITLE else flat[:TITLE].rsplit(" ", 1)[0] + " …"


def chunks_of(store: Store, items: Iterable[Listed]) -> tuple[int, ...]:
    """Return the id of the shown chunk of each item, each once."""
    found = (chunk for item in items for chunk in store.chunks_for(item.document, item.label)[:1])
    return tuple(dict.fromkeys(found))


def _title(item: Item) -> str:
    name = name_of(item)
    return str(item.label) if not name or name == str(item.label) else f"{item.label} ({name})"


def _count(number: int, what: str = "item") -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
