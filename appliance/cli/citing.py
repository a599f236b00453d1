"""The command that checks what a specification cites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import FILE, json_option, library_option, print_json
from appliance.errors import BadInput

if TYPE_CHECKING:
    from appliance.citing.values import Checked, Report
    from appliance.settings import Settings


@click.command("review-references")
@click.argument("file", type=FILE)
@library_option
@click.option("--print", "printed", type=FILE, help="Write the report as a page to print.")
@json_option
@click.pass_obj
def review_references(
    settings: Settings, file: Path, library_path: Path, printed: Path | None, as_json: bool
) -> None:
    """Check every standard, clause, table and figure that a document cites against the library.

    FILE is a PDF, DOCX, text or Markdown file: a specification, a method statement, notes of a drawing.
    Each citation is found, withdrawn, superseded, of a wrong edition, not there, under a wrong title,
    not in the library, or ambiguous, with the page that shows it.

    \b
    appliance review-references specification.docx --library build/codes.db
    appliance review-references specification.pdf --print report.html --library build/codes.db
    """
    from appliance.citing.told import report_json

    report = _report(file, library_path, settings)
    if printed is not None:
        from appliance.web.printed import page

        _write(printed, page(report))
        click.echo(f"The report is in {printed}.", err=True)
    if as_json:
        print_json(report_json(report))
    elif printed is None:
        _show(report)


def _report(file: Path, library: Path, settings: Settings) -> Report:
    from appliance.citing.check import review
    from appliance.citing.reading import read_upload
    from appliance.citing.shelf import Shelf
    from appliance.library import Library, open_store

    most = settings.citing.upload_kib * 1024
    try:
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        message = f"{file} cannot be read ({error.strerror or error})."
        raise BadInput(message) from None
    with open_store(library, settings) as store:
        shelf = Shelf(Library(store, None, None, settings))
        return review(read_upload(file.name, data, settings.citing), shelf, settings.citing)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror or error}). Name another file."
        raise BadInput(message) from error


def _show(report: Report) -> None:
    for one in report.checked:
        click.echo(f"{report.unit} {one.where}: {one.cited.text}  –  {one.status}{_proof(one)}")
        for reason in one.reasons:
            click.echo(f"    {reason}")
    counted = ", ".join(f"{number} {status}" for status, number in report.counts.items())
    click.echo(counted or "Nothing is cited.", err=True)
    for problem in report.problems:
        click.echo(problem, err=True)


def _proof(one: Checked) -> str:
    proof = one.proof
    if proof is None:
        return ""
    place = f"{proof.document} {proof.label.named if proof.label else ''}".strip()
    return f" ({place}{f', {proof.title}' if proof.title else ''}, page {proof.page})"
