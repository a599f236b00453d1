"""Commands at the box over updates, and how they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ShowUpdateProgress

from appliance.cli.options import FILE, FOLDER, count, json_option, print_json, say
from appliance.cli.terminal_output import ERR, marked
from appliance.core.errors import BadInput, UpdateRefused
from appliance.core.settings import Settings

if TYPE_CHECKING:
    from appliance.update.apply import Box
    from appliance.update.audit import Log
    from appliance.update.intake.verify import Plan
    from appliance.update.values import Installed, Progress


home_option = click.option(
    "--home", type=FOLDER, required=True, envvar="APPLIANCE_HOME", help="The home of the box."
)
stick_option = click.option(
    "--stick", type=FOLDER, help="Where the stick is mounted; searched for if not named."
)


@click.group()
def update() -> None:
    """Take on a bundle from a stick: verified, tried, and undone by itself where it does not work."""


@update.command("init")
@home_option
@click.option("--root", type=FILE, required=True, help="The root of the builder (keys/metadata/N.root.json).")
@click.option("--name", default="", help="What the box is called; a bundle may be for it alone.")
def init_command(home: Path, root: Path, name: str) -> None:
    """Make the home of a box that trusts the keys of its builder.

    \b
    appliance update init --home /var/lib/codes --root 1.root.json --name site-7
    """
    from appliance.update.status import box_fingerprint, make_home

    try:
        content = root.read_bytes()
    except OSError as error:
        raise BadInput(f"{root} cannot be read ({error.strerror}). Name the root of the builder.") from error
    made = make_home(home, content, name)
    key = box_fingerprint(made)
    say(f"{home} is the home of a box. Its key is {key}.", home=str(home), key=key)


@update.command("check")
@home_option
@stick_option
@click.option("--again", is_flag=True, help="Also a version that did not work before.")
@json_option
@click.pass_obj
def check_command(settings: Settings, home: Path, stick: Path | None, again: bool, as_json: bool) -> None:
    """Say whether the bundle on a stick would be taken on, and what it holds; nothing is changed.

    \b
    appliance update check --home /var/lib/codes --stick /media/usb
    """
    from appliance.update.apply import check
    from appliance.update.intake.stick import find_stick

    plan = check(_box(home, settings), find_stick(stick), again=again)
    told = {"version": plan.release.version, "need": plan.need, "digest": plan.digest}
    print_json(told) if as_json else print_plan(plan)


@update.command("apply")
@home_option
@stick_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--prepare", is_flag=True, help="Only copy, verify and report; switch with a later apply.")
@click.option("--again", is_flag=True, help="Also a version that did not work before.")
@json_option
@click.pass_obj
def apply_command(
    settings: Settings, home: Path, stick: Path | None, yes: bool, prepare: bool, again: bool, as_json: bool
) -> None:
    """Take on the bundle: copy, verify, say what changes, ask, try, serve.

    What was prepared before needs no stick any more; a newer version on a stick takes its place.

    \b
    appliance update apply --home /var/lib/codes --stick /media/usb
    appliance update apply --home /var/lib/codes --stick /media/usb --yes
    """
    from appliance.update import apply
    from appliance.update.changes.report import compared
    from appliance.update.words import refusal

    given_up = ""
    while True:
        try:
            with copying() as progress:
                _ready(_box(home, settings, progress), stick, again=again, given_up=given_up)
            break
        except UpdateRefused as error:
            if error.code != "gives up" or (prepare and not yes) or not _gives_up(error, yes=yes):
                raise
            given_up = str((error.facts or {})["generation"])
    box, show = _box(home, settings), print_json if as_json else print_changes
    if prepare:
        show(compared(box))
        return

    def switched() -> Installed:
        report = compared(box)
        show(report)
        if not yes and not click.confirm(f"Switch to version {report['version']}?", err=True):
            raise refusal("declined", version=report["version"])
        return apply.switch(box, report["generation"])

    _serve(switched, "another", yes=yes)


@update.command("status")
@home_option
@json_option
@click.pass_obj
def status_command(settings: Settings, home: Path, as_json: bool) -> None:
    """Say which version is served, which was before, what is prepared, and what happened last.

    \b
    appliance update status --home /var/lib/codes
    """
    from appliance.update.status import status

    found = status(_box(home, settings).home)
    print_json(found) if as_json else print_status(found)


def amiss(found: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with what a box serves, as its state says."""
    if found["damaged"]:
        yield "A file has changed on the disk: apply the stick again."
    if found["untrusted"]:
        yield "What is served was signed by keys that were revoked since: apply the newest stick."


@update.command("rollback")
@home_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoked", is_flag=True, help="Also one that keys signed which are no longer trusted.")
@click.pass_obj
def rollback_command(settings: Settings, home: Path, yes: bool, revoked: bool) -> None:
    """Serve the version before again. The present one is kept, and rollback leads to it too.

    \b
    appliance update rollback --home /var/lib/codes
    """
    from appliance.update import home as homes
    from appliance.update.apply import go_back

    box = _box(home, settings)

    def gone_back() -> Installed:
        name = homes.load_state(box.home).previous
        if name and not yes:
            number = homes.installed(box.home, name).release.version
            click.confirm(f"Go back to version {number}, which was served before?", abort=True, err=True)
        return go_back(box, name, revoked=revoked)

    _serve(gone_back, "another before", yes=yes)


@update.command("resume")
@home_option
@click.pass_obj
def resume_command(settings: Settings, home: Path) -> None:
    """End what a power cut interrupted; for the start of the box, harmless at any time.

    \b
    appliance update resume --home /var/lib/codes
    """
    from appliance.update.apply import resume

    resume(_box(home, settings))
    say("", resumed=True)


@update.command("scrub")
@home_option
@click.pass_obj
def scrub_command(settings: Settings, home: Path) -> None:
    """Read every byte of the present version again; leave it for the one before where it is damaged.

    \b
    appliance update scrub --home /var/lib/codes
    """
    from appliance.update.trial.scrub import scrub, scrub_words

    done = scrub(_box(home, settings))
    say(scrub_words(done), files=done.files, damaged=list(done.damaged))
    if done.damaged:
        raise click.exceptions.Exit(12)


@update.command("log")
@home_option
@json_option
def log_command(home: Path, as_json: bool) -> None:
    """Show the log of updates, and whether its chain is whole.

    \b
    appliance update log --home /var/lib/codes
    """
    from appliance.update.audit import read_log
    from appliance.update.home import Home

    found = read_log(Home(home).audit_file)
    print_json(msgspec.to_builtins(asdict(found))) if as_json else print_log(found)
    if found.broken:
        raise click.exceptions.Exit(12)


@update.command("export")
@home_option
@stick_option
@click.option("--asked", is_flag=True, hidden=True, help="For codes-notes.service alone.")
def export_command(home: Path, stick: Path | None, asked: bool) -> None:
    """Write the site's notes to a stick for the builder: questions without an answer, feedback.

    \b
    appliance update export --home /var/lib/codes
    appliance update export --home /var/lib/codes --stick /media/usb
    """
    from appliance.update import returned_notes as outbox
    from appliance.update.home import Home
    from appliance.update.status import box_fingerprint

    at = Home(home)
    if asked:
        outbox.answer(at)
        return
    number, key = outbox.send(at, stick), box_fingerprint(at)
    say(f"{count(number, 'note')} written, signed with the key {key}.", notes=number, key=key)


def _serve(done: Callable[[], Installed], another: str, *, yes: bool) -> None:
    """Say what is served after it; where another version came in while the person read, ask anew."""
    while True:
        try:
            version = done().release.version
        except UpdateRefused as error:
            if yes or error.code != another:
                raise
            click.echo(str(error), err=True)
        else:
            say(f"Version {version} is served; a running server moves to it by itself.", version=version)
            return


def _box(path: Path, settings: Settings, progress: Progress | None = None) -> Box:
    from appliance.update.apply import Box, quiet
    from appliance.update.home import Home

    return Box(Home(path), settings, progress=progress or quiet)


def _ready(box: Box, named: Path | None, *, again: bool, given_up: str) -> Installed:
    """Return what is prepared after a look at the stick, and say where that is another than before."""
    from appliance.update import apply
    from appliance.update import home as homes
    from appliance.update.intake.stick import find_stick

    waits = apply.prepared(box, told=named is None)
    before = homes.load_state(box.home).previous
    try:
        stick = find_stick(named)
    except UpdateRefused as error:
        if named or waits is None or error.code != "no stick":
            raise
        return waits
    ready = apply.prepare(box, stick, again=again, given_up=given_up, newer=named is None)
    if waits and ready.digest != waits.digest:
        old, new = waits.release.version, ready.release.version
        click.echo(f"Version {old} was prepared; version {new} on the stick takes its place.", err=True)
    if before and not homes.load_state(box.home).previous:
        click.echo("The version before was removed to make room for it.", err=True)
    return ready


def _gives_up(error: UpdateRefused, *, yes: bool) -> bool:
    """Ask whether the version before may make room; there is no way back until the new one is served."""
    facts = error.facts or {}
    asked = (
        f"The disk has room for version {facts['version']} only where version {facts['before']} is given up, "
        f"to which the box can go back now. Remove version {facts['before']}?"
    )
    return yes or click.confirm(asked, err=True)


SHOWN = 12  # added items of a document, and notes, that are listed
FATES = {"changed": "changed", "withdrawn": "withdrawn", "moved": "renumbered", "added": "added"}
MIB = 1 << 20


@contextmanager
def copying() -> Iterator[Progress]:
    """Show a bar while a bundle is copied."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with ShowUpdateProgress(*columns, console=ERR, transient=True) as bar:
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
    from appliance.update.changes.report import NO_NOTES, NOT_HELD

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
    """Print a document: first, and all of it, what is changed or gone; then the first of the rest."""
    name = change["after"] or change["before"]
    was = f" (was {change['before']})" if change["after"] and change["before"] not in {"", name} else ""
    items = {fate: [item for item in change["items"] if item["fate"] == fate] for fate in FATES}
    said = ", ".join(f"{len(items[fate])} {word}" for fate, word in FATES.items() if items[fate])
    click.echo(f"{name}{was}: {said or change['fate']}")
    for fate, word in FATES.items():
        shown = items[fate] if fate in {"changed", "withdrawn"} else items[fate][:SHOWN]
        for item in shown:
            label = " → ".join(filter(None, (item["before"], item["label"])))
            title = f"  {item['title']}" if item["title"] else ""
            also = f" (page {item['page']}): {'; '.join(item['also'])}" if item["also"] else ""
            click.echo(f"  {word:<10} {label}{title}{also}")
            if item["words"]:
                click.echo(f"    {marked((said['fate'], said['text']) for said in item['words'])}")
        if len(items[fate]) > len(shown):
            click.echo(f"  ... and {len(items[fate]) - len(shown)} more {word}")


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
    for sentence in amiss(found):
        click.echo(sentence)
    click.echo(f"disk      {found['free_mib']} MiB free")
    for line in found["last"]:
        clock = "" if line["clock"] else " (clock wrong)"
        click.echo(f"{line['at']}{clock}  {line['event']}: {line['said']}")


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
