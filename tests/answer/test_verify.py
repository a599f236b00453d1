"""Particulars of a statement against its quotations."""

from __future__ import annotations

import pytest

from appliance.answer.statement_support import Claim, unsupported, verdict

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


@pytest.mark.parametrize(
    ("statement", "quote", "missing"),
    [
        ("5 kN/m2", "5 kPa", ("kN/m2",)),
        ("45 degrees", "45 %", ("degrees",)),
        ("60 l/s", "Rate (l/s) | 60", ()),
        ("2.5 kN/m²", "qk in kN/m2 | 2.5", ()),
        ("150 mm", "150mm", ()),
        ("10 minutes", "10 m inutes", ()),
        ("3 stairs", "3", ()),
    ],
)
def test_the_unit_behind_a_number_must_stand_in_the_quote(
    statement: str, quote: str, missing: tuple[str, ...]
) -> None:
    assert unsupported(statement, [quote]) == missing


HEADS = "Property | Minimum | Number of tests | Age (days) | Partial factor"
CELLS = "Compressive strength (N/mm2) | 30 | 3 | 28 | 1.5"
USES = "Fitting | Use factor | Fixed use (litres/ person/ day)"


@pytest.mark.parametrize(
    ("statement", "quotes", "missing"),
    [
        ("Compressive strength (N/mm2): Minimum 30 N/mm2; Age (days) 28 days", (HEADS, CELLS), ()),
        ("Compressive strength (N/mm2): Partial factor 1.5 N/mm2", (HEADS, CELLS), ("N/mm2",)),
        ("Compressive strength (N/mm2): Number of tests 3 N/mm2", (HEADS, CELLS), ("N/mm2",)),
        ("Compressive strength (N/mm2): Age (days) 28 N/mm2", (HEADS, CELLS), ("N/mm2",)),
        ("Compressive strength (N/mm2): Minimum 30 days", (HEADS, CELLS), ("days",)),
        ("The partial factor is 1.5 days.", (HEADS, CELLS), ("days",)),
        ("28 days of age", (HEADS, CELLS), ()),
        ("Tap (l/s): Use factor 0.44 l/s", (USES, "Tap (l/s) | 0.44 | 10.36"), ("l/s",)),
        ("Tap (l/s): Fixed use (litres/ person/ day) 10.36 l/s", (USES, "Tap (l/s) | 10.36"), ("l/s",)),
        (
            "Tap (l/s): Fixed use (litres/ person/ day) 10.36 litres/person/day",
            (USES, "Tap (l/s) | 10.36"),
            (),
        ),
        ("Homes: 2: 12 m2", ("Rooms | 2", "Areas in m2", "Homes | 12"), ()),  # of the caption
        ("a gap of 5 mm and 8 m", ("a gap of 8 mm and 5 m",), ("mm", "m")),  # of another number
        ("5 mm", ("the bars | 5 | up to 80 mm",), ("mm",)),
        ("600 mm by 400 mm", ("600 x 400 mm",), ()),
        ("between 5 mm and 8 mm", ("5 to 8 mm",), ()),
        ("24.0 kN/m3", ("24.0ᵃ,ᵇ kN/m³",), ()),
        ("1.25 l/place", ("uses 1.25 l/place setting",), ()),
        ("1.25 l/place", ("uses 1.25 l in a place",), ("l/place",)),
        ("Φ,y(s): K 0.13 s", ("Shape | K", "Φ,y(s) | 0,13"), ("s",)),
        ("5 mm", (), ("5", "mm")),
    ],
)
def test_a_unit_is_that_of_its_own_number(
    statement: str, quotes: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    assert unsupported(statement, quotes) == missing


def test_a_claim_without_quotes_is_never_confirmed() -> None:
    said = "no place of the documents is cited for this"
    assert verdict([Claim("Stairs are good.", ())]) == (False, said)
    assert verdict([]) == (False, said)


def test_a_number_of_another_row_does_not_confirm() -> None:
    rows = [Claim("Timber: density 24", ("Timber | 5",)), Claim("Concrete: density 5", ("Concrete | 24",))]
    confirmed, why = verdict(rows)
    assert not confirmed
    assert "24" in why
    assert "5" in why


def test_the_reason_names_what_is_missing() -> None:
    confirmed, why = verdict([Claim("The rise is 300 mm.", (QUOTE,))])
    assert not confirmed
    assert "300" in why


def test_two_quotes_support_together() -> None:
    assert verdict([Claim("From 10 to 20.", ("it starts at 10", "it ends at 20"))]) == (True, "")


@pytest.mark.parametrize(
    ("statement", "quote", "confirmed"),
    [
        ("at most 900 mm", "not more than 900 mm", False),  # other words: the reader must be told
        ("no more than 170 mm", "no less than 170 mm", False),
        ("should not be used", "should be used", False),
        ("should be used", "should not be used", False),
        ("Doors shall open", "Doors should open", False),
        ("a width of 1 200 mm", "a width of 1\n200 mm", True),
        ("1,200 mm", "1200 mm", True),
        ("0,75 kN/m²", "0.75 kN/m2", True),
        ("0.75 kN/m2", "0,75 kN/m²", True),
        ("0.75 kN/m2", "075 kN/m2", False),
        ("between 150 mm and 220 mm", "between 150mm and 220mm", True),
        ("150-220 mm", "150–220 mm", True),
        ("25 kN/m³", "25 kN/m2", False),
        ("25 kN/m", "25 kN/m2", False),
        ("10 m", "10 mm", False),
        ("1/2 of the area", "½ of the area", True),
        ("it is not 5 mm", "it is 5 mm", False),
        ("it is never allowed", "it is allowed", False),
        ("without a landing", "with a landing", False),
        ("only 5 mm", "5 mm", False),
        ("under 5 mm", "over 5 mm", False),
        ("≤ 5 mm", "≥ 5 mm", False),
        ("< 5 mm", "> 5 mm", False),
        ("-5 °C", "5 °C", False),
        ("−5 °C", "-5 °C", True),
        ("1.5", "15", False),
        ("below ground", "above ground", False),
        ("5.3.2(7)", "5.3.2(8)", False),
    ],
)
def test_what_changes_the_meaning_of_a_number_is_seen(statement: str, quote: str, *, confirmed: bool) -> None:
    assert (unsupported(statement, [quote]) == ()) is confirmed
