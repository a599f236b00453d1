"""The command line: one call of the library for each command.

Rules of this module: parse, call, print. Machine output (`--json`, `--batch`) goes to stdout alone,
everything said to people goes to stderr or is the only output. Heavy imports are inside the commands
so that `--help` is quick. An `ApplianceError` becomes its sentence and its exit code, in one place.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import appliance
from appliance.errors import ApplianceError

if TYPE_CHECKING:
    from appliance.library import Library
    from appliance.settings import Settings


class _Commands(click.Group):
    """The group that turns an ApplianceError into its sentence and exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ApplianceError as error:
            click.echo(f"appliance: {error}", err=True)
            ctx.exit(error.exit_code)


FILE = click.Path(path_type=Path, dir_okay=False)
library_option = click.option(
    "--library",
    "library_path",
    type=FILE,
    required=True,
    envvar="APPLIANCE_LIBRARY",
    help="The library file (or set APPLIANCE_LIBRARY).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
batch_options: tuple[Callable[[Any], Any], ...] = (
    click.option("--batch", type=FILE, help="Read JSON objects, one a line, instead of one request."),
    click.option("--output", type=FILE, help="Where the results of --batch go, one a line."),
)


def _batch(command: Any) -> Any:
    for option in reversed(batch_options):
        command = option(command)
    return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
    from appliance import settings

    ctx.obj = settings.load(settings_path)


def _open(path: Path, settings: Settings) -> Library:
    from appliance.library import Library

    return Library.open(path, settings)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@library_option
@click.option("--workers", type=click.IntRange(0), help="Worker processes; 0 for one each core.")
@click.option("--strict", is_flag=True, help="Exit with 11 when any file could not be read.")
@json_option
@click.pass_obj
def build(
    settings: Settings,
    paths: tuple[Path, ...],
    library_path: Path,
    workers: int | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Read the PDF files of folders into one library.

    Unchanged files are skipped, changed ones replaced, removed ones reported; a file that cannot be
    read is one line in the summary.

    \b
    appliance build codes/ --library build/codes.db
    appliance build codes/ extra/EN-1991-1-3.pdf --library build/codes.db --json
    """
    from appliance.building import build as build_library
    from appliance.console import build_progress, print_report, report_json

    if workers is not None:
        settings = replace(settings, ingest=replace(settings.ingest, workers=workers))
    with build_progress() as progress:
        report = build_library(paths, library_path, settings, progress=progress)
    if as_json:
        _print_json(report_json(report))
    else:
        print_report(report)
    if strict and report.broken:
        raise click.exceptions.Exit(11)


@main.command()
@click.argument("question", required=False)
@library_option
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100), help="Places shown.")
@click.option("--document", "documents", multiple=True, help="Search this document only (repeatable).")
@click.option("--kind", "kinds", multiple=True, help="Only clauses, tables, figures, ... (repeatable).")
@json_option
@_batch
@click.pass_obj
def search(
    settings: Settings,
    question: str | None,
    library_path: Path,
    limit: int,
    documents: tuple[str, ...],
    kinds: tuple[str, ...],
    as_json: bool,
    batch: Path | None,
    output: Path | None,
) -> None:
    """List the places that bear on a question, best first.

    \b
    appliance search "guarding height balcony" --library build/codes.db
    appliance search "Table 1.1" --library build/codes.db --json
    appliance search --batch questions.jsonl --library build/codes.db --output hits.jsonl
    """
    from appliance.console import print_evidence
    from appliance.contract import evidence_json

    library = _open(library_path, settings)
    if batch is not None:
        _run_batch(
            batch,
            output,
            lambda row: evidence_json(library.search(_text(row, "question"), limit=limit)),
            lambda row, error: {"query": row.get("question", ""), "hits": [], "error": str(error)},
        )
        return
    evidence = library.search(_required(question, "QUESTION"), limit=limit, documents=documents, kinds=kinds)
    if as_json:
        _print_json(evidence_json(evidence))
    else:
        print_evidence(evidence)


@main.command()
@click.argument("question", required=False)
@library_option
@click.option("--document", "documents", multiple=True, help="Ask this document only (repeatable).")
@json_option
@_batch
@click.pass_obj
def ask(
    settings: Settings,
    question: str | None,
    library_path: Path,
    documents: tuple[str, ...],
    as_json: bool,
    batch: Path | None,
    output: Path | None,
) -> None:
    """Answer a question with quotations and the places they stand on.

    \b
    appliance ask "how high must a handrail be" --library build/codes.db
    appliance ask --batch questions.jsonl --library build/codes.db --output answers.jsonl
    """
    from appliance.console import print_answer
    from appliance.contract import answer_json
    from appliance.evidence import Failed

    library = _open(library_path, settings)
    if batch is not None:
        _run_batch(
            batch,
            output,
            lambda row: answer_json(library.ask(_text(row, "question"))),
            lambda row, error: answer_json(Failed(str(row.get("question", "")), str(error))),
        )
        return
    answer = library.ask(_required(question, "QUESTION"), documents=documents)
    if as_json:
        _print_json(answer_json(answer))
    else:
        print_answer(answer)


@main.command()
@click.argument("document")
@library_option
@json_option
@click.pass_obj
def document(settings: Settings, document: str, library_path: Path, as_json: bool) -> None:
    """Show what was read out of one document.

    \b
    appliance document AD-K --library build/codes.db
    appliance document AD-K --library build/codes.db --json
    """
    from appliance.console import print_document
    from appliance.contract import document_json

    found = _open(library_path, settings).document(document)
    if as_json:
        _print_json(document_json(found))
    else:
        print_document(found)


@main.command()
@click.argument("document", required=False)
@click.argument("label", required=False)
@click.option("--row", default="", help="The row in words.")
@click.option("--column", default="", help="The column in words.")
@library_option
@json_option
@_batch
@click.pass_obj
def table(
    settings: Settings,
    document: str | None,
    label: str | None,
    row: str,
    column: str,
    library_path: Path,
    as_json: bool,
    batch: Path | None,
    output: Path | None,
) -> None:
    """Look up cells of a table by row and column in words.

    \b
    appliance table AD-K "Table 1.1" --row "private stair" --column "maximum rise" --library build/codes.db
    appliance table --batch cells.jsonl --library build/codes.db --output values.jsonl
    """
    from appliance.console import print_cells
    from appliance.contract import cells_json

    library = _open(library_path, settings)

    def look_up(request: dict[str, Any]) -> dict[str, Any]:
        names = (_text(request, "document"), _text(request, "table"))
        words = (str(request.get("row", "")), str(request.get("column", "")))
        return cells_json(library.table_lookup(*names, *words))

    if batch is not None:
        _run_batch(
            batch, output, look_up, lambda _row, error: {"values": [], "cells": [], "error": str(error)}
        )
        return
    request = {"document": _required(document, "DOCUMENT"), "table": _required(label, "LABEL")}
    result = look_up(request | {"row": row, "column": column})
    if as_json:
        _print_json(result)
    else:
        print_cells(result)


@main.command()
@library_option
@click.option("--host", help="Address to listen on; 0.0.0.0 for the LAN.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 0 for a free one.")
@click.pass_obj
def serve(settings: Settings, library_path: Path, host: str | None, port: int | None) -> None:
    """Serve the page on the LAN and print its address and QR code.

    \b
    appliance serve --library build/codes.db
    appliance serve --library build/codes.db --host 127.0.0.1 --port 9000
    """
    from appliance.web.serve import serve as serve_page

    changed = {key: value for key, value in (("host", host), ("port", port)) if value is not None}
    serve_settings = replace(settings.serve, **changed)
    serve_page(_open(library_path, settings), replace(settings, serve=serve_settings))


@main.command()
@library_option
@json_option
@click.pass_obj
def doctor(settings: Settings, library_path: Path, as_json: bool) -> None:
    """Say what is wrong and the command that mends it."""
    from appliance.console import print_checks
    from appliance.doctor import checks_json, examine

    checks = examine(library_path, settings)
    if as_json:
        _print_json(checks_json(checks))
    else:
        print_checks(checks)
    if any(check.state == "wrong" for check in checks):
        raise click.exceptions.Exit(12)


def _required(value: str | None, name: str) -> str:
    if value is None:
        message = f"Missing argument {name} (or --batch FILE)."
        raise click.UsageError(message)
    return value


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        message = f"The object has no text field {key!r}."
        raise click.UsageError(message)
    return value


def _run_batch(
    batch: Path,
    output: Path | None,
    work: Callable[[dict[str, Any]], dict[str, Any]],
    broken: Callable[[dict[str, Any], Exception], dict[str, Any]],
) -> None:
    """Write one result a line with the id of its request; a broken line is one broken result."""
    from appliance.console import batch_progress

    try:
        lines = [line for line in batch.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        message = f"{batch} cannot be read: {error}."
        raise click.UsageError(message) from None
    sink = output.open("w", encoding="utf-8") if output else sys.stdout
    try:
        for line in batch_progress(lines):
            sink.write(json.dumps(_one(line, work, broken), ensure_ascii=False) + "\n")
    finally:
        if output:
            sink.close()


def _one(
    line: str,
    work: Callable[[dict[str, Any]], dict[str, Any]],
    broken: Callable[[dict[str, Any], Exception], dict[str, Any]],
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    try:
        row = json.loads(line)
        return {"id": row.get("id")} | work(row)
    except (ApplianceError, click.UsageError, ValueError, AttributeError) as error:
        row = row if isinstance(row, dict) else {}
        return {"id": row.get("id")} | broken(row, error)


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))
