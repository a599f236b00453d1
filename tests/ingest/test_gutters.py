"""Two columns that nearly touch, and lines that only look as if they did."""

from __future__ import annotations

from appliance.ingest.layout.lines import cut_at_edges, segments
from appliance.ingest.layout.pages import arrange
from appliance.ingest.page import PageContent, Source, Word
from tests.ingest.drawn import words

LEFT = 60.0
LONG = [
    "a local authority or an approved",
    "body of the kind that inspects it",
    "and a person who is named in this",
]
OTHER = [
    "the measure of air that passes",
    "through the fabric of a building",
    "at a reference pressure of fifty",
]
RIGHT = words(LONG[1], LEFT, 100)[-1].x1 + 6.0  # less than an em behind the longest line


def _columns(rows: int = 9) -> list[Word]:
    """Lines of two columns, each written across as some files do."""
    return [
        word
        for i in range(rows)
        for text, x in ((LONG[i % 3], LEFT), (OTHER[i % 3], RIGHT))
        for word in words(text, x, 100 + 13 * i + (2 if i % 2 and x > LEFT else 0))
    ]


def _lines(found: list[Word]) -> list[str]:
    page = PageContent(1, 600.0, 800.0, "", tuple(found), (), ())
    return [line.text for line in arrange(Source("", "", (page,), ()))[0].lines]


def test_columns_that_nearly_touch_are_read_one_after_the_other() -> None:
    found = _columns()
    assert any(len(piece.words) > 7 for piece in segments(found)), "the lines are to touch"
    assert _lines(found) == [LONG[i % 3] for i in range(9)] + [OTHER[i % 3] for i in range(9)]


def test_a_title_over_both_columns_stays_whole() -> None:
    title = "The following are key terms used in this document and in those that it names"
    assert _lines([*words(title, LEFT, 80), *_columns()])[0] == title


def test_even_gaps_are_those_of_justified_text() -> None:
    starts = [word for i in range(8) for word in words("one two three", 200, 300 + 20 * i)]
    texts = [word for i in range(8) for word in words("four five six", LEFT, 300 + 20 * i)]
    spread = [Word(f"word{i}", 60 + 35 * i, 90, 85 + 35 * i, 100, "F", 10) for i in range(8)]
    assert any(word.x0 == 200 for word in spread)
    (whole, *_) = cut_at_edges(segments([*spread, *starts, *texts]))
    assert len(whole.words) == 8


def test_a_page_of_one_column_or_none_is_untouched() -> None:
    one = segments([word for i in range(9) for word in words(LONG[i % 3], LEFT, 100 + 13 * i)])
    assert cut_at_edges(one) == one
    assert cut_at_edges([]) == []


def test_words_printed_over_each_other_are_no_gutter() -> None:
    over = [word for i in range(9) for word in words(LONG[0], LEFT, 100 + 13 * i)]
    over += [word for i in range(9) for word in words(OTHER[0], LEFT + 40, 100 + 13 * i)]
    assert sum(len(piece.words) for piece in cut_at_edges(segments(over))) == len(over)
