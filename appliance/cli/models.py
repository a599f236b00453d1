"""Commands over the catalogue of models: what is installed, fetch, check, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import json_option, print_json

if TYPE_CHECKING:
    from appliance.settings import Settings


@click.group()
def models() -> None:
    """List, fetch, check and export models."""


@models.command(name="list")
@json_option
@click.pass_obj
def list_command(settings: Settings, as_json: bool) -> None:
    """List the catalogue with what is installed.

    \b
    appliance models list
    """
    from appliance.cli.show import print_models
    from appliance.models.catalogue import list_models

    listed = list_models(settings.models)
    if as_json:
        keys = ("name", "role", "licence", "repository", "revision", "dimension", "max_tokens", "ram_mib")
        print_json(
            [
                {key: getattr(m.entry, key) for key in keys} | {"state": m.state, "bytes": m.size}
                for m in listed
            ]
        )
    else:
        print_models(listed)


@models.command()
@json_option
@click.pass_obj
def verify(settings: Settings, as_json: bool) -> None:
    """Check every installed file against its recorded sha256; exit 6 when one is wrong.

    \b
    appliance models verify
    """
    from appliance.cli.show import OUT
    from appliance.models.catalogue import list_models
    from appliance.models.catalogue import verify as check

    faults = {
        m.entry.name: check(settings.models, m.entry)
        for m in list_models(settings.models)
        if m.state == "installed"
    }
    if as_json:
        print_json({"models": [{"name": name, "fault": fault} for name, fault in faults.items()]})
    else:
        for name, fault in faults.items():
            OUT.print(f"{name}: {fault or 'whole'}", markup=False)
    if any(faults.values()):
        raise click.exceptions.Exit(6)


@models.command()
@click.argument("name")
@click.option("--origin", default="", help="Where to fetch from, instead of the one in the settings.")
@click.option("--force", is_flag=True, help="Fetch again what is there already.")
@click.pass_obj
def fetch(settings: Settings, name: str, origin: str, force: bool) -> None:
    """Fetch a model of the catalogue (on a connected builder only), resuming where it stopped.

    \b
    appliance models fetch bge-small-en-v1.5
    """
    from appliance.cli.show import ERR, build_progress
    from appliance.models.fetch import fetch as fetch_model

    with build_progress() as show:
        folder = fetch_model(settings.models, name, origin=origin, force=force, progress=show)
    ERR.print(f"{name} is in {folder}.", markup=False)


@models.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.pass_obj
def add(settings: Settings, source: Path) -> None:
    """Copy an exported model's folder into the models folder.

    \b
    appliance models add ./models/my-encoder-int8
    """
    from appliance.cli.show import ERR
    from appliance.models.add import add as add_model

    ERR.print(f"{add_model(settings.models, source).name} is added.", markup=False)


@models.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("target", type=click.Path(path_type=Path))
def export(source: Path, target: Path) -> None:
    """Export a Hugging Face folder to int8 ONNX, refused when it strays from the original.

    \b
    appliance models export ./all-MiniLM-L6-v2 ./models/minilm-l6-int8
    """
    from appliance.cli.show import OUT
    from appliance.models.export import export as export_model

    OUT.print(str(export_model(source, target)), markup=False)
