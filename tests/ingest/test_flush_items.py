"""Items that announce over flush text, and notes by misread capitals: what is theirs, and what is not."""

from __future__ import annotations

import pytest

from appliance.ingest.layout.typography import Row
from appliance.ingest.structure.tree import completes, flush_bodies
from tests.ingest.pages import line, scheme

LEVELS = [level for level in scheme().levels if level.rank >= 20]
ROOFS, WALLS = "a) For roofs of class one:", "b) For roofs of class two:"
BODY = "The loads of this class are taken."


def theirs(*texts: str, openings: tuple[int, ...] = ()) -> list[int]:
    """Return the rows that belong to items; a text with ">" before it is indented, with "+" goes on."""
    rows = []
    for at, text in enumerate(texts):
        bare = text.lstrip(">+")
        fresh = not text.startswith("+")
        rows.append(Row(line(bare, 100 + 20 * at), (1, at), 2.0 if text[0] == ">" else 0.0, fresh, fresh))
    return sorted(flush_bodies(rows, openings, LEVELS))


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ((ROOFS, BODY, WALLS, BODY, BODY), [1, 3, 4]),
        ((ROOFS, BODY, WALLS, BODY, "For roofs of class three:", BODY), [1, 3]),  # the provision goes on
        ((ROOFS, BODY, WALLS, "In addition, the following:", BODY), [1, 3, 4]),  # other words
        ((ROOFS, BODY, "NOTE 1 See elsewhere.", WALLS, BODY), [1, 4]),
        (("a) For roofs of", "+class one:", BODY, WALLS, BODY), [2, 4]),
        ((ROOFS, ">" + BODY, WALLS, ">" + BODY), []),  # told by their indent
        (("a) roofs of class one;", BODY, "b) roofs of class two.", BODY), []),
        ((ROOFS, BODY, BODY), []),  # one item is no list
        ((ROOFS, WALLS, BODY), []),
        ((WALLS, BODY, "c) For others:", BODY), []),  # no first item
        ((), []),
    ],
)
def test_text_flush_below_announcing_items_is_theirs(texts: tuple[str, ...], found: list[int]) -> None:
    assert theirs(*texts) == found


def test_the_next_provision_ends_the_last_item() -> None:
    assert theirs(ROOFS, BODY, WALLS, BODY, "(2) Next.", BODY, openings=(4,)) == [1, 3]


@pytest.mark.parametrize(
    ("said", "text", "does"),
    [
        (["c) The coefficient is the least of:"], "k1 = 2 h / s or 5", True),
        (["c) The coefficient is", "the least of:", "k1 = 2 h / s"], "k2 ≤ 5", True),
        (["c) The coefficient is the least of:"], "In addition, for canopies of 5 m = half a bay", False),
        (["c) The coefficient is 5."], "k1 = 2 h / s", False),
        (["c) The least of:", "Others are given below."], "k1 = 2 h / s", False),
        ([], "k1 = 2 h / s", False),
    ],
)
def test_values_complete_the_item_that_announces_them(said: list[str], text: str, *, does: bool) -> None:
    assert completes(said, text) is does
