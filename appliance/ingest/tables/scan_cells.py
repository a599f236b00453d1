"""Cells of scanned tables that differ from their neighbours, and symbols that recognition garbled."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from appliance.core.document import Box, Cell, Document, Problem, Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.ocr.sign_doubts import is_misread
from appliance.tables.rows import columns, flat, label_columns
from appliance.text.folding import (
    annex_letters,
    formula_figures,
    language_words,
    units,
    value_digits,
    words_language,
)

SIGNED = 3  # numbers of a table with a "+", from which each has a sign
FULL = 5  # values of a column, from which an empty cell among them was lost
ALIKE = 2  # cells beside one that tell what it should be like
NAMED = 30  # cells of one table that are named one by one; then all of it is in doubt

_SIGNED = re.compile(r"([+−–-])\s?\d+(?:[.,]\d+)?°?")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?°?")
_DEGREES = re.compile(r"[+−–-]?\d+°")
_ENDS_IN_NOUGHT = re.compile(r"[+−–_-]?\s?\d+0|00")
_CARRIES = re.compile(r".*[^\W\d_]{4,} ?([⁰¹²³⁴-⁹ᵃ-ᶻ])")
_VALUE = re.compile(r"[<>≤≥+−–-]*\s?\d+(?:[.,]\d+)?(?: to \d+(?:[.,]\d+)?)?")


@mechanism(
    "tables.unlike_cells", "A cell unlike the others of its column is doubtful.", without=lambda *_: iter(())
)
def unlike_cells(document: Document, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each such cell of the scanned tables that no `known` doubt lies in."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    told = [problem.box for problem in known if problem.doubt and problem.box]
    for table in document.tables:
        found = {cell.box: cell for cell in _unlike(table) if cell.box.page in scanned}
        new = [cell for box, cell in found.items() if not any(_inside(one, box) for one in told)]
        for cell in new[:NAMED]:
            yield _doubt(table, cell)
        for box in table.boxes if len(new) > NAMED else ():
            message = f"Many cells of {table.label} on page {box.page} are unlike those beside them: "
            yield Problem(message + "compare all of it with the image.", box.page, box, doubt=True)


def _doubt(table: Table, cell: Cell) -> Problem:
    text = flat(cell.text).replace("”", '"').replace("“", '"')
    said = f"“{text}”" if text else "An empty cell"
    message = f"{said} in {table.label} on page {cell.box.page} is unlike the cells beside it: "
    return Problem(message + "compare it with the image.", cell.box.page, cell.box, doubt=True)


def _unlike(table: Table) -> Iterator[Cell]:
    """Yield the cells of a table that are unlike those of their column, row of heads, or the whole."""
    body = [cell for cell in table.cells if not cell.header]
    yield from _raised(table.cells)
    yield from _stray_marks(table)
    yield from _without_sign(body)
    first = label_columns(table)
    by_column, by_row = defaultdict[int, list[Cell]](list), defaultdict[int, list[Cell]](list)
    for cell in table.cells:
        by_row[cell.row].append(cell)
    for cell in body:
        by_column[cell.column].append(cell)
    for column in range(columns(table)):
        yield from _without_degree(by_column[column])
        if column >= first:
            yield from _emptied([cell for cell in by_column[column] if not _is_heading(by_row[cell.row])])
    for cells in by_row.values():
        yield from _no_letter(cells)


def _raised(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the cells that hold raised figures only: a value, not the mark of a note."""
    for cell in cells:
        signs = [sign for sign in cell.text if not sign.isspace()]
        raised = [sign for sign in signs if unicodedata.decomposition(sign).startswith("<super>")]
        if len(raised) > 1 and len(raised) >= len(signs) - 1 and any(sign in ",." for sign in signs):
            yield cell


def _stray_marks(table: Table) -> Iterator[Cell]:
    """Yield the cells that carry a raised sign behind a word which is the mark of none of the notes."""
    marks = {note.mark for note in table.notes if note.mark}
    for cell in table.cells if marks else ():
        found = _CARRIES.fullmatch(flat(cell.text))
        if found and unicodedata.normalize("NFKC", found[1]) not in marks:
            yield cell


def _without_sign(body: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the numbers without a sign in columns where others have one, of a table with both signs."""
    signs = [(cell, _SIGNED.fullmatch(flat(cell.text))) for cell in body]
    if sum(found is not None and found[1] == "+" for _, found in signs) < SIGNED:
        return
    signed = defaultdict[int, set[str]](set)
    for cell, found in signs:
        if found is not None:
            signed[cell.column].add(found[1])
    for cell, found in signs:
        text = flat(cell.text)
        if found is None and _PLAIN.fullmatch(text) and "+" in signed[cell.column] and text.strip("0,.°"):
            yield cell


def _without_degree(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the numbers that end in a nought where angles with a degree stand in the same column."""
    if sum(bool(_DEGREES.fullmatch(flat(cell.text))) for cell in cells) >= ALIKE:
        yield from (cell for cell in cells if _ENDS_IN_NOUGHT.fullmatch(flat(cell.text)))


def _emptied(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the only empty cell of a column of values."""
    empty = [cell for cell in cells if not cell.text.strip()]
    values = [cell for cell in cells if _VALUE.fullmatch(flat(cell.text))]
    if len(empty) == 1 and len(values) >= FULL and len(values) + 1 >= 0.9 * len(cells):
        yield from (cell for cell in empty if cell.row_span == cell.column_span == 1)


def _is_heading(cells: Sequence[Cell]) -> bool:
    """Tell whether a row holds its label only: it is a heading for those below."""
    return sum(bool(cell.text.strip()) for cell in cells) <= 1


def _no_letter(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the figures in a row of single capitals: the "1" that is the zone I."""
    names = [(cell, flat(cell.text)) for cell in cells if cell.text.strip()]
    letters = [text for _, text in names if len(text) == 1 and text.isupper()]
    if len(letters) >= ALIKE and len(letters) + 1 >= len(names) - ALIKE:
        figures = frozenset(value_digits().values())
        yield from (cell for cell, text in names if len(text) == 1 and text in figures)


def _inside(small: Box, large: Box) -> bool:
    """Tell whether the middle of a box lies in another."""
    x, y = (small.x0 + small.x1) / 2, (small.y0 + small.y1) / 2
    return small.page == large.page and large.x0 <= x <= large.x1 and large.y0 <= y <= large.y1


CELL_SYMBOLS_NAMED = 24  # cells of one table that are named one by one; then all of the table is in doubt
SOME = 2  # symbols of a column or a row that tell what the others are like
SHORT = 3  # letters from which a part of a cell is a word

_NOISE = re.compile(
    r"[,!'.;:|/\\]+[^\W_].*"  # ",/111", "!1.", ".R.", ":0;0.2"
    r"|\d['’]\d.*|.*\d\)/\d.*|\(\)|\[0\]|8[A-Z]|\d=\d.*"  # "1'2", "1)/1", "()" for θ, "8L"
    r"|[A-Za-z]\.\d[a-z]+|[!,]?[JIl1]\.|[a-z]-[a-z][A-Za-z]?\d?"  # "J.1i", "f-iJ"
    r"|J[il]{1,2}\d?|[a-z]\d{3,}|[A-Z][a-z]{3,}\d|[a-z]I[a-z]+"  # "Jil", "f112", "Annex8", "mIst"
    r"|.*\d[.,]°.*|.*[:;]{2}.*|\d+O|.*\d[·×]0"  # "1,°", "720:::;", "250O", "13,7·0" for the product with O
)
_BARE = re.compile(r"[(\[]+|[)\],.;:]+$")
_O = re.compile(r"O[a-z]{1,3}")
_LABEL = re.compile(r"[A-Z]\.\d+(?:[.(]\d+\)?)*")  # "A.1"
_GLUED = re.compile(r"\d[a-z]{2}")  # "7in" for Tin, where no value stands
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBERED = re.compile(r"([^\W\d_])(\d{1,2})")
_CELL_SYMBOLS_VALUE = re.compile(r"[<>≤≥=±+−-]?\d+(?:[.,]\d+)*[%°]?")


def doubtful_symbols(document: Document, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each cell and note of a scanned table with such a symbol, not for a `known` one."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    spoken = document.language == words_language()
    told = [problem.box for problem in known if problem.doubt and problem.box]
    for table in document.tables:
        if any(box.page in scanned for box in table.boxes):
            yield from _of_table(table, scanned, told, spoken=spoken)


def _of_table(table: Table, scanned: set[int], told: Sequence[Box], *, spoken: bool) -> Iterator[Problem]:
    places = [
        *_cells(table, spoken=spoken),
        *((part, note.box) for note in table.notes for part in _strangers(note.text)),
    ]
    first = {box: part for part, box in reversed(places)}
    new = [(part, box) for box, part in first.items() if not any(_inside(one, box) for one in told)]
    for part, box in (one for one in new[:CELL_SYMBOLS_NAMED] if one[1].page in scanned):
        named = part.replace("”", '"').replace("“", '"')
        message = f"“{named}” in {table.label} on page {box.page} may be another symbol: "
        yield Problem(message + "compare it with the image.", box.page, box, doubt=True)
    for box in table.boxes if len(new) > CELL_SYMBOLS_NAMED else ():
        message = f"Symbols of {table.label} on page {box.page} were read with doubt: "
        yield Problem(message + "compare all of it with the image.", box.page, box, doubt=True)


def _cells(table: Table, *, spoken: bool) -> Iterator[tuple[str, Box]]:
    """Yield the doubtful parts of cells with the boxes of these."""
    filled = [cell for cell in table.cells if cell.text.strip()]
    for cell in filled:
        if part := next((part for part in _parts(cell) if _is_noise(part, cell, spoken=spoken)), ""):
            yield part, cell.box
    rows, columns = defaultdict[int, list[Cell]](list), defaultdict[int, list[Cell]](list)
    for cell in filled:
        rows[cell.row].append(cell)
        columns[cell.column].append(cell)
    for cells in (*(rows[at] for at in rows), *(columns[at] for at in columns)):
        yield from _cell_symbols_unlike(cells)
    heads = ([cell for cell in cells if cell.header] for cells in rows.values())
    bodies = ([cell for cell in cells if not cell.header] for cells in columns.values())
    for cells in (*heads, *bodies):
        symbols = [cell for cell in cells if _is_symbol(cell)]
        noise = sum(any(_is_noise(part, cell, spoken=spoken) for part in _parts(cell)) for cell in symbols)
        if noise and (noise >= SOME or cells[0].header):
            yield from ((flat(cell.text), cell.box) for cell in symbols)


def _parts(cell: Cell) -> list[str]:
    parts = flat(cell.text).split()
    return [part if _NOISE.fullmatch(part) else _BARE.sub("", part) or part for part in parts]


def _is_noise(part: str, cell: Cell, *, spoken: bool) -> bool:
    """Tell whether a part of a cell is what a symbol is misread as."""
    if _LABEL.fullmatch(part):
        return False
    if _NOISE.fullmatch(part) or (spoken and _O.fullmatch(part) and part.casefold() not in language_words()):
        return True
    if cell.header and _GLUED.fullmatch(part):
        return part[1:] not in _ORDINALS and part[1:] not in {"mm", "cm", "km"}
    return part not in units() and is_misread(part)


def _is_symbol(cell: Cell) -> bool:
    """Tell whether a cell holds no word and no value."""
    parts = _parts(cell)
    return (
        bool(parts)
        and not any(_WORD.fullmatch(part) and part.casefold() in language_words() for part in parts)
        and not all(_CELL_SYMBOLS_VALUE.fullmatch(part) for part in parts)
        and any(sign.isalpha() for part in parts for sign in part)
        and len(parts) <= SHORT
    )


def _cell_symbols_unlike(cells: Sequence[Cell]) -> Iterator[tuple[str, Box]]:
    """Yield the cells of a row or column whose last part is no name where those of the others are."""
    named = defaultdict[str, list[tuple[str, Cell]]](list)
    for cell in cells:
        before, _, last = flat(cell.text).rpartition(" ")
        named[before].append((_BARE.sub("", last), cell))
    for before, group in named.items():
        strange = set(_odd_names((last for last, _ in group), alone=not before))
        yield from ((flat(cell.text), cell.box) for last, cell in group if last in strange)


def _strangers(text: str) -> list[str]:
    """Return the parts of a note that are no such symbols among others that are."""
    return list(dict.fromkeys(_odd_names(_BARE.sub("", part) for part in flat(text).split())))


def _odd_names(names: Iterable[str], *, alone: bool = True) -> Iterator[str]:
    """Yield the names that are misread for one in a series of a letter and a figure: T6, T7, Tg.

    Where a word stands before them, a number that begins like a letter of the series, too: "Case 83".
    """
    names = list(names)
    series = [found for name in names if (found := _NUMBERED.fullmatch(name))]
    for letter in {found[1] for found in series}:
        own = {found[2] for found in series if found[1] == letter}
        if len(own) < SOME:
            continue
        for name in names:
            index = name[1:]
            figure = index.translate(formula_figures())
            look = figure != index and figure.isdigit() and figure not in own
            long = index.isdigit() and all(len(index) > len(other) for other in own - {index})
            number = name.isdigit() and annex_letters(numbered=True).get(name[:1]) == letter
            if (name[:1] == letter and (look or long)) or (number and index and not alone):
                yield name
