"""Ink that no word of the text layer tells of."""

from __future__ import annotations

import numpy as np

from appliance.ingest.ocr.rules_and_drawings import lost_ink
from appliance.ingest.page import Word

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


def test_places_of_two_lines_are_two() -> None:
    assert len(lost_ink(page_with((160, 101, 3, 7), (160, 113, 3, 7)), [OVER], (), SCALE)) == 2


def test_a_page_without_words_tells_nothing_and_one_without_ink_neither() -> None:
    assert lost_ink(page_with(READ), [], (), SCALE) == ()
    assert lost_ink(page_with(), [OVER], (), SCALE) == ()
