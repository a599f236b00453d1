"""Sentences of the engine in the language of the page."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from appliance.web.language import COOKIE, WORDS, foreign, said, templates, worded

GERMAN = {"Cookie": f"{COOKIE}=de"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("estimated chance 9 in 10", "geschätzte Aussicht 9 von 10"),
        ("none; answers are quotations", "keines; Antworten sind Zitate"),
        ("24.1 of 30.0 GiB free", "24,1 von 30,0 GiB frei"),
        (
            "No place found gives the value asked for; it is spoken of in DC-0 1.1, DC-0 1.2.",
            "Keine gefundene Stelle gibt den gefragten Wert an; davon sprechen DC-0 1.1, DC-0 1.2.",
        ),
        (
            "2 of 5 statements not confirmed (the quotation does not hold 12: compare it with the page)",
            "2 von 5 Aussagen nicht bestätigt (im Zitat steht nicht: 12; mit der Seite vergleichen)",
        ),
        (
            "the quotation does not hold 9, 7.17: compare it with the page",
            "im Zitat steht nicht: 9, 7.17; mit der Seite vergleichen",
        ),  # as a code prints it
        ("1 references could not be followed", "1 Verweis ließ sich nicht verfolgen"),
        ("first place found by lexical, dense, graph, graph", None),
    ],
)
def test_a_known_sentence_is_said_in_german(app: Flask, text: str, shown: str | None) -> None:
    with app.test_request_context("/", headers=GERMAN):
        found = str(said(text))
    assert "lang=" not in found
    assert shown is None or found == shown


def test_ways_of_finding_are_words_of_ours_and_each_once(app: Flask) -> None:
    with app.test_request_context("/"):
        found = str(said("first place found by lexical, dense, graph, graph"))
    assert found == "first place found by its words, its meaning, references"


@pytest.mark.parametrize(
    "text", ["A sentence <b>nobody</b> knows.", "Disk full", "estimated chance", "A is nowhere"]
)
def test_an_unknown_sentence_is_marked_as_english(app: Flask, text: str) -> None:
    with app.test_request_context("/", headers=GERMAN):
        found = str(said(text))
    assert found.startswith('<span lang="en" data-untold>')
    assert "<b>" not in found
    with app.test_request_context("/"):
        assert "<span" not in str(said(text))


def test_every_template_knows_its_own_sentence(app: Flask) -> None:
    texts = [
        re.sub(r"%\((\w+)\)s", lambda value: "table" if value[1] in WORDS else f"<{value[1]}>", template)
        for template in templates()
    ]
    with app.test_request_context("/"):
        assert [worded(text) for text in texts] == texts


def test_nothing_is_said_of_nothing(app: Flask) -> None:
    with app.test_request_context("/", headers=GERMAN):
        assert said("") == ""


@pytest.mark.parametrize(
    ("question", "languages", "cookie", "shown"),
    [
        ("Wie hoch muss das Geländer für die Treppe sein", ["en"], "en", "Sprache geschrieben: English"),
        ("Quelle est la hauteur de la rampe", ["en"], "en", "Posez la question"),
        ("Wie hoch muss das Geländer für die Treppe sein", ["en", "de"], "en", ""),
        ("How high must the guarding of a stair be", ["en"], "de", ""),
        ("Brüstungshöhe", ["en"], "de", "Bitte fragen Sie darin"),
        # no common word: letters of one language alone, else the script
        ("obciążenie śniegiem dachu", ["en"], "en", "Proszę zadać pytanie"),
        ("屋根の積雪荷重", ["en"], "en", "その言語で質問してください"),
        ("屋面雪荷载", ["en"], "en", "请用该语言提问"),
        ("계단의 최소 폭", ["en"], "en", "그 언어로 질문해"),
        ("Brüstungshöhe", ["en"], "en", ""),
        ("ما هو الحمل الحي للشرفة", ["en"], "en", "المستندات مكتوبة بهذه اللغة: English"),
        ("вес бетона", ["en", "de"], "en", "Документы написаны на языке: Deutsch, English"),
        ("雪荷载是多少", ["en"], "de", "English"),
        ("ψ0, μ1", ["en"], "en", ""),
        ("Wie hoch ist die Last", [""], "en", ""),
    ],
)
def test_a_question_in_another_language_than_the_documents_is_told(
    app: Flask, question: str, languages: list[str], cookie: str, shown: str
) -> None:
    with app.test_request_context("/", headers={"Cookie": f"{COOKIE}={cookie}"}):
        told, _ = foreign(question, languages)
        assert shown in told
        assert bool(shown) == bool(told)
        assert foreign("Brüstung Kosten", ["en"], ["Kosten of a parapet"]) == ("", "")
