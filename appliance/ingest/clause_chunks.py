"""Clauses as places to show, and the stretches of text they are cut into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from appliance.core.document import Box, Clause, Document, Formula, Label, LineSpan, Passage
from appliance.text.sentences import sentence_spans

TOKENS_PER_WORD = 1.35  # of English running text with numbers, WordPiece
SAME_COLUMN = 0.5  # share of the narrower box's width that two lines of one column have in common
NEAR = 1.2  # line heights between lines that are drawn as one box


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
    groups: list[list[Piece]] = []
    for piece in (part for whole in pieces for part in split(whole, most)):
        size = sum(other.tokens for other in groups[-1]) if groups else most
        if groups and size < least and size + piece.tokens <= most:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def labels_of(pieces: Iterable[Piece]) -> tuple[Label, ...]:
    """Return the labels of pieces, each once, in order."""
    return tuple(dict.fromkeys(label for piece in pieces for label in piece.labels))


def drawn(passage: Passage) -> tuple[Box, ...]:
    """Return the lines of a passage as boxes of whole paragraphs, per page and column."""
    return merged(span.box for span in passage.lines)


def merged(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Return boxes with neighbours that stand closely below each other made one."""
    result: list[Box] = []
    for box in dict.fromkeys(boxes):
        last = result[-1] if result else None
        if last and _continues(last, box):
            result[-1] = Box(
                last.page,
                min(last.x0, box.x0),
                min(last.y0, box.y0),
                max(last.x1, box.x1),
                max(last.y1, box.y1),
            )
        else:
            result.append(box)
    return tuple(result)


def _continues(above: Box, below: Box) -> bool:
    if above.page != below.page:
        return False
    common = min(above.x1, below.x1) - max(above.x0, below.x0)
    width = min(above.x1 - above.x0, below.x1 - below.x0)
    gap = below.y0 - above.y1
    height = below.y1 - below.y0
    return common >= SAME_COLUMN * width and -height <= gap <= NEAR * height


MOST = 500  # tokens of a place
SHARED = 300  # tokens of a place that several short clauses share
SHORT = 160  # tokens of a clause that may share a place
HANGING = frozenset({"paragraph", "item", "note"})


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
        self.children: Mapping[Label | None, list[Clause]] = defaultdict(list)
        for clause in document.clauses:
            known = clause.parent if clause.parent in self.by_label else None
            self.children[known].append(clause)
        self.formulas: Mapping[Label, list[Formula]] = defaultdict(list)
        for formula in document.formulas:
            if formula.clause:
                self.formulas[formula.clause].append(formula)

    def path(self, label: Label | None) -> tuple[Clause, ...]:
        """Return the clause and what stands above it, outermost first."""
        line: list[Clause] = []
        while label in self.by_label and self.by_label[label] not in line:
            line.append(self.by_label[label])
            label = self.by_label[label].parent
        return tuple(reversed(line))

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
        if _has_text(clause, own):
            _add(groups, clause, [*(piece for _, piece in waiting), *own])
            waiting = []
        else:
            waiting += [(clause, piece) for piece in own]
    return groups + [Group(title, (piece,)) for title, piece in waiting]


def _has_text(clause: Clause, pieces: Sequence[Piece]) -> bool:
    """Tell whether there is more to show than the title."""
    return len(pieces) > (1 if clause.title else 0)


def _add(groups: list[Group], clause: Clause, pieces: list[Piece]) -> None:
    """Add a clause as a place of its own, to the place before, or as several places."""
    size = sum(piece.tokens for piece in pieces)
    last = groups[-1] if groups else None
    if last and size <= SHORT and last.clause.parent == clause.parent and _same_kind(last.clause, clause):
        before = sum(piece.tokens for piece in last.pieces)
        if before + size <= SHARED:
            groups[-1] = Group(last.clause, (*last.pieces, *pieces))
            return
    groups.extend(Group(clause, tuple(part)) for part in _parts(pieces))


def _same_kind(one: Clause, other: Clause) -> bool:
    return one.kind == other.kind and one.label.parts[:-1] == other.label.parts[:-1]


def _parts(pieces: list[Piece]) -> list[list[Piece]]:
    """Return pieces in places of at most MOST tokens, evenly filled, each with the first one's labels."""
    size = sum(piece.tokens for piece in pieces)
    if size <= MOST:
        return [pieces]
    whole = [part for piece in pieces for part in split(piece, MOST)]
    aim = size / -(-size // MOST)
    parts: list[list[Piece]] = [[]]
    for piece in whole:
        filled = sum(other.tokens for other in parts[-1])
        if parts[-1] and (filled + piece.tokens > MOST or filled >= aim):
            parts.append([])
        parts[-1].append(piece)
    return parts


def _pieces(clause: Clause, outline: Outline, skipped: frozenset[Label]) -> Iterator[Piece]:
    """Yield the clause's own text, its formulas and what hangs on it, in order."""
    yield from own_pieces(clause, outline)
    lead = _lead(clause.passage.text)
    for child in outline.children[clause.label]:
        if child.kind in HANGING and child.label not in skipped:
            for piece in _pieces(child, outline, skipped):
                labels = (clause.label, *piece.labels)
                yield Piece(labels, piece.passage, piece.lead or lead)


def own_pieces(clause: Clause, outline: Outline) -> Iterator[Piece]:
    """Yield title and text of a clause without what hangs on it; formulas stand in the text."""
    shown = clause.marker or ("" if clause.kind in ("heading", "front") else str(clause.label))
    top = f"{shown} {clause.title}".strip() if clause.title not in (shown, "") else (clause.title or shown)
    if clause.title and clause.title.startswith(shown):
        top = clause.title
    named = bool(clause.title or not clause.passage.text)  # its name is all that is printed of it
    passage = clause.passage if named else prefixed(shown, clause.passage)
    pieces = list(_texts(clause.label, passage))
    if named and top:
        pieces.insert(0, Piece((clause.label,), Passage(top, _title_line(clause, top))))
    formulas = tuple(formula.label for formula in outline.formulas.get(clause.label, ()))
    if pieces and formulas:
        pieces[-1] = replace(pieces[-1], labels=(*formulas, *pieces[-1].labels))
    yield from pieces


def _title_line(clause: Clause, top: str) -> tuple[LineSpan, ...]:
    """Return the printed place of a title: the clause's first box down to its first line of text."""
    box = clause.boxes[0] if clause.boxes else None
    first = clause.passage.lines[0].box if clause.passage.lines else None
    if box and first and first.page == box.page and box.y0 < first.y0 < box.y1:
        box = replace(box, y1=first.y0)
    return (LineSpan(0, len(top), box),) if box else ()


def _texts(label: Label, passage: Passage) -> Iterator[Piece]:
    """Yield the paragraphs of a passage."""
    start = 0
    for line in passage.text.split("\n"):
        end = start + len(line)
        if line.strip():
            yield Piece((label,), cut(passage, start, end))
        start = end + 1


def _lead(text: str) -> str:
    """Return the last sentence of a text that announces a list, "" where none does."""
    spans = sentence_spans(text)
    last = text[spans[-1][0] : spans[-1][1]] if spans else ""
    return last if last.endswith((":", "—", "–")) or (last and not last.endswith((".", "!", "?"))) else ""


def children_of(group: Group, outline: Outline, least: int, most: int) -> list[list[Piece]]:
    """Return the searched parts of a place: paragraphs, items with the sentence they hang on.

    A part never holds the text of two clauses, so that what is quoted has one label; a title goes
    with what follows it.
    """
    runs: list[list[Piece]] = []
    for piece in group.pieces:
        owner = _owner(piece, outline)
        if runs and (_owner(runs[-1][-1], outline) == owner or all(_titles(p, outline) for p in runs[-1])):
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return [part for run in runs for part in packed(run, least, most)]


def _owner(piece: Piece, outline: Outline) -> Label | None:
    """Return the label of the clause that a piece belongs to."""
    known = (label for label in piece.labels if label in outline.by_label)
    return next((label for label in known if outline.by_label[label].kind not in HANGING), None)


def _titles(piece: Piece, outline: Outline) -> bool:
    """Tell whether a piece is the title of a clause and nothing else."""
    found = outline.by_label.get(piece.labels[-1])
    return found is not None and bool(found.title) and piece.passage.text.endswith(found.title)


def passage_of(group: Group) -> Passage:
    """Return the whole text of a place."""
    return stacked(piece.passage for piece in group.pieces)


def overview(clause: Clause, outline: Outline, most: int) -> Passage | None:
    """Return title and contents of a division, None where it holds nothing with a name."""
    names = [heading(child) for child in _below(clause, outline) if child.title]
    if not names:
        return None
    top = heading(clause)
    text = top
    for name in names:
        if tokens(f"{text}\n{name}") > most:
            break
        text = f"{text}\n{name}"
    return Passage(text, _title_line(clause, top))


def _below(clause: Clause, outline: Outline) -> Iterator[Clause]:
    for child in outline.children[clause.label]:
        yield child
        if child.kind in ("heading", "section", "annex", "part"):
            yield from outline.children[child.label]
