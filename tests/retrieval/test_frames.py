"""A question for what documents say is told from one that only looks like it, its subject from the rest."""

from __future__ import annotations

import pytest

from appliance.retrieval.query.lexicon import FRAMED_CHARACTERS, asking_of, frame_of, kind_of, sorts_of


def _named(folded: str) -> list[tuple[int, int]]:
    at = folded.find("sbc-3")
    return [(at, at + 5)] if at >= 0 else []


@pytest.mark.parametrize(
    ("question", "form", "subject"),
    [
        ("does sbc-3 cover tsunami loads?", "whether", "tsunami loads"),
        ("does the snow code also deal with ice", "whether", "ice"),
        ("does the guidance on stoves cover a 60 kw boiler", "whether", "a 60 kw boiler"),
        ("do any of these mention radon", "whether", "radon"),
        ("does it say anything about ramps", "whether", "ramps"),
        ("tell me whether sbc-3 covers huts", "whether", "huts"),
        ("are garden steps covered by the stair rules", "whether", "garden steps"),
        ("is asbestos mentioned anywhere", "whether", "asbestos"),
        ("is there anything in sbc-3 about tunnels", "whether", "tunnels"),
        ("is there anything about tunnels in sbc-3?", "whether", "tunnels"),
        ("does part k deal with ladders", "whether", "ladders"),
        ("does en 1992-1-1 cover tunnels", "whether", "tunnels"),
        ("does sbc-3 cover covered ways", "whether", "covered ways"),
        ("what does sbc-3 say about drifts", "what", "drifts"),
        ("what is said about flues in sbc-3", "what", "flues"),
        ("everything about handrails", "what", "handrails"),
        ("tell me everything sbc-3 says about ice", "what", "ice"),
        ("which documents deal with hot water", "which", "hot water"),
        ("in which document is ventilation covered", "which", "ventilation"),
        ("where is charging of electric cars covered", "where", "charging of electric cars"),
        ("which clause covers drifts", "where", "drifts"),
    ],
)
def test_a_question_for_what_documents_say_is_told(question: str, form: str, subject: str) -> None:
    frame = frame_of(question, _named(question))
    assert frame is not None
    assert (frame.form, " ".join(frame.subject)) == (form, subject)
    assert not frame.asking & set(frame.subject)
    assert frame.verb <= frame.asking


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "does",
        "does the guard cover the gap",
        "does a smoke alarm include a sounder",
        "does the lintel need to be covered",
        "is the drain covered by 450 mm of soil",
        "what is the minimum concrete cover for a beam",
        "minimum cover to reinforcement",
        "do i need to cover the pipe",
        "does sbc-3 say how wide a ramp is",
        "does the code cover what happens in a fire",
        "what does a washbasin trap cost",
        "which standard covers glazing",
        "everything",
        "where is the stopcock",
        "does sbc-3 cover " + "the roof of a house and " * FRAMED_CHARACTERS,
    ],
)
def test_another_question_is_none(question: str) -> None:
    frame = frame_of(question, _named(question))
    assert frame is None or (question.startswith("which standard") and frame.form == "where")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("list all requirements for handrails", {"requirements"}),
        ("every recommended value of the snow load", {"recommended", "value"}),
        ("list the conditions", {"conditions"}),
        ("list all ramp requirements", {"requirements"}),
        ("list all tables about ramps", {"tables"}),
        ("list all ramps", set()),
        ("list all rules for limits", set()),
        ("", set()),
    ],
)
def test_what_is_wanted_of_a_subject_is_no_part_of_it(question: str, said: set[str]) -> None:
    assert sorts_of(question) == said


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("list all tables about wind", "table"),
        ("list all the wind pressure tables", "table"),
        ("show me every figure showing parapets", "figure"),
        ("all definitions in dc 1-1?", "definition"),
        ("list all requirements for tables", ""),
        ("list all requirements in tables of loads", ""),
        ("list all table lamps", ""),
        ("which table gives the loads", ""),
        ("", ""),
    ],
)
def test_a_list_is_of_the_kind_of_place_that_is_asked_for(question: str, kind: str) -> None:
    assert kind_of(question) == kind


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("definition of going", {"definition"}),
        ("what is the meaning of going?", {"meaning"}),
        ("what is meant by going", {"meant"}),
        ("define going", {"define"}),
        ("what does going mean?", {"mean"}),
        ("how is a ramp defined", {"defined"}),
        ("what is the mean wind speed", set()),
        ("what means of escape are needed", set()),
        ("how do i calculate the wind force", {"calculate"}),
        ("how is the peak pressure worked out?", {"worked", "out"}),
        ("formula for the structural factor", {"formula"}),
        ("steps to calculate the snow load", {"steps", "calculate"}),
        ("how do i install a stove", set()),
        ("does the method of sampling matter", set()),
        ("", set()),
    ],
)
def test_words_that_only_ask_what_a_term_means_or_how_a_quantity_is_found_are_told(
    question: str, said: set[str]
) -> None:
    assert asking_of(question) == said
