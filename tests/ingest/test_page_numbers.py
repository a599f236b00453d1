"""The number that a page prints: one of a run in the heads or feet of the document, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.ingest.layout.lines import Segment
from appliance.ingest.layout.running_heads import margin_segments, printed_numbers
from appliance.ingest.page import PageContent
from tests.ingest.pages import HEIGHT, SIZE, WIDTH, words

FOOT, HEAD = HEIGHT - 40.0, 30.0


def pages(feet: Sequence[str], *, y: float = FOOT, x: float = 70.0) -> list[PageContent]:
    """Pages with these texts at one height, "" for none, all with the same line of text in the body."""
    body = words("12 3 IV", 70, 400)
    made = [(*body, *(words(text, x, y) if text else ())) for text in feet]
    return [PageContent(at, WIDTH, HEIGHT, "", each, (), ()) for at, each in enumerate(made, 1)]


@pytest.mark.parametrize(
    ("feet", "expected"),
    [
        (["", "i", "ii", "iii", "1", "2", "3"], ["", "i", "ii", "iii", "1", "2", "3"]),
        (["", "ii", "iii", "1", "2", "3", "4"], ["", "ii", "iii", "1", "2", "3", "4"]),  # two at that place
        (["Code 7", "Code 8", "", "Code 10"], ["7", "8", "", "10"]),  # none is counted on
        (["1", "2", "3", "1", "2", "3"], ["1", "2", "3", "1", "2", "3"]),  # begins anew
        (["- 4 -", "[5]", "Page 6"], ["4", "5", "6"]),
        (["3-1", "3-2", "3-3", "4-1", "4-2", "4-3"], ["3-1", "3-2", "3-3", "4-1", "4-2", "4-3"]),
        (["5.2.3-1", "5.2.3-2", "5.2.3-3"], ["5.2.3-1", "5.2.3-2", "5.2.3-3"]),
        (["9 of 30", "10 of 30", "11 of 30"], ["9", "10", "11"]),
        (["xxxviii", "xxxix", "xl", "xli"], ["xxxviii", "xxxix", "xl", "xli"]),
        (["2013", "2013", "2013"], ["", "", ""]),  # an edition, not a number that grows
        (["5", "6"], ["", ""]),  # two pages prove nothing
        (["5", "8", "6", "2"], ["", "", "", ""]),
        (["1", "2", *[""] * 9, "12"], [""] * 12),  # three of twelve pages
        (["mix", "mild", "civil", "did"], ["", "", "", ""]),
        ([], []),
    ],
)
@pytest.mark.parametrize("y", [FOOT, HEAD])
def test_a_number_is_one_of_a_run(feet: list[str], expected: list[str], y: float) -> None:
    made = pages(feet, y=y)
    found = printed_numbers(made)
    assert [found.get(page.number, "") for page in made] == expected


def test_the_longer_run_wins_and_two_as_long_leave_none() -> None:
    short, long = pages(["11", "12", "13", "", ""], y=HEAD), pages(["1", "2", "3", "4", "5"])
    both = [replace(one, words=(*one.words, *other.words)) for one, other in zip(short, long, strict=True)]
    assert [printed_numbers(both)[page] for page in (1, 2, 3)] == ["1", "2", "3"]
    assert printed_numbers(both[:3]) == {}


def test_feet_that_count_the_pages_are_margins_where_the_text_ends() -> None:
    """They stand right below the text of a page, beside the same edition, at a height of their own."""
    parts = []
    for at in range(1, 7):
        foot = FOOT + 7 * (at % 4)
        texts = ((f"5.2.3-{at}", 290.0), ("Revision 3", 470.0))
        pieces = [Segment.of(list(words(f"Text {'x' * at}", 70, 300)), SIZE)]
        pieces += [Segment.of(list(words(text, x, foot)), SIZE) for text, x in texts]
        parts.append((PageContent(at, WIDTH, HEIGHT, "", (), (), ()), pieces))
    assert margin_segments(parts) == {(at, piece) for at in range(6) for piece in (1, 2)}


def test_a_number_that_counts_the_pages_above_another_foot_is_margin() -> None:
    parts = []
    for at in range(1, 8):
        texts = (
            (f"Table {at}", 60),
            (f"Text {'x' * at}", 300),
            (f"Page {at} of 7", FOOT - 12),
            ("Edition 2", FOOT),
        )
        pieces = [Segment.of(list(words(text, 70, y)), SIZE) for text, y in texts[at % 3 > 0 :]]
        parts.append((PageContent(at, WIDTH, HEIGHT, "", (), (), ()), pieces))
    kept = {
        pieces[at].words[0].text
        for part, (_, pieces) in enumerate(parts)
        for at in range(len(pieces))
        if (part, at) not in margin_segments(parts)
    }
    assert kept == {"Table", "Text"}


def test_heads_named_as_tables_elsewhere_are_margins() -> None:
    parts = []
    for at in range(1, 7):
        head = Segment.of(list(words(f"Schedule {(at + 1) // 2} Works", 70, HEAD)), SIZE)
        text = Segment.of(list(words(f"Text {'x' * at}", 70, 300)), SIZE)
        parts.append((PageContent(at, WIDTH, HEIGHT, "", (), (), ()), [head, text]))
    assert margin_segments(parts) == {(at, 0) for at in range(6)}
