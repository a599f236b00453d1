"""The evidence as numbered sentences: what a language model reads and may name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from appliance.answer.candidates.values import Candidate, Quote
from appliance.core.evidence import Citation

MOST = 24  # sentences: more ids only make a small model lose its way
START, STEP = 0.5, 0.02  # worth of a sentence that is quoted without a model, less for each one before it
READ_WORDS = 120  # of one sentence that the model is shown; what is quoted is whole

Count = Callable[[Sequence[str]], list[int]]
Spot = tuple[str, int, tuple[object, ...], str]  # where a quotation stands: document, page, boxes, words


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that could be said, with the id and the label by which a model knows it."""

    id: str
    label: str
    said: Candidate

    @property
    def text(self) -> str:
        """Return its words on one line."""
        return " ".join(self.said.text.split())

    @property
    def line(self) -> str:
        """Return the line that a model reads."""
        printed = self.text.split()
        shown = " ".join(printed[:READ_WORDS]) + (" …" if len(printed) > READ_WORDS else "")
        return f"{self.id} [{self.label}] {shown}"


def spot(quote: Quote | Citation) -> Spot:
    """Return where a quotation stands, whatever label a reader finds beside it."""
    text = quote.text if isinstance(quote, Quote) else quote.quote
    return (quote.document, quote.page, quote.boxes, text)


def numbered(
    found: Iterable[Candidate], leading: Sequence[Spot], count: Count, tokens: int
) -> tuple[Sentence, ...]:
    """Return numbered sentences of at most so many tokens; what stands in `leading` spots has a start."""
    made = {" ".join(one.text.split()): one for one in sorted(found, key=lambda one: one.score)}
    best = sorted(made.values(), key=lambda one: -one.score - _start(one, leading))
    spread = len({one.place.document for one in best}) > 1
    named = [Sentence(f"S{MOST}", _called(one, spread=spread), one) for one in best if one.text.strip()]
    kept: list[Sentence] = []
    room = tokens
    for sentence, size in zip(named, count([item.line for item in named]) if named else [], strict=True):
        if size <= room and len(kept) < MOST:
            kept.append(replace(sentence, id=f"S{len(kept) + 1}"))
            room -= size
    return tuple(kept)


def _start(one: Candidate, leading: Sequence[Spot]) -> float:
    """Return what a sentence is worth for standing in one of the leading spots, the first most."""
    for at, (document, page, _, quoted) in enumerate(leading):
        own = (q for q in one.quotes if q.document == document and q.page >= page)
        if any(q.text in quoted or quoted in q.text for q in own):
            return max(START - STEP * at, 0.0)
    return 0.0


def _called(one: Candidate, *, spread: bool) -> str:
    """Return the name under which a model is shown where a sentence stands."""
    quote = one.quotes[-1]
    return f"{quote.document} {quote.label}" if spread else str(quote.label)
