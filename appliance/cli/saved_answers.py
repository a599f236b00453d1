"""Commands over saved answers, comparisons of documents, and references of a specification."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import click

from appliance.cli.options import (
    FILE,
    json_option,
    library_option,
    open_library,
    print_json,
    say,
    write_file,
)
from appliance.cli.site import site_of
from appliance.cli.terminal_output import marked
from appliance.core.errors import BadInput
from appliance.core.evidence import Failed
from appliance.core.settings import Settings

if TYPE_CHECKING:
    from appliance.citing.values import Report
    from appliance.keeping.paper import Paper
    from appliance.keeping.recheck import Recheck
    from appliance.site.saved import Saved
    from appliance.store.read import Store


HTTP = 80  # the port that an address need not name
SHOWN = 100  # characters of a difference on the terminal
WRONG_CITATIONS = 33  # exit code of a document that cites something wrongly


@click.group()
def saved() -> None:
    """Answers that people saved on the page: list, export, remove; each held against the library of now."""


@saved.command("list")
@library_option
@json_option
@click.pass_obj
def list_saved(settings: Settings, library_path: Path, as_json: bool) -> None:
    """Show the saved answers, youngest first, and whether their quotations still stand where they stood.

    \b
    appliance saved list --library build/codes.db
    appliance saved list --library build/codes.db --json
    """
    from appliance.keeping.contract import saved_short
    from appliance.library import open_store
    from appliance.site.saved import listed

    with open_store(library_path, settings) as store:
        check = _checker(store)
        rows = [(row, check(row)) for row in listed(site_of(settings, library_path), 0, -1)]
    if as_json:
        print_json([saved_short(row, now) for row, now in rows])
        return
    for row, now in rows:
        day = time.strftime("%Y-%m-%d", time.gmtime(row.at))
        click.echo(f"{row.key}  {day}  {now.state:<8} {' '.join(row.kept.question.split())}")
    click.echo(f"{len(rows)} saved answers.", err=True)


ADDRESS = click.option(
    "--address", envvar="APPLIANCE_ADDRESS", default="", metavar="URL",
    help="Where the box is reached, for the QR code; else the first of `serve.names`.",
)  # fmt: skip


@saved.command("export")
@click.argument("key")
@click.argument("file", type=FILE)
@library_option
@ADDRESS
@json_option
@click.pass_obj
def export_saved(
    settings: Settings, key: str, file: Path, library_path: Path, address: str, as_json: bool
) -> None:
    """Write a saved answer as PDF or Markdown (FILE ends in .pdf or .md).

    With --json it is printed besides, with how each quotation stands now.

    \b
    appliance saved export 3bd0484d6956 stair.pdf --library build/codes.db
    """
    from appliance.keeping.contract import saved_json
    from appliance.keeping.paper import paper
    from appliance.site.saved import saved as one

    write = _writer(file)
    row = one(site_of(settings, library_path), key)
    library = open_library(library_path, settings)
    now = _checker(library.store)(row)
    served = library.overview()
    same = row.kept.library == served.version
    issued = served.issued if same else ""
    there = _on_box(settings, address, f"saved/{key}")
    pages = library if same else None
    write(paper(row.kept, row.at, pages, address=there, note=row.note, checked=now, issued=issued))
    if as_json:
        print_json(saved_json(row, now))


@saved.command("remove")
@click.argument("key")
@library_option
@click.pass_obj
def remove_saved(settings: Settings, key: str, library_path: Path) -> None:
    """Remove a saved answer.

    \b
    appliance saved remove 3bd0484d6956 --library build/codes.db
    """
    from appliance.site.saved import remove

    remove(site_of(settings, library_path), key)
    say("Removed.", removed=key)


@click.command()
@click.argument("question")
@click.argument("file", type=FILE)
@library_option
@ADDRESS
@json_option
@click.pass_obj
def export(
    settings: Settings, question: str, file: Path, library_path: Path, address: str, as_json: bool
) -> None:
    """Write the answer to a question as PDF or Markdown, with quotations, pages and editions.

    \b
    appliance export "how wide is a private stair" stair.pdf --library build/codes.db
    appliance export "how wide is a private stair" stair.pdf --library build/codes.db --address http://codes:8080
    """
    from appliance.contract.answers import answer_json
    from appliance.keeping.kept import kept
    from appliance.keeping.paper import paper

    write = _writer(file)
    library = open_library(library_path, settings)
    answer = library.ask(question)
    if isinstance(answer, Failed):
        raise BadInput(answer.message)
    issued = library.overview().issued
    there = _on_box(settings, address, f"ask?{urlencode({'q': question})}")
    write(paper(kept(answer, library), time.time(), library, address=there, issued=issued))
    if as_json:
        print_json(answer_json(answer))


@click.command()
@click.argument("old")
@click.argument("new")
@library_option
@click.option("--yes", is_flag=True, help="Do not ask, though they are no editions of one code.")
@json_option
@click.pass_obj
def compare(settings: Settings, old: str, new: str, library_path: Path, yes: bool, as_json: bool) -> None:
    """Compare two documents of the library clause by clause: added, changed, renumbered, withdrawn.

    Where they are no editions of one code it asks before it lists all of both; with --json it needs --yes.

    \b
    appliance compare DC-1-3-2011 DC-1-3 --library build/codes.db
    """
    from appliance.keeping.compare import are_editions
    from appliance.keeping.compare import compare as compared
    from appliance.keeping.contract import comparison_json
    from appliance.library import open_store

    with open_store(library_path, settings) as store:
        before, after = store.document(old), store.document(new)
        if not (are_editions(old, new, store.documents()) or yes):
            unlike = f"{old} and {new} are no editions of one code."
            if as_json:
                raise BadInput(f"{unlike} Add --yes to list all in which they differ.")
            click.confirm(f"{unlike} List all in which they differ?", abort=True, err=True)
        found = compared(before, after)
    pairs = [pair for pair in found.pairs if pair.fate != "same"]
    if as_json:
        print_json(comparison_json(old, new, found, pairs))
        return
    for pair in pairs:
        labels = " -> ".join(dict.fromkeys(item.label.named for item in (pair.old, pair.new) if item))
        said = ""
        if pair.fate == "changed":
            said = marked((item.fate, item.text) for item in pair.words if item.fate != "same")
            said = said or "; ".join(pair.also)
        click.echo(f"{pair.fate:<10} {labels}  {said[:SHOWN]}".rstrip())
    click.echo(", ".join(f"{number} {fate}" for fate, number in found.counts.items()) + ".", err=True)


def _on_box(settings: Settings, address: str, path: str) -> str:
    """Return where a path is reached on the box, "" where its address is not known; raises BadInput."""
    port = "" if settings.serve.port == HTTP else f":{settings.serve.port}"
    known = address or next((f"http://{name}{port}" for name in settings.serve.names), "")
    if known and (urlsplit(known).scheme not in {"http", "https"} or not urlsplit(known).netloc):
        raise BadInput(f"{known} is no address of a box. Write it as http://NAME:PORT")
    return f"{known.rstrip('/')}/{path}" if known else ""


def _checker(store: Store) -> Callable[[Saved], Recheck]:
    """Return what holds a saved answer against a library."""
    from appliance.keeping.recheck import Shelf, recheck

    shelf = Shelf(store.version, store.document)
    return lambda row: recheck(row.kept, shelf)


def _writer(file: Path) -> Callable[[Paper], None]:
    """Return what writes an answer into the file, as its ending says; raises BadInput."""
    if file.suffix not in {".pdf", ".md"}:
        raise BadInput(f"{file.name} must end in .pdf or .md: the ending says what is written.")

    def write(made: Paper) -> None:
        from appliance.keeping.markdown import markdown
        from appliance.keeping.pdf import pdf

        content = pdf(made) if file.suffix == ".pdf" else markdown(made).encode()
        write_file(file, content)
        click.echo(f"{file} written, {len(content) // 1024 + 1} KiB.", err=True)

    return write


@click.command("review-references")
@click.argument("file", type=FILE)
@library_option
@click.option("--print", "printed", type=FILE, help="Write the report as a PDF.")
@json_option
@click.pass_obj
def review_references(
    settings: Settings, file: Path, library_path: Path, printed: Path | None, as_json: bool
) -> None:
    """Check every standard, clause, table and figure that a document cites against the library.

    FILE is a PDF, DOCX, text or Markdown file: a specification, a method statement, notes of a drawing.
    Each citation is found, withdrawn, superseded, of a wrong edition, not there, under a wrong title,
    not in the library, or ambiguous, with the page that shows it, what is wrong first. Where one is wrong
    the exit code is 33; what is not in the library or is ambiguous is told, and is no failure.

    \b
    appliance review-references specification.docx --library build/codes.db
    appliance review-references specification.pdf --print report.pdf --library build/codes.db
    """
    from appliance.citing.values import report_json

    report = _report(file, library_path, settings)
    if printed is not None:
        from appliance.keeping.citation_report import report_pdf

        write_file(printed, report_pdf(report))
        click.echo(f"The report is in {printed}.", err=True)
    if as_json:
        print_json(report_json(report))
    elif printed is None:
        for one in (one for _, checked in report.parts for one in checked):
            proof = ""
            if at := one.proof:
                place = f"{at.document} {at.label.named if at.label else ''}".strip()
                title, page = (f", {at.title}" if at.title else ""), (f", page {at.page}" if at.page else "")
                proof = f" ({place}{title}{page})"
            click.echo(f"{report.unit} {one.where}: {one.cited.text}  –  {one.status}{proof}")
            for reason in one.reasons:
                click.echo(f"    {reason}")
        counted = ", ".join(f"{number} {status}" for status, number in report.counts.items())
        click.echo(counted or "Nothing is cited.", err=True)
        for problem in report.problems:
            click.echo(problem, err=True)
    if report.wrong:
        raise click.exceptions.Exit(WRONG_CITATIONS)


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
        raise BadInput(f"{file} cannot be read ({error.strerror or error}).") from None
    with open_store(library, settings) as store:
        opened_library = Library(store, None, None, settings)
        listed = opened_library.overview()
        shelf = Shelf(listed.documents, listed.version, opened_library.document)
        return review(read_upload(file.name, data, settings.citing), shelf, settings.citing)
