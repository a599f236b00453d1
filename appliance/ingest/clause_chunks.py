"""Clauses as places to show: a clause with all that hangs on it, short neighbours together.

Rules of this module: pure. A place holds a clause with its paragraphs, items, notes and formulas, at
most MOST tokens; a longer one is cut between them. Short clauses that stand one after the other
under one heading share a place. Headings are shown with the first place under them, so that the
place can be found by their titles too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.document import Clause, Document, Formula, Label, LineSpan, Passage
from appliance.ingest.pieces import Piece, cut, packed, prefixed, split, stacked, tokens
from appliance.ingest.sentences import sentence_spans

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
    passage = clause.passage if clause.title else prefixed(shown, clause.passage)
    pieces = list(_texts(clause.label, passage))
    if clause.title:
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
