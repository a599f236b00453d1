"""What a model wrote and what was quoted without it, as one answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from appliance.answer.candidates.values import Quote
from appliance.answer.write.numbered_evidence import Sentence, Spot, spot
from appliance.core.evidence import Citation, Grounded, Statement
from appliance.store.read import Store

_QUOTES = str.maketrans(dict.fromkeys('"“”„‟'))


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement of the model with the sentences that it cites; `why` tells why it is not confirmed."""

    text: str
    cited: tuple[Sentence, ...]
    why: str = ""


def merged(store: Store, answer: Grounded, checked: Sequence[Checked]) -> Grounded:
    """Return the answer with what the model wrote.

    What is quoted first stays first: the fitted order finds the wanted value more often than the model does.
    Behind it stands what is confirmed and not quoted in the same words, last what is not confirmed.
    """
    citations = {spot(_quote(item)): item for item in reversed(answer.citations)}
    more = list(answer.citations)
    for quote in dict.fromkeys(q for item in checked for sentence in item.cited for q in sentence.quotes):
        if spot(quote) not in citations:
            made = _cited(store, quote, len(more) + 1)
            citations[spot(quote)] = made
            more.append(made)
    quoted = [_in_words(item.text) for item in answer.statements if item.confirmed]
    written = [_statement(item, citations) for item in checked]
    sure = [item for item in written if item.confirmed and _in_words(item.text) not in quoted]
    unsure = (item for item in written if not item.confirmed)
    parts = (
        replace(part, statements=tuple(at + len(sure) * (at > 0) for at in part.statements))
        for part in answer.parts
    )
    return _renumbered(
        replace(
            answer,
            statements=(*answer.statements[:1], *sure, *answer.statements[1:], *unsure),
            citations=tuple(more),
            parts=tuple(parts),
            mode="model",
        )
    )


def _in_words(text: str) -> list[str]:
    """Return the words of a text with their marks, without that at the end and without quotation marks."""
    return text.translate(_QUOTES).rstrip(" .").split()


def _statement(item: Checked, citations: dict[Spot, Citation]) -> Statement:
    numbers = dict.fromkeys(citations[spot(q)].n for sentence in item.cited for q in sentence.quotes)
    return Statement(item.text, tuple(numbers), not item.why, item.why)


def _renumbered(answer: Grounded) -> Grounded:
    """Return the answer with its citations in the order in which statements name them, unused ones last."""
    met: Iterable[int] = (n for statement in answer.statements for n in statement.citations)
    order = dict.fromkeys([*met, *(citation.n for citation in answer.citations)])
    number = {old: new for new, old in enumerate(order, 1)}
    known = {citation.n: citation for citation in answer.citations}
    return replace(
        answer,
        citations=tuple(replace(known[old], n=new) for old, new in number.items()),
        statements=tuple(
            replace(s, citations=tuple(number[n] for n in s.citations)) for s in answer.statements
        ),
        also=tuple(replace(s, citations=tuple(number[n] for n in s.citations)) for s in answer.also),
        headline=answer.headline and replace(answer.headline, citation=number[answer.headline.citation]),
        conflicts=tuple(
            replace(c, sides=(_side(c.sides[0], number), _side(c.sides[1], number))) for c in answer.conflicts
        ),
    )


def _side(side: Citation, number: dict[int, int]) -> Citation:
    return replace(side, n=number.get(side.n, side.n))


def _quote(citation: Citation) -> Quote:
    return Quote(citation.document, citation.label, citation.page, citation.boxes, citation.quote)


def _cited(store: Store, quote: Quote, n: int) -> Citation:
    status = store.info(quote.document).status
    return Citation(n, quote.document, quote.label, quote.page, quote.boxes, quote.text, status)
