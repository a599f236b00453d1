"""The kind of place that a list is of: "list all tables about ventilation", "every figure in DC 1-3".

Rules of this module: which words name a kind stands in data/retrieval/frames.toml. A list keeps the kind
that is asked for; where no place of the kind speaks of the subject, just that is said and all others are
listed. Without a subject every place of the kind is listed, in the documents that are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from appliance.document import Label
from appliance.evidence import Listed, Scoped
from appliance.retrieval.around import Found, chunks_of
from appliance.retrieval.ask import Ask
from appliance.retrieval.covering import is_inside, searched
from appliance.retrieval.frames import kind_of
from appliance.store.words import fold

MOST = 60  # items of a list
LEADING = 3  # of them that lead
NAMES = {
    "table": ("table", "tables"),
    "figure": ("figure", "figures"),
    "definition": ("definition", "definitions"),
}


def kind_wanted(ask: Ask) -> str:
    """Return the kind of place that a question lists, "" for none."""
    found = kind_of(fold(ask.question.spelt)) if ask.question.query.intent == "coverage" else ""
    return found if found in NAMES else ""


def of_kind(ask: Ask, chunks: Iterable[int], kind: str) -> tuple[int, ...]:
    """Return those of chunks that are of a kind and stand in the documents asked."""
    items = ask.store.chunks(sorted(chunks)) if kind else ()
    return tuple(item.id for item in items if item.chunk.kind == kind and is_inside(ask, item.document))


def counted(number: int, kind: str) -> str:
    """Return in words how many places of a kind there are."""
    one, many = NAMES[kind]
    return f"1 {one}" if number == 1 else f"{number} {many}"


def cut_short(places: int) -> str:
    """Return the sentence that tells of a list that only its first places are shown, "" where all are."""
    return f" The first {MOST} are listed." if places > MOST else ""


def every(ask: Ask) -> Found | None:
    """Return all places of the kind that a question lists, None where it lists none or there are none."""
    kind = kind_wanted(ask)
    listed = tuple(_places(ask, kind)) if kind else ()
    if not listed:
        return None
    named = ", ".join(ask.question.query.documents) or "the documents loaded"
    text = f"Listed: {counted(len(listed), kind)} in {named}.{cut_short(len(listed))}"
    told = Scoped("coverage", text, listed[:MOST], searched(ask))
    return Found(leading=chunks_of(ask.store, listed[:LEADING]), told=told)


def _places(ask: Ask, kind: str) -> Iterator[Listed]:
    """Yield the places of a kind in the documents asked, in their order."""
    for info in ask.store.documents():
        if is_inside(ask, info.id):
            for label, title, page in _of_document(ask, info.id, kind):
                yield Listed(info.id, label, title, page, kind)


def _of_document(ask: Ask, document: str, kind: str) -> Iterator[tuple[Label, str, int]]:
    store = ask.store
    if kind == "definition":
        for term in store.terms(document):
            clause = store.clause(document, term.label)
            yield term.label, term.term, clause.boxes[0].page if clause and clause.boxes else 0
        return
    for item in store.tables(document) if kind == "table" else store.figures(document):
        yield item.label, item.title, item.boxes[0].page if item.boxes else 0
