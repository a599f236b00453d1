"""What stands around a place or on a page, what refers to it, and what replaced a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.core.document import OUT_OF_FORCE, Clause, Figure, Label, Reference, Table
from appliance.core.evidence import Link, Listed, Scoped
from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask
from appliance.retrieval.channels.exact import Jump, key_of, keys_of
from appliance.retrieval.follow.references import LISTING, OVERVIEWS, Edge
from appliance.retrieval.query.documents import work
from appliance.retrieval.query.labels import AskedLabel
from appliance.store.read import Store, bearers
from appliance.store.values import DocumentInfo, StoredChunk
from appliance.text.terms import fold_label


@dataclass(frozen=True, slots=True)
class _Asked:
    """A label of a document with the chunk that shows it, and the keys of itself and what it holds."""

    item: StoredChunk
    keys: tuple[str, ...]

    def holds(self, link: Link) -> bool:
        """Tell whether both ends of a reference are the label itself or stand in it."""
        ends = ((link.from_document, link.from_label), (link.to_document, link.to_label))
        return all(document == self.item.document and label.key in self.keys for document, label in ends)


@dataclass(frozen=True, slots=True)
class _Cited:
    """A reference of one kind, and which of its ends is not the label asked for."""

    kind: str
    document: str
    label: Label
    link: Link


@mechanism("follow.wanted", "A question about references leads to their other ends.", without=lambda *_: ())
def wanted(ask: Ask, named: Jump) -> tuple[Edge, ...]:
    """Return the steps that a question about references asks for, none for other questions.

    Each edge leads from the place named to the place wanted, also where the reference itself runs
    the other way: what the place shown is, its link tells.
    """
    query = ask.question.query
    if query.intent != "reference" or not named.labels:
        return ()
    inside = [
        edge for edge in _edges(ask, named) if edge.target not in named.first and ask.scope.holds(edge.target)
    ]
    return tuple({edge.target: edge for edge in reversed(inside)}.values())[::-1]


@mechanism(
    "follow.most_linked",
    "Of the places of one label the one with most references comes first.",
    without=lambda _ask, named: named,
)
def most_linked_first(ask: Ask, named: Jump) -> Jump:
    """Return what a question about references names, of one label the place with most references first."""
    if ask.question.query.intent != "reference" or ask.question.relation or len(named.first) < 2:
        return named
    counted = Counter(e.source for e in dict.fromkeys(_edges(ask, named)) if ask.scope.holds(e.target))
    labels = tuple(
        (label, tuple(sorted(chunks, key=lambda chunk: -counted[chunk]))) for label, chunks in named.labels
    )
    first = tuple(dict.fromkeys(chunk for _, chunks in labels for chunk in chunks))
    return replace(named, first=first, labels=labels)


def links(ask: Ask, named: Jump) -> tuple[Link, ...]:
    """Return every reference from the places that a question names, or to them, each pair of labels once."""
    found = (
        cited.link
        for asked in _asked(ask.store, named)
        for cited in _cited(ask, asked)
        if not asked.holds(cited.link) and any(map(ask.scope.holds, _chunks(ask.store, cited)))
    )
    pairs = {(link.from_document, link.from_label, link.to_document, link.to_label): link for link in found}
    return tuple(pairs.values())


def _edges(ask: Ask, named: Jump) -> Iterator[Edge]:
    """Yield the steps to other places than the one named."""
    for asked in _asked(ask.store, named):
        for cited in _cited(ask, asked):
            for chunk in _chunks(ask.store, cited):
                if chunk != asked.item.id:
                    yield Edge(asked.item.id, chunk, cited.kind, cited.link)


def _cited(ask: Ask, asked: _Asked) -> Iterator[_Cited]:
    return (_sources if ask.question.incoming else _targets)(ask.store, asked)


def _asked(store: Store, named: Jump) -> Iterator[_Asked]:
    for label, chunks in named.labels:
        for item in store.chunks(chunks):
            if keys := tuple(_keys(item, label)):
                yield _Asked(item, keys)


def _keys(item: StoredChunk, asked: AskedLabel) -> Iterator[str]:
    """Yield the keys of the labels of a chunk that are the one asked for, or items and paragraphs of it."""
    labels = dict.fromkeys((item.chunk.label, *item.chunk.labels))
    named = {label.key: {fold_label(str(label)), fold_label("".join(label.parts))} for label in labels}
    ways = ([key for key, said in named.items() if said & set(forms)] for forms in asked.forms)
    own = next(filter(None, ways), [])  # a paragraph is asked for before the clause that holds it
    yield from own
    for label in labels:
        if any(_is_part(label.key, key) for key in own):
            yield label.key


def _is_part(key: str, whole: str) -> bool:
    """Tell whether a key is that of an item or paragraph of another: "1.42b" and "1.42(2)" of "1.42"."""
    rest = key.removeprefix(whole)
    return rest != key and bool(rest) and (rest[0].isalpha() or rest[0] == "(")


def _targets(store: Store, asked: _Asked) -> Iterator[_Cited]:
    document = asked.item.document
    for reference in store.references_from_any(document, asked.keys):
        if reference.target is not None:
            target = reference.document or document
            link = Link(document, reference.source, target, reference.target, reference.text)
            yield _Cited(reference.kind, target, reference.target, link)


def _sources(store: Store, asked: _Asked) -> Iterator[_Cited]:
    own = asked.item.document
    found = [cited for key in asked.keys for cited in store.references_to(own, key)]
    listing = set(_listing(store, found))
    for document, reference in sorted(found, key=lambda cited: cited[0] != own):
        if (document, reference.source.key) not in listing and reference.target is not None:
            link = Link(document, reference.source, own, reference.target, reference.text)
            yield _Cited(reference.kind, document, reference.source, link)


def _listing(store: Store, found: Iterable[tuple[str, Reference]]) -> Iterator[tuple[str, str]]:
    """Yield the headings and annexes that refer to so many places that they are an index or contents."""
    for document, key in {(document, reference.source.key) for document, reference in found}:
        targets = {reference.target for reference in store.references_from(document, key)}
        if len(targets) > LISTING and _is_overview(store, document, key):
            yield document, key


def _is_overview(store: Store, document: str, key: str) -> bool:
    shown = store.chunks(store.chunks_for(document, Label.from_key(key))[:1])
    return any(item.chunk.kind in OVERVIEWS for item in shown)


def _chunks(store: Store, cited: _Cited) -> tuple[int, ...]:
    """Return the chunk that shows the other end of a reference, none where it is not loaded."""
    return tuple(store.chunks_for(cited.document, cited.label)[:1]) if store.has(cited.document) else ()


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


@mechanism(
    "follow.around", "What stands above, before, after or in a place is shown.", without=lambda *_: None
)
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


@mechanism(
    "follow.linked", "What refers to a place, or what it refers to, is listed.", without=lambda *_: None
)
def linked(ask: Ask, named: Jump) -> Found | None:
    """Return the references to or from the place that a question names; the search brings their places."""
    place = _named_place(ask, named)
    if place is None:
        return None
    document, item = place
    if incoming := ask.question.incoming:
        found = [link for link in links(ask, named) if not _inside_of(link, document, item)]
        text = (
            f"{_count(len(found), 'reference')} to {item.label} of {document} found in the documents loaded."
        )
        searched = tuple(info.id for info in ask.store.documents())
    else:
        found = list(links(ask, named))
        sources = ", ".join(dict.fromkeys(str(link.from_label) for link in found)) or str(item.label)
        text = f"{_count(len(found), 'reference')} of {sources} ({document}) could be followed."
        searched = (document,)
    listed = tuple(_listed_end(ask.store, link, incoming=incoming) for link in found)
    return Found(told=Scoped("relation", text, listed[:MOST], searched))


def _listed_end(store: Store, link: Link, *, incoming: bool) -> Listed:
    """Return the other end of a reference as one of a list."""
    document, label = (link.from_document, link.from_label) if incoming else (link.to_document, link.to_label)
    page = _page(store, document, label)
    return Listed(document, label, "", page, link.words, (link.from_document, link.from_label))


def _inside_of(link: Link, document: str, item: Item) -> bool:
    return link.from_document == document and link.from_label == item.label


def _page(store: Store, document: str, label: Label) -> int:
    """Return the page on which a place begins, 0 where that is not known."""
    item = item_of(store, document, label.key) if store.has(document) else None
    return item.boxes[0].page if item and item.boxes else 0


@mechanism("follow.replaced", "What replaced a document is told.", without=lambda *_: None)
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
    near = store.graph.neighbours(node, ("SUPERSEDES",), "in" if direction == "in" else "out")
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


FEW = 3  # documents whose page of one number is shown where none is named


@mechanism("follow.on_pages", "What stands on a page is shown.", without=lambda *_: None)
def on_pages(ask: Ask, _: Jump) -> Found | None:
    """Return what stands on the pages that a question names."""
    store, query = ask.store, ask.question.query
    documents = query.documents or ask.documents or tuple(info.id for info in store.documents())
    if len(documents) > FEW:
        text = f"Name a document with the page: {len(documents)} are loaded."
        return Found(told=Scoped("page", text))
    said: list[str] = []
    listed: list[Listed] = []
    for document in documents:
        for asked in query.pages:
            number, told = _onpage_page(store, document, asked)
            items = _standing(store, document, number) if number else []
            said.append(told + ("" if items or not number else " Nothing with a label stands on it."))
            listed += items
    first = (
        () if len(query.documents or ask.documents) == 0 and len(documents) > 1 else chunks_of(store, listed)
    )
    leading = chunks_of(store, listed) if not first else ()
    return Found(first, leading, Scoped("page", " ".join(said), tuple(listed)))


def _onpage_page(store: Store, document: str, asked: str) -> tuple[int, str]:
    """Return the number in the PDF of a page asked for, 0 for none, with a sentence."""
    pages = [item.page for item in store.pages(document)]
    printed = [page for page in pages if page.printed.casefold() == asked.casefold()]
    counted = [page for page in pages if asked.isdigit() and page.number == int(asked)]
    if printed:
        page = printed[0]
        other = f", page {page.number} of the PDF" if page.number != counted_number(asked) else ""
        return page.number, f"Page {asked} of {document} as printed{other}."
    if counted:
        prints = f", printed {counted[0].printed}" if counted[0].printed else ""
        return counted[0].number, f"Page {asked} of the PDF of {document}{prints}."
    return 0, f"{document} has no page {asked}; it has {len(pages)} pages."


def counted_number(asked: str) -> int:
    """Return the number that a page asked for has when pages are counted, 0 for one in Roman numerals."""
    return int(asked) if asked.isdigit() else 0


def _standing(store: Store, document: str, page: int) -> list[Listed]:
    """Return the clauses, tables and figures on a page from top to bottom."""
    placed = [
        (box.y0, box.x0, listed_item(document, item, kind))
        for kind, item in _items(store, document)
        for box in [box for box in item.boxes if box.page == page][:1]
    ]
    placed.sort(key=lambda item: (round(item[0], 3), item[1]))
    return [replaced_page(item, page) for _, _, item in placed]


def replaced_page(item: Listed, page: int) -> Listed:
    """Return an item as it stands on this page."""
    return Listed(item.document, item.label, item.title, page, item.how)


def _items(store: Store, document: str) -> Iterator[tuple[str, Item]]:
    for clause in store.clauses(document):
        yield clause.kind, clause
    for table in store.tables(document):
        yield "table", table
    for figure in store.figures(document):
        yield "figure", figure


@mechanism("follow.several", "Several places of one label are listed.", without=lambda *_: None)
def several(ask: Ask, named: Jump) -> Found | None:
    """Return the places of the first label of a question that one document has several of."""
    for asked, chunks in named.labels:
        for document, labels in _places(ask, asked, chunks):
            if len(labels) > 1:
                printed = {str(label) for label in labels}
                known = [item for item in bearers(ask.store, document) if str(item.label) in printed]
                listed = tuple(Listed(document, item.label, item.beside, item.page) for item in known)
                text = f"{document} has {len(listed)} places called {known[0].label}."
                return Found(told=Scoped("relation", text, listed))
    return None


def _places(ask: Ask, asked: AskedLabel, chunks: tuple[int, ...]) -> Iterator[tuple[str, set[Label]]]:
    """Yield each document with the labels in it that are the one asked for."""
    found: dict[str, set[Label]] = {}
    for item in ask.store.chunks(chunks):
        keys = keys_of(item, asked)
        found.setdefault(item.document, set()).update(map(Label.from_key, keys))
    for document, labels in found.items():
        printed = {str(label).casefold() for label in labels}
        as_asked = {label for label in labels if str(label).casefold() == asked.number}
        yield document, labels if len(printed) == 1 else as_asked
