"""What a language model did for an answer, as the command line shows it to people.

Rules of this module: plain lines; the sentences that the model was shown are printed as it read them.
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


def _lines(step: ModelStep) -> Iterator[str]:
    yield f"{step.what} ({step.prompt}): ended with {step.ending}; {step.found or 'nothing came of it'}"
    fresh = step.prompt_tokens - step.restored_tokens
    cost = f"    {fresh} tokens read, {step.restored_tokens} restored, {step.tokens} written"
    times = f"{step.waited_seconds:.1f} s waiting, {step.first_seconds:.1f} s to the first token"
    yield f"{cost}; {times}, {step.writing_seconds:.1f} s writing"
