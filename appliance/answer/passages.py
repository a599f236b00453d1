"""Findings from running text: a paragraph whole where it is short, its deciding sentences where not.

Rules of this module: text is cut at sentence ends only and never rewritten; an item of a list keeps
the words that introduce the list, because they carry its condition, and the items that it is joined to.
"""

from __future__ import annotations

import re

from appliance.answer.findings import Finding, Part, Quote, covered, holds_what_is_asked, judge
from appliance.answer.joined import Span
from appliance.answer.joined import whole as joined
from appliance.answer.verify import Claim
from appliance.core.document import Passage, boxes_between
from appliance.core.evidence import Query
from appliance.text.sentences import mark_of, sentence_spans

WHOLE_WORDS = 90  # a paragraph up to this long is quoted whole, with its conditions
LIST_ITEMS = 3
LIST_WORDS = 260  # a list of steps up to this long is quoted whole
CUT_WORDS = 70  # of a longer one, this many words around the best sentence

_INTRODUCTION = re.compile(r":[ \t]*(?:\n|$)")


def from_passage(
    query: Query, part: Part, *, whole: bool = False, around: Passage | None = None
) -> Finding | None:
    """Return what a part of running text says, None for an empty one; `whole` quotes all of it.

    `around` is the text that the part was cut from: what the part may not be said without is quoted with it.
    """
    chunk, place = part.chunk, part.place
    passage, text = chunk.passage, chunk.passage.text
    span = (0, len(text)) if whole and text.strip() else deciding_span(query, text)
    if span is None:
        return None
    score = judge(query, part, text[slice(*span)].strip())
    if around is not None and (at := around.text.find(text)) >= 0:
        passage, span = around, joined(around.text, (at + span[0], at + span[1]))
    said = passage.text[slice(*span)].strip()
    boxes = boxes_between(passage, *span) or chunk.boxes
    page = boxes[0].page if boxes else place.pages[0]
    labels = chunk.labels if said in text else tuple(dict.fromkeys((*chunk.labels, *place.labels)))
    quote = Quote(place.document, chunk.label, page, boxes, said)
    told = " ".join(said.split())
    claims = (Claim(told, (said,)),)
    return Finding(told, (quote,), score, place, labels=labels, claims=claims, met=part.met)


def deciding_span(query: Query, text: str) -> Span | None:
    """Return the characters [start, end) that decide: all that bears on the question, or its sentences.

    What stands before the first paragraph with a word of the question is left out, unless it
    introduces the list that the paragraph is an item of; what stands after it stays, as far as there
    is room: exceptions follow what they except.
    """
    if not text.strip():
        return None
    sentences = sentence_spans(text)
    best = max(range(len(sentences)), key=lambda at: _worth(query, text, sentences[at]))
    touching = next((span for span in sentences if covered(query, text[slice(*span)])), sentences[best])
    start = _opening(text, touching[0])
    if len(text[start:].split()) <= WHOLE_WORDS:
        return start, len(text)
    first = last = best
    while True:  # grow by whole sentences, forward first
        if last + 1 < len(sentences) and _words(text, sentences[first], sentences[last + 1]) <= CUT_WORDS:
            last += 1
        elif first > 0 and _words(text, sentences[first - 1], sentences[last]) <= CUT_WORDS:
            first -= 1
        else:
            return sentences[first][0], sentences[last][1]


def is_list(text: str) -> bool:
    """Tell whether a text holds a list of at least LIST_ITEMS items and is short enough to quote whole."""
    items = sum(mark_of(line) is not None for line in text.split("\n"))
    return items >= LIST_ITEMS and len(text.split()) <= LIST_WORDS


def _opening(text: str, start: int) -> int:
    """Return where the paragraph that holds a character begins, or the words that introduce its list."""
    begin = text.rfind("\n", 0, start) + 1
    if mark_of(text, begin) is None:
        return begin
    before = [match.end() for match in _INTRODUCTION.finditer(text, 0, begin)]
    return text.rfind("\n", 0, before[-1] - 1) + 1 if before else begin


def _worth(query: Query, text: str, sentence: Span) -> float:
    said = text[sentence[0] : sentence[1]]
    return covered(query, said) + 0.3 * holds_what_is_asked(query, said)


def _words(text: str, first: Span, last: Span) -> int:
    return len(text[first[0] : last[1]].split())
