"""Table finders that are measured beside this one's, each run in a process of its own."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import Any

PEERS: dict[str, str] = {
    "pymupdf": "pymupdf",
    "pdfplumber": "pdfplumber",
    "camelot lattice": "camelot",
    "camelot stream": "camelot",
    "camelot network": "camelot",
    "camelot hybrid": "camelot",
}
"""Name of each peer and the package that it needs."""

SLACK: dict[str, float] = {"pdfplumber": 10.0, "lattice": 5.0, "hybrid": 5.0}
"""Points by which the regions given are widened, where a peer gets more of them right so: cut at the
words, they have lost the rules around a table."""

ROUGH = frozenset({"lattice", "hybrid"})
"""Flavours of camelot that want the rough regions of tables, not their very edges (they find hardly any)."""

EDGE = 1.0  # points between edges that are one
Region = tuple[int, float, float, float, float]  # page, x0, y0, x1, y1
GridOut = dict[str, Any]  # {"page": n, "cells": [[row, column, last row, last column, text], ...]}


def available(name: str) -> bool:
    """Tell whether the package of a peer is installed."""
    return find_spec(PEERS[name]) is not None


def tables_of(name: str, path: str, regions: Sequence[Region] | None) -> list[GridOut]:
    """Return the tables that a peer finds on the whole pages of a PDF, or in the regions given."""
    if name == "pymupdf":
        return _pymupdf(path, regions)
    if name == "pdfplumber":
        return _pdfplumber(path, regions)
    return _camelot(path, name.rpartition(" ")[2], regions)


def _pymupdf(path: str, regions: Sequence[Region] | None) -> list[GridOut]:
    import pymupdf  # noqa: PLC0415 - only in the process of this peer

    found = []
    with pymupdf.open(path) as pdf:  # type: ignore[no-untyped-call]
        for page, box in _places(regions, len(pdf)):
            for table in pdf[page - 1].find_tables(clip=box).tables:
                rows = [[cell and tuple(cell) for cell in row.cells] for row in table.rows]
                found.append({"page": page, "cells": _spanned(rows, table.extract())})
    return found


def _pdfplumber(path: str, regions: Sequence[Region] | None) -> list[GridOut]:
    import pdfplumber  # noqa: PLC0415 - optional, only in this process

    found = []
    with pdfplumber.open(path) as pdf:
        for page, box in _places(_widened(regions, SLACK["pdfplumber"]), len(pdf.pages)):
            part = pdf.pages[page - 1]
            for table in (part.crop(box, strict=False) if box else part).find_tables():
                rows = [list(row.cells) for row in table.rows]
                found.append({"page": page, "cells": _spanned(rows, table.extract())})
    return found


def _camelot(path: str, flavour: str, regions: Sequence[Region] | None) -> list[GridOut]:
    from camelot.io import read_pdf  # noqa: PLC0415 - optional, only in this process

    found = []
    if regions is None:
        kept = read_pdf(path, pages="all", flavor=flavour, suppress_stdout=True)
        return [{"page": int(table.page), "cells": _bordered(table)} for table in kept]
    heights = _heights(path)
    for page, x0, y0, x1, y1 in _widened(regions, SLACK.get(flavour, 0.0)) or ():
        top = heights[page - 1]
        area = [f"{x0},{top - y0},{x1},{top - y1}"]  # camelot counts from the bottom
        given = {"table_regions" if flavour in ROUGH else "table_areas": area}
        kept = read_pdf(path, pages=str(page), flavor=flavour, suppress_stdout=True, **given)
        found += [{"page": page, "cells": _bordered(table)} for table in kept]
    return found


def _widened(regions: Sequence[Region] | None, by: float) -> list[Region] | None:
    if regions is None:
        return None
    return [
        (page, max(x0 - by, 0.0), max(y0 - by, 0.0), x1 + by, y1 + by) for page, x0, y0, x1, y1 in regions
    ]


def _heights(path: str) -> list[float]:
    import pdfplumber  # noqa: PLC0415 - as above

    with pdfplumber.open(path) as pdf:
        return [float(page.height) for page in pdf.pages]


def _places(
    regions: Sequence[Region] | None, pages: int
) -> Iterable[tuple[int, tuple[float, float, float, float] | None]]:
    """Yield the pages whole, or each region with its page."""
    if regions is None:
        return [(page, None) for page in range(1, pages + 1)]
    return [(region[0], (region[1], region[2], region[3], region[4])) for region in regions]


def _spanned(boxes: Sequence[Sequence[Any]], texts: Sequence[Sequence[str | None]]) -> list[list[Any]]:
    """Return the cells of a table with the rows and columns that their boxes span."""
    every = [box for row in boxes for box in row if box]
    xs, ys = _edges(box[0] for box in every), _edges(box[1] for box in every)
    cells = []
    for row, said in zip(boxes, texts, strict=False):
        for box, text in zip(row, said, strict=False):
            if box:
                first = (_at(ys, box[1]), _at(xs, box[0]))
                last = (_at(ys, box[3] - 2 * EDGE), _at(xs, box[2] - 2 * EDGE))
                cells.append([*first, max(first[0], last[0]), max(first[1], last[1]), text or ""])
    return cells


def _edges(values: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > EDGE:
            edges.append(value)
    return edges


def _at(edges: Sequence[float], value: float) -> int:
    return max(sum(edge <= value + EDGE for edge in edges) - 1, 0)


def _bordered(table: Any) -> list[list[Any]]:
    """Return the cells of camelot's table, those without a border between them joined, right and down.

    Where the cells so joined make no rectangle, borders are missing: then they are joined to the right only.
    """
    grid = table.cells
    cells = []
    for members in _joined(grid):
        parts = [members] if _rectangular(members) else _runs(grid, members)
        cells += [_merged(grid, part) for part in parts]
    return cells


Place = tuple[int, int]  # row, column


def _joined(grid: Sequence[Sequence[Any]]) -> list[list[Place]]:
    """Return the places of the grid in sets with no border inside."""
    left = {(row, column) for row, cells in enumerate(grid) for column in range(len(cells))}
    sets = []
    while left:
        queue = [min(left)]
        left.remove(queue[0])
        for row, column in queue:
            beside = [(row, column + 1)] if not grid[row][column].right else []
            beside += [(row, column - 1)] if column and not grid[row][column - 1].right else []
            beside += [(row + 1, column)] if not grid[row][column].bottom else []
            beside += [(row - 1, column)] if row and not grid[row - 1][column].bottom else []
            fresh = [place for place in beside if place in left]
            left.difference_update(fresh)
            queue += fresh
        sets.append(sorted(queue))
    return sets


def _rectangular(members: Sequence[Place]) -> bool:
    rows, columns = {row for row, _ in members}, {column for _, column in members}
    return len(members) == (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)


def _runs(grid: Sequence[Sequence[Any]], members: Sequence[Place]) -> list[list[Place]]:
    """Return the places row by row, those joined to the right together."""
    runs: list[list[Place]] = []
    for row, column in members:
        if runs and runs[-1][-1] == (row, column - 1) and not grid[row][column - 1].right:
            runs[-1].append((row, column))
        else:
            runs.append([(row, column)])
    return runs


def _merged(grid: Sequence[Sequence[Any]], members: Sequence[Place]) -> list[Any]:
    texts = (grid[row][column].text.strip() for row, column in members)
    last = (max(row for row, _ in members), max(column for _, column in members))
    return [*members[0], *last, " ".join(text for text in texts if text)]


def _each(name: str, asked: dict[str, Sequence[Region] | None]) -> dict[str, Any]:
    """Return the tables of each PDF; what a peer cannot read counts as nothing found, with the reason."""
    result: dict[str, Any] = {}
    read: Callable[..., list[GridOut]] = tables_of
    for path, regions in asked.items():
        try:
            result[path] = {"tables": read(name, path, regions)}
        except Exception as error:  # noqa: BLE001 - a peer's failure is a figure, never ours
            result[path] = {"tables": [], "error": f"{type(error).__name__}: {error}"}
    return result


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        output = _each(sys.argv[1], json.load(sys.stdin))
    sys.stdout.write(json.dumps(output))
