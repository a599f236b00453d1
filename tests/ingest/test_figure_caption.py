"""The rest of a figure's title in the type of the text."""

from __future__ import annotations

import pytest

from appliance.ingest.figures.finder import completed
from appliance.ingest.structure.captions import find_captions
from tests.ingest.drawn import line, prose, view

WORDS = {"figure": ("Figure",)}
FIRST = "Figure B.1: Shape coefficient and drift lengths for exceptional snow drifts by their depth"


@pytest.mark.parametrize(
    ("first", "under", "y", "goes_on"),
    [
        (FIRST, "- valleys of multi-span roofs", 112, True),
        (FIRST, "(Te.min/Te.max)", 112, True),
        (FIRST, "where drifting occurs at parapets", 112, True),
        (FIRST, "(1) The coefficient is given here", 112, False),  # the next paragraph
        (FIRST, "a) valleys of roofs", 112, False),  # an item
        (FIRST, "Where drifting occurs", 112, False),  # a sentence
        (FIRST, "where drifting occurs at parapets", 122, False),  # apart
        (f"{FIRST}.", "where drifting occurs at parapets", 112, False),  # the title has ended
        ("Figure B.1: Shape coefficient", "where drifting occurs at parapets", 112, False),  # there was room
    ],
)
def test_a_title_runs_over_a_full_line(first: str, under: str, y: float, goes_on: bool) -> None:
    lines = [line(first, 60, 100, 10), line(under, 60, y, 10)]
    (caption,) = find_captions([view([*lines, *prose(200)])], WORDS)
    assert (under.rsplit(maxsplit=1)[-1] in completed(caption).title) is goes_on
    assert (1 in completed(caption).lines) is goes_on
