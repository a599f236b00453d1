"""What the scripts that compare orders count: figures of an order, features of words, files kept."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
WORTH = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


@pytest.fixture
def gathering(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("gather_orders")


@pytest.fixture
def comparing(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    for name in ("lightgbm", "onnxmltools"):
        pytest.importorskip(name, reason="the extra `train` is not installed")
    return importlib.import_module("compare_orders")


@pytest.fixture
def heads(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("compare_heads")


def case(gathering: Any) -> Any:
    """Four candidates: the first two are pieces of one passage, the last is of no search as it ships."""
    covered = np.array([[True, False], [True, False], [False, False], [False, True]])
    ranked = np.full((len(gathering.WAYS), gathering.DEEP), -1, dtype=np.int32)
    ranked[0, :3], ranked[3, :2] = (2, 0, 1), (3, 2)
    return gathering.Case(
        document="A",
        wanted=2,
        covered=covered,
        passage=np.array([0, 0, 1, 2], dtype=np.int32),
        known=np.array([True, True, True, False]),
        named=np.zeros(4, dtype=bool),
        rows=np.zeros((3, 53), dtype=np.float32),
        words=np.zeros((3, len(gathering.WORDS)), dtype=np.float32),
        score=np.array([3.0, 2.0, 1.0], dtype=np.float32),
        wide=np.array([1.0, 0.0, 2.0, 3.0], dtype=np.float32),
        vectors=np.eye(4, dtype=np.float16),
        asked=np.ones(4, dtype=np.float32),
        ranked=ranked,
    )


@pytest.mark.parametrize(
    ("scores", "recall", "precision", "gain"),
    [
        ((4, 3, 2, 1), 1.0, (1 + 2 / 3) / 2, 1 + 1 / 2),  # a piece of the same passage takes no place
        ((1, 0, 3, 2), 1.0, (1 / 2 + 2 / 3) / 2, 1 / math.log2(3) + 1 / 2),
        ((2, -np.inf, 3, -np.inf), 0.5, 1 / 2 / 2, 1 / math.log2(3)),
        ((-np.inf,) * 4, 0.0, 0.0, 0.0),
    ],
)
def test_a_flat_order_counts_passages_once(
    comparing: Any, gathering: Any, scores: tuple[float, ...], recall: float, precision: float, gain: float
) -> None:
    found = comparing.flat(case(gathering), np.array(scores, dtype=np.float64))
    assert found == pytest.approx((recall, precision, gain / (1 + 1 / math.log2(3))))


def test_an_order_is_complete_where_all_wanted_places_are_shown(comparing: Any, gathering: Any) -> None:
    one = case(gathering)
    assert comparing.complete(one, np.array([4.0, 3, 2, 1])) == (1.0, 1.0, 1.0, 1.0)
    assert comparing.complete(one, np.array([4.0, 3, 2, -np.inf])) == (0.0, 0.0, 0.0, 1.0)
    named = replace(one, named=np.array([False, False, True, False]))
    assert comparing.ordered(named, np.array([4.0, 3, 2, 1])) == [2, 0, 1, 3]


def test_rankings_are_fused_by_rank_and_what_none_holds_has_no_score(comparing: Any, gathering: Any) -> None:
    found = comparing.by_rank(case(gathering), {"child_words": 1.0, "dense": 0.0}, 60)
    assert found.tolist() == pytest.approx([1 / 62, 1 / 63, 1 / 61, -np.inf])
    assert not np.isfinite(comparing.by_rank(case(gathering), {"concepts": 1.0}, 60)).any()


@pytest.mark.parametrize(
    ("asked", "text", "pairs", "run", "share"),
    [
        ("abc", "xabcx", 1.0, 1.0, 6 / 6),
        ("abc", "xbcxa", 5 / 8, 5 / 6, 6 / 6),
        ("abc", "cba", 0.0, 3 / 6, 6 / 6),
        ("ab", "abd", 1.0, 1.0, 3 / 7),
        ("a", "", 0.0, 0.0, 0.0),
        ("", "abc", 0.0, 0.0, 0.0),
    ],
)
def test_words_that_stand_together_in_both(
    gathering: Any, asked: str, text: str, pairs: float, run: float, share: float
) -> None:
    worth = {**dict.fromkeys(asked + text, 0.0), **WORTH}
    assert gathering.met(tuple(asked), tuple(text), worth) == pytest.approx((pairs, run, share))


def test_cases_come_back_as_they_were_kept(gathering: Any, tmp_path: Path) -> None:
    gathering.save(tmp_path / "cases.npz", [case(gathering), case(gathering)])
    one, other = gathering.load(tmp_path / "cases.npz")
    assert (one.document, other.wanted) == ("A", 2)
    assert np.array_equal(one.covered, case(gathering).covered)
    assert np.array_equal(other.vectors, case(gathering).vectors)


@pytest.mark.parametrize(
    ("only", "names"),
    [
        (("all sources", "plain MaxSim"), ["plain MaxSim", "all sources"]),  # in the order of the table
        (("title alone",), ["title alone"]),
    ],
)
def test_only_the_lines_that_are_named_are_trained(
    heads: Any, only: tuple[str, ...], names: list[str]
) -> None:
    assert [one.name for one in heads.wanted(only)] == names


def test_all_lines_are_trained_where_none_is_named_and_an_unknown_one_is_refused(heads: Any) -> None:
    assert [one.name for one in heads.wanted(())] == ["plain MaxSim", *(one.name for one in heads.variants())]
    with pytest.raises(SystemExit, match="asked and nothing else"):
        heads.wanted(["plain MaxSim", "asked and nothing else"])


def test_the_scripts_take_documents_from_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    asked = importlib.import_module("asked")
    read = list(asked.read_asked([SCRIPTS.parent / "data" / "demo" / "questions.jsonl"]))
    assert all(one.document in {place.document for place in one.gold} for one in read if one.gold)
