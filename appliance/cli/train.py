"""Commands that make training data and train the models that rank."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from appliance.cli.options import FOLDER, THERE, count, json_option, print_json
from appliance.cli.terminal_output import ERR, counted, staged
from appliance.core.files import files_in
from appliance.core.settings import Settings
from appliance.training.examples import read
from appliance.training.recipes import AUTO, DEVICES, sources_of

into_option = click.option("--into", type=FOLDER, required=True, help="The folder to fill or go on with.")
held_out_option = click.option(
    "--held-out",
    multiple=True,
    help="A document that nothing is learned from, neither its questions nor what stands in it alone.",
)
device_option = click.option(
    "--device",
    type=click.Choice(DEVICES),
    default=AUTO,
    show_default=True,
    help="Where to compute; auto takes a GPU where torch finds one.",
)
libraries_option = click.option(
    "--library", "libraries", type=THERE, multiple=True, help="A library whose vectors are taken as they are."
)


@click.group()
def train() -> None:
    """Make training data, train a reranker or an embedder, measure it (extra `train`)."""


@train.command()
@into_option
@click.option("--library", "library_path", type=THERE, help="The library that is searched.")
@click.option("--questions", type=THERE, multiple=True, help="Questions with the places that answer them.")
@click.option("--collection", type=THERE, help="A folder in BEIR layout, of another field.")
@click.option("--split", default="train", show_default=True, help="Which judgements of the collection.")
@click.option("--licence", default="", help="The licence of these texts, for the record.")
@click.option("--source", default="asked", show_default=True, help="The name of the questions in the record.")
@held_out_option
@json_option
@click.pass_obj
def data(
    settings: Settings,
    into: Path,
    library_path: Path | None,
    questions: tuple[Path, ...],
    collection: Path | None,
    split: str,
    licence: str,
    source: str,
    held_out: tuple[str, ...],
    as_json: bool,
) -> None:
    """Make examples: a question, the places that answer it, the places that look as if they did.

    A document held out is not searched either, so that no wrong place comes from it.

    \b
    appliance train data --library codes.db --questions questions/ --licence OGL-3.0 --into build/data
    appliance train data --collection nfcorpus/ --licence CC-BY-4.0 --into build/data
    """
    from appliance.training import sources

    if held_out and not library_path:
        raise click.UsageError("--held-out names a document of a library: name that with --library.")
    plan = sources.Plan(into, held_out, licence, source)
    lost: Mapping[str, int] = {}
    with counted("examples") as progress:
        if library_path:
            lost = sources.from_library(plan, library_path, settings, questions, progress)
            for why, number in lost.items():
                ERR.print(f"Left out, {why}: {count(number, 'question')}", markup=False)
        if collection:
            sources.from_collection(plan, collection, split, settings, progress)
    made = sources_of(read(into))
    if as_json:
        print_json({"schema": 1, "sources": made, "left_out": lost})
    else:
        for one in made:
            ERR.print(f"{one['source']}: {one['examples']} examples, {one['licence']}", markup=False)


@train.command()
@click.argument("examples", type=THERE)
@into_option
@libraries_option
@held_out_option
@device_option
@json_option
@click.pass_obj
def reranker(
    settings: Settings,
    examples: Path,
    into: Path,
    libraries: tuple[Path, ...],
    held_out: tuple[str, ...],
    device: str,
    as_json: bool,
) -> None:
    """Train a reranker: a head over stored vectors, in minutes.

    \b
    appliance train reranker build/data --library codes.db --held-out AD-K --into build/head
    """
    from appliance.training import running

    job = running.Job(examples, into, held_out, libraries=libraries, device=device)
    with staged() as stages:
        record = running.head(job, settings, stages)
    _say(record, as_json)


@train.command()
@click.argument("examples", type=THERE)
@into_option
@click.option("--recipe", default="embedder", show_default=True)
@click.option("--base", type=THERE, help="A Hugging Face folder to start from.")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1, 64))
@held_out_option
@device_option
@json_option
def embedder(
    examples: Path,
    into: Path,
    recipe: str,
    base: Path | None,
    threads: int,
    held_out: tuple[str, ...],
    device: str,
    as_json: bool,
) -> None:
    """Train an embedder for pooled and token vectors at once.

    \b
    appliance train embedder build/data --base all-MiniLM-L6-v2/ --into build/embedder
    appliance models export build/embedder/model ./my-embedder
    """
    from appliance.training import running

    with staged() as stages:
        job = running.Job(examples, into, held_out, threads, device=device)
        record = running.encoder(job, recipe, base, stages)
    _say(record, as_json)


def _say(record: Path, as_json: bool) -> None:
    if as_json:
        print_json({"schema": 1, "record": str(record)})
    else:
        ERR.print(f"What was trained, and its record, are in {record.parent}.", markup=False)


@train.command()
@click.option(
    "--family",
    "families",
    type=(str, THERE, THERE),
    multiple=True,
    required=True,
    help="A name, its library, and its file or folder of judged questions.",
)
@into_option
def answer(families: tuple[tuple[str, Path, Path], ...], into: Path) -> None:
    """Fit which candidate answers, and when an answer is sure, each family left out in turn.

    \b
    appliance train answer --family AD ad.db questions/ --family EN en.db en.jsonl --into data/answer
    """
    from appliance.evaluation.questions import Family
    from appliance.training.answer_fitting import fit

    into.mkdir(parents=True, exist_ok=True)
    known = [Family(name, library, tuple(files_in([asked], "*.jsonl"))) for name, library, asked in families]
    print_json(fit(known, into))
