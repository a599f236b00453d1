"""What could be said from a place, and the short claim that is cut from it: small made documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.answer.candidates import PIECES, Candidate, candidates
from appliance.answer.chosen_statements import Said, _as_printed, claim, cut
from appliance.answer.headline import ANSWER, Figure, Reading, figures, headline
from appliance.answer.reading.question import Asked, asked_of
from appliance.answer.statement_support import Claim, verdict
from appliance.core.document import Box, Label
from appliance.models.protocols import EncodedQuery
from appliance.retrieval.search_context import place
from appliance.store.read import Store
from appliance.text.quantities import asked_kinds
from tests.answer.builders import query
from tests.factories import clause, document, table
from tests.store.libraries import chunked, opened

INTRO = "A stair should have all of the following:"
LONG = (
    "Where a stair serves more than one dwelling and is part of a means of escape, the width measured "
    "between the walls should be at least 1200 mm unless the fire authority of the district agrees to "
    "another width."
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    clauses = (
        clause("1.1", INTRO, kind="clause"),
        clause("1.1a", "a rise of at most 220 mm;", kind="item", parent="1.1"),
        clause("1.1b", "a going of at least 220 mm.", kind="item", parent="1.1"),
        clause("1.2", LONG),
    )
    with opened(Path(tmp_path_factory.mktemp("said")) / "a", chunked(document(clauses=clauses))) as made:
        yield made


def said(store: Store, label: str) -> list[Candidate]:
    (name,) = {info.id for info in store.documents()}
    shown = store.chunks(store.chunks_for(name, Label.from_key(label))[:1])
    return candidates(store, [place(one, 1.0, ("lexical",)) for one in shown])


def wanted(store: Store, text: str) -> Asked:
    kinds = tuple(asked_kinds(text.casefold()))
    return asked_of(store, replace(query(text, "value"), kinds=kinds), None)


def test_an_item_is_said_with_the_words_that_introduce_its_list_as_two_quotes(store: Store) -> None:
    item = next(one for one in said(store, "1.1a") if "rise" in one.text)
    assert item.form == "item"
    assert item.text == f"{INTRO}{PIECES}a rise of at most 220 mm;"
    assert [str(quote.label) for quote in item.quotes] == ["1.1", "1.1a"]
    assert str(item.label) == "1.1a"
    assert all(quote.text in {INTRO, "a rise of at most 220 mm;"} for quote in item.quotes)


def test_every_candidate_is_confirmed_by_its_own_quotes(store: Store) -> None:
    for label in ("1.1", "1.2"):
        for one in said(store, label):
            assert verdict(one.claims) == (True, "")


def test_a_claim_is_short_in_marked_pieces_and_holds_the_value_wanted(store: Store) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    question = wanted(store, "how wide should the stair be between the walls")
    short = claim(question, one, 25)
    assert "1200 mm" in short.text
    assert len(short.text.split()) <= 25 + 3  # with the signs of what is left out
    pieces = [piece.strip() for piece in short.text.split("…") if piece.strip()]
    assert all(piece in " ".join(LONG.split()) for piece in pieces)
    assert verdict(short.claims) == (True, "")


@pytest.mark.parametrize("text", ["a", "… …", "1", "word " * 200])
def test_any_text_is_cut_without_failing(store: Store, text: str) -> None:
    assert len(cut(wanted(store, "how wide is it"), text.strip(), 25).split()) <= 27


@pytest.mark.parametrize("limit", [12, 17, 25])
@pytest.mark.parametrize(
    "text",
    [
        """The lobby, which need not be wide where a second stair is at hand for those who leave the hall,
        shall not in any building be less than 1200 mm wide.""",
        """Doors in the way of escape that people push at night, except those of a plant room, may be 750 mm
        wide unless more than 60 persons use them in the course of one day, and never less.""",
        """No flight of the ramp or of the steps that lead up to a door from outside may have a width of
        1200 mm or less between its walls at any height above the floor.""",
    ],
)
def test_no_negation_is_left_out_before_a_piece_and_no_limit_before_a_number(
    store: Store, text: str, limit: int
) -> None:
    text = " ".join(text.split())
    told = cut(wanted(store, "how wide must a door or lobby be"), text, limit)
    pieces = [piece.strip() for piece in told.split("…") if piece.strip()]
    starts = [text.index(piece) for piece in pieces]
    gaps = [text[at + len(one) : then] for at, one, then in zip(starts, pieces, starts[1:], strict=False)]
    gaps.append(re.split(r"[,;:.] ", text[: starts[0]])[-1])  # of the phrase in which it begins
    assert not {"no", "not", "except", "unless", "never"} & {
        word for gap in gaps for word in gap.lower().split()
    }
    assert not any(piece.startswith(("1200", "750", "be less")) for piece in pieces)
    assert not any(piece[-1:].isdigit() for piece in pieces)


def test_a_lead_in_is_cut_behind_its_last_negation(store: Store) -> None:
    text = "In a hall with a stage and a gallery to which the public goes a door should not be:"
    question = wanted(store, "how wide must a door be")
    assert cut(question, text, 10, opening=True).endswith("should not …")
    assert len(cut(question, text.replace("not ", ""), 10, opening=True).split()) <= 11


def test_an_item_that_is_cut_still_tells_that_another_will_do(store: Store) -> None:
    item = next(one for one in said(store, "1.1a") if "rise" in one.text)
    body = "at least 200 mm from the inside of the flue, whichever side of it is nearer to the timber; or"
    item = replace(item, text=f"{item.lead}{PIECES}{body}", quotes=(replace(item.quotes[-1], text=body),))
    item = replace(item, claims=(Claim(item.text, (item.lead, body)),))
    short = claim(wanted(store, "how close may timber be to a flue"), item, 17)
    assert "200 mm" in short.text
    assert short.text.endswith("… or")
    assert verdict(short.claims) == (True, "")


def test_items_that_share_a_lead_in_say_it_once(store: Store) -> None:
    items = [one for label in ("1.1a", "1.1b") for one in said(store, label) if one.form == "item"]
    text = Said(tuple(items)).text
    assert text.count(INTRO) == 1
    assert "220 mm; …\na going" in text


def test_items_of_one_list_are_said_as_they_are_printed(store: Store) -> None:
    items = []
    for label, y in (("1.1b", 0.5), ("1.1a", 0.4)):
        one = next(one for one in said(store, label) if one.form == "item")
        quote = replace(one.quotes[-1], boxes=(Box(1, 0.1, y, 0.9, y + 0.02),))
        items.append(replace(one, quotes=(one.quotes[0], quote)))
    assert [str(one.label) for one in _as_printed(items, whole=False)] == ["1.1a", "1.1b"]


def printing(store: Store, text: str) -> Candidate:
    """Return a candidate that prints this sentence."""
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    return replace(one, text=text, quotes=(replace(one.quotes[0], text=text),))


def values(question: Asked, one: Candidate, *others: Candidate) -> list[tuple[Figure, dict[str, float]]]:
    reading = Reading(question, one, (one, *others), dict.fromkeys(ANSWER, 0.8))
    return list(figures(reading))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (LONG, [("1200", "mm"), ("one", "dwelling")]),
        ("Provide a width of 48-in (1200 mm) between the walls.", [("48", "in (1200 mm)")]),
        ("Tie the rail with at least 5 rounds of rope.", [("5", "rounds")]),
        ("Stairs outdoors are rated to −40°F (−40°C).", [("−40", "°F (−40°C)")]),
        ("Deflect not more than 1/180 of the span, drift not 0.004.", [("1/180", ""), ("0.004", "")]),
        ("Ties of two metres at five points.", [("two", "metres"), ("five", "points")]),
        ("Tested at a difference of 50 Pa or 4 Pa.", [("50 Pa or 4", "Pa")]),
        ("In class 20 hammers of 0.5 to 2.3 kg are used.", [("0.5 to 2.3", "kg"), ("20", "hammers")]),
    ],
)
def test_every_number_of_a_sentence_may_be_the_value(
    store: Store, text: str, told: list[tuple[str, str]]
) -> None:
    found = values(asked_of(store, query("what is printed", "value"), None), printing(store, text))
    assert [(figure.value, figure.unit) for figure, _ in found] == told


def test_a_value_of_another_dimension_is_none_and_what_the_question_states_is_known(store: Store) -> None:
    wide = values(
        wanted(store, "how wide is a stair of 1200 mm"), printing(store, "1200 mm wide, 3 kN strong.")
    )
    assert [(figure.value, measured["stated"], measured["kind"]) for figure, measured in wide] == [
        ("1200", 1, 1)
    ]


def test_the_case_of_a_value_is_said_with_it(store: Store) -> None:
    text = "If a lift is installed in an existing building, the width may be 850 mm."
    ((figure, _),) = values(wanted(store, "how wide should the stair be"), printing(store, text))
    assert figure.conditions[-1] == "If a lift is installed in an existing building"


def test_the_words_of_a_question_are_near_the_value_that_they_stand_beside(store: Store) -> None:
    text = "The width of a stair is 900 mm at least, and that of a landing 1500 mm."
    spans = tuple(found.span() for found in re.finditer(r"\w+", text))
    tokens = np.eye(len(spans), dtype=np.float32)
    landing = next(at for at, (start, end) in enumerate(spans) if text[start:end] == "landing")
    question = wanted(store, "how wide is the landing")
    (word,) = (one for one in question.words if one.stem == "landi")
    encoded = EncodedQuery("landing", tokens[0], tokens[[landing]], ((0, 7),))
    question = replace(question, encoded=encoded, words=(replace(word, rows=(0,)),))
    printed = EncodedQuery(text, tokens[0], tokens, spans)
    one = printing(store, text)
    reading = Reading(question, one, (one,), dict.fromkeys(ANSWER, 0.8), printed)
    (stair, own), (door, other) = figures(reading)
    assert (stair.value, door.value) == ("900", "1500")
    assert other["near"] > own["near"]
    assert other["near_gap"] == pytest.approx(-own["near_gap"])
    assert (own["before"], other["behind"]) == (0.0, 0.0)


def test_the_column_of_a_row_that_the_question_names_is_likelier(tmp_path: Path) -> None:
    heads = ("Fluid (°C)", "pipe <25 mm", "pipe 40 to <100 mm")
    grid = table("Table 1", (heads, ("4 to 16", "33.0", "63.5"), ("above 16", "20.0", "30.0")))
    with opened(tmp_path / "t", chunked(document(tables=(grid,)))) as store:
        row, other = (one for one in said(store, "Table 1") if one.form == "row")
        question = wanted(store, "what thickness for a 50 mm pipe with fluid of 4 to 16 °C")
        (thin, less), (thick, more) = values(question, row, other)
        assert (thin.value, thick.value) == ("33.0", "63.5")
        assert more["fit_gap"] > 0 > less["fit_gap"]
        assert more["row_gap"] > 0
        figure = headline(Reading(question, row, (row, other), dict.fromkeys(ANSWER, 0.9)))
        assert figure is not None
        assert figure.value == "63.5"


def test_a_table_named_by_its_part_is_no_value_of_its_rows(tmp_path: Path) -> None:
    grid = table("Table 2", (("Stair", "Rise (mm)"), ("Private", "220"), ("General", "170")))
    grid = replace(grid, label=Label.from_key("H1/Table 2"))
    with opened(tmp_path / "t", chunked(document(tables=(grid,)))) as store:
        row = next(one for one in said(store, "H1/Table 2") if one.form == "row")
        assert row.text.startswith("H1 Table 2: Private")
        assert verdict(row.claims) == (True, "")


def test_nothing_is_left_out_behind_half_a_phrase(store: Store) -> None:
    text = "Snow may also be left out of account where the load at the site is not greater than 0.1 kN/m²."
    told = cut(wanted(store, "what load where snow is not greater at a site"), text, 17)
    assert "also …" not in told
    assert "0.1 kN/m²" in told


def test_a_row_is_said_with_its_heads_units_and_the_notes_that_it_bears(tmp_path: Path) -> None:
    body = (("Stair", "Rise (mm)", "Going (mm)"), ("Private", "220ᵃ", "225"), ("General", "170", "250"))
    grid = table("Table 1", body, notes=(("a", "Less in a listed building."),))
    made = chunked(document(tables=(grid,)))
    with opened(tmp_path / "t", made) as store:
        rows = [one for one in said(store, "Table 1") if one.form == "row"]
        assert rows[0].text == "Table 1: Private: Rise (mm) 220ᵃ mm; Going (mm) 225 mm"
        assert [note.text for note in rows[0].notes] == ["a Less in a listed building."]
        assert not rows[1].notes
        assert rows[1].marked == ((2, 1), (2, 2))
        (rise, _), _ = values(wanted(store, "rise of a private stair"), rows[0])
        assert (rise.value, rise.unit) == ("220", "mm")
