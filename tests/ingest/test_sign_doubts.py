"""Doubts about signs of scans: every formula, odd words of the text, and nothing that is sound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Clause, Document, Formula, Label, Page, Passage, Table, Term
from appliance.ingest.definitions.terms import LOST
from appliance.ingest.ocr.sign_doubts import NAMED, doubtful_signs, is_odd
from appliance.ingest.page import PageContent, Source, Word


def word(text: str, x: float = 100.0, y: float = 100.0) -> Word:
    return Word(text, x, y, x + 20, y + 10, "scan", 10.0)


MIXED = ["ES>1", "1-'1", "Jiw:<;;", "'I/o,", "b£2", "k!d"]


@pytest.mark.parametrize("text", ["j3", "(::;", "lj/", "Jl1", "~", "1'1", ":::;", "f-i", *MIXED])
def test_an_odd_word_is_told(text: str) -> None:
    assert is_odd(word(text))


@pytest.mark.parametrize(
    "text",
    [
        "2:",
        "A.1",
        "1991-1-3::",
        "slope",
        "~slope",
        ".....",
        "@il",
        "1,35",
        "f1",
        "If",
        "in",
        "",
        "(5.1)",
        "L1",
        "h>5m",
        "1991-1-4:2005+A1",
        "map@!)",  # the tag of an amendment behind a word
        "building's",
        "n'est",
        "a/b",
        "c=1,0",
        "qp(z)=qp(b)",
        "kN/m2",
        "50%",
        "1:20",
    ],
)
def test_a_sound_word_is_let_be(text: str) -> None:
    assert not is_odd(word(text))


def _document(trust: str, words: tuple[Word, ...]) -> tuple[Document, Source]:
    formula = Formula(Label(("(5.1)",)), "s = μ · s_k", "", (Box(1, 0.5, 0.5, 0.9, 0.6),))
    page = PageContent(1, 500, 700, "", words, (), (), trust=trust)  # type: ignore[arg-type]  # a literal of the table
    clause = Clause(Label(("1",)), "clause", "", Passage("", ()), None, 1, (Box(1, 0.1, 0.0, 0.9, 0.9),))
    document = Document(
        id="d", designation="", title="", edition="", status="unknown", language="en", sha256="",
        family="generic", pages=(Page(1, 500, 700, "", page.trust),), formulas=(formula,),
        clauses=(clause,),
    )  # fmt: skip
    return document, Source("", "", (page,), ())


def test_every_formula_of_a_scan_is_doubtful_and_has_its_box() -> None:
    (problem,) = doubtful_signs(*_document("ocr", ()))
    assert problem.doubt
    assert problem.box == Box(1, 0.5, 0.5, 0.9, 0.6)
    assert "(5.1)" in problem.message


def test_a_page_with_a_true_text_layer_has_no_doubts() -> None:
    assert list(doubtful_signs(*_document("digital", (word("j3"),)))) == []


def test_odd_words_of_a_page_are_counted_beyond_a_few() -> None:
    words = tuple(word("j3", y=20.0 + 10 * at) for at in range(NAMED + 4))
    problems = list(doubtful_signs(*_document("ocr", words)))[1:]
    assert len(problems) == NAMED + 1
    assert "4 more" in problems[-1].message
    assert problems[-1].box is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((word("~"), word("specified", 130)), 0),  # the tag of an amendment
        ((word("0,8", 70), word("~"), word("b", 130)), 1),  # what is left of a bound
        ((word("0,8", 70), word("~", y=690), word("b", 130)), 0),  # at the foot, in no clause
    ],
)
def test_a_stray_mark_counts_beside_a_value(words: tuple[Word, ...], told: int) -> None:
    assert len(list(doubtful_signs(*_document("ocr", words)))) == 1 + told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((word("1"), word(",5m", 121)), 1),
        ((word("1"), word("O", 121)), 1),
        ((word("e/1"), word("O", 121)), 0),
        ((word("1"), word(",5m", 150)), 0),  # too far to be one number
        ((word("1"), word("m", 121)), 0),
        ((word("1"), word("O.K.", 121)), 0),
    ],
)
def test_a_torn_number_is_told(words: tuple[Word, ...], told: int) -> None:
    assert len(list(doubtful_signs(*_document("ocr", words)))) == 1 + told


def test_signs_in_the_title_of_a_table_are_told() -> None:
    made, source = _document("ocr", (word("Values"), word("'I/o", 130)))
    table = Table(Label(("Table 1",)), "Values of 'I/o", (), (), (Box(1, 0.0, 0.1, 0.9, 0.5),))
    (title, *_) = (p for p in doubtful_signs(replace(made, tables=(table,)), source) if "title" in p.message)
    assert title.message.startswith("“'I/o” in the title of Table 1")
    assert title.box == Box(1, 0.26, 0.14286, 0.3, 0.15714)


def test_words_of_a_formula_are_not_told_again() -> None:
    assert len(list(doubtful_signs(*_document("ocr", (word("j3", 300, 380),))))) == 1


@pytest.mark.parametrize(
    ("symbol", "doubtful"),
    [
        (LOST, True),
        ("fJ", True),
        ("ljIo", True),
        ("¢", True),
        ("If/o", True),
        ("Jl1", True),
        ("Oe", True),
        ("Ovv", True),
        ("7in", True),
        ("I1T", True),
        ("k1,k2", False),
        ("F1k", False),
        ("sk", False),
        ("Ce", False),
        ("A", False),
        ("Tmax,p", False),
        ("ψ1", False),
    ],
)
def test_symbols_of_a_scan_are_kept_and_doubted(symbol: str, doubtful: bool) -> None:
    document, source = _document("ocr", ())
    box = Box(1, 0.1, 0.1, 0.5, 0.12)
    term = Term(symbol, Passage("factor for the load", ()), Label((symbol,)), (box,), "symbol")
    listed = replace(document, formulas=(), terms=(term,))
    assert [problem.box for problem in doubtful_signs(listed, source)] == ([box] if doubtful else [])
