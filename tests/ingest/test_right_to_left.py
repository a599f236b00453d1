"""Arabic and Hebrew in the order in which they are read, the numbers and Latin words in them too."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.ingest.page import Word
from appliance.ingest.pdf.words import as_read, left_to_right, words_as_read
from appliance.text.sentences import one_script


def drawn(text: str) -> str:
    """Return Hebrew words as a page shows them from left to right."""
    return text[::-1]


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("plain", "plain"),
        ("5.2", "5.2"),
        (drawn("טבלה"), "טבלה"),
        ("5.2" + drawn("טבלה"), "טבלה5.2"),
        ("3-EN" + drawn("תקן-"), "תקן-3-EN"),
        (")5(" + drawn("סעיף"), "סעיף(5)"),
        ("(5)" + drawn("סעיף"), "סעיף(5)"),
        (drawn("البند"), "البند"),
        ("\u0665\u0666" + drawn("بند"), "بند\u0665\u0666"),
        ("", ""),
    ],
)
def test_a_word_as_it_is_read(shown: str, read: str) -> None:
    assert as_read(shown) == read


def line(shown: str, *glued: int) -> list[Word]:
    return [
        Word(text, 10.0 * at, 0, 10.0 * at + 9, 10, "F", 10, glued=at in glued)
        for at, text in enumerate(shown.split())
    ]


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("snow load 5.2", "snow load 5.2"),
        ("תקרה על עומס 5.2", "5.2 עומס על תקרה"),
        ("EN 1991-1-3 תקן", "תקן EN 1991-1-3"),
        ("EN ISO 9001 תקן לפי", "לפי תקן EN ISO 9001"),
        ("kN 0.75 ערך", "ערך 0.75 kN"),
        ("הבא kN 0.75 ערך 1.2", "1.2 ערך 0.75 kN הבא"),
        ("the term עומס שלג means snow load", "the term שלג עומס means snow load"),
        ("3 2 1 גובה", "גובה 1 2 3"),
    ],
)
def test_a_line_as_it_is_read(shown: str, read: str) -> None:
    assert " ".join(word.text for word in words_as_read(line(shown))) == read


def test_pieces_stay_glued_to_the_piece_that_they_touch() -> None:
    found = words_as_read(line("ב א שם", 1))
    assert [(word.text, word.glued) for word in found] == [("שם", False), ("א", False), ("ב", True)]


def char(sign: str, x0: float, x1: float) -> dict[str, Any]:
    return {"c": sign, "bbox": (x0, 0.0, x1, 10.0), "origin": (x0, 8.0)}


@pytest.mark.parametrize(
    "chars",
    [
        [("ا", 30, 35), ("أ", 30, 30), ("ل", 20, 30), ("ر", 10, 20)],  # given from right to left
        [("ر", 10, 20), ("ل", 20, 30), ("أ", 30, 30), ("ا", 30, 35)],  # as they stand
        [("ا", 30, 35), ("\ufef7", 20, 30), ("ر", 10, 20)],  # a ligature's own code point
    ],
)
def test_letters_of_one_glyph_keep_their_order(chars: list[tuple[str, float, float]]) -> None:
    spans = left_to_right([{"font": "F", "chars": [char(*one) for one in chars]}])
    assert as_read("".join(one["c"] for span in spans for one in span["chars"])) == "الأر"


def test_the_pieces_of_several_fonts_stand_in_their_places() -> None:
    first, second = {"font": "A", "chars": [char("ב", 20, 30)]}, {"font": "B", "chars": [char("5", 0, 10)]}
    assert [span["font"] for span in left_to_right([first, second])] == ["B", "A"]
    plain = [{"font": "A", "chars": [char("b", 20, 30), char("a", 0, 10)]}]
    assert left_to_right(plain) == plain


@pytest.mark.parametrize(
    ("word", "script"),
    [("load", "LATIN"), ("φορτίο", "GREEK"), ("Pа", ""), ("荷载", "CJK"), ("عمل", "ARABIC"), ("12", "")],
)
def test_the_script_of_a_word(word: str, script: str) -> None:
    assert one_script(word) == script
