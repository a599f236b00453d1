"""Header rows and indented row labels of a table, by weight, ground, spans and numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from appliance.core.runs import runs
from appliance.ingest.geometry import Area
from appliance.ingest.tables.cells import paragraph
from appliance.ingest.tables.grid import Grid, GridCell
from appliance.text.numbers import unit_pattern

MOST = 6  # head rows
SEVERAL = 2  # numbers in the name of a column, at most: "600-1,200"
_DIGIT = re.compile(r"\d")
_NUMBER, _WORD = re.compile(r"\d[\d.,]*"), re.compile(r"[^\W\d_]{3,}")
_VALUE = re.compile(r"^[<>≤≥±+~−–-]?\s?\d[\d.,]*+(?![)\]])")  # "1)/1" is a symbol that was misread
_CONDITION = re.compile(r"[<>≤≥=]\s*[^\W\d_]|[^\W\d_]\s*[<>≤≥=]")  # "0° ≤ α ≤ 30°" heads a column
_NAMED = re.compile(r"(?<=[^\W\d_]\s)[A-Z][A-Za-z]+\s(?:[A-Z]\.?)?\d+(?:\.\d+)*")  # "according to Table 4.1"
_INDEXED = re.compile(
    r"[^\W\d_]{1,3}(?:,|(?<=[A-Z])\s)?\d{1,3}(?:\s?[/,–-]\s?(?:[^\W\d_]{1,3})?\d{1,3})*(?:\s[a-z]{2,}){0,3}"
)  # "cpe,10", "M20", "M 40 and above", "XC2 / XC3", "C25/30": a name, whatever its figures say
_UNIT_OR_MARK = re.compile(r"^[\[(].{1,12}[\])]$")

Look = tuple[bool, bool, int, int]  # bold, italic, colour of the words, colour of the ground


def head_rows(grid: Grid, fills: Sequence[Area]) -> int:
    """Return how many rows at the top are the head."""
    if grid.rows < 2:
        return 0
    rows = [[c for c in grid.cells if c.row == r and c.lines] for r in range(grid.rows)]
    looks = [_look(row, fills) for row in rows]
    body = Counter(look for look in looks[1:] if look).most_common(1)
    usual = body[0][0] if body else None
    if not _first_is_head(grid, rows, looks[0], usual):
        return 0
    count = max((c.row_span for c in rows[0]), default=1)
    while count < min(MOST, grid.rows - 1) and (
        _tells_apart(rows, count) or _goes_on(grid, rows, looks, count, usual)
    ):
        count = max(count + 1, *(c.row + c.row_span for c in rows[count]))
    return min(count, grid.rows - 1)


def _tells_apart(rows: Sequence[Sequence[GridCell]], row: int) -> bool:
    """Tell whether a row names the columns under spanning heads one by one: "P2" over "1", "2", "more".

    Two columns are never printed under one and the same name; a row of values alone is none of names.
    """
    spans = [c for c in rows[row - 1] if c.column_span > 1 and c.row + c.row_span == row and c.column]
    under = {c.column: paragraph(c.lines) for c in rows[row] if c.column_span == 1}
    named = [[under.get(c.column + at, "") for at in range(c.column_span)] for c in spans]
    texts = [text for names in named for text in names]
    apart = all(all(names) and len(set(names)) == len(names) for names in named)
    single = all(len(_NUMBER.findall(text)) <= SEVERAL for text in texts)
    return apart and single and any(_WORD.search(text) and not _is_value(text) for text in texts)


def _look(cells: Sequence[GridCell], fills: Sequence[Area]) -> Look | None:
    words = [word for cell in cells for word in cell.words]
    if not words:
        return None
    bold = sum(word.bold for word in words) > 0.8 * len(words)
    italic = sum(word.italic for word in words) > 0.8 * len(words)
    colour = Counter(word.colour for word in words).most_common(1)[0][0]
    behind = [fill for fill in fills if fill.holds_middle(words[0])]
    ground = min(behind, key=lambda fill: fill.width * fill.height, default=None)
    return bold, italic, colour, ground.colour if ground else -1


def _first_is_head(
    grid: Grid, rows: Sequence[Sequence[GridCell]], look: Look | None, usual: Look | None
) -> bool:
    if look is not None and usual is not None and look != usual and (look[0] or look[1:] != usual[1:]):
        return True
    if any(c.column_span > 1 for c in rows[0]) and len(rows[0]) > 1:
        return True
    above = [_is_value(paragraph(c.lines)) for c in rows[0] if c.column]
    numbers_above = sum(above) * 2 >= max(len(above), 1)
    numbers_below = any(_DIGIT.search(paragraph(c.lines)) for row in rows[1:] for c in row if c.column)
    return grid.columns > 1 and not numbers_above and (numbers_below or grid.columns > 2)


def _is_value(text: str) -> bool:
    """Tell whether a text is a value: it begins with a number and states no condition on a symbol."""
    return bool(_VALUE.match(text)) and not _CONDITION.search(text)


def _goes_on(
    grid: Grid,
    rows: Sequence[Sequence[GridCell]],
    looks: Sequence[Look | None],
    row: int,
    usual: Look | None,
) -> bool:
    """Tell whether a row under head rows is one too."""
    texts = {c.column: paragraph(c.lines) for c in rows[row]}
    if set(texts) <= {0} and grid.columns > 1:  # the title of a group of rows
        return False
    if looks[row] == looks[0] and looks[row] != usual:
        return True
    counts = [texts[column].strip("()[] ") for column in sorted(texts)]  # 1, 2, 3 or (1), (2), (3)
    counted = len(texts) == grid.columns > 2 and counts == [str(at) for at in range(1, grid.columns + 1)]
    if counted or all(_UNIT_OR_MARK.match(text) for text in texts.values()):
        return True
    above, beside = rows[row - 1], [cell for cell in rows[row] if cell.column]
    over = [cell for cell in above if cell.column_span > 1]
    wide = len(beside) > 1 and all(cell.column_span > 1 for cell in beside)
    if over and wide and any(not _is_value(texts[cell.column]) for cell in beside):
        return True
    numbers = any(
        _DIGIT.search(_NAMED.sub("", text))
        for column, text in texts.items()
        # a symbol with its index ("cpe,10"), and no unit with its power ("mm2")
        if column and not (_INDEXED.fullmatch(text) and not unit_pattern().fullmatch(text))
    )
    spanned = any(len(above) > 1 or cell.column_span == grid.columns for cell in over)
    return (spanned or (len(above) == 1 and bool(over))) and not numbers


APART = 3.0  # points between two places at which labels begin
AROUND = 1.5  # points before the words of a label
LEVELS = 3  # places at which labels begin
FEWEST = 2  # labels that begin at the left, and further in
SET_IN_MOST = 45.0  # points that labels are set in
_NAMING = re.compile(r"[^-–—•·]")


def set_in(grid: Grid, head: int) -> dict[int, float]:
    """Return by row where each label of the first column begins that is set in."""
    first = [cell for cell in grid.cells if cell.column == 0 and cell.row >= head]
    labels = [cell for cell in first if any(map(str.isalpha, "".join(w.text for w in cell.words)))]
    begins: dict[int, float] = {}
    for cell in labels:  # with the first word of a line that is no dash
        named = [next((w.x0 for w in line.words if _NAMING.search(w.text)), None) for line in cell.lines]
        begins[cell.row] = min((x for x in named if x is not None), default=cell.words[0].x0)
    levels = runs(sorted(begins.values()), lambda run, x: x - run[-1] < APART)
    left = levels[0] if levels else []
    further = [x for level in levels[1:] for x in level]
    few = len(levels) <= LEVELS and all(level[-1] - level[0] < APART for level in levels)
    if not few or min(len(left), len(further)) < FEWEST or further[-1] - left[0] > SET_IN_MOST:
        return {}
    spans = [(min(w.x0 for w in cell.words), max(w.x1 for w in cell.words)) for cell in labels]
    middles, ends = [sum(span) / 2 for span in spans], [x1 for _, x1 in spans]
    if any(max(places) - min(places) < APART for places in (middles, ends)):  # aligned there
        return {}
    further_in = [cell for cell in labels if begins[cell.row] - left[-1] >= APART]
    return {cell.row: min(word.x0 for word in cell.words) - AROUND for cell in further_in}
