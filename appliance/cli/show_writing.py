"""What a language model did for an answer, as the command line shows it to people.

Rules of this module: plain lines; what the model was sent and what it wrote is printed as it was, nothing
left out: instructions, examples, sentences, question, and the grammar with all ids and labels offered.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.markup import escape

from appliance.cli.show import OUT
from appliance.written import ModelStep, Written


def print_notice(written: Written | None) -> None:
    """Print what a reader should know of how an answer was written."""
    if written and written.notice:
        OUT.print(f"[yellow]{escape(written.notice)}[/]")


def print_steps(written: Written | None) -> None:
    """Print what was asked of the model, what it was shown, how it ended and what it cost."""
    if written is None:
        return
    OUT.print(f"\n[bold]What the language model did[/] {escape(written.model)}")
    for step in written.steps:
        for line in _lines(step):
            OUT.print(f"  {escape(line)}", soft_wrap=True)
    OUT.print("\n[bold]What it was shown[/]")
    for line in written.shown or ("nothing",):
        OUT.print(f"  {escape(line)}", soft_wrap=True)
    for step in written.steps:
        OUT.print(f"\n[bold]What it was sent[/] {escape(f'{step.what} ({step.prompt})')}")
        for line in _sent(step):
            OUT.print(f"  {escape(line)}", soft_wrap=True)


def _lines(step: ModelStep) -> Iterator[str]:
    yield f"{step.what} ({step.prompt}): ended with {step.ending}; {step.found or 'nothing came of it'}"
    fresh = step.prompt_tokens - step.restored_tokens
    cost = f"    {fresh} tokens read, {step.restored_tokens} restored, {step.tokens} written"
    times = f"{step.waited_seconds:.1f} s waiting, {step.first_seconds:.1f} s to the first token"
    yield f"{cost}; {times}, {step.writing_seconds:.1f} s writing"


def _sent(step: ModelStep) -> Iterator[str]:
    """Yield the messages, the grammar and what was written, each under its name."""
    for at, (role, text) in enumerate(step.asked):
        kept = ", the same for every question" if at < step.fixed else ""
        yield f"--- {role}{kept}"
        yield from text.strip().splitlines()
    yield "--- held to this grammar"
    yield from step.grammar.splitlines()
    yield "--- it wrote"
    yield from step.wrote.splitlines() or ("nothing",)
