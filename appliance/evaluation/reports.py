"""Reports kept as JSON files, so that two evaluations can be laid side by side later.

Rules of this module: one value is written and read back whole; the figures are written beside it for
other programs and never read back, since they follow from the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from appliance.errors import BadInput
from appliance.evaluation.metrics import QuestionResult, answer_figures, figures, groups, percentile
from appliance.evaluation.questions import QuestionReport
from appliance.evaluation.structure import StructureScores, structure_totals

SCHEMA = 1


def questions_json(report: QuestionReport) -> dict[str, Any]:
    """Return the report with its figures: overall by stage, then by each group, then each question."""
    times = [result.milliseconds for result in report.questions if result.milliseconds]
    return {
        "schema": SCHEMA,
        "figures": {stage: _figures(report.questions, stage) for stage in report.stages},
        "answers": _maybe(answer_figures(report.questions)),
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
    data = msgspec.json.format(msgspec.json.encode(content), indent=1)
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(data + b"\n")
    beside.replace(path)


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
    return _maybe(figures(results, stage))


def _group(members: Sequence[QuestionResult], stages: Sequence[str]) -> dict[str, Any]:
    by_stage = {stage: _figures(members, stage) for stage in stages}
    return {"questions": len(members), "stages": by_stage, "answers": _maybe(answer_figures(members))}


def _maybe(value: Any) -> dict[str, Any] | None:
    return None if value is None else asdict(value)
