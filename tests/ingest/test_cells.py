"""Words of a cell as text: marks raised, powers plain, and words never turned into marks."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from appliance.ingest.layout.lines import is_mark, make_line, segments
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import paragraph, rows_of
from tests.ingest.drawn import words


def _word(text: str, x: float, bottom: float, size: float, *, rise: int = 0) -> Word:
    return Word(text, x, bottom - size, x + 0.5 * size * len(text), bottom, "F", size, rise=rise)


def _lettered_cells() -> list[Word]:
    """A large "C" beside three lines of small text, the first of which stands a little higher."""
    lines = ["Below (on a pitched roof) or", "within 2300mm horizontally", "to an openable rooflight"]
    texts = [word for i, text in enumerate(lines) for word in words(text, 130, 107 + 7.2 * i, 6.65)]
    return [_word("C", 115, 109.5, 9.2), *texts]


def test_words_beside_a_large_letter_are_words() -> None:
    (lettered, *_) = segments(_lettered_cells())
    line = make_line(1, 0, [lettered])
    assert {word.rise for word in line.words} == {0}
    cell = [word for word in _lettered_cells() if word.x0 >= 130]
    text = "Below (on a pitched roof) or within 2300mm horizontally to an openable rooflight"
    assert paragraph(rows_of(cell)) == text
    raised = [replace(word, rise=1) if word.y1 < 108 and word.text != "a" else word for word in cell]
    assert paragraph(rows_of(raised)) == text


@pytest.mark.parametrize("seed", range(5))
def test_lines_stay_lines_whatever_the_order_of_the_file(seed: int) -> None:
    cell = [word for word in _lettered_cells() if word.x0 >= 130]
    random.Random(seed).shuffle(cell)
    assert [row.words[0].text for row in rows_of(cell)] == ["Below", "within", "to"]


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("18 ^2", "18²"),
        ("Stairs ^(1) ^(2)", "Stairs⁽¹⁾⁽²⁾"),
        ("Stairs ^1,2", "Stairs¹,²"),
        ("Walls ^a)", "Wallsᵃ⁾"),
        ("Walls ^*", "Walls*"),
        ("10 ^−3", "10⁻³"),
        ("300mm ^2 /kW", "300mm2 /kW"),
        (">5.0m ^3 /(h.m ^2 )", ">5.0m3 /(h.m2 )"),
        ("The 1 ^st floor", "The 1st floor"),
        ("Roofs ^only above", "Roofsonly above"),
    ],
)
def test_marks_are_raised_and_powers_and_words_are_not(printed: str, text: str) -> None:
    assert paragraph(rows_of(words(printed, 50, 100))) == text


@pytest.mark.parametrize(
    "text", ["1", "12", "a", "(1)", "1)", "(1)(2)", "1,2", "a,b", ",2", "*", "**", "†", "+2"]
)
def test_marks(text: str) -> None:
    assert is_mark(text)


@pytest.mark.parametrize("text", ["", "At", "or", "600mm", "(on", "roof)", "the", "123", "1000", "mm", "st"])
def test_what_is_no_mark(text: str) -> None:
    assert not is_mark(text)
