"""Rankings joined, as cases."""

from __future__ import annotations

import pytest

from appliance.retrieval.channels.gather import best_first, one_of_each, reciprocal, scaled, with_floors


def test_what_two_searches_agree_on_comes_first() -> None:
    assert best_first(reciprocal([([1, 2, 3], 1.0), ([4, 2, 5], 1.0)], 60))[0] == 2


def test_a_heavier_search_decides() -> None:
    assert best_first(reciprocal([([1], 1.0), ([2], 2.0)], 60)) == [2, 1]


def test_equal_scores_never_change_their_order() -> None:
    assert best_first({3: 1.0, 1: 1.0, 2: 1.0}) == [1, 2, 3]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({}, {}),
        ({1: 5.0}, {1: 1.0}),
        ({1: 2.0, 2: 2.0}, {1: 1.0, 2: 1.0}),
        ({1: 0.0, 2: 4.0, 3: 1.0}, {1: 0.0, 2: 1.0, 3: 0.25}),
    ],
)
def test_scores_are_brought_between_nought_and_one(
    scores: dict[int, float], expected: dict[int, float]
) -> None:
    assert scaled(scores) == expected


@pytest.mark.parametrize(
    ("ranking", "floors", "limit", "keep", "expected"),
    [
        ([1, 2, 3, 4], [[9]], 3, 0, [1, 2, 9]),
        ([1, 2, 3, 4], [[2], [4]], 3, 0, [1, 2, 4]),
        ([1, 2], [[1], [2]], 5, 0, [1, 2]),
        ([1, 2, 3], [[7, 8, 9]], 2, 0, [7, 8]),
        ([1, 2, 3], [[3]], 0, 0, []),
        ([], [[3]], 2, 0, [3]),
        ([1, 2, 3, 4], [[3], [4]], 3, 0, [1, 3, 4]),  # one floor does not push out another
        ([1, 2, 3, 4], [[3, 7], [8]], 3, 0, [3, 7, 8]),
        ([1, 2, 3, 4], [[7, 8], [9]], 3, 2, [1, 2, 7]),
        ([1, 2, 3, 4], [[2, 7], [9]], 3, 2, [1, 2, 7]),
    ],
)
def test_first_hits_of_every_search_stay(
    ranking: list[int], floors: list[list[int]], limit: int, keep: int, expected: list[int]
) -> None:
    assert with_floors(ranking, floors, limit, keep) == expected


@pytest.mark.parametrize(
    ("ranking", "first", "expected"),
    [
        ([1, 11, 2, 3], 3, [1, 2, 3, 11]),
        ([1, 11, 2, 12, 3], 2, [1, 2, 11, 12, 3]),
        ([1, 11, 21], 3, [1, 11, 21]),
        ([], 3, []),
        ([1, 11], 0, [1, 11]),
    ],
)
def test_a_name_stands_once_among_the_first(ranking: list[int], first: int, expected: list[int]) -> None:
    assert one_of_each(ranking, {item: item % 10 for item in ranking}, first) == expected
