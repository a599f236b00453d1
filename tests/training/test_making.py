"""Making examples out of a library, without torch: the demonstration codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import BadInput
from appliance.settings import Settings
from appliance.training.asked import read_asked
from appliance.training.card import sources
from appliance.training.examples import read
from appliance.training.making import Plan, from_library

QUESTIONS = 12


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asked") / "questions.jsonl"
    judged = Path(__file__).parents[2] / "data" / "demo" / "questions.jsonl"
    path.write_text("\n".join(judged.read_text(encoding="utf-8").splitlines()[:QUESTIONS]), encoding="utf-8")
    return path


def ignore(done: int, total: int) -> None:
    assert done <= total


def test_questions_and_structure_become_examples_and_held_out_ones_do_not(
    demo_library: Path, some: Path, tmp_path: Path
) -> None:
    asked = list(read_asked([some]))
    held_out = asked[0].gold[0].document
    plan = Plan(tmp_path, (held_out,), "AGPL-3.0-or-later", most=5)
    from_library(plan, demo_library, Settings(), [some], structure=True, progress=ignore)
    data = read(tmp_path)
    assert held_out not in {one.document for one in data.examples}
    assert {"title", "caption", "reference", "row"} <= set(data.counts())
    assert {one["licence"] for one in sources(data)} == {"AGPL-3.0-or-later"}
    for one in data.examples:
        assert one.right
        assert not set(one.right) & set(one.wrong)


def test_without_a_licence_nothing_is_made(demo_library: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--licence"):
        from_library(Plan(tmp_path), demo_library, Settings(), [], structure=True, progress=ignore)


@pytest.mark.parametrize("line", ["{", "{}", '{"question": "x", "document": "A", "places": [1]}', "[]"])
def test_a_broken_question_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(BadInput, match="line 1"):
        list(read_asked([tmp_path / "q.jsonl"]))
