"""One question through queue and model, told as it goes: scripted, then with a model file.

The script names the first two sentences that it is shown. Somebody else's question is asked before, and given
up after a while. `docs/recorded-run.txt` holds what is printed by

    python -m tests.recorded_run demo.db "When may snow be left out?" SmolLM2-135M-Instruct.Q4_1.gguf
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from appliance.core.evidence import Answer, Grounded, Written
from appliance.core.jobs import ENDED, Job, Jobs, Look
from appliance.core.settings import LlmSettings, Settings
from appliance.library import Library
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.protocols import Generator
from appliance.written_answers import Asked, Writer
from tests.models.scripted import ScriptedGenerator, perfect

LOOK = 0.5  # seconds between two looks, as the page has it
BEFORE = 2.0  # seconds until the question asked before is given up
OTHER = "what is a roof"  # asked before by somebody else


def generator_of(model: str) -> Generator:
    if not model:
        return ScriptedGenerator(perfect)
    path = Path(model)
    states = Path.home() / ".cache" / "appliance" / "states"
    return LlamaGenerator(Plan(path.stem, path, "recorded", 4096, 1, 0, states, 1024, 120.0, 60.0))


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def followed(queue: Jobs[Asked, Answer], ticket: str, before: str) -> None:
    """Tell what the page would show, whenever that changes; give up the other question after a while."""
    began, told, last = time.monotonic(), 0, ""
    while True:
        look = queue.look(ticket, told)
        assert look is not None
        told, seconds = look.told, time.monotonic() - began
        if (line := _line(look)) != last or look.text:
            tell(f"{seconds:6.1f} s  {line}" + (f"  + {look.text!r}" if look.text else ""))
        last = line
        if look.state in ENDED:
            return
        if before and (seconds < BEFORE or not queue.look(before)):
            queue.look(before)
        elif before:
            tell(f"{seconds:6.1f} s  (the question before is given up)")
            queue.cancel(before)
            before = ""
        time.sleep(LOOK)


def _line(look: Look) -> str:
    read = f", {100 * look.done // look.total} % read" if look.total else ""
    ahead = f", {look.position} before it" if look.position else ""
    return f"{look.state}{ahead}{', ' + look.stage if look.stage else ''}{read}"


def record(library: str, question: str, model: str) -> None:
    """Tell one run: scripted where no model file is named."""
    patient = LlmSettings(seconds=120.0)  # on a busy machine too
    llm = replace(patient, model="recorded", mode="always", output_tokens=60 if model else 400)
    settings = Settings(llm=llm)
    writer = Writer(Library.open(Path(library), settings), generator_of(model), settings)

    def work(asked: Asked, job: Job[Asked, Answer]) -> Answer:
        if asked.question == OTHER:
            while not job.stopped:
                time.sleep(0.1)
        return writer.answer(asked, job)

    writer.warm()  # as the page does when it starts: the instructions are evaluated and kept
    queue: Jobs[Asked, Answer] = Jobs(work, settings.jobs)
    before = queue.submit("before", "somebody else", Asked(OTHER, mode="always"))
    time.sleep(LOOK)
    machine = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    tell(f"with {Path(model).name if model else 'the script'}, {machine}")
    followed(queue, queue.submit("recorded", "reader", Asked(question, mode="always")), before)
    answer = queue.result("recorded")
    queue.close()
    writer.close()
    if not isinstance(answer, Grounded) or answer.written is None:
        tell(f"no written answer: {answer}")
        return
    told(answer, answer.written)


def told(answer: Grounded, written: Written) -> None:
    """Tell what a model did for an answer, and what the answer says."""
    for step in written.steps:
        tell(f"{step.what} {step.prompt}: {step.ending}; {step.found or 'nothing'}")
        tell(
            f"  {step.prompt_tokens} tokens read "
            f"({step.restored_tokens} restored) in {step.first_seconds:.1f} s, "
            f"{step.tokens} written in {step.writing_seconds:.1f} s"
        )
    tell("the sentences as it read them:")
    for line in written.shown:
        tell(f"  {line[:100]}")
    tell(f"notice: {written.notice or 'none'}")
    for statement in answer.statements:
        mark = "confirmed" if statement.confirmed else f"not confirmed: {statement.why}"
        tell(f"- {statement.text[:44]!r} {list(statement.citations)} ({mark})")


def main(library: str, question: str, model: str = "") -> None:
    tell(f'# python -m tests.recorded_run {Path(library).name} "{question}" {Path(model).name}')
    for name in dict.fromkeys(("", model)):
        tell("")
        record(library, question, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
