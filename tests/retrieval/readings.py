"""The reader of the table of readings: codes of several families by name, the words of the demo codes."""

from __future__ import annotations

from appliance.core.document import DocumentStatus
from appliance.retrieval.query.lexicon import load_conditions, load_lexicon
from appliance.retrieval.query.question import Question, Reader
from appliance.retrieval.search_context import index_of
from appliance.store.read import Store
from appliance.store.records import DocumentInfo

CODES: tuple[tuple[str, str, str, DocumentStatus, tuple[str, ...]], ...] = (
    ("EN-1990", "EN 1990:2002", "2002", "in force", ()),
    ("EN-1991-1-1", "EN 1991-1-1:2002", "2002", "in force", ()),
    ("EN-1991-1-3", "EN 1991-1-3:2003", "2003", "in force", ()),
    ("EN-1991-1-3-2010", "EN 1991-1-3:2010", "2010", "withdrawn", ()),
    ("EN-1991-1-4", "EN 1991-1-4:2005", "2005", "in force", ()),
    ("AD-K", "Approved Document K", "2013", "in force", ()),
    ("AD-M1", "Approved Document M", "2015", "in force", ()),
)


def reader(store: Store) -> Reader:
    """Return a reader of questions whose documents are those codes."""
    index = index_of(store)
    infos = tuple(
        DocumentInfo(name, designation, "", edition, status, "en", "", "", aliases, 1, 0, 0, 0, 0, 0)
        for name, designation, edition, status, aliases in CODES
    )
    stem = store.connections.stem
    return Reader(infos, load_lexicon(), index.vocabulary, index.speller, stem, load_conditions())


def reading_of(question: Question) -> dict[str, object]:
    """Return what the table tells of a question as read; what is empty is left out of the table."""
    query = question.query
    said = [part.searched for part in query.parts]
    return {
        "meant": query.text if query.typed else "",
        "intent": query.intent,
        "relation": question.relation or "",
        "labels": list(query.labels),
        "documents": list(query.documents),
        "pages": list(query.pages),
        "conditions": [f"{item.kind}: {item.name}" for item in query.conditions],
        "quantities": [item.words for item in query.quantities],
        "kinds": list(query.kinds),
        "parts": said if said != [query.text] else [],
        "spelt": query.spelt if query.spelt != query.text else "",
    }
