"""What stands around a place or on a page, what refers to it, and what replaced a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from appliance.core.document import OUT_OF_FORCE, Clause, Figure, Label, Reference, Table
from appliance.core.evidence import Link, Listed, Scoped
from appliance.core.mechanisms import mechanism
from appliance.retrieval.channels.gather import Jump, keys_of
from appliance.retrieval.follow.references import LISTING, OVERVIEWS, Edge
from appliance.retrieval.query.documents import work
from appliance.retrieval.search_context import Ask
from appliance.store.graph import Direction
from appliance.store.read import Store, bearers
from appliance.store.records import ClauseEntry, DocumentInfo, StoredChunk
from appliance.text.sentences import shortened


@dataclass(frozen=True, slots=True)
class _Cited:
    """A reference of a label asked for, and which of its ends is not that label.

    `item` is the chunk that shows the label, `keys` those of the label and of what it holds; `chunk` shows
    the other end, None where that is not loaded.
    """

    item: StoredChunk
    keys: Sequence[str]
    kind: str
    link: Link
    chunk: int | None

    def stays_inside(self) -> bool:
        """Tell whether both ends of the reference are the label itself or stand in it."""
        ends = ((self.link.from_document, self.link.from_label), (self.link.to_document, self.link.to_label))
        return all(document == self.item.document and label.key in self.keys for document, label in ends)


@mechanism("follow.wanted", without=lambda *_: ())
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


def links(ask: Ask, named: Jump) -> Sequence[Link]:
    """Return every reference from the places that a question names, or to them, each pair of labels once."""
    found = (
        cited.link
        for cited in _cited(ask, named)
        if not cited.stays_inside() and cited.chunk is not None and ask.scope.holds(cited.chunk)
    )
    pairs = {(link.from_document, link.from_label, link.to_document, link.to_label): link for link in found}
    return tuple(pairs.values())


def _edges(ask: Ask, named: Jump) -> Iterator[Edge]:
    """Yield the steps to other places than the one named."""
    for cited in _cited(ask, named):
        if cited.chunk is not None and cited.chunk != cited.item.id:
            yield Edge(cited.item.id, cited.chunk, cited.kind, cited.link)


def _cited(ask: Ask, named: Jump) -> Iterator[_Cited]:
    """Yield the references to, or from, the labels that a question names and what stands in them."""
    store, incoming = ask.store, ask.question.incoming
    follow = _referring if incoming else _referred
    for asked, chunks in named.labels:
        for item in store.chunks(chunks):
            own = keys_of(item, asked)
            labels = dict.fromkeys((item.chunk.label, *item.chunk.labels))
            keys = [*own, *(label.key for label in labels if any(_is_part(label.key, key) for key in own))]
            for reference, link in follow(store, item.document, keys):
                document, label = (
                    (link.from_document, link.from_label) if incoming else (link.to_document, link.to_label)
                )
                shown = store.chunks_for(document, label) if store.has(document) else ()
                yield _Cited(item, keys, reference.kind, link, next(iter(shown), None))


def _is_part(key: str, whole: str) -> bool:
    """Tell whether a key is that of an item or paragraph of another: "1.42b" and "1.42(2)" of "1.42"."""
    rest = key.removeprefix(whole)
    return rest != key and bool(rest) and (rest[0].isalpha() or rest[0] == "(")


def _referred(store: Store, document: str, keys: Sequence[str]) -> Iterator[tuple[Reference, Link]]:
    """Yield the references from places of a document that lead to a place."""
    for one in store.references_from(document, *keys):
        if one.target is not None:
            yield one, Link(document, one.source, one.document or document, one.target, one.text)


def _referring(store: Store, own: str, keys: Sequence[str]) -> Iterator[tuple[Reference, Link]]:
    """Yield the references to places of a document, its own first, but those of an index or of contents."""

    @cache
    def is_listing(document: str, source: Label) -> bool:
        """Tell a heading or annex that refers to so many places that it is an index or contents."""
        targets = {reference.target for reference in store.references_from(document, source.key)}
        shown = store.chunks(store.chunks_for(document, source)[:1]) if len(targets) > LISTING else ()
        return any(item.chunk.kind in OVERVIEWS for item in shown)

    found = [cited for key in keys for cited in store.references_to(own, key)]
    for document, one in sorted(found, key=lambda cited: cited[0] != own):
        if one.target is not None and not is_listing(document, one.source):
            yield one, Link(document, one.source, own, one.target, one.text)


LISTED = 40  # items that are listed
TITLE = 80  # characters of a clause without a title that name it
Item = Clause | Table | Figure


@mechanism("follow.around", without=lambda *_: None)
def around(ask: Ask, named: Jump) -> Jump | None:
    """Return what stands above, before, after or in the place that a question names."""
    place = _named_place(ask, named)
    if place is None:
        return None
    store, (document, item), relation = ask.store, place, ask.question.relation
    own, key = f"{item.label} of {document}", item.label.key
    items: list[Item] = []
    match relation:
        case "above":
            if isinstance(item, Clause):  # what holds it, the nearest first
                items += store.lineage(document, key)[-2::-1]
            elif item.clause:
                items += store.lineage(document, item.clause)[::-1]
            text = f"{own} stands in {_title(items[0])}." if items else f"Nothing stands above {own}."
        case "contents":
            if isinstance(item, Clause):
                items += store.children(document, key)
                items += (*store.tables(document, clause=key), *store.figures(document, clause=key))
            held = counted(len(items), "item") if items else "nothing with a label"
            text = f"{own} contains {held}."
        case _:
            items = _beside(store, document, item, relation)
            order = "After" if relation == "after" else "Before"
            told = f"{order} {own} comes {_title(items[0])}." if items else ""
            text = told or f"Nothing comes {relation} {own} in its document."
    listed = tuple(
        Listed(document, one.label, name_of(one), one.boxes[0].page if one.boxes else 0)
        for one in items[:LISTED]
    )
    return Jump(chunks_of(store, listed[:3]), scope=Scoped("relation", text, listed))


@mechanism("follow.linked", without=lambda *_: None)
def linked(ask: Ask, named: Jump) -> Jump | None:
    """Return the references to or from the place that a question names; the search brings their places."""
    place = _named_place(ask, named)
    if place is None:
        return None
    (document, item), found = place, links(ask, named)
    if ask.question.incoming:
        found = [link for link in found if (link.from_document, link.from_label) != (document, item.label)]
        text = (
            f"{counted(len(found), 'reference')} to {item.label} of {document} found in the documents loaded."
        )
        searched = tuple(info.id for info in ask.store.documents())
        ends = [(link.from_document, link.from_label) for link in found]
    else:
        sources = ", ".join(dict.fromkeys(str(link.from_label) for link in found)) or str(item.label)
        text = f"{counted(len(found), 'reference')} of {sources} ({document}) could be followed."
        searched = (document,)
        ends = [(link.to_document, link.to_label) for link in found]
    listed: list[Listed] = []
    for link, (owner, label) in zip(found[:LISTED], ends, strict=False):
        end = item_of(ask.store, owner, label.key) if ask.store.has(owner) else None
        page = end.boxes[0].page if end and end.boxes else 0
        listed.append(Listed(owner, label, "", page, link.words, (link.from_document, link.from_label)))
    return Jump(scope=Scoped("relation", text, tuple(listed), searched))


@mechanism("follow.replaced", without=lambda *_: None)
def replaced(ask: Ask, _: Jump) -> Jump | None:
    """Return what replaced the documents that a question names, and what they replaced."""
    said: list[str] = []
    listed: list[Listed] = []
    for info in ask.store.documents():
        if info.id not in ask.question.query.documents:
            continue
        newer = _editions(ask.store, info, "in")
        older = _editions(ask.store, info, "out")
        name = _name(info)
        if newer:
            said.append(f"{name} is replaced by {' and '.join(map(_name, newer))}.")
        elif info.status in OUT_OF_FORCE:
            said.append(f"{name} is {info.status}; what replaced it is not among the documents loaded.")
        elif older:
            before = " and ".join(map(_name, older))
            said.append(f"{name} replaces {before}; no later edition is among the documents loaded.")
        else:
            said.append(f"Nothing among the documents loaded replaces {name} (status: {info.status}).")
        for how, others in (("replaces it", newer), ("is replaced by it", older)):
            listed += [Listed(one.id, Label((_name(one),)), one.title, 1, how) for one in others]
    return Jump(scope=Scoped("relation", " ".join(said), tuple(listed))) if said else None


def _name(info: DocumentInfo) -> str:
    return info.designation or info.id


def _editions(store: Store, info: DocumentInfo, direction: Direction) -> list[DocumentInfo]:
    """Return the documents that replace one ("in"), or that it replaces, by the graph and by their years."""

    def standing(one: DocumentInfo) -> tuple[bool, str]:
        return one.status not in OUT_OF_FORCE, one.designation

    known = {item.id: item for item in store.documents()}
    near = store.graph.neighbours(f"document:{info.id}:", ("SUPERSEDES",), direction)
    found = {item.node.document: known[item.node.document] for item in near if item.node.document in known}
    for other in known.values():
        later = standing(other) > standing(info)
        if other.id != info.id and work(other) == work(info) and later == (direction == "in"):
            found[other.id] = other
    return list(found.values())


def _named_place(ask: Ask, named: Jump) -> tuple[str, Item] | None:
    """Return the first place that a question names, as document and item."""
    for asked, chunks in named.labels:
        for chunk in ask.store.chunks(chunks):
            keys = keys_of(chunk, asked)
            if keys and (item := item_of(ask.store, chunk.document, keys[0])):
                return chunk.document, item
    return None


def item_of(store: Store, document: str, key: str) -> Item | None:
    """Return the clause, table or figure of a key."""
    return store.clause(document, key) or store.table(document, key) or store.figure(document, key)


def _beside(store: Store, document: str, item: Item, relation: str | None) -> list[Item]:
    """Return what comes after or before an item among its like: a clause with all that it holds is passed."""
    after = relation == "after"
    entries: Sequence[ClauseEntry | Table | Figure]
    if isinstance(item, Clause):
        entries = store.contents(document)
    else:
        entries = store.tables(document) if isinstance(item, Table) else store.figures(document)
    at = [entry.label for entry in entries].index(item.label)
    rest = entries[at + 1 :] if after else entries[:at][::-1]
    for entry in rest:
        if not isinstance(entry, ClauseEntry):
            return [entry]
        if isinstance(item, Clause) and entry.level <= item.level:
            clause = store.clause(document, entry.label)
            return [clause] if clause else []
    return []


def name_of(item: Item) -> str:
    """Return the title of an item, or how its text begins."""
    return shortened(item.title or (item.passage.text if isinstance(item, Clause) else ""), TITLE)


def chunks_of(store: Store, items: Iterable[Listed]) -> tuple[int, ...]:
    """Return the id of the shown chunk of each item, each once."""
    found = (chunk for item in items for chunk in store.chunks_for(item.document, item.label)[:1])
    return tuple(dict.fromkeys(found))


def _title(item: Item) -> str:
    name = name_of(item)
    return str(item.label) if not name or name == str(item.label) else f"{item.label} ({name})"


def counted(number: int, what: str) -> str:
    """Return in words how many things of a kind there are."""
    return f"{number} {what}" + ("" if number == 1 else "s")


FEW = 3  # documents whose page of one number is shown where none is named


@mechanism("follow.on_pages", without=lambda *_: None)
def on_pages(ask: Ask, _: Jump) -> Jump | None:
    """Return what stands on the pages that a question names."""
    store, query = ask.store, ask.question.query
    documents = query.documents or ask.documents or tuple(info.id for info in store.documents())
    if len(documents) > FEW:
        text = f"Name a document with the page: {len(documents)} are loaded."
        return Jump(scope=Scoped("page", text))
    said: list[str] = []
    listed: list[Listed] = []
    for document in documents:
        for asked in query.pages:
            number, told = _page(store, document, asked)
            items = _standing(store, document, number) if number else []
            said.append(told + ("" if items or not number else " Nothing with a label stands on it."))
            listed += items
    chunks, scope = chunks_of(store, listed), Scoped("page", " ".join(said), tuple(listed))
    guessed = len(documents) > 1 and not (query.documents or ask.documents)
    return Jump(leading=chunks, scope=scope) if guessed else Jump(chunks, scope=scope)


def _page(store: Store, document: str, asked: str) -> tuple[int, str]:
    """Return the number in the PDF of a page asked for, 0 for none, with a sentence."""
    pages = [item.page for item in store.pages(document)]
    printed = [page for page in pages if page.printed.casefold() == asked.casefold()]
    counted = [page for page in pages if asked.isdigit() and page.number == int(asked)]
    if printed:
        page = printed[0]
        same = asked.isdigit() and page.number == int(asked)
        other = "" if same else f", page {page.number} of the PDF"
        return page.number, f"Page {asked} of {document} as printed{other}."
    if counted:
        prints = f", printed {counted[0].printed}" if counted[0].printed else ""
        return counted[0].number, f"Page {asked} of the PDF of {document}{prints}."
    return 0, f"{document} has no page {asked}; it has {len(pages)} pages."


def _standing(store: Store, document: str, page: int) -> list[Listed]:
    """Return the clauses, tables and figures on a page from top to bottom."""
    items: list[tuple[str, Item]] = [(clause.kind, clause) for clause in store.clauses(document)]
    items += [("table", table) for table in store.tables(document)]
    items += [("figure", figure) for figure in store.figures(document)]
    placed = [
        (round(box.y0, 3), box.x0, Listed(document, item.label, name_of(item), page, kind))
        for kind, item in items
        for box in [box for box in item.boxes if box.page == page][:1]
    ]
    return [item for *_, item in sorted(placed, key=lambda each: each[:2])]


@mechanism("follow.several", without=lambda *_: None)
def several(ask: Ask, named: Jump) -> Jump | None:
    """Return the places of the first label of a question that one document has several of."""
    for asked, chunks in named.labels:
        found: dict[str, set[Label]] = {}
        for item in ask.store.chunks(chunks):
            found.setdefault(item.document, set()).update(map(Label.from_key, keys_of(item, asked)))
        for document, labels in found.items():
            several_printed = len({str(label).casefold() for label in labels}) > 1
            printed = [
                str(one) for one in labels if not several_printed or str(one).casefold() == asked.number
            ]
            if len(printed) > 1:
                known = [item for item in bearers(ask.store, document) if str(item.label) in printed]
                listed = tuple(Listed(document, item.label, item.beside, item.page) for item in known)
                text = f"{document} has {len(listed)} places called {known[0].label}."
                return Jump(scope=Scoped("relation", text, listed))
    return None
