"""Words of cells that the end of a line parted."""

from __future__ import annotations

import pytest

from appliance.ingest.tables.cells import whole

WORDS = frozenset(["variable", "self-weight", "gas", "fired", "set", "windward", "lee", "re-entrant"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Permanent / vari-able", "Permanent / variable"),
        ("Vari-able, self-weight", "Variable, self-weight"),
        ("storage and transporta-tion", "storage and transportation"),  # a word of the language
        ("gas-fired", "gas-fired"),  # two words of the document
        ("re-entrant corner", "re-entrant corner"),
        ("wind\u00ad ward wall", "windward wall"),
        ("self\u00ad weight", "self-weight"),
        ("U-, T\u00ad and solid sections", "U-, T- and solid sections"),
        ("pre- and post-tensioned", "pre- and post-tensioned"),
        ("\u00ad0.5", "-0.5"),  # drawn within a line: a minus
        ("1\u00ad2 h", "1-2 h"),
        ("EN 1991-1-1 to A-b", "EN 1991-1-1 to A-b"),
        ("qzxw-vkj", "qzxw-vkj"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_parted_words_are_whole(text: str, said: str) -> None:
    assert whole(text, WORDS) == said
