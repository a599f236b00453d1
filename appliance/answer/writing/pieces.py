"""Long findings cut into what can be named one by one: a few sentences each, with their own boxes.

Rules of this module: a text is cut where its sentences end and never rewritten; an item of a list keeps all
that introduces it, as quotations of their own, because that carries its condition. A list that is one
condition or one choice is not cut, nor what takes some of the sentence before it back. What cannot be found
again in the text that it was quoted from stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.answer.findings import Finding, Quote, covered
from appliance.answer.verify import Claim
from appliance.answer.writing.listed import MARK, leans, opens, paths, restricts, whole_lists
from appliance.document import Passage, boxes_between
from appliance.evidence import Query
from appliance.ingest.sentences import sentence_spans
from appliance.store.read import Store

WORDS = 40  # of a finding that is not cut, and about as many of each piece
LEANING = 2  # times as many where the last sentence leans on those before it
SPOKEN = 0.3  # worth of the question's words in a piece, beside the score of its finding

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
    for introductions, span in _grouped(passage.text, spans):
        quotes = tuple(_quoted(passage, quote, item) for item in (*introductions, span))
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


def _grouped(text: str, spans: Sequence[Span]) -> Iterator[tuple[tuple[Span, ...], Span]]:
    """Yield stretches of about WORDS words, those of list items with all that introduces them."""
    texts = [text[slice(*span)] for span in spans]
    over = paths(texts)
    lists = whole_lists(texts, over)
    above = {n for path in over for n in path}
    held: Span | None = None
    for at, span in enumerate(spans):
        inside = [whole for whole in lists if at in whole]
        if held and _cuts(text[slice(*held)], texts, at, inside):
            yield (), held
            held = None
        if inside or not (over[at] or at in above):
            held = (held[0] if held else span[0], span[1])
        elif at not in above:
            yield tuple(spans[n] for n in over[at]), span
    if held:
        yield (), held


def _cuts(held: str, texts: Sequence[str], at: int, inside: Sequence[range]) -> bool:
    """Tell whether a stretch ends before a sentence: not within a list that is one thing.

    Nor before what takes some of the stretch back; before what leans on it only where it is very long.
    """
    own = texts[at]
    if any(at > whole.start for whole in inside) or restricts(own):
        return False
    room = LEANING * WORDS if leans(own) else WORDS
    return bool(inside or MARK.match(own) or opens(own)) or len(f"{held} {own}".split()) > room


def _quoted(passage: Passage, quote: Quote, span: Span) -> Quote:
    boxes = boxes_between(passage, *span) or quote.boxes
    return Quote(quote.document, quote.label, boxes[0].page, boxes, passage.text[slice(*span)])
