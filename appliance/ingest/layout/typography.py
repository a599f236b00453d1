"""The lines of a document as one sequence, with what their type and place say."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from appliance.core.runs import grouped
from appliance.ingest.formulas.text import LETTERED
from appliance.ingest.page import Line, PageLayout, Place

LARGER = 1.08  # of the body size: a line that stands out
SMALLER = 0.93  # of the body size: notes, legal extracts, lettering
GAP = 0.35  # ems between lines, beyond the usual, that start a paragraph
SPREAD = 0.06  # of a size: how far the lines of one type may be measured apart in a scan
LEADING = 0.2  # ems between the lines of a paragraph, where no paragraph shows it
GOING_ON = 0.1  # of the lines below others: so many at least go on with their text where there are paragraphs
RUNNING = 4  # words of a line of running text, at least
COVER = 2  # first pages that are left out of the measuring when there are more than a few


@dataclass(frozen=True, slots=True)
class Typography:
    """The type of the body text: size in points, colour, whether bold, and its usual line gap (ems)."""

    size: float
    colour: int
    bold: bool
    gap: float

    def larger(self, line: Line) -> bool:
        """Tell whether the line is set larger than the body."""
        return line.size > self.size * LARGER

    def only_larger(self, line: Line) -> bool:
        """Tell whether nothing but its size sets the line off from the body."""
        return self.larger(line) and not self._coloured(line) and not (line.bold and not self.bold)

    def small(self, line: Line) -> bool:
        """Tell whether the line is set smaller than the body."""
        return line.size < self.size * SMALLER

    def stands_out(self, line: Line) -> bool:
        """Tell whether the line is set as a heading: bold, larger, or in another colour throughout."""
        set_off = (line.bold and not self.bold) or self.larger(line) or self._coloured(line)
        return set_off and not self.small(line)

    def _coloured(self, line: Line) -> bool:
        return bool(line.words) and all(word.colour != self.colour for word in line.words)


def measure(
    layouts: Sequence[PageLayout], titles: Collection[Place] = (), *, spaced: bool = False
) -> Typography:
    """Return the typography of the document's running text: lines of at least four words, and no `titles`.

    Where there are none of these, of every line that is no title, else of every line. `spaced`: white space
    parts all paragraphs, as on printed web pages.
    """
    pages = layouts[COVER:] if len(layouts) > 3 * COVER else layouts
    sizes: Counter[float] = Counter()
    colours: Counter[int] = Counter()
    bold: Counter[bool] = Counter()
    gaps: Counter[float] = Counter()
    going_on = 0
    placed = [((page.content.number, at), line) for page in pages for at, line in enumerate(page.lines)]
    upright = [(place, line) for place, line in placed if line.upright and line.words]
    plain = [line for place, line in upright if place not in titles]
    running = [line for line in plain if len(line.words) >= RUNNING]
    for line in running or plain or [line for _, line in upright]:
        sizes[round(line.size * 4) / 4] += len(line.text)
        colours[line.words[1 % len(line.words)].colour] += len(line.text)
        bold[line.bold] += len(line.text)
    for page in pages:
        before: Line | None = None
        for line in page.lines:
            if before and before.column == line.column and line.y0 > before.y0 and line.size:
                gaps[round(gap(before, line), 1)] += 1
                first = line.text[:1]
                lower = first.isalpha() and not first.isupper()  # also in a script that has no capitals
                going_on += lower and abs(before.size - line.size) <= SPREAD * line.size
            before = line

    def density(size: float) -> float:
        """Return how much is set round a size: a scan measures one type at many sizes.

        Each size counts for those near it the less, the farther they are off (a triangular kernel, `SPREAD`
        to each side), so that the body is not lost to notes of one exact size because its own is spread.
        """
        reach = SPREAD * max(size, 1.0)
        return sum(max(0.0, 1 - abs(other - size) / reach) * count for other, count in sizes.items())

    usual = max(gaps, key=gaps.__getitem__, default=LEADING)
    return Typography(
        max(sorted(sizes), key=density, default=10.0),
        max(colours, key=colours.__getitem__, default=0),
        max(bold, key=bold.__getitem__, default=False),
        usual if not spaced and going_on >= GOING_ON * gaps.total() else min(usual, LEADING),
    )


def gap(before: Line, line: Line) -> float:
    """Return the white space between two lines in ems."""
    return (line.y0 - before.y1) / max(line.size, 1.0)


SHORT = 0.25  # of the measure: white space at the end of a paragraph's last line
FEW = 6  # lines of a column, below which they show no edge
FLUSH = 4.0  # points: what counts as one left edge
INDENTED = 0.4  # of the pages: so many have lines that stand in as far
APART = 2.0  # ems between a formula and the number at its right
_FORMULA = re.compile(r"\([A-Z]{0,2}\.?\d{1,3}(?:[.-]\d{1,3})*" + LETTERED + r"\)")
_ENDINGS = (".", ":", ";", "?", "!", ".”", ".’", ".)", '."', "—", "–", "。", "：", "；")
# What a scan makes of the sign that ends an amendment, behind the text: "~", "®1", "<51", "(§]", "@il".
_SIGN = re.compile(r"\s(?:[^\w\s]{0,2}[~@©®§<>]\S{0,3})$")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the text.

    `indent` is in ems of its own size, `fresh` tells that it starts a paragraph by white space or
    place, `after_end` that the text before it came to an end: by a full stop or a short last line,
    `broken` that its first word had room on the line before and was not put there, `alone` that white space
    parts it from the line below, too, and `scanned` that it stands on a scanned page.
    """

    line: Line
    place: Place
    indent: float
    fresh: bool
    after_end: bool
    broken: bool = False
    alone: bool = False
    scanned: bool = False


def make_rows(
    layouts: Sequence[PageLayout], left_out: Collection[Place], typography: Typography
) -> list[Row]:
    """Return the rows of the document in reading order."""
    starts = [(page, _starts(page.lines)) for page in layouts]
    usual = _usual_edges(starts)
    rows: list[Row] = []
    above: Line | None = None  # the line before on the page, None after something left out
    before: Line | None = None  # the text before, wherever it stands
    rights: dict[tuple[int, int], float] = {}
    for page, own in starts:
        edges = {column: xs[0] for column, xs in own.items()}
        for column, edge in tuple(edges.items()):
            side = _side(page, column)
            shown = [xs[column] for other, xs in starts if column in xs and _side(other, column) == side]
            inside = sum(xs[0] < edge - FLUSH and any(abs(x - edge) <= FLUSH for x in xs) for xs in shown)
            # lines of many pages stand in as far as those furthest left on this one
            if _is_thin(page.lines, column) or inside >= INDENTED * len(shown):
                edges[column] = min(edge, usual.get(side, edge))
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
            if above is None or above.page != line.page or above.column != line.column:
                fresh, broken = ended or not line.text[:1].islower(), False
            else:
                apart = gap(above, line) > typography.gap + GAP  # white space parts it from the line before
                fresh = apart or abs(line.size - above.size) > 0.15 * line.size
                first = line.words[0].x1 - line.x0 + 0.5 * line.size  # width of its first word, with a space
                broken = rights[line.page, line.column] - above.x1 > first
            scanned = page.content.trust == "ocr"
            rows.append(Row(line, place, indent, fresh, ended, broken, scanned=scanned))
            above = before = line
    below = [*rows, None][1:]
    return [
        replace(row, alone=row.fresh and (after is None or after.fresh))
        for row, after in zip(rows, below, strict=True)
    ]


def _ends(line: Line, right: float) -> bool:
    """Tell whether a paragraph ends with the line; `right` is the right edge of its column."""
    if len(line.text) < 3 or _SIGN.sub("", line.text.rstrip()).endswith(_ENDINGS):
        return True
    words = line.words[-2:]  # the number of a formula stands apart, at its right
    apart = len(words) == 1 or words[1].x0 - words[0].x1 > APART * line.size
    formula = apart and _FORMULA.fullmatch(words[-1].text)
    return bool(formula) or right - line.x1 > SHORT * (right - line.x0)


def _starts(lines: Sequence[Line]) -> dict[int, list[float]]:
    """Return the places in each column at which several lines start, not one stray, from left to right."""
    starts = grouped((line.column, line.x0) for line in lines if line.upright)
    return {
        column: [x for x in sorted(xs) if sum(abs(x - other) <= FLUSH for other in xs) >= min(2, len(xs))]
        or [min(xs)]
        for column, xs in starts.items()
    }


def _side(page: PageLayout, column: int) -> tuple[int, int]:
    """Return the column and the side, left or right, of a page: the margins of the two may differ."""
    return column, page.content.number % 2


def _is_thin(lines: Sequence[Line], column: int) -> bool:
    return sum(line.upright and line.column == column for line in lines) < FEW


def _usual_edges(
    starts: Sequence[tuple[PageLayout, Mapping[int, list[float]]]],
) -> Mapping[tuple[int, int], float]:
    """Return the left edge of each column of the pages of a side, by those that show one."""
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for page, own in starts:
        for column, xs in own.items():
            if not _is_thin(page.lines, column):
                found[_side(page, column)].append(xs[0])
    both = {(column, 1 - side): edges for (column, side), edges in found.items()}
    usual: dict[tuple[int, int], float] = {}
    for key, edges in (both | found).items():
        other = both.get(key, edges)
        # pages of both sides that begin at one edge have the same margins, however far most of them stand in
        alike = abs(min(edges) - min(other)) <= FLUSH
        usual[key] = median([*edges, *other] if alike else edges)
    return usual
