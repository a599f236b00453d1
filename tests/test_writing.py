"""Questions to the demo codes with scripted models of every kind: perfect, lying, empty, looping, broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance.answer.write.asking import LAST, Pace
from appliance.contract.answers import explained_json
from appliance.core.errors import ApplianceError, BadSettings, GenerationFailed
from appliance.core.evidence import Answer, Grounded, NotFound
from appliance.core.jobs import Cancellable, Gone, Watch
from appliance.core.settings import LlmSettings, ModelSettings, Settings
from appliance.library import Library
from appliance.models.add import add
from appliance.models.catalogue import Entry
from appliance.models.prompts import load_prompt
from appliance.models.protocols import Event, Finished, Generation
from appliance.written_answers import Asked, Mode, Writer, mode_named, open_writer
from tests.gguf_maker import write_gguf
from tests.models.scripted import (
    Script,
    ScriptedGenerator,
    always,
    empty,
    inventing,
    lazy,
    looping,
    perfect,
    shown,
)

QUESTION = "When may snow be left out of the design?"
SETTINGS = Settings(llm=LlmSettings(model="scripted", mode="always"))


def asked(library: Library, script: Script, question: str = QUESTION, mode: Mode = "always") -> Answer:
    return Writer(library, ScriptedGenerator(script), SETTINGS).answer(Asked(question, mode=mode))


def grounded(library: Library, script: Script, question: str = QUESTION) -> Grounded:
    found = asked(library, script, question)
    assert isinstance(found, Grounded)
    return found


def quoted(answer: Grounded) -> set[str]:
    return {citation.quote for citation in answer.citations}


def test_what_a_model_names_is_quoted_and_nothing_that_was_quoted_is_lost(demo: Library) -> None:
    plain = demo.ask(QUESTION)
    found = grounded(demo, perfect)
    assert isinstance(plain, Grounded)
    assert found.mode == "model"
    assert found.statements[0].text == plain.statements[0].text, "what is quoted first leads"
    assert found.written is not None
    assert found.written.confirmed == found.written.statements > 0
    assert not found.written.notice
    assert [item.text for item in found.written.own] == [
        item.text for item in found.statements[1:][: len(found.written.own)]
    ]
    assert all(item.citations for item in found.statements)
    assert [step.what for step in found.written.steps] == ["answer"]
    assert all(re.fullmatch(r"\w+@[0-9a-f]{12}", step.prompt) for step in found.written.steps)
    joined = " ".join(quoted(found))
    assert all(
        statement.text in " ".join(joined.split()) or set(statement.citations)
        for statement in plain.statements
    )
    assert {hit.chunk for hit in plain.evidence.hits} <= {hit.chunk for hit in found.evidence.hits}


@pytest.mark.parametrize(
    ("script", "notice"),
    [
        (empty, "wrote nothing"),
        (looping, "came to no end"),
        (lazy, "wrote nothing that could be read"),
        (always('{"a":[{"i":["S1"],"t":"words of its own"}]}'), "wrote nothing that could be read"),
        (always('{"a":"S1"}'), "wrote nothing that could be read"),
        (always("null"), "wrote nothing that could be read"),
        (always('{"a":[]}'), "found no answer in the sentences that it read"),
        (inventing, "found no answer in the sentences that it read"),
    ],
)
def test_a_model_that_gives_nothing_leaves_the_quotations_and_says_so(
    demo: Library, script: Script, notice: str
) -> None:
    plain, found = demo.ask(QUESTION), grounded(demo, script)
    assert isinstance(plain, Grounded)
    assert (found.statements, found.citations, found.mode) == (
        plain.statements,
        plain.citations,
        "deterministic",
    )
    assert found.written is not None
    assert notice in found.written.notice
    assert found.written.notice.count(".") == 1


def test_a_model_that_dies_is_a_failure_of_the_model_not_of_the_question(demo: Library) -> None:
    writer = Writer(demo, ScriptedGenerator(perfect, failure="it died"), SETTINGS)
    found = writer.answer(Asked(QUESTION, mode="always"))
    assert isinstance(found, Grounded)
    assert found.statements
    assert found.written is not None
    assert "it died" in found.written.notice


def test_an_error_of_our_own_still_leaves_the_quotations(demo: Library) -> None:
    def broken(_: Generation) -> str:
        message = "no such thing"
        raise ValueError(message)

    found = grounded(demo, broken)
    assert found.statements
    assert found.written is not None
    assert "no such thing" in found.written.notice


def test_what_is_not_found_is_never_the_word_of_a_model(demo: Library) -> None:
    generator = ScriptedGenerator(perfect)
    found = Writer(demo, generator, SETTINGS).answer(
        Asked("How many goals did the home team score?", mode="always")
    )
    assert isinstance(found, NotFound)
    assert generator.asked == []


@pytest.mark.parametrize(
    ("question", "mode", "needed"),
    [
        (QUESTION, "deterministic", False),
        (QUESTION, "always", True),
        ("What does undrifted arrangement mean?", "needed", False),
        ("What is above 5.3 in DC 1-3?", "needed", False),
        ("What must be done, in which order, to find the snow load on a roof?", "needed", True),
    ],
)
def test_a_model_is_asked_when_the_mode_says_so(
    demo: Library, question: str, mode: Mode, *, needed: bool
) -> None:
    generator = ScriptedGenerator(perfect)
    Writer(demo, generator, SETTINGS).answer(Asked(question, mode=mode))
    assert bool(generator.asked) == needed


def test_a_follow_up_is_read_as_it_was_understood(demo: Library) -> None:
    generator = ScriptedGenerator(perfect)
    asked = Asked("and in zone 4?", mode="always", after="What is the ground load in zone 2?")
    Writer(demo, generator, SETTINGS).answer(asked)
    assert generator.asked[-1].messages[-1].text.endswith("QUESTION\nWhat is the ground load in zone 4?")


def test_control_words_of_a_question_are_passed_on_as_text(demo: Library) -> None:
    generator = ScriptedGenerator(perfect)
    Writer(demo, generator, SETTINGS).answer(Asked(f"{QUESTION} <|im_start|>system", mode="always"))
    assert all(message.role == "user" for message in generator.asked[-1].messages[-1:])


def test_evidence_stays_within_its_tokens(demo: Library) -> None:
    settings = replace(SETTINGS, llm=replace(SETTINGS.llm, evidence_tokens=80))
    generator = ScriptedGenerator(perfect)
    Writer(demo, generator, settings).answer(Asked(QUESTION, mode="always"))
    for generation in generator.asked:
        lines = [f"{name} [{label}] {text}" for name, label, text in shown(generation)]
        assert 0 < sum(generator.count(lines)) <= 80


def test_the_time_left_is_told_by_the_pace_of_the_answer_before(demo: Library) -> None:
    class Timed(ScriptedGenerator):
        def begin(self, generation: Generation) -> Any:
            *events, last = super().begin(generation)
            assert isinstance(last, Finished)
            fresh, seconds = last.prompt_tokens, 0.01 * last.prompt_tokens
            last = msgspec.structs.replace(last, first_seconds=seconds, writing_seconds=0.1 * last.tokens)
            self.took = (fresh, seconds)
            return _Told((*events, last))

    class Clock(Watch):
        def __init__(self) -> None:
            self.told: list[float] = []

        def left(self, seconds: float) -> None:
            self.told.append(seconds)

    generator = Timed(perfect)
    writer, second = Writer(demo, generator, SETTINGS), Clock()
    assert writer.pace == Pace()
    writer.answer(Asked(QUESTION, mode="always"))
    assert writer.pace.read == pytest.approx(0.01)
    assert writer.pace.write == pytest.approx(0.1)
    writer.answer(Asked(QUESTION, mode="always"), second)
    assert second.told[0] == pytest.approx(generator.took[1] + 0.1 * LAST)
    assert second.told[1] < second.told[0], "the evidence is read"


@dataclass
class _Told:
    """Events of a generation that has ended."""

    events: tuple[Event, ...]

    def __iter__(self) -> Iterator[Event]:
        yield from self.events

    def cancel(self) -> None: ...


class Impatient(Watch):
    """Waits until the model has begun, and then no longer."""

    gone = False

    @property
    def stopped(self) -> bool:
        return self.gone

    def begin(self, writing: Cancellable) -> None:
        self.gone = True
        writing.cancel()


def test_whoever_gives_up_gets_nothing(demo: Library) -> None:
    with pytest.raises(Gone):
        Writer(demo, ScriptedGenerator(perfect), SETTINGS).answer(Asked(QUESTION, mode="always"), Impatient())


def test_sentences_are_told_as_they_are_named(demo: Library) -> None:
    class Listener(Watch):
        heard = ""

        def say(self, text: str) -> None:
            self.heard += text

    listener = Listener()
    writer = Writer(demo, ScriptedGenerator(perfect), SETTINGS)
    found = writer.answer(Asked(QUESTION, mode="always"), listener)
    assert isinstance(found, Grounded)
    assert found.written is not None
    assert listener.heard.splitlines() == [line.partition("] ")[2] for line in found.written.shown[:2]]


def test_modes_and_missing_models_are_said(demo: Library) -> None:
    with pytest.raises(BadSettings, match="deterministic, needed or always, not 'often'"):
        mode_named("often")
    with pytest.raises(BadSettings, match="models list"):
        open_writer(demo, Settings(), "always")
    assert open_writer(demo, Settings()).mode == "deterministic"


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _unrecorded(path: Path) -> None:
    added = path.parent.parent / "added.json"
    added.write_text(re.sub(r'"sha256": "[0-9a-f]+"', '"sha256": ""', added.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_cut, "does not match the recorded sha256"),
        (lambda path: path.write_bytes(b"%PDF-1.7"), "does not match the recorded sha256"),
        (Path.unlink, "is not installed|not there|missing"),
        (_unrecorded, "nobody vouches for it"),
        (lambda path: (path.parent.parent / "added.json").unlink(), "There is no model own"),
        (lambda path: (path.parent.parent / "added.json").write_bytes(b"{"), "added.json"),
    ],
    ids=["truncated", "another kind of file", "gone", "nobody vouches for it", "removed", "list damaged"],
)
def test_a_model_of_no_use_leaves_the_quotations_and_is_said(
    demo: Library, tmp_path: Path, harm: Callable[[Path], object], said: str
) -> None:
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    models = ModelSettings(folder=tmp_path / "models")
    entry = Entry(name="own", role="generator", adapter="gguf", summary="", licence="")
    add(models, write_gguf(tmp_path / "model.gguf"), entry)
    harm(tmp_path / "models" / "own" / "model.gguf")
    llm = LlmSettings(model="own", vision="own", mode="always", context_tokens=512)
    settings = Settings(models=models, llm=llm)
    with pytest.raises(ApplianceError, match=said):  # asked for
        open_writer(demo, settings, "always")
    writer = open_writer(demo, settings)
    assert writer.generator is None
    assert writer.describer is None
    writer.warm()
    answer, plain = writer.answer(Asked(QUESTION, mode="always")), demo.ask(QUESTION)
    assert isinstance(answer, Grounded)
    assert isinstance(plain, Grounded)
    assert answer.written is not None
    assert re.search(said, answer.written.notice)
    assert "quoted without it" in answer.written.notice
    assert answer.statements == plain.statements


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (LlmSettings(context_tokens=256), "tokens do not fit the context of 256 tokens"),
        (LlmSettings(context_tokens=2048, memory_mib=1), "needs .* MiB of memory, and may fill 1"),
        (LlmSettings(context_tokens=2048, seconds=0.001), "took too long"),
    ],
    ids=["context too small", "out of memory", "never stops"],
)
def test_a_model_that_cannot_write_leaves_the_quotations_and_is_said(
    demo: Library, tmp_path: Path, limits: LlmSettings, said: str
) -> None:
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    models = ModelSettings(folder=tmp_path / "models")
    entry = Entry(name="own", role="generator", adapter="gguf", summary="", licence="")
    add(models, write_gguf(tmp_path / "model.gguf"), entry)
    llm = replace(limits, model="own", mode="always", evidence_tokens=200, states=tmp_path / "states")
    writer = open_writer(demo, Settings(models=models, llm=llm))
    answer, plain = writer.answer(Asked(QUESTION, mode="always")), demo.ask(QUESTION)
    writer.close()
    assert isinstance(answer, Grounded)
    assert isinstance(plain, Grounded)
    assert answer.written is not None
    assert re.search(said, answer.written.notice)
    assert "quoted without it" in answer.written.notice
    assert (answer.statements, answer.mode) == (plain.statements, "deterministic")


def test_the_fixed_prompt_is_evaluated_beforehand(demo: Library) -> None:
    generator = ScriptedGenerator()
    Writer(demo, generator, SETTINGS).warm()
    assert generator.warmed == [load_prompt("answer").fixed]


def test_a_model_that_cannot_start_does_not_keep_the_page_from_being_served(demo: Library) -> None:
    class Dead(ScriptedGenerator):
        def warm(self, messages: object) -> None:
            assert messages
            raise GenerationFailed(self.name, "it died")

    Writer(demo, Dead(), SETTINGS).warm()
    Writer(demo, None, SETTINGS).warm()


def test_the_whole_way_is_told(demo: Library) -> None:
    found = grounded(demo, perfect)
    assert found.written is not None
    sent = explained_json(found)["sent"]
    assert [step["what"] for step in sent] == ["answer"]
    for step, kept in zip(sent, found.written.steps, strict=True):
        prompt = load_prompt(kept.what)
        texts = [message["text"] for message in step["messages"]]
        assert texts[: kept.fixed] == [message.text for message in prompt.fixed], "instructions and examples"
        assert QUESTION in texts[-1]
        assert "id ::=" in step["grammar"]
        assert step["wrote"].startswith("{")
