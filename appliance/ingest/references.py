"""References as the text prints them: where they stand, what kind and number they name.

Rules of this module: find only; `resolve.py` decides what they point to. Every reference carries its
exact span in the text of its source (see `sources.py`), so that it can be shown on the page. Not a
reference: the number that opens the item itself, a quantity, a date. A list or range gives one
reference for each of its parts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from appliance.document import Document, Label, Passage, Reference, ReferenceKind, Table, boxes_between
from appliance.ingest.grammar.bare import read_bare
from appliance.ingest.grammar.hosts import Host, find_hosts
from appliance.ingest.grammar.mention import Known, Mention, Reading
from appliance.ingest.grammar.names import read_hosted, read_named
from appliance.ingest.grammar.owners import settle
from appliance.ingest.grammar.words import Words, load_words
from appliance.ingest.label_index import fold, index_labels, number_in
from appliance.ingest.relative import read_relative
from appliance.ingest.sources import passages

FAR = 120  # characters between a standard and parts of it that follow a title
_OF_STANDARDS = frozenset({"clause", "annex", "part", "table", "figure"})
_START = re.compile(r"(?<![\w.])[A-Za-z(]|(?<![\w.,])\d|(?<=,)\d")


def find_references(document: Document, words: Words | None = None) -> tuple[Reference, ...]:
    """Return all references of a document, in order of their sources; `words` are its family's."""
    words = words or load_words(document.family)
    index = index_labels(document)
    tables = {table.label: table for table in document.tables}

    def references(label: Label, passage: Passage) -> Iterator[Reference]:
        def known(kind: ReferenceKind, name: str, number: str) -> bool:
            return bool(index.find(kind, name, number, label))

        table = tables.get(label)
        clause, loose = (
            ("", _loose_cells(table, words, known)) if table else (_clause_number(label), frozenset())
        )
        for start, line in _lines(passage.text):
            hosts = find_hosts(line, words, document.designation)
            reading = Reading(line, words, known, clause, line in loose, hosts)
            for mention in _scan(reading):
                settled = settle(_in_context(mention, reading), document, reading)
                if settled and not (start == 0 and _opens(mention, label)):
                    yield _reference(label, passage, settled, start)

    return tuple(
        reference for label, passage in passages(document) for reference in references(label, passage)
    )


def read_references(text: str, words: Words, known: Known, own: str = "", clause: str = "") -> list[Mention]:
    """Return the parts that a text names; `own` is its document's designation, `clause` where it stands."""
    reading = Reading(text, words, known, clause, hosts=find_hosts(text, words, own))
    return list(_scan(reading))


def _in_context(mention: Mention, reading: Reading) -> Mention:
    """Return a part that this document lacks as one of the standard named just before it.

    "BS EN 12056-3: Roof drainage, Clauses 3 to 7" names clauses of that standard.
    """
    if mention.designation or mention.kind not in _OF_STANDARDS or not mention.label + mention.number:
        return mention
    before = [
        host
        for host in reading.hosts.values()
        if host.standard and host.end <= mention.start <= host.end + FAR
    ]
    if not before or reading.has(mention.kind, mention.label, mention.number):
        return mention
    return replace(mention, designation=max(before, key=lambda host: host.end).designation)


def _opens(mention: Mention, label: Label) -> bool:
    """Tell whether this is the item's own number at its start."""
    return mention.start == 0 and fold(mention.number) == fold(number_in(str(label)))


def _clause_number(label: Label) -> str:
    """Return the number of the clause that paragraphs named "(2)" belong to: "5.3.2" in "5.3.2(1)"."""
    number = number_in(str(label))
    return number.partition("(")[0] if number[:1].isalnum() and any(c.isdigit() for c in number) else ""


def _loose_cells(table: Table, words: Words, known: Known) -> frozenset[str]:
    """Return the texts of the cells of columns that hold clause numbers.

    Such a column is headed so ("Clause"), or the greater part of its cells names parts of the document.
    """
    columns: dict[int, list[str]] = defaultdict(list)
    for cell in table.cells:
        if not cell.header and cell.text:
            columns[cell.column].append(cell.text)
    headed = {c.column for c in table.cells if c.header and c.text.strip().casefold() in words.columns}
    return frozenset(
        text
        for column, texts in columns.items()
        if column in headed or sum(_names_parts(text, words, known) for text in texts) * 2 > len(texts)
        for text in texts
    )


def _names_parts(text: str, words: Words, known: Known) -> bool:
    return any(True for _ in _scan(Reading(text, words, known)))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs, cells or captions of a text with their starts; no reference reaches over two."""
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _scan(reading: Reading) -> Iterator[Mention]:
    """Yield mentions from left to right; what one has consumed is not read again."""
    position = 0
    while start := _START.search(reading.text, position):
        at = start.start()
        mentions = _read(reading, at)
        yield from mentions
        host = reading.hosts.get(at)
        consumed = max([mention.end for mention in mentions] + ([host.end] if host else []), default=0)
        position = consumed if consumed > at else _word_end(reading.text, at)


def _read(reading: Reading, at: int) -> list[Mention]:
    host: Host | None = reading.hosts.get(at)
    if host:
        return read_hosted(reading, host)
    return read_relative(reading, at) or read_named(reading, at) or read_bare(reading, at)


def _word_end(text: str, at: int) -> int:
    match = re.compile(r"[A-Za-z]+|\d[\d.]*|.", re.DOTALL).match(text, at)
    return match.end() if match else at + 1


def _reference(source: Label, passage: Passage, mention: Mention, shift: int) -> Reference:
    start, end = mention.start + shift, mention.end + shift
    number = f"{mention.label} {mention.number}".strip()
    return Reference(
        source=source,
        start=start,
        end=end,
        text=passage.text[start:end],
        kind=mention.kind,
        boxes=boxes_between(passage, start, end),
        designation=mention.designation,
        number=number,
    )
