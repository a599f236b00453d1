"""Table structure against ground truth, beside other table finders in one run."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table as Shown

from appliance.core.document import Table
from appliance.core.errors import BadInput
from appliance.core.settings import IngestSettings
from appliance.evaluation import table_peers
from appliance.ingest.geometry import Area
from appliance.ingest.layout.pages import arrange
from appliance.ingest.pdf.reader import read
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from appliance.ingest.tables.cells import paragraph
from appliance.ingest.tables.grid import make_grid
from appliance.ingest.view import views


@dataclass(frozen=True, slots=True)
class Region:
    """Where a table stands, in points from the bottom left of its page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell with the first and the last row and column that it stands in."""

    row: int
    column: int
    last_row: int
    last_column: int
    text: str


@dataclass(frozen=True, slots=True)
class PlacedGrid:
    """The cells of a table as far as it stands on one page."""

    page: int
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """A PDF with its tables, page by page, and their regions."""

    path: Path
    tables: tuple[PlacedGrid, ...]
    regions: tuple[Region, ...]


def load_table_truths(folder: Path) -> tuple[Truth, ...]:
    """Return the ground truth of a folder, in the order of the names; what has no PDF is left out.

    Raises BadInput where the folder holds none, or a file of it cannot be read.
    """
    files = sorted(path for path in folder.glob("*-str.xml") if _pdf(path).is_file())
    if not files:
        message = f"{folder} holds no table structure (NAME-str.xml beside NAME.pdf)."
        raise BadInput(message)
    return tuple(_truth(path) for path in files)


def without_pdf(folder: Path) -> tuple[str, ...]:
    """Return the names whose PDF is not in the folder."""
    names = sorted(path.name.removesuffix("-str.xml") for path in folder.glob("*-str.xml"))
    return tuple(name for name in names if not (folder / f"{name}.pdf").is_file())


def _pdf(path: Path) -> Path:
    return path.with_name(path.name.replace("-str.xml", ".pdf"))


def _truth(path: Path) -> Truth:
    regions = path.with_name(path.name.replace("-str.xml", "-reg.xml"))
    if not regions.is_file():
        message = f"{regions} is missing beside {path.name}."
        raise BadInput(message)
    try:
        return Truth(_pdf(path), tuple(_grids(path)), tuple(_regions(regions)))
    except (ET.ParseError, KeyError, ValueError) as error:
        message = f"{path} cannot be read as table structure: {error}."
        raise BadInput(message) from error


def _grids(path: Path) -> Iterator[PlacedGrid]:
    for region in ET.parse(path).getroot().iter("region"):  # noqa: S314 - ground truth that the user names
        cells = tuple(_cell(cell) for cell in region.iter("cell"))
        yield PlacedGrid(int(region.attrib["page"]), cells)


def _cell(cell: ET.Element) -> GridCell:
    row, column = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
    return GridCell(
        row,
        column,
        int(cell.attrib.get("end-row", row)),
        int(cell.attrib.get("end-col", column)),
        cell.findtext("content") or "",
    )


def _regions(path: Path) -> Iterator[Region]:
    for region in ET.parse(path).getroot().iter("region"):  # noqa: S314 - as above
        box = region.find("bounding-box")
        if box is not None:
            x0, y0, x1, y1 = (float(box.attrib[name]) for name in ("x1", "y1", "x2", "y2"))
            yield Region(int(region.attrib["page"]), min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


OWN = "appliance"
PEER_SECONDS = 900
Relations = Counter[tuple[int, str, str, str]]  # page, content, neighbour's content, direction
Grids = dict[Path, list[PlacedGrid]]


@dataclass(frozen=True, slots=True)
class Counted:
    """Relations of one document: those wanted, returned, and right; and the cells' contents likewise."""

    wanted: int
    returned: int
    right: int
    cells: int
    cells_right: int


@dataclass(frozen=True, slots=True)
class FinderScore:
    """What one finder got, document by document; `failed` are the documents that it could not read."""

    finder: str
    given: str
    documents: tuple[Counted, ...]
    failed: tuple[str, ...] = ()

    @property
    def mean(self) -> tuple[float, float, float]:
        """Return precision, recall and F1, each the mean over documents (F1 of the two means)."""
        precision = _mean([_share(d.right, d.returned) for d in self.documents])
        recall = _mean([_share(d.right, d.wanted) for d in self.documents])
        return precision, recall, _f1(precision, recall)

    @property
    def pooled(self) -> float:
        """Return the F1 over the relations of all documents."""
        right = sum(d.right for d in self.documents)
        returned, wanted = sum(d.returned for d in self.documents), sum(d.wanted for d in self.documents)
        return _f1(_share(right, returned), _share(right, wanted))

    @property
    def cells(self) -> float:
        """Return the share of the cells with words whose content is that of one cell returned."""
        return _share(sum(d.cells_right for d in self.documents), sum(d.cells for d in self.documents))


def evaluate_tables(truths: Sequence[Truth]) -> Iterator[FinderScore]:
    """Yield the score of each finder that is installed, for whole pages and for regions given."""
    heights = {truth.path: _heights(truth.path) for truth in truths}
    for given, regions in (("pages", False), ("regions", True)):
        own = {truth.path: (_in_regions if regions else _on_pages)(truth) for truth in truths}
        yield _scored(OWN, given, truths, own, ())
        for name in table_peers.PEERS:
            if table_peers.available(name):
                grids, failed = _peer(name, truths, heights if regions else None)
                yield _scored(name, given, truths, grids, failed)


def relations(grids: Sequence[PlacedGrid]) -> Relations:
    """Return the adjacency relations of tables: each content with those right beside and below it."""
    found: Relations = Counter()
    for grid in grids:
        filled = [(cell, content(cell.text)) for cell in grid.cells if content(cell.text)]
        for cell, text in filled:
            for other, near in filled:
                level = cell.row <= other.last_row and other.row <= cell.last_row
                under = cell.column <= other.last_column and other.column <= cell.last_column
                if level and other.column == cell.last_column + 1:
                    found[grid.page, text, near, "right"] += 1
                if under and other.row == cell.last_row + 1:
                    found[grid.page, text, near, "below"] += 1
    return found


def content(text: str) -> str:
    """Return the letters and figures of a text in small letters; its signs where it has no others."""
    plain = "".join(character for character in text.casefold() if character.isalnum())
    return plain or "".join(text.split())


def structure_rows(scores: Sequence[FinderScore]) -> Shown:
    """Return the scores as a table to read."""
    shown = Shown(box=None, pad_edge=False)
    shown.add_column("finder")
    for name in ("given", "precision", "recall", "F1", "F1 pooled", "cells", "failed"):
        shown.add_column(name, justify="right", no_wrap=True)
    for score in scores:
        figures = [f"{value:.3f}" for value in (*score.mean, score.pooled, score.cells)]
        shown.add_row(score.finder, score.given, *figures, str(len(score.failed)))
    return shown


def tables_json(scores: Sequence[FinderScore]) -> list[dict[str, object]]:
    """Return the scores for a machine."""
    return [
        {
            "finder": score.finder,
            "given": score.given,
            **dict(zip(("precision", "recall", "f1"), score.mean, strict=True)),
            "f1_pooled": score.pooled,
            "cells": score.cells,
            "documents": len(score.documents),
            "failed": list(score.failed),
        }
        for score in scores
    ]


def _scored(
    name: str,
    given: str,
    truths: Sequence[Truth],
    grids: Mapping[Path, Sequence[PlacedGrid]],
    failed: Sequence[str],
) -> FinderScore:
    counted = tuple(_counted(truth.tables, grids.get(truth.path, ())) for truth in truths)
    return FinderScore(name, given, counted, tuple(failed))


def _counted(wanted: Sequence[PlacedGrid], returned: Sequence[PlacedGrid]) -> Counted:
    left, right = relations(wanted), relations(returned)
    cells, found = _contents(wanted), _contents(returned)
    return Counted(
        left.total(), right.total(), (left & right).total(), cells.total(), (cells & found).total()
    )


def _contents(grids: Sequence[PlacedGrid]) -> Counter[tuple[int, str]]:
    return Counter((grid.page, text) for grid in grids for cell in grid.cells if (text := content(cell.text)))


def _on_pages(truth: Truth) -> list[PlacedGrid]:
    """Return the tables that reading the document finds."""
    document = read_document(truth.path, truth.path.stem, IngestSettings(), load_schemes(None))
    return [grid for table in document.tables for grid in _by_page(table)]


def _by_page(table: Table) -> Iterator[PlacedGrid]:
    for page in sorted({cell.box.page for cell in table.cells}):
        cells = [cell for cell in table.cells if cell.box.page == page]
        yield PlacedGrid(
            page,
            tuple(
                GridCell(c.row, c.column, c.row + c.row_span - 1, c.column + c.column_span - 1, c.text)
                for c in cells
            ),
        )


def _in_regions(truth: Truth) -> list[PlacedGrid]:
    """Return the grids that are found in the regions given."""
    found = []
    for layout in arrange(read(truth.path, IngestSettings())):
        for region in truth.regions:
            if region.page != layout.content.number:
                continue
            view = views(layout)[0]
            area = Area(
                region.x0 - 1, view.height - region.y1 - 1, region.x1 + 1, view.height - region.y0 + 1
            )
            grid = make_grid(view, area)
            cells = grid.cells if grid else ()
            found.append(
                PlacedGrid(
                    region.page,
                    tuple(
                        GridCell(
                            c.row,
                            c.column,
                            c.row + c.row_span - 1,
                            c.column + c.column_span - 1,
                            paragraph(c.lines),
                        )
                        for c in cells
                    ),
                )
            )
    return found


def _heights(path: Path) -> list[float]:
    return [page.height for page in read(path, IngestSettings()).pages]


def _peer(
    name: str, truths: Sequence[Truth], heights: Mapping[Path, Sequence[float]] | None
) -> tuple[Grids, list[str]]:
    """Return the tables that a peer finds, and the documents that it could not read."""
    asked = {str(t.path): None if heights is None else _from_top(t, heights[t.path]) for t in truths}
    done = subprocess.run(  # noqa: S603 - this very package, with its own argument
        [sys.executable, "-m", table_peers.__name__, name],
        input=json.dumps(asked),
        capture_output=True,
        check=False,
        text=True,
        timeout=PEER_SECONDS,
    )
    if done.returncode:
        return {}, [path.stem for path in (truth.path for truth in truths)]
    answer = json.loads(done.stdout)
    grids = {
        Path(path): [
            PlacedGrid(table["page"], tuple(GridCell(*cell) for cell in table["cells"]))
            for table in found["tables"]
        ]
        for path, found in answer.items()
    }
    return grids, [Path(path).stem for path, found in answer.items() if found.get("error")]


def _from_top(truth: Truth, heights: Sequence[float]) -> list[tuple[float, ...]]:
    return [
        (r.page, r.x0, heights[r.page - 1] - r.y1, r.x1, heights[r.page - 1] - r.y0) for r in truth.regions
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
