"""A question in German over English codes is put into English by a table of words; an English one is not."""

from __future__ import annotations

import pytest

from appliance.retrieval.query.question import translated


@pytest.mark.parametrize(
    ("asked", "put"),
    [
        ("Welche Schneelast gilt in Zone 3?", "which snow load applies in zone 3?"),
        ("Nutzlast Bürogebäude", "imposed load office"),
        ("Treppenbreite im Wohnhaus", "stair width in house"),  # a compound, an ending
        ("Teilsicherheitsbeiwert ständiger Einwirkungen", "partial factor permanent action"),
        ("Formbeiwert Satteldach 40°", "shape coefficient duopitch roof 40°"),
        ("Nutzlast im Schulflur", "imposed load in school corridor"),  # the first part without its ending
        ("Wie breit muss eine Tür sein?", "how wide must a door be?"),  # told by a phrase
        ("Wie steil darf eine Rampe sein?", "how steep may a ramp be?"),
        ("Welche Geländerhöhe ist vorgeschrieben?", "which guarding height is required?"),
        ("Wo müssen Rauchmelder montiert werden?", "where must smoke alarm be fitted?"),
        ("Welchen Durchmesser braucht ein Fallrohr?", "which diameter need a downpipe?"),
        ("Welcher Luftwechsel ist im Bad nötig?", "which air change is in bathroom required?"),
        ("Wie viele Ladepunkte braucht ein Parkhaus?", "how many charging point need a car park?"),
        ("Braucht die Gaube ein Geländer?", "need the dormer a guarding?"),
        ("Wie breit muss eine Tuer sein?", "how wide must a door be?"),  # a keyboard without its letters
        ("Darf eine Tür in den Flur?", "may a door in the corridor?"),  # told by its small words alone
        ("Höhe einer Xylofonhalle", "height a Xylofonhalle"),  # unknown: as typed
    ],
)
def test_a_question_in_german_is_put_into_english(asked: str, put: str) -> None:
    assert translated(asked, {"en"}) == (put, "de")
    assert translated(asked, {"en", "de"}) == (asked, "")


@pytest.mark.parametrize(
    "asked",
    ["imposed load on an office floor", "gas tank test", "an action", "was the wall tested", "wind", "5.2"],
)
def test_a_question_in_english_stays(asked: str) -> None:
    assert translated(asked, {"en"}) == (asked, "")


def test_a_word_that_the_documents_print_tells_no_other_language() -> None:
    assert translated("What falls on it?", {"en"}, {"falls"}) == ("What falls on it?", "")
    assert translated("Schneelast falls Wind", {"en"}, {"falls"}) == ("snow load if wind", "de")
