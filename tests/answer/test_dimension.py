"""Which of the lengths is asked for, and whether a text gives that one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.dimension import another, asked_dimension, gives, other_dimension

from tests.answer.builders import query


@pytest.mark.parametrize(
    ("question", "kinds", "expected"),
    [
        ("minimum ceiling height of a bedroom", ("length",), "height"),
        ("how wide is a stair", ("length",), "width"),
        ("distance of a tank from a house", ("length",), "distance"),
        ("height and width of a door", ("length",), ""),  # two
        ("size of a door", ("length",), ""),
        ("depth of a tread", ("length",), ""),  # which goes by other names too
        ("how tall", (), ""),  # no length is asked for
        ("", ("length",), ""),
    ],
)
def test_the_one_dimension_that_is_asked_for(question: str, kinds: tuple[str, ...], expected: str) -> None:
    assert asked_dimension(replace(query(question, "value"), kinds=kinds)) == expected


@pytest.mark.parametrize(
    ("text", "name", "given", "other"),
    [
        ("Tanks are sited at least 7m from any house.", "distance", True, ""),
        ("Bedrooms are 2.4m wide.", "height", False, "width"),
        ("Doors are 2.0 m high and 0.9 m wide.", "height", True, ""),
        ("A ceiling of great height. Rooms are 2.4 m wide.", "height", False, "width"),  # another sentence
        ("At least 900 mm.", "height", False, ""),  # names none
        ("High walls.", "height", False, ""),  # gives no length
        ("A landing the width of the exit and 1100mm deep.", "width", False, "depth"),
        ("A landing 1100mm deep, its width 900 mm.", "width", True, ""),
        ("A landing 1100mm deepened, of the width of the exit.", "width", True, ""),  # no such word
        ("It lasts 60 minutes in high walls.", "height", False, ""),
        ("", "height", False, ""),
    ],
)
def test_a_text_gives_a_dimension(text: str, name: str, given: bool, other: str) -> None:
    assert gives(text, name) is given
    assert another(text, name) == other


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["Bedrooms are 2.4m wide."], True),
        (
            ["Bedrooms are 2.4m wide.", "Ceilings are 2.3 m high."],
            True,
        ),  # the first one is taken for the answer
        (["Bedrooms are 2.4m."], False),
        (["Ceilings are 2.3 m high."], False),
        ([""], False),
        ([], False),
    ],
)
def test_a_width_is_told_where_a_height_was_asked_for(texts: list[str], told: bool) -> None:
    asked = replace(query("ceiling height of a bedroom", "value"), kinds=("length",))
    expected = "A length of another kind is asked for (height) than the first statement gives (width)."
    assert other_dimension(asked, texts) == (expected if told else "")
