"""Which pages are read from their pictures: those whose text cannot be used, and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from appliance.ingest.ocr.pages import Why, agrees, from_ink, from_words, keeps, of_no_language
from appliance.ingest.ocr.process import Pixels
from appliance.ingest.page import PageContent, Picture, Stroke, Word

SENTENCE = (
    "the snow load on the roof should be taken from the table and it is given for each zone of the map "
)
SHIFTED = SENTENCE.translate({code: code - 29 for code in range(97, 123)})  # a map that lost its offset
SCAN = (Picture(0, 0, 600, 800),)
RULE = (Stroke(10, 10, 500, 10, "line"),)


def word(text: str, at: int, *, y: float = 0.0) -> Word:
    x, row = 20 + 50 * (at % 11), 20 + 14 * (at // 11)
    return Word(text, x, row + y, x + 40, row + y + 10, "F", 10)


def page(text: str, trust: Any = "digital", pictures: tuple[Picture, ...] = (), **more: Any) -> PageContent:
    words = tuple(word(piece, at) for at, piece in enumerate(text.split()))
    return PageContent(1, 600, 800, "", words, more.get("strokes", ()), pictures, trust)


def paper(*inked: Word, grey: int = 255) -> Pixels:
    pixels = np.full((800, 600), grey, dtype=np.uint8)
    for one in inked:
        pixels[int(one.y0) + 2 : int(one.y1) - 2, int(one.x0) + 2 : int(one.x1) - 2 : 2] = 0
    return pixels


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (page(SENTENCE * 4), None),
        (page("", "none", SCAN), Why.NONE),
        (page("", "none", strokes=RULE), Why.NONE),  # letters drawn as outlines
        (page("", "none"), None),  # an empty page
        (page(SHIFTED * 4), Why.GARBLED),
        (page("12,5 kN 3.4 0,7 " * 40), None),  # numbers say nothing of a language
        (page("\ufffd\ufffd\ufffd the " * 30), Why.UNKNOWN),
        (page("≤ \ufffd " + SENTENCE * 4), None),  # one sign without a meaning
        (page("licensed copy of a reader", "digital", SCAN), Why.PICTURE),
        (page("licensed copy of a reader", "digital", (Picture(0, 0, 100, 100),)), None),
        (page("Der Wind ist auf das Dach mit der Kraft zu setzen und die Last wird nach " * 5), None),
    ],
)
def test_what_the_words_say(content: PageContent, why: Why | None) -> None:
    assert from_words(content) is why


TEXT = tuple(word("print", at) for at in range(200))


@pytest.mark.parametrize(
    ("content", "pixels", "why", "stands"),
    [
        (page("", "none", SCAN), paper(*TEXT), Why.NONE, True),
        (page("", "none", SCAN), paper(), Why.NONE, False),  # a white sheet
        (page("", "none", SCAN), paper(grey=90), Why.NONE, False),  # a photograph
        (page("title", "digital", SCAN), paper(*TEXT), Why.PICTURE, True),
        (page("title", "digital", SCAN), paper(TEXT[0]), Why.PICTURE, False),  # all that is printed is text
        (page(SENTENCE * 4, "ocr", SCAN), paper(*TEXT), None, False),
        (page("far away " * 40, "ocr", SCAN), paper(*(word("x", at, y=500) for at in range(80))), None, True),
        (page(SHIFTED * 4), paper(), Why.GARBLED, True),
    ],
)
def test_what_the_ink_says(content: PageContent, pixels: Pixels, why: Why | None, stands: bool) -> None:
    found = from_ink(content, pixels, why)
    assert (found is not None) is stands
    assert found in {why, Why.ELSEWHERE, None}


GREEK = "τα φορτία χιονιού στις στέγες προσδιορίζονται από τον πίνακα και για κάθε ζώνη του χάρτη "
UNKNOWN_GREEK = "ύφψϋζθ ώπφτπφϔ ϊϋπω ϊϋδκμω χψδχμπ τθ χψφϊλπφψζνφτϋθπ ρθπ κπθ ργομ "  # each letter moved on
RUSSIAN = "снеговая нагрузка на покрытие должна определяться по таблице и для каждого района карты "
GEORGIAN = "თოვლის დატვირთვა სახურავზე უნდა განისაზღვროს ცხრილის მიხედვით რუკის ყოველი ზონისთვის "
FINNISH = "lumikuorma katolla lasketaan taulukosta kartasta "
MISREAD = "ta poptia xoviou otic oteyec npoabiopiCovtai an tov nivaka "


@pytest.mark.parametrize(
    ("layer", "why"),
    [
        (GREEK, None),
        (RUSSIAN, None),
        (GEORGIAN, None),  # no word of it is known
        ("يجب تحديد حمل الثلج على السقف وفقا للجدول ", None),
        ("עומס השלג על הגג ייקבע לפי טבלה ", None),
        ("Çatı üzerindeki kar yükü çizelgeden belirlenmeli ve bölgesi için değer ile verilmelidir ", None),
        ("Ñíåãîâàÿ íàãðóçêà ïîêðûòèå äîëæíà îïðåäåëÿòüñÿ òàáëèöå ", Why.GARBLED),  # Cyrillic as Latin
        ("нaгрyзкa тaблицe рaйoнa кaрты пoкрытиe ", Why.GARBLED),  # letters of two scripts in a word
        ("\u0378\u0379\u0380\u0381 ", Why.UNKNOWN),  # code points that Unicode gives no meaning
    ],
)
def test_a_layer_in_another_script_is_no_garbled_one(layer: str, why: Why | None) -> None:
    assert from_words(page(layer * 15)) is why


@pytest.mark.parametrize(
    ("why", "layer", "read", "score", "kept"),
    [
        (Why.GARBLED, SHIFTED, SENTENCE, 0.9, False),
        (Why.GARBLED, SHIFTED, FINNISH, 0.95, False),  # a language without known words, surely read
        (Why.GARBLED, SHIFTED, FINNISH, 0.5, True),
        (Why.GARBLED, FINNISH, FINNISH, 0.5, True),
        (Why.GARBLED, FINNISH, FINNISH.replace("ll", "Il"), 0.5, True),
        (Why.GARBLED, UNKNOWN_GREEK, MISREAD, 0.95, True),  # the recogniser knows no Greek
        (Why.GARBLED, UNKNOWN_GREEK, SENTENCE, 0.9, False),  # it was English that was printed
        (Why.ELSEWHERE, GREEK, MISREAD, 0.9, True),
        (Why.ELSEWHERE, SENTENCE, SENTENCE, 0.9, False),
        (Why.NONE, "", MISREAD, 0.9, False),
    ],
)
def test_a_reading_replaces_a_layer_only_where_it_is_better(
    why: Why, layer: str, read: str, score: float, *, kept: bool
) -> None:
    assert keeps(why, page(layer * 12).words, page(read * 12).words, score) is kept


def test_a_kept_layer_of_no_known_language_is_told() -> None:
    assert of_no_language(page(UNKNOWN_GREEK * 10).words)
    assert not of_no_language(page(GREEK * 10).words)
    assert not of_no_language(page(SHIFTED * 10).words)


def test_a_layer_in_a_language_without_known_words_agrees_with_its_picture() -> None:
    layer = page("lumikuorma katolla lasketaan taulukosta ja kartasta " * 3).words
    assert agrees(layer, page("Lumikuorma katolla lasketaan tauIukosta ja kartasta " * 3).words)
    assert not agrees(page(SHIFTED * 2).words, page(SENTENCE * 2).words)
