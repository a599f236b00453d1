"""The difference of two texts by words: what is a change and what only the setting."""

from __future__ import annotations

import pytest

from appliance.keeping.compare import around, difference, folded, shortened


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("not more than 1.0 m", "Not more\nthan 1.0 m", True),
        ("snow-\nload", "snow load", True),
        ("“quoted”", '"quoted"', True),
        ("150¹", "1501", True),  # a raised note mark is the digit that it is read as
        ("1.5", "15", False),
        ("1,5", "15", False),
        ("-5 °C", "5 °C", False),
        ("\N{MINUS SIGN}5", "-5", True),
        ("≤ 30", "≥ 30", False),
        ("< 30", "30", False),
        ("γM1", "γM2", False),
        ("20 %", "20", False),
        ("1/30", "130", False),
    ],
)
def test_only_the_setting_is_folded(one: str, other: str, same: bool) -> None:
    assert (folded(one) == folded(other)) is same


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("", "", []),
        ("", "all new", [("new", "all new")]),
        ("all gone", "", [("gone", "all gone")]),
        ("a width of 850 mm", "a width of 900 mm", ["a width of", ("gone", "850"), ("new", "900"), "mm"]),
        ("shall be 5 m", "shall not be 5 m", ["shall", ("new", "not"), "be 5 m"]),
        ("Same Words", "same   words", ["same words"]),
        ("עומס שלג 1.0", "עומס שלג 1.5", ["עומס שלג", ("gone", "1.0"), ("new", "1.5")]),
    ],
)
def test_words_that_differ_are_shown_with_those_that_do_not(
    old: str, new: str, shown: list[str | tuple[str, str]]
) -> None:
    expected = [("same", item) if isinstance(item, str) else item for item in shown]
    assert [(item.fate, item.text) for item in difference(old, new)] == expected


def test_what_stands_around_a_quotation_is_cut_but_never_taken_for_a_change() -> None:
    new = " ".join(["before"] * 60 + ["the width is 900 mm"] + ["behind"] * 60)
    found = around("the width is 850 mm", new, context=5)
    assert [item.text for item in found if item.fate != "same"] == ["850", "900"]
    assert found[0].text == "… before before before before before"
    assert found[-1].text.endswith("behind …")


def test_a_huge_text_is_compared_to_its_end() -> None:
    said = " ".join(map(str, range(100_000)))
    found = difference(said, f"{said} more")
    assert [item.fate for item in found] == ["same", "new"]


def test_of_a_long_difference_the_words_beside_each_change_are_shown() -> None:
    old = " ".join(["before"] * 60 + ["the width is 850 mm"] + ["behind"] * 60)
    found = shortened(difference(old, old.replace("850", " ".join(["900"] * 200))))
    assert [item.fate for item in found] == ["same", "gone", "new", "same"]
    assert found[0].text == "… before the width is"
    assert found[-1].text == "mm behind behind behind …"
    assert found[2].text == " ".join([*["900"] * 120, "…"])
