"""The command that measures written answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.evaluation import PATHS, files_of
from appliance.cli.options import FILE, json_option, library_option, open_library, print_json

if TYPE_CHECKING:
    from appliance.evidence import Answer
    from appliance.settings import Settings
    from appliance.writing import Writer


@dataclass(frozen=True)
class _Asks:
    """A library asked without and with its model."""

    writer: Writer

    def plain(self, question: str) -> Answer:
        return self.writer.library.ask(question)

    def written(self, question: str) -> Answer:
        from appliance.writing import Asked

        return self.writer.answer(Asked(question, mode=self.writer.mode))


@click.command()
@PATHS
@library_option
@click.option("--model", default="", help="A language model by its name; else the one in the settings.")
@click.option("--mode", default="always", show_default=True, type=click.Choice(["needed", "always"]))
@click.option("--limit", type=click.IntRange(1), help="Only so many questions.")
@click.option("--output", type=FILE, help="Keep the whole report as JSON.")
@json_option
@click.pass_obj
def answers(
    settings: Settings,
    paths: tuple[Path, ...],
    library_path: Path,
    model: str,
    mode: str,
    limit: int | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Measure the answers that a language model writes, beside those without it.

    \b
    appliance eval answers data/demo/questions.jsonl --library build/demo/library.db --model qwen3-1.7b
    """
    from appliance.cli.show import OUT, counted
    from appliance.evaluation.answers import answers_json, evaluate_answers
    from appliance.evaluation.answers_tables import answers_tables
    from appliance.evaluation.judged import load_questions
    from appliance.evaluation.reports import save
    from appliance.writing import open_writer

    settings = replace(settings, llm=replace(settings.llm, model=model or settings.llm.model))
    questions = load_questions(files_of(paths, "*.jsonl"))[:limit]
    writer = open_writer(open_library(library_path, settings), settings, mode)
    click.get_current_context().call_on_close(writer.close)
    with counted("questions") as progress:
        pairs = evaluate_answers(_Asks(writer), questions, progress)
    content = answers_json(pairs)
    if output:
        save(output, content)
    if as_json:
        print_json(content)
    else:
        OUT.print(*answers_tables(pairs), sep="\n")
