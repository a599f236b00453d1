"""A head learns what examples teach, the same each time; skipped where torch is not installed."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from appliance.core.errors import BadInput
from appliance.models.late_interaction import max_sim, pack, unit
from appliance.models.protocols import Floats, Int8s
from appliance.training.examples import Example
from appliance.training.heads import HeadRecipe, Rows, _Model, filled, levelled, train_head
from appliance.training.running import ranks_of, worth
from appliance.training.torch_training import Learned

WIDTH = 16
DICE = np.random.default_rng(3)
NOISE, SIGNAL = (unit(DICE.normal(size=(1, WIDTH)).astype(np.float32)) for _ in range(2))


def near(row: Floats, count: int = 1) -> Floats:
    return unit(row + 0.35 * DICE.normal(size=(count, WIDTH)).astype(np.float32) / WIDTH**0.5)


def made(count: int) -> tuple[list[Example], Rows]:
    """Questions with a word that misleads and one that decides; plain MaxSim cannot tell which."""
    passages: dict[str, Int8s] = {"empty": pack(np.zeros((0, WIDTH), dtype=np.float32))}
    questions: dict[str, Floats] = {}
    examples = []
    for number in range(count):
        questions[f"q{number}"] = np.concatenate([near(NOISE), near(SIGNAL)])
        passages[f"r{number}"] = pack(np.concatenate([near(SIGNAL), near(-NOISE)]))
        passages[f"w{number}"] = pack(np.concatenate([near(NOISE), near(-SIGNAL)]))
        wrong = ((f"w{number}",), ("empty",))
        examples.append(Example(f"q{number}", ((f"r{number}", "empty"),), wrong, "asked", "A", "CC0"))
    return examples, Rows(passages, questions)


def test_parts_without_rows_are_left_out() -> None:
    examples, rows = made(1)
    assert filled(examples[0], rows).wrong == (("w0",),)
    assert filled(examples[0], rows).right == (("r0",),)
    rows.questions["q0"] = np.zeros((0, WIDTH), dtype=np.float32)
    assert filled(examples[0], rows).right == ()


def test_the_worth_counts_ranks_of_places_by_their_best_part() -> None:
    one = np.eye(4, dtype=np.float32)
    packed = {f"p{n}": pack(unit(row[None, :])) for n, row in enumerate((one[0], one[0] + one[1], -one[0]))}
    rows = Rows(packed, {"q": one[:1]})
    best = Example("q", (("p2", "p0"),), (("p1",), ("p2",)), "asked", "A", "CC0")
    assert ranks_of(best, rows, None) == [1]
    last = replace(best, right=(("p2",), ("p1",)), wrong=(("p0",),))
    assert ranks_of(last, rows, None)[1] == 3
    assert worth([best], rows, None).complete_5 == 1.0
    assert worth([], rows, None).questions == 0


def test_a_head_learns_which_word_decides_and_keeps_the_scale() -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    examples, rows = made(60)
    known, unseen = examples[:40], examples[40:]
    recipe = HeadRecipe(turns=8, batch=8, learning_rate=3e-2, warmup=2)
    points: list[Learned] = []
    head = train_head(known, rows, "one:1", recipe, points.append)
    assert worth(unseen, rows, head).mrr > worth(unseen, rows, None).mrr
    assert worth(unseen, rows, head).mrr > 0.95
    assert points[-1].loss < points[0].loss
    assert points[-1].step == points[-1].steps
    plain, learned = (
        [max_sim(rows.questions[e.question], [rows.passages[e.right[0][0]]], h)[0] for e in known]
        for h in (None, head)
    )
    assert abs(float(np.mean(plain)) - float(np.mean(learned))) < 0.5
    again = train_head(known, rows, "one:1", recipe, lambda _: None)
    assert np.array_equal(again.turn, head.turn)


@pytest.mark.parametrize("case", ["no words asked", "no right words", "no wrong words", "no examples"])
def test_examples_without_words_on_both_sides_are_refused(case: str) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    examples, rows = made(1)
    (one,) = examples
    if case == "no words asked":
        rows.questions["q0"] = np.zeros((0, WIDTH), dtype=np.float32)
    if case == "no right words":
        one = replace(one, right=one.wrong[1:])
    if case == "no wrong words":
        one = replace(one, wrong=one.wrong[1:])
    given = [] if case == "no examples" else [one]
    with pytest.raises(BadInput, match=rf"\(examples given: {len(given)}\)"):
        train_head(given, rows, "one:1", HeadRecipe(), lambda _: None)


def test_nothing_to_level_leaves_the_head_as_it_is() -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    examples, rows = made(4)
    head = train_head(examples, rows, "one:1", HeadRecipe(turns=1), lambda _: None)
    assert levelled(head, [], rows) is head


def test_a_loss_stays_on_the_device_that_is_trained_on() -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    examples, rows = made(1)
    one = replace(filled(examples[0], rows), wrong=(("w0",),))
    model = _Model(torch, rows, HeadRecipe(), "meta")  # joins no other device
    loss = model.loss(one, random.Random(1))
    assert loss.device.type == "meta"
    loss.backward()
    assert model.turn.grad.shape == model.turn.shape
