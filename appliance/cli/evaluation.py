"""Commands that measure: judged questions, structure ground truth, public collections, speed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import click

from appliance.cli.options import FILE, THERE, json_option, library_option, open_library, print_json
from appliance.cli.terminal_output import ERR, OUT, counted
from appliance.core.evidence import Answer
from appliance.core.files import files_in
from appliance.core.mechanisms import mechanisms
from appliance.core.settings import Settings

if TYPE_CHECKING:
    from appliance.evaluation.ablation.run import Phase
    from appliance.evaluation.questions import Library
    from appliance.retrieval.search_context import Filter


PATHS = click.argument("paths", nargs=-1, required=True, type=THERE)


@click.group(name="eval")
def evaluation() -> None:
    """Measure quality against judged questions and ground truth."""


@evaluation.command()
@PATHS
@library_option
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100), help="Places judged.")
@click.option("--output", type=FILE, help="Keep the whole report as JSON, for --baseline.")
@click.option("--baseline", type=FILE, help="Compare with an earlier report; exit 13 when it got worse.")
@click.option("--missed", is_flag=True, help="List every missed place with what came instead.")
@click.option("--model", default="", help="A language model by its name that writes the answers.")
@click.option(
    "--mode", type=click.Choice(["needed", "always"]), help="When it writes; else as in the settings."
)
@json_option
@click.pass_obj
def questions(
    settings: Settings,
    paths: tuple[Path, ...],
    library_path: Path,
    limit: int,
    output: Path | None,
    baseline: Path | None,
    missed: bool,
    model: str,
    mode: str | None,
    as_json: bool,
) -> None:
    """Put judged questions (JSON lines, or a folder of them) to a library.

    \b
    appliance eval questions data/demo/questions.jsonl --library build/demo/library.db
    appliance eval questions judged/ --library codes.db --output now.json --baseline before.json
    appliance eval questions judged/ --library codes.db --model qwen3-1.7b --baseline without.json
    """
    from appliance.evaluation.questions import evaluate_questions
    from appliance.evaluation.reports import (
        comparison_table,
        gate,
        load_questions_report,
        missed_places,
        question_tables,
        questions_json,
        save,
    )

    before = load_questions_report(baseline) if baseline else None
    library: Library = open_library(library_path, settings)
    if model or mode:
        library = _written(library_path, settings, model, mode or "always")
    with counted("questions") as progress:
        report = evaluate_questions(library, files_in(paths, "*.jsonl"), limit=limit, progress=progress)
    content = questions_json(report)
    if output:
        save(output, content)
    if as_json:
        print_json(content)
    else:
        OUT.print(*question_tables(report), *(missed_places(report.questions) if missed else ()), sep="\n")
    if before is not None:
        ERR.print(*comparison_table(gate(before, report)), sep="\n")


def _written(path: Path, settings: Settings, model: str, mode: str) -> Library:
    """Return a library whose answers a language model writes."""
    from appliance.written_answers import Asked, open_writer

    settings = replace(settings, llm=replace(settings.llm, model=model or settings.llm.model))
    library = open_library(path, settings)
    writer = open_writer(library, settings, mode)
    click.get_current_context().call_on_close(writer.close)

    def ask(question: str, *, wanted: Filter) -> Answer:
        return writer.answer(Asked(question, wanted=wanted, mode=writer.mode))

    return SimpleNamespace(search=library.search, ask=ask)


@evaluation.command()
@PATHS
@library_option
@click.option("--errors", is_flag=True, help="List what was missed and what is wrong.")
@json_option
@click.pass_obj
def structure(
    settings: Settings, paths: tuple[Path, ...], library_path: Path, errors: bool, as_json: bool
) -> None:
    """Compare what was read out of documents with what stands in them.

    \b
    appliance eval structure data/demo/structure --library build/demo/library.db
    """
    from appliance.evaluation.reports import structure_errors, structure_json, structure_tables
    from appliance.evaluation.structure import evaluate_structure

    library = open_library(library_path, settings)
    scores = evaluate_structure(library, files_in(paths, "*.structure.json"))
    if as_json:
        print_json(structure_json(scores))
    else:
        OUT.print(*structure_tables(scores), *(structure_errors(scores) if errors else ()), sep="\n")


@evaluation.command()
@click.option("--families", type=FILE, help="A TOML file of families; else the demo alone.")
@click.option("--library", default=Path("build/demo/library.db"), type=click.Path(path_type=Path),
              help="The demo's library.", show_default=True)  # fmt: skip
@click.option("--only", multiple=True, help="A mechanism or group; else all.")
@click.option("--judge", "phases", multiple=True, type=click.Choice(["structure", "search", "answer"]),
              default=("structure", "search", "answer"),
              help="What is judged, an answer with its search; else all.")  # fmt: skip
@click.option("--work", default=Path("build/ablate"), show_default=True, type=click.Path(path_type=Path),
              help="Where results are kept.")  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="Only name the mechanisms.")
@json_option
@click.pass_obj
def ablate(
    settings: Settings,
    families: Path | None,
    library: Path,
    only: tuple[str, ...],
    phases: tuple[Phase, ...],
    work: Path,
    listed: bool,
    as_json: bool,
) -> None:
    """Switch each mechanism off and show what it is worth, family by family.

    \b
    appliance eval ablate --only rank --judge search
    appliance eval ablate --families families.toml --json
    """
    from appliance.evaluation.ablation.run import ablate as run
    from appliance.evaluation.ablation.run import ablation_json, ablation_table, demo_family, families_of

    if listed:
        for one in mechanisms():
            OUT.print(f"{one.name:24} {one.does}", markup=False, highlight=False)
        return
    judged = families_of(families) if families else (demo_family(library),)
    with counted("runs") as progress:
        rows = run(judged, settings, work, only=only, phases=phases, progress=progress)
    print_json(ablation_json(rows)) if as_json else OUT.print(*ablation_table(rows), sep="\n")


@evaluation.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--limit", type=click.IntRange(1), help="Only so many questions.")
@click.option("--work", type=click.Path(path_type=Path), help="Where the collection's library is kept.")
@json_option
@click.pass_obj
def beir(settings: Settings, folder: Path, limit: int | None, work: Path | None, as_json: bool) -> None:
    """Measure retrieval on a collection in BEIR layout, stage by stage.

    \b
    appliance eval beir collections/obliqa-dev --limit 200
    """
    from appliance.evaluation.beir import beir_json, beir_tables, evaluate_beir

    with counted("passages") as progress:
        report = evaluate_beir(folder, settings, limit=limit, work=work, progress=progress)
    print_json(beir_json(report)) if as_json else OUT.print(*beir_tables(report), sep="\n")


@click.command()
@library_option
@click.option("--pdfs", type=THERE, multiple=True, help="Measure a build.")
@click.option("--questions", "judged", type=THERE, multiple=True,
              help="Questions to search with (JSON lines, or a folder of them).")  # fmt: skip
@click.option("--seconds", default=300.0, show_default=True, help="Time for the build's figures.")
@click.option("--model", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="A GGUF file to measure writing with.")  # fmt: skip
@json_option
@click.pass_obj
def bench(
    settings: Settings,
    library_path: Path,
    pdfs: tuple[Path, ...],
    judged: tuple[Path, ...],
    seconds: float,
    model: Path | None,
    as_json: bool,
) -> None:
    """Measure every stage beside a peer or a limit, in one run.

    \b
    appliance bench --library codes.db --pdfs codes/ --questions judged/
    """
    from appliance.evaluation.bench.rounds import bench_json, bench_markdown
    from appliance.evaluation.bench.run import run_bench
    from appliance.evaluation.questions import load_questions

    found = load_questions(files_in(judged, "*.jsonl")) if judged or not model else ()
    asked = [question.question for question in found]
    files = files_in(pdfs, "*.pdf")
    told = partial(ERR.print, markup=False, highlight=False)
    report = run_bench(library_path, files, asked, settings, seconds=seconds, model=model, told=told)
    if as_json:
        print_json(bench_json(report))
    else:
        click.echo(bench_markdown(report, datetime.now(UTC).date()), nl=False)
