"""Words and names of a text, as cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.text.terms import MARK, fold, fold_label, names, numbered, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5.3.2(7)", "5.3.2 (7)P"),
        ("5.3.2(7)", "5.3.2 (7)B"),
        ("BB.1.3(3)", "BB.1.3 (3)BP"),
        ("5.3.2(7)", "5.3.2(l)".replace("l", "7")),
        ("Table 4.2", "Tabie 4,2"),
        ("Table 4.2", "TABLE  4.2."),
        ("Table 10", "Table lO"),
        ("Table NA.A1.2(B)", "table NA A1.2 (B)"),
        ("Annex B", "annex B:"),
        ("C.7", "C7"),
        ("EN 1991-1-3", "EN 1991\u20111\u20113"),
        ("γ_G", "gamma_G"),
        ("Form 3", "Fonn 3".replace("nn", "rm")),
    ],
)
def test_labels_that_are_one(one: str, other: str) -> None:
    assert fold_label(one) == fold_label(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5.3.2", "5.32"),
        ("5.3.2(7)", "5.3.27"),
        ("Table 4.2", "Figure 4.2"),
        ("1.1", "1.10"),
        ("A.1", "B.1"),
        ("5.2(1)", "5.2(1)b"),
    ],
)
def test_labels_that_are_not_one(one: str, other: str) -> None:
    assert fold_label(one) != fold_label(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see 5.3.2(7)", {"5.3.2(7)", "5.3.2"}),
        ("BS EN 1991-1-3:2003", {"bsen1991-1-3", "en1991-1-3", "1991-1-3"}),
        ("Table 4.2", {"tab1e4.2", "4.2"}),
        ("Tabie 4,2", {"tab1e4.2", "4.2"}),
        ("a load of 150 mm", {"150mm"}),
        ("a load of 150mm", {"150mm"}),
        ("4,2 kN/m²", {"4.2kn/m2", "kn/m2"}),
        ("partial factor γG", set()),
        ("gamma_G", {"gammag"}),
        ("s_k and γ_{G}", {"sk", "gammag"}),
        ("Requirement K1", {"requ1rementk1", "k1"}),
        ("Table NA.A1.2(B)", {"tab1enaa1.2(b)", "a1.2(b)"}),
    ],
)
def test_names_whole_and_in_parts(text: str, expected: set[str]) -> None:
    assert expected <= set(names(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("γG", ["gammag"]),
        ("gamma_G", ["gamma", "g"]),
        ("Café, naïve", ["cafe", "naive"]),
        ("150mm", ["150", "mm"]),
        ("1,000 mm", ["1", "000", "mm"]),
        ("2,5 m", ["2.5", "m"]),
        ("ﬁre", ["fire"]),
        ("m²", ["m2"]),
        ("", []),
        ("?!()*\"'", []),
        ("雪荷载", ["雪荷载"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_what_prints_as_a_degree_is_one_but_behind_a_letter() -> None:
    assert {fold(text) for text in ("48\u02daC", "48\u00baC", "48\u00b0C")} == {"48\u00b0c"}
    assert fold("N\u00ba 5") == "no 5"


def test_number_knows_its_neighbours() -> None:
    (name,) = numbered("as clause 5.2 says")
    assert (name.words, name.number, name.unit) == (("as", "clause"), "5.2", "says")


@given(st.text())
def test_any_text_folds_to_itself_and_never_holds_the_mark(text: str) -> None:
    folded = fold(text)
    assert MARK not in folded
    assert words(folded) == words(text)
    assert all(term and " " not in term for term in (*words(text), *names(text)))
