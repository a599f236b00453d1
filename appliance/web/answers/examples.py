"""Questions to start with, made from the documents that are loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from appliance.core.document import Document

MOST = 6
DOCUMENTS = 6  # documents looked at: opening every one of a large library would take seconds
WORDS = range(2, 8)  # words of a title that reads as a question


def examples(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return up to six questions, taken from the documents in turn, each kind in turn."""
    lists = [_of_document(document, turn) for turn, document in enumerate(documents)]
    mixed = (item for row in zip_longest(*lists) for item in row if item)
    return tuple(dict.fromkeys(mixed))[:MOST]


def _of_document(document: Document, turn: int) -> tuple[str, ...]:
    """Return one example of each kind that the document has; `turn` makes the first kind vary."""
    kinds = (
        _middle([_plain(table.title) for table in document.tables if _fits(table.title)]),
        _middle([f"What is meant by {term.term}?" for term in document.terms if term.kind == "term"]),
        _middle(
            [_plain(clause.title) for clause in document.clauses if _is_topic(clause.kind, clause.title)]
        ),
        _middle(
            [
                f"{document.designation} {clause.label.named}"
                for clause in document.clauses
                if clause.kind == "clause"
            ]
        ),
    )
    start = turn % len(kinds)
    return tuple(filter(None, kinds[start:] + kinds[:start]))


def _is_topic(kind: str, title: str) -> bool:
    return kind in {"section", "heading", "clause", "annex"} and _fits(title)


def _fits(title: str) -> bool:
    return len(title.split()) in WORDS and len(title) <= 60 and not title.isupper()


def _plain(title: str) -> str:
    return " ".join(title.split()).rstrip(".:")


def _middle(found: Sequence[str]) -> str:
    """Return one from the middle of the document, where its substance is."""
    return found[len(found) // 2] if found else ""
