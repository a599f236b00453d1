"""How items of lists begin."""

from __future__ import annotations

import pytest

from appliance.text.sentences import mark_of


@pytest.mark.parametrize(
    ("text", "kind", "sign"),
    [
        ("– the width", "dash", "–"),
        ("- the width", "dash", "-"),
        ("• the width", "dash", "•"),
        ("a) the width", "letter", "a"),
        ("(b) the width", "letter", "b"),
        ("c. the width", "letter", "c"),
        ("i. the width", "letter", "i"),
        ("iv) the width", "roman", "iv"),
        ("(xii) the width", "roman", "xii"),
        ("3) the width", "number", "3"),
        ("12. the width", "number", "12"),
        ("(2) the width", "bracketed", "2"),
        ("  a) the width", "letter", "a"),
    ],
)
def test_the_mark_of_an_item_is_read_with_its_kind(text: str, kind: str, sign: str) -> None:
    mark = mark_of(text)

    assert mark is not None
    assert (mark.kind, mark.sign) == (kind, sign)
    assert text[mark.end :] == "the width"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a)",
        "a width",
        "A) the width",
        "2.1 the width",
        "2005. Widths of more",
        "100) more",
        "(2)P the width",
        "iiw) the width",
        "-12 °C at night",
        "(a the width",
        "etc. and more",
    ],
)
def test_what_begins_no_item_has_no_mark(text: str) -> None:
    mark = mark_of(text)

    assert mark is None


def test_the_mark_of_a_later_line_is_read_where_it_begins() -> None:
    text = "the following:\na) a width"

    mark = mark_of(text, text.index("a)"))

    assert mark is not None
    assert text[mark.end :] == "a width"
    assert mark_of(text) is None
