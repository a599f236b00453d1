"""References as the text prints them: where they stand, what kind and number they name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from string import ascii_lowercase

from appliance.core.document import (
    Box,
    Clause,
    Document,
    Label,
    Passage,
    Reference,
    ReferenceKind,
    Table,
    Term,
)
from appliance.core.mechanisms import mechanism
from appliance.ingest.clause_chunks import placed, stacked
from appliance.ingest.references.hosts import NATIONAL, Host, Known, Mention, Reading, find_hosts, with_works
from appliance.ingest.references.index import LabelIndex, fold, index_labels, number_in
from appliance.ingest.references.names import (
    part_after,
    read_bare,
    read_hosted,
    read_name,
    read_named,
    read_relative,
)
from appliance.ingest.references.words import Owner, Words, load_words, with_own
from appliance.text.designations import fold_designation, load_edition_words, same_document_part


def passages(document: Document) -> Iterator[tuple[Label, Passage]]:
    """Yield the label and text of every clause, table, figure, formula and definition."""
    known = set()
    for clause in document.clauses:
        known.add(clause.label)
        yield clause.label, clause.passage
    for table in document.tables:
        cells = sorted(table.cells, key=lambda cell: (cell.row, cell.column))
        below = [placed(cell.text, (cell.box,)) for cell in cells]
        below += [placed(note.text, (note.box,)) for note in table.notes]
        yield table.label, stacked([placed(table.title, table.boxes[:1]), *below])
    for figure in document.figures:
        yield figure.label, stacked(placed(said, figure.boxes[:1]) for said in (figure.title, figure.text))
    for formula in document.formulas:  # which refers to nothing itself; the words on its symbols may
        yield formula.label, placed(formula.where, formula.boxes[:1])
    yield from ((term.label, term.passage) for term in document.terms if _separate(term, known, document))


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
        if column in headed or sum(any(_scan(Reading(text, words, known))) for text in texts) * 2 > len(texts)
        for text in texts
    )


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


FAR = 120  # characters between a standard, or a part of it, and the parts that follow a title
TOLD = 240  # the same where words tell that the sentence names parts of that standard
LONGEST_HOST = 120  # characters of a designation
_OF_STANDARDS = frozenset({"clause", "annex", "part", "table", "figure"})
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
_PART = re.compile(r"\d+(?:-\d+)*")
_WHOLE = re.compile(r"[A-Za-z /]+\d+")  # a designation without Part and year


@dataclass(frozen=True, slots=True)
class Carried:
    """The standard of what stands at [start, end), its Part by number, and if words told so."""

    start: int
    end: int
    designation: str
    part: str = ""
    told: bool = False


@mechanism(
    "references.context",
    "The document named before carries over to the next reference.",
    without=lambda mention, _reading, carried: (mention, carried),
)
def in_context(mention: Mention, reading: Reading, carried: Carried | None) -> tuple[Mention, Carried | None]:
    """Return a mention with the standard that the text before gives it, and what is carried on."""
    if mention.kind not in _OF_STANDARDS or not mention.label + mention.number:
        return mention, carried
    if mention.designation:
        named = {host.designation for host in reading.hosts.values() if host.standard}
        return mention, _carry(mention, None) if mention.designation in named else None
    name = read_name(reading, mention.start)
    if name and name[1].own:
        return mention, carried
    source = _source(mention, reading, carried)
    if not source or (not source.told and reading.has(mention.kind, mention.label, mention.number)):
        return mention, carried
    if not source.told and _is_own(mention, reading, source, bare=not name):
        return mention, carried
    part = source.part if mention.kind != "part" and _has_parts(source, reading) else ""
    designation = f"{source.designation}-{part}" if part else source.designation
    return replace(mention, designation=designation), _carry(mention, source)


def _is_own(mention: Mention, reading: Reading, source: Carried, *, bare: bool) -> bool:
    """Tell whether a part that this document lacks is its own all the same, and not the standard's."""
    gap = reading.text[max(0, source.end) : mention.start]
    if _SENTENCE.search(gap):
        return True
    numbers = mention.number.split(".")
    return bare and any(
        reading.known(mention.kind, mention.label, ".".join(numbers[:end])) for end in range(2, len(numbers))
    )


def _has_parts(source: Carried, reading: Reading) -> bool:
    """Tell whether the Part carried completes the designation: that of a standard, by a number."""
    volume = reading.words.volumes and re.search(reading.words.volumes, source.designation)
    return not volume and bool(_WHOLE.fullmatch(source.designation) and _PART.fullmatch(source.part))


def over_line(reading: Reading) -> Carried | None:
    """Return the standard that a line leaves to the next one: it ends in "The relevant clauses are"."""
    end = len(reading.text)
    hosts = [host for host in reading.hosts.values() if host.standard and host.end + TOLD >= end]
    if hosts and _told(reading, max(host.end for host in hosts), end):
        host = max(hosts, key=lambda host: host.end)
        return Carried(-1, 0, host.designation, told=True)
    return None


def hosts_before(mention: Mention, reading: Reading, reach: int = FAR) -> list[Host]:
    """Return the documents named shortly before, nearest last."""
    near = range(max(0, mention.start - reach - LONGEST_HOST), mention.start)
    hosts = [reading.hosts[at] for at in near if at in reading.hosts]
    return [host for host in hosts if host.end <= mention.start <= host.end + reach]


def _source(mention: Mention, reading: Reading, carried: Carried | None) -> Carried | None:
    """Return the nearer of the standard named before and of what is carried."""
    if carried and (carried.start, carried.end) == (mention.start, mention.end):
        return carried
    near = [host for host in hosts_before(mention, reading, TOLD) if host.standard]
    host = max(near, key=lambda host: host.end, default=None)
    follows = carried and _follows(carried, mention, reading)
    if carried and follows and not (host and host.end > carried.end):
        return carried
    told = host is not None and _told(reading, host.end, mention.start)
    if not host or not (told or mention.start <= host.end + FAR):
        return None
    return Carried(host.start, host.end, host.designation, told=told)


def _follows(carried: Carried, mention: Mention, reading: Reading) -> bool:
    gap = reading.text[max(0, carried.end) : mention.start]
    return carried.end <= mention.start and len(gap) <= FAR and not _SENTENCE.search(gap)


def _told(reading: Reading, start: int, end: int) -> bool:
    """Tell whether the sentence that ends here says that it names the parts that matter of a standard."""
    told = [match.end() for match in reading.words.told.finditer(reading.text, start, end)]
    return bool(told) and not _SENTENCE.search(reading.text, told[-1], end)


def _carry(mention: Mention, source: Carried | None) -> Carried:
    """Return what goes on from a mention: a Part is that of the clauses behind it."""
    named = mention.kind == "part" and mention.label
    designation = source.designation if source else mention.designation
    part = mention.number if named else (source.part if source else "")
    return Carried(mention.start, mention.end, designation, part, told=bool(source and source.told))


_PARTED = re.compile(r"^(?P<part>[A-Z]{1,2}\d{1,2})-(?P<number>[A-Z]?\.?\d.*)$")
_CODE = re.compile(r"^[A-Z]{1,2}\d")


def settle(mention: Mention, document: Document, reading: Reading) -> Mention | None:
    """Return the mention with its document made plain, "" for this one; None if it names only itself."""
    if mention.kind == "relative":
        return _national(mention, document, reading)
    if mention.part:
        mention = _in_other_part(mention, document, reading)
    mention = _in_series(mention, document, reading)
    mention = _own(mention, document)
    if mention.kind == "document" and not mention.designation:
        return None
    mention = _parted(mention, reading)
    if _is_requirement(mention, reading):
        mention = replace(mention, kind="requirement", label=reading.words.code)
    for owner in reading.words.owners:
        fits = owner.label == mention.label and not owner.series
        match = owner.number.fullmatch(mention.number) if fits else None
        if match and _applies(owner, mention, reading):
            return replace(mention, designation=match.expand(owner.designation))
        if match and _is_owner(mention.designation, owner):
            return replace(mention, designation="")
    return _of_parent(mention, document, reading)


def _in_other_part(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part of a Part that is another document, or that nothing here is: "clause 1.2 of Part 2"."""
    label, number = mention.part or ("", "")
    whole = settle(Mention(mention.start, mention.end, "part", label, number), document, reading)
    if whole and whole.designation:
        return replace(mention, designation=whole.designation, part=None)
    return replace(mention, label="", number=f"{label} {number} {mention.number}", part=None)


def _national(mention: Mention, document: Document, reading: Reading) -> Mention | None:
    """Return the national annex named without a designation as that of this document, None if it is one."""
    if mention.number != NATIONAL:
        return mention
    if re.match("|".join(map(re.escape, reading.words.annexes)), document.designation):
        return None
    undated = document.designation.partition(":")[0]
    return replace(mention, designation=reading.words.relative["own"].format(undated)) if undated else None


def _in_series(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a Part as the document of the series that it is: "Part 1-2", "EN 1993 Part 1-2"."""
    for owner in reading.words.owners:
        match = owner.number.fullmatch(mention.number) if owner.label == mention.label else None
        if not match or not owner.series:
            continue
        whole = fold_designation(mention.designation or document.designation).key
        series = owner.series.match(whole)
        if series and not (mention.designation and series.end() < len(whole)):
            if not mention.designation and reading.has(mention.kind, mention.label, mention.number):
                continue
            designation = match.expand(owner.designation).format(series=series[1])
            return Mention(mention.start, mention.end, "document", "", "", designation)
    return mention


def _of_parent(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part that a national annex names and does not have as one of the code it is an annex to."""
    parent = _parent(document.designation)
    if not parent or mention.designation or mention.kind in ("relative", "note", "requirement"):
        return mention
    if mention.number.startswith(reading.words.annexes) or reading.has(
        mention.kind, mention.label, mention.number
    ):
        return mention
    return replace(mention, designation=parent)


@lru_cache(maxsize=64)
def _parent(designation: str) -> str:
    """Return the code that "NA to BS EN 1990:2002" and "DIN EN 1990/NA" belong to, "" for no annex."""
    found = (pattern.search(" ".join(designation.split())) for pattern in load_edition_words().annexes)
    return next((match["parent"] for match in found if match), "")


def _is_requirement(mention: Mention, reading: Reading) -> bool:
    """Tell whether "Parts K1 and K2" or "paragraph H2" names a requirement by its code."""
    label = reading.words.code
    if not label or not _CODE.match(mention.number) or mention.kind not in ("part", "clause"):
        return False
    return reading.has("requirement", label, mention.number) and not reading.has(
        mention.kind, mention.label, mention.number
    )


def _applies(owner: Owner, mention: Mention, reading: Reading) -> bool:
    if mention.designation and not _is_owner(mention.designation, owner):
        return False
    if mention.designation and mention.kind == "part":
        return True  # "Part D of Schedule 1 to the ... Regulations"
    return not reading.has(mention.kind, mention.label, mention.number)


def _is_owner(designation: str, owner: Owner) -> bool:
    return bool(designation) and (designation in owner.same or owner.designation.startswith(designation))


def _own(mention: Mention, document: Document) -> Mention:
    """Return a mention of this document's own part as internal, with the Part that the name adds."""
    part = same_document_part(mention.designation, document) if mention.designation else None
    if part is None or (part and not mention.number):
        return mention
    return replace(mention, designation="", number=f"{part} {mention.number}".strip())


def _parted(mention: Mention, reading: Reading) -> Mention:
    """Return "H1-2.17" as clause 2.17 of Part H1, where the document has such a one."""
    match = _PARTED.match(mention.number) if mention.kind == "clause" else None
    if match and not mention.designation and reading.has("clause", "", f"{match['part']} {match['number']}"):
        return replace(mention, number=f"{match['part']} {match['number']}")
    return mention
