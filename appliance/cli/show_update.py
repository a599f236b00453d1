"""How updates are shown to people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from appliance.cli.show import ERR

if TYPE_CHECKING:
    from appliance.update import values
    from appliance.update.audit import Log
    from appliance.update.bundle import Made
    from appliance.update.verify import Plan

SHOWN = 12  # added items of a document, and notes, that are listed
LABELS = 6  # of items of which one thing is said that is no word of theirs
LETTERS = 400  # of the words before and now of one item
MIB = 1 << 20


@contextmanager
def copying() -> Iterator[values.Progress]:
    """Show a bar while a bundle is copied."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True) as bar:
        task = bar.add_task("copying", total=None)

        def told(doing: str, done: int, total: int) -> None:
            bar.update(task, description=doing, completed=done, total=total)

        yield told


def print_plan(plan: Plan) -> None:
    """Print what a bundle on a stick is."""
    from appliance.update.words import MAKES_ROOM

    release = plan.release
    click.echo(f"Version {release.version} can be taken on; it needs {plan.need / MIB:.1f} MiB.")
    if plan.room:
        click.echo(MAKES_ROOM)
    if release.notes:
        click.echo(release.notes)
    for document in release.documents:
        status = f" ({document.status})" if document.status != "in force" else ""
        click.echo(f"  {document.designation}{status}  {document.title}")
    ways = Counter(source.how for source in plan.sources)
    words = {"keep": "are here already", "copy": "come from the stick", "patch": "from a patch",
             "unpack": "packs of page images come from the stick"}  # fmt: skip
    click.echo("; ".join(f"{count} {words[how]}" for how, count in ways.items()) + ".")


def print_changes(report: dict[str, Any]) -> None:
    """Print what a prepared version changes, clause by clause, and which notes that touches."""
    from appliance.update.desk import NO_NOTES
    from appliance.update.report import NOT_HELD

    click.echo(f"Version {report['version']} is copied and verified.")
    for change in report["changes"]:
        _print_change(change)
    if report["unread"]:
        click.echo(f"{report['unread']}\n{NOT_HELD}")
    elif not report["changes"]:
        click.echo("No clause changes.")
    if report["site"]:
        click.echo(NO_NOTES.format(why=report["site"]))
    for note in report["touched"][:SHOWN]:
        places = ", ".join(f"{document} {label} {fate}" for document, label, fate in note["places"][:3])
        click.echo(f"A note of this site is touched: {note['question']} ({places})")
    if len(report["touched"]) > SHOWN:
        click.echo(f"... and {len(report['touched']) - SHOWN} more notes.")
    for question in report["closes"][:SHOWN]:
        click.echo(f"Answered now: {question}")


def _print_change(change: dict[str, Any]) -> None:
    """Print a document: first, and all of it, what has other words or is gone; then the rest, in short."""
    items = change["items"]
    name = change["after"] or change["before"]
    counts = Counter(item["fate"] for item in items)
    said = ", ".join(f"{count} {fate}" for fate, count in counts.items()) or change["fate"]
    was = f" (was {change['before']})" if change["after"] and change["before"] not in {"", name} else ""
    worded = [item for item in items if item["was"] or item["now"]]
    beside = Counter(words for item in items for words in item["also"])
    told = "".join(
        f"; {words} ({count})" for words, count in (("other words", len(worded)), *beside.items()) if count
    )
    click.echo(f"{name}{was}: {said}{told}")
    for item in (*worded, *(item for item in items if item["fate"] == "withdrawn")):
        _print_item(item)
    added = [item for item in items if item["fate"] == "added"]
    for item in added[:SHOWN]:
        _print_item(item)
    if len(added) > SHOWN:
        click.echo(f"  ... and {len(added) - SHOWN} more added")
    _print_groups(item for item in items if item["fate"] == "changed" and item not in worded)


def _print_item(item: dict[str, Any]) -> None:
    title = f"  {item['title']}" if item["title"] else ""
    also = f" (page {item['page']}): {'; '.join(item['also'])}" if item["also"] else ""
    click.echo(f"  {item['fate']:<9}  {item['label']}{title}{also}")
    if item["was"] or item["now"]:
        click.echo(f"    was  {_cut(item['was'])}\n    now  {_cut(item['now'])}")
    if item["more"]:
        click.echo(f"    ... and at {item['more']} more places of it")


def _print_groups(items: Iterable[dict[str, Any]]) -> None:
    """Print what has the words that it had, by what is said of it: a count and the first labels.

    Of what may be another value under the same words (another head over it, another note) it is all labels.
    """
    from appliance.update.contents import ELSE, OTHER_KIND, SAID

    weighty = {SAID["cells"], SAID["notes"], OTHER_KIND, ELSE}
    groups: dict[tuple[str, ...], list[str]] = {}
    for item in items:
        groups.setdefault(tuple(item["also"]), []).append(item["label"])
    for said, labels in groups.items():
        first = labels if weighty & set(said) else labels[:LABELS]
        more = f" and {len(labels) - len(first)} more" if len(labels) > len(first) else ""
        click.echo(f"  {len(labels)} {'; '.join(said)}: {', '.join(first)}{more}")


def _cut(words: str) -> str:
    return words if len(words) <= LETTERS else f"{words[:LETTERS]} ..."


def print_status(found: dict[str, Any]) -> None:
    """Print the state of a box."""
    click.echo(f"Box {found['box'] or 'without a name'}, key {found['key']}")
    words = (("current", "serves"), ("previous", "before"), ("staged", "prepared"))
    for name, word in words:
        generation = found[name]
        if generation is None:
            click.echo(f"{word:<9} nothing")
        elif "trouble" in generation:
            click.echo(f"{word:<9} {generation['generation']}: {generation['trouble']}")
        else:
            click.echo(f"{word:<9} version {generation['version']}, {len(generation['documents'])} documents")
    if found["library"]:
        click.echo(f"library   {found['library']}")
    if found["damaged"]:
        click.echo(f"damaged   {found['damaged']}: apply the stick again")
    if found["untrusted"]:
        click.echo("untrusted what is served: the keys that signed it were revoked; apply the newest stick")
    click.echo(f"disk      {found['free_mib']} MiB free")
    for line in found["last"]:
        click.echo(
            f"{line['at']}{'' if line['clock'] else ' (clock wrong)'}  {line['event']}: {line['said']}"
        )


def print_log(log: Log) -> None:
    """Print the log of updates and what is amiss with it."""
    for line in log.lines:
        clock = "" if line.clock else " (clock wrong)"
        click.echo(
            f"{line.number:>4}  {line.at}{clock}  {line.event}  {line.said}  {line.generation}".rstrip()
        )
    if log.torn:
        click.echo(f"{len(log.torn)} lines were cut short by a loss of power.", err=True)
    if log.broken:
        click.echo(f"The chain is broken at line {log.broken[0]}: lines were changed or removed.", err=True)


def print_made(made: Made, golden: int, closes: int) -> None:
    """Print what a bundle that was written holds."""
    click.echo(
        f"Version {made.version} is in {made.folder}: {golden} golden questions, {closes} gaps closed."
    )
    for name, size in sorted(made.sizes.items(), key=lambda pair: -pair[1]):
        click.echo(f"{size / MIB:>10.2f} MiB  {name}")
    if made.left_off:
        click.echo(f"Left off, because the box has them: {len(made.left_off)} files.")
