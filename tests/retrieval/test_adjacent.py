"""What is printed side by side is shown as one place, as long as it has room."""

from __future__ import annotations

import pytest

from appliance.core.document import Box, Label
from appliance.core.evidence import Place
from appliance.library import Library
from appliance.retrieval.adjacent import WORDS, as_shown, side_by_side


@pytest.mark.parametrize(
    ("ranked", "limit", "groups"),
    [
        ([4, 9, 5, 1], 9, [[4, 5], [9], [1]]),  # 5 stands behind 4, whatever comes between them by rank
        ([4, 6, 5], 9, [[4, 5], [6]]),  # with the best of those beside it
        ([4, 5, 6, 7], 9, [[4, 5, 6], [7]]),  # three fill a place
        ([4, 9, 1, 5], 2, [[4], [9]]),  # what follows the last place is not looked at
        ([4, 9, 5, 1], 2, [[4, 5], [9]]),
        ([4, 5], 0, []),
        ([], 3, []),
    ],
)
def test_a_place_joins_the_best_one_that_it_is_printed_beside(
    ranked: list[int], limit: int, groups: list[list[int]]
) -> None:
    third = WORDS // 3
    assert side_by_side(ranked, limit, lambda chunk: (chunk - 1, chunk + 1), lambda _: third) == groups


def test_joined_places_are_named_by_the_best_and_read_as_printed() -> None:
    def place(chunk: int, page: int) -> Place:
        label, box = Label((f"1.{chunk}",)), Box(page, 0.1, 0.1, 0.9, 0.2)
        text, score = f"1.{chunk} text", 1.0 / chunk
        return Place(
            "D", label, (label,), "clause", "", (), (page,), (box,), (box,), text, score, (), (), chunk
        )

    behind, best, alone = place(3, 2), place(2, 1), place(7, 5)
    joined, other = as_shown([[3, 2], [7]], {3: behind, 2: best, 7: alone})
    assert (str(joined.label), [*map(str, joined.labels)]) == ("1.3", ["1.2", "1.3"])
    assert (joined.text, joined.pages, joined.best) == ("1.2 text\n1.3 text", (1, 2), behind)
    assert joined.boxes == (*best.boxes, *behind.boxes)
    assert joined.focus == behind.focus  # what matched best is what is drawn strong
    assert other == alone


def test_nothing_that_was_found_is_missing_from_what_is_shown(demo: Library) -> None:
    found = demo.search("snow load on a roof beside a taller building", 20)
    shown = {(place.document, label) for place in found.shown for label in place.labels}
    assert shown >= {(place.document, label) for place in found.hits for label in place.labels}
    assert any(place.parts for place in found.shown)
    assert all(len(place.text.split()) <= WORDS for place in found.shown if place.parts)
