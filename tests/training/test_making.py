"""Making examples out of a library, without torch: the demonstration codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.errors import BadInput
from appliance.settings import Settings
from appliance.store.read import open_library
from appliance.training.asked import read_asked
from appliance.training.card import sources
from appliance.training.examples import read
from appliance.training.making import Plan, _within, from_library

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
    assert held_out not in data.named(), "nor is it searched for wrong places"
    assert set(data.documents) == set(data.passages)
    with pytest.raises(BadInput, match="Name another folder"):
        from_library(
            replace(plan, held_out=(data.named()[0],)),
            demo_library,
            Settings(),
            [some],
            structure=False,
            progress=ignore,
        )
    assert {"title", "caption", "reference", "row"} <= set(data.counts())
    assert {one["licence"] for one in sources(data)} == {"AGPL-3.0-or-later"}
    for one in data.examples:
        assert one.right
        assert not set(one.right) & set(one.wrong)


def test_a_document_that_the_library_lacks_cannot_be_held_out(demo_library: Path, tmp_path: Path) -> None:
    plan = Plan(tmp_path, ("NOSUCH",), "AGPL-3.0-or-later")
    with pytest.raises(BadInput, match="no document NOSUCH to hold out; there are DC-"):
        from_library(plan, demo_library, Settings(), [], structure=True, progress=ignore)


def test_a_question_that_a_held_out_document_answers_too_is_left_out(
    demo_library: Path, tmp_path: Path
) -> None:
    with open_library(demo_library) as store:
        one, other = [info.id for info in store.documents()][:2]
    line = {"question": "how wide is a stair", "document": one, "places": [["1.1", 1]]}
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    (asked,) = read_asked([path])
    across = replace(asked, gold=(*asked.gold, replace(asked.gold[0], document=other)))
    assert _within(asked, [one])
    assert not _within(across, [one])
    assert _within(across, [one, other])


def test_without_a_licence_nothing_is_made(demo_library: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--licence"):
        from_library(Plan(tmp_path), demo_library, Settings(), [], structure=True, progress=ignore)


@pytest.mark.parametrize("line", ["{", "{}", '{"question": "x", "document": "A", "places": [1]}', "[]"])
def test_a_broken_question_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(BadInput, match="line 1"):
        list(read_asked([tmp_path / "q.jsonl"]))
