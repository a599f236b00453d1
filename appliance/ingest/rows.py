"""The lines of the whole document as one sequence, each with what its place on the page says.

Rules of this module: pure; lines of tables, figures and the contents list are left out; indents are
measured from the left edge of the line's column on its own page, so that a skewed or shifted scan
reads like a straight one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from appliance.ingest.page import Line, PageLayout
from appliance.ingest.typography import Typography, starts_paragraph

_ENDINGS = (".", ":", ";", "?", "!", ".”", ".’", ".)", '."', "—", "–")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the text.

    `indent` is in ems of its own size, `fresh` tells that it starts a paragraph by white space or
    place, `after_end` that the text before it came to an end.
    """

    line: Line
    place: tuple[int, int]  # page number, index in PageLayout.lines
    indent: float
    fresh: bool
    after_end: bool


def make_rows(
    layouts: Sequence[PageLayout], left_out: Collection[tuple[int, int]], typography: Typography
) -> list[Row]:
    """Return the rows of the document in reading order."""
    rows: list[Row] = []
    above: Line | None = None  # the line before on the page, None after something left out
    before: Line | None = None  # the text before, wherever it stands
    for page in layouts:
        edges = _edges(page.lines)
        for index, line in enumerate(page.lines):
            place = (page.content.number, index)
            if place in left_out:
                above = None
                continue
            indent = (line.x0 - edges[line.column]) / max(line.size, 1.0) if line.upright else 0.0
            ended = before is None or before.text.rstrip().endswith(_ENDINGS) or len(before.text) < 3
            apart = above is None or above.page != line.page or above.column != line.column
            fresh = ended or not line.text[:1].islower() if apart else False
            fresh = fresh or (not apart and starts_paragraph(above, line, typography.gap))
            rows.append(Row(line, place, indent, fresh, ended))
            above = before = line
    return rows


def _edges(lines: Sequence[Line]) -> dict[int, float]:
    """Return the left edge of each column: a place at which several lines start, not one stray."""
    starts: dict[int, list[float]] = defaultdict(list)
    for line in lines:
        if line.upright:
            starts[line.column].append(line.x0)
    edges = {}
    for column, xs in starts.items():
        xs.sort()
        edges[column] = next(
            (x for x in xs if sum(abs(x - other) <= 4 for other in xs) >= min(2, len(xs))), xs[0]
        )
    return edges
