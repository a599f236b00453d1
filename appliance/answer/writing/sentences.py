"""The evidence as numbered sentences: what a language model reads and may name, and what it may not.

Rules of this module: a sentence is what a finding claims, with the quotations that prove it, so that
what the model names is on the page as printed. What the answer without a model quotes comes first, then
the best of the rest, as far as the tokens reach. The text of a code is data: it stands on one line behind
its number, so that it can neither open another number nor look like the question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.answer.findings import Finding, Quote
from appliance.answer.writing.strange import speaks, suspicious
from appliance.evidence import Place

MOST = 24  # sentences: more ids only make a small model lose its way
START, STEP = 0.5, 0.02  # worth of a sentence that is quoted without a model, less for each one before it
STRANGE = "the quoted place holds what is no text of a code (“{}”)"
READ_WORDS = 120  # of one sentence that the model is shown; what is quoted is whole

Count = Callable[[Sequence[str]], list[int]]
Spot = tuple[str, int, tuple[object, ...], str]  # where a quotation stands: document, page, boxes, words


@dataclass(frozen=True, slots=True)
class Sentence:
    """One numbered sentence; `held` are the texts that prove it, `above` the headings over them.

    A statement about it may say only what stands in `held`; `doubt` says why nothing may rest on it alone.
    `keys` is of a row of a table, as a claim has it.
    """

    id: str
    label: str
    text: str
    held: tuple[str, ...]
    above: tuple[str, ...]
    quotes: tuple[Quote, ...]
    place: Place
    doubt: str = ""
    keys: int = 0

    @property
    def shown(self) -> str:
        """Return as much of its text as a model reads."""
        printed = self.text.split()
        return " ".join(printed[:READ_WORDS]) + (" …" if len(printed) > READ_WORDS else "")

    @property
    def line(self) -> str:
        """Return the line that a model reads."""
        return f"{self.id} [{self.label}] {self.shown}"


def spot(quote: Quote) -> Spot:
    """Return where a quotation stands, whatever label a reader finds beside it."""
    return (quote.document, quote.page, quote.boxes, quote.text)


def numbered(
    found: Iterable[Finding],
    doubted: Callable[[Finding], str],
    leading: Sequence[Spot],
    count: Count,
    tokens: int,
) -> tuple[Sentence, ...]:
    """Return numbered sentences of at most so many tokens; what stands in `leading` spots has a start."""
    made = _each_once(sentence for finding in found for sentence in _of_finding(finding, doubted(finding)))
    made.sort(key=lambda item: -item[0] - _start(item[1], leading))
    spread = len({sentence.place.document for _, sentence in made}) > 1
    named = [replace(item, id=f"S{MOST}", label=_called(item, spread=spread)) for _, item in made]
    kept: list[Sentence] = []
    room = tokens
    for sentence, size in zip(named, count([item.line for item in named]) if named else [], strict=True):
        if size <= room and len(kept) < MOST:
            kept.append(replace(sentence, id=f"S{len(kept) + 1}"))
            room -= size
    return tuple(kept)


def renumbered(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Return sentences numbered anew in their order."""
    return tuple(replace(sentence, id=f"S{at}") for at, sentence in enumerate(sentences, 1))


def _of_finding(finding: Finding, doubt: str) -> Iterator[tuple[float, Sentence]]:
    """Yield a sentence for each claim of a finding, with those of its quotes that the claim rests on."""
    above = (*finding.place.heading_path, finding.place.title)
    spoken = speaks("\n".join((finding.place.text, *(quote.text for quote in finding.quotes))))
    for claim in finding.claims:
        own = tuple(quote for quote in finding.quotes if quote.text in claim.quotes) or finding.quotes
        if not own or not claim.text.strip():
            continue
        text = " ".join(claim.text.split())
        strange = suspicious("\n".join((text, *claim.quotes))) or spoken
        why = STRANGE.format(strange[:40]) if strange else ""
        whole = "; ".join(filter(None, (doubt, why)))
        sentence = Sentence("", "", text, claim.quotes, above, own, finding.place, whole, claim.keys)
        yield finding.score, sentence


def _each_once(made: Iterable[tuple[float, Sentence]]) -> list[tuple[float, Sentence]]:
    """Return the sentences, the best first, no text twice; the case of a symbol tells two apart."""
    kept: dict[str, tuple[float, Sentence]] = {}
    for score, sentence in sorted(made, key=lambda item: -item[0]):
        kept.setdefault(sentence.text, (score, sentence))
    return list(kept.values())


def _start(sentence: Sentence, leading: Sequence[Spot]) -> float:
    """Return what a sentence is worth for standing in one of the leading spots, the first most."""
    for at, (document, page, _, quoted) in enumerate(leading):
        own = (q for q in sentence.quotes if q.document == document and q.page >= page)
        if any(q.text in quoted or quoted in q.text for q in own):
            return max(START - STEP * at, 0.0)
    return 0.0


def _called(sentence: Sentence, *, spread: bool) -> str:
    """Return the name under which a model is shown where a sentence stands."""
    quote = sentence.quotes[-1]
    return f"{quote.document} {quote.label}" if spread else str(quote.label)


def by_id(sentences: Collection[Sentence]) -> dict[str, Sentence]:
    """Return the sentences by their ids."""
    return {sentence.id: sentence for sentence in sentences}
