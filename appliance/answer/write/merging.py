"""What a model wrote and what was quoted without it, as one answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from appliance.answer.candidates.values import Quote
from appliance.answer.verify import covered, holds_what_is_asked
from appliance.answer.write.numbered_evidence import Sentence, Spot, spot
from appliance.answer.write.words import content
from appliance.core.evidence import Citation, Grounded, Query, Statement, Subanswer
from appliance.store.read import Store
from appliance.text.sentences import sentence_spans

Standing = Literal["first", "second", "last"]  # of a confirmed statement beside what was quoted
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟'))
STANDINGS: tuple[Standing, ...] = get_args(Standing)


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement of the model with the sentences that it cites; `why` tells why it is not confirmed."""

    text: str
    cited: tuple[Sentence, ...]
    why: str = ""


def merged(store: Store, answer: Grounded, checked: Sequence[Checked]) -> Grounded:
    """Return the answer with what the model wrote."""
    citations = {spot(_quote(item)): item for item in reversed(answer.citations)}
    more = list(answer.citations)
    for quote in dict.fromkeys(q for item in checked for sentence in item.cited for q in sentence.quotes):
        if spot(quote) not in citations:
            made = _cited(store, quote, len(more) + 1)
            citations[spot(quote)] = made
            more.append(made)
    written = [(_statement(item, citations), _standing(item, answer)) for item in checked]
    sure = [statement for statement, _ in written if statement.confirmed]
    kept = [item for item in answer.statements if _said_by(item, sure) is None]
    at = {where: [s for s, own in written if s.confirmed and own == where] for where in STANDINGS}
    unsure = (statement for statement, _ in written if not statement.confirmed)
    statements = (*at["first"], *kept[:1], *at["second"], *kept[1:], *at["last"], *unsure)
    parts = tuple(_part(answer, part, sure, statements) for part in answer.parts)
    return _renumbered(
        replace(answer, statements=statements, citations=tuple(more), parts=parts, mode="model")
    )


def _standing(item: Checked, answer: Grounded) -> Standing:
    """Return where a statement stands beside what was quoted without a model."""
    query = answer.evidence.query
    if {sentence.label for sentence in item.cited} & set(query.labels) or not content(query.text):
        return "first"
    above = (text for sentence in item.cited for text in sentence.above)
    if not set(content(query.text)) & set(content(" ".join((item.text, *above)))):
        return "last"
    quoted = answer.statements[0].text if answer.statements else ""
    spans = sentence_spans(quoted)
    best = max((_answers(query, quoted[start:end]) for start, end in spans), default=(0.0, 0.0))
    own = _answers(query, item.text)
    return "first" if all(ours >= theirs for ours, theirs in zip(own, best, strict=True)) else "second"


def _answers(query: Query, text: str) -> tuple[float, float]:
    """Return how much of the words asked for a text holds, and how far the kind of thing asked for."""
    return covered(query, text), holds_what_is_asked(query, text)


def _said_by(statement: Statement, sure: Sequence[Statement]) -> Statement | None:
    """Return the confirmed statement of the model that is, word for word, one that was made without it."""
    if not statement.confirmed:
        return None
    own, said = set(statement.citations), _in_words(statement.text)
    same = (item for item in sure if own <= set(item.citations) and _in_words(item.text) == said)
    return next(same, None)


def _in_words(text: str) -> list[str]:
    """Return the words of a text with their marks, without that at the end and without quotation marks."""
    return text.translate(_QUOTES).rstrip(" .").split()


def _statement(item: Checked, citations: dict[Spot, Citation]) -> Statement:
    numbers = dict.fromkeys(citations[spot(q)].n for sentence in item.cited for q in sentence.quotes)
    return Statement(item.text, tuple(numbers), not item.why, item.why)


def _part(
    answer: Grounded, part: Subanswer, sure: Sequence[Statement], statements: Sequence[Statement]
) -> Subanswer:
    """Return a part of the question with the statements that now answer it."""
    before = [answer.statements[at] for at in part.statements]
    now = [_said_by(item, sure) or item for item in before]
    places = [n for item in now for n, other in enumerate(statements) if other is item]
    return replace(part, statements=tuple(dict.fromkeys(places)))


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
