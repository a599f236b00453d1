"""Questions to start with, made from the documents of a library and tried on it when it is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from appliance.core.document import Document, Label
from appliance.core.evidence import Answer, Grounded
from appliance.tables.rows import rows

if TYPE_CHECKING:
    from appliance.library import Library

MOST = 6
DOCUMENTS = 6  # documents that questions are made from
TRIED = 18  # questions at most, for each takes about a second
ROW = 40  # characters of the name of a row
WORDS = range(2, 8)  # words of a title that reads as a question


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the place that it was made from."""

    question: str
    document: str
    label: Label


def chosen(library: Library) -> tuple[str, ...]:
    """Return up to six questions that this library answers with the place that they were made from.

    Where answers of some are vouched for, these alone are offered.
    """
    documents = (library.document(info.id) for info in library.overview().documents[:DOCUMENTS])
    found: dict[str, bool] = {}
    for one in islice(examples(documents), TRIED):
        answer = library.ask(one.question)
        if leads_with(answer, one):
            found[one.question] = isinstance(answer, Grounded) and answer.state == "found"
        if sum(found.values()) == MOST:
            break
    return tuple(question for question, sure in found.items() if sure) or tuple(found)[:MOST]


def leads_with(answer: Answer, example: Example) -> bool:
    """Tell whether the first thing that an answer says is quoted from the place of an example."""
    if not isinstance(answer, Grounded) or not answer.statements or answer.gap:
        return False
    first = answer.statements[0]
    return first.confirmed and any(
        (one.document, one.label) == (example.document, example.label)
        for one in answer.citations
        if one.n in first.citations
    )


def examples(documents: Iterable[Document]) -> Iterator[Example]:
    """Yield questions about places of the documents, these in turn, each question once."""
    seen: set[str] = set()
    for turn in zip_longest(*(_of_document(document) for document in documents)):
        for one in turn:
            if one is not None and one.question not in seen:
                seen.add(one.question)
                yield one


def _of_document(document: Document) -> Iterator[Example]:
    """Yield one question of each kind that a document has: from its middle, where its substance is."""
    terms = [term for term in document.terms if term.kind == "term"]
    if terms:
        term = terms[len(terms) // 2]
        yield Example(f"What is meant by {term.term}?", document.id, term.label)
    tables = [table for table in document.tables if _fits(table.title)]
    if tables:
        table = tables[len(tables) // 2]
        named = [row.label for row in rows(table) if any(map(str.isalpha, row.label))]
        row = f", {named[len(named) // 2]}" if named and len(named[len(named) // 2]) <= ROW else ""
        yield Example(f"{_plain(table.title)}{row}", document.id, table.label)
    topics = [clause for clause in document.clauses if clause.kind == "clause" and _fits(clause.title)]
    if topics:
        topic = topics[len(topics) // 2]
        yield Example(_plain(topic.title), document.id, topic.label)


def _fits(title: str) -> bool:
    return len(title.split()) in WORDS and len(title) <= 60 and not title.isupper()


def _plain(title: str) -> str:
    return " ".join(title.split()).rstrip(".:")
