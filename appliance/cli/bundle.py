"""Commands of the builder over bundles and keys."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from appliance.cli.options import FILE, FOLDER, THERE, count, json_option, open_library, print_json, say
from appliance.cli.terminal_output import print_outline
from appliance.core.settings import Settings

keys_option = click.option(
    "--keys", "folder", type=FOLDER, required=True, envvar="APPLIANCE_KEYS", help="The folder of keys."
)
with_option = click.option(
    "--with",
    "also",
    multiple=True,
    type=THERE,
    help="A folder or file with further private keys (may be given several times).",
)


def passphrase() -> bytes:
    """Return the passphrase of the private keys, from APPLIANCE_PASSPHRASE; empty for none."""
    return os.environ.get("APPLIANCE_PASSPHRASE", "").encode()


@click.group()
def keys() -> None:
    """The keys that sign bundles: three roots of which two must agree, and the key for releases.

    Private keys are encrypted with the words in APPLIANCE_PASSPHRASE where it is set.
    """


@keys.command("new")
@click.option("--to", "folder", type=FOLDER, required=True, help="A new folder.")
def new_command(folder: Path) -> None:
    """Make the keys of a builder. Give each root key to another person afterwards.

    \b
    appliance keys new --to keys
    """
    from appliance.update.keys import new_keys, root_files

    made = new_keys(folder, passphrase())
    root = root_files(made.folder)[-1]
    say(
        f"Boxes trust {root}. Releases are signed by {folder}/release-1.pem.\n"
        "Give root-1.pem, root-2.pem and root-3.pem to three people: two of them replace a key.",
        folder=str(folder),
        root=str(root),
    )


@keys.command("list")
@keys_option
@with_option
@json_option
def list_command(folder: Path, also: tuple[Path, ...], as_json: bool) -> None:
    """List the keys that count, and whether their private part is at hand.

    \b
    appliance keys list --keys keys
    """
    from appliance.update.keys import load_keys, names

    loaded = load_keys(folder, also, passphrase())
    root = loaded.root.signed
    least, of = root.roles["root"].threshold, len(root.roles["root"].keyids)
    known = [
        {"name": name, "key": keyid, "at_hand": keyid in loaded.signers}
        for keyid, name in names(loaded).items()
    ]
    told = {"root": root.version, "threshold": least, "roots": of, "keys": known}
    print_json(told) if as_json else print_outline(told)


@keys.command("rotate")
@click.argument("name")
@keys_option
@with_option
def rotate_command(name: str, folder: Path, also: tuple[Path, ...]) -> None:
    """Replace a key, which revokes it on every box that sees the next stick.

    \b
    appliance keys rotate release-1 --keys keys --with /media/anna --with /media/ben
    appliance keys rotate root-2 --keys keys --with /media/anna --with /media/carla
    """
    from appliance.update.keys import load_keys, rotate

    made = rotate(load_keys(folder, also, passphrase()), name, passphrase())
    say(f"{made} takes the place of {name}. The next bundle tells the boxes.", made=made, replaced=name)


@click.group()
def bundle() -> None:
    """Signed bundles: what a box needs, on a stick, and what boxes send back."""


@bundle.command("create")
@click.option("--library", type=FILE, required=True, help="The library file.")
@click.option("--models", type=FOLDER, help="A folder of models that replaces the one of the program.")
@click.option("--program", type=FOLDER, help="A folder of wheels: a newer program, and what it newly needs.")
@click.option("--to", type=FOLDER, required=True, help="The stick, or any folder.")
@keys_option
@with_option
@click.option("--since", type=FOLDER, help="The bundle before: adds a patch that starts from its library.")
@click.option("--small", is_flag=True, help="Leave off what a box has that took on the bundle --since.")
@click.option("--judged", type=FILE, help="Judged questions; the first found are asked on the box as well.")
@click.option("--notes", "gaps", type=FILE, help="Notes of boxes; those answered now are said to be closed.")
@click.option("--for", "box", default="", help="The only box that may take it on.")
@click.option("--message", default="", help="A sentence for the person at the box.")
@json_option
@click.pass_obj
def create_command(
    settings: Settings,
    library: Path,
    models: Path | None,
    program: Path | None,
    to: Path,
    folder: Path,
    also: tuple[Path, ...],
    since: Path | None,
    small: bool,
    judged: Path | None,
    gaps: Path | None,
    box: str,
    message: str,
    as_json: bool,
) -> None:
    """Write a signed bundle of a library, its page images and, where named, its models.

    \b
    appliance bundle create --library build/codes.db --keys keys --to /media/usb
    appliance bundle create --library codes.db --keys keys --to /media/usb --since last --small
    appliance bundle create --library codes.db --keys keys --to /media/usb --program wheels
    """
    from appliance.update.bundle import Content, create, golden_questions
    from appliance.update.keys import load_keys
    from appliance.update.returned_notes import closed

    keys = load_keys(folder, also, passphrase())
    if models:
        settings = replace(settings, models=replace(settings.models, folder=models))
    with closing(open_library(library, settings)) as opened:
        golden = golden_questions(opened, judged)
        closes = closed(opened, gaps) if gaps else ()
    content = Content(library, models, golden, box, message, closes, program)
    made = create(content, keys, to, since, small=small)
    told = {"version": made.version, "folder": str(made.folder), "sizes": made.sizes}
    told |= {"golden": len(golden), "closed": len(closes), "left_off": len(made.left_off)}
    print_json(told) if as_json else print_outline(told)


@bundle.command("import")
@click.argument("stick", type=FOLDER)
@keys_option
@click.option("--to", "file", type=FILE, required=True, help="Judged questions; notes are added at its end.")
@click.option("--trust", default="", help="The key of a new box, as it says it of itself.")
def import_command(stick: Path, folder: Path, file: Path, trust: str) -> None:
    """Add the notes that a box exported to a file of judged questions.

    \b
    appliance bundle import /media/usb --keys keys --to notes.jsonl
    appliance eval questions notes.jsonl --library build/codes.db
    """
    from appliance.update.returned_notes import bring

    found = bring(stick, folder / "boxes", file, trust)
    say(
        f"{count(found.notes, 'note')} of the box {found.box or 'without a name'}, {len(found.new)} new, "
        f"in {file}. Fill in `gold` where it is empty.",
        box=found.box,
        notes=found.notes,
        new=len(found.new),
        file=str(file),
    )
