"""What the commands share: options, opening the library, batches, filters, printing JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, get_args

import click

from appliance.core.errors import ApplianceError, BadInput, CannotWrite
from appliance.core.evidence import PlaceKind
from appliance.core.settings import Settings

if TYPE_CHECKING:
    from appliance.library import Library
    from appliance.retrieval.search_context import Filter, Reading


FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
THERE = click.Path(path_type=Path, exists=True)


def _library_at(ctx: click.Context, _param: click.Parameter, path: Path) -> Path:
    """Return the library file; for the home of a box the one that it serves, under its settings."""
    if not path.is_dir():
        return path
    from appliance.update.home import Home, hold, is_home, serving, settings_at

    if not is_home(path):
        raise click.BadParameter(f"{path} is a folder, and not the home of a box. Name a library file.")
    library = serving(Home(path))
    hold(library.parent)
    ctx.obj = settings_at(Home(path), ctx.obj, library)
    return library


def refuse_signed(library: Path) -> None:
    """Raise BadInput for a library that a bundle brought: what is decided there is lost by the next one."""
    from appliance.update.home import home_of

    if home_of(library):
        raise BadInput(
            f"{library} came signed from its builder, and the next bundle replaces it. Decide there, in the "
            "library that bundles are made from; on site, say what is wrong with: appliance corrections add"
        )


library_option = click.option(
    "--library",
    "--home",
    "library_path",
    type=click.Path(path_type=Path),
    required=True,
    envvar=["APPLIANCE_LIBRARY", "APPLIANCE_HOME"],
    callback=_library_at,
    help="The library file, or the home of a box (or set APPLIANCE_LIBRARY, APPLIANCE_HOME).",
)
new_library_option = click.option(
    "--library",
    "library_path",
    type=FILE,
    required=True,
    envvar="APPLIANCE_LIBRARY",
    help="The library file to write (or set APPLIANCE_LIBRARY).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def batch_option(command: Any) -> Any:
    """Add --batch and --output to a command."""
    output = click.option("--output", type=FILE, help="Where the results of --batch go, one a line.")
    batch = click.option("--batch", type=FILE, help="Read JSON objects, one a line, instead of one request.")
    return batch(output(command))


def open_library(path: Path, settings: Settings, threads: int = 0) -> Library:
    """Return the library at the path with its models."""
    from appliance.library import Library

    return Library.open(path, settings, threads)


def count(number: int, noun: str) -> str:
    """Return a number of things in words: "1 gap", "2 gaps"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def required(value: str | None, name: str) -> str:
    """Return the argument that only --batch may leave out."""
    if value is None:
        raise click.UsageError(f"Missing argument {name} (or --batch FILE).")
    if click.get_current_context().params.get("output"):
        raise click.UsageError("--output goes with --batch FILE; one result is printed: keep it with > FILE.")
    return value


def text_of(row: dict[str, Any], key: str) -> str:
    """Return a text field of a batch line."""
    value = row.get(key)
    if not isinstance(value, str):
        raise click.UsageError(f"The object has no text field {key!r}.")
    return value


def run_batch(
    batch: Path,
    output: Path | None,
    work: Callable[[dict[str, Any]], Mapping[str, Any]],
    broken: Callable[[dict[str, Any], Exception], Mapping[str, Any]],
) -> None:
    """Write one result a line with the id of its request; a broken line is one broken result, and is counted.

    With one the command ends with 1. Lines end at a line feed alone: JSON texts may hold U+2028 and the other
    line ends of Unicode.
    """
    from rich.progress import track

    from appliance.cli.terminal_output import ERR  # which counts as this module does

    try:
        lines = [line for line in batch.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{batch} cannot be read: {error}.") from None
    lost = 0
    with _sink(batch, output) as sink:
        for line in track(lines, description="requests", console=ERR):
            result, is_lost = _one(line, work, broken)
            lost += is_lost
            sink.write(json.dumps(result, ensure_ascii=False) + "\n")
    if lost:
        click.echo(
            f"{lost} of {count(len(lines), 'line')} could not be answered; each result says why.", err=True
        )
        raise click.exceptions.Exit(1)


@contextmanager
def _sink(batch: Path, output: Path | None) -> Iterator[TextIO]:
    """Open where the results go: the file, or stdout; never the requests themselves."""
    if output is None:
        yield sys.stdout
        return
    if output.exists() and output.samefile(batch):
        raise click.UsageError(f"{output} holds the requests. Name another file with --output.")
    try:
        sink = output.open("w", encoding="utf-8")
    except OSError as error:
        message = f"{output} cannot be written ({error.strerror}). Name another file with --output."
        raise click.UsageError(message) from None
    with sink:
        yield sink


def _one(
    line: str,
    work: Callable[[dict[str, Any]], Mapping[str, Any]],
    broken: Callable[[dict[str, Any], Exception], Mapping[str, Any]],
) -> tuple[dict[str, Any], bool]:
    """Return the result of a line, and whether it is that of a broken one."""
    row: dict[str, Any] = {}
    try:
        row = _object(line)
        return {"id": row.get("id"), **work(row)}, False
    except (ApplianceError, click.UsageError) as error:
        return {"id": row.get("id"), **broken(row, error)}, True


def _object(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise click.UsageError("The line is no JSON: write an object with an id and a question.") from None
    if not isinstance(row, dict):
        raise click.UsageError("The line is no JSON object with an id and a question.")
    return row


def write_file(path: Path, content: bytes) -> None:
    """Write a file that a command was told to; raises CannotWrite."""
    try:
        path.write_bytes(content)
    except OSError as error:
        mend = "Name another file." if path.parent.is_dir() else f"Make the folder {path.parent} first."
        raise CannotWrite(path, error.strerror or str(error), mend) from error


def print_json(value: Any) -> None:
    """Print a value on stdout as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


_AS_JSON = "appliance.cli.as_json"  # in the context of a command that only says what it did


def say(words: str, **facts: Any) -> None:
    """Say what a command did: in words on stderr, with --json the facts and the words on stdout."""
    if click.get_current_context().meta.get(_AS_JSON):
        print_json({**facts, "said": words})
    elif words:
        click.echo(words, err=True)


def speak_json(command: click.Command) -> None:
    """Give every command below this one that says what it did (`say`) the option --json."""
    if isinstance(command, click.Group):
        for below in command.commands.values():
            speak_json(below)
    elif not any("--json" in option.opts for option in command.params):

        def keep(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
            ctx.meta[_AS_JSON] = asked

        help_text = "Print JSON for programs."
        option = click.Option(["--json"], is_flag=True, expose_value=False, callback=keep, help=help_text)
        command.params.append(option)


_OPTIONS = (
    click.option("--document", "documents", multiple=True, help="This document only (repeatable)."),
    click.option("--kind", "kinds", multiple=True, type=click.Choice(get_args(PlaceKind)),
                 help="Only places of this kind (repeatable)."),
    click.option("--tag", "tags", multiple=True, help="Only places about this material, structure, load or "
                 "discipline (repeatable)."),
    click.option("--family", "families", multiple=True, help="Only codes of this family (repeatable)."),
    click.option("--edition", "editions", multiple=True, help="Only documents of this edition or year."),
    click.option("--normative/--informative", "normative", default=None, help="Only what binds, or only what "
                 "informs."),
    click.option("--after", default="", help="The question before, which this one may go on from."),
    click.option("--reading", default="", metavar="DOCUMENT[:LABEL]", help="What is open: what belongs to it "
                 "is raised, nothing is hidden."),
    click.option("--selected", default="", help="Text selected there."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Narrowed:
    """How a question is narrowed, what it goes on from, and what its user has open."""

    wanted: Filter
    after: str
    reading: Reading | None

    def search(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a search for a line of a batch, whose own `after` counts first."""
        after = row.get("after")
        return {
            "wanted": self.wanted,
            "after": after if isinstance(after, str) else self.after,
            "reading": self.reading,
        }


def narrowing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which is given them as `narrowed`."""

    @wraps(command)
    def with_narrowed(*args: Any, **values: Any) -> None:
        from appliance.retrieval.search import parse_reading
        from appliance.retrieval.search_context import Filter

        names = ("documents", "kinds", "tags", "families", "editions", "normative")
        wanted = Filter(**{name: values.pop(name) for name in names})
        reading = parse_reading(values.pop("reading"), values.pop("selected"))
        command(*args, narrowed=Narrowed(wanted, values.pop("after"), reading), **values)

    for option in reversed(_OPTIONS):
        option(with_narrowed)
    return with_narrowed
