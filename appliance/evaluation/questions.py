"""Judged questions put to a library, and what came back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from appliance.core.errors import ApplianceError, BadInput
from appliance.core.evidence import Answer, Evidence, Failed, Grounded, NotFound, Place
from appliance.core.files import read_lines
from appliance.evaluation.metrics import (
    SHOWN,
    GoldResult,
    Outcome,
    QuestionResult,
    Reading,
    ShownPlace,
)
from appliance.evaluation.places import (
    Gold,
    all_found,
    any_found,
    covers,
    first_page_rank,
    first_rank,
)
from appliance.retrieval.ask import EVERYTHING, Filter


@dataclass(frozen=True, slots=True)
class Question:
    """A judged question; `gold` are the places that are all needed, `values` what must be said.

    `filter` is what it is asked with: of the part of the library that it leaves the question is judged.
    """

    id: str
    question: str
    style: str = ""
    type: str = ""
    documents: tuple[str, ...] = ()
    gold: tuple[Gold, ...] = ()
    values: tuple[str, ...] = ()
    filter: Filter = EVERYTHING

    @property
    def answerable(self) -> bool:
        """Tell whether the documents answer it."""
        return bool(self.gold)

    @property
    def judged(self) -> bool:
        """Tell whether a person has said what answers it, or that nothing does (`type` "unanswerable")."""
        return self.answerable or self.type == "unanswerable"


_DECODER = msgspec.json.Decoder(Question)


def load_questions(files: Iterable[Path]) -> tuple[Question, ...]:
    """Return the questions of all files in order.

    Raises:
        BadInput: a file is missing, a line is not a question, an id stands twice, or nothing is left.
    """
    questions: list[Question] = []
    seen: set[str] = set()
    for path in files:
        for number, question in read_lines(path, _DECODER.decode, "a judged question"):
            if question.id in seen:
                message = f"{path}, line {number}: the id {question.id} stands twice."
                raise BadInput(message)
            seen.add(question.id)
            questions.append(question)
    if not questions:
        message = "There are no judged questions in the given files."
        raise BadInput(message)
    return tuple(questions)


STAGES = ("lexical", "dense", "fused", "reranked", SHOWN)
FIRST_WORDS = 60  # of all statements: what a person sees before scrolling
TOKENS_PER_WORD = 1.33  # of an English text in a word-piece vocabulary
Progress = Callable[[int, int], None]


class Library(Protocol):
    """The part of the library that is judged."""

    def search(
        self, question: str, limit: int = 20, *, wanted: Filter = EVERYTHING, keep_stages: bool = False
    ) -> Evidence: ...
    def ask(self, question: str, *, wanted: Filter = EVERYTHING) -> Answer: ...


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """Everything that an evaluation of questions measured; figures follow from it (`metrics`)."""

    limit: int
    stages: tuple[str, ...]
    questions: tuple[QuestionResult, ...]
    not_judged: int = 0  # questions left out, because nobody has said yet what answers them


def evaluate_questions(
    library: Library,
    files: Iterable[Path],
    *,
    limit: int = 20,
    progress: Progress | None = None,
) -> QuestionReport:
    """Return what became of every question of the files.

    Raises:
        BadInput: a file is not one of judged questions.
    """
    given = load_questions(files)
    questions = [question for question in given if question.judged]
    results = []
    for done, question in enumerate(questions, 1):
        results.append(_judge(library, question, limit=limit))
        if progress is not None:
            progress(done, len(questions))
    reached = {stage for result in results for gold in result.gold for stage in gold.ranks}
    shown = tuple(stage for stage in STAGES if stage in reached)
    return QuestionReport(limit, shown, tuple(results), len(given) - len(questions))


def _judge(library: Library, question: Question, *, limit: int) -> QuestionResult:
    """Return what became of a question; one that cannot be asked has no places and no reading."""
    ranked: Mapping[str, Sequence[Place]] = {SHOWN: ()}
    milliseconds, message, answer = 0.0, "", None
    started = time.perf_counter()
    try:
        evidence = library.search(question.question, limit=limit, wanted=question.filter, keep_stages=True)
        searched = (time.perf_counter() - started) * 1000
        answer = library.ask(question.question, wanted=question.filter)
        ranked, milliseconds = ranked_stages(evidence), searched
    except ApplianceError as error:
        message = str(error)
    outcome: Outcome = "answer" if isinstance(answer, Grounded) else "failed"
    if isinstance(answer, NotFound):
        outcome = "not_found"
    elif isinstance(answer, Failed):
        message = answer.message
    hits = ranked[SHOWN]
    return QuestionResult(
        id=question.id,
        question=question.question,
        style=question.style,
        type=question.type,
        documents=question.documents,
        gold=tuple(
            GoldResult(
                *(gold.document, gold.label, gold.kind, gold.page),
                ranks={stage: first_rank(places, gold) for stage, places in ranked.items()},
                page_ranks={stage: first_page_rank(places, gold) for stage, places in ranked.items()},
            )
            for gold in question.gold
        ),
        outcome=outcome,
        values=question.values,
        values_found=all_found(question.values, said(answer)) if question.values else None,
        shown=tuple(
            ShownPlace(
                name=f"{place.document} {place.label} (p. {', '.join(map(str, place.pages))}) "
                f"{place.title}".rstrip(),
                found_by=tuple(place.found_by),
                covers=tuple(gold.label for gold in question.gold if covers(place, gold)),
            )
            for place in hits[:limit]
        ),
        longest_tokens=max((int(len(p.text.split()) * TOKENS_PER_WORD) for p in hits), default=0),
        milliseconds=milliseconds,
        message=message,
        reading=_reading(question, answer) if answer else None,
    )


def _reading(question: Question, answer: Answer) -> Reading:
    """Return what a person sees first of an answer, judged."""
    values = question.values
    if not isinstance(answer, Grounded):
        state = "not_found" if isinstance(answer, NotFound) else "failed"
        lost = False if values else None
        return Reading(state, 0, lost, lost, False if question.gold else None)
    texts = [statement.text for statement in answer.statements]
    cited = {citation.n: citation for citation in answer.citations}
    leading = [cited[n] for statement in answer.statements[:1] for n in statement.citations if n in cited]
    pages = {(gold.document, gold.page) for gold in question.gold}
    head, written = answer.headline, answer.written
    return Reading(
        answer.state,
        words=sum(len(text.split()) for text in texts),
        lead_value=any_found(values, texts[0] if texts else "") if values else None,
        first_words=any_found(values, " ".join(" ".join(texts).split()[:FIRST_WORDS])) if values else None,
        lead_page=any((one.document, one.page) in pages for one in leading) if pages else None,
        headline=any_found(values, f"{head.value} {head.unit}") if head and values else None,
        written=written.statements if written else 0,
        confirmed=written.confirmed if written else 0,
    )


def ranked_stages(evidence: Evidence) -> dict[str, Sequence[Place]]:
    """Return the ranked places of each stage that was kept; the last one is what is shown."""
    kept: dict[str, Sequence[Place]] = {str(stage): places for stage, places in evidence.stages.items()}
    return {**{stage: kept[stage] for stage in STAGES if stage in kept}, SHOWN: evidence.hits}


def said(answer: Answer | None) -> str:
    """Return the text of the answer with its quotes; "" where there is none."""
    if not isinstance(answer, Grounded):
        return ""
    statements = [statement.text for statement in answer.statements]
    return "\n".join([*statements, *(citation.quote for citation in answer.citations)])
