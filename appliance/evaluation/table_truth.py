"""Ground truth of table structure in the format of the ICDAR 2013 table competition.

Rules of this module: it reads `NAME-str.xml` (cells with rows, columns and spans) and `NAME-reg.xml`
(regions) beside `NAME.pdf` and judges nothing. Their boxes count from the bottom of the page.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import BadInput


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
