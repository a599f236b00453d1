"""Commands over a library: build it, search it, ask it, look into it, call a tool."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast

import click
from rich.markup import escape

from appliance.cli.options import (
    FOLDER,
    Narrowed,
    batch_option,
    json_option,
    library_option,
    narrowing_options,
    new_library_option,
    open_library,
    print_json,
    refuse_signed,
    required,
    run_batch,
    text_of,
)
from appliance.cli.terminal_output import (
    LINE,
    OUT,
    build_progress,
    print_answer,
    print_cells,
    print_choices,
    print_clause,
    print_crawled,
    print_decided,
    print_document,
    print_evidence,
    print_others,
    print_outline,
    print_report,
    print_understood,
    report_json,
)
from appliance.core.document import DocumentStatus
from appliance.core.errors import BadInput
from appliance.core.evidence import Answer, Failed, Grounded, NotFound
from appliance.core.settings import Settings
from appliance.text.sentences import shortened

EXPLAINED = (
    "reading",
    "channels",
    "rounds",
    "chain",
    "unresolved",
    "statements",
    "timings_ms",
    "written",
    "sent",
)
FAILED = 1  # exit code of a question that could not be answered


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@new_library_option
@click.option("--workers", type=click.IntRange(0), help="Worker processes; 0 for one each core.")
@click.option(
    "--scheduler",
    default="",
    help="Address of a Dask cluster whose workers read; `local`: one of processes of this machine.",
)
@click.option(
    "--no-ocr", is_flag=True, help="Read no characters from pictures: quick; scans stay as they are."
)
@click.option("--strict", is_flag=True, help="Exit with 17 when any file could not be read.")
@json_option
@click.pass_obj
def build(
    settings: Settings,
    paths: tuple[Path, ...],
    library_path: Path,
    workers: int | None,
    scheduler: str,
    no_ocr: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Read the PDF, HTML, Markdown and text files of folders into one library.

    A web page, Markdown or text is printed first, by Chromium, without a script or a connection.

    Unchanged files are skipped, changed ones replaced, removed ones reported; a file that cannot be
    read is one line in the summary.

    \b
    appliance build codes/ --library build/codes.db
    appliance build codes/ extra/EN-1991-1-3.pdf --library build/codes.db --json
    appliance build codes/ --library build/codes.db --scheduler tcp://office:8786
    """
    from appliance.library_building import build as build_library
    from appliance.store.write import amend
    from appliance.web.answers.examples import chosen

    if workers is not None:
        settings = replace(settings, ingest=replace(settings.ingest, workers=workers))
    if no_ocr:
        settings = replace(settings, ingest=replace(settings.ingest, ocr=False))
    with build_progress() as progress:
        report = build_library(paths, library_path, settings, progress=progress, scheduler=scheduler)
        progress("trying questions", 0, 1)
        with closing(open_library(library_path, settings)) as library:
            questions = chosen(library)
        amend(library_path, "examples", "\n".join(questions))
        progress("trying questions", 1, 1)
    print_json(report_json(report)) if as_json else print_report(report)
    if strict and report.broken:
        raise click.exceptions.Exit(17)


@click.command()
@click.argument("address")
@click.option(
    "--into",
    "folder",
    type=FOLDER,
    required=True,
    help="The folder for the pages, and for the journal with which a stopped crawl goes on.",
)
@click.option(
    "--pause",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, 3600),
    help="Seconds between two requests; a longer one of the site's robots.txt counts.",
)
@click.option("--pages", default=10_000, show_default=True, type=click.IntRange(1), help="Addresses at most.")
@json_option
@click.pass_obj
def crawl(settings: Settings, address: str, folder: Path, pause: float, pages: int, as_json: bool) -> None:
    """Bring the web pages below ADDRESS, and the PDFs they link, into a folder for `build`.

    Scripts run, as in any browser. A crawl that was stopped goes on where it was; one that has ended is
    begun again and brings only what has changed. Exits with 17 when an address gave no answer, or the
    limit was met.

    \b
    appliance crawl https://law.example/title-24/ --into codes/title-24
    appliance crawl https://law.example/title-24/ --into codes/title-24 --pause 5 --json
    """
    from appliance.crawl.crawler import Manners
    from appliance.crawl.crawler import crawl as crawl_site
    from appliance.crawl.fetching import Limits

    with build_progress() as show:
        crawled = crawl_site(
            address,
            folder,
            Manners(pause, pages, Limits(pdf_mib=settings.ingest.file_mib)),
            lambda *told: show("crawling", *told),
        )
    if as_json:
        print_json(asdict(crawled) | {"failed": [visit.address for visit in crawled.failed]})
    else:
        print_crawled(crawled, folder)
    if crawled.failed or crawled.left:
        raise click.exceptions.Exit(17)


@click.command()
@click.argument("question", required=False)
@library_option
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100), help="Places shown.")
@narrowing_options
@json_option
@batch_option
@click.pass_obj
def search(
    settings: Settings,
    question: str | None,
    library_path: Path,
    limit: int,
    narrowed: Narrowed,
    as_json: bool,
    batch: Path | None,
    output: Path | None,
) -> None:
    """List the places that bear on a question, best first.

    A line of --batch may carry the question before it as "after".

    \b
    appliance search "guarding height balcony" --library build/codes.db
    appliance search "Table 1.1" --library build/codes.db --json
    appliance search "minimum thickness" --tag timber --normative --library build/codes.db
    appliance search "and for timber?" --after "minimum thickness of concrete" --library build/codes.db
    appliance search "coefficient" --reading "EN-1991-1-3:5.3" --library build/codes.db
    appliance search --batch questions.jsonl --library build/codes.db --output hits.jsonl
    """
    from appliance.contract.found import evidence_json

    library = open_library(library_path, settings)
    if batch is not None:
        run_batch(
            batch,
            output,
            lambda row: evidence_json(
                library.search(text_of(row, "question"), limit, **narrowed.search(row))
            ),
            lambda row, error: {"query": row.get("question", ""), "hits": [], "error": str(error)},
        )
        return
    evidence = library.search(required(question, "QUESTION"), limit, **narrowed.search({}))
    if as_json:
        print_json(evidence_json(evidence))
    else:
        print_understood(evidence)
        print_evidence(evidence)
        print_choices(evidence.choices)


@click.command()
@click.argument("question", required=False)
@library_option
@narrowing_options
@click.option("--explain", is_flag=True, help="Show the whole way: reading, searches, paths, checks, time.")
@click.option("--mode", type=click.Choice(["deterministic", "needed", "always"]),
              help="When the language model takes part; else as in the settings.")  # fmt: skip
@click.option("--model", help="A language model of the catalogue that writes whatever is found.")
@json_option
@batch_option
@click.pass_obj
def ask(
    settings: Settings,
    question: str | None,
    library_path: Path,
    narrowed: Narrowed,
    explain: bool,
    mode: str | None,
    model: str | None,
    as_json: bool,
    batch: Path | None,
    output: Path | None,
) -> None:
    """Answer a question with quotations and the places they stand on.

    A line of --batch may carry the question before it as "after".

    \b
    appliance ask "how high must a handrail be" --library build/codes.db
    appliance ask "and in a school?" --after "how high must a handrail be" --library build/codes.db
    appliance ask "what is above 5.3 in EN 1991-1-3" --explain --library build/codes.db
    appliance ask "when is snow left out" --model smollm2-135m --explain --library build/codes.db
    appliance ask --batch questions.jsonl --library build/codes.db --output answers.jsonl
    """
    from appliance.contract.answers import answer_json, explained_json
    from appliance.web.answers.request_filters import narrowed_by
    from appliance.written_answers import Asked, open_writer

    library = open_library(library_path, settings)
    if model is not None:
        settings = replace(settings, llm=replace(settings.llm, model=model))
        mode = mode or "always"
    writer = open_writer(library, settings, mode)
    click.get_current_context().call_on_close(writer.close)

    def answered(question: str, row: dict[str, Any]) -> Answer:
        return writer.answer(Asked(question, mode=writer.mode, **narrowed.search(row)), explain=explain)

    if batch is not None:
        run_batch(
            batch,
            output,
            lambda row: answer_json(answered(text_of(row, "question"), row)),
            lambda row, error: answer_json(Failed(str(row.get("question", "")), str(error))),
        )
        return
    answer = answered(required(question, "QUESTION"), {})
    beside = narrowed_by(answer.question, narrowed.wanted, narrowed.after)
    library.site.keep_gap(answer, library.store.version, beside=beside)
    written = answer.written if isinstance(answer, Grounded) else None
    if as_json:
        print_json(explained_json(answer) if explain else answer_json(answer))
    else:
        if isinstance(answer, Grounded | NotFound):
            print_understood(answer.evidence)
        if written and written.notice:
            OUT.print(f"[yellow]{escape(written.notice)}[/]")
        print_answer(answer)
        print_choices(answer.evidence.choices if isinstance(answer, Grounded) else ())
        if explain:
            told = explained_json(answer)
            print_outline({"the way to it": {name: told[name] for name in EXPLAINED}})
    unwritten = model and written and all(step.ending != "stop" for step in written.steps)
    # the quotations alone of a model that was asked are no success
    if isinstance(answer, Failed) or unwritten:
        click.get_current_context().exit(FAILED)


@click.command()
@click.argument("name", required=False)
@click.argument("arguments", nargs=-1, metavar="[PARAMETER=VALUE]...")
@library_option
@json_option
@click.pass_obj
def tool(
    settings: Settings, name: str | None, arguments: tuple[str, ...], library_path: Path, as_json: bool
) -> None:
    """Call a tool as a program would; without NAME, list the tools with their parameters.

    A parameter that is a list is given once for each of its items.

    \b
    appliance tool --library build/codes.db --json
    appliance tool search question="snow load on a flat roof" limit=5 --library build/codes.db --json
    appliance tool table_lookup document=DC-1-3 label="Table 4.1" row=Normal --library build/codes.db --json
    """
    from appliance.tools import Tools, described, from_pairs

    if name is None:
        tools = described()
        if as_json:
            print_json(tools)
            return
        for one in tools:
            click.echo(f"{one['name']}({', '.join(one['parameters']['properties'])}): {one['about']}")
        return
    for given in (one for one in arguments if "=" not in one):
        raise BadInput(f"{given[:40]!r} is no parameter with a value: write PARAMETER=VALUE.")
    pairs = ((key, value) for key, _, value in (one.partition("=") for one in arguments))
    given_arguments = from_pairs(name, pairs)
    found = Tools(open_library(library_path, settings), settings).call(name, given_arguments)
    if as_json:
        print_json(found)
        return
    for result in found["results"]:
        where = " ".join(filter(None, (result["document"], result["label"])))
        page = f", page {result['page']}" if result["page"] else ""
        note = f"  [{result['note']}]" if result["note"] else ""
        said = shortened(result["value"] or result["quote"] or result["title"], LINE)
        click.echo(f"{where}{page}: {said}{note}")
    for note in found["notes"]:
        click.echo(note, err=True)
    if found["left_out"]:
        click.echo(f"{found['left_out']} more are not shown.", err=True)


@click.command()
@click.argument("document")
@library_option
@click.option(
    "--status",
    type=click.Choice(["in-force", "superseded", "withdrawn", "unknown"]),
    help="Keep this status of the document for every build from now on.",
)
@json_option
@click.pass_obj
def document(
    settings: Settings, document: str, library_path: Path, status: str | None, as_json: bool
) -> None:
    """Show what was read out of one document, or say whether it is in force.

    \b
    appliance document AD-K --library build/codes.db
    appliance document AD-K --library build/codes.db --json
    appliance document AD-K --status in-force --library build/codes.db
    """
    from appliance.contract.documents import document_json

    library = open_library(library_path, settings)
    found = library.document(document)
    if status is not None:
        from appliance.ingest.overrides import keep_status

        refuse_signed(library_path)
        kept = keep_status(library_path, document, cast("DocumentStatus", status.replace("-", " ")))
        if as_json:
            print_json({"document": document, "status": status, "kept": str(kept)})
        click.echo(f"Kept in {kept}. Build the library again to have it there.", err=True)
        return
    print_json(document_json(found, library.national_choices(document))) if as_json else print_document(found)


@click.command()
@click.argument("document", required=False)
@click.argument("label", required=False)
@click.option("--row", default="", help="The row in words.")
@click.option("--column", default="", help="The column in words.")
@library_option
@json_option
@batch_option
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
    from appliance.contract.documents import cells_json, decided_json

    library = open_library(library_path, settings)

    def look_up(request: dict[str, Any]) -> dict[str, Any]:
        names = (text_of(request, "document"), text_of(request, "table"))
        words = (str(request.get("row", "")), str(request.get("column", "")))
        found = library.table_lookup(*names, *words)
        decided = library.national_choices(names[0], found.table.label.key)
        others = [way for way, _ in library.others_called(names[0], found.table.label)]
        return cells_json(found) | decided_json(decided) | {"others": others}

    if batch is not None:
        run_batch(
            batch, output, look_up, lambda _row, error: {"values": [], "cells": [], "error": str(error)}
        )
        return
    request = {"document": required(document, "DOCUMENT"), "table": required(label, "LABEL")}
    result = look_up(request | {"row": row, "column": column})
    if as_json:
        print_json(result)
    else:
        print_cells(result)
        print_decided(library.national_choices(request["document"], result["key"]))


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
    from appliance.contract.documents import clause_json

    library = open_library(library_path, settings)
    view = library.clause(document, label)
    decided = library.national_choices(document, *view.keys)
    if as_json:
        print_json(clause_json(view, decided, library.store.problems(document)))
    else:
        print_clause(document, view, decided, library.address(document, view.clause.label))
        print_others(view.clause.label, library.others_called(document, view.clause.label))
