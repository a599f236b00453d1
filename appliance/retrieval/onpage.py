"""What stands on a page that a question names, in the order of the page.

Rules of this module: a number is that printed on the page before that of the PDF; where both name a
page, the sentence says which is shown. Without a document named, only a library of few documents has
such a page; else the question for the document is put back.
"""

from __future__ import annotations

from collections.abc import Iterator

from appliance.evidence import Listed, Scoped
from appliance.retrieval.around import Found, Item, chunks_of, listed_item
from appliance.retrieval.ask import Ask
from appliance.retrieval.exact import Jump
from appliance.store.read import Store

FEW = 3  # documents whose page of one number is shown where none is named


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
            number, told = _page(store, document, asked)
            items = _standing(store, document, number) if number else []
            said.append(told + ("" if items or not number else " Nothing with a label stands on it."))
            listed += items
    first = (
        () if len(query.documents or ask.documents) == 0 and len(documents) > 1 else chunks_of(store, listed)
    )
    leading = chunks_of(store, listed) if not first else ()
    return Found(first, leading, Scoped("page", " ".join(said), tuple(listed)))


def _page(store: Store, document: str, asked: str) -> tuple[int, str]:
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
