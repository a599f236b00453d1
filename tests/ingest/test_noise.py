"""Noise of character recognition: what is meant is found, what is right is left, values are flagged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Chunk, Document, Label, LineSpan, Page, Passage
from appliance.ingest.ocr.noise import doubtful_values, find_noise, likely_value, with_folded_words
from appliance.ingest.page import PageContent, Source, Word

OWN = "snow load column columns surface timber material permanent " * 6


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("colurnns", "columns"),
        ("fron1", "from"),
        ("tin1ber", "timber"),
        ("nlaterial", "material"),
        ("pernlanent", "permanent"),
        ("coef'ficient", "coefficient"),
        ("ditTerent", "different"),
        ("11lovement", "movement"),
        ("10ading", "loading"),
    ],
)
def test_a_misread_word_means_a_known_one(read: str, meant: str) -> None:
    assert find_noise([OWN, read]).meant.get(read) == meant


@pytest.mark.parametrize(
    "text",
    [
        "cladding eaves suction mansard Strouhal",  # rare words, near to others
        "Commission's 'floor' ~snow",
        "1991-1-4 B4 A1.2 kN/m2 20kN GL28h",  # no words
        "zzqzz xkcd",
        "",
    ],
)
def test_what_is_no_misreading_is_left(text: str) -> None:
    noise = find_noise([OWN, text])
    assert noise.meant == {}
    assert noise.share == 0


@pytest.mark.parametrize(
    ("token", "after", "value"),
    [
        ("O,7", "", "0,7"),
        ("I.35", "", "1.35"),
        ("l,5", "kN", "1,5"),
        ("1.S)", "", "1.5"),
        ("O.5m", "", "0.5 m"),
        ("(0,S", "", "0,5"),
        ("0,7", "", ""),
        ("B.4", "", ""),  # a label
        ("A.1", "kN", ""),
        ("E.1.S.2", "", ""),
        ("S.O", "", ""),  # no figure at all
        ("B1", "", ""),
        ("O,S", "", "0,5"),  # letters alone, about a comma
        ("O,OS", "m", "0,05"),
        ("a,a5", "for", "0,05"),
        ("a,a5t'", "for", "0,05 t"),
        ("a,b", "", ""),
        ("ZO,II", "", ""),  # an index
        ("1O", "%", "10"),
        ("5O", "mm", "50"),
        ("l00", "mm,", "100"),
        ("1O", "of", ""),
        ("S275", "N/mm2", ""),  # a grade
        ("Is", "m", ""),
        ("50", "mm", ""),
        ("of", "", ""),
    ],
)
def test_a_value_with_letters_among_its_figures(token: str, after: str, value: str) -> None:
    assert likely_value(token, after) == value


def _chunk(text: str, page: int) -> Chunk:
    box = Box(page, 0.1, 0.1, 0.9, 0.2)
    passage = Passage(text, (LineSpan(0, len(text), box),))
    return Chunk(Label(("1",)), (Label(("1",)),), "clause", "", (), passage, (box,))


def test_readings_are_searched_and_never_shown() -> None:
    pages = (Page(1, 600, 800, "", "ocr"), Page(2, 600, 800, "", "digital"))
    text = f"{OWN} colurnns of O,7 kNlm2"
    document = Document("a", "", "", "", "unknown", "en", "", "decimal", pages, ())
    document = with_folded_words(_with(document, _chunk(text, 1), _chunk(text, 2)))
    scanned, digital = document.chunks
    assert scanned.passage.text == digital.passage.text == text
    assert scanned.extra.split() == ["columns", "0,7", "kN/m2"]
    assert digital.extra == ""
    assert len(document.problems) == 1


def _with(document: Document, *chunks: Chunk) -> Document:
    return replace(document, chunks=chunks)


@pytest.mark.parametrize(("trust", "count"), [("ocr", 1), ("digital", 0)])
def test_a_doubtful_value_is_a_problem_with_its_box(trust: str, count: int) -> None:
    words = (Word("O,7", 60, 80, 90, 90, "F", 10), Word("kN", 95, 80, 110, 90, "F", 10))
    page = PageContent(3, 600, 800, "", words, (), (), trust)  # type: ignore[arg-type] # a column of the table
    problems = list(doubtful_values(Source("", "", (page,), ())))
    assert [(p.page, p.box and p.box.x0) for p in problems] == [(3, 0.1)] * count
    assert all("0,7" in p.message and "O,7" in p.message for p in problems)


@pytest.mark.parametrize(
    ("read", "value"), [("1SoC", "15°C"), ("1S°C.", "15°C"), ("15oC", ""), ("15°C", ""), ("SoC", "")]
)
def test_letters_among_the_figures_of_a_temperature(read: str, value: str) -> None:
    assert likely_value(read) == value
