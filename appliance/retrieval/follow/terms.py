"""Defined terms that a text uses, and classes that one table defines and others give values for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import proxy

from appliance.core.document import Cell, Label, Table
from appliance.core.evidence import Query
from appliance.store.channels import index_terms
from appliance.store.read import Store
from appliance.tables.lookup import codes, words
from appliance.tables.rows import Row, flat, rows
from appliance.text.terms import fold

SHORTEST = 3  # letters of a term that may be as common a word of any question ("going"); "a" is a symbol
Stems = tuple[str, ...]
Known = Mapping[str, Sequence[tuple[Stems, "Defined"]]]


@dataclass(frozen=True, slots=True)
class Defined:
    """A term with the place that defines it."""

    term: str
    document: str
    label: Label


class Terms:
    """The defined terms of a library by the stems of their words; `words` are those of one word."""

    def __init__(self, store: Store) -> None:
        names = {term.term for info in store.documents() for term in store.terms(info.id)}
        self.words = frozenset(folded for name in names if len(folded := fold(name)) >= SHORTEST)
        self._store = proxy(store)  # terms are kept beside their store and never keep it alive
        self._by_document = {info.id: _by_first(store, info.id) for info in store.documents()}

    def used(self, text: str, document: str | None = None) -> tuple[Defined, ...]:
        """Return the terms that a text uses, each once, in the order of the text."""
        stems = index_terms(self._store, text)
        scopes = [self._by_document[document]] if document else list(self._by_document.values())
        return tuple(dict.fromkeys(found for known in scopes for found in _in(stems, known)))


def _by_first(store: Store, document: str) -> Known:
    """Return the terms of a document by their first stem, the longest first."""
    terms: dict[Stems, Defined] = {}
    for term in store.terms(document):
        if stems := index_terms(store, term.term):
            terms.setdefault(stems, Defined(term.term, document, term.label))
    known: dict[str, list[tuple[Stems, Defined]]] = {}
    for stems in sorted(terms, key=len, reverse=True):
        known.setdefault(stems[0], []).append((stems, terms[stems]))
    return known


def _in(stems: Stems, known: Known) -> Iterator[Defined]:
    position = 0
    while position < len(stems):
        for term, found in known.get(stems[position], ()):
            if stems[position : position + len(term)] == term:
                yield found
                position += len(term) - 1
                break
        position += 1


ALIKE = 3  # classes that may answer alike; where there are more, the question names none of them
STEM = 5  # letters by which words are compared
CODED = 2  # rows with a code that a table of classes has at least

LEADING = 5  # places among which the table of classes is looked for
READ = 2  # tables of values that are read for one table of classes

_CODE = re.compile(r"[A-Za-z](?:[0-9lIOSZ]\d?)?")
_INNER = re.compile(r"(?<![^\W_])([A-Z] ?[0-9lIOSZ])(?:\s*:|\s(?=[A-Z][a-z]))")


@dataclass(frozen=True, slots=True)
class Class:
    """One class that a table defines: its code, the words that tell it, the cells that print them."""

    document: str
    table: Table
    code: str
    text: str
    cells: tuple[Cell, ...]


def classes_of(document: str, table: Table) -> Iterator[Class]:
    """Yield the classes that a table defines, none where it is not a table of classes."""
    body = list(rows(table))[len(_heads(table)) :]
    coded = [(row, code) for row in body if (code := _code(row))]
    if len(coded) < CODED or len(coded) < len(body) or _holds_values(coded):
        return
    for row, code in coded:
        beside = [cell for cell in row.cells if cell.column > 0 and cell.text.strip()]
        named = (row.cells[0], *beside)
        yield Class(document, table, code, " ".join(_outer(cell.text) for cell in beside), named)
        for cell in beside:
            for inner, text in _inner(flat(cell.text)):
                yield Class(document, table, inner, text, (row.cells[0], cell))


def meant(query: Query, table: Table, classes: Sequence[Class]) -> tuple[Class, ...]:
    """Return the classes that a question means, where this table gives values for them; else none."""
    others = [one for one in classes if one.table.label != table.label and _called_alike(one.table, table)]
    known = _stems(_about(table))
    scored: list[tuple[int, Class]] = []
    for one in others:
        asked = _asked(query) - known - _stems(_about(one.table))
        scored.append((len(asked & _stems(one.text)), one))
    best = max((met for met, _ in scored), default=0)
    chosen = tuple(one for met, one in scored if met == best) if best else ()
    coded = tuple(one for one in chosen if any(carried(one, row) for row in rows(table)))
    return coded if len(chosen) <= ALIKE else ()


def carried(one: Class, row: Row) -> bool:
    """Tell whether a row is the one of a class: it carries its code and no other."""
    return codes(row.label) == {one.code}


def _heads(table: Table) -> tuple[Row, ...]:
    """Return the first row of a table without heads where it is the head: the only one without a code."""
    body = tuple(rows(table))
    if not body[1:] or any(cell.header for cell in table.cells) or _code(body[0]):
        return ()
    return body[:1] if all(map(_code, body[1:])) else ()


def _code(row: Row) -> str:
    first = row.cells[0] if row.cells else None
    text = flat(first.text) if first and first.column == 0 else ""
    found = codes(text.upper()) if _CODE.fullmatch(text) else frozenset()
    return next(iter(found), "")


def _holds_values(coded: Sequence[tuple[Row, str]]) -> bool:
    """Tell whether what stands beside the codes are numbers rather than words."""
    beside = [cell.text for row, _ in coded for cell in row.cells if cell.column > 0 and cell.text.strip()]
    return sum(sum(map(str.isalpha, text)) < len(text) / 2 for text in beside) * 2 >= len(beside)


def _outer(text: str) -> str:
    plain = flat(text)
    first = _INNER.search(plain)
    return plain[: first.start()] if first else plain


def _inner(text: str) -> Iterator[tuple[str, str]]:
    marks = list(_INNER.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)][: len(marks)]
    for mark, end in zip(marks, ends, strict=True):
        for code in codes(mark[1].replace(" ", "")):
            yield code, text[mark.end() : end]


def _called_alike(one: Table, other: Table) -> bool:
    """Tell whether both tables use one word for what the codes name."""
    heads = [cell for cell in one.cells if cell.header] or _headed(one)
    first = next((cell.text for cell in heads if cell.column == 0), "")
    return bool(_stems(first) & _stems(f"{_about(other)} {' '.join(row.label for row in rows(other))}"))


def _about(table: Table) -> str:
    heads = [cell for cell in table.cells if cell.header] or _headed(table)
    return " ".join([table.title, *(cell.text for cell in heads)])


def _headed(table: Table) -> list[Cell]:
    """Return the cells of the head that is no head as it was read."""
    return [cell for row in _heads(table) for cell in row.cells]


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in words(text) if len(word) > 1}


def _asked(query: Query) -> set[str]:
    return _stems(" ".join(query.terms))
