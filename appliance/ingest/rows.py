"""The lines of the whole document as one sequence, each with what its place on the page says.

Rules of this module: pure; lines of tables, figures and the contents list are left out; indents are
measured from the left edge of the line's column on its own page, so that a skewed or shifted scan
reads like a straight one. A page of few lines ("b) ..." alone on the last one) shows no edge: there the one
of the pages of its side counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from appliance.ingest.flow_charts import charted
from appliance.ingest.formula_number import LETTERED
from appliance.ingest.page import Line, PageLayout
from appliance.ingest.typography import Typography, starts_paragraph

SHORT = 0.25  # of the measure: white space at the end of a paragraph's last line
FEW = 6  # lines of a column, below which they show no edge
APART = 2.0  # ems between a formula and the number at its right
_FORMULA = re.compile(r"\([A-Z]{0,2}\.?\d{1,3}(?:[.-]\d{1,3})*" + LETTERED + r"\)")
_ENDINGS = (".", ":", ";", "?", "!", ".”", ".’", ".)", '."', "—", "–")
# What a scan makes of the sign that ends an amendment, behind the text: "~", "®1", "<51", "(§]", "@il".
_SIGN = re.compile(r"\s(?:[^\w\s]{0,2}[~@©®§<>]\S{0,3})$")


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
    usual = _usual_edges(layouts)
    for page in layouts:
        edges, in_chart = _edges(page.lines), charted(page)
        thin = [column for column in edges if _is_thin(page.lines, column)]
        edges |= {
            column: min(edges[column], usual.get(_side(page, column), edges[column])) for column in thin
        }
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
    if len(line.text) < 3 or _SIGN.sub("", line.text.rstrip()).endswith(_ENDINGS) or _is_formula(line):
        return True
    return right - line.x1 > SHORT * (right - line.x0)


def _is_formula(line: Line) -> bool:
    """Tell whether a line ends in the number of a formula, set apart at its right."""
    words = line.words[-2:]
    apart = len(words) == 1 or words[1].x0 - words[0].x1 > APART * line.size
    return apart and _FORMULA.fullmatch(words[-1].text) is not None


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


def _side(page: PageLayout, column: int) -> tuple[int, int]:
    """Return the column and the side, left or right, of a page: the margins of the two may differ."""
    return column, page.content.number % 2


def _is_thin(lines: Sequence[Line], column: int) -> bool:
    return sum(line.upright and line.column == column for line in lines) < FEW


def _usual_edges(layouts: Sequence[PageLayout]) -> Mapping[tuple[int, int], float]:
    """Return the left edge of each column of the pages of a side, by those that show one."""
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for page in layouts:
        for column, edge in _edges(page.lines).items():
            if not _is_thin(page.lines, column):
                found[_side(page, column)].append(edge)
    both = {(column, 1 - side): edges for (column, side), edges in found.items()}
    return {key: median(edges) for key, edges in (both | found).items()}
