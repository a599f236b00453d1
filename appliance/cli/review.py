"""The commands that list what was read with doubt, and decide it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from appliance.cli.options import FILE, json_option, library_option, print_json, refuse_signed, say
from appliance.cli.terminal_output import ERR, OUT, print_outline
from appliance.contract.shape import picked
from appliance.core.graph import EdgeKind
from appliance.core.settings import Settings

if TYPE_CHECKING:
    from appliance.quality.review import Verdict


KINDS = get_args(EdgeKind)
FIELDS = "id", "kind", "document", "page", "source", "target", "quote", "why", "confidence", "boxes"


@click.group(invoke_without_command=True)
@click.option(
    "--library",
    "library_path",
    type=FILE,
    envvar="APPLIANCE_LIBRARY",
    help="The library file (or set APPLIANCE_LIBRARY).",
)
@click.option("--document", help="Of this document only.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice([*KINDS, "PROBLEM"]), help="This kind only."
)
@click.option(
    "--limit", type=click.IntRange(1), default=30, show_default=True, help="Items of a page (--json: all)."
)
@click.option("--page", "number", type=click.IntRange(1), default=1, show_default=True)
@json_option
@click.pass_context
def review(
    ctx: click.Context,
    library_path: Path | None,
    document: str | None,
    kinds: tuple[str, ...],
    limit: int,
    number: int,
    as_json: bool,
) -> None:
    """List what was read with doubt from the codes, and decide it.

    Values read with doubt first, then what changes a code, what it demands, problems of pages, references
    that lead nowhere: each with its words, its page and why, and how many there are of each kind.
    What one look answers (the values of a table, one reference in several places) is one thing.
    Decisions stand beside the library and hold for every later build that finds the same words.

    This is about what the library holds. What a document of yours cites is checked by
    `appliance review-references`.

    \b
    appliance review --library build/codes.db --kind HAS_VALUE
    appliance review accept k3x7qzamd2f4u --library build/codes.db
    appliance review reject k3x7qzamd2f4u --why "the table gives metres" --library build/codes.db
    """
    if ctx.invoked_subcommand is not None:
        return
    if library_path is None:
        raise click.UsageError("Missing option '--library'.")
    from appliance.library import open_store
    from appliance.quality.review import items, load_decisions

    decisions = load_decisions(library_path)
    with open_store(library_path, ctx.obj) as store:
        found = items(store, document=document, kinds=kinds)
    if as_json and ctx.get_parameter_source("limit") is click.core.ParameterSource.DEFAULT:
        limit = max(1, len(found))  # a program gets all, a person what fits a screen
    shown = found[(number - 1) * limit : number * limit]
    listed = {
        "total": len(found),
        "page": number,
        "unreadable_lines": list(decisions.broken),
        "items": [picked(FIELDS, item) for item in shown],
        "by_kind": dict(Counter(item.kind for item in found)),
    }
    if as_json:
        print_json(listed)
        return
    for broken in decisions.broken:
        ERR.print(f"[yellow]Line {broken} of the decisions cannot be read and is skipped.[/]")
    print_outline(listed["items"])
    print_outline({"by kind": listed["by_kind"]})
    last = -(-len(found) // limit)
    OUT.print(f"Page {number} of {last}, {len(found)} in all. Decide: appliance review accept ID …")


@review.command()
@click.argument("ids", nargs=-1, required=True)
@library_option
@click.option("--why", default="", help="The reason, kept with the decision.")
@click.pass_obj
def accept(settings: Settings, ids: tuple[str, ...], library_path: Path, why: str) -> None:
    """Accept what the ids name: it counts as if it were certain.

    \b
    appliance review accept k3x7qzamd2f4u --library build/codes.db
    """
    _decide(settings, library_path, ids, "accepted", why)


@review.command()
@click.argument("ids", nargs=-1, required=True)
@library_option
@click.option("--why", required=True, help="The reason, kept with the decision.")
@click.pass_obj
def reject(settings: Settings, ids: tuple[str, ...], library_path: Path, why: str) -> None:
    """Reject what the ids name: it is never followed again.

    \b
    appliance review reject k3x7qzamd2f4u --why "the table gives metres" --library build/codes.db
    """
    _decide(settings, library_path, ids, "rejected", why)


def _decide(settings: Any, library_path: Path, ids: tuple[str, ...], state: Verdict, why: str) -> None:
    from appliance.library import open_store
    from appliance.quality.review import decide

    refuse_signed(library_path)
    with open_store(library_path, settings) as store:
        decided = decide(store, library_path, ids, state, why)
    lines = (f"{item.id} {state}: {item.source} → {item.target}" for item in decided)
    say("\n".join(lines), state=state, ids=[item.id for item in decided])
