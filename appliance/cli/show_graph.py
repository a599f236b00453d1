"""What the command line shows of the graph: trees of neighbours, and what is to review.

Rules of this module: results go to stdout; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid
from rich.tree import Tree

from appliance.cli.show import ERR, OUT
from appliance.graph import Kept, ReviewItem
from appliance.review import Heap

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


def print_decided(items: Sequence[ReviewItem], state: str) -> None:
    """Print what was decided."""
    for item in items:
        OUT.print(f"{item.id} {state}: {escape(item.source)} → {escape(item.target)}")
