"""The type of a document, measured where a scan spreads one size over many."""

from __future__ import annotations

import pytest

from appliance.ingest.layout.typography import measure
from appliance.ingest.page import PageContent, PageLayout
from tests.ingest.drawn import line

BODY = "Running text of the body of a code in one single size of type"
NOTE = "NOTE What is said beside the text in smaller type than that"


def _page(sizes: dict[float, int]) -> PageLayout:
    printed = [
        line(BODY if size > 9 else NOTE, 60, 60 + 12 * at, size=size)
        for at, size in enumerate(size for size, count in sizes.items() for _ in range(count))
    ]
    return PageLayout(PageContent(1, 595, 842, "", (), (), ()), tuple(printed))


@pytest.mark.parametrize(
    ("sizes", "body"),
    [
        ({9.25: 9, 9.5: 10, 9.75: 9, 8.75: 12}, 9.5),  # a scan: one type at three sizes, notes at one
        ({10.0: 20, 9.5: 12, 14.0: 3}, 10.0),
        ({10.0: 10, 9.0: 14}, 9.0),  # two sizes kept apart: the more of them
        ({11.0: 1}, 11.0),
    ],
)
def test_the_body_is_the_size_round_which_most_is_set(sizes: dict[float, int], body: float) -> None:
    assert measure([_page(sizes)]).size == pytest.approx(body)


def test_a_document_without_text_has_a_body_all_the_same() -> None:
    assert measure([]).size > 0
