"""Judged questions: one a line, where a line is what JSON lines mean by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from appliance.evaluation.questions import load_questions


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_line_ends_at_a_line_feed_alone(end: str, tmp_path: Path) -> None:
    asked = ["snow\u2028load", "wind\u0085load", "rain"]
    lines = [
        json.dumps({"id": str(number), "question": text, "gold": []}, ensure_ascii=False)
        for number, text in enumerate(asked)
    ]
    (tmp_path / "q.jsonl").write_text(end.join(lines) + end, encoding="utf-8", newline="")
    assert [question.question for question in load_questions([tmp_path / "q.jsonl"])] == asked
