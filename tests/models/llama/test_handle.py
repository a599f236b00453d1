"""The model's process through hard cases: every one ends with a sentence, and the next one works."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from appliance.core.errors import ApplianceError, ExtraMissing, GenerationFailed, ModelUnusable, PromptTooLong
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.llama.wire import LONGEST, Ear
from appliance.models.protocols import Event, Finished, Generation, Limits, Message, Piece, Reading
from tests.gguf_maker import write_recurrent

Generators = Callable[..., LlamaGenerator]
SYSTEM = Message("system", "the snow load shall be given. " * 8)
QUESTION = (SYSTEM, Message("user", "roof wind"))


def of(*messages: Message, fixed: int = 0, grammar: str = "", **limits: Any) -> Generation:
    return Generation(messages or QUESTION, fixed, grammar, Limits(**({"tokens": 12} | limits)))


def run(generator: LlamaGenerator, generation: Generation) -> Finished:
    events = list(generator.begin(generation))
    assert isinstance(events[-1], Finished)
    assert events[-1].text == "".join(event.text for event in events if isinstance(event, Piece))
    return events[-1]


LONG = of(Message("user", "the snow load shall be given " * 1200), tokens=100_000, repeats=0)
WRITING = of(Message("user", "wind"), tokens=100_000, repeats=0)


def test_it_starts_on_demand_writes_and_goes(generators: Generators) -> None:
    generator = generators()
    assert number_of(generator) == 0
    first, second = run(generator, of(fixed=1)), run(generator, of(fixed=1))
    assert first.text == second.text
    assert (first.restored_tokens, second.restored_tokens) == (0, second.prompt_tokens - 1)
    number = number_of(generator)
    generator.close()
    assert not psutil.pid_exists(number)
    assert number_of(generator) == 0
    assert run(generator, of()).reason == "cancelled"


def test_the_process_yields_and_stands_alone(generator: LlamaGenerator) -> None:
    generator.count(["snow"])
    process = psutil.Process(number_of(generator))
    assert process.nice() == 19
    assert os.getsid(process.pid) == process.pid
    assert Path(f"/proc/{process.pid}/oom_score_adj").read_text().strip() == "1000"
    assert process.rlimit(psutil.RLIMIT_CORE) == (0, 0)


def test_instructions_are_restored_between_lives_and_questions(generators: Generators) -> None:
    generator = generators()
    generator.warm([SYSTEM])
    os.kill(number_of(generator), signal.SIGKILL)
    wait_until_gone(generator)
    finished = run(generator, of(fixed=1))
    assert finished.restored_tokens > 32
    other = of(SYSTEM, Message("user", "something else altogether"), fixed=1)
    assert run(generator, other).restored_tokens >= finished.restored_tokens
    fresh = generators(states=Path("/proc/nowhere"))
    assert run(fresh, of(fixed=1)).text == finished.text, "a restored state writes what an evaluated one does"
    assert run(fresh, other).restored_tokens > 0, "the same beginning stays evaluated without a file"


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_a_damaged_state_is_evaluated_again(generators: Generators, tmp_path: Path, damage: str) -> None:
    generators().warm([SYSTEM])
    (path,) = (tmp_path / "states").iterdir()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes({"cut": content[:-100], "flipped": content, "empty": bytearray()}[damage]))
    assert run(generators(), of(fixed=1)).restored_tokens == 0
    (path,) = (tmp_path / "states").iterdir()
    assert path.stat().st_size == len(content)


@pytest.mark.parametrize(
    ("limits", "grammar", "reason"),
    [
        ({"tokens": 5}, "", "tokens"),
        ({"tokens": 10_000, "repeats": 4}, f'root ::= "{"xz" * 200}"', "repetition"),
        ({"tokens": 10_000, "repeats": 0}, "", "context"),
        ({"tokens": 100_000, "seconds": 0.0, "repeats": 0}, "", "seconds"),
    ],
)
def test_a_model_that_never_stops_is_ended(
    generator: LlamaGenerator, limits: dict[str, Any], grammar: str, reason: str
) -> None:
    finished = run(generator, of(grammar=grammar, **limits))
    assert finished.reason == reason
    assert finished.prompt_tokens + finished.tokens <= generator.context


@pytest.mark.parametrize(
    ("grammar", "reason", "text"),
    [('root ::= "S1"', "stop", "S1"), ('root ::= ""', "empty", ""), ('root ::= "  "', "empty", "  ")],
)
def test_a_grammar_ends_it(generator: LlamaGenerator, grammar: str, reason: str, text: str) -> None:
    finished = run(generator, of(grammar=grammar))
    assert (finished.reason, finished.text) == (reason, text)


def test_characters_are_whole(generator: LlamaGenerator) -> None:
    events = list(generator.begin(of(grammar='root ::= "γ≤2€"')))
    assert [event.text for event in events if isinstance(event, Piece)] == ["γ", "≤", "2", "€"]


@pytest.mark.parametrize(
    ("generation", "error", "words"),
    [
        (of(grammar="root ::= ("), GenerationFailed, "grammar cannot be read"),
        (of(Message("user", "snow load " * 900)), PromptTooLong, "context of 512 tokens"),
    ],
)
def test_what_cannot_be_done_is_said_and_harms_nothing(
    generator: LlamaGenerator, generation: Generation, error: type[ApplianceError], words: str
) -> None:
    with pytest.raises(error, match=words):
        list(generator.begin(generation))
    before = number_of(generator)
    assert run(generator, of()).reason == "tokens"
    assert number_of(generator) == before


def test_control_words_in_data_stay_data(generator: LlamaGenerator) -> None:
    for word in ("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<think>", "</think>"):
        (count,) = generator.count([word])
        assert count >= 2, f"{word} became a control token"


def test_cancelled_while_it_waits(slow: LlamaGenerator) -> None:
    running, waiting = slow.begin(LONG), slow.begin(of())
    events = iter(running)
    next(events)
    thread, ended = follow(waiting)
    time.sleep(0.1)
    assert thread.is_alive()
    waiting.cancel()
    thread.join(5)
    assert finished(ended).reason == "cancelled"
    assert len(ended) == 1
    running.cancel()
    assert finished(list(events)).reason == "cancelled"


@pytest.mark.parametrize("generation", [LONG, WRITING], ids=["in the prompt", "in the text"])
def test_cancelled_at_work(slow: LlamaGenerator, generation: Generation) -> None:
    writing = slow.begin(generation)
    events = iter(writing)
    wanted = Reading if generation is LONG else Piece
    while not isinstance(next(events), wanted):
        pass
    writing.cancel()
    assert finished(list(events)).reason == "cancelled"
    number = number_of(slow)
    assert run(slow, of()).tokens == 12
    assert number_of(slow) == number, "the word to stop was enough"


def test_cancelled_while_the_model_is_loaded(generators: Generators) -> None:
    generator = generators()
    writing = generator.begin(of())
    writing.cancel()
    assert finished(list(writing)).reason == "cancelled"
    assert run(generator, of()).reason == "tokens"


def test_whoever_leaves_has_cancelled(slow: LlamaGenerator) -> None:
    events = iter(slow.begin(LONG))
    next(events)
    before = number_of(slow)
    events.close()  # type: ignore[attr-defined]  # as a loop that is broken off
    assert run(slow, of()).reason == "tokens"
    assert number_of(slow) == before


def test_time_is_up_within_the_prompt(slow: LlamaGenerator) -> None:
    slow.count(["started"])
    limited = Generation(LONG.messages, limits=Limits(tokens=1000, seconds=0.2))
    assert run(slow, limited).reason == "seconds"


def test_two_at_once_take_turns(generator: LlamaGenerator) -> None:
    alone = run(generator, of(tokens=30)).text
    followed = [follow(generator.begin(of(tokens=30))) for _ in range(4)]
    for thread, _ in followed:
        thread.join(30)
    assert {finished(events).text for _, events in followed} == {alone}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (signal.SIGSEGV, "ended by SIGSEGV"),
        (signal.SIGKILL, "ended by SIGKILL, most likely because memory ran out"),
        (signal.SIGABRT, "ended by SIGABRT"),
        (signal.SIGSTOP, "was halted"),
    ],
)
def test_a_process_that_is_killed_fails_one_generation(
    slow: LlamaGenerator, number: signal.Signals, words: str
) -> None:
    events = iter(slow.begin(LONG))
    next(events)
    before = number_of(slow)
    os.kill(before, number)
    with pytest.raises(GenerationFailed, match=words):
        list(events)
    assert not psutil.pid_exists(before)
    assert run(slow, of()).reason == "tokens"


def test_a_process_that_hears_no_word_is_ended_all_the_same(slow: LlamaGenerator) -> None:
    writing = slow.begin(LONG)
    events = iter(writing)
    next(events)
    os.kill(number_of(slow), signal.SIGSTOP)
    writing.cancel()
    with suppress(GenerationFailed):  # it may be seen to be halted first
        assert finished(list(events)).reason == "cancelled"
    assert run(slow, of()).reason == "tokens"


def test_silence_is_not_waited_out(slow: LlamaGenerator, generators: Generators) -> None:
    hasty = generators(path=slow._service.plan.path, context=8192, silent_seconds=0.001)
    with pytest.raises(GenerationFailed, match=r"no sign of life for 0\.001 s"):
        list(hasty.begin(LONG))


def test_the_process_ends_with_the_program(plan: Plan) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom appliance.models.llama.handle import LlamaGenerator\n"
        "from appliance.models.llama.plan import Plan\n"
        f"path = Path({str(plan.path)!r})\n"
        "generator = LlamaGenerator(Plan('x', path, '', 512, 1, 0, Path('/x'), 0, 60, 60))\n"
        "generator.count(['x'])\nprint(generator._service.process.number, flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    with suppress(psutil.NoSuchProcess):
        child.wait(10)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_model_whose_state_cannot_be_cut_back_writes_the_same(
    generators: Generators, tmp_path: Path, tiny: Path
) -> None:
    assert tiny
    path = write_recurrent(tmp_path / "recurrent.gguf")
    generator, fresh = generators(path=path), generators(path=path, states=Path("/proc/nowhere"))
    other = of(SYSTEM, Message("user", "something else"), fixed=1, tokens=20)
    first, second = run(generator, of(fixed=1, tokens=20)), run(generator, other)
    assert first.restored_tokens == 0
    assert 32 < second.restored_tokens < second.prompt_tokens - 1, "the instructions, from their file"
    assert run(fresh, other).text == second.text
    assert run(fresh, of(fixed=1, tokens=20)).text == first.text
    assert run(fresh, of(fixed=1, tokens=20)).restored_tokens == 0, "nothing to go on from"


def test_halves_of_characters_are_survived(generator: LlamaGenerator) -> None:
    assert run(generator, of(Message("user", "half \ud83c of it \x00"), grammar='root ::= "S1"')).text == "S1"
    assert generator.count(["\udfff", "\x00"]) == [1, 1]


def test_one_that_died_between_two_questions_fails_none(generator: LlamaGenerator) -> None:
    run(generator, of())
    before = number_of(generator)
    os.kill(before, signal.SIGKILL)
    assert run(generator, of()).reason == "tokens"
    assert number_of(generator) not in {0, before}


def test_nonsense_on_the_pipe_ends_the_process(generator: LlamaGenerator) -> None:
    generator.count(["started"])
    process = generator._service.process
    assert process is not None
    process._pipe.sendall(b"\x00\x00\x00\x05hello")
    wait_until_gone(generator)
    assert process.epitaph().startswith("its process ended with status 3")
    generator.count(["started again"])


@pytest.mark.parametrize("said", [b"\xff" * 64, b"\x00\x00\x00\x01\xc1", b"\x00\x00\x00\x04\x81\xa1a\x01"])
def test_nonsense_from_the_process_is_not_believed(generator: LlamaGenerator, said: bytes) -> None:
    generator.count(["started"])
    ours, theirs = socket.socketpair()
    process = generator._service.process
    assert process is not None
    with ours, theirs:
        process._ear = Ear(ours)
        theirs.sendall(said)
        with pytest.raises(GenerationFailed, match="talks nonsense"):
            list(generator.begin(of()))
    assert run(generator, of()).reason == "tokens"


def test_more_than_can_be_said_is_refused(generator: LlamaGenerator) -> None:
    with pytest.raises(GenerationFailed, match="more than can be said"):
        list(generator.begin(of(Message("user", "x" * LONGEST))))
    assert run(generator, of()).reason == "tokens"


def test_it_goes_when_nobody_needs_it(generators: Generators) -> None:
    generator = generators(idle_seconds=0.2)
    generator.count(["started"])
    number = number_of(generator)
    deadline = time.monotonic() + 20
    while number_of(generator) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(number)
    assert run(generator, of()).reason == "tokens"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"memory_mib": 1}, "needs .* MiB of memory, and may fill 1"),
        ({"start_seconds": 0.0}, "not loaded within 0 s"),
    ],
)
def test_what_cannot_be_started_is_said(generators: Generators, change: dict[str, Any], words: str) -> None:
    with pytest.raises(GenerationFailed, match=words):
        run(generators(**change), of())


def test_more_memory_than_it_may_fill(slow: LlamaGenerator, generators: Generators, monkeypatch: Any) -> None:
    monkeypatch.setattr("appliance.models.llama.plan.RESERVE_MIB", 0)
    size = slow._service.plan.path.stat().st_size >> 20
    greedy = generators(path=slow._service.plan.path, context=512, memory_mib=size + 8)
    with pytest.raises(GenerationFailed, match=r"filled .* may fill|memory|ended"):
        list(greedy.begin(of(Message("user", "snow load " * 150), tokens=100_000, repeats=0)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not in GGUF format"),
        (b"PK\x03\x04 a zip file", "not in GGUF format"),
        (b"GGUF\x09\x00\x00\x00" + bytes(16), "GGUF version is 9"),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 16, "damaged"),
    ],
)
def test_a_file_that_is_no_model(generators: Generators, tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "wrong.gguf").write_bytes(content)
    with pytest.raises(ModelUnusable, match=words):
        run(generators(path=tmp_path / "wrong.gguf"), of())


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("raise ModuleNotFoundError('no llama')", ExtraMissing, "pip install -e '.[llm]'"),
        ("raise OSError('libgomp.so.1 is missing')", ModelUnusable, "libgomp"),
    ],
)
def test_without_the_library_it_is_said_what_to_install(
    generators: Generators, tmp_path: Path, monkeypatch: Any, line: str, error: type[Exception], words: str
) -> None:
    (tmp_path / "llama_cpp.py").write_text(line)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    generator = generators()
    for _ in range(2):
        with pytest.raises(error, match=re.escape(words)):
            list(generator.begin(of()))


def test_a_file_that_was_cut_off(generators: Generators, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.gguf").write_bytes(tiny.read_bytes()[:-1000])
    with pytest.raises(ModelUnusable, match="cut off: it has"):
        run(generators(path=tmp_path / "cut.gguf"), of())


def number_of(generator: LlamaGenerator) -> int:
    """Return the number of its process, 0 for none."""
    process = generator._service.process
    return process.number if process else 0


def wait_until_gone(generator: LlamaGenerator) -> None:
    process = generator._service.process
    assert process is not None
    while process.alive:
        time.sleep(0.01)


def follow(writing: Any) -> tuple[threading.Thread, list[Event]]:
    events: list[Event] = []
    thread = threading.Thread(target=lambda: events.extend(writing))
    thread.start()
    return thread, events


def finished(events: list[Event]) -> Finished:
    assert isinstance(events[-1], Finished)
    return events[-1]


def test_what_is_read_only_grows(generators: Generators) -> None:
    events = list(generators().begin(of(fixed=1)))
    read = [event for event in events if isinstance(event, Reading)]
    assert len(read) > 1
    assert len({event.total for event in read}) == 1, "instructions and question are one prompt"
    assert [event.done for event in read] == sorted(event.done for event in read)
