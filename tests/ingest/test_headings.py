"""Titles without a number: told by their weight, which a scan may lose in one word of many."""

from __future__ import annotations

import pytest

from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.structure.schemes import load_schemes
from appliance.ingest.structure.unnumbered_headings import find_headings, run_in, runs_in
from tests.ingest.drawn import line, line_of, words

BODY = Typography(10.0, 0, bold=False, gap=0.3)


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
    ("bold", "plain", "title"),
    [
        ("3.1 Water Ratio (w/c) —", "The ratio is", "Water Ratio (w/c)"),
        ("3.1 Water Ratio", "— The ratio is", "Water Ratio"),
        ("3.1 Water Ratio.", "The ratio is", "Water Ratio"),
        ("3.1 Water", "ratio of the whole", None),
    ],
)
def test_a_dash_or_stop_parts_a_title_from_its_text(bold: str, plain: str, title: str | None) -> None:
    printed = line_of([*words(bold, 70, 100, bold=True), *words(plain, 250, 100)])
    assert runs_in(printed, 3) is (title is not None)
    assert title is None or run_in(printed, 3) == title


def test_a_bold_sign_before_the_text_is_no_title() -> None:
    assert (
        run_in(line_of([*words("2.1 ‘", 70, 100, bold=True), *words("FIUO’ is an ordinance", 90, 100)]), 3)
        == ""
    )
