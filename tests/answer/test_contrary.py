"""A row or head for the opposite of what is asked: told by a negation or a word that excludes another."""

from __future__ import annotations

import pytest
from appliance.answer.contrary import opposed


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("vent for a tank with a lid", "tank with no lid", True),
        ("vent for a tank with a lid", "tank with a lid", False),
        ("vent for a tank without a lid", "tank with a lid", True),
        ("vent for a tank", "tank with no lid", False),  # nothing is said of it
        ("vent for a tank with a lid", "tank with no lid or lid that does not close", False),  # says both
        ("area in a multi-storey house", "single-storey houses", True),
        ("area in a multi-storey house", "houses of multiple floors", False),
        ("area in single-storey and multi-storey houses", "single-storey houses", False),
        ("", "no lid", False),
    ],
)
def test_opposites(asked: str, text: str, expected: bool) -> None:
    assert opposed(asked, text) is expected
