"""What a teacher says is asked once, kept, and learned from; torch only where a head is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance.core.errors import BadInput
from appliance.core.settings import ModelSettings
from appliance.models.late_interaction import max_sim, pack, unit
from appliance.models.protocols import Floats
from appliance.training.batches import Rows
from appliance.training.examples import Example
from appliance.training.heads import HeadRecipe, listed, train_head
from appliance.training.teacher import BESIDE, SHARP, Lessons, Teacher, exported, lessons, open_teacher

TEXTS = {"r": "right", "w": "wrong", "x": "wronger", "long": "very wrong indeed"}
ONE = Example("q", (("r",),), (("w", "long"), ("x",)), "asked", "A", "CC0")


class Asked:
    """A teacher's logits: the length of a text, with a note of what was read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, question: str, texts: Sequence[str]) -> Floats:
        assert question.startswith("q")
        self.read += texts
        return np.array([len(text) for text in texts], dtype=np.float32)


def base(_: str, parts: Sequence[str]) -> list[float]:
    """Like the last part of a place best."""
    return [float(number) for number in range(len(parts))]


def teach(asked: Asked, folder: Path, *examples: Example, beside: float = 0.5) -> Lessons:
    teacher = Teacher("t", "digest", asked, beside, 2.0)
    return lessons(
        teacher, examples, TEXTS, base=base, listed=listed, folder=folder, progress=lambda _done, _total: None
    )


def test_a_place_is_read_by_its_best_part_beside_the_base(tmp_path: Path) -> None:
    asked = Asked()
    found = teach(asked, tmp_path, ONE).scores
    assert asked.read == ["right", "very wrong indeed", "wronger"], "the part that the base likes"
    assert found == {
        ("q", ("r",)): 2 * (0 + 0.5 * 5),
        ("q", ("w", "long")): 2 * (1 + 0.5 * 17),
        ("q", ("x",)): 2 * (0 + 0.5 * 7),
    }
    alone = teach(asked, tmp_path, ONE, beside=0.0).scores
    assert alone["q", ("w", "long")] == 2 * 17


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    first = teach(Asked(), tmp_path, ONE).scores
    again = Asked()
    more = replace(ONE, wrong=(*ONE.wrong, ("w",)), source="row")
    found = teach(again, tmp_path, ONE, more).scores
    assert again.read == ["wrong"], "the new place alone"
    assert first.items() <= found.items()
    (file,) = tmp_path.glob("*.jsonl")
    file.write_bytes(file.read_bytes()[:-4])  # stopped while the second line was written
    again = Asked()
    assert teach(again, tmp_path, ONE, more).scores == found
    assert again.read == ["wrong"]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "digest.jsonl").write_text('{"question": 1}\n')
    with pytest.raises(BadInput, match=r"line 1.*Remove the file"):
        teach(Asked(), tmp_path, ONE)


def test_the_encoder_that_ships_can_teach_by_its_tokens() -> None:
    teacher = open_teacher("minilm-l6-int8", ModelSettings(), 1)
    assert (teacher.beside, teacher.sharpness) == (BESIDE, SHARP)
    asked = "how high is a step of a stair"
    near, far = teacher.logits(asked, ["A step of a stair is 220 mm high at most.", "Drains fall 1 in 40."])
    assert near > far
    assert teacher.digest == open_teacher("minilm-l6-int8", ModelSettings(), 1).digest


@pytest.mark.parametrize(
    ("named", "says"), [("nosuch", "no model nosuch"), ("late-interaction-codes", "no reader of pairs")]
)
def test_what_cannot_teach_is_refused(named: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        open_teacher(named, ModelSettings(), 1)


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"entry": {"role": "king"}}'])
def test_a_folder_that_no_export_wrote_is_refused(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "export.json").write_bytes(content)
    with pytest.raises(BadInput, match="no exported model"):
        exported(tmp_path)


def many(count: int) -> tuple[list[Example], Rows]:
    """Questions whose first word is met by the right place and whose second by the wrong one."""
    dice = np.random.default_rng(5)
    first, second = (unit(dice.normal(size=(1, 16)).astype(np.float32)) for _ in range(2))
    questions, passages, examples = {}, {}, []
    for number in range(count):
        questions[f"q{number}"] = np.concatenate([first, second])
        passages[f"r{number}"], passages[f"w{number}"] = pack(first), pack(second)
        examples.append(Example(f"q{number}", ((f"r{number}",),), ((f"w{number}",),), "asked", "A", "CC0"))
    return examples, Rows(passages, questions)


def test_a_head_follows_its_teacher_by_the_share_that_the_recipe_says() -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    examples, rows = many(32)
    against: dict[tuple[str, tuple[str, ...]], float] = {}
    for one in examples:  # a teacher that likes the wrong place
        against |= {(one.question, one.right[0]): 0.0, (one.question, one.wrong[0]): 4.0}
    recipe = HeadRecipe(turns=6, batch=8, learning_rate=3e-2, warmup=2)

    def gap(share: float, found: Lessons | None) -> float:
        """Return how far the right place stands above the wrong one, before scale and shift."""
        head = train_head(
            examples, rows, "one:1", replace(recipe, distil=share), lambda _: None, lessons=found
        )
        packed = [rows.passages["r0"], rows.passages["w0"]]
        right, wrong = max_sim(rows.questions["q0"], packed, head) / head.scale
        return float(right - wrong)

    alone = gap(0.0, None)
    assert gap(0.0, Lessons(against)) == alone, "a share of nothing changes nothing"
    assert alone > 0.1
    assert gap(1.0, Lessons(against)) < 0
    assert gap(1.0, Lessons(against)) < gap(0.5, Lessons(against)) < alone


def test_the_divergence_is_least_where_head_and_teacher_agree() -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    from appliance.training.heads import _Model

    examples, rows = many(1)
    model: Any = _Model(torch, rows, HeadRecipe(distil=1.0), "cpu", Lessons({}))
    scores = torch.tensor([2.0, 1.0, -1.0])
    assert model._divergence(scores, [5.0, 4.0, 2.0]).item() == pytest.approx(0.0, abs=1e-6)
    assert model._divergence(scores, [4.0, 5.0, 2.0]).item() > 0.1
    assert listed(examples[0]) == [("r0",), ("w0",)]


def test_a_reader_of_pairs_has_no_teacher(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from appliance.cli import main

    (tmp_path / "data").mkdir()
    words = ["train", "reranker", tmp_path / "data", "--how", "pairs", "--teacher", "x", "--into", tmp_path]
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 2
    assert "--teacher is for a head" in result.output
