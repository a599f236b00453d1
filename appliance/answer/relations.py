"""What refers to a named place, or what it refers to: the sentence of each reference, under its own label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from appliance.answer.candidates.values import Candidate, Quote
from appliance.answer.verify import Claim
from appliance.core.document import Label, Passage, boxes_between
from appliance.core.evidence import Evidence, Listed, Place
from appliance.retrieval.ask import place
from appliance.store.read import Store
from appliance.text.sentences import sentence_spans

MOST = 12  # references that are stated; all are listed beside the answer
SENTENCE = 320  # characters of a sentence that is quoted whole
FIRST = 0.9  # score of the first reference: nine in ten references are followed right


def related(store: Store, evidence: Evidence) -> tuple[Candidate, ...]:
    """Return the references that a question asks for as findings, none for other questions."""
    scope = evidence.scope
    if evidence.query.intent != "reference" or scope is None or scope.kind != "relation":
        return ()
    known = {(hit.document, label.key): hit for hit in reversed(evidence.hits) for label in hit.labels}
    made = [list(_findings(store, item, known)) for item in scope.items if item.source]
    found: dict[tuple[str, str, str], Candidate] = {}
    for one in (*(both[0] for both in made if both), *(rest for both in made for rest in both[1:])):
        quote = one.quotes[0]
        found.setdefault((quote.document, quote.label.key, quote.text), one)
    ranked = enumerate(list(found.values())[:MOST])
    return tuple(replace(one, score=FIRST - 0.01 * position) for position, one in ranked)


def _findings(store: Store, item: Listed, known: Mapping[tuple[str, str], Place]) -> Iterator[Candidate]:
    """Yield the sentence that makes a reference, then what decides where it leads to another place."""
    own = (item.document, item.label)
    for document, label in dict.fromkeys((item.source or own, own)):
        passage = _passage(store, document, label, item.how)
        where = known.get((document, label.key)) or next(_places(store, document, label), None)
        if where is not None and passage.text.strip():
            yield _finding(passage, _sentence(passage, item.how), where, label)


def _finding(passage: Passage, span: tuple[int, int], where: Place, label: Label) -> Candidate:
    said = passage.text[slice(*span)].strip()
    boxes = boxes_between(passage, *span) or where.boxes
    text = " ".join(said.split())
    told = text if text.startswith(str(label)) else f"{label}: {text}"
    quote = Quote(where.document, label, boxes[0].page if boxes else where.pages[0], boxes, said)
    claims = (Claim(text, (said,)),)
    return Candidate(
        "sentence", told, (quote,), where, 0, where.chunk, labels=(label,), claims=claims, score=FIRST
    )


def _passage(store: Store, document: str, label: Label, words: str) -> Passage:
    """Return the text that a reference stands in: of its clause, else of what shows it."""
    if (clause := store.clause(document, label)) and words in clause.passage.text:
        return clause.passage
    shown = store.chunks(store.chunks_for(document, label)[:1])
    return shown[0].chunk.passage if shown else Passage("", ())


def _sentence(passage: Passage, words: str) -> tuple[int, int]:
    """Return the characters [start, end) of the sentence that makes a reference, cut where it is long.

    Of a place that is referred to: its first sentence.
    """
    at = passage.text.find(words)
    if at < 0:
        return next(iter(sentence_spans(passage.text)), (0, 0))
    for start, end in sentence_spans(passage.text):
        if start <= at < end:
            return (start, end) if end - start <= SENTENCE else _around(passage.text, at, (start, end))
    return at, at + len(words)


def _around(text: str, at: int, span: tuple[int, int]) -> tuple[int, int]:
    """Return whole words of a long sentence around a reference."""
    start = max(span[0], at - SENTENCE // 2)
    end = min(span[1], at + SENTENCE // 2)
    start = text.find(" ", start) + 1 if start > span[0] else start
    return start, max(text.rfind(" ", start, end), at + 1) if end < span[1] else end


def _places(store: Store, document: str, label: Label) -> Iterator[Place]:
    for chunk in store.chunks(store.chunks_for(document, label)[:1]):
        yield place(chunk, 0.0, ("reference",))
