"""The lines of the whole document as one sequence, each with what its place on the page says.

Rules of this module: pure; lines of tables, figures and the contents list are left out; indents are
measured from the left edge of the line's column on its own page, so that a skewed or shifted scan
reads like a straight one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from appliance.ingest.flow_charts import charted
from appliance.ingest.page import Line, PageLayout
from appliance.ingest.typography import Typography, starts_paragraph

SHORT = 0.25  # of the measure: white space at the end of a paragraph's last line
_ENDINGS = (".", ":", ";", "?", "!", ".”", ".’", ".)", '."', "—", "–")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the text.

    `indent` is in ems of its own size, `fresh` tells that it starts a paragraph by white space or
    place, `after_end` that the text before it came to an end: by a full stop or a short last line,
    `broken` that its first word had room on the line before and was not put there, `charted` that it is
    lettering of a flow chart, where numbers only name what stands elsewhere.
    """

    line: Line
    place: tuple[int, int]  # page number, index in PageLayout.lines
    indent: float
    fresh: bool
    after_end: bool
    broken: bool = False
    charted: bool = False


def make_rows(
    layouts: Sequence[PageLayout], left_out: Collection[tuple[int, int]], typography: Typography
) -> list[Row]:
    """Return the rows of the document in reading order."""
    rows: list[Row] = []
    above: Line | None = None  # the line before on the page, None after something left out
    before: Line | None = None  # the text before, wherever it stands
    rights: dict[tuple[int, int], float] = {}
    for page in layouts:
        edges, in_chart = _edges(page.lines), charted(page)
        for line in page.lines:
            key = (line.page, line.column)
            rights[key] = max(rights.get(key, 0.0), line.x1)
        for index, line in enumerate(page.lines):
            place = (page.content.number, index)
            if place in left_out:
                above = None
                continue
            indent = (line.x0 - edges[line.column]) / max(line.size, 1.0) if line.upright else 0.0
            ended = before is None or _ends(before, rights.get((before.page, before.column), before.x1))
            apart = above is None or above.page != line.page or above.column != line.column
            fresh = ended or not line.text[:1].islower() if apart else False
            fresh = fresh or (not apart and starts_paragraph(above, line, typography.gap))
            room = 0.0 if apart or above is None else rights[line.page, line.column] - above.x1
            broken = room > _start(line)
            rows.append(Row(line, place, indent, fresh, ended, broken, charted=index in in_chart))
            above = before = line
    return rows


def _ends(line: Line, right: float) -> bool:
    """Tell whether a paragraph ends with the line; `right` is the right edge of its column."""
    if len(line.text) < 3 or line.text.rstrip().endswith(_ENDINGS):
        return True
    return right - line.x1 > SHORT * (right - line.x0)


def _start(line: Line) -> float:
    """Return the width in points of the first word with the space before it."""
    return line.words[0].x1 - line.x0 + 0.5 * line.size


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
