"""Commands over the graph of a library: look around in it, decide what is to review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from rich.markup import escape
from rich.table import Table as Grid
from rich.tree import Tree

from appliance.cli.options import json_option, library_option, print_json, refuse_signed, say
from appliance.cli.show import ERR, OUT
from appliance.core.graph import EdgeKind, Kept, ReviewItem
from appliance.quality.review import Heap

if TYPE_CHECKING:
    from appliance.core.settings import Settings
    from appliance.quality.review import Decisions, Verdict
    from appliance.store.read import Store

KINDS = get_args(EdgeKind)


@click.command()
@click.argument("node", required=False)
@library_option
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Edges of this kind only.")
@click.option("--direction", type=click.Choice(["out", "in", "both"]), default="both", show_default=True)
@click.option("--depth", type=click.IntRange(1, 4), default=1, show_default=True, help="Steps from the node.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Neighbours of a kind.")
@json_option
@click.pass_obj
def graph(
    settings: Settings,
    node: str | None,
    library_path: Path,
    kinds: tuple[str, ...],
    direction: str,
    depth: int,
    limit: int,
    as_json: bool,
) -> None:
    """Show what stands beside something that the codes speak of.

    NODE is a name ("timber", "headroom"), a place ("AD-K Table 1.1") or an id as --json prints it;
    without it, the graph is counted.

    \b
    appliance graph "AD-K Table 1.1" --library build/codes.db
    appliance graph timber --kind APPLIES_TO --direction in --library build/codes.db --json
    """
    from appliance.exploring import Walk, around, counted, named
    from appliance.library import open_store

    with open_store(library_path, settings) as store:
        if node is None:
            counts = counted(store)
            print_json(counts) if as_json else print_counts(counts)
            return
        walk = Walk(kinds, direction, depth, limit)  # type: ignore[arg-type]  # click checked the choices
        trees = [around(store, found, walk) for found in named(store, node)]
        print_json(trees) if as_json else print_trees(trees)


@click.group(invoke_without_command=True)
@click.option(
    "--library",
    "library_path",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="APPLIANCE_LIBRARY",
    help="The library file (or set APPLIANCE_LIBRARY).",
)
@click.option("--document", help="Of this document only.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice([*KINDS, "PROBLEM"]), help="This kind only."
)
@click.option("--stale", is_flag=True, help="Show decisions about what the library no longer holds.")
@click.option("--apart", is_flag=True, help="Each thing by itself, not those that one look decides as one.")
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
    stale: bool,
    apart: bool,
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
        message = "Missing option '--library'."
        raise click.UsageError(message)
    from appliance.contract import review_json
    from appliance.library import open_store
    from appliance.quality.review import by_kind, heaps, items, load_decisions

    decisions = load_decisions(library_path)
    with open_store(library_path, ctx.obj) as store:
        if stale:
            _show_stale(store, decisions, as_json=as_json)
            return
        found = items(store, document=document, kinds=kinds, apart=apart)
    if as_json and ctx.get_parameter_source("limit") is click.core.ParameterSource.DEFAULT:
        limit = max(1, len(found))  # a program gets all, a person what fits a screen
    shown = found[(number - 1) * limit : number * limit]
    if as_json:
        print_json(review_json(shown, len(found), number, decisions.broken) | {"by_kind": by_kind(found)})
    else:
        rest = heaps(found[number * limit :])
        print_review(shown, by_kind(found), number, limit, decisions.broken, rest)


def _show_stale(store: Store, decisions: Decisions, *, as_json: bool) -> None:
    """Print the decisions about what the library no longer holds."""
    from appliance.contract import stale_json
    from appliance.quality.review import stale

    kept, lost = stale(store, decisions), decisions.broken
    print_json(stale_json(kept, lost)) if as_json else print_stale(kept, lost)


_alone_option = click.option(
    "--alone", is_flag=True, help="Only the very things that the ids name, not those listed with them."
)


@review.command()
@click.argument("ids", nargs=-1, required=True)
@library_option
@click.option("--why", default="", help="The reason, kept with the decision.")
@_alone_option
@click.pass_obj
def accept(settings: Settings, ids: tuple[str, ...], library_path: Path, why: str, *, alone: bool) -> None:
    """Accept what the ids name: it counts as if it were certain.

    \b
    appliance review accept k3x7qzamd2f4u --library build/codes.db
    """
    _decide(settings, library_path, ids, "accepted", why, alone=alone)


@review.command()
@click.argument("ids", nargs=-1, required=True)
@library_option
@click.option("--why", required=True, help="The reason, kept with the decision.")
@_alone_option
@click.pass_obj
def reject(settings: Settings, ids: tuple[str, ...], library_path: Path, why: str, *, alone: bool) -> None:
    """Reject what the ids name: it is never followed again.

    \b
    appliance review reject k3x7qzamd2f4u --why "the table gives metres" --library build/codes.db
    """
    _decide(settings, library_path, ids, "rejected", why, alone=alone)


def _decide(
    settings: Any, library_path: Path, ids: tuple[str, ...], state: Verdict, why: str, *, alone: bool
) -> None:
    from appliance.library import open_store
    from appliance.quality.review import decide

    refuse_signed(library_path)
    with open_store(library_path, settings) as store:
        decided = decide(store, library_path, ids, state, why, alone=alone)
    lines = (f"{item.id} {state}: {item.source} → {item.target}" for item in decided)
    say("\n".join(lines), state=state, ids=[item.id for item in decided])


HEAPS, PAGES = 20, 6  # lines about what is behind the page shown, and pages that one of them names
STATES = {"accepted": "", "to review": " [yellow]to review[/]", "rejected": " [red]rejected[/]"}
QUOTE = 160  # characters


def print_trees(trees: Sequence[dict[str, Any]]) -> None:
    """Print nodes with their neighbours, by kind of edge."""
    for tree in trees:
        root = Tree(_node(tree))
        _grow(root, tree["neighbours"])
        if "stopped" in tree:
            root.add(f"[dim]{tree['stopped']}[/]")
        OUT.print(root)


def _grow(branch: Tree, neighbours: Sequence[dict[str, Any]]) -> None:
    groups: dict[tuple[str, str], Tree] = {}
    for item in neighbours:
        if "left_out" in item:
            branch.add(f"[dim]and {item['left_out']} more; --limit shows them[/]")
            continue
        way = (item["kind"], item["direction"])
        if way not in groups:
            arrow = "→" if item["direction"] == "out" else "←"
            groups[way] = branch.add(f"[bold]{item['kind']}[/] {arrow}")
        leaf = groups[way].add(_node(item["node"]) + STATES[item["state"]] + _proof(item["proof"]))
        if item.get("opened"):
            leaf.add("[dim]its neighbours are shown above[/]")
        _grow(leaf, item.get("neighbours", ()))


def _node(node: dict[str, Any]) -> str:
    label = node["key"].rsplit("/", 1)[-1] if node["kind"] in {"clause", "table", "figure", "formula"} else ""
    name = " ".join(filter(None, (label, _short(node["name"]) if node["name"] != label else "")))
    owner = f" [dim]{escape(node['document'])}[/]" if node["document"] else ""
    return f"{escape(name)} [dim]{node['kind']}[/]{owner}"


def _proof(proof: dict[str, Any] | None) -> str:
    if not proof or not proof["quote"]:
        return ""
    page = f"p. {proof['pages'][0]} " if proof["pages"] else ""
    return f" [dim]{page}“{escape(_short(proof['quote']))}”[/]"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= QUOTE else flat[:QUOTE].rsplit(" ", 1)[0] + " …"


def print_counts(counts: dict[str, Any]) -> None:
    """Print how many nodes and edges there are."""
    grid = Grid(box=None, pad_edge=False)
    for name in ("", "accepted", "to review"):
        grid.add_column(name, justify="right" if name else "left")
    for kind, number in counts["nodes"].items():
        grid.add_row(kind, str(number), "")
    for kind, states in counts["edges"].items():
        accepted = states.get("accepted", states.get("derived", 0))
        grid.add_row(kind, str(accepted), str(states.get("to review", "")))
    OUT.print(grid)


def print_review(
    items: Sequence[ReviewItem],
    counts: Mapping[str, int],
    page: int,
    limit: int,
    broken: Sequence[int],
    rest: Sequence[Heap],
) -> None:
    """Print one page of what is to look at; `counts` are all that there are, `rest` what is behind it."""
    total = sum(counts.values())
    _print_broken(broken)
    for item in items:
        what = f"{escape(item.source)} → {escape(item.target)}" if item.target else escape(item.source)
        OUT.print(f"[bold cyan]{item.id}[/] {item.kind} [bold]{what}[/] [dim]page {item.page}[/]")
        if item.quote:
            OUT.print(f"    “{escape(_short(item.quote))}”")
        OUT.print(f"    [dim]{escape(item.why)}[/]")
    if not total:
        OUT.print("Nothing is to review.")
        return
    _print_heaps(rest)
    last = -(-total // limit)
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    OUT.print(f"[dim]{kinds}; --kind shows one kind.[/]")
    OUT.print(f"[dim]Page {page} of {last}, {total} in all. Decide: appliance review accept ID …[/]")


def _print_heaps(rest: Sequence[Heap]) -> None:
    """Print how much more there is of each kind in each document, and on which pages most of it."""
    for heap in rest[:HEAPS]:
        worst = sorted(heap.pages, key=lambda page: (-heap.pages[page], page))
        named = ", ".join(_on_page(page, heap.pages[page]) for page in worst[:PAGES])
        more = f" and {len(worst) - PAGES} more pages" if len(worst) > PAGES else ""
        total = sum(heap.pages.values())
        OUT.print(f"[dim]{total:5} more {heap.kind} of {escape(heap.document)}: {named}{more}[/]")
    if len(rest) > HEAPS:
        number = sum(sum(heap.pages.values()) for heap in rest[HEAPS:])
        OUT.print(f"[dim]{number:5} more of {len(rest) - HEAPS} other kinds and documents[/]")


def _on_page(page: int, count: int) -> str:
    name = f"page {page}" if page else "no page"
    return f"{name} ({count})" if count > 1 else name


def print_stale(kept: Sequence[Kept], broken: Sequence[int] = ()) -> None:
    """Print decisions about what is gone, and the lines that tell of nothing."""
    _print_broken(broken)
    for item in kept:
        about = item.about
        place = f"{about.get('document', '')} page {about.get('page', '')}"
        words = f"{about.get('source', '')} → {about.get('target', '')}"
        name = f"[bold]{escape(str(about.get('id')))}[/] {about.get('state')}"
        OUT.print(f"{name} {escape(words)} [dim]{escape(place)}[/]")
    lost = f" {len(broken)} more cannot be read." if broken else ""
    OUT.print(f"[dim]{len(kept)} decisions are about what the library no longer holds.{lost}[/]")


def _print_broken(lines: Sequence[int]) -> None:
    for number in lines:
        ERR.print(f"[yellow]Line {number} of the decisions cannot be read and is skipped.[/]")
