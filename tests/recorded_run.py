"""One question through queue, review, writing and checks, told as it goes: with a model file, or scripted.

The script quotes what it is shown first, and then lies about it with another number.

    python -m tests.recorded_run LIBRARY "question" [MODEL.gguf]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from appliance.evidence import Answer, Grounded
from appliance.job import ENDED, Job, Look
from appliance.jobs import Jobs
from appliance.library import Library
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.protocols import Generator
from appliance.settings import LlmSettings, Settings
from appliance.writing import Asked, Writer
from tests.models.scripted import Line, ScriptedGenerator, Stated, answering, lie, plain

LOOK = 0.5  # seconds between two looks, as the page has it


def _quote_and_lie(lines: list[Line]) -> list[Stated]:
    name, _, text = next((line for line in lines if any(map(str.isdigit, line[2]))), lines[0])
    return [([name], plain(text)), ([name], lie(plain(text)))]


honest_then_lying = answering(_quote_and_lie)


def generator_of(model: str) -> Generator:
    if not model:
        return ScriptedGenerator(honest_then_lying)
    path = Path(model)
    states = Path.home() / ".cache" / "appliance" / "states"
    return LlamaGenerator(Plan(path.stem, path, "recorded", 4096, 1, 0, states, 1024, 120.0, 60.0))


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def followed(queue: Jobs[Asked, Answer], ticket: str) -> None:
    """Tell what the page would show, whenever that changes."""
    began, told, last = time.monotonic(), 0, ""
    while True:
        look = queue.look(ticket, told)
        assert look is not None
        told = look.told
        if (line := _line(look)) != last or look.text:
            tell(f"{time.monotonic() - began:6.1f} s  {line}" + (f"  + {look.text!r}" if look.text else ""))
        last = line
        if look.state in ENDED:
            return
        time.sleep(LOOK)


def _line(look: Look) -> str:
    read = f", {100 * look.done // look.total} % read" if look.total else ""
    return f"{look.state}{', ' + look.stage if look.stage else ''}{read}"


def main(library: str, question: str, model: str = "") -> None:
    llm = LlmSettings(model="recorded", mode="always", output_tokens=60 if model else 400)
    settings = Settings(llm=llm)
    writer = Writer(Library.open(Path(library), settings), generator_of(model), settings)

    def work(asked: Asked, job: Job[Asked, Answer]) -> Answer:
        return writer.answer(asked, job)

    queue: Jobs[Asked, Answer] = Jobs(work, settings.jobs)
    followed(queue, queue.submit("recorded", "reader", Asked(question, mode="always")))
    answer = queue.result("recorded")
    queue.close()
    writer.close()
    if not isinstance(answer, Grounded) or answer.written is None:
        tell(f"no written answer: {answer}")
        return
    for step in answer.written.steps:
        tell(f"{step.what} {step.prompt}: {step.ending}; {step.found or 'nothing'}")
        tell(
            f"  {step.prompt_tokens} tokens read "
            f"({step.restored_tokens} restored) in {step.first_seconds:.1f} s, "
            f"{step.tokens} written in {step.writing_seconds:.1f} s"
        )
    tell(f"notice: {answer.written.notice or 'none'}")
    for statement in answer.statements:
        mark = "confirmed" if statement.confirmed else f"not confirmed: {statement.why}"
        tell(f"- {statement.text[:44]!r} {list(statement.citations)} ({mark})")


if __name__ == "__main__":
    main(*sys.argv[1:])
