"""What annexes and amendments decide, as the command line shows it to people.

Rules of this module: the words of the annex are printed as they stand, with the rule that decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from appliance.cli.show import OUT
from appliance.evidence import Choice, Decided
from appliance.views import ClauseView

SHOWN = 8


def print_choices(choices: Sequence[Choice]) -> None:
    """Print what governs the places shown, the first of it."""
    for choice in choices[:SHOWN]:
        colour = "magenta" if choice.accepted else "yellow"
        target, source = f"{choice.parent} {choice.target.named}", f"{choice.document} {choice.label.named}"
        OUT.print(f"[{colour}]{choice.what}:[/] {escape(target)} is governed by [bold]{escape(source)}[/]")
        OUT.print(f"    [italic]“{escape(choice.words)}”[/] [dim]{escape(choice.rule)}[/]")
    if len(choices) > SHOWN:
        OUT.print(f"[dim]and {len(choices) - SHOWN} more, listed with --json[/]")


def print_decided(decided: Decided) -> None:
    """Print what governs a place, then what it decides for others."""
    print_choices(decided.governing)
    for choice in decided.made:
        OUT.print(f"[magenta]decides for[/] [bold]{escape(f'{choice.parent} {choice.target.named}')}[/]")
        OUT.print(f"    [italic]“{escape(choice.words)}”[/] [dim]{escape(choice.rule)}[/]")


def print_clause(document: str, view: ClauseView, decided: Decided) -> None:
    """Print a clause with what stands under it, its choices and its references."""
    clause = view.clause
    page = f" [dim]page {clause.boxes[0].page}[/]" if clause.boxes else ""
    OUT.print(f"[bold]{escape(document)} {escape(clause.label.named)}[/] {escape(clause.title)}{page}")
    for item in (clause, *view.children):
        if item.passage.text:
            number = "" if item is clause else f"[bold]{escape(item.marker or str(item.label))}[/] "
            OUT.print(f"{number}{escape(item.passage.text)}")
    print_decided(decided)
    for reference in view.references:
        where = f"{reference.document} {reference.target.named}" if reference.target else reference.reason
        OUT.print(f"[dim]refers to: {escape(reference.text)} ({escape(where or reference.status)})[/]")
    for source, reference in view.cited_by:
        OUT.print(f"[dim]cited by: {escape(source)} {escape(reference.source.named)}[/]")
