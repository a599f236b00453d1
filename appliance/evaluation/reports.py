"""Reports as tables to read, and as JSON files to compare later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table as Grid

from appliance.core.errors import BadInput
from appliance.core.files import write_whole
from appliance.evaluation.compare import CUTOFF, Comparison
from appliance.evaluation.metrics import (
    SHOWN,
    Figures,
    GoldResult,
    QuestionResult,
    answer_figures,
    figures,
    groups,
    percentile,
)
from appliance.evaluation.places import Score
from appliance.evaluation.questions import QuestionReport
from appliance.evaluation.structure import StructureScores, structure_totals

_FIGURES = ("c@5", "c@10", "c@20", "any@5", "MRR", "page@10")  # c: complete
_LONG = 500
_PLACES_LISTED = 10


def share(value: float | None) -> str:
    """Return a share as printed."""
    return "–" if value is None else f"{value:.3f}"


def question_tables(report: QuestionReport) -> Iterator[RenderableType]:
    """Yield the tables of an evaluation of questions."""
    yield _stage_table(report)
    yield _answer_line(report)
    for name, members in groups(report.questions).items():
        yield _group_table(name, members, report.stages)


def missed_places(results: Iterable[QuestionResult]) -> Iterator[RenderableType]:
    """Yield, for each question that is not complete at 10, what was wanted and what was shown."""
    for result in results:
        if result.answerable and not result.complete_at(CUTOFF):
            yield _missed(result)


def comparison_table(comparison: Comparison) -> Iterator[RenderableType]:
    """Yield the figures of two evaluations and the questions that changed."""
    grid = _grid("", *_FIGURES)
    for name, values in (("before", comparison.before), ("after", comparison.after)):
        grid.add_row(name, *_figure_cells(values))
    yield grid
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
        grid = _grid(kind, "expected", "found", "returned", "precision", "recall", "F1")
        for one in everything:
            if kind in one.scores and one.scores[kind].expected + one.scores[kind].returned:
                grid.add_row(one.document, *_score_cells(one.scores[kind]))
        if grid.row_count:
            yield grid


def structure_errors(documents: Iterable[StructureScores]) -> Iterator[RenderableType]:
    """Yield the missed and the wrong items of each document by name."""
    for one in documents:
        for kind, score in one.scores.items():
            for word, names in (("missed", score.missed), ("wrong", score.wrong)):
                if names:
                    yield f"[bold]{one.document} {kind}, {word} ({len(names)})[/]"
                    yield from (f"    {escape(name)}" for name in names)


def _grid(first: str, *numbers: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, title_justify="left")
    grid.add_column(first)
    for name in numbers:
        grid.add_column(name, justify="right", no_wrap=True)
    return grid


def _figure_cells(values: Figures | None) -> list[str]:
    if values is None:
        return ["–"] * len(_FIGURES)
    cells = (values.complete_5, values.complete_10, values.complete_20, values.any_5, values.mrr)
    return [share(value) for value in (*cells, values.page_10)]


def _score_cells(score: Score) -> list[str]:
    counts = [str(score.expected), str(score.found), str(score.returned)]
    return [*counts, share(score.precision), share(score.recall), share(score.f1)]


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
}  # heads of the columns with the figures of the answers under them


def _stage_table(report: QuestionReport) -> Grid:
    grid = _grid("stage", *_FIGURES)
    for stage in report.stages:
        name = "shown, with closure" if stage == SHOWN else stage
        grid.add_row(name, *_figure_cells(figures(report.questions, stage)))
    return grid


def _answer_line(report: QuestionReport) -> str:
    times = [result.milliseconds for result in report.questions if result.milliseconds]
    long = sum(result.longest_tokens > _LONG for result in report.questions)
    answerable = sum(result.answerable for result in report.questions)
    searched = (
        f"{len(report.questions)} questions, {answerable} answerable, {report.not_judged} not judged yet; "
        f"search p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms; "
        f"a place of over about {_LONG} tokens shown for {long}"
    )
    answers = answer_figures(report.questions)
    return (
        f"{searched}\nvalue {share(answers.value)} of {answers.values_asked}; "
        f"not found: precision {share(answers.not_found_precision)}, "
        f"recall {share(answers.not_found_recall)} of {answers.unanswerable}; "
        f"answerable but refused {share(answers.refused)}; failed {answers.failed}\n"
        f"a value in the first statement {share(answers.lead_value)}, in 60 words {share(answers.first60)}, "
        f"a wanted page first {share(answers.lead_page)}; words in all {answers.answer_words or 0:.0f}; "
        f"headline right {share(answers.headline_right)}, wrong {share(answers.headline_wrong)}; "
        f"found: precision {share(answers.found_precision)}, share {share(answers.found_share)}"
        + (
            f"; of {answers.written} statements of the model confirmed {answers.confirmed}"
            if answers.written
            else ""
        )
    )


def _group_table(name: str, members: dict[str, list[QuestionResult]], stages: Sequence[str]) -> Grid:
    """Return the figures of what is shown by group, with complete@10 of each stage before it."""
    before = [stage for stage in stages if stage != SHOWN]
    grid = _grid(name, "n", *(stage[:6] for stage in before), *_FIGURES, *_READING)
    for group, results in members.items():
        answers = answer_figures(results)
        staged = [figures(results, stage) for stage in before]
        grid.add_row(
            escape(group or "–"),
            str(len(results)),
            *(share(values.complete_10 if values else None) for values in staged),
            *_figure_cells(figures(results)),
            *(share(getattr(answers, name)) for name in _READING.values()),
        )
    return grid


def _missed(result: QuestionResult) -> RenderableType:
    head = f"[bold]{escape(result.id)}[/] [dim]{result.type}, {result.style}, {result.outcome}[/]"
    lines = [head, f"  [italic]{escape(result.question)}[/]"]
    lines += [_wanted(gold) for gold in result.gold]
    for rank, place in enumerate(result.shown[:_PLACES_LISTED], 1):
        mark = "[green]●[/]" if place.covers else " "
        found_by = ", ".join(place.found_by)
        lines.append(f"  {mark} {rank:2d} {escape(place.name)} [dim]{found_by}[/]")
    if result.message:
        lines.append(f"  [red]{escape(result.message)}[/]")
    return "\n".join(lines) + "\n"


def _wanted(gold: GoldResult) -> str:
    ranks = "  ".join(f"{stage} {rank or '–'}" for stage, rank in gold.ranks.items())
    page = "" if gold.page_ranks.get(SHOWN) is None else f", its page at {gold.page_ranks[SHOWN]}"
    place = f"{gold.document} {gold.label} ({gold.kind}, p. {gold.page})"
    return f"  wanted {escape(place)}  [dim]{ranks}{page}[/]"


SCHEMA = 1


def questions_json(report: QuestionReport) -> dict[str, Any]:
    """Return the report with its figures: overall by stage, then by each group, then each question."""
    times = [result.milliseconds for result in report.questions if result.milliseconds]
    return {
        "schema": SCHEMA,
        "figures": {stage: _figures(report.questions, stage) for stage in report.stages},
        "answers": asdict(answer_figures(report.questions)),
        "groups": {
            group: {name: _group(members, report.stages) for name, members in named.items()}
            for group, named in groups(report.questions).items()
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
            message = f"{path} is a report of version {content['schema']}; this program reads {SCHEMA}."
            raise BadInput(message)
        return msgspec.convert(content["report"], QuestionReport)
    except FileNotFoundError:
        message = f"There is no report {path}. Make one with: appliance eval questions ... --output {path}"
        raise BadInput(message) from None
    except (OSError, msgspec.MsgspecError, KeyError, TypeError) as error:
        message = f"{path} is not a report of judged questions: {error}."
        raise BadInput(message) from None


def _figures(results: Sequence[QuestionResult], stage: str) -> dict[str, Any] | None:
    found = figures(results, stage)
    return asdict(found) if found else None


def _group(members: Sequence[QuestionResult], stages: Sequence[str]) -> dict[str, Any]:
    by_stage = {stage: _figures(members, stage) for stage in stages}
    return {"questions": len(members), "stages": by_stage, "answers": asdict(answer_figures(members))}
