"""The command that opens a clause with all that governs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import json_option, library_option, open_library, print_json

if TYPE_CHECKING:
    from appliance.settings import Settings


@click.command()
@click.argument("document")
@click.argument("label")
@library_option
@json_option
@click.pass_obj
def clause(settings: Settings, document: str, label: str, library_path: Path, as_json: bool) -> None:
    """Show a clause, what a national annex or an amendment decides about it, and its references.

    LABEL is written as answers show it: as printed, with its Part where numbers start again ("H1 2.33").

    \b
    appliance clause AD-K 1.14 --library build/codes.db
    appliance clause AD-H "H1 2.33" --library build/codes.db --json
    """
    from appliance.cli.show import print_others
    from appliance.cli.show_choices import print_clause
    from appliance.contract import clause_json

    library = open_library(library_path, settings)
    view = library.clause(document, label)
    decided = library.national_choices(document, *view.keys)
    if as_json:
        print_json(clause_json(view, decided, library.store.problems(document)))
    else:
        print_clause(document, view, decided)
        print_others(view.clause.label, library.others_called(document, view.clause.label))
