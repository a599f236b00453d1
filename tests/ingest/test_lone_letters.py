"""Which lone letters of a row may be a sign of comparison."""

import pytest

from appliance.ingest.lone_letters import compared
from appliance.ingest.page import Word


def row(text: str) -> list[Word]:
    return [Word(word, 40.0 * at, 0, 40.0 * at + 30, 10, "f", 10) for at, word in enumerate(text.split())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a self-weight s 1,0 kN/m", ["s"]),
        ("100 s; b s; 2 200", ["s;", "s;"]),
        ("h s; 1 m", ["s;"]),
        ("h :s 30", [":s"]),
        ("the value s is taken", []),
        ("walls; 30 kN", []),
        ("s 1,0", []),  # nothing stands before it
    ],
)
def test_an_s_before_a_number_is_looked_at(text: str, found: list[str]) -> None:
    assert [word.text for word in compared(row(text))] == found
