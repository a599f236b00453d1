"""Words of an area as cell text, broken words joined; uncaptioned grids read cell by cell."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from appliance.core.document import Cell, Problem, Table
from appliance.core.mechanisms import mechanism
from appliance.core.runs import runs
from appliance.ingest.layout.lines import SOFT, is_mark, is_suspended, vocabulary
from appliance.ingest.layout.lines import text_of as plain_text
from appliance.ingest.page import Line, PageLayout, Place, Word
from appliance.tables.rows import columns, flat, label_columns
from appliance.text.lookalikes import language_words
from appliance.text.numbers import unit_pattern

SPACE = 1.15  # ems: words further apart belong to two fragments
SMALL = 0.76  # of the size of the word before: a mark or an index, not a word
BASELINE = 0.45  # ems between words of one line
STRAY = 0.3  # ems: a blank before a decimal sign, that a text layer made up
HARDLY = 0.12  # ems: the same behind one, where "1, 2" may be two numbers of a list
_DECIMALS = re.compile(r"[.,]\d")
_WHOLE = re.compile(r"(?:^|[^\d.,])\d+[.,]$")  # "1,"
_RAISED = str.maketrans(
    "0123456789+-−()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
)
_POWERS = frozenset("23-")  # what is raised after a unit
_LONGEST_UNIT = 4


@dataclass(frozen=True, slots=True)
class Row:
    """Words of one baseline, left to right; measures in points."""

    words: tuple[Word, ...]

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    @property
    def y0(self) -> float:
        return min(word.y0 for word in self.words)

    @property
    def y1(self) -> float:
        return max(word.y1 for word in self.words)

    @property
    def base(self) -> float:
        """The bottom of the words that stand on the line."""
        return max((word.y1 for word in self.words if not word.rise), default=self.y1)

    @property
    def size(self) -> float:
        """Type size in points, of most of the signs of the line: a misread one may be of any."""
        sizes = sorted(word.size for word in self.words for _ in word.text)
        return sizes[len(sizes) // 2] if sizes else self.words[0].size

    @property
    def fragments(self) -> tuple[Row, ...]:
        """Return the words in runs without a wide gap."""
        close = runs(self.words, lambda run, word: word.x0 - run[-1].x1 < SPACE * max(word.size, 1.0))
        return tuple(Row(tuple(run)) for run in close)


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Return the words as lines, top to bottom; raised and lowered words join the word they follow."""
    marked: list[Word] = []
    every = list(words)
    for before, word in zip([None, *every], every, strict=False):
        # small raised and lowered words that were taken for words of a line of their own
        rise = word.rise if before is None or word.rise else _rise_behind(before, word)
        rise = 0 if rise > 0 and not word.glued and not is_mark(word.text) else rise
        marked.append(replace(word, rise=rise) if rise != word.rise else word)
    level = sorted((w for w in marked if not w.rise), key=lambda w: (w.y1, w.x0))
    rows: list[list[Word]] = []
    home: dict[int, list[Word]] = {}
    for word in level:
        close = [r for r in rows[-4:] if abs(r[0].y1 - word.y1) <= BASELINE * min(word.size, r[0].size)]
        if not close:
            rows.append([])
        nearest = min(close or rows[-1:], key=lambda r: abs(r[0].y1 - word.y1) if r else 0.0)
        nearest.append(word)
        home[id(word)] = nearest
    for before, word, after in zip([None, *marked], marked, [*marked[1:], None], strict=False):
        if not word.rise:
            continue
        row = home.get(id(before)) if before is not None and _follows(before, word) else None
        if row is None and after is not None and _follows(word, after):
            row = home.get(id(after))
        if row is None:
            row = min(rows, key=lambda r: _distance(r, word), default=None)
        if row is None or _distance(row, word) > word.size:
            row = []
            rows.append(row)
        row.append(word)
        home[id(word)] = row
    return sorted((Row(tuple(sorted(r, key=lambda w: w.x0))) for r in rows), key=lambda r: r.base)


def _follows(before: Word, after: Word) -> bool:
    """Tell whether a word stands right behind the one that was read before it."""
    near = -1 < after.x0 - before.x1 < max(before.size, after.size)
    return near and after.y0 < before.y1 + 2 and after.y1 > before.y0 - 2


def _rise_behind(big: Word, small: Word) -> int:
    """Return 1 for a raised, -1 for a lowered small word right behind a bigger one, else 0."""
    if small.size > SMALL * big.size or not -1 < small.x0 - big.x1 < 0.6 * big.size:
        return 0
    if small.y0 > big.y1 or small.y1 < big.y0 - 0.3 * big.size:
        return 0
    offset = (small.y0 + small.y1 - big.y0 - big.y1) / 2
    return 1 if offset < -0.08 * big.size else -1 if offset > 0.08 * big.size else 0


def _distance(row: list[Word], word: Word) -> float:
    """Return how far a raised or lowered word stands from a line, in points; its neighbour decides."""
    before = [w for w in row if w.x1 <= word.x0 + word.size and not w.rise]
    nearest = max(before, key=lambda w: w.x1) if before else row[0]
    gap = max(0.0, word.x0 - nearest.x1)
    return max(0.0, nearest.y0 - word.y1, word.y0 - nearest.y1) + min(gap, word.size * 2) * 0.2


def text_of(words: Sequence[Word]) -> str:
    """Return the words of one line as text."""
    text = ""
    for before, word in zip((None, *words), words, strict=False):
        piece = word.text
        glue = word.glued or not text or (before is not None and _decimals(before, word))
        if word.rise > 0 and is_mark(piece) and not _is_power(text, word):
            closing = piece[-1] == ")" and text.count("(") > text.count(")")  # "(240 *)": its bracket's
            end = len(piece) - closing
            piece, glue = raised(piece[:end]) + piece[end:], True
        text += piece if glue else " " + piece
    return text.strip()


def part_of(line: Line, words: tuple[Word, ...]) -> Line:
    """Return the line as if it held only these of its words."""
    return replace(line, words=words, text=text_of(words), x0=words[0].x0, x1=max(w.x1 for w in words))


def raised(mark: str) -> str:
    """Return a mark as raised signs."""
    return mark.translate(_RAISED)


def _decimals(before: Word, word: Word) -> bool:
    """Tell whether a word is the decimals of the number before it, parted by a blank that is hardly drawn."""
    if before.rise or word.rise:
        return False
    white, whole, part = (word.x0 - before.x1) / word.size, before.text, word.text
    behind = white < STRAY and _DECIMALS.match(part) and whole[-1:].isdigit()
    return bool(behind or (white < HARDLY and _WHOLE.search(whole) and part[:1].isdigit()))


def _is_power(before: str, word: Word) -> bool:
    """Tell whether a raised word is the power of the unit before it."""
    tail = before.rsplit(" ", 1)[-1].rsplit("/", 1)[-1].rsplit(".", 1)[-1].lstrip("0123456789,([<>≤≥±~=")
    unit = 0 < len(tail) <= _LONGEST_UNIT and tail.isalpha() and tail.islower()
    return word.glued and unit and tail.endswith("m") and set(word.text) <= _POWERS


def paragraph(rows: Iterable[Row]) -> str:
    """Return lines as one text; a line that ends with a hyphen runs on without a space."""
    text = ""
    for row in rows:
        piece = text_of(row.words)
        glue = not text or (text.endswith("-") and piece[:1].islower())
        text += piece if glue else " " + piece
    return text


_PARTED = re.compile(r"(?<![\w-])([A-Za-zÀ-ÿ]+)[-\u2010]\s?([a-zà-ÿ]+)(?![\w-])")
_SOFT = re.compile(rf"([A-Za-zÀ-ÿ]+){SOFT}\s+([a-zà-ÿ]+)")


@mechanism("tables.whole_words", without=lambda tables, _layouts: list(tables))
def with_whole_words(tables: Sequence[Table], layouts: Sequence[PageLayout]) -> list[Table]:
    """Return the tables with the parted words of their cells and notes whole."""
    words = vocabulary(layouts)
    return [
        replace(
            table,
            cells=tuple(replace(cell, text=whole(cell.text, words)) for cell in table.cells),
            notes=tuple(replace(note, text=whole(note.text, words)) for note in table.notes),
        )
        for table in tables
    ]


def whole(text: str, words: frozenset[str]) -> str:
    """Return a text with the words whole that only the ends of its lines parted."""
    if not any(sign in text for sign in ("-", "\u2010", SOFT)):
        return text

    def soft(match: re.Match[str]) -> str:
        if is_suspended(match[1], match[2], words):
            return f"{match[1]}- {match[2]}"
        printed = f"{match[1]}-{match[2]}"  # with its hyphen within a line
        return printed if printed.lower() in words else match[1] + match[2]

    def hard(match: re.Match[str]) -> str:
        tail, head = match[1].lower(), match[2]
        if f"{tail}-{head}" in words or is_suspended(match[1], head, words):
            return match[0]
        # one word of the document, or of the language where the pieces are no words
        spoken, joined = language_words(), tail + head
        known = all(piece in words or piece in spoken for piece in (tail, head))
        return match[1] + head if joined in words or (joined in spoken and not known) else match[0]

    return _PARTED.sub(hard, _SOFT.sub(soft, text).replace(SOFT, "-"))


FEW = 0.34  # of the cells of values of a column or a table may hold several; with more it is printed so
LEAST = 3  # cells with one value, from which others are told to be odd
TWO_COLUMNS = 2  # cells of a column with bare numbers that follow each other, from which it may be two

_GROUPS = re.compile(r"(?<=\d) (?=\d{3}(?!\d|[.,/:]\d))")
_SIGN = re.compile(r"(?<!\S)([+−–-]) (?=\d)")
_RANGE = re.compile(r"\d+(?:[.,]\d+)? [-–—] \d+(?:[.,]\d+)?")  # the first without a sign: no minus behind it
_RANGED = re.compile(r"(\d+(?:[.,]\d+)?) ([^\W\d_]{1,4}) (\d+(?:[.,]\d+)?)(?!\S)")  # "6 to 9"
_VALUE = re.compile(r"[+−–<>≤≥±~-]*\d+(?:[.,]\d+)?(?:[/:]\d+(?:[.,]\d+)?)?°?")  # "200/25" and "1:20" are one
_MARKED = re.compile(r"(?<![^\s<>=≤≥±−–-])\d+[.,]\d+\)(?![^\s,;.)])")  # "16,01)" for 16,0 with the mark 1)
_AND_A_PART = re.compile(r"(?<=\d) (?=(?:1/[2-9]|[1-9]/(?:4|8|16|32))(?![\d/]))")  # "1 1/2"


@mechanism("tables.cells_merged", without=lambda *_: iter(()))
def merged_cells(table: Table) -> Iterator[Cell]:
    """Yield the cells that hold several values in a column, or a table, of single ones, or bare ones."""
    first = label_columns(table)
    body = [cell for cell in table.cells if not cell.header and cell.column >= first]
    counted = {id(cell): values(cell.text) for cell in body}
    whole = _odd(body, counted)
    for column in range(1, columns(table)):
        own = [cell for cell in table.cells if not cell.header and cell.column == column]
        # with no letter, of a unit or of a word
        bare = [c for c in own if values(c.text) > 1 and not any(sign.isalpha() for sign in c.text)]
        valued = own if column >= first else []
        odd = _odd(valued, counted)
        single = sum(counted[id(cell)] == 1 for cell in valued)
        found = odd if odd or single >= LEAST else [cell for cell in valued if cell in whole]
        both = bare if len(bare) >= TWO_COLUMNS else []
        yield from (cell for cell in own if cell in found or cell in both)


def values(text: str) -> int:
    """Return how many values follow each other in a cell, 0 where it holds anything else."""
    # the second number of a range, and the whole of two numbers with a unit between them
    plain = _RANGED.sub(
        lambda two: two[0] if unit_pattern().fullmatch(two[2]) else two[3],
        _AND_A_PART.sub(".", _GROUPS.sub("", flat(text))),
    )
    count = 0
    for part in () if _RANGE.fullmatch(plain) else _SIGN.sub(r"\1", plain).split():
        if _VALUE.fullmatch(part):
            count += 1
        elif not count or not unit_pattern().fullmatch(part):
            return 0
    return count


def _odd(cells: Sequence[Cell], counted: dict[int, int]) -> list[Cell]:
    """Return the cells with several values where most others have one."""
    single = sum(counted[id(cell)] == 1 for cell in cells)
    several = [cell for cell in cells if counted[id(cell)] > 1]
    return several if single >= LEAST and len(several) <= FEW * (single + len(several)) else []


def merged_cell_problems(tables: Sequence[Table]) -> Iterator[Problem]:
    """Yield a doubt for each cell in which values, or a value and the mark of its note, have run together."""
    for table in tables:
        for cell in merged_cells(table):
            yield _doubt(
                table, cell, "holds several values in one cell: see which of them it is on the page."
            )
        for cell in table.cells:
            if _MARKED.search(cell.text) and cell.text.count(")") > cell.text.count("("):
                why = "ends in a bracket that nothing opens: its last figure may be the mark of a note; "
                yield _doubt(table, cell, why + "compare it with the page.")


def _doubt(table: Table, cell: Cell, why: str) -> Problem:
    page, text = cell.box.page, flat(cell.text).replace("”", '"').replace("“", '"')
    return Problem(f"“{text}” in {table.label} on page {page} {why}", page, cell.box, doubt=True)


NUMBERED_ROWS = 2  # rows of a table whose first cell is numbered like a clause
SEVERAL = 2  # lines of a cell whose text may be mixed with another's
COLUMN = 1000  # number of the first column of cells: none that a page is set in
LETTERS = 24  # of a cell whose lines are running text
CLAUSE_NUMBER = re.compile(r"[A-Z]{0,3}[.-]?\d+(?:\.\d+)+\.?(?:\s?\(?[A-Z]{1,2}\)?)?")


@dataclass(slots=True)
class _TiedRow:
    """Cells that lines tie together: the indexes of the lines, and the pieces of lines in each cell.

    `across` tells that a line runs over several of them.
    """

    indexes: list[int] = field(default_factory=list)
    pieces: dict[tuple[int, int], list[Line]] = field(default_factory=dict)
    across: bool = False


@mechanism("layout.cell_order", without=lambda layouts, taken, _tables: (tuple(layouts), frozenset(taken)))
def in_cells(
    layouts: Sequence[PageLayout], taken: Collection[Place], tables: Sequence[Table]
) -> tuple[tuple[PageLayout, ...], frozenset[Place]]:
    """Return the pages with such rows read cell by cell, and the lines that are taken by then."""
    loose = [table for table in tables if not table.captioned]
    pages, used = [], set(taken)
    for page in layouts:
        number = page.content.number
        here = [table for table in loose if any(box.page == number for box in table.boxes)]
        if not here:
            pages.append(page)
            continue
        old = {index for at, index in used if at == number}
        gone = set(old)
        order = {index: [line] for index, line in enumerate(page.lines)}
        for table in here:
            _read_by_cell(table, page, order, gone)
        flat = [(line, index in gone) for index in order for line in order[index]]
        pages.append(replace(page, lines=tuple(line for line, _ in flat)))
        used -= {(number, index) for index in old}
        used |= {(number, at) for at, (_, is_gone) in enumerate(flat) if is_gone}
    return tuple(pages), frozenset(used)


def _read_by_cell(table: Table, page: PageLayout, order: dict[int, list[Line]], gone: set[int]) -> None:
    """Put the lines of the rows of a table that are to be read cell by cell in their new order."""
    numbers = {
        cell.row for cell in table.cells if cell.column == 0 and CLAUSE_NUMBER.fullmatch(cell.text.strip())
    }
    heads = {(cell.row, cell.column) for cell in table.cells if cell.header}
    numbered = len(numbers) >= NUMBERED_ROWS
    for row in _rows(table, page, gone):
        opens = numbered and any(at in numbers and column == 0 for at, column in row.pieces)
        texts = [
            len(pieces) >= SEVERAL and sum(sign.isalpha() for line in pieces for sign in line.text) >= LETTERS
            for pieces in row.pieces.values()
        ]
        # heads of columns are no title of a clause; a number may be one's
        titles = any(CLAUSE_NUMBER.match(page.lines[index].text) for index in row.indexes)
        several = len(row.pieces) > 1 and not titles
        if set(row.pieces) <= heads and not opens and (numbered or several):
            gone.update(row.indexes)
            continue
        if not opens and not (row.across and sum(texts) > 1):
            continue
        cells = [(place, row.pieces[place]) for place in sorted(row.pieces)]
        found: list[Line] = []
        if opens and len(cells) > 1 and len(cells[0][1]) == 1:  # the number with the text beside it
            (number,), (_, beside) = cells[0][1], cells[1]
            words = (*number.words, *beside[0].words)
            found = [replace(beside[0], words=words, text=plain_text(words), x0=number.x0), *beside[1:]]
            cells = cells[2:]
        for (_, column), pieces in cells:
            found += [replace(line, column=COLUMN + column) for line in pieces]
        first, *others = sorted(row.indexes)
        order[first] = found
        order.update((index, []) for index in others)


def _rows(table: Table, page: PageLayout, gone: Collection[int]) -> list[_TiedRow]:
    """Return the lines of a table that are text, all words in cells, by the rows that they tie together."""
    cells = [cell for cell in table.cells if cell.box.page == page.content.number]
    wide, high = page.content.width, page.content.height
    rows: list[_TiedRow] = []
    last = -1
    for index, line in enumerate(page.lines):
        if index in gone or not line.upright:
            continue
        homes: dict[tuple[int, int] | None, list[Word]] = defaultdict(list)
        for word in line.words:
            x, y = (word.x0 + word.x1) / 2 / wide, (word.y0 + word.y1) / 2 / high
            home = (c for c in cells if c.box.x0 <= x <= c.box.x1 and c.box.y0 <= y <= c.box.y1)
            homes[next(((c.row, c.column) for c in home), None)].append(word)
        parts = {place: part_of(line, tuple(words)) for place, words in homes.items() if place is not None}
        if not parts or None in homes:
            continue
        top = min(row for row, _ in parts)
        if not rows or top > last:
            rows.append(_TiedRow())
            last = top
        spans = (cell.row + cell.row_span - 1 for cell in cells if (cell.row, cell.column) in parts)
        last = max(last, *spans)
        rows[-1].indexes.append(index)
        rows[-1].across |= len(parts) > 1
        for place, part in parts.items():
            rows[-1].pieces.setdefault(place, []).append(part)
    return rows
