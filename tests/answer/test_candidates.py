"""What could be said from a place, and the short claim that is cut from it: small made documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.answer.candidates.gather import candidates
from appliance.answer.candidates.values import PIECES, Candidate
from appliance.answer.claims import WORDS, claim, cut
from appliance.answer.headline import case_not_asked, headline, of_kind, row_contradicted
from appliance.answer.quoting import Said
from appliance.answer.reading.question import Asked, asked
from appliance.answer.verify import verdict
from appliance.core.document import Label
from appliance.retrieval.ask import place
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
    shown = store.chunks(store.chunks_for(name, Label((label,)))[:1])
    return candidates(store, [place(one, 1.0, ("lexical",)) for one in shown])


def wanted(store: Store, text: str) -> Asked:
    kinds = tuple(asked_kinds(text.casefold()))
    return asked(store, replace(query(text, "value"), kinds=kinds), None)


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
    short = claim(question, one)
    assert "1200 mm" in short.text
    assert len(short.text.split()) <= WORDS + 3  # with the signs of what is left out
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
    ],
)
def test_no_negation_is_left_out_between_pieces_and_no_limit_before_a_number(
    store: Store, text: str, limit: int
) -> None:
    text = " ".join(text.split())
    told = cut(wanted(store, "how wide must a door or lobby be"), text, limit)
    pieces = [piece.strip() for piece in told.split("…") if piece.strip()]
    starts = [text.index(piece) for piece in pieces]
    gaps = [text[at + len(one) : then] for at, one, then in zip(starts, pieces, starts[1:], strict=False)]
    assert not {"not", "except", "unless", "never"} & {word for gap in gaps for word in gap.split()}
    assert not any(piece.startswith(("1200", "750", "be less")) for piece in pieces)
    assert not any(piece[-1:].isdigit() for piece in pieces)


def test_items_that_share_a_lead_in_say_it_once(store: Store) -> None:
    items = [one for label in ("1.1a", "1.1b") for one in said(store, label) if one.form == "item"]
    text = Said(tuple(items)).text
    assert text.count(INTRO) == 1
    assert "220 mm; … a going" in text


def test_the_headline_is_of_the_kind_wanted_and_never_what_the_question_states(
    store: Store,
) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    figure = headline(wanted(store, "how wide should the stair be"), one)
    assert figure is not None
    assert (figure.value, figure.unit) == ("1200", "mm")
    assert headline(wanted(store, "is a width of 1200 mm between the walls enough"), one) is None
    which = wanted(store, "which stairs are walled and not of full width")
    assert headline(replace(which, query=replace(which.query, intent="general")), one) is None


def test_the_case_of_a_value_is_said_with_it_and_known_where_nobody_asked_for_it(store: Store) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    (quote,) = one.quotes
    text = "If a lift is installed in an existing building, the width may be 850 mm."
    told = replace(one, quotes=(replace(quote, text=text),))
    asked = wanted(store, "how wide should the stair be")
    figure = headline(asked, told)
    assert figure is not None
    assert figure.conditions[-1] == "If a lift is installed in an existing building"
    assert case_not_asked(asked, text)
    assert not case_not_asked(asked, "The width shall be 1200 mm.")
    lift = wanted(store, "how wide should the stair be where a lift is installed in an existing building")
    assert not case_not_asked(lift, text)


def test_a_measure_is_one_value_with_itself_in_other_units(store: Store) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    (quote,) = one.quotes
    both = replace(
        one, quotes=(replace(quote, text="Provide a width of 48-in (1200 mm) between the walls."),)
    )
    asked = wanted(store, "how wide should the stair be")
    figure = headline(asked, both)
    assert figure is not None
    assert (figure.value, figure.unit) == ("48", "in (1200 mm)")
    assert of_kind(asked, figure)


def test_a_count_is_told_with_what_is_counted(store: Store) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    knots = replace(
        one, quotes=(replace(one.quotes[0], text="Tie the rail with at least 5 rounds of rope."),)
    )
    figure = headline(wanted(store, "how many rounds hold the rail"), knots)
    assert figure is not None
    assert (figure.value, figure.unit) == ("5", "rounds")


def test_of_two_values_of_a_sentence_the_one_near_the_words_asked_for_is_taken(store: Store) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    text = "The width of a stair is 900 mm at least, and that of a landing in front of any lift door 1500 mm."
    both = replace(one, quotes=(replace(one.quotes[0], text=text),))
    stair = headline(wanted(store, "how wide should the stair be"), both)
    door = headline(wanted(store, "how wide is the landing before a lift door"), both)
    assert stair is not None
    assert door is not None
    assert (stair.value, door.value) == ("900", "1500")


def test_a_value_below_nought_keeps_its_sign(store: Store) -> None:
    (one,) = (each for each in said(store, "1.2") if "1200" in each.text)
    cold = replace(one, quotes=(replace(one.quotes[0], text="Stairs outdoors are rated to −40°F (−40°C)."),))
    figure = headline(wanted(store, "down to which temperature must a stair be rated"), cold)
    assert figure is not None
    assert (figure.value, figure.unit) == ("−40", "°F (−40°C)")


def test_a_column_heads_an_answer_only_where_the_question_tells_it_from_the_others(tmp_path: Path) -> None:
    heads = ("Fluid (°C)", "pipe <25 mm", "pipe 40 to <100 mm")
    grid = table("Table 1", (heads, ("4 to 16", "33.0", "63.5"), ("above 16", "20.0", "30.0")))
    with opened(tmp_path / "t", chunked(document(tables=(grid,)))) as store:
        (row, *_) = (one for one in said(store, "Table 1") if one.form == "row")
        figure = headline(wanted(store, "what thickness for a 50 mm pipe with fluid of 4 to 16 °C"), row)
        assert figure is not None
        assert figure.value == "63.5"
        assert headline(wanted(store, "what thickness for a pipe with fluid of 4 to 16 °C"), row) is None


def test_a_row_heads_an_answer_only_where_the_question_tells_it_from_the_others(tmp_path: Path) -> None:
    heads = ("Depth", "Pipe (DN)", "Chamber (mm)")
    body = (("<1.5 m", "225", "1200"), ("<1.5 m", "300", "1350"), (">1.5 m", "225", "1800"))
    grid = table("Table 1", (heads, *body))
    with opened(tmp_path / "t", chunked(document(tables=(grid,)))) as store:
        rows = [one for one in said(store, "Table 1") if one.form == "row"]
        deep = wanted(store, "which size in mm has the chamber for a 225 pipe 2 m deep")
        assert [row_contradicted(deep, row) for row in rows] == [True, True, False]
        figure = headline(deep, rows[2], rows)
        assert figure is not None
        assert figure.value == "1800"  # not 225, which is stated
        assert headline(wanted(store, "which size in mm has the chamber"), rows[2], rows) is None


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
        figure = headline(wanted(store, "rise of a private stair"), rows[0])
        assert figure is not None
        assert (figure.value, figure.unit) == ("220", "mm")
