"""Judged questions: one a line, where a line is what JSON lines mean by it."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from appliance.core.files import data_folder
from appliance.evaluation.questions import load_questions

JUDGED = data_folder() / "judged"
QUESTIONS = sorted(JUDGED.rglob("*.jsonl"))
STRUCTURE = sorted(JUDGED.rglob("*.structure.json"))
KINDS = {"clause", "table", "figure", "heading", "annex", "definition", "page"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_line_ends_at_a_line_feed_alone(end: str, tmp_path: Path) -> None:
    asked = ["snow\u2028load", "wind\u0085load", "rain"]
    lines = [
        json.dumps({"id": str(number), "question": text, "gold": []}, ensure_ascii=False)
        for number, text in enumerate(asked)
    ]
    (tmp_path / "q.jsonl").write_text(end.join(lines) + end, encoding="utf-8", newline="")
    assert [question.question for question in load_questions([tmp_path / "q.jsonl"])] == asked


def test_the_judged_questions_are_whole() -> None:
    questions = load_questions(QUESTIONS)  # an id that stands twice is refused there
    assert questions
    for question in questions:
        assert question.judged, question.id
        assert question.answerable == (question.type != "unanswerable"), question.id
        assert question.values or question.type != "value", question.id
        assert {place.document for place in question.gold} <= set(question.documents), question.id
        for place in question.gold:
            assert place.label, question.id
            assert place.kind in KINDS, question.id
            assert place.page >= 1, question.id


@pytest.mark.parametrize("path", STRUCTURE, ids=lambda path: path.name)
def test_the_judged_structure_is_whole(path: Path) -> None:
    judged = json.loads(path.read_text(encoding="utf-8"))
    assert path.name == f"{judged['document']}.structure.json"
    truth = defaultdict(list, judged)  # some judge one kind alone
    assert any(judged.get(kind) for kind in ("tables", "figures", "clauses", "definitions", "references"))
    tables = {table["label"] for table in truth["tables"]}
    for kind in ("tables", "figures", "clauses", "definitions", "references"):
        assert all(row["page"] >= 1 for row in truth[kind]), kind
    assert {clause["page"] for clause in truth["clauses"]} <= set(truth["clauses_pages"])
    assert {row["page"] for row in truth["references"]} <= set(truth["references_pages"])
    for cell in truth["cells"]:
        assert cell["table"] in tables or "(uncaptioned)" in cell["table"], cell
        assert all(cell[key] for key in ("row", "column", "value")), cell
