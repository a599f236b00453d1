"""Printed numbers, each with what it is."""

from __future__ import annotations

import re

import pytest

from appliance.text.numbers import NUMBER, value, with_plain_digits


@pytest.mark.parametrize(
    ("printed", "comma", "number"),
    [
        ("900", False, 900),
        ("1,250", False, 1250),
        ("1,250", True, 1.25),
        ("1,250.5", True, 1250.5),
        ("1,000,000", True, 1_000_000),
        ("0,500", False, 0.5),
        ("0,75", False, 0.75),
        ("2,5", False, 2.5),
        ("2,1234", False, 2.1234),
        ("1 250", False, 1250),
        ("10 000,5", False, 10000.5),
        ("1\u00a0250", True, 1250),
        ("1\u202f250\u202f000", False, 1_250_000),
        ("1.234,5", False, 1234.5),
        ("1.000.000", False, 1_000_000),
        ("1.250", True, 1.25),
        ("0.014", False, 0.014),
        ("\u22125", False, -5),
        ("\u2212 0,5", False, -0.5),
        ("\u20135", False, -5),
        ("+3", False, 3),
    ],
)
def test_a_printed_number(printed: str, comma: bool, number: float) -> None:
    assert value(printed, comma=comma) == number
    assert re.fullmatch(NUMBER, printed.lstrip("+-\u2212\u2013 "))


@pytest.mark.parametrize("printed", ["", "-", "1.2.3", "1,2,3", "1,25.5", "nan", "inf", "1e5", "\u0663", "m"])
def test_what_is_no_number(printed: str) -> None:
    with pytest.raises(ValueError, match="is no number"):
        value(printed)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1 250 mm", ["1 250"]),
        ("150 225", ["150", "225"]),
        ("100 000 N", ["100 000"]),
        ("1 2500", ["1", "2500"]),
        ("0,500 m and 1.5 m", ["0,500", "1.5"]),
        ("12 5", ["12", "5"]),
        ("1,250.75", ["1,250.75"]),
    ],
)
def test_numbers_in_a_text(text: str, numbers: list[str]) -> None:
    assert re.findall(NUMBER, text) == numbers


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\u0663 handrails", "3 handrails"),
        ("\u0969\u0966\u0966 mm, \uff15.2", "300 mm, 5.2"),
        ("m\u00b2 of \u00bd, \u2460, \u2167", "m\u00b2 of \u00bd, \u2460, \u2167"),  # no decimal digits
        ("", ""),
    ],
)
def test_digits_of_any_alphabet_are_those_of_codes(text: str, plain: str) -> None:
    assert with_plain_digits(text) == plain


def test_other_digits_are_no_number_of_a_text() -> None:
    assert re.findall(NUMBER, "\u0663 and 4 and 1\u0663") == ["4", "1"]
