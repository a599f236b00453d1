"""Words of a cell as text: marks raised, powers plain, and words never turned into marks."""

from __future__ import annotations

from dataclasses import replace

from appliance.ingest.layout.lines import make_line, segments
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
