"""What the updater says is said in the language of the page, whole, reasons and facts included."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from appliance.update.trial import attempt, waiting
from appliance.update.words import Why, refusal
from appliance.web import language
from appliance.web.box.updates import edition, in_words, said_of, sentence


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    with Flask(__name__).test_request_context(headers={"Accept-Language": "de"}):
        assert language.language() == "de"
        yield


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("version 3 was removed", "Fassung 3 wurde entfernt"),
        ("version 3", "Fassung 3"),
        ("19 of 20 golden questions", "19 von 20 Prüffragen"),
        ("only 3 of 20 golden questions are answered", "nur 3 von 20 Prüffragen werden beantwortet"),
        (waiting.REVOKED, "den Schlüsseln, die sie unterschrieben haben, wird nicht mehr vertraut"),
        ("codes.db is not what was copied", "codes.db ist nicht, was kopiert wurde"),
        ("3-0123456789ab is damaged", "3-0123456789ab ist beschädigt"),
        (
            "its server ended by itself with 1: it said nothing",
            "ihr Server endete von selbst mit 1: er sagte nichts",
        ),
        ("the image of DC-1-3, page 4 is missing", "das Bild von DC-1-3, Seite 4 fehlt"),
        ("codes.db, images/7.webp", "codes.db, images/7.webp"),
        ("{0} {name}", "{0} {name}"),
        ("", ""),
    ],
)
def test_a_line_of_the_log(said: str, shown: str) -> None:
    assert in_words(said) == shown
    assert said_of({"said": said}) == shown


def test_a_refusal_of_the_log_with_its_reason() -> None:
    error = refusal(Why.DID_NOT_WORK, version=3, why="its process ended with -9 and no answer")
    facts = {name: str(fact) for name, fact in (error.facts or {}).items()}
    said = said_of({"said": str(error), "code": error.code, "facts": facts})
    assert said.startswith("Fassung 3 wurde probiert und ging nicht (ihr Prozess endete mit -9 und ohne")
    assert said_of({"said": "as before", "code": "of a later program", "facts": {}}) == "as before"
    assert sentence("{why}", {"why": "No space left on device"}) == "kein Platz mehr auf dem Datenträger"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("DC 0:2024, superseded", "DC 0:2024, ersetzt"),
        ("DC 0:2024, withdrawn", "DC 0:2024, zurückgezogen"),
        ("DC 0:2024", "DC 0:2024"),
        ("Loads, snow, wind", "Loads, snow, wind"),
    ],
)
def test_the_status_behind_an_edition(name: str, shown: str) -> None:
    assert edition(name) == shown


def test_every_reason_that_is_written_down_is_known() -> None:
    for reason in (waiting.UNREAD, waiting.REVOKED, waiting.UNLIKE):
        assert in_words(reason) != reason
    assert attempt.TRIES == 2, "a reason says how often"
