"""Lines of a scanned table that were read as letters, and specks."""

from __future__ import annotations

import pytest

from appliance.ingest.geometry import Rule
from appliance.ingest.page import Word
from appliance.ingest.tables.marks import without_line_signs

UPRIGHT = (Rule(100, 0, 50),)
USUAL = [Word(str(n), 10, y, 20, y + 8, "f", 8) for n, y in enumerate((0, 12, 24))]


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        (Word("I", 98, 8, 103, 22, "f", 14), False),  # an upright line in a row of heads
        (Word("|", 101, 8, 101.2, 22, "f", 14), False),
        (Word("I", 140, 8, 143, 16, "f", 8), True),  # the zone I in its column
        (Word("I", 98, 60, 103, 68, "f", 8), True),  # the line ends further up
        (Word("1", 98, 8, 103, 16, "f", 8), True),  # a figure may be a value
        (Word("II", 98, 8, 103, 16, "f", 8), True),
        (Word("!", 60, 14, 60.2, 15, "f", 1), False),  # a speck
        (Word("-", 60, 14, 63, 15, "f", 1), True),  # a dash is low
        (Word(",", 60, 14, 61, 16, "f", 8), True),
    ],
)
def test_lines_and_specks_are_no_print(word: Word, *, kept: bool) -> None:
    assert (word in without_line_signs([*USUAL, word], UPRIGHT)) is kept


def test_a_table_without_words_has_none() -> None:
    assert without_line_signs([], UPRIGHT) == []
