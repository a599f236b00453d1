"""Noughts that a text layer holds as degrees."""

from __future__ import annotations

import pytest

from appliance.ingest.ocr.noise import GROWN_RINGS_NAMED as NAMED
from appliance.ingest.ocr.noise import with_noughts
from appliance.ingest.page import PageContent, Word

USUAL = tuple(Word("area", 130 + 20 * at, 100, 148 + 20 * at, 110, "f", 8.2) for at in range(6))


def page(*words: Word) -> PageContent:
    return PageContent(1, 600, 800, "", (*USUAL, *words), (), (), trust="ocr")


def test_a_ring_as_high_as_a_figure_is_a_nought_on_its_line() -> None:
    found = with_noughts(page(Word("°", 114, 99, 124, 127, "f", 23.6)))
    last = found.words[-1]
    assert last.text == "0"
    assert (last.y0, last.x0, last.x1) == (99, 114, 124)
    assert 107 < last.y1 < 111
    assert 7.5 < last.size < 9
    assert [(problem.doubt, problem.box is not None) for problem in found.problems] == [(True, True)]


@pytest.mark.parametrize(
    "word",
    [
        Word("°", 114, 99, 118, 109, "f", 8.2),  # a degree
        Word("°", 114, 99, 118, 113, "f", 14.0),  # one of a title
        Word("30°", 114, 99, 130, 127, "f", 23.6),  # an angle in large print
    ],
)
def test_a_degree_stays(word: Word) -> None:
    made = page(word)
    assert with_noughts(made) is made


def test_many_are_counted() -> None:
    found = with_noughts(page(*(Word("°", 9, 9 * at, 19, 9 * at + 27, "f", 24) for at in range(NAMED + 1))))
    assert len(found.problems) == NAMED + 1


def test_a_page_without_words_is_left() -> None:
    made = PageContent(1, 600, 800, "", (), (), ())
    assert with_noughts(made) is made
