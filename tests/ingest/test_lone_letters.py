"""Which lone letters of a row may be a sign of comparison."""

import pytest

from appliance.ingest.ocr.noise import compared, lone_letters
from appliance.ingest.page import Word


def row(text: str) -> list[Word]:
    return [Word(word, 40.0 * at, 0, 40.0 * at + 30, 10, "f", 10) for at, word in enumerate(text.split())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a self-weight s 1,0 kN/m", ["s"]),
        ("100 s; b s; 2 200", ["s;", "s;"]),
        ("h s; 1 m", ["s;"]),
        ("h :s 30", [":s"]),
        ("the value s is taken", []),
        ("walls; 30 kN", []),
        ("s 1,0", []),  # nothing stands before it
    ],
)
def test_an_s_before_a_number_is_looked_at(text: str, found: list[str]) -> None:
    assert [word.text for word in compared(row(text))] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("but k = d y", ["k", "y"]),  # the second of a product behind a relation
        ("the d y where", []),
        ("y = 2,0", ["y"]),
    ],
)
def test_a_letter_is_looked_at_where_a_symbol_stands(text: str, found: list[str]) -> None:
    assert [word.text for word in lone_letters(row(text))] == found
