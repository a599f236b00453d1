"""What of running text is quoted: whole where short, at sentence ends where not."""

from __future__ import annotations

import pytest
from appliance.answer.findings import ANY_NUMBER, best_first, covered, holds_what_is_asked
from appliance.answer.passages import CUT_WORDS, deciding_span, from_passage, is_list

from appliance.core.evidence import Intent
from tests.answer.builders import finding, part, passage, query

LONG = (
    "Ramps are described in another section. " * 6
    + "The gradient of a ramp should be not more than 1:20 over 10 m. "
    + "It may be steeper where the going is short. "
    + "Landings are level. " * 30
)


TWO = "1.1 Doors open outwards.\n1.2 Risers are 150 mm high.\n1.3 Except in lofts, where they are 170 mm."
LIST = "Stairs should have:\na) handrails on both sides;\nb) risers of 150 mm;\nc) lights."


def test_a_short_paragraph_is_quoted_whole() -> None:
    text = "Risers are 150 mm. Except in lofts."
    assert deciding_span(query("riser height"), text) == (0, len(text))


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (LIST, True),
        ("Steps:\n1. measure\n2. cut\n3. weigh", True),
        ("Steps:\n– measure\n– cut", False),
        (TWO, False),
        ("a) " + "word " * 300 + "\nb) two\nc) three", False),
        ("", False),
    ],
)
def test_a_list_that_can_be_quoted_whole(text: str, listed: bool) -> None:
    assert is_list(text) is listed


def test_a_list_is_quoted_whole_on_demand() -> None:
    found = from_passage(query("lights"), part(LIST), whole=True)
    assert found is not None
    assert found.quotes[0].text == LIST


def test_a_long_one_is_cut_at_sentence_ends_around_what_decides() -> None:
    span = deciding_span(query("ramp gradient", "value"), LONG)
    assert span is not None
    said = LONG[slice(*span)]
    assert "1:20" in said
    assert "steeper where the going is short" in said  # what follows a rule may except it
    assert said.rstrip().endswith(".")
    assert len(said.split()) <= CUT_WORDS


@pytest.mark.parametrize(
    ("text", "starts", "ends"),
    [
        (TWO, "1.2 Risers", "170 mm."),  # what stands before is another matter, what follows may except
        (LIST, "Stairs should have:", "lights."),  # an item keeps the words that introduce its list
        ("b) risers of 150 mm;\nc) lights.", "b) risers", "lights."),
    ],
)
def test_what_is_quoted_begins_where_the_matter_begins(text: str, starts: str, ends: str) -> None:
    span = deciding_span(query("riser", "value"), text)
    assert span is not None
    assert text[slice(*span)].startswith(starts)
    assert text[slice(*span)].endswith(ends)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_is_quoted_of_nothing(text: str) -> None:
    assert deciding_span(query("x"), text) is None
    assert from_passage(query("x"), part(text)) is None


def test_one_endless_sentence_is_quoted_not_broken() -> None:
    text = "word " * 500
    span = deciding_span(query("word"), text)
    assert span is not None
    assert text[slice(*span)].strip() == text.strip()


def test_the_quote_is_verbatim_with_the_boxes_of_its_lines() -> None:
    found = from_passage(query("riser"), part("First line\nsecond line"))
    assert found is not None
    quote = found.quotes[0]
    assert quote.text == "First line\nsecond line"
    assert quote.page == 3
    assert len(quote.boxes) == 2


@pytest.mark.parametrize(
    ("terms", "text", "share"),
    [
        (("riser", "height"), "Heights of risers", 1.0),
        (("riser", "height"), "The going", 0.0),
        (("riser", "height"), "riser", 0.5),
        ((), "anything", 0.0),
    ],
)
def test_covered_counts_words_by_their_beginning(terms: tuple[str, ...], text: str, share: float) -> None:
    assert covered(query(" ".join(terms)), text) == share


@pytest.mark.parametrize(
    ("question", "intent", "text", "held"),
    [
        ("clear width", "value", "at least 900 mm", 1.0),
        ("clear width", "value", "for 30 minutes", ANY_NUMBER),
        ("clear width", "value", "as agreed", 0.0),
        ("grade of alarm", "value", "grade 2", 1.0),
        ("may it slope", "requirement", "It falls 1 in 80.", 1.0),
        ("is it level", "requirement", "It shall be level.", 1.0),
        ("is it level", "requirement", "It is level.", 0.0),
        ("is it level", "general", "It shall be 3 mm.", 0.0),
    ],
)
def test_what_is_asked_for_is_recognised(question: str, intent: Intent, text: str, held: float) -> None:
    assert holds_what_is_asked(query(question, intent), text) == held


def test_findings_far_below_the_best_are_not_stated() -> None:
    kept = best_first([finding("a", 0.9), finding("b", 0.2), finding("c", 0.8)], limit=5, margin=0.3)
    assert [item.text for item in kept] == ["a", "c"]


def test_the_same_words_are_stated_once() -> None:
    assert len(best_first([finding("A  b", 0.9), finding("a b", 0.8)], limit=5, margin=1)) == 1


def test_no_findings_is_no_statement() -> None:
    assert best_first([], limit=5, margin=1) == ()


def test_a_part_is_quoted_with_the_items_of_its_place_that_it_is_joined_to() -> None:
    around = passage(
        "1.4 Alarms should be:\na. on the ceiling; and\nb. 1 m from the stove.\nNote: see makers."
    )
    cut = part("1.4 Alarms should be:\na. on the ceiling; and")
    alone, found = from_passage(query("alarm"), cut), from_passage(query("alarm"), cut, around=around)
    assert alone is not None
    assert found is not None
    assert alone.text.endswith("and")
    assert found.text == "1.4 Alarms should be: a. on the ceiling; and b. 1 m from the stove."
    assert found.quotes[0].text == "1.4 Alarms should be:\na. on the ceiling; and\nb. 1 m from the stove."
    assert len(found.quotes[0].boxes) == 3
    assert found.score == alone.score  # more words do not make it answer better
