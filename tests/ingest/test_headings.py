"""Titles without a number: told by their weight, which a scan may lose in one word of many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.structure.headings import find_headings
from appliance.ingest.structure.schemes import load_schemes
from tests.ingest.drawn import line
from tests.ingest.pages import scheme

BODY = Typography(10.0, 0, bold=False, gap=0.3)
SCHEME = load_schemes(None)[0]


def title(text: str, light: int) -> Row:
    """Return a bold line of which the last words, so many, were read as light ones."""
    printed = line(text, 60, 100, bold=True)
    words = printed.words
    light_words = tuple(
        replace(word, bold=word.bold and at < len(words) - light) for at, word in enumerate(words)
    )
    return Row(replace(printed, words=light_words, bold=True), (1, 0), 0.0, True, True, False)


@pytest.mark.parametrize(
    ("text", "light", "found"),
    [
        ("Links between Eurocodes and technical rules (ENs and guidelines) for products", 0, 1),
        ("Links between Eurocodes and technical rules (ENs and guidelines) for products", 1, 1),
        ("Links between Eurocodes and technical rules (ENs and guidelines) for products", 2, 0),
        ("Links between Eurocodes", 1, 0),  # a word in bold at the start of a line of text
    ],
)
def test_a_title_is_of_one_weight(text: str, light: int, found: int) -> None:
    assert len(find_headings([title(text, light)], set(), SCHEME, BODY)) == found


@pytest.mark.parametrize(
    ("text", "bold", "found"),
    [
        ("(2) The pressure on the inside of a wall should be obtained from the expression", False, 0),
        ("(2) The pressure on the inside of a wall", True, 0),
        ("where:", False, 0),
        ("is the area of a surface", False, 0),
        ("Pressures on the inside of walls", False, 1),
        ("where stairs meet", True, 1),
    ],
)
def test_larger_type_alone_makes_no_heading_of_text(text: str, bold: bool, found: int) -> None:
    scheme = next(one for one in load_schemes(None) if one.name == "eurocode")
    row = Row(line(text, 60, 100, 11.0, bold=bold), (1, 0), 0.0, True, True, False)
    assert len(find_headings([row], set(), scheme, BODY)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Vb is the basic wind velocity", 0),
        ("c,dir is the directional factor of the wind", 0),
        ("What is the basic wind velocity", 1),
        ("Basic wind velocity", 1),
    ],
)
def test_what_explains_a_symbol_is_no_title(text: str, found: int) -> None:
    assert len(find_headings([title(text, 0)], set(), scheme("eurocode"), BODY)) == found
