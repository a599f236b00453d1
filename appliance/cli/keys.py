"""Commands of the builder over keys: make them, list them, replace one."""

from __future__ import annotations

import os
from pathlib import Path

import click

FOLDER = click.Path(path_type=Path, file_okay=False)
keys_option = click.option(
    "--keys", "folder", type=FOLDER, required=True, envvar="APPLIANCE_KEYS", help="The folder of keys."
)
with_option = click.option(
    "--with",
    "also",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
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
    click.echo(
        f"Boxes trust {root_files(made.folder)[-1]}. Releases are signed by {folder}/release-1.pem.", err=True
    )
    click.echo(
        "Give root-1.pem, root-2.pem and root-3.pem to three people: two of them replace a key.", err=True
    )


@keys.command("list")
@keys_option
@with_option
def list_command(folder: Path, also: tuple[Path, ...]) -> None:
    """List the keys that count, and whether their private part is at hand.

    \b
    appliance keys list --keys keys
    """
    from appliance.update.keys import load_keys, names

    loaded = load_keys(folder, also, passphrase())
    root = loaded.root.signed
    click.echo(
        f"root {root.version}: {root.roles['root'].threshold} of {len(root.roles['root'].keyids)} root keys"
    )
    for keyid, name in names(loaded).items():
        click.echo(f"{name:<12} {keyid[:16]}  {'at hand' if keyid in loaded.signers else 'elsewhere'}")


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
    click.echo(f"{made} takes the place of {name}. The next bundle tells the boxes.", err=True)
