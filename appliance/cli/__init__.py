"""The command line: one call of the library for each command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import appliance
from appliance.cli.box import backup, console, doctor, mcp, restore, serve
from appliance.cli.bundle import bundle, keys
from appliance.cli.evaluation import bench, evaluation
from appliance.cli.library import ask, build, clause, crawl, document, search, table, tool
from appliance.cli.models import models
from appliance.cli.options import FILE, print_json, speak_json
from appliance.cli.report import figure, report
from appliance.cli.review import review
from appliance.cli.saved_answers import compare, export, review_references, saved
from appliance.cli.site import corrections, feedback, gaps
from appliance.cli.train import train
from appliance.cli.update import update
from appliance.core import mechanisms
from appliance.core.errors import ApplianceError


class _Commands(click.Group):
    """The group that turns an ApplianceError into its sentence and exit code, with --json into an object."""

    def invoke(self, ctx: click.Context) -> Any:
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except ApplianceError as error:
            click.echo(f"appliance: {error}", err=True)
            if as_json:
                print_json({"error": {"code": error.exit_code, "message": str(error)}})
            ctx.exit(error.exit_code)


@click.group("appliance", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(appliance.__version__, prog_name="appliance")
@click.option("--settings", "settings_path", type=FILE, envvar="APPLIANCE_SETTINGS", help="A TOML file.")
@click.pass_context
def main(ctx: click.Context, settings_path: Path | None) -> None:
    """Ask design codes in your own words, and see each answer on its own page.

    \b
    appliance build codes/ --library build/codes.db
    appliance ask "how steep can a private stair be" --library build/codes.db
    appliance serve --library build/codes.db
    """
    from appliance.core import settings

    mechanisms.check()
    ctx.obj = settings.load(settings_path or settings.of_box())


_READING = (build, document, clause, table, figure, report)
for command in (
    *_READING,
    crawl,
    search,
    ask,
    tool,
    mcp,
    serve,
    doctor,
    backup,
    restore,
    models,
    evaluation,
    bench,
    review,
    gaps,
    feedback,
    corrections,
    saved,
    export,
    compare,
    review_references,
    train,
    update,
    console,
    bundle,
    keys,
):
    main.add_command(command)
for command in (backup, restore, models, review, gaps, feedback, corrections, saved, update, bundle, keys):
    speak_json(command)
