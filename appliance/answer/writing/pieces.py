"""Long findings cut into what can be named one by one: a few sentences each, with their own boxes.

Rules of this module: a text is cut where its sentences end and never rewritten; an item of a list keeps the
sentence that introduces it, as a quotation of its own, because that carries its condition. What cannot be
found again in the text that it was quoted from stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.answer.findings import Finding, Quote, covered
from appliance.answer.verify import Claim
from appliance.document import Passage, boxes_between
from appliance.evidence import Query
from appliance.ingest.sentences import sentence_spans
from appliance.store.read import Store

WORDS = 40  # of a finding that is not cut, and about as many of each piece
SPOKEN = 0.3  # worth of the question's words in a piece, beside the score of its finding

ITEM = re.compile(r"\s*(?:[–—•·-]|\(?(?:[a-z]|[ivx]+|\d{1,2})[).])\s")  # how an item of a list begins
_INTRODUCES = re.compile(r":\s*$")
_NUMBERED = re.compile(r"\s*\(?\d{1,2}[).]")
_PARAGRAPH = re.compile(r"(?:^|\n|\s)\(?\d{1,2}[).]P?\s")

Span = tuple[int, int]


def in_pieces(store: Store, query: Query, finding: Finding) -> Iterator[Finding]:
    """Yield a finding, cut where it quotes one long stretch of running text."""
    if len(finding.quotes) != 1 or len(finding.text.split()) <= WORDS:
        yield finding
        return
    (quote,) = finding.quotes
    found = _found(store, finding, quote)
    if found is None:
        yield finding
        return
    passage, start = found
    spans = [(start + first, start + last) for first, last in sentence_spans(quote.text)]
    above = covered(query, quote.text)
    for introduction, span in _grouped(passage.text, spans):
        quotes = tuple(_quoted(passage, quote, item) for item in (introduction, span) if item)
        text = " ".join(" ".join(item.text.split()) for item in quotes)
        score = finding.score + SPOKEN * (covered(query, text) - above)
        claim = Claim(text, tuple(item.text for item in quotes))
        yield replace(finding, text=text, quotes=quotes, score=score, claims=(claim,))


def _found(store: Store, finding: Finding, quote: Quote) -> tuple[Passage, int] | None:
    """Return the passage that a quotation was cut from, and where in it it begins."""
    family = store.chunk_children([finding.place.chunk])
    ids = (finding.place.chunk, *(child for children in family.values() for child in children))
    for item in store.chunks(ids):
        at = item.chunk.passage.text.find(quote.text)
        if at >= 0 and boxes_between(item.chunk.passage, at, at + len(quote.text)) == quote.boxes:
            return item.chunk.passage, at
    return None


def _grouped(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span | None, Span]]:
    """Yield stretches of about WORDS words, those of list items with what introduces them."""
    introduction: Span | None = None
    held: Span | None = None
    for span in spans:
        own = text[slice(*span)]
        marked = bool(ITEM.match(own))
        if introduction and marked and not _goes_on(text[slice(*introduction)], own):
            yield introduction, span
            held = None
            continue
        introduction = span if _INTRODUCES.search(own) else None
        if held and (marked or introduction or len(text[held[0] : span[1]].split()) > WORDS):
            yield None, held
            held = None
        held = None if introduction else (held[0], span[1]) if held else span
    if held:
        yield None, held


def _goes_on(introduction: str, item: str) -> bool:
    """Tell whether what looks like an item is the next numbered paragraph ("(2)" after "(1) Where:")."""
    return bool(_NUMBERED.match(item) and _PARAGRAPH.search(introduction))


def _quoted(passage: Passage, quote: Quote, span: Span) -> Quote:
    boxes = boxes_between(passage, *span) or quote.boxes
    return Quote(quote.document, quote.label, boxes[0].page, boxes, passage.text[slice(*span)])
