"""Particulars of a statement against its quotations."""

from __future__ import annotations

import pytest

from appliance.answer.verify import unsupported, verdict

QUOTE = "The rise should be not more than 220 mm and at least 1,200 mm of width; see Table 1.1 and K1."


@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("The rise should be not more than 220 mm.", ()),
        ("The width is at least 1200 mm.", ()),
        ("The width is at least 1 200 mm.", ()),
        ("See Table 1.1 and K1.", ()),
        ("The rise should be not more than 230 mm.", ("230",)),
        ("The rise shall be 220 mm.", ("shall",)),
        ("The rise should not be 220 mm.", ("should not",)),
        ("The rise should be not less than 220 mm.", ("not less than",)),
        ("See Table 1.2.", ("1.2",)),
        ("See K2.", ("k2",)),
        ("The slope is 1:20.", ("1:20",)),
        ("Half of 220 is 110.", ("110",)),
        ("Either 220, 1200 or neither.", ()),
        ("From 220 200 mm.", ("220200",)),
        ("Nothing to build from.", ()),
    ],
)
def test_every_particular_must_stand_in_a_quote(statement: str, missing: tuple[str, ...]) -> None:
    assert unsupported(statement, [QUOTE]) == missing


def test_a_statement_without_quotes_is_never_confirmed() -> None:
    assert verdict("Stairs are good.", []) == (False, "no place of the documents is cited for this")


def test_the_reason_names_what_is_missing() -> None:
    confirmed, why = verdict("The rise is 300 mm.", [QUOTE])
    assert not confirmed
    assert "300" in why


def test_two_quotes_support_together() -> None:
    assert verdict("From 10 to 20.", ["it starts at 10", "it ends at 20"]) == (True, "")
