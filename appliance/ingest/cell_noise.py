"""Values in cells of scanned tables that are no clean numbers: named with their box, never mended.

Rules of this module: pure; nothing that is printed is changed. Only pages that were read by character
recognition are looked at, and only columns, or tables, of values: where most cells are numbers, a cell
must be made of whole numbers, words, units, labels and marks of notes. A figure without its beginning
(",0"), a range without its end ("2,0 to"), a stray sign ("]3,7") or letters grown to figures ("3,Oto~")
make it doubtful; so does a whole number where all others of its column have decimals ("7" for "7,8"),
and so does a number with a fraction run into it ("11/2" for 1½), in a column of words as well.
Too many doubts are better here than one wrong number that is shown as sure. A cell in which values have
run together (`cells_merged`), or a letter stands behind its value, is told on every page, scanned or not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from appliance.document import Box, Cell, Document, Problem, Table
from appliance.ingest.cells_cut import cut_labels
from appliance.ingest.cells_merged import merged_cells
from appliance.ingest.grammar.words import load_joins
from appliance.ingest.table_marks import glued_cells
from appliance.ingest.table_marks import units as single_units
from appliance.lookalikes import units, value_digits
from appliance.tabular import columns, flat, label_columns, unit_pattern

NAMED = 20  # doubtful cells of one page that are named one by one
MOSTLY = 0.5  # share of the filled cells that make a column, or a table, one of values
WORDY = 3  # words in a cell, from which its numbers are said in a sentence
COLUMN = 5  # numbers of a column, from which their decimals are compared

_NUMBER = r"(?:\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
_BARE = re.compile(_NUMBER)
_OPEN, _CLOSE = r"[(<>=≤≥⩽⩾±+−–-]*", r"[),;:%°'′″]*"
_BETWEEN = re.compile(r"[-–—−]|[x×·+=<>≤≥⩽⩾/:&]")
_MARK = re.compile(r"(?:(?:\d|[a-z]|\*)\))+|\*+")  # marks of notes: "1)2)", "a)", "*"
_WORD = re.compile(r"[(“‘\"']*[^\W\d_]+(?:[-–/'’.][^\W\d_]+)*[.,;:)”’\"']*")
_LABEL = re.compile(r"\(?[^\W\d_]{1,4}[.-]?\d+(?:[./:-]\d+)*(?:[a-z]|\))?[,;.]?")  # "C16", "A.1", "GL28h"
_PARTED = re.compile(r"\d+(?:(?:[/:-]\d+)+|(?:\.\d+){2,})[,;.)]?")  # "771-1", "1:20", "3/4"
_STRANGE = re.compile(r"[{}~|^§]|(?<![^\W_])[A-Z][.,][A-Z](?![^\W_.])|(?<!\S)[,\]}]\d")
_MIXED = re.compile(r"(?<![\w/.,-])\d{1,3}(?:1/[2348]|3/[48])(?![\d/])")  # "11/2", what 1½ is read as
_ENDS = frozenset({"x", "×", "-", "–", "—", "="})  # and the words that join numbers


def doubtful_cells(document: Document, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a problem with its box for each cell of a scanned table of values that is no clean value.

    A cell in which one of the `known` doubts lies is not told again.
    """
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    told = [problem.box for problem in known if problem.doubt and problem.box]
    found: dict[int, list[tuple[Table, str, Box]]] = defaultdict(list)
    for table in document.tables:
        cells = [(_without_marks(flat(cell.text)), cell.box) for cell in broken_cells(table)]
        notes = [(part, note.box) for note in table.notes for part in _broken_in_note(note.text)]
        for text, place in (*cells, *notes):
            if place.page in scanned and not any(_inside(box, place) for box in told):
                found[place.page].append((table, text, place))
    said = {problem.message for problem in known}
    yield from (problem for problem in _on_any_page(document) if problem.message not in said)
    for page, places in sorted(found.items()):
        for table, text, place in places[:NAMED]:
            message = f"{_quoted(text)} in {table.label} on page {page} was read with doubt: "
            yield Problem(message + "compare it with the image.", page, place, doubt=True)
        if len(places) > NAMED:
            message = f"{len(places) - NAMED} more values in tables of page {page} were read with doubt."
            yield Problem(message, page, doubt=True)


def _on_any_page(document: Document) -> Iterator[Problem]:
    """Yield a problem for cells with several values, a label cut over rows, a letter behind a value."""
    for table in document.tables:
        for cell in merged_cells(table):
            place, text = cell.box, _quoted(flat(cell.text))
            message = f"{text} in {table.label} on page {place.page} holds several values in one cell: "
            message += "see which of them it is on the page."
            yield Problem(message, place.page, place, doubt=True)
        for lines in cut_labels(table):
            text = _quoted(" / ".join(flat(line.text) for line in lines))
            for place in (line.box for line in lines):
                message = f"{text} in {table.label} on page {place.page} may be one label over several rows: "
                message += "see on the page which rows it names."
                yield Problem(message, place.page, place, doubt=True)
        for at in _lettered(table):
            place, text = table.cells[at].box, _quoted(flat(table.cells[at].text))
            message = f"{text} in {table.label} on page {place.page} ends with a letter: "
            message += "see on the page whether it is the mark of a note."
            yield Problem(message, place.page, place, doubt=True)


def _lettered(table: Table) -> list[int]:
    """Return the cells of values, by their place, with a letter right behind that is no unit.

    It is none either where the head of the column names the unit: "60m" under "Load (psf)".
    """
    named = {cell.column for cell in table.cells if cell.header and cell.text.rstrip().endswith((")", "]"))}
    found = glued_cells(table.cells).items()
    return [at for at, (_, one) in found if one not in single_units() or table.cells[at].column in named]


def _quoted(text: str) -> str:
    named = text.replace("”", '"').replace("“", '"')
    return f"“{named}”"


def broken_cells(table: Table) -> Iterator[Cell]:
    """Yield the cells of a table's columns of values that hold no clean value."""
    first = label_columns(table)
    filled = [cell for cell in table.cells if not cell.header and cell.text.strip()]
    whole = _of_values([cell for cell in filled if cell.column >= first])
    for column in range(columns(table)):
        cells = [cell for cell in filled if cell.column == column]
        if not ((whole and column >= first) or _of_values(cells)):
            yield from (cell for cell in cells if _MIXED.search(cell.text))
            continue
        short = _short(cells)
        yield from (cell for cell in cells if cell in short or not clean(cell.text))


def _broken_in_note(text: str) -> list[str]:
    """Return the parts of a note that hold a sign which stands in no value: "range}J1", "~", "L.Q"."""
    return [part for part in flat(text).split() if _STRANGE.search(part)]


def clean(text: str) -> bool:
    """Tell whether a cell is made of whole numbers, words, units, labels and marks of notes only."""
    parts = _parts(text)
    if not parts:
        return True
    if _MIXED.search(flat(text)):
        return False
    if re.fullmatch(r"[-–—−]+", "".join(parts)):
        return True  # a dash for no value
    ends = _ENDS | load_joins()
    if parts[-1].casefold() in ends or parts[0].casefold() in ends - {"-", "–", "="}:
        return False
    return all(_fits(before, part) for before, part in pairwise(["", *parts]))


def _parts(text: str) -> list[str]:
    """Return what stands between blanks, without raised marks; numbers about a "x" or "=" stand apart."""
    plain = _without_marks(flat(text))
    plain = re.sub(r"(?<=\d)([x×·–=<>≤≥])(?=\d)", r" \1 ", plain)
    plain = re.sub(r"(?<=[^\W\d_])([=<>≤≥])(?=[\d-])", r" \1 ", plain)
    return re.sub(r"(?<=\d) (?=\d{3}(?!\d|[.,]\d))", "", plain).split()


def _without_marks(text: str) -> str:
    """Return the text without raised figures and letters behind a figure, and what hangs on them."""
    kept = "".join(
        "\0" if unicodedata.decomposition(sign).startswith("<super>") and sign not in "°º" else sign
        for sign in text
    )
    bare = re.sub(r"\0+(?:[),]\0*|\d\))*", " ", kept)
    return text if not kept.strip("\0 ") else " ".join(bare.split())


def _fits(before: str, part: str) -> bool:
    """Tell whether a part is a whole number, word, unit, label or mark, behind the one before it."""
    bare = part.strip("(),;.")
    unit = unit_pattern().pattern
    if _MARK.fullmatch(part) or bare in {*units(), *units().values()} or re.fullmatch(unit, bare):
        return True
    if re.fullmatch(rf"{_OPEN}{_NUMBER}(?:{unit})?{_CLOSE}", part):
        return not re.search(r"\d\)$", part) or "(" in part or "(" in before  # no mark grown to the number
    if part in {"°", "%", "°C"}:
        return before[-1:].isdigit()
    if re.fullmatch(r"[<>=≤≥±]+|\+", part) or _BETWEEN.fullmatch(part) or _PARTED.fullmatch(part):
        return True
    if _LABEL.fullmatch(part):
        return part[0] not in value_digits() or part[1:2].isalpha()
    named = len(bare) == 1 and before[-1:].isalpha() and len(before) > 1  # "Annex B"
    return bool(_WORD.fullmatch(part)) and (named or _is_word(part))


def _is_word(part: str) -> bool:
    """Tell letters that are a word or a symbol from figures that are read as letters ("O", "toW")."""
    letters = part.strip("().,;:“”‘’\"'")
    if len(letters) == 1:
        return letters not in value_digits()
    grown = re.search(r"[^\W\d_A-Z]{2}[A-Z]", letters)
    lost = all(sign in value_digits() for sign in letters) or re.search(r"(?:^|[.,])[A-Z][.,][A-Z]$", letters)
    return not grown and not lost


def _of_values(cells: Sequence[Cell]) -> bool:
    """Tell whether most of the cells are values: they hold a figure and no sentence."""
    values = [
        cell
        for cell in cells
        if any(sign.isdigit() for sign in cell.text) and len(re.findall(r"[^\W\d_]{3,}", cell.text)) < WORDY
    ]
    return bool(cells) and len(values) >= MOSTLY * len(cells)


def _short(cells: Sequence[Cell]) -> list[Cell]:
    """Return the numbers without decimals of a column in which all but a few have as many."""
    numbers = [(cell, bare) for cell in cells if _BARE.fullmatch(bare := _without_marks(flat(cell.text)))]
    whole = [cell for cell, bare in numbers if bare.isdigit()]
    few = len(numbers) >= COLUMN and len(whole) * COLUMN <= len(numbers)
    return whole if few else []


def _inside(small: Box, large: Box) -> bool:
    """Tell whether the middle of a box lies in another."""
    x, y = (small.x0 + small.x1) / 2, (small.y0 + small.y1) / 2
    return small.page == large.page and large.x0 <= x <= large.x1 and large.y0 <= y <= large.y1
