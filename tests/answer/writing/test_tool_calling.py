"""A scripted model that calls the tools before it names what answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from appliance.core.evidence import Answer, Grounded
from appliance.core.settings import LlmSettings, Settings
from appliance.library import Library
from appliance.models.protocols import Generation
from appliance.written_answers import Asked, Writer
from tests.models.scripted import ScriptedGenerator, perfect

QUESTION = "When may snow be left out of the design?"
Calls = Callable[[int], object]  # from how often it was asked before


class Caller(ScriptedGenerator):
    """Writes what `calls` says for each round, then names the first sentences."""

    def __init__(self, calls: Calls) -> None:
        super().__init__(self._write)
        self._calls, self.rounds = calls, list[str]()

    def _write(self, generation: Generation) -> str:
        text = generation.messages[-1].text
        if not text.startswith("PLACES"):
            return perfect(generation)
        self.rounds.append(text)
        said = self._calls(len(self.rounds) - 1)
        return said if isinstance(said, str) else json.dumps(said)


def called(library: Library, calls: Calls, rounds: int = 4) -> tuple[Caller, Answer]:
    caller = Caller(calls)
    settings = Settings(llm=LlmSettings(model="scripted", mode="always", rounds=rounds))
    return caller, Writer(library, caller, settings).answer(Asked(QUESTION, mode="always"))


EACH = (
    {"tool": "must_read", "place": "P1"},
    {"tool": "neighbours", "place": "P2"},
    {"tool": "open_place", "place": "P3"},
    {"tool": "search", "question": "exposure coefficient"},
    {"tool": "search", "question": "wind"},
)


def test_what_it_calls_for_is_added_out_of_the_library_in_at_most_four_rounds(demo: Library) -> None:
    plain = demo.ask(QUESTION)
    caller, answer = called(demo, lambda number: EACH[number])
    assert isinstance(plain, Grounded)
    assert isinstance(answer, Grounded)
    assert len(caller.rounds) == 4
    own = [made for made in answer.evidence.rounds if made.why.startswith("called by")]
    assert own
    added = [one for made in own for one in made.added]
    known = {hit.chunk for hit in plain.evidence.hits}
    assert added == [one for one in dict.fromkeys(added) if one.chunk not in known]
    assert all(1 <= len(made.added) <= 4 for made in own)
    assert answer.evidence.hits[: len(plain.evidence.hits)] == plain.evidence.hits
    assert set(added) <= set(answer.evidence.must_read)
    assert answer.statements[: len(plain.statements)] == plain.statements
    assert answer.written is not None
    assert [step.what for step in answer.written.steps] == ["tool"] * 4 + ["answer"]
    assert f"must_read {plain.evidence.hits[0].document}" in caller.rounds[1]


@pytest.mark.parametrize(
    "wrote",
    [
        {"tool": "done"},
        {"tool": "search", "question": ""},
        {"tool": "must_read", "place": "P99"},
        {"tool": "erase", "place": "P1"},
        "no JSON",
        "",
        '{"tool":"search"' * 200,
    ],
)
def test_whatever_it_writes_the_answer_is_as_it_was(demo: Library, wrote: object) -> None:
    plain = demo.ask(QUESTION)
    caller, answer = called(demo, lambda _: wrote)
    assert isinstance(answer, Grounded)
    assert len(caller.rounds) <= 2  # the same call is not made twice
    assert not [made for made in answer.evidence.rounds if made.why.startswith("called by")]
    assert answer.evidence.hits == plain.evidence.hits if isinstance(plain, Grounded) else False


def test_it_stays_in_the_documents_that_were_searched(demo: Library) -> None:
    document = demo.overview().documents[0].id
    settings = Settings(llm=LlmSettings(model="scripted", mode="always", rounds=4))
    writer = Writer(demo, Caller(lambda number: EACH[number]), settings)
    answer = writer.answer(replace(Asked(QUESTION, mode="always"), documents=(document,)))
    assert isinstance(answer, Grounded)
    assert {one.document for made in answer.evidence.rounds for one in made.added} <= {document}


def test_without_rounds_it_is_not_asked(demo: Library) -> None:
    caller, _ = called(demo, lambda number: EACH[number], rounds=0)
    assert not caller.rounds
