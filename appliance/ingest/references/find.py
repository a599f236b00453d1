"""References as the text prints them: where they stand, what kind and number they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from itertools import takewhile
from string import ascii_lowercase

from appliance.core.document import Document, Label, Passage, Reference, Table, boxes_between
from appliance.core.mechanisms import mechanism
from appliance.core.page_boxes import in_box
from appliance.core.runs import grouped
from appliance.ingest.chunking import placed, stacked
from appliance.ingest.references.named_documents import (
    NATIONAL,
    Host,
    Mention,
    Reading,
    bodies_told,
    find_hosts,
    with_works,
)
from appliance.ingest.references.named_parts import (
    part_after,
    read_bare,
    read_hosted,
    read_name,
    read_named,
    read_relative,
)
from appliance.ingest.references.part_words import Words, load_words, with_own
from appliance.ingest.references.resolve import LabelIndex, fold, number_in
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
    for term in document.terms:  # whose text stands nowhere else
        pages = {box.page for box in term.boxes}
        near = (clause for clause in document.clauses if pages & {box.page for box in clause.boxes})
        words = term.passage.text[:60]
        if term.label not in known and not any(words in clause.passage.text for clause in near):
            yield term.label, term.passage


COMMAS = 3  # quantities with a comma that make the usage of a document, and as many times the others
_DECIMAL = re.compile(r"(?<![\d.,])\d{1,4}([.,])\d{1,4}(?![\d.,]\d)")
_LETTERED = re.compile(r"[A-Z]{1,2}\(")  # "A(b)", a clause of a specification
_OF_PARTS = frozenset({"clause", "table", "figure", "formula", "annex"})
_START = re.compile(r"(?<![\w.])(?:[^\W\d_]|\()|(?<![\w.,])\d|(?<=,)\d")
_SKIPPED = re.compile(r"[A-Za-z]+|\d[\d.]*|.", re.DOTALL)  # where nothing is named


class _Context:
    """What the references of every text of a document are read with."""

    def __init__(self, document: Document, words: Words) -> None:
        self.document, self.index = document, LabelIndex(document)
        self.words = with_own(words, document.clauses)
        self.words.bodies += bodies_told((text.text for _, text in passages(document)), self.words)
        signs: Counter[str] = Counter()
        for clause in document.clauses:
            for match in _DECIMAL.finditer(clause.passage.text):
                signs[match[1]] += bool(words.units.match(clause.passage.text, match.end()))
        # Decimals have a comma, so that "6.3" is no quantity.
        self.comma = signs[","] >= COMMAS and signs[","] > COMMAS * signs["."]
        self.tables = {table.label: table for table in document.tables}
        self.figures = frozenset(figure.label for figure in document.figures)
        self.clauses = {clause.label: clause for clause in document.clauses}
        self.formulas = {fold(str(formula.label).strip("()")): formula.boxes for formula in document.formulas}


def find_references(document: Document, words: Words | None = None) -> tuple[Reference, ...]:
    """Return all references of a document, in order of their sources; `words` are its family's."""
    context = _Context(document, words or load_words(document.family, document.language))
    return tuple(
        reference
        for label, passage in passages(document)
        for reference in _in_passage(label, passage, context)
    )


def _in_passage(label: Label, passage: Passage, context: _Context) -> Iterator[Reference]:
    """Yield the references of one text; none reaches over two of its paragraphs, cells or captions."""
    document, words = context.document, context.words
    table = context.tables.get(label)
    home, clauses = context.index.homes.get(label) or label, context.clauses
    while home in clauses and clauses[home].kind in ("item", "note") and (above := clauses[home].parent):
        home = above  # what holds the list items and notes: 6.2(1) of 6.2(1) NOTE and 6.2(1)a
    # What "(2)" is a paragraph of ("5.3.2" in 5.3.2(1)), and "a)" an item of ("6.2(1)" in 6.2(1) NOTE).
    number = "" if table else number_in(str(home))
    numbered = any(char.isdigit() for char in number)
    has_paragraphs = (numbered and number[0].isalnum()) or _LETTERED.match(number)
    loose = _loose_cells(table, label, context) if table else frozenset()
    own_names = " | ".join((document.title, document.designation, *document.aliases))
    carried: Carried | None = None
    start = 0
    for line in passage.text.split("\n"):
        reading = Reading(
            line,
            words,
            context.index,
            document,
            label,
            number.partition("(")[0] if has_paragraphs else "",
            line in loose,
            with_works(find_hosts(line, words, document.designation), line, words, own_names),
            context.comma and label not in context.figures,
            number if numbered else "",
        )
        for mention in _scan(reading):
            placed, carried = in_context(mention, reading, carried)
            settled = settle(placed, reading)
            opens = start == 0 and _opens(mention, label)
            if not settled or opens or _ends_title(mention, settled, reading):
                continue
            found = [_reference(label, passage, each, start) for each in _lettered(settled, reading)]
            yield from (one for one in found if not _numbers_formula(one, context))
        # a line leaves its standard to the next one where it ends in "The relevant clauses are"
        end = len(reading.text)
        ending = [host for host in reading.hosts.values() if host.standard and host.end + TOLD >= end]
        host = max(ending, key=lambda host: host.end, default=None)
        told = host and _told(reading, host.end, end)
        carried = Carried(-1, 0, host.designation, told=True) if host and told else None
        start += len(line) + 1


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
    return any(in_box(line, box) for box in own for line in reference.boxes)


def _opens(mention: Mention, label: Label) -> bool:
    """Tell whether this is the item's own number at its start."""
    named = mention.label and not str(label).startswith(mention.label)  # "Diagram 5.1" opens clause 5.1
    return mention.start == 0 and not named and fold(mention.number) == fold(number_in(str(label)))


def _loose_cells(table: Table, label: Label, context: _Context) -> frozenset[str]:
    """Return the texts of the cells of columns that hold clause numbers.

    Such a column is headed so ("Clause"), or the greater part of its cells names parts of the document.
    """
    columns = grouped((cell.column, cell.text) for cell in table.cells if not cell.header and cell.text)
    words, index = context.words, copy(context.index)
    index.series = {}
    headed = {c.column for c in table.cells if c.header and c.text.strip().casefold() in words.columns}
    return frozenset(
        text
        for column, texts in columns.items()
        if column in headed
        or sum(any(_scan(Reading(text, words, index, context.document, label))) for text in texts) * 2
        > len(texts)
        for text in texts
    )


def _scan(reading: Reading) -> Iterator[Mention]:
    """Yield mentions from left to right; what one has consumed is not read again."""
    position = 0
    last: Mention | None = None
    while start := _START.search(reading.text, position):
        at = start.start()
        host = reading.hosts.get(at)
        read = read_hosted(reading, host) if host else []
        if not read and (not host or host.work):
            read = read_relative(reading, at) or read_named(reading, at) or read_bare(reading, at)
        mentions = [_of_part(_of_clause(mention, last, reading), last, reading) for mention in read]
        yield from mentions
        last = next((m for m in reversed(mentions) if m.kind != "note"), last)
        whole = [host.end] if host and not host.work else []
        consumed = max([mention.end for mention in mentions] + whole, default=0)
        skipped = _SKIPPED.match(reading.text, at)
        position = consumed if consumed > at or not skipped else skipped.end()


def _of_clause(mention: Mention, before: Mention | None, reading: Reading) -> Mention:
    """Return a note named with a clause as its note: "4.2(1)P Note 2", "Exception 2 of Section 1603.2".

    So is one of a table or figure: "Note 2 of Figure 7.27".
    """
    if mention.kind != "note" or not mention.label:
        return mention
    within = reading.words.within.match(reading.text, mention.end)
    owners = read_named(reading, within.end()) if within else []
    owner, noted = owners[0] if len(owners) == 1 else None, f"{mention.label} {mention.number}"
    if owner and owner.kind in ("table", "figure", "clause"):
        named, end = owner.number, owner.end
        if owner.kind != "clause":
            named, end = f"{owner.label} {owner.number}", mention.end
        whose = owner.designation or mention.designation
        return replace(mention, end=end, label="", number=f"{named} {noted}", designation=whose)
    if not before or before.kind != "clause" or reading.text[before.end : mention.start].strip(" ,"):
        return mention
    number = f"{before.number.removesuffix('P')} {noted}"
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


def _reference(source: Label, passage: Passage, mention: Mention, shift: int) -> Reference:
    start, end = mention.start + shift, mention.end + shift
    return Reference(
        source, start, end, passage.text[start:end], mention.kind, boxes_between(passage, start, end),
        designation=mention.designation, number=f"{mention.label} {mention.number}".strip(),
    )  # fmt: skip


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


@mechanism("references.context", without=lambda mention, _reading, carried: (mention, carried))
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
    if not source.told:  # a part that this document lacks may be its own all the same
        numbers = mention.number.split(".")
        above = (".".join(numbers[:end]) for end in range(2, len(numbers)))
        if _SENTENCE.search(reading.text[max(0, source.end) : mention.start]) or (
            not name and any(reading.known(mention.kind, mention.label, number) for number in above)
        ):
            return mention, carried
    designation = source.designation
    volume = reading.words.volumes and re.search(reading.words.volumes, designation)
    parted = not volume and _WHOLE.fullmatch(designation) and _PART.fullmatch(source.part)
    if mention.kind != "part" and parted:
        designation = f"{designation}-{source.part}"
    return replace(mention, designation=designation), _carry(mention, source)


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
    gap = reading.text[max(0, carried.end) : mention.start] if carried else ""
    follows = carried and carried.end <= mention.start and len(gap) <= FAR and not _SENTENCE.search(gap)
    if carried and follows and not (host and host.end > carried.end):
        return carried
    told = host is not None and _told(reading, host.end, mention.start)
    if not host or not (told or mention.start <= host.end + FAR):
        return None
    return Carried(host.start, host.end, host.designation, told=told)


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


def settle(mention: Mention, reading: Reading) -> Mention | None:
    """Return the mention with its document made plain, "" for this one; None if it names only itself."""
    if mention.kind == "relative":
        return _national(mention, reading)
    if mention.part:
        label, number = mention.part  # which is another document, or that nothing here is
        whole = settle(Mention(mention.start, mention.end, "part", label, number), reading)
        inside = replace(mention, label="", number=f"{label} {number} {mention.number}", part=None)
        named = replace(mention, designation=whole.designation, part=None) if whole else inside
        mention = named if named.designation else inside
    mention = _of_this(_in_series(mention, reading), reading)
    if mention.kind == "document" and not mention.designation:
        return None
    for owner in reading.words.owners:
        match = owner.number.fullmatch(mention.number) if owner.label == mention.label else None
        if not match or owner.series:
            continue
        name = mention.designation
        owned = bool(name) and (name in owner.same or owner.designation.startswith(name))
        schedule = owned and mention.kind == "part"  # "Part D of Schedule 1 to the ... Regulations"
        lacks = schedule or not reading.has(mention.kind, mention.label, mention.number)
        if (owned or not name) and lacks:
            return replace(mention, designation=match.expand(owner.designation))
        if owned:
            return replace(mention, designation="")
    return _of_parent(mention, reading)


def _national(mention: Mention, reading: Reading) -> Mention | None:
    """Return the national annex named without a designation as that of this document, None if it is one."""
    if mention.number != NATIONAL:
        return mention
    if re.match("|".join(map(re.escape, reading.words.annexes)), reading.document.designation):
        return None
    undated = reading.document.designation.partition(":")[0]
    return replace(mention, designation=reading.words.relative["own"].format(undated)) if undated else None


def _in_series(mention: Mention, reading: Reading) -> Mention:
    """Return a Part as the document of the series that it is: "Part 1-2", "EN 1993 Part 1-2"."""
    for owner in reading.words.owners:
        match = owner.number.fullmatch(mention.number) if owner.label == mention.label else None
        if not match or not owner.series:
            continue
        whole = fold_designation(mention.designation or reading.document.designation).key
        series = owner.series.match(whole)
        if series and not (mention.designation and series.end() < len(whole)):
            if not mention.designation and reading.has(mention.kind, mention.label, mention.number):
                continue
            designation = match.expand(owner.designation).format(series=series[1])
            return Mention(mention.start, mention.end, "document", "", "", designation)
    return mention


def _of_parent(mention: Mention, reading: Reading) -> Mention:
    """Return a part that a national annex names and does not have as one of the code it is an annex to."""
    if mention.designation or mention.kind in ("relative", "note", "requirement"):
        return mention
    if mention.number.startswith(reading.words.annexes) or reading.has(
        mention.kind, mention.label, mention.number
    ):
        return mention
    named = " ".join(reading.document.designation.split())  # "NA to BS EN 1990:2002", "DIN EN 1990/NA"
    found = (pattern.search(named) for pattern in load_edition_words().annexes)
    return replace(mention, designation=next((match["parent"] for match in found if match), ""))


def _of_this(mention: Mention, reading: Reading) -> Mention:
    """Return a mention of this document's own part as internal, with the Part that the name adds.

    "H1-2.17" is clause 2.17 of Part H1, and "Parts K1 and K2" or "paragraph H2" name requirements by their
    codes, where the document has such.
    """
    part = same_document_part(mention.designation, reading.document) if mention.designation else None
    if part is not None and (mention.number or not part):
        mention = replace(mention, designation="", number=f"{part} {mention.number}".strip())
    if mention.kind == "clause" and not mention.designation and (match := _PARTED.match(mention.number)):
        number = f"{match['part']} {match['number']}"
        mention = replace(mention, number=number) if reading.has("clause", "", number) else mention
    code, number = reading.words.code, mention.number
    coded = code and _CODE.match(number) and mention.kind in ("part", "clause")
    if (
        coded
        and reading.has("requirement", code, number)
        and not reading.has(mention.kind, mention.label, number)
    ):
        return replace(mention, kind="requirement", label=code)
    return mention
