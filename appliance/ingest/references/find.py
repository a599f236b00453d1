"""References as the text prints them: where they stand, what kind and number they name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from string import ascii_lowercase

from appliance.core.document import (
    Box,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    LineSpan,
    Passage,
    Reference,
    ReferenceKind,
    Table,
    Term,
)
from appliance.ingest.references.bare import read_bare
from appliance.ingest.references.hosts import Host, Known, Mention, Reading, find_hosts, with_works
from appliance.ingest.references.index import LabelIndex, fold, index_labels, number_in
from appliance.ingest.references.names import part_after, read_hosted, read_named
from appliance.ingest.references.owners import Carried, hosts_before, in_context, over_line, settle
from appliance.ingest.references.relative import read_relative
from appliance.ingest.references.words import Words, load_words, with_own
from appliance.text.designations import fold_designation


def passages(document: Document) -> Iterator[tuple[Label, Passage]]:
    """Yield the label and text of every clause, table, figure, formula and definition."""
    known = set()
    for clause in document.clauses:
        known.add(clause.label)
        yield clause.label, clause.passage
    for table in document.tables:
        yield table.label, table_passage(table)
    for figure in document.figures:
        yield figure.label, figure_passage(figure)
    for formula in document.formulas:
        yield formula.label, formula_passage(formula)
    yield from ((term.label, term.passage) for term in document.terms if _separate(term, known, document))


def table_passage(table: Table) -> Passage:
    """Return title, cells and notes of a table, a line each."""
    whole = table.boxes[:1]
    parts = [(table.title, whole)]
    parts += [(cell.text, (cell.box,)) for cell in sorted(table.cells, key=lambda c: (c.row, c.column))]
    parts += [(note.text, (note.box,)) for note in table.notes]
    return joined(parts)


def figure_passage(figure: Figure) -> Passage:
    """Return title and lettering of a figure."""
    return joined([(figure.title, figure.boxes[:1]), (figure.text, figure.boxes[:1])])


def formula_passage(formula: Formula) -> Passage:
    """Return the explanation of a formula's symbols; the formula itself refers to nothing."""
    return joined([(formula.where, formula.boxes[:1])])


def joined(parts: Iterable[tuple[str, tuple[Box, ...]]]) -> Passage:
    """Return texts with their boxes as one passage, a line each, empty ones left out."""
    text, lines = "", []
    for part, boxes in parts:
        if not part:
            continue
        start = len(text) + bool(text)
        text = f"{text}\n{part}" if text else part
        lines += [LineSpan(start, len(text), box) for box in boxes]
    return Passage(text, tuple(lines))


def _separate(term: Term, known: set[Label], document: Document) -> bool:
    """Tell whether a definition's text stands nowhere else."""
    if term.label in known:
        return False
    pages = {box.page for box in term.boxes}
    words = term.passage.text[:60]
    return not any(
        words in clause.passage.text
        for clause in document.clauses
        if pages & {box.page for box in clause.boxes}
    )


LINES = 20  # that one reference may reach over
COMMAS = 3  # quantities with a comma that make the usage of a document, and as many times the others
_DECIMAL = re.compile(r"(?<![\d.,])\d{1,4}([.,])\d{1,4}(?![\d.,]\d)")
_LETTERED = re.compile(r"[A-Z]{1,2}\(")  # "A(b)", a clause of a specification
_OF_PARTS = frozenset({"clause", "table", "figure", "formula", "annex"})
_START = re.compile(r"(?<![\w.])(?:[^\W\d_]|\()|(?<![\w.,])\d|(?<=,)\d")


def find_references(document: Document, words: Words | None = None) -> tuple[Reference, ...]:
    """Return all references of a document, in order of their sources; `words` are its family's."""
    usual = words or load_words(document.family, document.language)
    context = _context(document, with_own(usual, (str(clause.label) for clause in document.clauses)))
    return tuple(
        reference
        for label, passage in passages(document)
        for reference in _in_passage(label, passage, context)
    )


@dataclass(frozen=True, slots=True)
class _Context:
    """What the references of every text of a document are read with."""

    document: Document
    words: Words
    index: LabelIndex
    comma: bool
    tables: Mapping[Label, Table]
    figures: frozenset[Label]
    clauses: Mapping[Label, Clause]
    formulas: Mapping[str, tuple[Box, ...]]


def _context(document: Document, words: Words) -> _Context:
    return _Context(
        document,
        words,
        index_labels(document),
        _writes_commas(document, words),
        {table.label: table for table in document.tables},
        frozenset(figure.label for figure in document.figures),
        {clause.label: clause for clause in document.clauses},
        {fold(str(formula.label).strip("()")): formula.boxes for formula in document.formulas},
    )


def _writes_commas(document: Document, words: Words) -> bool:
    """Tell whether the document's decimals have a comma, so that "6.3" is no quantity in it."""
    counts: Counter[str] = Counter()
    for clause in document.clauses:
        for match in _DECIMAL.finditer(clause.passage.text):
            counts[match[1]] += bool(words.units.match(clause.passage.text, match.end()))
    return counts[","] >= COMMAS and counts[","] > COMMAS * counts["."]


def _in_passage(label: Label, passage: Passage, context: _Context) -> Iterator[Reference]:
    """Yield the references of one text."""

    def known(kind: ReferenceKind, name: str, number: str) -> bool:
        return bool(context.index.find(kind, name, number, label))

    home = context.index.homes.get(label) or label
    table = context.tables.get(label)
    loose = _loose_cells(table, context.words, known) if table else frozenset()
    carried: Carried | None = None
    for start, line in _lines(passage.text):
        reading = Reading(
            line,
            context.words,
            known,
            "" if table else _clause_number(_outside_items(home, context.clauses)),
            line in loose,
            _hosts(line, context),
            context.comma and label not in context.figures,
            "" if table else _paragraph(home, context.clauses),
            context.index.numbered,
        )
        for mention in _scan(reading):
            placed, carried = in_context(mention, reading, carried)
            settled = settle(placed, context.document, reading)
            if (
                not settled
                or (start == 0 and _opens(mention, label))
                or _ends_title(mention, settled, reading)
            ):
                continue
            found = [_reference(label, passage, each, start) for each in _lettered(settled, reading)]
            yield from (one for one in found if not _numbers_formula(one, context))
        carried = over_line(reading)


def _hosts(line: str, context: _Context) -> dict[int, Host]:
    """Return the other documents named in a line, by where they start."""
    hosts = find_hosts(line, context.words, context.document.designation)
    own = context.document
    return with_works(hosts, line, context.words, " | ".join((own.title, own.designation, *own.aliases)))


def _outside_items(label: Label, clauses: Mapping[Label, Clause]) -> Label:
    """Return the place whose list items and notes hold this one: 6.2(1) of 6.2(1) NOTE and 6.2(1)a."""
    while label in clauses and clauses[label].kind in ("item", "note") and clauses[label].parent:
        label = clauses[label].parent or label
    return label


def _paragraph(label: Label, clauses: Mapping[Label, Clause]) -> str:
    """Return the number of the paragraph whose list items are named "a)" here: "6.2(1)" in 6.2(1) NOTE."""
    number = number_in(str(_outside_items(label, clauses)))
    return number if any(char.isdigit() for char in number) else ""


def _lettered(mention: Mention, reading: Reading) -> list[Mention]:
    """Return "Table 7.4" as its parts 7.4a and 7.4b, where the document has these alone."""
    number = mention.number.rstrip(")")
    plain = mention.kind in ("table", "figure", "formula") and number[-1:].isdigit()
    if mention.designation or not plain or reading.known(mention.kind, mention.label, mention.number):
        return [mention]
    numbers = [f"{number}{letter}{mention.number[len(number) :]}" for letter in ascii_lowercase]
    parts = list(takewhile(lambda part: reading.known(mention.kind, mention.label, part), numbers))
    return [replace(mention, number=part) for part in parts] or [mention]


def _ends_title(mention: Mention, settled: Mention, reading: Reading) -> bool:
    """Tell whether a Part only ends the title of the code before it: "EN 1991-1-1 ... Part 1-1: Loads"."""
    if mention.kind != "part" or settled.kind != "document":
        return False
    key = fold_designation(settled.designation).key
    return any(fold_designation(host.designation).key == key for host in hosts_before(mention, reading))


def _numbers_formula(reference: Reference, context: _Context) -> bool:
    """Tell whether this is the number that the formula itself carries, in the text of its clause."""
    bare = reference.kind == "clause" and re.fullmatch(r"\d+\.\s\d+", reference.text)  # of "(4. 2)"
    if not bare and (reference.kind != "formula" or not reference.text.startswith("(")):
        return False
    own = context.formulas.get(fold(re.sub(r"[()\s]", "", reference.text)), ())
    return any(
        box.page == line.page
        and box.x0 <= (line.x0 + line.x1) / 2 <= box.x1
        and box.y0 <= (line.y0 + line.y1) / 2 <= box.y1
        for box in own
        for line in reference.boxes
    )


def _opens(mention: Mention, label: Label) -> bool:
    """Tell whether this is the item's own number at its start."""
    named = mention.label and not str(label).startswith(mention.label)  # "Diagram 5.1" opens clause 5.1
    return mention.start == 0 and not named and fold(mention.number) == fold(number_in(str(label)))


def _clause_number(label: Label) -> str:
    """Return the number of the clause that paragraphs named "(2)" belong to: "5.3.2" in "5.3.2(1)"."""
    number = number_in(str(label))
    numbered = number[:1].isalnum() and any(c.isdigit() for c in number)
    return number.partition("(")[0] if numbered or _LETTERED.match(number) else ""


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
    last: Mention | None = None
    while start := _START.search(reading.text, position):
        at = start.start()
        mentions = [_of_clause(mention, last, reading) for mention in _read(reading, at)]
        mentions = [_of_part(mention, last, reading) for mention in mentions]
        yield from mentions
        last = next((m for m in reversed(mentions) if m.kind != "note"), last)
        host = reading.hosts.get(at)
        whole = [host.end] if host and not host.work else []
        consumed = max([mention.end for mention in mentions] + whole, default=0)
        position = consumed if consumed > at else _word_end(reading.text, at)


def _of_clause(mention: Mention, before: Mention | None, reading: Reading) -> Mention:
    """Return a note named with a clause as its note: "4.2(1)P Note 2", "Exception 2 of Section 1603.2".

    So is one of a table or figure: "Note 2 of Figure 7.27".
    """
    if mention.kind != "note" or not mention.label:
        return mention
    within = reading.words.within.match(reading.text, mention.end)
    owner = read_named(reading, within.end()) if within else []
    whose = owner[0].designation or mention.designation if len(owner) == 1 else ""
    if len(owner) == 1 and owner[0].kind in ("table", "figure"):
        number = f"{owner[0].label} {owner[0].number} {mention.label} {mention.number}"
        return replace(mention, label="", number=number, designation=whose)
    if len(owner) == 1 and owner[0].kind == "clause":
        number = f"{owner[0].number} {mention.label} {mention.number}"
        return replace(mention, end=owner[0].end, label="", number=number, designation=whose)
    if not before or before.kind != "clause":
        return mention
    if reading.text[before.end : mention.start].strip(" ,"):
        return mention
    number = f"{before.number.removesuffix('P')} {mention.label} {mention.number}"
    return replace(mention, label="", number=number, designation=before.designation)


def _of_part(mention: Mention, before: Mention | None, reading: Reading) -> Mention:
    """Return what is named with a Part of this document as that of the Part: "Part 1, B(a)".

    With a Part that this document lacks it goes there: "Part B, Chapter 3" is no chapter of this one.
    """
    if mention.kind not in _OF_PARTS or mention.designation or not mention.number:
        return mention
    after = part_after(reading, mention.end)
    behind = before is not None and not reading.text[before.end : mention.start].strip(" ,")
    named = before if before and behind and before.kind == "part" and not before.designation else after
    if not named or named.designation:
        return mention
    if reading.has("requirement", reading.words.code, mention.number):
        return mention  # "paragraph S1 of Schedule 1" is Requirement S1
    end = max(mention.end, named.end)
    if not reading.known("part", named.label, named.number):
        return replace(mention, end=end, part=(named.label, named.number))
    if mention.kind != "clause":
        return mention
    return replace(mention, label="", number=f"{named.number} {mention.number}", end=end)


def _read(reading: Reading, at: int) -> list[Mention]:
    host: Host | None = reading.hosts.get(at)
    hosted = read_hosted(reading, host) if host else []
    if hosted or (host and not host.work):
        return hosted
    return read_relative(reading, at) or read_named(reading, at) or read_bare(reading, at)


def _word_end(text: str, at: int) -> int:
    match = re.compile(r"[A-Za-z]+|\d[\d.]*|.", re.DOTALL).match(text, at)
    return match.end() if match else at + 1


def _boxes(passage: Passage, start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of the lines that hold the characters; lines stand in order, so few are looked at."""
    first = bisect_right(passage.lines, start, key=lambda line: line.end)
    return tuple(
        line.box for line in takewhile(lambda line: line.start < end, passage.lines[first : first + LINES])
    )


def _reference(source: Label, passage: Passage, mention: Mention, shift: int) -> Reference:
    start, end = mention.start + shift, mention.end + shift
    number = f"{mention.label} {mention.number}".strip()
    return Reference(
        source=source,
        start=start,
        end=end,
        text=passage.text[start:end],
        kind=mention.kind,
        boxes=_boxes(passage, start, end),
        designation=mention.designation,
        number=number,
    )
