"""Words and numbers of headers: what a printed number means, and which answers to which."""

from __future__ import annotations

from math import inf

import pytest

from appliance.tables.ranges import Range, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("40 degrees", (Range(40, 40, unit="°"),)),
        ("48\u00baC", (Range(48, 48, unit="°c"),)),  # no mark of a footnote
        ("30\u02da", (Range(30, 30, unit="°"),)),
        ("7,5 kN/m 2", (Range(7.5, 7.5, unit="kn/m2"),)),
        ("35 to 42", (Range(35, 42),)),
        ("30° < α < 60°", (Range(30, 60, low_open=True, high_open=True, unit="°"),)),
        ("≤ 3 m", (Range(-inf, 3, unit="m"),)),
        ("\u0663 m", (Range(3, 3, unit="m"),)),  # a digit of another alphabet
        ("3 metres or less", (Range(-inf, 3, unit="m"),)),
        ("less than three metres", (Range(-inf, 3, high_open=True, unit="m"),)),
        ("one metre, the one", (Range(1, 1, unit="m"), "one")),
        ("4-pole, four poles", (Range(4, 4), "pole", Range(4, 4), "pole")),
        (">14–32kW", (Range(14, 32, low_open=True, unit="kw"),)),
        ("over 10m up to 25 m", (Range(10, 25, low_open=True, unit="m"),)),
        ("wider than 900mm", (Range(900, inf, low_open=True, unit="mm"),)),
        ("no longer than 3 m", (Range(-inf, 3, unit="m"),)),
        ("does not exceed 6m", ("doe", Range(-inf, 6, unit="m"))),
        ("in excess of 20 kW", (Range(20, inf, low_open=True, unit="kw"),)),
        ("höchstens 5 m, über 20 kW", (Range(-inf, 5, unit="m"), Range(20, inf, low_open=True, unit="kw"))),
        ("10 bis 20 mm", (Range(10, 20, unit="mm"),)),
        ("between 2 and 5 m", (Range(2, 5, unit="m"),)),
        ("0,2", (Range(0.2, 0.2),)),
        ("1,200 mm", (Range(1200, 1200, unit="mm"),)),
        ("-0,5", (Range(-0.5, -0.5),)),
        ("1000⁷", (Range(1000, 1000),)),
        ("1½", (Range(1.5, 1.5),)),
        ("G½ and G1", ("g1/2", "g1")),
        ("1 in 40", ("1:40",)),
        ("3 m ~ d~ 5 m", (Range(3, 5, unit="m"),)),  # signs that a scan lost
        ("0° S; a s; 30°", (Range(0, 30, unit="°"),)),
        ("a?: 60°", (Range(60, inf, unit="°"),)),
        ("-7So", (Range(-75, -75, unit="°"),)),
        ("= 180 mm", (Range(180, 180, unit="mm"),)),  # a nought that is printed stays
        ("30 s", (Range(30, 30, unit="s"),)),
        ("Zo", ("z0",)),
        ("EN 1991-1-4", ("en", Range(1991, 1991), Range(1, 1), Range(4, 4))),
        ("", ()),
    ],
)
def test_what_a_printed_number_means(text: str, expected: tuple[object, ...]) -> None:
    assert tokens(text) == expected
