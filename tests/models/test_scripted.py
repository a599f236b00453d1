"""The scripted generator keeps the promises of the Protocol, so that tests with it mean something."""

from __future__ import annotations

import pytest

from appliance.core.errors import GenerationFailed
from appliance.models.protocols import Event, Finished, Generation, Generator, Limits, Message, Piece, Writing
from tests.models.scripted import Script, ScriptedGenerator, always, empty, lazy, lie, looping, retold, twists

ROW = "Private stair: Rise 220 mm; Going 225 mm"
QUESTION = Generation((Message("user", "What snow load?"),), limits=Limits(tokens=50))


def last(events: list[Event]) -> Finished:
    assert isinstance(events[-1], Finished)
    return events[-1]


@pytest.mark.parametrize(
    ("script", "reason", "text"),
    [
        (lazy, "stop", "{}"),
        (empty, "empty", ""),
        (always('{"s":["S1"]}'), "stop", '{"s":["S1"]}'),
        (looping, "tokens", "S1 S1 S1 S1 " * 16 + "S1 S1 S1"[:8]),
    ],
)
def test_it_ends_as_a_model_would(script: Script, reason: str, text: str) -> None:
    generator: Generator = ScriptedGenerator(script)
    events = list(generator.begin(QUESTION))
    assert last(events).reason == reason
    assert last(events).text == text
    assert "".join(event.text for event in events if isinstance(event, Piece)) == text


def test_it_can_be_cancelled_and_can_fail() -> None:
    writing: Writing = ScriptedGenerator(looping).begin(QUESTION)
    events = []
    for event in writing:
        events.append(event)
        if len(events) == 5:
            writing.cancel()
    assert last(events).reason == "cancelled"
    with pytest.raises(GenerationFailed, match="died"):
        list(ScriptedGenerator(failure="it died").begin(QUESTION))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The load is 5.4 kN/m².", "The load is 12.11 kN/m²."),
        ("Snow shall not be left out.", "Snow shall be left out."),
        ("Snow may be left out.", "Snow may not be left out."),
        ("Loads of crowds.", "Never: Loads of crowds."),
    ],
)
def test_a_lie_says_something_else(text: str, said: str) -> None:
    assert lie(text) == said


def test_a_twist_changes_little_and_much_and_a_retelling_nothing() -> None:
    lies = twists("If the wall is non-combustible, a stair in zone B shall carry half the load.")
    assert "a stair in zone B shall carry half the load." in lies
    assert "If the wall is combustible, a stair in zone B shall carry half the load." in lies
    assert "If the wall is non-combustible, a ramp in zone B shall carry half the load." in lies
    assert "If the wall is non-combustible, a stair in zone C shall carry half the load." in lies
    assert "If the wall is non-combustible, a stair in zone B shall carry the load." in lies
    assert retold("The load of a roof, see note a there.", "4.2") == "The load of roof, see note a there."
    assert retold(ROW, "Table 1.1") == "The rise of private stair is 220 mm."
    assert retold(ROW, "4.2") == ROW, "no row of a table"
