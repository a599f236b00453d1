"""A document cut into places to show and the smaller parts of them that are searched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Literal

from appliance.core.document import (
    Box,
    Chunk,
    Clause,
    Document,
    Figure,
    Label,
    LineSpan,
    Passage,
    Table,
    Term,
)
from appliance.core.page_boxes import in_box, union
from appliance.core.runs import grouped, runs
from appliance.tables.rows import row_sentences
from appliance.text.sentences import sentence_spans

TOKENS_PER_WORD = 1.35  # of English running text with numbers, WordPiece
SAME_COLUMN = 0.5  # share of the narrower box's width that two lines of one column have in common
NEAR = 1.2  # line heights between lines that are drawn as one box
MOST = 500  # tokens of a place
SHARED = 300  # tokens of a place that several short clauses share
SHORT = 160  # tokens of a clause that may share a place
LEAST = 40  # tokens of a searched part, as far as neighbours can be joined
CONTENTS = 120  # tokens of the contents of a division
DEFINED = 0.8  # share of a clause's lines that are definitions, to show them as such only
SEVERAL = 3  # definitions that make a numbered clause a list of them
CHILD = 120  # tokens of a searched part
CITING = 250  # tokens of paragraphs shown with a figure
FIGURE = 480  # tokens of a figure as a place
LETTERING = 300  # tokens of lettering that it shows
DEFINITIONS = 250  # tokens of definitions that share a place
NUMBERS = 0.3  # share of body cells with a digit that makes a table of numbers
HANGING = frozenset({"paragraph", "item", "note"})
_DIVISIONS = frozenset({"section", "annex", "part"})
_TITLES = frozenset({"heading", "section", "part", "front"})

Defined = tuple[Term, tuple[Label, ...]]
"""A definition and the labels of the clauses whose text it shows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text and the labels that it shows; `lead` is the sentence that a list item hangs on."""

    labels: tuple[Label, ...]
    passage: Passage
    lead: str = ""

    @property
    def tokens(self) -> int:
        """Estimated number of tokens."""
        return tokens(self.passage.text)


def tokens(text: str) -> int:
    """Return the estimated number of a model's tokens in a text."""
    return ceil(len(text.split()) * TOKENS_PER_WORD)


def placed(text: str, boxes: Iterable[Box]) -> Passage:
    """Return a text that stands as a whole in these boxes."""
    return Passage(text, tuple(LineSpan(0, len(text), box) for box in boxes))


def prefixed(prefix: str, passage: Passage) -> Passage:
    """Return the passage with printed words before it (its number), on its first line."""
    if not prefix:
        return passage
    head = f"{prefix} " if passage.text else prefix
    lines = [LineSpan(span.start + len(head), span.end + len(head), span.box) for span in passage.lines]
    if lines:
        lines[0] = replace(lines[0], start=0)
    return Passage(head + passage.text, tuple(lines))


def stacked(passages: Iterable[Passage]) -> Passage:
    """Return passages one below the other."""
    text, lines = "", []
    for passage in passages:
        if not passage.text:
            continue
        shift = len(text) + bool(text)
        text = f"{text}\n{passage.text}" if text else passage.text
        lines += [LineSpan(span.start + shift, span.end + shift, span.box) for span in passage.lines]
    return Passage(text, tuple(lines))


def cut(passage: Passage, start: int, end: int) -> Passage:
    """Return characters [start, end) of a passage with their lines."""
    lines = tuple(
        LineSpan(max(span.start, start) - start, min(span.end, end) - start, span.box)
        for span in passage.lines
        if span.start < end and span.end > start
    )
    return Passage(passage.text[start:end], lines)


def split(piece: Piece, most: int) -> list[Piece]:
    """Return the piece in parts of at most `most` tokens, cut between sentences, of even size."""
    if piece.tokens <= most:
        return [piece]
    spans = [part for span in sentence_spans(piece.passage.text) for part in _halved(piece, span, most)]
    aim = piece.tokens / ceil(piece.tokens / most)
    groups: list[tuple[int, int]] = []
    for start, end in spans:
        first, last = groups[-1] if groups else (0, 0)
        whole = tokens(piece.passage.text[first:end])
        if groups and whole <= most and tokens(piece.passage.text[first:last]) < aim:
            groups[-1] = (first, end)
        else:
            groups.append((start, end))
    return [replace(piece, passage=cut(piece.passage, start, end)) for start, end in groups]


def _halved(piece: Piece, span: tuple[int, int], most: int) -> list[tuple[int, int]]:
    """Return a sentence longer than a whole place cut at spaces, any other as it is."""
    start, end = span
    text = piece.passage.text
    if tokens(text[start:end]) <= most:
        return [span]
    middle = text.find(" ", (start + end) // 2, end)
    if middle < 0:
        return [span]
    return _halved(piece, (start, middle), most) + _halved(piece, (middle + 1, end), most)


def packed(pieces: Sequence[Piece], least: int, most: int) -> list[list[Piece]]:
    """Return consecutive pieces in groups of `least` to `most` tokens; longer pieces are split first."""
    parts = (part for piece in pieces for part in split(piece, most))
    return runs(parts, lambda group, one: (size := _size(group)) < least and size + one.tokens <= most)


def _size(pieces: Iterable[Piece]) -> int:
    return sum(piece.tokens for piece in pieces)


def labels_of(pieces: Iterable[Piece]) -> tuple[Label, ...]:
    """Return the labels of pieces, each once, in order."""
    return tuple(dict.fromkeys(label for piece in pieces for label in piece.labels))


def drawn(passage: Passage) -> tuple[Box, ...]:
    """Return the lines of a passage as boxes of whole paragraphs, per page and column."""
    result: list[Box] = []
    for box in dict.fromkeys(span.box for span in passage.lines):
        above = result[-1] if result else None
        if above is None or above.page != box.page:
            result.append(box)
            continue
        common = min(above.x1, box.x1) - max(above.x0, box.x0)
        width, height = min(above.x1 - above.x0, box.x1 - box.x0), box.y1 - box.y0
        if common >= SAME_COLUMN * width and -height <= box.y0 - above.y1 <= NEAR * height:
            result[-1] = union(above, box)
        else:
            result.append(box)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Group:
    """What one place shows: the clause (or first of several) and the pieces."""

    clause: Clause
    pieces: tuple[Piece, ...]


class Outline:
    """The clause tree of a document, seen from above."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.by_label = {clause.label: clause for clause in document.clauses}
        self.children = grouped(
            (c.parent if c.parent in self.by_label else None, c) for c in document.clauses
        )
        self.formulas = grouped((one.clause, one) for one in document.formulas if one.clause)

    def path(self, label: Label | None) -> tuple[Clause, ...]:
        """Return the clause and what stands above it, outermost first."""
        line: list[Clause] = []
        while label in self.by_label and self.by_label[label] not in line:
            line.append(self.by_label[label])
            label = self.by_label[label].parent
        return tuple(reversed(line))

    def title(self, label: Label) -> str:
        """Return the title of a clause or of the nearest place above it that has one."""
        return next((clause.title for clause in reversed(self.path(label)) if clause.title), "")

    def context(self, label: Label | None) -> tuple[str, ...]:
        """Return the heading path, the document first."""
        names = [heading(clause) for clause in self.path(label) if clause.title]
        return tuple(dict.fromkeys((self.document.title or self.document.designation, *names)))


def heading(clause: Clause) -> str:
    """Return number and title of a clause as one line, each once."""
    label = str(clause.label)
    if not clause.title or clause.title == label:
        return label
    return clause.title if clause.title.startswith(label) else f"{label} {clause.title}"


def clause_groups(outline: Outline, skipped: frozenset[Label]) -> list[Group]:
    """Return the places of a document's clauses in order; `skipped` clauses are shown elsewhere.

    A title waits for the first text under it; where there is none, it is a place of its own.
    """
    groups: list[Group] = []
    waiting: list[tuple[Clause, Piece]] = []
    for clause in outline.document.clauses:
        if clause.kind in HANGING and clause.parent in outline.by_label:
            continue
        above = outline.path(clause.label)
        groups += [Group(title, (piece,)) for title, piece in waiting if title not in above]
        waiting = [(title, piece) for title, piece in waiting if title in above]
        own = [] if clause.label in skipped else list(_pieces(clause, outline, skipped))
        if len(own) > (1 if clause.title else 0):  # more to show than the title
            _add(groups, clause, [*(piece for _, piece in waiting), *own])
            waiting = []
        else:
            waiting += [(clause, piece) for piece in own]
    return groups + [Group(title, (piece,)) for title, piece in waiting]


def _add(groups: list[Group], clause: Clause, pieces: list[Piece]) -> None:
    """Add a clause as a place of its own, to the place before, or as several, evenly filled places."""
    size = _size(pieces)
    last = groups[-1] if groups else None
    alike = last and last.clause.parent == clause.parent and last.clause.kind == clause.kind
    alike = alike and last and last.clause.label.parts[:-1] == clause.label.parts[:-1]
    if last and alike and size <= SHORT and _size(last.pieces) + size <= SHARED:
        groups[-1] = Group(last.clause, (*last.pieces, *pieces))
    elif size <= MOST:
        groups.append(Group(clause, tuple(pieces)))
    else:
        aim = size / ceil(size / MOST)
        whole = (part for piece in pieces for part in split(piece, MOST))
        parts = runs(whole, lambda part, one: (filled := _size(part)) + one.tokens <= MOST and filled < aim)
        groups.extend(Group(clause, tuple(part)) for part in parts)


def _pieces(clause: Clause, outline: Outline, skipped: frozenset[Label]) -> Iterator[Piece]:
    """Yield the clause's title and text, its formulas and what hangs on it, in order."""
    label, text = clause.label, clause.passage.text
    shown = clause.marker or ("" if clause.kind in ("heading", "front") else str(label))
    top = f"{shown} {clause.title}".strip() if clause.title not in (shown, "") else (clause.title or shown)
    if clause.title and clause.title.startswith(shown):
        top = clause.title
    named = bool(clause.title or not text)  # its name is all that is printed of it
    passage = clause.passage if named else prefixed(shown, clause.passage)
    pieces = [Piece((label,), Passage(top, _title_line(clause, top)))] if named and top else []
    start = 0
    for paragraph in passage.text.split("\n"):
        end = start + len(paragraph)
        pieces += [Piece((label,), cut(passage, start, end))] if paragraph.strip() else []
        start = end + 1
    formulas = tuple(formula.label for formula in outline.formulas.get(label, ()))
    if pieces and formulas:  # they stand in the text
        pieces[-1] = replace(pieces[-1], labels=(*formulas, *pieces[-1].labels))
    yield from pieces
    spans = sentence_spans(text)
    last = text[spans[-1][0] : spans[-1][1]] if spans else ""  # it may announce a list
    lead = last if last.endswith((":", "—", "–")) or not last.endswith((".", "!", "?")) else ""
    for child in outline.children[label]:
        if child.kind in HANGING and child.label not in skipped:
            for piece in _pieces(child, outline, skipped):
                yield Piece((label, *piece.labels), piece.passage, piece.lead or lead)


def _title_line(clause: Clause, top: str) -> tuple[LineSpan, ...]:
    """Return the printed place of a title: the clause's first box down to its first line of text."""
    box = clause.boxes[0] if clause.boxes else None
    first = clause.passage.lines[0].box if clause.passage.lines else None
    if box and first and first.page == box.page and box.y0 < first.y0 < box.y1:
        box = replace(box, y1=first.y0)
    return (LineSpan(0, len(top), box),) if box else ()


def _owner(piece: Piece, outline: Outline) -> Label | None:
    """Return the label of the clause that a piece belongs to."""
    known = (label for label in piece.labels if label in outline.by_label)
    return next((label for label in known if outline.by_label[label].kind not in HANGING), None)


def make_chunks(document: Document) -> tuple[Chunk, ...]:
    """Return the chunks of a document, parents followed by their children."""
    outline = Outline(document)
    definitions, defined = _definitions(document)
    groups = grouped((group.clause.label, group) for group in clause_groups(outline, defined))
    every: list[Table | Figure] = [*document.tables, *document.figures]
    items = grouped((item.clause, item) for item in every)
    chunks: list[Chunk] = []
    for clause in document.clauses:
        contents = list(_overview(clause, outline))
        chunks += contents
        for group in groups.get(clause.label, ()):
            if not (contents and len(group.pieces) == 1):  # its title alone
                chunks += _clause_chunks(group, outline, len(chunks))
        chunks += _definition_chunks(definitions.pop(clause.label, ()), outline, clause.label, len(chunks))
        for item in items.pop(clause.label, ()):
            chunks += _item_chunks(item, outline, len(chunks))
    for terms in definitions.values():
        chunks += _definition_chunks(terms, outline, None, len(chunks))
    for item in (item for rest in items.values() for item in rest):
        chunks += _item_chunks(item, outline, len(chunks))
    return tuple(chunks)


def _item_chunks(item: Table | Figure, outline: Outline, at: int) -> Iterator[Chunk]:
    if isinstance(item, Table):
        return _table_chunks(item, outline, at)
    return _figure_chunks(item, outline, at)


def _defined(document: Document, homes: Mapping[Label | None, Sequence[Term]]) -> frozenset[Label]:
    """Return the clauses whose text is shown as definitions."""
    lines = {span.box for term in document.terms for span in term.passage.lines}
    lines |= {box for term in document.terms for box in term.boxes}
    found = set()
    for clause in document.clauses:
        own, terms = [span.box in lines for span in clause.passage.lines], homes.get(clause.label, ())
        if clause.kind in HANGING:
            told = all(own)
        elif any(set(clause.boxes) <= set(term.boxes) for term in terms):
            told = True
        else:  # not a clause that defines a term in passing
            several = clause.kind in _TITLES or len(terms) >= SEVERAL
            told = several and sum(own) >= DEFINED * len(own)
        if own and told:
            found.add(clause.label)
    return frozenset(found)


def _definitions(document: Document) -> tuple[dict[Label | None, list[Defined]], frozenset[Label]]:
    """Return the definitions by the clause after which they are shown, and the clauses that they stand for.

    Numbered definitions that follow one another are shown together, after the first of them.
    """
    homes: dict[Label | None, list[Term]] = defaultdict(list)  # by the innermost clause around them
    for term in document.terms:
        box = next(iter(term.boxes), None)
        around = (c for c in reversed(document.clauses) if box and any(in_box(box, one) for one in c.boxes))
        homes[next((clause.label for clause in around), None)].append(term)
    defined = _defined(document, homes)
    shown: dict[Label | None, list[Defined]] = {}
    first: Clause | None = None
    for clause in document.clauses:
        also = (clause.label,) if clause.label in defined else ()
        terms = [(term, also) for term in homes.get(clause.label, ())]
        if also and not terms and clause.kind in HANGING:
            continue  # a part of the definition above it
        follows = first is not None and also and terms and clause.parent == first.parent
        if not follows:
            first = clause if also and terms else None
        if terms:
            shown.setdefault(first.label if first else clause.label, []).extend(terms)
    if None in homes:
        shown[None] = [(term, ()) for term in homes[None]]
    return shown, defined


def _clause_chunks(group: Group, outline: Outline, at: int) -> Iterator[Chunk]:
    """Yield one place and its searched parts, none where the place is its only part; `at` is its position.

    Parts are paragraphs, and items with the sentence they hang on. One never holds the text of two clauses,
    so that what is quoted has one label; a title goes with what follows it.
    """
    whole = stacked(piece.passage for piece in group.pieces)
    label, kind = group.clause.label, _kind(group.clause)
    title, context = outline.title(label), outline.context(label)
    yield Chunk(label, labels_of(group.pieces), kind, title, context, whole, drawn(whole))

    def is_title(piece: Piece) -> bool:
        found = outline.by_label.get(piece.labels[-1])
        return found is not None and bool(found.title) and piece.passage.text.endswith(found.title)

    def goes_on(run: Sequence[Piece], piece: Piece) -> bool:
        return _owner(run[-1], outline) == _owner(piece, outline) or all(map(is_title, run))

    parts = [part for run in runs(group.pieces, goes_on) for part in packed(run, LEAST, CHILD)]
    for pieces in parts if len(parts) > 1 else ():
        passage = stacked(piece.passage for piece in pieces)
        lead = pieces[0].lead if pieces[0].lead not in passage.text else ""
        # the label of the first text among the pieces, that of a title only where nothing else is
        labels = [piece.labels[-1] for piece in pieces]
        texts = (one for one in labels if one in outline.by_label)
        own = next((one for one in texts if outline.by_label[one].kind not in _TITLES), labels[0])
        title, context = outline.title(own), outline.context(own)
        boxes = drawn(passage)
        yield Chunk(own, labels_of(pieces), kind, title, context, passage, boxes, at, extra=lead)


def _kind(clause: Clause) -> Literal["requirement", "annex", "heading", "clause"]:
    if clause.kind in {"requirement", "annex"}:
        return clause.kind
    return "heading" if clause.kind in _TITLES else "clause"


def _overview(clause: Clause, outline: Outline) -> Iterator[Chunk]:
    """Yield the title and contents of a division that is too long to be one place."""
    if clause.kind not in _DIVISIONS or _whole_size(clause, outline) <= MOST:
        return
    below: list[Clause] = []
    for child in outline.children[clause.label]:
        below += [child, *(outline.children[child.label] if child.kind in {"heading", *_DIVISIONS} else ())]
    top = text = heading(clause)
    for name in (heading(child) for child in below if child.title):
        longer = f"{text}\n{name}"
        if tokens(longer) > CONTENTS:
            break
        text = longer
    if any(child.title for child in below):
        passage, context = Passage(text, _title_line(clause, top)), outline.context(clause.parent)
        yield Chunk(clause.label, (clause.label,), _kind(clause), top, context, passage, drawn(passage))


def _whole_size(clause: Clause, outline: Outline) -> int:
    below = sum(_whole_size(child, outline) for child in outline.children.get(clause.label, ()))
    return tokens(clause.passage.text) + below


def _table_chunks(table: Table, outline: Outline, first: int) -> Iterator[Chunk]:
    """Yield a table as a place, then its caption, its rows and what it gives; `first` is its position.

    Rows and notes stand in as few places as hold them, the caption on each.
    """
    title = f"{table.label} {table.title}".strip() if table.captioned else table.title or str(table.label)
    label, context, at = (table.label,), outline.context(table.clause), first
    top = placed(title, table.boxes[:1])
    rows = list(row_sentences(table))
    said: list[tuple[int | None, Piece]] = [
        (row, Piece(label, placed(text, boxes))) for row, text, boxes in rows
    ]
    noted = ((f"{note.mark} {note.text}".strip(), note.box) for note in table.notes)
    said += [(None, Piece(label, placed(text, (box,)))) for text, box in noted if text]
    room = MOST - tokens(title)
    groups = runs(said, lambda group, one: sum(piece.tokens for _, piece in (*group, one)) <= room) or [[]]
    heads = list(dict.fromkeys(cell.text for cell in table.cells if cell.header and cell.text))
    about = ["; ".join([title, *heads])]  # what is searched of the table as a whole
    body = [cell for cell in table.cells if not cell.header and cell.text]
    figures = sum(any(char.isdigit() for char in cell.text) for cell in body)
    if body and figures >= NUMBERS * len(body):  # what its numbers are for: names of rows, then heads
        names = dict.fromkeys(text.partition(":")[0] for _, text, _ in rows if ":" in text)
        about.append(f"{title}. {'; '.join(names)}. {'; '.join(heads)}.")
    children: list[tuple[int | None, Passage, tuple[Box, ...]]] = [
        (None, Passage(_within(text, CHILD)), table.boxes) for text in about
    ]
    for group in groups:
        passages = [piece.passage for _, piece in group]
        boxes = table.boxes if len(groups) == 1 else drawn(stacked(passages))
        yield Chunk(table.label, label, "table", title, context, stacked([top, *passages]), boxes)
        children += [(row, piece.passage, drawn(piece.passage) or table.boxes) for row, piece in group]
        for row, passage, own in children:
            yield Chunk(table.label, label, "table", title, context, passage, own, at, row)
        at += 1 + len(children)
        children = []


def _within(text: str, most: int) -> str:
    """Return the text as it is where it is short, else its first words, at most so many tokens."""
    return text if tokens(text) <= most else " ".join(text.split()[: int(most / TOKENS_PER_WORD)])


def _figure_chunks(figure: Figure, outline: Outline, parent: int) -> Iterator[Chunk]:
    """Yield a figure as a place with the paragraphs that refer to it, then its caption and lettering."""
    label, title = figure.label, f"{figure.label} {figure.title}".strip()
    context = outline.context(figure.clause)
    own = placed(title, figure.boxes[:1])
    lettering = placed(_within(figure.text, LETTERING), figure.boxes[:1])
    room = min(FIGURE - tokens(own.text) - tokens(lettering.text), CITING)
    citing: list[Piece] = []  # whole paragraphs, as many as there is room for
    references = [one for one in outline.document.references if one.target == label]
    for source in dict.fromkeys(r.source for r in references if r.document in (None, outline.document.id)):
        clause = outline.by_label.get(source)
        size = tokens(clause.passage.text) if clause else 0
        if clause and 0 < size <= room:
            citing.append(Piece((clause.label,), clause.passage))
            room -= size
    passages = [piece.passage for piece in citing]
    boxes = tuple(dict.fromkeys([*figure.boxes, *(box for passage in passages for box in drawn(passage))]))
    labels, whole = (label, *labels_of(citing)), stacked([own, lettering, *passages])
    yield Chunk(label, labels, "figure", title, context, whole, boxes)
    said = " ".join(passage.text for passage in passages)
    yield Chunk(label, (label,), "figure", title, context, own, figure.boxes, parent, extra=said)
    for piece in split(Piece((label,), lettering), CHILD) if figure.text else ():
        yield Chunk(label, piece.labels, "figure", title, context, piece.passage, figure.boxes, parent)


def _definition_chunks(
    terms: Sequence[Defined], outline: Outline, home: Label | None, first: int
) -> Iterator[Chunk]:
    """Yield definitions that stand together, neighbours in one place; `first` is the next position."""
    context, at = outline.context(home), first
    pieces = []
    for term, also in terms:  # a term over its meaning, each on its printed lines
        known = {span.box for span in term.passage.lines}
        heads = [box for box in term.boxes if box not in known] or list(term.boxes)
        meaning = stacked([placed(term.term, heads[:1]), term.passage])
        pieces.append(Piece((term.label, *also), meaning))
    for group in packed(pieces, DEFINITIONS, DEFINITIONS):
        passage = stacked(piece.passage for piece in group)
        labels = labels_of(group)
        title = ", ".join(dict.fromkeys(str(piece.labels[0]) for piece in group))
        yield Chunk(labels[0], labels, "definition", title, context, passage, drawn(passage))
        parent = at
        at += 1
        parts = [part for piece in group for part in split(piece, CHILD)]
        for piece in parts if len(parts) > 1 else ():
            own, (label, *_) = drawn(piece.passage), piece.labels
            passage, name = piece.passage, str(label)
            yield Chunk(label, piece.labels, "definition", name, context, passage, own, parent)
            at += 1
