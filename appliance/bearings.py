"""What names a cell of a table: the words of its row and of its column, and how directly they name it.

Rules of this module: pure; it weighs and decides nothing else. A cell never names itself: "> 14 kW" in a
middle column names the cells beside it. Words that name every cell of the table alike (its title, the
headers of other columns) are the weakest, so that they explain a word of a question and pick no cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from appliance.document import Cell, Table
from appliance.tabular import Row, column_headers, columns, flat, header_rows, label_columns, rows, with_unit

Source = tuple[str, float]
"""Words and how directly they name, 0 to 1."""

BESIDE = 0.85  # words of another cell of the row, or of a heading in the body of the table
REACHING = 0.95  # a header to the left whose cell is drawn too narrow
INHERITED = 0.7  # words of the label above that a blank label, or one that goes on, belongs to
COMMON = 0.45  # headers of other columns
TITLE = 0.3
LEAD = 5  # words before the colon of a label that leads those below
STUB = 0.92  # a label as an answer, beside the values of its row


@dataclass(frozen=True, slots=True)
class Bearing:
    """A cell with what names its row and its column; `share` lowers labels, which are rarely asked for."""

    cell: Cell
    row: Row
    column: int
    by_row: tuple[Source, ...]
    by_column: tuple[Source, ...]
    share: float = 1.0


def bearings(table: Table) -> Iterator[Bearing]:
    """Yield the filled body cells, once for each row and column that they stand in."""
    body = list(rows(table))
    width, labels = columns(table), label_columns(table)
    headers = {column: column_headers(table, column) for column in range(width)}
    reach = {column: _reaching(table, column) for column in range(width)}
    opening = _opening_group(table, body)
    over: dict[int, list[str]] = {}  # headings in the body, by column
    above: dict[int, str] = {}  # the label last printed in each label column
    for row in body:
        filled = [cell for cell in row.cells if cell.text.strip()]
        if _is_subhead(filled, labels, width):
            over = {c: [flat(cell.text)] for cell in filled for c in _columns_of(cell)}
            continue
        named = _row_sources(row, filled, labels, opening, headers)
        inherited = _inherited(row, filled, above)
        for cell in filled:
            for column in _columns_of(cell):
                others = [(flat(o.text), BESIDE) for o in filled if o is not cell and o.column >= labels]
                own = {flat(cell.text), _measured(flat(cell.text), headers[cell.column])}
                by_row = [s for s in (*named, *inherited, *others) if s[0] not in own or column == 0]
                common = [(text, COMMON) for c in range(width) if c != column for text in headers[c]]
                yield Bearing(
                    cell,
                    row,
                    column,
                    (*by_row, *common, (table.title, TITLE)),
                    (
                        *_column_sources(headers[column], over.get(column, ()), reach[column]),
                        (table.title, TITLE),
                    ),
                    STUB if column == 0 and width > 1 else 1.0,
                )
        _remember(row, filled, labels, above)


def _columns_of(cell: Cell) -> range:
    return range(cell.column, cell.column + cell.column_span)


def _column_sources(headers: Sequence[str], over: Sequence[str], reach: Sequence[str]) -> Iterator[Source]:
    yield " ".join(headers), 1.0
    for text in over:
        yield text, BESIDE
    for text in reach:
        yield text, REACHING


def _reaching(table: Table, column: int) -> list[str]:
    """Return the headers to the left that hold for a column whose own header cell is empty beside them."""
    found = []
    for row in range(header_rows(table)):
        there = {c: cell for cell in table.cells if cell.row == row for c in _columns_of(cell)}
        at = column
        while at > 0 and (at not in there or not there[at].text.strip()):
            if any(
                c.header and c.row < row < c.row + c.row_span and at in _columns_of(c) for c in table.cells
            ):
                break
            at -= 1
        if at != column and at in there and there[at].text.strip():
            found.append(flat(there[at].text))
    return found


def _opening_group(table: Table, body: Sequence[Row]) -> str:
    """Return the title of the rows before the first heading in the body, printed as a row of the head."""
    if not any(row.heading for row in body):
        return ""
    first = [c for c in table.cells if c.row == 0 and c.header and c.text.strip()]
    return flat(first[0].text) if header_rows(table) > 1 and len(first) == 1 else ""


def _is_subhead(filled: Sequence[Cell], labels: int, width: int) -> bool:
    """Tell whether a body row only heads the columns under it: no label, no number, several cells."""
    if len(filled) < 2 or width <= labels or any(cell.column < labels for cell in filled):
        return False
    return not any(character.isdigit() for cell in filled for character in cell.text)


def _row_sources(
    row: Row, filled: Sequence[Cell], labels: int, opening: str, headers: Mapping[int, Sequence[str]]
) -> list[Source]:
    """Return what names a row; a bare number has the unit of its head: "5" under "Span (m)" is 5 m."""
    label = [
        (_measured(flat(cell.text), headers[cell.column]), 1.0) for cell in filled if cell.column < labels
    ]
    group = row.group or opening
    return [*label, *([(group, 0.95)] if group else [])]


def _measured(text: str, heads: Sequence[str]) -> str:
    return with_unit(heads[-1], text).removeprefix(heads[-1]).strip() if heads else text


def _inherited(row: Row, filled: Sequence[Cell], above: dict[int, str]) -> list[Source]:
    """Return the words of the labels above that this row belongs to.

    A blank first label, or one that goes on in small letters, belongs to the one above; a label with a
    colon ("New flue:") leads those under it in its column.
    """
    first = next((cell for cell in filled if cell.column == 0), None)
    goes_on = first is None or (first.row == row.number and first.text[:1].islower())
    found = [(above[0], INHERITED)] if goes_on and 0 in above else []
    return found + [(lead, INHERITED) for text in above.values() if (lead := _lead(text))]


def _remember(row: Row, filled: Sequence[Cell], labels: int, above: dict[int, str]) -> None:
    """Keep the labels of a row for the rows below; those under a lead stay behind it."""
    for cell in filled:
        if cell.column >= labels or cell.row != row.number:
            continue
        text = flat(cell.text)
        if cell.column == 0:
            above.clear()
        if cell.column and not _lead(text) and _lead(above.get(cell.column, "")):
            continue
        above[cell.column] = text


def _lead(text: str) -> str:
    """Return the words before the colon of a label that leads others ("New flue:"), "" for none."""
    lead, colon, _ = text.partition(":")
    return lead if colon and len(lead.split()) <= LEAD else ""
