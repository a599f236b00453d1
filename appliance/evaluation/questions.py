"""Judged questions put to a library, what came back, and the figures of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median
from typing import Literal, Protocol

import msgspec

from appliance.core.errors import ApplianceError, BadInput
from appliance.core.evidence import Answer, Evidence, Failed, Grounded, NotFound, Place
from appliance.core.files import read_lines
from appliance.core.runs import grouped
from appliance.evaluation.places import Gold, all_found, any_found, covers, first_page_rank, first_rank
from appliance.retrieval.search_context import EVERYTHING, Filter

Outcome = Literal["answer", "not_found", "failed"]
CUTOFFS = (5, 10, 20)
SHOWN = "closure"  # the last stage: what is shown


@dataclass(frozen=True, slots=True)
class GoldResult:
    """A wanted place: by stage, the rank that covers it and the first rank on its page."""

    document: str
    label: str
    kind: str
    page: int
    ranks: Mapping[str, int | None]
    page_ranks: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place as shown, for reading: what it is and which searches found it."""

    name: str
    found_by: tuple[str, ...]
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person sees first of an answer: None where it is not judged.

    `lead_value`: the first statement holds a wanted value; `first_words`: the first words over all statements
    do; `lead_page`: the first statement cites a wanted page; `headline`: the headline or an open case
    holds a wanted value, None for neither. `words` are those of all statements, `state` what the box makes
    of it. A language model made `written` statements, of which the code holds `confirmed`.
    """

    state: str
    words: int
    lead_value: bool | None = None
    first_words: bool | None = None
    lead_page: bool | None = None
    headline: bool | None = None
    written: int = 0
    confirmed: int = 0


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What became of one question; `values_found` is None where none is asked for."""

    id: str
    question: str
    style: str
    type: str
    documents: tuple[str, ...]
    gold: tuple[GoldResult, ...]
    outcome: Outcome
    values: tuple[str, ...] = ()
    values_found: bool | None = None
    shown: tuple[ShownPlace, ...] = ()
    longest_tokens: int = 0
    milliseconds: float = 0.0
    message: str = ""
    reading: Reading | None = None

    @property
    def answerable(self) -> bool:
        return bool(self.gold)

    def complete_at(self, k: int, stage: str = SHOWN) -> bool:
        """Tell whether all wanted places are among the first k of the stage."""
        return self.answerable and all(within(gold.ranks.get(stage), k) for gold in self.gold)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a set of answerable questions at one stage, each a share 0..1."""

    questions: int
    complete_5: float
    complete_10: float
    complete_20: float
    any_5: float
    mrr: float
    page_10: float


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """The figures of the answers: values said, and "not found" where nothing bears on the question.

    `refused` is the share of answerable questions that were answered with "not found". The figures of
    reading are those of `Reading`, shares of the questions with values (`lead_page` and `found_share` of the
    answerable ones, `found_precision` of the answers that are found); `answer_words` is a median.
    """

    values_asked: int
    value: float | None
    unanswerable: int
    not_found_precision: float | None
    not_found_recall: float | None
    refused: float | None
    failed: int
    lead_value: float | None = None
    first60: float | None = None
    lead_page: float | None = None
    answer_words: float | None = None
    headline_right: float | None = None
    headline_wrong: float | None = None
    found_precision: float | None = None
    found_share: float | None = None
    written: int = 0
    confirmed: int = 0


def within(rank: int | None, k: int) -> bool:
    """Tell whether the rank is among the first k."""
    return rank is not None and rank <= k


def figures(results: Iterable[QuestionResult], stage: str = SHOWN) -> Figures | None:
    """Return the figures of the answerable questions at a stage; None where there are none."""
    asked = [result for result in results if result.answerable]
    if not asked:
        return None

    def share(test: Callable[[QuestionResult], float]) -> float:
        return sum(map(test, asked)) / len(asked)

    def reciprocal(result: QuestionResult) -> float:
        ranks = [rank for gold in result.gold if (rank := gold.ranks.get(stage)) is not None]
        return 1 / min(ranks, default=float("inf"))

    five, ten, twenty = CUTOFFS
    return Figures(
        questions=len(asked),
        complete_5=share(lambda r: r.complete_at(five, stage)),
        complete_10=share(lambda r: r.complete_at(ten, stage)),
        complete_20=share(lambda r: r.complete_at(twenty, stage)),
        any_5=share(lambda r: any(within(gold.ranks.get(stage), five) for gold in r.gold)),
        mrr=share(reciprocal),
        page_10=share(lambda r: all(within(gold.page_ranks.get(stage), ten) for gold in r.gold)),
    )


_UNREAD = Reading("failed", 0)


def answer_figures(asked: Sequence[QuestionResult]) -> AnswerFigures:
    """Return the figures of the answers; a question that is not answered shows a person nothing."""

    def share(
        test: Callable[[QuestionResult, Reading], object], among: Sequence[QuestionResult]
    ) -> float | None:
        return sum(bool(test(one, one.reading or _UNREAD)) for one in among) / len(among) if among else None

    answerable = [result for result in asked if result.answerable]
    valued = [result for result in answerable if result.values]
    empty = [result for result in asked if not result.answerable]
    refused = [result for result in asked if result.outcome == "not_found"]
    found = [result for result in asked if result.reading and result.reading.state == "found"]
    words = [result.reading.words for result in asked if result.reading and result.outcome == "answer"]
    return AnswerFigures(
        values_asked=len(valued),
        value=share(lambda result, _: result.values_found, valued),
        unanswerable=len(empty),
        not_found_precision=share(lambda result, _: not result.answerable, refused),
        not_found_recall=share(lambda result, _: result.outcome == "not_found", empty),
        refused=share(lambda result, _: result.outcome == "not_found", answerable),
        failed=sum(result.outcome == "failed" for result in asked),
        lead_value=share(lambda _, read: read.lead_value, valued),
        first60=share(lambda _, read: read.first_words, valued),
        lead_page=share(lambda _, read: read.lead_page, answerable),
        answer_words=median(words) if words else None,
        headline_right=share(lambda _, read: read.headline is True, valued),
        headline_wrong=share(lambda _, read: read.headline is False, valued),
        found_precision=share(
            lambda result, read: result.answerable and (read.lead_value if result.values else read.lead_page),
            found,
        ),
        found_share=share(lambda _, read: read.state == "found", answerable),
        written=sum(result.reading.written for result in asked if result.reading),
        confirmed=sum(result.reading.confirmed for result in asked if result.reading),
    )


def groups(results: Sequence[QuestionResult]) -> dict[str, dict[str, list[QuestionResult]]]:
    """Return the results by type, style, number of wanted places and first document, in a steady order."""
    keys: Mapping[str, Callable[[QuestionResult], str]] = {
        "type": lambda result: result.type,
        "style": lambda result: result.style,
        "places wanted": lambda result: str(len(result.gold)) if len(result.gold) < 4 else "4 and more",
        "document": lambda result: result.documents[0] if result.documents else "",
    }
    return {
        name: dict(sorted(grouped((key(result), result) for result in results).items()))
        for name, key in keys.items()
    }


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0.0


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
        return bool(self.gold)

    @property
    def judged(self) -> bool:
        """Tell whether a person has said what answers it, or that nothing does (`type` "unanswerable")."""
        return self.answerable or self.type == "unanswerable"


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Documents of one kind with what is known of them; an empty part is not judged."""

    name: str
    library: Path | None = None
    questions: tuple[Path, ...] = ()
    structure: Path | None = None
    pdfs: Path | None = None


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
                raise BadInput(f"{path}, line {number}: the id {question.id} stands twice.")
            seen.add(question.id)
            questions.append(question)
    if not questions:
        raise BadInput("There are no judged questions in the given files.")
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
    library: Library, files: Iterable[Path], *, limit: int = 20, progress: Progress | None = None
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
        reading=reading_of(question, answer) if answer else None,
    )


def reading_of(question: Question, answer: Answer) -> Reading:
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
    written = answer.written
    heads = "; ".join(f"{one.value} {one.unit}" for one in filter(None, (answer.headline, *answer.cases)))
    return Reading(
        answer.state,
        words=sum(len(text.split()) for text in texts),
        lead_value=any_found(values, texts[0] if texts else "") if values else None,
        first_words=any_found(values, " ".join(" ".join(texts).split()[:FIRST_WORDS])) if values else None,
        lead_page=any((one.document, one.page) in pages for one in leading) if pages else None,
        headline=any_found(values, heads) if heads and values else None,
        written=written.statements if written else 0,
        confirmed=written.confirmed if written else 0,
    )


def ranked_stages(evidence: Evidence) -> dict[str, Sequence[Place]]:
    """Return the ranked places of each stage that was kept; the last one is what is shown."""
    kept: dict[str, Sequence[Place]] = {str(stage): places for stage, places in evidence.stages.items()}
    return {**{stage: kept[stage] for stage in STAGES if stage in kept}, SHOWN: evidence.shown}


def said(answer: Answer | None) -> str:
    """Return the text of the answer with its quotes; "" where there is none."""
    if not isinstance(answer, Grounded):
        return ""
    statements = [statement.text for statement in answer.statements]
    return "\n".join([*statements, *(citation.quote for citation in answer.citations)])
