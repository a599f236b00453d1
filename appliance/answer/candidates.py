"""Candidates: what could be said from the places found, each with the print that proves it.

Sentences and items with what introduces their list, rows with their whole header path, definitions, formulas,
figures, and the sentences that refer to a named place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from appliance.answer.statement_support import Claim, governing
from appliance.core.document import Box, Cell, Clause, Label, Passage, Table, TableNote, boxes_between
from appliance.core.evidence import Evidence, Listed, Place
from appliance.core.files import shipped
from appliance.retrieval import search_context
from appliance.store.read import Store
from appliance.store.records import StoredChunk
from appliance.tables.rows import (
    Row,
    cell_headers,
    column_headers,
    counting_columns,
    flat,
    label_columns,
    rows,
    with_unit,
)
from appliance.tables.rows import without_marks as without_raised
from appliance.text.sentences import mark_of, sentence_spans

Form = Literal["sentence", "item", "row", "definition", "formula", "figure"]
Span = tuple[int, int]
BETWEEN = " | "  # stands between the cells of a quoted row
PIECES = " … "  # stands between pieces that are printed apart
CLAIMS = " …\n"  # stands between the claims of a statement, each on a line of its own


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim stretch of a code with its page and boxes."""

    document: str
    label: Label
    page: int
    boxes: tuple[Box, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RowValue:
    """A value of a row: its cell, the heads over it from the top, its unit, and how it is said."""

    cell: Cell
    heads: tuple[str, ...]
    unit: str
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that could be said: `text` and the quotes that print it.

    `heads` are words that stand over it without being said (headings, caption), `lead` introduces its list,
    `name` is what a row is named by (group and label), `around` all text of its clause, `values` the cells of
    a row with their heads. `chunk` is the searched part that it was cut from, `span` the share [start, end)
    of it, each 0..1. `marked` are the (row, column) of its cells, `notes` those whose mark it bears.
    `rank` is that of its place, from 0.
    """

    form: Form
    text: str
    quotes: tuple[Quote, ...]
    place: Place
    rank: int
    chunk: int
    span: tuple[float, float] = (0.0, 1.0)
    heads: str = ""
    name: str = ""
    lead: str = ""
    around: str = ""
    values: tuple[RowValue, ...] = ()
    marked: tuple[tuple[int, int], ...] = ()
    notes: tuple[Quote, ...] = ()
    labels: tuple[Label, ...] = ()
    claims: tuple[Claim, ...] = field(default=())
    score: float = 0.0

    @property
    def label(self) -> Label:
        """Return the smallest printed label that encloses it."""
        return self.quotes[-1].label


class Sources:
    """Clauses, tables and searched parts of the places of one question, each read once."""

    def __init__(self, store: Store, places: Sequence[Place]) -> None:
        self.store = store
        self.clause, self.table = cache(store.clause), cache(store.table)
        self._parts = _parts(store, [place.chunk for place in places])

    def parts(self, place: Place) -> Sequence[StoredChunk]:
        """Return the searched parts of a place; of a table those of all chunks that it was cut into."""
        if place.kind != "table":
            return self._parts.get(place.chunk, ())
        cut = self.store.chunks(self.store.chunks_for(place.document, place.label))
        own = [one.id for one in cut if one.chunk.label == place.label and one.chunk.kind == "table"]
        self._parts |= _parts(self.store, [chunk for chunk in own if chunk not in self._parts])
        return [part for chunk in dict.fromkeys((place.chunk, *own)) for part in self._parts.get(chunk, ())]


def _parts(store: Store, shown: Sequence[int]) -> dict[int, Sequence[StoredChunk]]:
    """Return the searched parts of each shown chunk, itself where it has none."""
    families: Mapping[int, tuple[int, ...]] = store.chunk_children(shown)
    stored = {part.id: part for part in store.chunks(one for ids in families.values() for one in ids)}
    return {chunk: [stored[one] for one in ids if one in stored] for chunk, ids in families.items()}


def candidates(store: Store, places: Sequence[Place]) -> list[Candidate]:
    """Return what could be said from these places, the first place first, each text of a place once."""
    sources = Sources(store, places)
    found: dict[tuple[str, str, str], Candidate] = {}
    for rank, place in enumerate(places):
        for way in WAYS.get(place.kind, (from_formulas, from_text)):
            for one in way(sources, place, rank):
                found.setdefault((place.document, one.label.key, one.text), one)
    return list(found.values())


# -- running text


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that is cut into sentences: a passage under a label, its boxes and those of the clauses inside.

    `lead` introduces the list that it is an item of, `over` is the text of the clause above.
    """

    passage: Passage
    label: Label
    boxes: tuple[Box, ...]
    inner: tuple[Box, ...] = ()
    lead: Quote | None = None
    over: str = ""


LEAD_DEPTH = 3  # lists inside lists
FEWEST_WORDS = 2  # of a sentence that says something
INSIDE = 0.004  # of the page: how far boxes of two lines may overlap
_INTRODUCES = re.compile(r":[ \t]*$")


def from_text(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield what the clauses shown in a place say; what belongs to no clause is taken from its parts."""
    parts = sources.parts(place)
    labels = dict.fromkeys((place.label, *place.labels))
    clauses = [clause for label in labels if (clause := sources.clause(place.document, label.key))]
    shown = flat(place.text)
    said = False
    for clause in clauses:
        inner = tuple(box for other in clauses if other.parent == clause.label for box in other.boxes)
        above = sources.clause(place.document, clause.parent.key) if clause.parent else None
        lead, over = _lead(sources, place.document, clause), above.passage.text if above else ""
        text = _Text(clause.passage, clause.label, clause.boxes, inner, lead, over)
        for one in _of_text(text, place, rank, parts):
            if flat(one.quotes[-1].text) in shown:
                said = True
                yield one
    for part in () if said else parts:
        chunk = part.chunk
        yield from _of_text(_Text(chunk.passage, chunk.label, chunk.boxes), place, rank, [part])


def _of_text(text: _Text, place: Place, rank: int, parts: Sequence[StoredChunk]) -> Iterator[Candidate]:
    """Yield the sentences of a text; an unnumbered item goes with the one that introduces its list."""
    passage, own_lead = text.passage, None
    around = f"{text.over} {passage.text}".strip()
    heads = " ".join(dict.fromkeys((*place.heading_path[1:], place.title)))
    held = [(part.id, flat(part.chunk.passage.text)) for part in parts]
    for start, end in _sentences(passage, text.inner):
        printed = passage.text[start:end]
        if len(printed.split()) < FEWEST_WORDS and not any(map(str.isdigit, printed)):
            continue
        boxes = boxes_between(passage, start, end) or text.boxes
        page = boxes[0].page if boxes else place.pages[0]
        quote = Quote(place.document, text.label, page, boxes, printed)
        is_item = mark_of(f"{printed} ") is not None
        lead = own_lead if is_item and own_lead else text.lead
        before, said = flat(lead.text) if lead else "", flat(quote.text)
        told = f"{before}{PIECES}{said}" if before else said
        quotes = (lead, quote) if lead else (quote,)
        # the part that prints it, and where in it, as shares of its length
        chunk, span = next(((one, _share(whole, said)) for one, whole in held if said in whole),
                           (_first(parts), (0.0, 1.0)))  # fmt: skip
        yield Candidate(
            "item" if lead else "sentence", told, quotes, place, rank, chunk, span, heads=heads, lead=before,
            around=around, claims=(Claim(told, tuple(one.text for one in quotes)),), labels=(text.label,),
        )  # fmt: skip
        if _INTRODUCES.search(printed):
            own_lead = quote
        elif not is_item:
            own_lead = None


def _share(whole: str, part: str) -> tuple[float, float]:
    at = whole.find(part)
    return at / len(whole), (at + len(part)) / len(whole)


def _first(parts: Sequence[StoredChunk]) -> int:
    return parts[0].id if parts else 0


def _lead(sources: Sources, document: str, clause: Clause) -> Quote | None:
    """Return the sentence that introduces the list that an item belongs to, None for what is no item."""
    above = clause.parent
    for _ in range(LEAD_DEPTH):
        parent = sources.clause(document, above.key) if above else None
        in_list = clause.kind == "paragraph" and parent and parent.kind in {"item", "paragraph"}
        if parent is None or not (clause.kind == "item" or in_list):
            return None
        passage, inner = parent.passage, clause.boxes
        spans = list(_sentences(passage, inner))
        opening = [span for span in spans if _INTRODUCES.search(passage.text[slice(*span)])]
        higher = [span for span in opening or spans if _is_above(boxes_between(passage, *span), inner)]
        if before := (higher or opening)[-1:]:
            boxes = boxes_between(passage, *before[0]) or parent.boxes
            text = passage.text[slice(*before[0])]
            return Quote(document, parent.label, boxes[0].page, boxes, text) if boxes else None
        clause, above = parent, parent.parent
    return None


def _is_above(boxes: Sequence[Box], inner: Sequence[Box]) -> bool:
    if not boxes or not inner:
        return True
    return (boxes[-1].page, boxes[-1].y0) <= (inner[0].page, inner[0].y0)


def _sentences(passage: Passage, inner: Sequence[Box]) -> Iterator[Span]:
    """Yield the sentences of a passage, cut where another clause stands between two lines."""
    cuts = [
        after.start
        for before, after in pairwise(passage.lines)
        if any(
            before.box.page == box.page == after.box.page
            and before.box.y1 - INSIDE <= box.y0
            and box.y1 <= after.box.y0 + INSIDE
            for box in inner
        )
    ]
    for start, end in pairwise([0, *cuts, len(passage.text)]):
        for first, last in sentence_spans(passage.text[start:end]):
            yield start + first, start + last


# -- tables

# of footnotes, at the end
_MARKS = re.compile(r"(?:\s?[⁽(\[]?[¹²³⁴-⁹](?:\s?[⁾)])?[,\s]?|(?<=[)⁾¹²³⁴-⁹])\s?\d?[)⁾])+$")


def from_table(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the rows of a table that say something, with units and marked notes, then its notes."""
    table = sources.table(place.document, place.label.key)
    if table is None:
        return
    parts = sources.parts(place)
    by_row = {part.chunk.row: part.id for part in parts if part.chunk.row is not None}
    whole = next((part.id for part in parts if part.chunk.row is None), _first(parts))
    headers = [cell for cell in table.cells if cell.header and cell.text.strip()]
    head_quotes = (_quoted(place, table, headers),) if headers else ()
    caption, called = (f"{name} {table.title}".strip() for name in (table.label, table.label.named))
    heads = " ".join(dict.fromkeys((*place.heading_path[1:], caption)))
    corner = _corner(table, label_columns(table))
    for row in rows(table):
        values = tuple(_values(table, row, corner))
        cells = [cell for cell in (row.heading, *row.cells) if cell and cell.text.strip()]
        if not values or not cells:
            continue
        label = f"{corner} {row.label}".strip() if _bare().fullmatch(row.label) else row.label
        name = ", ".join(part for part in (row.group, label) if part)
        text = said(table.label.named, name, values)
        over = [cell for cell in headers if any(_meet(cell, value.cell) for value in values)]
        marks = {mark for cell in (*over, *cells) for mark in _marks_of(cell.text)}
        marked = (note for note in table.notes if note.mark)
        quote = _quoted(place, table, cells)
        yield Candidate(
            "row",
            text,
            (*head_quotes, quote),
            place,
            rank,
            by_row.get(row.number, whole),
            heads=heads,
            name=name,
            values=values,
            marked=tuple((row.number, value.cell.column) for value in values),
            notes=tuple(_note(place, table, n) for n in marked if n.mark.casefold().strip("() ") in marks),
            labels=(table.label,),
            claims=(Claim(text, (BETWEEN.join(cell.text for cell in headers), called, quote.text)),),
        )
    for note in table.notes:
        quote = _note(place, table, note)
        text = flat(quote.text)
        yield Candidate(
            "sentence", text, (quote,), place, rank, whole, heads=heads, labels=(table.label,),
            claims=(Claim(text, (quote.text,)),),
        )  # fmt: skip


def said(label: str, name: str, values: Sequence[RowValue]) -> str:
    """Return a row in words: "Table 1.1: Private stair: Maximum rise (mm) 220 mm; ..."."""
    told = "; ".join(value.text for value in values)
    return f"{label}: {name}: {told}" if name else f"{label}: {told}"


def _values(table: Table, row: Row, corner: str) -> Iterator[RowValue]:
    """Yield the values of a row with their heads and units; `corner` is printed above the row labels."""
    labels = label_columns(table)
    for cell in row.cells:
        if cell.column < labels or not cell.text.strip():
            continue
        headers = cell_headers(table, cell)
        header, value = ", ".join(headers), flat(cell.text)
        bare = _bare().fullmatch(header) is not None
        above = (row.group, table.title) if bare or not header else ()
        unit = governing(headers[::-1], (row.label, *above))
        told = f"{corner} {header}:".strip() if bare and corner else header
        plain = without_marks(value)
        is_number = bool(unit) and with_unit(f"({unit})", plain) == f"({unit}) {plain} {unit}"
        heads = (corner, *headers) if bare and corner else headers
        text = f"{told} {value}{f' {unit}' if is_number else ''}".strip()
        yield RowValue(cell, tuple(heads), unit if is_number else "", text)


def without_marks(value: str) -> str:
    """Return a value without the marks of footnotes at its end, raised or in brackets."""
    return _MARKS.sub("", without_raised(value))


def _corner(table: Table, labels: int) -> str:
    """Return what is printed above the row labels."""
    columns = range(counting_columns(table), labels)
    above = (header for column in columns for header in column_headers(table, column))
    return ", ".join(dict.fromkeys(above)).rstrip(" :")


@cache
def _bare() -> re.Pattern[str]:
    """Return what matches a bare number, a range or a list of numbers ("5", "6–8", "4 and over")."""
    data = shipped("answer/columns")
    joined = {*data["spanning"], *data["joining"]} - {","}
    between, open_end = ("|".join(map(re.escape, sorted(one))) for one in (joined, data["unbounded"]))
    return re.compile(rf"[<>≤≥±−-]?\s?\d[\d.,\s]*(?:\s?(?:{between})\s?\d[\d.,]*)*\s?(?:{open_end})?")


def _meet(head: Cell, cell: Cell) -> bool:
    """Tell whether a head stands over a cell."""
    return head.column < cell.column + cell.column_span and cell.column < head.column + head.column_span


def _quoted(place: Place, table: Table, cells: Sequence[Cell]) -> Quote:
    boxes = tuple(dict.fromkeys(cell.box for cell in cells))
    text = BETWEEN.join(cell.text for cell in cells)
    return Quote(place.document, table.label, boxes[-1].page, boxes, text)


def _note(place: Place, table: Table, note: TableNote) -> Quote:
    printed = f"{note.mark} {note.text}".strip() if note.mark else note.text
    return Quote(place.document, table.label, note.box.page, (note.box,), printed)


def _marks_of(text: str) -> Iterator[str]:
    """Yield the raised marks of a cell in plain signs, those in brackets at its end too."""
    raised = "".join(
        unicodedata.normalize("NFKC", sign) if unicodedata.decomposition(sign).startswith("<super>") else " "
        for sign in text
    )
    yield from re.findall(r"[a-z0-9]+|\*+", raised.casefold())
    for found in re.finditer(r"[(\[]([a-z0-9])[)\]]\s*$", text, re.IGNORECASE):
        yield found[1].casefold()


# -- definitions, formulas, figures


def from_definitions(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the terms that a place defines, each with its meaning."""
    heads = " ".join(place.heading_path[1:])
    for part in sources.parts(place):
        chunk, text = part.chunk, part.chunk.passage.text
        term, _, meaning = text.partition("\n")
        if not text.strip() or not chunk.boxes:
            continue
        numbered = (label for label in chunk.labels if sources.clause(place.document, label.key))
        label = next(numbered, chunk.label)
        begin = len(text) - len(meaning) if meaning else 0
        spans = [(begin + start, begin + end) for start, end in sentence_spans(meaning)]
        quotes = []
        for span in ((0, len(term)), *(spans or [(begin, len(text))])):
            boxes = boxes_between(chunk.passage, *span) or chunk.boxes
            quotes.append(
                (span, Quote(place.document, label, boxes[0].page, boxes, text[slice(*span)].strip()))
            )
        first = quotes[0][1]
        for span, quote in quotes[1:]:
            body = flat(quote.text)
            proof = (first, quote) if meaning else (quote,)
            told = f"{term}: {body}" if meaning else body
            share = (span[0] / len(text), span[1] / len(text))
            yield Candidate(
                "definition", told, proof, place, rank, part.id, share, heads=heads, name=term, around=text,
                labels=(label,), claims=(Claim(told, tuple(q.text for q in proof)),),
            )  # fmt: skip


def from_formulas(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the numbered formulas of a place, each with what explains its symbols."""
    parts = sources.parts(place)
    heads = " ".join((*place.heading_path[1:], place.title))
    for label in place.labels:
        formula = sources.store.formula(place.document, label.key) if str(label).startswith("(") else None
        if formula is None or not formula.text.strip() or not formula.boxes:
            continue
        where, text = flat(formula.where), flat(formula.text)
        printed = (formula.text, formula.where) if where else (formula.text,)
        page = formula.boxes[0].page
        quotes = tuple(Quote(place.document, label, page, formula.boxes, one) for one in printed)
        own = next((part.id for part in parts if label in part.chunk.labels), _first(parts))
        told = f"{text} {label}" if str(label) not in text else text
        told = f"{told}, {where}" if where else told
        yield Candidate(
            "formula", told, quotes, place, rank, own, heads=heads, name=text, labels=(label,),
            claims=(Claim(told, (*printed, str(label))),),
        )  # fmt: skip


def from_figure(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the caption of a figure with its lettering, line by line."""
    figure = sources.store.figure(place.document, place.label.key)
    if figure is None or not figure.boxes:
        return
    caption = f"{figure.label} {figure.title}".strip()
    lettering = BETWEEN.join(line.strip() for line in figure.text.split("\n") if line.strip())
    texts = tuple(text for text in (caption, lettering) if text)
    page = figure.boxes[0].page
    quotes = tuple(Quote(place.document, figure.label, page, figure.boxes, text) for text in texts)
    told = f"{caption}: {lettering}" if lettering else caption
    yield Candidate(
        "figure", told, quotes, place, rank, _first(sources.parts(place)), name=caption,
        heads=" ".join(place.heading_path[1:]), labels=(figure.label,), claims=(Claim(told, texts),),
    )  # fmt: skip


WAYS = {"table": (from_table,), "figure": (from_figure,), "definition": (from_definitions,)}

# -- references

REFERENCES = 12  # references that are stated; all are listed beside the answer
SENTENCE = 320  # characters of a sentence that is quoted whole
FIRST = 0.9  # score of the first reference: nine in ten references are followed right


def related(store: Store, evidence: Evidence) -> tuple[Candidate, ...]:
    """Return what refers to a named place, or what it refers to, where a question asks for references.

    Each is the sentence of the reference, under its own label.
    """
    scope = evidence.scope
    if evidence.query.intent != "reference" or scope is None or scope.kind != "relation":
        return ()
    known = {(hit.document, label.key): hit for hit in reversed(evidence.hits) for label in hit.labels}
    made = [list(_of_reference(store, item, known)) for item in scope.items if item.source]
    found: dict[tuple[str, str, str], Candidate] = {}
    for one in (*(both[0] for both in made if both), *(rest for both in made for rest in both[1:])):
        quote = one.quotes[0]
        found.setdefault((quote.document, quote.label.key, quote.text), one)
    ranked = enumerate(list(found.values())[:REFERENCES])
    return tuple(replace(one, score=FIRST - 0.01 * position) for position, one in ranked)


def _of_reference(store: Store, item: Listed, known: Mapping[tuple[str, str], Place]) -> Iterator[Candidate]:
    """Yield the sentence that makes a reference, then what decides where it leads to another place."""
    own = (item.document, item.label)
    for document, label in dict.fromkeys((item.source or own, own)):
        shown = store.chunks(store.chunks_for(document, label)[:1])
        clause = store.clause(document, label)
        if clause and item.how in clause.passage.text:
            passage = clause.passage
        else:
            passage = shown[0].chunk.passage if shown else Passage("", ())
        where = known.get((document, label.key)) or next(
            (search_context.place(chunk, 0.0, ("reference",)) for chunk in shown), None
        )
        if where is None or not passage.text.strip():
            continue
        span = _sentence(passage.text, item.how)
        printed = passage.text[slice(*span)].strip()
        boxes = boxes_between(passage, *span) or where.boxes
        text = flat(printed)
        told = text if text.startswith(str(label)) else f"{label}: {text}"
        quote = Quote(where.document, label, boxes[0].page if boxes else where.pages[0], boxes, printed)
        claims = (Claim(text, (printed,)),)
        yield Candidate("sentence", told, (quote,), where, 0, where.chunk, labels=(label,), claims=claims)


def _sentence(text: str, words: str) -> Span:
    """Return the characters [start, end) of the sentence that makes a reference, of a long one whole words.

    Of a place that is referred to: its first sentence.
    """
    at, spans = text.find(words), sentence_spans(text)
    if at < 0:
        return next(iter(spans), (0, 0))
    start, end = next((span for span in spans if span[0] <= at < span[1]), (at, at + len(words)))
    if end - start <= SENTENCE:
        return start, end
    first, last = max(start, at - SENTENCE // 2), min(end, at + SENTENCE // 2)
    first = text.find(" ", first) + 1 if first > start else first
    return first, max(text.rfind(" ", first, last), at + 1) if last < end else last
