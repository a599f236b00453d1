"""The commands that show how well a code was read, and what its figures look like."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import FILE, json_option, library_option, open_library, print_json, refuse_signed

if TYPE_CHECKING:
    from appliance.describing import Described
    from appliance.library import Library
    from appliance.settings import Settings


@click.command()
@click.argument("document", required=False)
@library_option
@json_option
@click.option("--all", "every", is_flag=True, help="Show every page to look at, not the worst alone.")
@click.option("--checked", metavar="PAGES", help="Pages that you have compared with the image: 12,14-16.")
@click.option("--unchecked", metavar="PAGES", help="Take checks back.")
@click.pass_obj
def report(
    settings: Settings,
    document: str | None,
    library_path: Path,
    as_json: bool,
    every: bool,
    checked: str | None,
    unchecked: str | None,
) -> None:
    """Tell how well documents were read: expected against found, and the pages to look at.

    Without DOCUMENT: all of them, one line each. What is expected comes from the documents themselves:
    captions, numbers in sequence, tables and figures that the text speaks of.

    \b
    appliance report --library build/codes.db
    appliance report AD-K --library build/codes.db
    appliance report AD-K --checked 12,14-16 --library build/codes.db
    appliance report AD-K --json --library build/codes.db
    """
    from appliance.cli.show_report import print_overview, print_quality
    from appliance.quality.contract import report_json, summary_json

    library = open_library(library_path, settings)
    if document is None:
        if checked or unchecked:
            message = "Name the document whose pages were checked: appliance report DOCUMENT --checked PAGES."
            raise click.UsageError(message)
        reports = [library.quality(info.id) for info in library.documents()]
        print_json([summary_json(item) for item in reports]) if as_json else print_overview(reports)
        return
    for pages, undo in ((checked, False), (unchecked, True)):
        if pages:
            _mark(library, library_path, document, pages, undo=undo)
    found = library.quality(document)
    print_json(report_json(found)) if as_json else print_quality(found, every=every)


def _mark(library: Library, path: Path, document: str, pages: str, *, undo: bool) -> None:
    from appliance.quality.checked import page_numbers, write_checked

    refuse_signed(path)
    info = library.store.info(document)
    numbers = page_numbers(pages, info.pages)
    today = datetime.now(UTC).date().isoformat()
    write_checked(path, document, info.sha256, numbers, today, undo=undo)


@click.command()
@click.argument("document")
@click.argument("label")
@click.option("--image", type=FILE, help="Write the drawing with its caption to this PNG file.")
@click.option("--describe", is_flag=True, help="What the vision model of the settings says of it.")
@library_option
@json_option
@click.pass_obj
def figure(
    settings: Settings,
    document: str,
    label: str,
    image: Path | None,
    describe: bool,
    library_path: Path,
    as_json: bool,
) -> None:
    """Show a figure or formula: caption, place, text; with --image, the drawing itself.

    With --describe, what a vision model says of a figure: no text of the document, and confirmed by nothing.

    \b
    appliance figure AD-K "Diagram 1.1" --library build/codes.db
    appliance figure AD-K "Diagram 1.1" --image rise.png --library build/codes.db
    appliance figure EN-1991-1-3 "(5.1)" --image formula.png --library build/codes.db
    appliance --settings appliance.toml figure AD-K "Diagram 1.1" --describe --library build/codes.db
    """
    from appliance.cli.show import print_others
    from appliance.cli.show_report import described_json, figure_json, print_described, print_figure

    library = open_library(library_path, settings)
    found = library.drawn(document, label)
    doubts = library.doubts(document, found.boxes)
    tables = library.tables_in(document, label)
    if image is not None:
        _cut_out(library, document, label, image)
    described = _described(library, settings, document, label) if describe else None
    if as_json:
        print_json(figure_json(document, found, doubts, tables) | described_json(described))
    else:
        print_figure(document, found, doubts, tables)
        print_others(found.label, library.others_called(document, found.label))
        print_described(described)


def _described(library: Library, settings: Settings, document: str, label: str) -> Described:
    """Return what the vision model of the settings says of a figure."""
    from appliance.describing import open_describer
    from appliance.errors import BadSettings

    describer = open_describer(library, settings)
    if describer is None:
        message = "No vision model is installed for this. Name one as vision in [llm] of the settings."
        raise BadSettings(message)
    click.get_current_context().call_on_close(describer.close)
    return describer.describe(document, label)


def _cut_out(library: Library, document: str, label: str, image: Path) -> None:
    """Write the drawing of a figure or formula to a file, and say what is amiss with it."""
    from appliance.cli.show_report import print_amiss
    from appliance.errors import BadInput, CannotWrite

    picture = library.picture(document, label)
    if picture is None:
        message = f"{label} of {document} has no page image. Build the library with images to cut it out."
        raise BadInput(message)
    try:
        image.write_bytes(picture)
    except OSError as error:
        missing = not image.parent.is_dir()
        mend = f"Make the folder {image.parent} first." if missing else "Name another file with --image."
        raise CannotWrite(image, error.strerror or str(error), mend) from error
    print_amiss(library.picture_problems(document, label))
