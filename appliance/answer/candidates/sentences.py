"""Candidates from running text: a sentence, or an item of a list with the words that introduce the list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from appliance.answer.candidates.values import PIECES, Candidate, Quote, Sources
from appliance.answer.verify import Claim
from appliance.core.document import Box, Clause, Label, Passage, boxes_between
from appliance.core.evidence import Place
from appliance.store.values import StoredChunk
from appliance.text.sentences import mark_of, sentence_spans

LEAD_DEPTH = 3  # lists inside lists
FEWEST_WORDS = 2  # of a sentence that says something
INSIDE = 0.004  # of the page: how far boxes of two lines may overlap

Span = tuple[int, int]
_INTRODUCES = re.compile(r":[ \t]*$")


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


def from_text(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield what the clauses shown in a place say; what belongs to no clause is taken from its parts."""
    parts = sources.parts(place)
    labels = dict.fromkeys((place.label, *place.labels))
    found = (sources.clause(place.document, label.key) for label in labels)
    clauses = [clause for clause in found if clause is not None]
    shown = " ".join(place.text.split())
    said = False
    for clause in clauses:
        inner = tuple(box for other in clauses if other.parent == clause.label for box in other.boxes)
        above = sources.clause(place.document, clause.parent.key) if clause.parent else None
        lead, over = _lead(sources, place.document, clause), above.passage.text if above else ""
        text = _Text(clause.passage, clause.label, clause.boxes, inner, lead, over)
        for one in _of_text(text, place, rank, parts):
            if " ".join(one.quotes[-1].text.split()) in shown:
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
    for start, end in _sentences(passage, text.inner):
        printed = passage.text[start:end]
        if len(printed.split()) < FEWEST_WORDS and not any(map(str.isdigit, printed)):
            continue
        boxes = boxes_between(passage, start, end) or text.boxes
        page = boxes[0].page if boxes else place.pages[0]
        quote = Quote(place.document, text.label, page, boxes, printed)
        is_item = mark_of(f"{printed} ") is not None
        lead = own_lead if is_item and own_lead else text.lead
        before, said = (" ".join(one.text.split()) if one else "" for one in (lead, quote))
        told = f"{before}{PIECES}{said}" if before else said
        quotes = (lead, quote) if lead else (quote,)
        chunk, span = _found_in(parts, said)
        yield Candidate(
            "item" if lead else "sentence",
            told,
            quotes,
            place,
            rank,
            chunk,
            span,
            heads=heads,
            lead=before,
            around=around,
            claims=(Claim(told, tuple(one.text for one in quotes)),),
            labels=(text.label,),
        )
        if _INTRODUCES.search(printed):
            own_lead = quote
        elif not is_item:
            own_lead = None


def _found_in(parts: Sequence[StoredChunk], text: str) -> tuple[int, tuple[float, float]]:
    """Return the part that prints a sentence, and where in it, as shares of its length."""
    for part in parts:
        held = " ".join(part.chunk.passage.text.split())
        at = held.find(text)
        if at >= 0:
            return part.id, (at / len(held), (at + len(text)) / len(held))
    return (parts[0].id if parts else 0), (0.0, 1.0)


def _lead(sources: Sources, document: str, clause: Clause) -> Quote | None:
    """Return the sentence that introduces the list that an item belongs to, None for what is no item."""
    above = clause.parent
    for _ in range(LEAD_DEPTH):
        parent = sources.clause(document, above.key) if above else None
        if parent is None or not _is_item(clause, parent):
            return None
        passage, inner = parent.passage, clause.boxes
        spans = list(_sentences(passage, inner))
        opening = [span for span in spans if _INTRODUCES.search(passage.text[slice(*span)])]
        before = opening or [span for span in spans if _is_above(boxes_between(passage, *span), inner)][-1:]
        if before:
            start, end = before[-1] if len(opening) < 2 else _nearest(passage, opening, inner)
            boxes = boxes_between(passage, start, end) or parent.boxes
            return (
                Quote(document, parent.label, boxes[0].page, boxes, passage.text[start:end])
                if boxes
                else None
            )
        clause, above = parent, parent.parent
    return None


def _is_item(clause: Clause, parent: Clause) -> bool:
    """Tell whether a clause is an item of a list that its parent introduces."""
    if clause.kind == "item":
        return True
    return clause.kind == "paragraph" and parent.kind in {"item", "paragraph"}


def _nearest(passage: Passage, opening: Sequence[Span], inner: Sequence[Box]) -> Span:
    """Return the last introduction above an item."""
    above = [span for span in opening if _is_above(boxes_between(passage, *span), inner)]
    return (above or opening)[-1]


def _is_above(boxes: Sequence[Box], inner: Sequence[Box]) -> bool:
    if not boxes or not inner:
        return True
    first = inner[0]
    return (boxes[-1].page, boxes[-1].y0) <= (first.page, first.y0)


def _sentences(passage: Passage, inner: Sequence[Box]) -> Iterator[Span]:
    """Yield the sentences of a passage, cut where another clause stands between two lines."""
    cuts = [
        after.start
        for before, after in pairwise(passage.lines)
        if any(_between(before.box, after.box, box) for box in inner)
    ]
    edges = [0, *cuts, len(passage.text)]
    for start, end in pairwise(edges):
        for first, last in sentence_spans(passage.text[start:end]):
            yield start + first, start + last


def _between(upper: Box, lower: Box, box: Box) -> bool:
    """Tell whether a box stands between two lines of a text."""
    same = upper.page == box.page == lower.page
    return same and box.y0 >= upper.y1 - INSIDE and box.y1 <= lower.y0 + INSIDE
