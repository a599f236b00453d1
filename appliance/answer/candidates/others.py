"""Candidates from definitions, formulas and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.answer.candidates.values import BETWEEN, Candidate, Quote, Sources
from appliance.answer.verify import Claim
from appliance.core.document import Box, Label, Passage, boxes_between
from appliance.core.evidence import Place
from appliance.text.sentences import sentence_spans


def from_definitions(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the terms that a place defines, each with its meaning."""
    for part in sources.parts(place):
        chunk, text = part.chunk, part.chunk.passage.text
        term, _, meaning = text.partition("\n")
        if not text.strip() or not chunk.boxes:
            continue
        numbered = (label for label in chunk.labels if sources.clause(place.document, label.key))
        label = next(numbered, chunk.label)
        heads = " ".join(place.heading_path[1:])
        first = _quote(place, label, chunk.passage, chunk.boxes, (0, len(term)))
        spans = sentence_spans(meaning) or [(0, len(meaning))]
        begin = len(text) - len(meaning) if meaning else 0
        for start, end in spans if meaning else [(0, len(text))]:
            span = (begin + start, begin + end)
            quote = _quote(place, label, chunk.passage, chunk.boxes, span)
            body = " ".join(quote.text.split())
            quotes = (first, quote) if meaning else (quote,)
            told = f"{term}: {body}" if meaning else body
            share = (span[0] / len(text), span[1] / len(text))
            yield Candidate(
                "definition", told, quotes, place, rank, part.id, share, heads=heads, name=term,
                around=text, labels=(label,), claims=(Claim(told, tuple(q.text for q in quotes)),),
            )  # fmt: skip


def _quote(
    place: Place, label: Label, passage: Passage, boxes: Sequence[Box], span: tuple[int, int]
) -> Quote:
    drawn = boxes_between(passage, *span) or tuple(boxes)
    return Quote(place.document, label, drawn[0].page, drawn, passage.text[slice(*span)].strip())


def from_formulas(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the numbered formulas of a place, each with what explains its symbols."""
    parts = sources.parts(place)
    for label in place.labels:
        if not str(label).startswith("("):
            continue
        formula = sources.store.formula(place.document, label.key)
        if formula is None or not formula.text.strip() or not formula.boxes:
            continue
        where = " ".join(formula.where.split())
        text = " ".join(formula.text.split())
        page = formula.boxes[0].page
        quotes = [Quote(place.document, label, page, formula.boxes, formula.text)]
        if where:
            quotes.append(Quote(place.document, label, page, formula.boxes, formula.where))
        own = next((part.id for part in parts if label in part.chunk.labels), parts[0].id if parts else 0)
        heads = " ".join((*place.heading_path[1:], place.title))
        told = f"{text} {label}" if str(label) not in text else text
        told = f"{told}, {where}" if where else told
        yield Candidate(
            "formula", told, tuple(quotes), place, rank, own, heads=heads, name=text,
            labels=(label,), claims=(Claim(told, (*(one.text for one in quotes), str(label))),),
        )  # fmt: skip


def from_figure(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the caption of a figure with its lettering, line by line."""
    figure = sources.store.figure(place.document, place.label.key)
    if figure is None or not figure.boxes:
        return
    parts = sources.parts(place)
    lines = [line.strip() for line in figure.text.split("\n") if line.strip()]
    caption = f"{figure.label} {figure.title}".strip()
    lettering = BETWEEN.join(lines)
    texts = [text for text in (caption, lettering) if text]
    quotes = tuple(
        Quote(place.document, figure.label, figure.boxes[0].page, figure.boxes, text) for text in texts
    )
    told, own = f"{caption}: {lettering}" if lettering else caption, parts[0].id if parts else 0
    yield Candidate(
        "figure", told, quotes, place, rank, own, heads=" ".join(place.heading_path[1:]), name=caption,
        labels=(figure.label,), claims=(Claim(told, tuple(texts)),),
    )  # fmt: skip
