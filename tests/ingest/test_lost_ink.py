"""Ink that no word of the text layer tells of."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.ingest.ocr.lost_print import lost_ink
from appliance.ingest.page import Stroke, Word

SCALE = 0.5  # points per pixel
WIDTH, HEIGHT = 300, 400  # points


def word(text: str, x0: float, y0: float, x1: float) -> Word:
    return Word(text, x0, y0, x1, y0 + 10, "f", 10)


def letters(page: np.ndarray, x0: float, y0: float, count: int, high: float = 7.0) -> None:
    """Draw some letters of 4 points, 2 points apart."""
    for at in range(count):
        left = x0 + 6 * at
        page[int(y0 / SCALE) : int((y0 + high) / SCALE), int(left / SCALE) : int((left + 4) / SCALE)] = 0


def page_with(*places: tuple[float, float, int, float]) -> np.ndarray:
    page = np.full((int(HEIGHT / SCALE), int(WIDTH / SCALE)), 255, dtype=np.uint8)
    for x0, y0, count, high in places:
        letters(page, x0, y0, count, high)
    return page


READ = (100.0, 101.0, 4, 7.0)
OVER = word("read", 99, 100, 124)


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ((160.0, 101.0, 3, 7.0), 1),  # a value that the layer lacks
        ((160.0, 101.0, 1, 7.0), 1),  # a figure
        ((160.0, 101.0, 2, 2.0), 0),  # a dash
        ((160.0, 101.0, 8, 60.0), 0),  # a drawing
        ((2.0, 101.0, 1, 7.0), 0),  # the shadow of the sheet's edge
        ((104.0, 102.0, 2, 6.0), 0),  # under the word
    ],
)
def test_only_what_is_as_large_as_print_and_has_no_word(
    place: tuple[float, float, int, float], found: int
) -> None:
    got = lost_ink(page_with(READ, place), [OVER], (), SCALE)
    assert len(got) == found
    if found:
        x0, y0, x1, y1 = got[0]
        assert abs(x0 - place[0]) <= 1
        assert abs(x1 - (place[0] + 6 * place[2] - 2)) <= 1
        assert abs(y0 - place[1]) <= 1
        assert abs(y1 - (place[1] + place[3])) <= 1


def test_rules_are_no_print_and_join_nothing() -> None:
    page = page_with(READ, (160.0, 101.0, 2, 7.0), (190.0, 101.0, 2, 7.0))
    page[:, int(180 / SCALE) : int(181 / SCALE)] = 0
    assert len(lost_ink(page, [OVER], (Stroke(180.5, 0, 180.5, HEIGHT, "line"),), SCALE)) == 2


def test_places_of_two_lines_are_two() -> None:
    assert len(lost_ink(page_with((160, 101, 3, 7), (160, 113, 3, 7)), [OVER], (), SCALE)) == 2


def test_a_page_without_words_tells_nothing_and_one_without_ink_neither() -> None:
    assert lost_ink(page_with(READ), [], (), SCALE) == ()
    assert lost_ink(page_with(), [OVER], (), SCALE) == ()
