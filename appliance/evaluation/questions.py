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
        self,
        question: str,
        limit: int = 20,
        documents: Sequence[str] = (),
        kinds: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        keep_stages: bool = False,
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
    started = time.perf_counter()
    try:
        evidence = library.search(question.question, limit=limit, wanted=question.filter, keep_stages=True)
        milliseconds = (time.perf_counter() - started) * 1000
        answer = library.ask(question.question, wanted=question.filter)
    except ApplianceError as error:
        return _failed(question, str(error))
    ranked = ranked_stages(evidence)
    return QuestionResult(
        id=question.id,
        question=question.question,
        style=question.style,
        type=question.type,
        documents=question.documents,
        gold=tuple(_judge_gold(gold, ranked) for gold in question.gold),
        outcome=_outcome(answer),
        values=question.values,
        values_found=all_found(question.values, said(answer)) if question.values else None,
        shown=tuple(_shown(place, question.gold) for place in evidence.hits[:limit]),
        longest_tokens=max((int(len(p.text.split()) * TOKENS_PER_WORD) for p in evidence.hits), default=0),
        milliseconds=milliseconds,
        message=answer.message if isinstance(answer, Failed) else "",
        reading=_reading(question, answer),
    )


def _reading(question: Question, answer: Answer) -> Reading:
    """Return what a person sees first of an answer, judged."""
    if not isinstance(answer, Grounded):
        state = "not_found" if isinstance(answer, NotFound) else "failed"
        lost = False if question.values else None
        return Reading(state, 0, lost, lost, False if question.gold else None)
    texts = [statement.text for statement in answer.statements]
    first = " ".join(" ".join(texts).split()[:FIRST_WORDS])
    cited = {citation.n: citation for citation in answer.citations}
    leading = [cited[n] for statement in answer.statements[:1] for n in statement.citations if n in cited]
    pages = {(gold.document, gold.page) for gold in question.gold}
    head = answer.headline
    return Reading(
        answer.state,
        sum(len(text.split()) for text in texts),
        any_found(question.values, texts[0] if texts else "") if question.values else None,
        any_found(question.values, first) if question.values else None,
        any((one.document, one.page) in pages for one in leading) if question.gold else None,
        any_found(question.values, f"{head.value} {head.unit}") if head and question.values else None,
        *((answer.written.statements, answer.written.confirmed) if answer.written else ()),
    )


def ranked_stages(evidence: Evidence) -> dict[str, Sequence[Place]]:
    """Return the ranked places of each stage that was kept; the last one is what is shown."""
    kept: dict[str, Sequence[Place]] = {str(stage): places for stage, places in evidence.stages.items()}
    return {**{stage: kept[stage] for stage in STAGES if stage in kept}, SHOWN: evidence.hits}


def said(answer: Answer) -> str:
    """Return the text of the answer with its quotes; "" where there is none."""
    if not isinstance(answer, Grounded):
        return ""
    statements = [statement.text for statement in answer.statements]
    return "\n".join([*statements, *(citation.quote for citation in answer.citations)])


def _judge_gold(gold: Gold, ranked: Mapping[str, Sequence[Place]]) -> GoldResult:
    ranks = {stage: first_rank(places, gold) for stage, places in ranked.items()}
    page_ranks = {stage: first_page_rank(places, gold) for stage, places in ranked.items()}
    return GoldResult(gold.document, gold.label, gold.kind, gold.page, ranks, page_ranks)


def _outcome(answer: Answer) -> Outcome:
    if isinstance(answer, Grounded):
        return "answer"
    if isinstance(answer, NotFound):
        return "not_found"
    return "failed"


def _shown(place: Place, wanted: Iterable[Gold]) -> ShownPlace:
    pages = ", ".join(map(str, place.pages))
    name = f"{place.document} {place.label} (p. {pages}) {place.title}".rstrip()
    return ShownPlace(
        name, tuple(place.found_by), tuple(gold.label for gold in wanted if covers(place, gold))
    )


def _failed(question: Question, message: str) -> QuestionResult:
    nowhere: dict[str, int | None] = {SHOWN: None}
    gold = tuple(GoldResult(g.document, g.label, g.kind, g.page, nowhere, nowhere) for g in question.gold)
    return QuestionResult(
        id=question.id,
        question=question.question,
        style=question.style,
        type=question.type,
        documents=question.documents,
        gold=gold,
        outcome="failed",
        values=question.values,
        values_found=False if question.values else None,
        message=message,
    )
