"""Which questions ask for one value of one thing, and in so many words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.reading.question import (
    asks_one_value,
    is_single,
    measuring,
    naming_nothing,
)
from appliance.core.evidence import Query, SubQuestion
from appliance.text.terms import fold
from tests.answer.builders import query

MEASURED = replace(query("how deep is the trench", "value"), kinds=("length",))


@pytest.mark.parametrize(
    ("question", "single"),
    [
        # counts in so many words
        ("how deep must the pipe be buried so that it does not freeze", True),
        ("how many litres of cold water storage are needed for a bedroom", True),
        ("what is the largest spacing of the rungs of a ladder", True),
        ("which wind speed stops the work", True),
        ("servicing interval of the mixing valve", True),
        ("minimum gap between foul drain and water main laid in the same trench", True),
        # how many of no unit is a count, which any number may be
        ("how many doors does a corridor need", False),
        # a row of words that states its value
        ("mono pitch of 20 degrees", False),
        ("duct diameter 15 l/s fan", True),
        # a way, a rule, a place, a reason, yes or no
        ("how do i size a gutter", False),
        ("how is the height of a stair measured", False),
        ("must the height be 900 mm", False),
        ("where is the height of a guard measured", False),
        ("why is the fall limited to 1 in 40", False),
        ("which table gives the height of a guard", False),
        ("what kind of box are the temperatures measured in", False),
        ("rules for the height of a guard", False),
        # two things, a list, a case told before
        ("how wide and how long is a landing", False),
        ("what height and what width does a door have", False),
        ("what rise and going may a stair have", False),
        ("distance to stream, borehole, building", False),
        ("the drain is low. how deep is the trench", False),
        ("how high is the guard and does it need a rail", False),
        # names no measure, or is a person speaking without asking
        ("what does the code say about doors", False),
        ("what of the many things that a long question may well name is its height", False),
        ("we put the rail at a height of our own", False),
        ("door", False),
        ("", False),
        ("?" * 500, False),
        ("how deep " * 400, True),
    ],
)
def test_only_one_value_in_so_many_words_is_single(question: str, single: bool) -> None:
    assert is_single(fold(question)) is single


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        (MEASURED, True),
        (replace(MEASURED, kinds=()), False),  # what is wanted is not known
        (replace(MEASURED, kinds=("count",)), False),
        (replace(MEASURED, kinds=("count", "length")), True),
        (replace(MEASURED, labels=("5.2",)), False),
        (replace(MEASURED, pages=("12",)), False),
        (replace(MEASURED, intent="location"), False),
        (replace(MEASURED, parts=(SubQuestion("a", "a"), SubQuestion("b", "b"))), False),
        (replace(MEASURED, spelt="where is the trench"), False),
    ],
)
def test_what_a_question_names_besides_takes_it_out(changed: Query, asked: bool) -> None:
    assert asks_one_value(changed) is asked


def test_words_of_what_is_measured() -> None:
    assert {"deep"} <= measuring(query("How deep is the trench?"))
    assert "trench" not in measuring(query("How deep is the trench?"))


@pytest.mark.parametrize(
    ("question", "left"),
    [
        # the unit in words
        ("weight of wet concrete per cubic metre", "weight of wet concrete per "),
        ("what does a cubic metre of concrete weigh", "what does a  of concrete weigh"),
        ("load of a fence per metre run", "load of a fence per "),
        ("how far is a storey from the second stair", "how far is a storey from the second stair"),
        ("how deep is a foot path", "how deep is a foot path"),
        ("height of a 3 metre wall", "height of a 3 metre wall"),
        # a clause that tells an occasion
        (
            "how long does a fan run after the light is switched off in a room",
            "how long does a fan run after in a room",
        ),
        ("how hot is a pipe once it has cooled", "how hot is a pipe once"),
        ("how thick is paint after drying", "how thick is paint after drying"),  # no clause with a verb
        ("how long after the fan of a room is on", "how long after the fan of a room is on"),
        ("", ""),
        # a small phrase
        ("above what height does a lorry no longer hit it", "above what height does a lorry  hit it"),
        ("the neighbour's house", "the neighbour' house"),
        ("the neighbour\u2019s house", "the neighbour\u2019 house"),
        ("is a longer ramp s shaped", "is a longer ramp s shaped"),
    ],
)
def test_units_occasions_and_small_phrases_name_no_thing(question: str, left: str) -> None:
    found = naming_nothing(question)
    assert "".join(sign for at, sign in enumerate(question) if at not in found) == left
