"""Questions as read, as cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.errors import BadQuestion
from appliance.core.settings import SearchSettings
from appliance.retrieval.query.labels import asked_labels, asked_pages
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.retrieval.query.question import Question, clean
from appliance.retrieval.search import read
from appliance.store.read import Store
from appliance.text.terms import fold, fold_label

SETTINGS = SearchSettings()


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Where is drifted snow covered?", "location"),
        ("which clause deals with eaves", "location"),
        ("How high may a step be?", "value"),
        ("minimum width of a corridor", "value"),
        ("What does 'exposure coefficient' mean?", "definition"),
        ("List all the exceptions for domes", "coverage"),
        ("What else must I read with 5.3?", "reference"),
        ("Which drawing has the drift at a parapet", "figure"),
        ("Does this apply to a listed barn?", "applicability"),
        ("how do I work out the load on a dome", "procedure"),
        ("snow", "general"),
    ],
)
def test_intents(question: str, intent: str) -> None:
    assert load_lexicon().intent(fold(question)) == intent


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("5.3.2(7)", [("5.3.2(7)", True)]),
        ("what does clause 5.3.2(7)P ask", [("clause 5.3.2(7)", True)]),
        ("Tabie 4,2", [("tabie 4.2", True)]),
        ("see Table NA.A1.2(B)", [("Table NA.A1.2(B)", True)]),
        ("According to 1.35, is a new liner notifiable?", [("1.35", True)]),
        ("is a new liner notifiable in 1.35", [("1.35", False)]),
        ("liner thickness 2.5", [("2.5", False)]),
        ("5.3.2 snow", [("5.3.2", True)]),
        ("a 1.5 metre fence", []),
        ("a 1.5-metre fence", []),
        ("a 2.4m fence", []),
        ("2.4 metre retaining wall", []),
        ("3.5 tonne crane", []),
        ("2.3 hectares", []),
        ("2,3 hectares", []),
        ("3.2 thick", []),
        ("1.8 kilonewtons per metre", []),
        ("a building of 1.5 storeys", []),
        ("between 1.5 and 2.5 metres from the boundary", []),
        ("2.5 mm", []),
        ("clause 3.5 metre rule", [("clause 3.5", True)]),
        ("clause 3.5 on a 3.5 tonne crane", [("clause 3.5", True)]),
        ("is 1.5 m enough", []),
        ("a load of 3 kN/m2", []),
        ("section 5", [("section 5", True)]),
        ("What does Requirement K1 demand?", [("Requirement K1", True)]),
        ("K1", [("K1", True)]),
        ("12", [("12", True)]),
        ("a house of 12 rooms", []),
        ("what is in Annex B", [("Annex B", True)]),
        ("fig 3 and tables 4.1", [("fig 3", True), ("tables 4.1", True)]),
        ("roof pitched at 30 degrees", []),
        ("under regulation 44J", [("regulation 44J", True)]),
        ("paragraphs 1.9, 1.11 and 1.14", [(f"paragraphs {n}", True) for n in ("1.9", "1.11", "1.14")]),
        ("clauses 3.16 to 3.19", [(f"clauses {n}", True) for n in ("3.16", "3.17", "3.18", "3.19")]),
        ("clauses 3.16–3.18", [(f"clauses {n}", True) for n in ("3.16", "3.17", "3.18")]),
        ("clauses 3.1 to 3.900", [("clauses 3.1", True), ("clauses 3.900", True)]),
        ("clause 5.2, 3.5 m above the eaves", [("clause 5.2", True)]),
        ("what does H3 ask of gutters", [("H3", True)]),
        ("H1 2.33", [("H1", False), ("2.33", False)]),
    ],
)
def test_labels_that_a_question_names(question: str, labels: list[tuple[str, bool]]) -> None:
    found = [(fold_label(label.printed), label.sure) for label in asked_labels(question, load_lexicon())]
    assert found == [(fold_label(printed), sure) for printed, sure in labels]


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Which clauses refer to Table 5.1?", "incoming"),
        ("which paragraphs of DC 1-3 rely on Table 5.1 for domes", "incoming"),
        ("Where is Table 5.1 referred to?", "incoming"),
        ("what uses Figure 5.3", "incoming"),
        ("What does 5.3 refer to?", "outgoing"),
        ("Which tables do clauses 5.2 and 5.3 send me to?", "outgoing"),
        ("What else must I read with 5.3?", "outgoing"),
        ("which documents are referred to in clause 6.1", "outgoing"),
        ("Using Table 5.1, what is the coefficient at 30 degrees?", None),
        ("What does clause 5.3 ask for?", None),
        ("how high may a step be", None),
    ],
)
def test_which_way_a_question_follows_references(question: str, direction: str | None) -> None:
    assert load_lexicon().direction(fold(question)) == direction


def test_a_figure_is_found_whatever_the_code_calls_its_figures() -> None:
    (label,) = asked_labels("fig. 3.1", load_lexicon())
    assert {fold_label("Diagram 3.1"), fold_label("Figure 3.1")} <= set(label.forms[0])


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("what does DC 1-3 say about eaves", ("DC-1-3",)),
        ("dc1-3 5.2", ("DC-1-3",)),
        ("hay in the densities code", ("DC-1-1",)),
        ("DC 1-31 and DC 1-3.5", ()),
        ("Part 1-3, eaves", ("DC-1-3",)),
        ("Part 3", ()),
        ("snow", ()),
    ],
)
def test_documents_that_a_question_names(library: Store, question: str, documents: tuple[str, ...]) -> None:
    assert read(library, question, SETTINGS).query.documents == documents


@pytest.mark.parametrize(
    ("question", "spelt"),
    [
        ("hieght of drifted snow", "hieght of drifted snow"),  # the library has no such word
        ("overhangng snow", "overhanging snow"),
        ("coeficient at the eavse", "coefficient at the eaves"),
        ("snow", "snow"),
        ("zzzz", "zzzz"),
    ],
)
def test_misspelt_words_are_put_right_by_the_library(library: Store, question: str, spelt: str) -> None:
    assert read(library, question, SETTINGS).spelt == spelt


def test_words_of_one_idea_are_searched_together(library: Store) -> None:
    question: Question = read(library, "dead load of the roof", SETTINGS)
    assert any(("perman", "action") in group.others for group in question.groups)


@pytest.mark.parametrize(
    ("asked", "terms"),
    [
        ("definition of snow", {"snow"}),
        ("what does snow mean?", {"snow"}),
        ("how do I calculate the snow load", {"snow", "load"}),
        ("formula for the snow load", {"snow", "load"}),
        ("what is the definition of definition", {"definit"}),  # nothing else is said
        ("what is the mean snow load", {"mean", "snow", "load"}),
    ],
)
def test_words_that_only_ask_are_no_words_of_the_search(library: Store, asked: str, terms: set[str]) -> None:
    assert set(read(library, asked, SETTINGS).query.terms) == terms


@pytest.mark.parametrize("text", ["", "   ", "?!.,", '"" () * :', "\x00\x01\u200b", "…", "🙂🙂"])
def test_what_has_no_word_is_refused(text: str) -> None:
    with pytest.raises(BadQuestion, match="word"):
        clean(text, SETTINGS)


@pytest.mark.parametrize("typed", ["\u0663 handrails", "\u096b\u0966 mm", "1 in \uff12"])
def test_digits_of_any_alphabet_are_read_as_those_of_codes(library: Store, typed: str) -> None:
    assert clean(typed, SETTINGS).isascii()
    assert read(library, typed, SETTINGS).query.text.isascii()


def test_what_is_too_long_is_refused_with_the_limit() -> None:
    with pytest.raises(BadQuestion, match="2000"):
        clean("snow " * 2_000, SETTINGS)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(library: Store, text: str) -> None:
    try:
        question = read(library, text, SETTINGS)
    except BadQuestion:
        return
    assert len(question.groups) <= SETTINGS.question_terms
    assert question.query.text.isprintable()


def test_a_word_that_the_documents_print_is_no_page() -> None:
    asked = "is a P1 building with p. 12 in its name allowed"
    assert asked_pages(asked, load_lexicon(), ()) == ("1", "12")
    assert asked_pages(asked, load_lexicon(), {"p1"}) == ("12",)
