"""Judged questions answered with and without a language model, and what it was worth."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from rich.markup import escape
from rich.table import Table

from appliance.answer.write.write import UNREAD
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Answer, Grounded, NotFound, Place, Written
from appliance.evaluation.places import all_found, covers
from appliance.evaluation.questions import Progress, Question

Outcome = Literal["answer", "not_found", "failed"]
Answering = Callable[[str], Answer]


class Asks(Protocol):
    """What answers a question in both ways."""

    def plain(self, question: str) -> Answer: ...
    def written(self, question: str) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer: its outcome, whether it says the wanted values and shows all places that are needed.

    `value` counts what is confirmed and what is quoted, `stated` the confirmed statements alone; both are
    None where no value is wanted. `wrong` are the statements that are not confirmed. `own` and `shown` are
    `stated` and `complete` of the confirmed statements of the model alone, None where it was not asked.
    """

    outcome: Outcome
    value: bool | None
    stated: bool | None
    complete: bool | None
    statements: int
    wrong: int
    seconds: float
    written: Written | None = None
    own: bool | None = None
    shown: bool | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with its answer without a model and the one with it."""

    question: Question
    plain: Judged
    written: Judged


@dataclass(frozen=True, slots=True)
class FourWay:
    """Questions by what there is and what was said; failures are counted apart."""

    answered: int = 0
    missed: int = 0
    invented: int = 0
    refused: int = 0
    failed: int = 0


def evaluate_answers(
    asks: Asks, questions: Sequence[Question], progress: Progress | None = None
) -> tuple[Pair, ...]:
    """Return both answers to every question, judged."""
    pairs = []
    for done, question in enumerate(questions, 1):
        pairs.append(Pair(question, _judged(question, asks.plain), _judged(question, asks.written)))
        if progress is not None:
            progress(done, len(questions))
    return tuple(pairs)


def _judged(question: Question, answering: Answering) -> Judged:
    started = time.perf_counter()
    try:
        answer = answering(question.question)
    except ApplianceError:
        return Judged("failed", None, None, None, 0, 0, time.perf_counter() - started)
    seconds = time.perf_counter() - started
    if not isinstance(answer, Grounded):
        outcome: Outcome = "not_found" if isinstance(answer, NotFound) else "failed"
        lost = False if question.values else None
        return Judged(outcome, lost, lost, False if question.gold else None, 0, 0, seconds)
    stated = "\n".join(statement.text for statement in answer.statements if statement.confirmed)
    quoted = "\n".join((stated, *(citation.quote for citation in answer.citations)))
    sure = [item for item in answer.written.own if item.confirmed] if answer.written else []
    cited = {chunk for item in sure for chunk in item.chunks}
    return Judged(
        outcome="answer",
        value=_says(question, quoted),
        stated=_says(question, stated),
        complete=_complete(question, answer.evidence.hits),
        statements=len(answer.statements),
        wrong=sum(not statement.confirmed for statement in answer.statements),
        seconds=seconds,
        written=answer.written,
        own=_says(question, "\n".join(item.text for item in sure)) if answer.written else None,
        shown=_complete(question, [hit for hit in answer.evidence.hits if hit.chunk in cited])
        if answer.written
        else None,
    )


def _says(question: Question, text: str) -> bool | None:
    return all_found(question.values, text) if question.values else None


def _complete(question: Question, places: Sequence[Place]) -> bool | None:
    if not question.gold:
        return None
    return all(any(covers(place, gold) for place in places) for gold in question.gold)


def four_way(pairs: Iterable[Pair], judged: Callable[[Pair], Judged]) -> FourWay:
    """Return how often what there is was answered, and what there is not was said not to be found."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        outcome = judged(pair).outcome
        if outcome == "failed":
            counts["failed"] += 1
        elif pair.question.answerable:
            counts["answered" if outcome == "answer" else "missed"] += 1
        else:
            counts["invented" if outcome == "answer" else "refused"] += 1
    return FourWay(**counts)


def share(values: Iterable[bool | None]) -> float | None:
    """Return the share of those that are true, None where nothing was judged."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _failed(written: Written) -> bool:
    """Tell whether a model gave nothing to be judged; that it finds no answer is something."""
    ended = (step for step in written.steps if step.what == "answer" and step.ending == "stop")
    return not written.statements and all(step.found == UNREAD for step in ended)


@dataclass(frozen=True, slots=True)
class Cost:
    """What the model did and cost, over the questions that it was asked.

    `failed` are questions for which it could not be asked, failed, or wrote no answer that came to an end and
    could be read. `confirmed` is the share of its
    statements that the code holds; `value` and `complete` are the shares of questions of which they alone
    say the values and cite all places. Tokens are means of one question: read anew, restored, written.
    Seconds are medians: until the first token of the answer, and of all.
    """

    asked: int
    failed: int
    wrote: int
    statements: int
    confirmed: float | None
    value: float | None
    complete: float | None
    fresh_tokens: float
    restored_tokens: float
    written_tokens: float
    first_seconds: float
    seconds: float
    notices: tuple[tuple[str, int], ...]


def cost(pairs: Iterable[Pair]) -> Cost:
    """Return what the model did and cost."""
    asked = [pair.written for pair in pairs if pair.written.written is not None]
    written = [judged.written for judged in asked if judged.written is not None]
    steps = [step for item in written for step in item.steps]
    statements, confirmed = sum(w.statements for w in written), sum(w.confirmed for w in written)
    first = [step.first_seconds for step in steps if step.what == "answer" and step.ending != "failed"]
    count = max(len(asked), 1)
    return Cost(
        asked=len(asked),
        failed=sum(map(_failed, written)),
        wrote=sum(item.confirmed > 0 for item in written),
        statements=statements,
        confirmed=confirmed / statements if statements else None,
        value=share(judged.own for judged in asked),
        complete=share(judged.shown for judged in asked),
        fresh_tokens=sum(step.prompt_tokens - step.restored_tokens for step in steps) / count,
        restored_tokens=sum(step.restored_tokens for step in steps) / count,
        written_tokens=sum(step.tokens for step in steps) / count,
        first_seconds=statistics.median(first) if first else 0.0,
        seconds=statistics.median(judged.seconds for judged in asked) if asked else 0.0,
        notices=tuple(Counter(item.notice for item in written if item.notice).most_common()),
    )


def answers_json(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return the figures and every question, for programs."""
    total = cost(pairs)
    return {
        "questions": len(pairs),
        "plain": _side_json(pairs, lambda pair: pair.plain),
        "written": _side_json(pairs, lambda pair: pair.written),
        "model": {name: getattr(total, name) for name in total.__slots__} | {"notices": dict(total.notices)},
        "results": [
            {
                "id": pair.question.id,
                "plain": _judged_json(pair.plain),
                "written": _judged_json(pair.written),
            }
            for pair in pairs
        ],
    }


def _side_json(pairs: Sequence[Pair], side: Callable[[Pair], Judged]) -> dict[str, Any]:
    counts = four_way(pairs, side)
    return {
        "value": share(side(pair).value for pair in pairs),
        "stated": share(side(pair).stated for pair in pairs),
        "complete": share(side(pair).complete for pair in pairs),
        "outcomes": {name: getattr(counts, name) for name in counts.__slots__},
    }


def _judged_json(judged: Judged) -> dict[str, Any]:
    names = ("outcome", "value", "stated", "complete", "statements", "wrong", "own", "shown")
    notice = judged.written.notice if judged.written else ""
    return {name: getattr(judged, name) for name in names} | {
        "seconds": round(judged.seconds, 3),
        "notice": notice,
    }


def answers_tables(pairs: Sequence[Pair]) -> Iterator[Table]:
    """Yield the quality of both kinds of answers, then what the model did and cost."""
    plain, written = [pair.plain for pair in pairs], [pair.written for pair in pairs]
    table = Table("", "without a model", "with the model", title=f"{len(pairs)} questions")
    for name, field in (
        ("value said or quoted", "value"),
        ("value in a confirmed statement", "stated"),
        ("all needed places shown", "complete"),
    ):
        table.add_row(name, _share(plain, field), _share(written, field))
    sides = four_way(pairs, lambda pair: pair.plain), four_way(pairs, lambda pair: pair.written)
    for name, field in (
        ("answered, and it is there", "answered"),
        ("said not found, and it is there", "missed"),
        ("answered, and it is not there", "invented"),
        ("said not found, and it is not there", "refused"),
        ("failed", "failed"),
    ):
        table.add_row(name, *(str(getattr(side, field)) for side in sides))
    yield table
    yield _cost(cost(pairs))


def _share(judged: Sequence[Judged], field: str) -> str:
    return _figure(share(getattr(item, field) for item in judged))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _cost(total: Cost) -> Table:
    table = Table("the model", "", title="What it did and cost")
    for name, value in (
        ("questions that it was asked", str(total.asked)),
        ("of these it failed, came to no end, or could not be asked", str(total.failed)),
        ("of these with a confirmed statement", str(total.wrote)),
        ("statements", str(total.statements)),
        ("share of them confirmed", _figure(total.confirmed)),
        ("value in its own confirmed statements", _figure(total.value)),
        ("all needed places cited by them", _figure(total.complete)),
        ("tokens read anew, each question", f"{total.fresh_tokens:.0f}"),
        ("tokens restored", f"{total.restored_tokens:.0f}"),
        ("tokens written", f"{total.written_tokens:.0f}"),
        ("seconds to the first token of the answer (median)", f"{total.first_seconds:.1f}"),
        ("seconds of one question (median)", f"{total.seconds:.1f}"),
    ):
        table.add_row(name, value)
    for notice, count in total.notices:
        table.add_row(escape(notice), str(count))
    return table
