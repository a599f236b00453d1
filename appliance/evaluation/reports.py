"""Reports as tables to read and as JSON files; two of them side by side, and the gate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from typing import Any

import msgspec
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table as Grid

from appliance.core.decoding import convert
from appliance.core.errors import BadInput, QualityFell
from appliance.core.files import write_whole
from appliance.evaluation.questions import (
    SHOWN,
    AnswerFigures,
    Figures,
    QuestionReport,
    QuestionResult,
    answer_figures,
    figures,
    groups,
    percentile,
)
from appliance.evaluation.structure import StructureScores, structure_totals

CUTOFF = 10
TOLERANCE = 0.01  # how far complete@10 may fall, as a share of the questions
_ROUNDING = 1e-9  # shares are sums of fractions; equal ones may differ in the last digit


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose places are all shown in only one of two evaluations; None: never all shown."""

    id: str
    question: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one evaluation to another over the questions that both asked."""

    before: Figures | None
    after: Figures | None
    better: tuple[Change, ...]
    worse: tuple[Change, ...]
    compared: int
    chance: float

    @property
    def fall(self) -> float:
        """Return by how much complete@10 fell; negative where it rose."""
        if self.before is None or self.after is None:
            return 0.0
        return self.before.complete_10 - self.after.complete_10


def compare(before: QuestionReport, after: QuestionReport) -> Comparison:
    """Return which answerable questions became complete at 10, and which no longer are."""
    earlier = {result.id: result for result in before.questions if result.answerable}
    pairs = [(earlier[new.id], new) for new in after.questions if new.answerable and new.id in earlier]

    def turned(first: QuestionResult, second: QuestionResult) -> bool:
        return second.complete_at(CUTOFF) and not first.complete_at(CUTOFF)

    def changes(chosen: Iterable[tuple[QuestionResult, QuestionResult]]) -> tuple[Change, ...]:
        return tuple(
            Change(new.id, new.question, complete_rank(old), complete_rank(new)) for old, new in chosen
        )

    better = changes((old, new) for old, new in pairs if turned(old, new))
    worse = changes((old, new) for old, new in pairs if turned(new, old))
    return Comparison(
        before=figures([old for old, _ in pairs]),
        after=figures([new for _, new in pairs]),
        better=better,
        worse=worse,
        compared=len(pairs),
        chance=sign_test(len(better), len(worse)),
    )


def gate(before: QuestionReport, after: QuestionReport, tolerance: float = TOLERANCE) -> Comparison:
    """Return the comparison where the newer evaluation is good enough.

    Raises:
        QualityFell: complete@10 fell by more than the tolerance, or no question stands in both.
    """
    comparison = compare(before, after)
    if not comparison.compared:
        raise QualityFell("The baseline and this evaluation have no answerable question in common.")
    if comparison.fall > tolerance + _ROUNDING:
        lost = ", ".join(change.id for change in comparison.worse)
        raise QualityFell(
            f"complete@10 fell by {comparison.fall:.3f}, more than the {tolerance:.3f} allowed. "
            f"No longer complete: {lost}."
        )
    return comparison


def sign_test(better: int, worse: int) -> float:
    """Return the chance of a split at least this uneven if both evaluations were equally good."""
    changed = better + worse
    tail = sum(comb(changed, k) for k in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / (1 << changed))


def complete_rank(result: QuestionResult) -> int | None:
    """Return the rank at which the last wanted place is shown; None where one is not shown."""
    ranks: Sequence[int | None] = [gold.ranks.get(SHOWN) for gold in result.gold]
    known = [rank for rank in ranks if rank is not None]
    return max(known) if known and len(known) == len(ranks) else None


_FIGURES = {
    "c@5": "complete_5",
    "c@10": "complete_10",
    "c@20": "complete_20",
    "any@5": "any_5",
    "MRR": "mrr",
    "page@10": "page_10",
}  # heads of columns with the figures of the places under them; c: complete
_READING = {
    "value": "value",
    "refused": "refused",
    "lead": "lead_value",
    "first60": "first60",
    "page": "lead_page",
    "right": "headline_right",
    "wrong": "headline_wrong",
    "sure": "found_precision",
    "found": "found_share",
}  # the same of the answers
_LONG = 500
_PLACES_LISTED = 10


def share(value: float | None) -> str:
    """Return a share as printed."""
    return "–" if value is None else f"{value:.3f}"


def _shares(values: Figures | AnswerFigures | None, names: Mapping[str, str]) -> list[str]:
    """Return the shares of a row, dashes where nothing was asked."""
    return [share(getattr(values, name, None)) for name in names.values()]


def grid(first: str, *numbers: str, title: str = "") -> Grid:
    """Return an empty table of a name and numbers."""
    made = Grid(box=None, pad_edge=False, title=title or None, title_justify="left")
    made.add_column(first)
    for name in numbers:
        made.add_column(name, justify="right", no_wrap=True)
    return made


def question_tables(report: QuestionReport) -> Iterator[RenderableType]:
    """Yield the tables of an evaluation of questions: by stage, then what is shown, by group."""
    stages = grid("stage", *_FIGURES)
    for stage in report.stages:
        name = "shown, with closure" if stage == SHOWN else stage
        stages.add_row(name, *_shares(figures(report.questions, stage), _FIGURES))
    yield stages
    yield _answer_lines(report)
    before = [stage for stage in report.stages if stage != SHOWN]  # of which complete@10 is told
    for name, members in groups(report.questions).items():
        table = grid(name, "n", *(stage[:6] for stage in before), *_FIGURES, *_READING)
        for group, results in members.items():
            staged = [figures(results, stage) for stage in before]
            table.add_row(
                escape(group or "–"),
                str(len(results)),
                *(share(values.complete_10 if values else None) for values in staged),
                *_shares(figures(results), _FIGURES),
                *_shares(answer_figures(results), _READING),
            )
        yield table


def missed_places(results: Iterable[QuestionResult]) -> Iterator[RenderableType]:
    """Yield, for each question that is not complete at 10, what was wanted and what was shown."""
    for result in results:
        if not result.answerable or result.complete_at(CUTOFF):
            continue
        yield f"[bold]{escape(result.id)}[/] [dim]{result.type}, {result.style}, {result.outcome}[/]"
        yield f"  [italic]{escape(result.question)}[/]"
        for gold in result.gold:
            ranks = "  ".join(f"{stage} {rank or '–'}" for stage, rank in gold.ranks.items())
            page = "" if gold.page_ranks.get(SHOWN) is None else f", its page at {gold.page_ranks[SHOWN]}"
            place = f"{gold.document} {gold.label} ({gold.kind}, p. {gold.page})"
            yield f"  wanted {escape(place)}  [dim]{ranks}{page}[/]"
        for rank, shown in enumerate(result.shown[:_PLACES_LISTED], 1):
            mark = "[green]●[/]" if shown.covers else " "
            yield f"  {mark} {rank:2d} {escape(shown.name)} [dim]{', '.join(shown.found_by)}[/]"
        yield f"  [red]{escape(result.message)}[/]\n" if result.message else ""


def comparison_table(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield the figures of two evaluations and the questions that changed."""
    table = grid("", *_FIGURES)
    for name, values in (("before", comparison.before), ("after", comparison.after)):
        table.add_row(name, *_shares(values, _FIGURES))
    yield table
    yield (
        f"{len(comparison.better)} better, {len(comparison.worse)} worse of {comparison.compared} questions; "
        f"chance of so uneven a split: {comparison.chance:.3f}"
    )
    for word, changes in (("better", comparison.better), ("worse", comparison.worse)):
        for change in changes:
            ranks = f"{change.before or '–'} → {change.after or '–'}"
            yield f"{word}  {escape(change.id)}  {ranks}  [dim]{escape(change.question)}[/]"


def structure_tables(documents: Sequence[StructureScores]) -> Iterator[RenderableType]:
    """Yield one table a kind of item: documents down, counts and shares across."""
    everything = (*documents, structure_totals(documents))
    for kind in everything[-1].scores:
        table = grid(kind, "expected", "found", "returned", "precision", "recall", "F1")
        for one in everything:
            score = one.scores.get(kind)
            if score and score.expected + score.returned:
                counts = map(str, (score.expected, score.found, score.returned))
                table.add_row(one.document, *counts, *map(share, (score.precision, score.recall, score.f1)))
        if table.row_count:
            yield table


def structure_errors(documents: Iterable[StructureScores]) -> Iterator[RenderableType]:
    """Yield the missed and the wrong items of each document by name."""
    for one in documents:
        for kind, score in one.scores.items():
            for word, names in (("missed", score.missed), ("wrong", score.wrong)):
                if names:
                    yield f"[bold]{one.document} {kind}, {word} ({len(names)})[/]"
                    yield from (f"    {escape(name)}" for name in names)


def _answer_lines(report: QuestionReport) -> str:
    times = [result.milliseconds for result in report.questions if result.milliseconds]
    long = sum(result.longest_tokens > _LONG for result in report.questions)
    answerable = sum(result.answerable for result in report.questions)
    answers = answer_figures(report.questions)
    written = f"; of {answers.written} statements of the model confirmed {answers.confirmed}"
    return (
        f"{len(report.questions)} questions, {answerable} answerable, {report.not_judged} not judged yet; "
        f"search p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms; "
        f"a place of over about {_LONG} tokens shown for {long}\n"
        f"value {share(answers.value)} of {answers.values_asked}; "
        f"not found: precision {share(answers.not_found_precision)}, "
        f"recall {share(answers.not_found_recall)} of {answers.unanswerable}; "
        f"answerable but refused {share(answers.refused)}; failed {answers.failed}\n"
        f"a value in the first statement {share(answers.lead_value)}, in 60 words {share(answers.first60)}, "
        f"a wanted page first {share(answers.lead_page)}; words in all {answers.answer_words or 0:.0f}; "
        f"headline right {share(answers.headline_right)}, wrong {share(answers.headline_wrong)}; "
        f"found: precision {share(answers.found_precision)}, share {share(answers.found_share)}"
        f"{written if answers.written else ''}"
    )


SCHEMA = 1


def questions_json(report: QuestionReport) -> dict[str, Any]:
    """Return the report with its figures: overall by stage, then by each group, then each question."""
    times = [result.milliseconds for result in report.questions if result.milliseconds]

    def staged(results: Sequence[QuestionResult]) -> dict[str, Any]:
        found = {stage: figures(results, stage) for stage in report.stages}
        return {stage: asdict(values) if values else None for stage, values in found.items()}

    def group(members: Sequence[QuestionResult]) -> dict[str, Any]:
        answers = asdict(answer_figures(members))
        return {"questions": len(members), "stages": staged(members), "answers": answers}

    return {
        "schema": SCHEMA,
        "figures": staged(report.questions),
        "answers": asdict(answer_figures(report.questions)),
        "groups": {
            by: {name: group(members) for name, members in named.items()}
            for by, named in groups(report.questions).items()
        },
        "search_ms": {"p50": percentile(times, 0.5), "p95": percentile(times, 0.95)},
        "report": msgspec.to_builtins(report),
    }


def structure_json(documents: Sequence[StructureScores]) -> dict[str, Any]:
    """Return the scores of every document and of all together, with the errors by name."""
    everything = (*documents, structure_totals(documents))
    return {
        "schema": SCHEMA,
        "documents": {
            one.document: {
                kind: {"precision": s.precision, "recall": s.recall, "f1": s.f1, **asdict(s)}
                for kind, s in one.scores.items()
            }
            for one in everything
        },
    }


def save(path: Path, content: dict[str, Any]) -> None:
    """Write a report as JSON, whole or not at all."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")


def load_questions_report(path: Path) -> QuestionReport:
    """Return a report of questions that was saved.

    Raises:
        BadInput: the file is missing or is not such a report of this version.
    """
    try:
        content = msgspec.json.decode(path.read_bytes())
        if content["schema"] != SCHEMA:
            raise BadInput(f"{path} is a report of version {content['schema']}; this program reads {SCHEMA}.")
        return convert(content["report"], QuestionReport)
    except FileNotFoundError:
        message = f"There is no report {path}. Make one with: appliance eval questions ... --output {path}"
        raise BadInput(message) from None
    except (OSError, msgspec.MsgspecError, KeyError, TypeError) as error:
        raise BadInput(f"{path} is not a report of judged questions: {error}.") from None
