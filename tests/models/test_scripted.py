"""The scripted generator keeps the promises of the Protocol, so that tests with it mean something."""

from __future__ import annotations

import pytest

from appliance.core.errors import GenerationFailed
from appliance.models.protocols import Event, Finished, Generation, Generator, Limits, Message, Piece, Writing
from tests.models.scripted import Script, ScriptedGenerator, always, empty, lazy, looping

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
