"""Questions to start with, made from the documents of a library and tried on it when it is built."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from appliance.core.document import Box, Document, Table
from appliance.core.evidence import Answer, Grounded
from appliance.core.page_boxes import meet
from appliance.library import Library
from appliance.tables.rows import column_headers, flat, naming_columns, rows, unit_of
from appliance.text.quantities import asked_kinds

MOST_OFFERED = 6
MOST_DOCUMENTS = 6  # that questions are made from
MOST_TRIED = 30  # questions, for each takes about a second
MOST_WORDS = 6  # of what a question is made from

WORDINGS = {"en": "What is meant by {term}?", "de": "Was bedeutet {term}?"}  # by the language of the document
_WORD = re.compile(r"[A-Za-zÀ-ÿ]{3,}(?:[-'’][A-Za-zÀ-ÿ]+)*,?|of|to|for|in|or|at|by")
_MARK = re.compile(r"(?:\(\d\)|[^\w)])+$|[⁰¹²³⁴-⁾].*$")
_IN = re.compile(r"\W*(?:\bin\W*)?$")
_PLURAL = re.compile(r"(?:(?!(?:of|for|to|in|at|by)\b)\S+ )*(?!(?:of|for|to|in|at|by)\b)\S*[^s\W]s\b")


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the place that it was made from; `value` is the text of a cell that answers it."""

    question: str
    document: str
    boxes: tuple[Box, ...]
    value: str = ""


def chosen(library: Library) -> tuple[str, ...]:
    """Return up to six questions that this library answers as found, from the place they were made from."""
    documents = (library.document(info.id) for info in library.overview().documents[:MOST_DOCUMENTS])
    tried = islice(examples(documents), MOST_TRIED)
    found = (one.question for one in tried if answered(library.ask(one.question), one))
    return tuple(islice(found, MOST_OFFERED))


def answered(answer: Answer, example: Example) -> bool:
    """Tell whether an answer is found, and leads with the place and the value of an example."""
    if not isinstance(answer, Grounded) or answer.state != "found" or not answer.statements or answer.gap:
        return False
    said = rf"(?<![\w.,]){re.escape(flat(example.value))}(?!\w)"
    if example.value and not re.search(said, flat(answer.statements[0].text)):
        return False
    return any(
        one.document == example.document and any(meet(box, own) for box in one.boxes for own in example.boxes)
        for one in answer.citations
        if one.n in answer.statements[0].citations
    )


def examples(documents: Iterable[Document]) -> Iterator[Example]:
    """Yield questions about places of the documents, these in turn, each question once.

    Those for a value come first: the meaning of a term is seldom what somebody comes for.
    """
    seen: set[str] = set()
    made = [_of_document(document) for document in documents]
    values, terms = zip_longest(*(cells for cells, _ in made)), zip_longest(*(terms for _, terms in made))
    for one in chain.from_iterable((*values, *terms)):
        if one is not None and one.question not in seen:
            seen.add(one.question)
            yield one


def _of_document(document: Document) -> tuple[list[Example], list[Example]]:
    """Return questions for values, tables that say most first, and for terms, from the middle on."""
    usual = {word for clause in document.clauses for word in clause.passage.text.split() if word.islower()}
    cells = [found for table in document.tables if (found := _of_table(document, table, usual))]
    terms = [
        Example(wording.format(term=name), document.id, term.boxes)
        for wording in filter(None, [WORDINGS.get(document.language)])
        for term in document.terms
        if term.kind == "term" and " " in (name := _phrase(term.term))  # one word is seldom asked for
    ]
    cells.sort(key=lambda one: len(one.question.split()), reverse=True)
    return cells, terms[len(terms) // 2 :] + terms[: len(terms) // 2]


def _of_table(document: Document, table: Table, usual: Container[str]) -> Example | None:
    """Return a question for one value of a table whose row and quantity are told in plain English.

    The name of a row loses its capital where its first word is `usual` in the text: other names are proper.
    """
    names = naming_columns(table)
    found = [
        Example(_worded(asked, name, usual), document.id, (cell.box,), cell.text)
        for row in rows(table)
        if document.language == "en" and (name := _phrase(row.label))
        for cell in row.cells
        if cell.column not in names and any(map(str.isdigit, cell.text))
        if (asked := _quantity((*reversed(column_headers(table, cell.column)), table.title)))
    ]
    return found[len(found) // 2] if found else None


def _worded(asked: str, name: str, usual: Container[str]) -> str:
    """Return a question; a name with a comma stands before it, for in it the end of the name is not heard."""
    if "," in name:
        return f"{name}: what is the {asked}?"
    name = f"{name[0].lower()}{name[1:]}" if name.partition(" ")[0].lower() in usual else name
    return f"What is the {asked} for {name}?"


def _quantity(heads: Iterable[str]) -> str:
    """Return the first head that names one kind of quantity in words, without its unit; "" for none."""
    for head in heads:
        text = _MARK.sub("", head)
        unit = unit_of(text)
        phrase = _phrase(_IN.sub("", text.rpartition(unit)[0]) if unit else text)
        if phrase and not _PLURAL.match(phrase) and asked_kinds(f"what is the {phrase}".casefold()):
            return " ".join(word if word[1:2].isupper() else word.lower() for word in phrase.split())
    return ""


def _phrase(text: str) -> str:
    """Return a text that is a few plain words, "" for any other."""
    words = flat(text).rstrip(" .:;").split()
    return " ".join(words) if len(words) <= MOST_WORDS and all(map(_WORD.fullmatch, words)) else ""
