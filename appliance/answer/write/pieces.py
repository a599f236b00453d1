"""Long findings cut into pieces that can be named one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from appliance.answer.candidates.values import Candidate, Quote
from appliance.answer.verify import Claim, covered
from appliance.answer.write.numbered_evidence import MARK, Clause, Span, clause_of, leans, opens
from appliance.core.document import Passage, boxes_between
from appliance.core.evidence import Query
from appliance.store.read import Store

WORDS = 40  # of a finding that is not cut, and about as many of each piece
LEANING = 2  # times as many where the last sentence leans on those before it
SPOKEN = 0.3  # worth of the question's words in a piece, beside the score of its finding


def in_pieces(store: Store, query: Query, finding: Candidate) -> Iterator[Candidate]:
    """Yield a finding, cut where it quotes one long stretch of running text, each piece whole."""
    found = _found(store, finding, finding.quotes[0]) if len(finding.quotes) == 1 else None
    if found is None:
        yield finding
        return
    (quote,), (passage, start) = finding.quotes, found
    clause = clause_of(passage.text, (quote.text,))
    if clause.spans[clause.own.index(True)][0] < start:
        yield finding  # the same words stand there twice
        return
    above = covered(query, quote.text)
    long = len(finding.text.split()) > WORDS
    own = [at for at, held in enumerate(clause.own) if held]
    for at in _grouped(clause, own) if long else (sorted(clause.whole(_listed(clause, own))),):
        quotes = tuple(_quoted(passage, quote, span) for span in _spans(clause, at))
        text = " ".join(" ".join(item.text.split()) for item in quotes)
        score = finding.score + SPOKEN * (covered(query, text) - above)
        claim = Claim(text, tuple(item.text for item in quotes))
        yield replace(finding, text=text, quotes=quotes, score=score, claims=(claim,))


def _listed(clause: Clause, own: Sequence[int]) -> tuple[int, ...]:
    """Return sentences, and the items of a list that the last of them introduces."""
    return (*own, *range(own[-1] + 1, clause.dangling(own[-1]) + 1))


def _found(store: Store, finding: Candidate, quote: Quote) -> tuple[Passage, int] | None:
    """Return the passage that a quotation was cut from, and where in it it begins."""
    family = store.chunk_children([finding.place.chunk])
    ids = (finding.place.chunk, *(child for children in family.values() for child in children))
    for item in store.chunks(ids):
        at = item.chunk.passage.text.find(quote.text)
        if at >= 0 and boxes_between(item.chunk.passage, at, at + len(quote.text)) == quote.boxes:
            return item.chunk.passage, at
    return None


def _grouped(clause: Clause, own: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield stretches of about WORDS words, an item of a list by itself, each with all it needs."""
    done: set[int] = set()
    for place, at in enumerate(own):
        behind = clause.dangling(at)
        if at in done or (behind > at and at + 1 in own):
            continue  # told already, or with each of its items
        whole = clause.whole(range(at, behind + 1))
        for after in own[place + 1 :]:
            grown = clause.whole({*whole, after})
            if after not in whole and not _joins(clause, whole, grown, after):
                break
            whole = grown
        done |= whole
        yield tuple(sorted(whole))


def _joins(clause: Clause, whole: Collection[int], grown: Collection[int], after: int) -> bool:
    """Tell whether a sentence goes on with those before it: no item, no introduction, not very long.

    Headings are parted from nothing; what leans on the sentence before it may be longer.
    """
    own = clause.units[after]
    if clause.over[after] or clause.dangling(after) > after or opens(own):
        return False
    if all(at in clause.heads for at in whole):
        return True
    room = LEANING * WORDS if leans(own) else WORDS
    return not MARK.match(own) and sum(len(clause.units[at].split()) for at in grown) <= room


def _spans(clause: Clause, at: Sequence[int]) -> Iterator[Span]:
    """Yield the stretches of text that sentences are, those that follow one another as one."""
    first = 0
    for place in range(1, len(at) + 1):
        if place == len(at) or at[place] != at[place - 1] + 1:
            yield clause.spans[at[first]][0], clause.spans[at[place - 1]][1]
            first = place


def _quoted(passage: Passage, quote: Quote, span: Span) -> Quote:
    boxes = boxes_between(passage, *span) or quote.boxes
    return Quote(quote.document, quote.label, boxes[0].page, boxes, passage.text[slice(*span)])
