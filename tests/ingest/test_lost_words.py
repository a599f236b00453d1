"""Words that a text layer passed over: ink between the words of a sentence is told, nothing else is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from appliance.ingest.ocr.lost_print import LostWordsPixels as Pixels
from appliance.ingest.ocr.lost_print import lost_words
from appliance.ingest.ocr.scan_signs import mends_of
from appliance.ingest.page import Word
from appliance.ingest.pdf.reader import known_shapes
from tests.ingest.test_scan_signs import SCALE, drawn

SENTENCE = ("the", "forces", "Fx", "and", "", "should", "be", "defined")
LIST = ("Fa", "Fb", "Fc", "Fd", "", "Fe", "Ff", "Fg")  # no sentence


def scanned(printed: str, texts: tuple[str, ...] = SENTENCE) -> tuple[list[Word], Pixels]:
    """Return the words of a line but the empty one, where `printed` is drawn, and the page."""
    words, pixels = drawn(*((text, text or printed) for text in texts))
    return [word for word in words if word.text], pixels


def told(words: list[Word], pixels: Pixels, page: list[Word] | None = None) -> list[tuple[str, str]]:
    found = lost_words(words, page or words, 255 - pixels, SCALE)
    return [(before.text, after.text) for before, after, _ in found]


@pytest.mark.parametrize("printed", ["Fdy", "gives", "25", "see,", "F", "="])
def test_a_word_that_was_not_read_is_told_with_its_place(printed: str) -> None:
    words, pixels = scanned(printed)
    ((before, after, place),) = lost_words(words, words, 255 - pixels, SCALE)
    assert (before.text, after.text) == ("and", "should")
    assert before.x1 < place[0] < place[2] < after.x0


@pytest.mark.parametrize("printed", [" ", ".", "–", "'", "—", ","])
def test_a_wide_space_and_marks_are_no_words(printed: str) -> None:
    assert told(*scanned(printed)) == []


def test_a_row_that_is_no_sentence_is_let_be() -> None:
    assert told(*scanned("Fdy", LIST)) == []


@pytest.mark.parametrize("upright", [True, False])
def test_a_place_that_another_word_of_the_page_tells_of_is_let_be(upright: bool) -> None:
    words, pixels = scanned("Fdy")
    before, after = words[3], words[4]
    inside = replace(before, text="Fdy", x0=before.x1 + 5, x1=after.x0 - 5, upright=upright)
    assert told(words, pixels, [*words, inside]) == []


@pytest.mark.parametrize(
    ("top", "bottom", "wide"),
    [
        (0, 60, 6.0),  # a stroke of a drawing through the line
        (30, 42, 0.5),  # a rule between two columns
        (36, 37, 10.0),  # a line of a blank to fill in
    ],
)
def test_strokes_and_rules_are_no_words(top: int, bottom: int, wide: float) -> None:
    words, pixels = scanned("Fdy")
    pixels = blank(words, pixels)
    middle = (words[3].x1 + words[4].x0) / 2
    pixels[round(top * SCALE) : round(bottom * SCALE), columns(middle - wide / 2, middle + wide / 2)] = 0
    assert told(words, pixels) == []


def test_the_framed_tag_of_an_amendment_is_no_word() -> None:
    words, pixels = scanned("Fdyx")
    assert told(words, pixels)
    left, right = words[3].x1 + 4, words[4].x0 - 4
    for top, bottom in ((30, 30.5), (40.5, 41)):
        pixels = pixels.copy()
        pixels[round(top * SCALE) : round(bottom * SCALE), columns(left, right)] = 0
    assert told(words, pixels) == []


def test_the_rest_of_a_word_whose_box_is_short_belongs_to_it() -> None:
    words, pixels = scanned(" ")
    words[3] = replace(words[3], x1=words[3].x1 - 5)
    assert told(words, pixels) == []


@pytest.mark.parametrize(("printed", "sign"), [("=", "="), ("≤", "≤"), ("Fdy", ""), ("s", "")])
def test_a_lost_sign_is_mended_where_its_drawing_proves_it(printed: str, sign: str) -> None:
    words, pixels = scanned(printed)
    (mend,) = mends_of(words, pixels, SCALE, known_shapes())
    assert (mend.read, mend.drawn, mend.doubt) == ("", sign, not sign)
    assert (mend.word.text, mend.after) == ("and", "should")


def blank(words: list[Word], pixels: Pixels) -> Pixels:
    """Return the page with nothing drawn in the gap."""
    pixels = pixels.copy()
    pixels[:, columns(words[3].x1 + 1, words[4].x0 - 1)] = 255
    return pixels


def columns(x0: float, x1: float) -> slice:
    return slice(*np.round(np.array((x0, x1)) * SCALE).astype(int).tolist())
