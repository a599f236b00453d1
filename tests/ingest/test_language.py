"""The language of a text, and references in the words of others than English."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Document
from appliance.ingest.references.find import find_references
from appliance.ingest.references.resolve import resolve_internal
from appliance.text.language import language_name, language_of
from tests.factories import clause, document, figure, formula, table

ENGLISH = (
    "The load of the wall shall be taken as the value that is given in this rule, and it is to be safe. "
)
GERMAN = (
    "Die Last der Wand ist nach dieser Regel zu bestimmen, und der Boden muss sie bei jeder Wand tragen. "
)
FRENCH = "La charge du mur est donnée par la règle et le plancher doit la porter dans le bâtiment. "
GREEK = (
    "Το φορτίο του τοίχου πρέπει να είναι η τιμή που δίνεται στον κανόνα και το δάπεδο να φέρει το βάρος. "
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH * 9, "en"),
        (GERMAN * 9, "de"),
        (FRENCH * 9, "fr"),
        (GREEK * 9, "el"),
        (ENGLISH * 20 + GERMAN * 4, "en"),
        (ENGLISH * 6 + GERMAN * 10, ""),  # two prints side by side: neither stands out
        (GERMAN, ""),  # too short
        ("kN m mm MPa 0,5 " * 90, ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert language_of([text]) == language


def test_an_unknown_language_is_called_by_its_code() -> None:
    assert (language_name("el"), language_name("xx")) == ("Greek", "xx")


def written(language: str, text: str) -> Document:
    places = [
        clause("4.1", text),
        clause("4.2", "x"),
        clause("4.2(3)", "y"),
        clause("Anhang A", kind="annex"),
        clause("Anhang B", kind="annex"),
    ]
    tables = [table(name, [["a"], ["1"]]) for name in ("Tabelle 3", "Tabelle 4")]
    made = document(places, tables, [figure("Bild 2")], [formula("(6.1)", "x")], family="din")
    return replace(made, language=language)


@pytest.mark.parametrize(
    ("language", "text", "targets"),
    [
        ("de", "Siehe Tabelle 3 und Bild 2.", ["Tabelle 3", "Bild 2"]),
        ("de", "Die Werte gelten gemäß 4.2 und siehe 4.2(3).", ["4.2", "4.2(3)"]),
        ("de", "Nach den Tabellen 3 und 4 und Gleichung (6.1).", ["Tabelle 3", "Tabelle 4", "(6.1)"]),
        ("de", "Den Anhängen A und B ist zu folgen.", ["Anhang A", "Anhang B"]),
        ("de", "Ein Abstand von 4.2 m und mindestens 4.2 Meter.", []),
        ("de", "Siehe Tabelle 9.", [None]),
        ("de", "Siehe Anhang A der DIN EN 1991-1-4.", [None]),
        ("fr", "Voir le tableau 3, conformément à 4.2 et à l'équation (6.1).", ["Tabelle 3", "4.2", "(6.1)"]),
        ("fr", "Selon les annexes A et B, sur 4.2 mètres.", ["Anhang A", "Anhang B"]),
        ("el", "Table 3", ["Tabelle 3"]),  # a language without words has the common ones
    ],
)
def test_references_in_the_words_of_a_language(language: str, text: str, targets: list[str | None]) -> None:
    made = written(language, text)
    found = resolve_internal(find_references(made), made)
    assert [str(one.target) if one.target else None for one in found] == targets
