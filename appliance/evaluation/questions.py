"""Judged questions put to a library, and what came back.

Rules of this module: the library is asked through its public methods alone, each question on its
own; a question that fails is a result, never the end of the run. What is judged as shown is what
`search` returns; the stages before it are judged beside it where the search keeps them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from appliance.document import Document
from appliance.errors import ApplianceError
from appliance.evaluation.causes import Index, cause_of, index_document
from appliance.evaluation.judged import Question, load_questions
from appliance.evaluation.metrics import (
    SHOWN,
    GoldResult,
    Outcome,
    QuestionResult,
    ShownPlace,
)
from appliance.evaluation.places import Gold, covers, first_page_rank, first_rank
from appliance.evaluation.values import all_found
from appliance.evidence import Answer, Evidence, Failed, Grounded, NotFound, Place
from appliance.retrieval.ask import EVERYTHING, Filter

STAGES = ("lexical", "dense", "fused", "reranked", SHOWN)
DEEP = 100  # places of each stage looked through for one that is not shown
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
    def document(self, document: str) -> Document: ...


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """Everything that an evaluation of questions measured; figures follow from it (`metrics`)."""

    limit: int
    stages: tuple[str, ...]
    questions: tuple[QuestionResult, ...]


def evaluate_questions(
    library: Library,
    files: Iterable[Path],
    *,
    limit: int = 20,
    stages: bool = True,
    answers: bool = True,
    progress: Progress | None = None,
) -> QuestionReport:
    """Return what became of every question of the files.

    Raises:
        BadInput: a file is not one of judged questions.
    """
    questions = load_questions(files)
    indexes = _Indexes(library)
    results = []
    for done, question in enumerate(questions, 1):
        results.append(_judge(library, question, indexes, limit=limit, stages=stages, answers=answers))
        if progress is not None:
            progress(done, len(questions))
    reached = {stage for result in results for gold in result.gold for stage in gold.ranks}
    return QuestionReport(limit, tuple(stage for stage in STAGES if stage in reached), tuple(results))


class _Indexes:
    """The index of each document, made when first needed."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._made: dict[str, Index | None] = {}

    def get(self, document: str) -> Index | None:
        if document not in self._made:
            try:
                self._made[document] = index_document(self._library.document(document))
            except ApplianceError:
                self._made[document] = None
        return self._made[document]


def _judge(
    library: Library, question: Question, indexes: _Indexes, *, limit: int, stages: bool, answers: bool
) -> QuestionResult:
    started = time.perf_counter()
    try:
        evidence = library.search(question.question, limit=limit, wanted=question.filter, keep_stages=stages)
        milliseconds = (time.perf_counter() - started) * 1000
        answer = library.ask(question.question, wanted=question.filter) if answers else None
    except ApplianceError as error:
        return _failed(question, str(error))
    ranked = ranked_stages(evidence)
    if stages and not all(first_rank(ranked[SHOWN], gold) for gold in question.gold):
        ranked = _deepened(library, question, ranked)
    return QuestionResult(
        id=question.id,
        question=question.question,
        style=question.style,
        type=question.type,
        documents=question.documents,
        gold=tuple(_judge_gold(gold, ranked, indexes) for gold in question.gold),
        outcome=_outcome(answer),
        values=question.values,
        values_found=all_found(question.values, said(answer)) if question.values and answer else None,
        shown=tuple(_shown(place, question.gold) for place in evidence.hits[:limit]),
        longest_tokens=max((int(len(p.text.split()) * TOKENS_PER_WORD) for p in evidence.hits), default=0),
        milliseconds=milliseconds,
        message=answer.message if isinstance(answer, Failed) else "",
    )


def _deepened(
    library: Library, question: Question, ranked: Mapping[str, Sequence[Place]]
) -> dict[str, Sequence[Place]]:
    """Return the stages down to where a search first finds what was missed; what is shown stays."""
    deeper = ranked_stages(
        library.search(question.question, limit=DEEP, wanted=question.filter, keep_stages=True)
    )
    longer = {stage: max(places, deeper.get(stage, ()), key=len) for stage, places in ranked.items()}
    return {**longer, SHOWN: ranked[SHOWN]}


def ranked_stages(evidence: Evidence) -> dict[str, Sequence[Place]]:
    """Return the ranked places of each stage that was kept; the last one is what is shown."""
    kept: dict[str, Sequence[Place]] = {str(stage): places for stage, places in evidence.stages.items()}
    return {**{stage: kept[stage] for stage in STAGES if stage in kept}, SHOWN: evidence.hits}


def said(answer: Answer | None) -> str:
    """Return the text of the answer with its quotes; "" where there is no answer."""
    if not isinstance(answer, Grounded):
        return ""
    statements = [statement.text for statement in answer.statements]
    return "\n".join([*statements, *(citation.quote for citation in answer.citations)])


def _judge_gold(gold: Gold, ranked: Mapping[str, Sequence[Place]], indexes: _Indexes) -> GoldResult:
    ranks = {stage: first_rank(places, gold) for stage, places in ranked.items()}
    page_ranks = {stage: first_page_rank(places, gold) for stage, places in ranked.items()}
    cause = cause_of(gold, ranks, indexes.get(gold.document))
    return GoldResult(gold.document, gold.label, gold.kind, gold.page, ranks, page_ranks, cause)


def _outcome(answer: Answer | None) -> Outcome:
    if isinstance(answer, Grounded):
        return "answer"
    if isinstance(answer, NotFound):
        return "not_found"
    return "failed" if isinstance(answer, Failed) else "not_asked"


def _shown(place: Place, wanted: Iterable[Gold]) -> ShownPlace:
    pages = ", ".join(map(str, place.pages))
    name = f"{place.document} {place.label} (p. {pages}) {place.title}".rstrip()
    return ShownPlace(
        name, tuple(place.found_by), tuple(gold.label for gold in wanted if covers(place, gold))
    )


def _failed(question: Question, message: str) -> QuestionResult:
    nowhere: dict[str, int | None] = {SHOWN: None}
    gold = tuple(
        GoldResult(g.document, g.label, g.kind, g.page, nowhere, nowhere, "the question failed")
        for g in question.gold
    )
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
