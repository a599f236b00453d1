"""Commands of the builder over bundles: write one for a stick, read what boxes send back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.keys import FOLDER, keys_option, passphrase, with_option
from appliance.cli.options import FILE, open_library

if TYPE_CHECKING:
    from appliance.settings import Settings


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
) -> None:
    """Write a signed bundle of a library, its page images and, where named, its models.

    \b
    appliance bundle create --library build/codes.db --keys keys --to /media/usb
    appliance bundle create --library codes.db --keys keys --to /media/usb --since last --small
    appliance bundle create --library codes.db --keys keys --to /media/usb --program wheels
    """
    from appliance.cli.show_update import print_made
    from appliance.update.bundle import Content, create
    from appliance.update.golden import golden_questions
    from appliance.update.keys import load_keys
    from appliance.update.trial import with_models
    from appliance.update.wayback import closed

    keys = load_keys(folder, also, passphrase())
    with closing(open_library(library, with_models(settings, models))) as opened:
        golden = golden_questions(opened, judged)
        closes = closed(opened, gaps) if gaps else ()
    content = Content(library, models, golden, box, message, closes, program)
    print_made(create(content, keys, to, since, small=small), len(golden), len(closes))


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
    from appliance.update.wayback import bring

    found = bring(stick, folder / "boxes", file, trust)
    click.echo(
        f"{found.notes} notes of the box {found.box or 'without a name'}, {len(found.new)} of them new, "
        f"are in {file}. Fill in `gold` where it is empty.",
        err=True,
    )
