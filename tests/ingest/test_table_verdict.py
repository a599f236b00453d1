"""Which of two readings of an entry of a scanned table stands."""

from __future__ import annotations

import pytest

from appliance.ingest.ocr.table_witness import says_the_same, verdict, with_one_symbol, writes_signs
from appliance.ingest.page import Word


@pytest.mark.parametrize(
    ("layer", "read", "signed", "stands"),
    [
        ("1,4", "- 1,4", True, "picture"),
        ("1,4", "- 1,4", False, "layer"),
        ("1,4", "- 1,5", True, "both"),
        ("50", "5°", False, "picture"),  # a degree that was taken for a nought
        ("50", "6°", False, "both"),
        ("[0]", "[°]", False, "picture"),
        ("Maximum all ([J", "Maximum all φ", False, "picture"),  # noise for the symbol
        ("Blockage rp", "Blockage φ", False, "picture"),
        ("angle a", "angle α", False, "layer"),  # the recogniser takes the one for the other
        ("rp", "φ", False, "layer"),  # nothing beside it tells
        ("Maximum of ([J", "Maximum all φ", False, "layer"),
        ("Maximum all", "Maximum all φ", False, "layer"),
        ("", "φ", False, "layer"),
    ],
)
def test_verdict(layer: str, read: str, stands: str, *, signed: bool) -> None:
    assert verdict(layer, read, signed=signed) == stands


@pytest.mark.parametrize(
    ("text", "signs"),
    [("+ 0,7 -1,3 - 0,5", True), ("A-1 B-2 C-3 1-2 3-4", False), ("- 0,5", False), ("", False)],
)
def test_a_table_writes_signs(text: str, *, signs: bool) -> None:
    assert writes_signs(text) is signs


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("- 1,4", "-1,4", True), ("- 1,4", "1,4", False), ("+ 5", "- 5", False), ("O,5", "0,5", True)],
)
def test_numbers_with_and_without_a_sign_are_not_the_same(one: str, other: str, *, same: bool) -> None:
    assert says_the_same(one, other) is same


def entry(text: str) -> list[tuple[Word, float]]:
    return [(Word(piece, 10 * at, 0, 10 * at + 8, 8, "f", 8), 0.9) for at, piece in enumerate(text.split())]


@pytest.mark.parametrize(
    ("others", "text", "found"),
    [
        (3 * ["Minimum φ = 0"], "Minimum φρ = 1", "Minimum φ = 1"),
        (2 * ["Minimum φ = 0"], "Minimum φρ = 1", "Minimum φρ = 1"),  # too few
        (3 * ["Minimum ψ = 0"], "Minimum φρ = 1", "Minimum φρ = 1"),  # another symbol
        (3 * ["Maximum φ = 0"], "Minimum φρ = 1", "Minimum φρ = 1"),  # other words
        ([], "φρ", "φρ"),
    ],
)
def test_a_symbol_is_that_of_the_entries_like_it(others: list[str], text: str, found: str) -> None:
    last = with_one_symbol([*map(entry, others), entry(text)])[-1]
    assert " ".join(word.text for word, _ in last) == found
