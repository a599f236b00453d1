"""Two evaluations side by side, the gate, and reports that survive a round trip."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from appliance.core.errors import BadInput, QualityFell
from appliance.evaluation.places import Score
from appliance.evaluation.questions import GoldResult, QuestionReport, QuestionResult, ShownPlace
from appliance.evaluation.reports import (
    compare,
    comparison_table,
    complete_rank,
    gate,
    load_questions_report,
    missed_places,
    question_tables,
    questions_json,
    save,
    sign_test,
    structure_errors,
    structure_json,
    structure_tables,
)
from appliance.evaluation.structure import StructureScores


def result(name: str, *ranks: int | None) -> QuestionResult:
    gold = tuple(GoldResult("K", "1.1", "clause", 3, {"closure": r}, {"closure": r}) for r in ranks)
    shown = (ShownPlace("K [1.1] (p. 3)", ("lexical",), ("1.1",)),)
    return QuestionResult(name, f"[{name}]?", "site", "value", ("K",), gold, "answer", shown=shown)


def report(*results: QuestionResult) -> QuestionReport:
    return QuestionReport(20, ("closure",), results)


def printed(parts: Iterable[RenderableType]) -> str:
    console = Console(file=io.StringIO(), width=200, color_system=None)
    for part in parts:
        console.print(part)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_only_questions_of_both_are_compared() -> None:
    before = report(result("a", 1), result("b", 12), result("old", 1), result("none"))
    after = report(result("a", 11), result("b", 3, 9), result("new", 1), result("none"))
    compared = compare(before, after)
    assert [change.id for change in compared.better] == ["b"]
    assert [(c.id, c.before, c.after) for c in compared.worse] == [("a", 1, 11)]
    assert (compared.compared, compared.fall) == (2, 0.0)


@pytest.mark.parametrize(("ranks", "expected"), [((), None), ((3, None), None), ((3, 7), 7), ((None,), None)])
def test_a_question_is_complete_with_its_last_place(
    ranks: tuple[int | None, ...], expected: int | None
) -> None:
    assert complete_rank(result("a", *ranks)) == expected


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (0, 5, 0.0625), (3, 3, 1.0), (1336, 19, 0.0)],
)
def test_the_sign_test_is_exact_and_two_sided(better: int, worse: int, chance: float) -> None:
    assert sign_test(better, worse) == chance


def test_the_gate_lets_a_small_fall_pass_and_names_what_a_large_one_lost() -> None:
    before = report(*(result(f"q{n}", 1) for n in range(100)))
    fell = report(*(result(f"q{n}", 1 if n else None) for n in range(100)))
    assert gate(before, fell, tolerance=0.01).fall == pytest.approx(0.01)
    with pytest.raises(QualityFell, match=r"fell by 0.010, more than the 0.005 allowed. .*: q0\."):
        gate(before, fell, tolerance=0.005)
    assert QualityFell.exit_code not in {0, 1, 2}


def test_a_gate_without_common_questions_does_not_pass() -> None:
    with pytest.raises(QualityFell, match="no answerable question in common"):
        gate(report(result("a", 1)), report(result("b", 1)))


def test_a_report_survives_its_file(tmp_path: Path) -> None:
    whole = report(result("a", 1, None), result("b"))
    path = tmp_path / "r.json"
    save(path, questions_json(whole))
    assert load_questions_report(path) == whole
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["figures"]["closure"]["complete_10"] == 0
    assert content["groups"]["places wanted"]["2"]["questions"] == 1
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("text", ["", "{}", '{"schema": 1}', '{"schema": 1, "report": {"limit": "x"}}', "[]"])
def test_what_is_not_a_report_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="is not a report"):
        load_questions_report(path)


def test_a_report_of_another_version_or_none_is_said(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    with pytest.raises(BadInput, match="There is no report"):
        load_questions_report(path)
    path.write_text('{"schema": 99}', encoding="utf-8")
    with pytest.raises(BadInput, match="version 99"):
        load_questions_report(path)


def test_tables_show_brackets_of_questions_as_they_are() -> None:
    whole = report(result("a", None), result("b", 1), result("c"))
    text = printed([*question_tables(whole), *missed_places(whole.questions)])
    assert "[a]?" in text  # not taken for markup
    assert "K [1.1] (p. 3)" in text
    assert "[b]?" not in text  # complete: nothing to explain
    assert "0.500" in text
    assert "better" in printed(comparison_table(compare(whole, whole)))


def test_structure_tables_leave_out_what_is_not_there() -> None:
    scores = StructureScores(
        "K", {"tables": Score(2, 1, 1, 1, ("Table [1] (p. 1)",)), "cells": Score(0, 0, 0, 0)}
    )
    text = printed([*structure_tables([scores]), *structure_errors([scores])])
    assert "0.667" in text
    assert "Table [1] (p. 1)" in text
    assert "cells" not in text
    assert structure_json([scores])["documents"]["all"]["tables"]["f1"] == pytest.approx(2 / 3)
