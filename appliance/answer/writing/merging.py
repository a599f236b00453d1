"""What a model wrote and what was quoted without it, as one answer.

Rules of this module: nothing that was stated without a model is lost. What the model wrote and the code
confirms comes first; then what was quoted and is not cited by that; last what the model wrote and the
code does not confirm. Citations are numbered in the order in which they are met.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from appliance.answer.findings import Quote
from appliance.answer.writing.sentences import Sentence, Spot, spot
from appliance.evidence import Citation, Grounded, Statement, Subanswer
from appliance.store.read import Store


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
    written = [_statement(item, citations) for item in checked]
    sure = [statement for statement in written if statement.confirmed]
    said = {n for statement in sure for n in statement.citations}
    kept = [at for at, item in enumerate(answer.statements) if not _is_said(item, said)]
    statements = (
        *sure,
        *(answer.statements[at] for at in kept),
        *(statement for statement in written if not statement.confirmed),
    )
    parts = tuple(_part(answer, part, sure, kept) for part in answer.parts)
    return _renumbered(
        replace(answer, statements=statements, citations=tuple(more), parts=parts, mode="model")
    )


def _is_said(statement: Statement, cited: set[int]) -> bool:
    """Tell whether all that a confirmed statement quotes is quoted with what the model wrote."""
    return statement.confirmed and bool(statement.citations) and set(statement.citations) <= cited


def _statement(item: Checked, citations: dict[Spot, Citation]) -> Statement:
    numbers = dict.fromkeys(citations[spot(q)].n for sentence in item.cited for q in sentence.quotes)
    return Statement(item.text, tuple(numbers), not item.why, item.why)


def _part(answer: Grounded, part: Subanswer, sure: Sequence[Statement], kept: Sequence[int]) -> Subanswer:
    """Return a part of the question with the statements that now answer it."""
    now: dict[int, None] = {}
    for at in part.statements:
        if at in kept:
            now[len(sure) + kept.index(at)] = None
        else:
            own = set(answer.statements[at].citations)
            now |= {n: None for n, statement in enumerate(sure) if own & set(statement.citations)}
    return replace(part, statements=tuple(now))


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
