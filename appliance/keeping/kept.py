"""An answer as it is saved and exported: with the names, editions and printed pages that it had that day."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from appliance import __version__
from appliance.answer.candidates import PIECES
from appliance.core.document import Box, Cell, Table
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Citation, Conflict, Grounded, Headline, MarkedTable, NotFound, Statement
from appliance.keeping.answer_card import run_on, with_gaps
from appliance.library import Library
from appliance.site.saved import (
    Kept,
    KeptCitation,
    KeptConflict,
    KeptHeadline,
    KeptRow,
    KeptStatement,
    KeptTable,
)
from appliance.tables.excerpt import excerpt
from appliance.tables.rows import column_headers, columns, flat, heads_apart, positions
from appliance.tables.rows import rows as body

_UNIT_ENDS = frozenset("mM")  # "kN/m²", "mm³": what is raised behind them is a power
IN_SIGHT = 150  # characters of what a value is of that a phone shows; a condition among them stands there


def kept(answer: Grounded | NotFound, library: Library, asked: Iterable[tuple[str, str]] = ()) -> Kept:
    """Return an answer as it is kept; `asked` are the filters that it was asked with."""
    query = answer.evidence.query
    resolved = query.text if query.typed and query.text != query.typed else ""
    now = library.overview()
    whole = Kept(
        question=answer.question,
        outcome="not_found",
        statements=(),
        citations=(),
        library=now.version,
        resolved=resolved,
        searched=answer.searched,
        asked=tuple(asked),
        program=__version__,
    )
    if isinstance(answer, NotFound):
        return replace(whole, reasons=answer.reasons)
    quotes = {item.n: item.quote for item in answer.citations}
    silent = "; ".join(part.asked for part in answer.parts if not part.statements)
    names = {info.id: (info.designation or info.id, info.edition) for info in now.documents}
    marked = [(item, table) for item in answer.tables if item.marked and (table := _read(item, library))]
    head = answer.headline  # shown large where a claim is vouched for and it was read without a doubt
    return replace(
        whole,
        outcome="answer",
        statements=tuple(_statement(said, quotes, answer, marked) for said in answer.statements),
        citations=tuple(_citation(item, names, library) for item in answer.citations),
        gap=answer.gap or (f"Not answered: {silent}" if silent else ""),
        confidence=answer.confidence.level,
        reasons=answer.confidence.reasons,
        mode=answer.mode,
        tables=tuple(_table(item, table, answer, names) for item, table in marked),
        conflicts=tuple(_conflict(item) for item in answer.conflicts),
        read_with=_read_with(answer, names, library),
        state=answer.state,
        headline=_large(head) if head and answer.state == "found" and head.trust == "text" else None,
        cases=tuple(_large(case) for case in answer.cases),
        also=tuple(_statement(said, quotes, answer, marked) for said in answer.also),
    )


def _large(head: Headline) -> KeptHeadline:
    conditions = tuple(one for one in head.conditions if one not in head.what[:IN_SIGHT])
    box = _rounded(head.box) if head.box else None
    return KeptHeadline(head.value, head.unit, head.what, conditions, head.citation, box)


def _statement(
    said: Statement, quotes: Mapping[int, str], answer: Grounded, marked: Sequence[tuple[MarkedTable, Table]]
) -> KeptStatement:
    made = KeptStatement(said.text, said.citations, said.confirmed, said.why)
    cited = [item for item in answer.citations if item.n in said.citations]
    for item, table in marked:
        theirs = (one for one in cited if (one.document, one.label) == (item.document, item.label))
        boxes = {box for one in theirs for box in one.boxes}
        cells = {(cell.row, cell.column): cell.box for cell in table.cells}
        own = [position for position in item.marked if cells.get(position) in boxes]
        columns, rows = deciding(table, own)
        if rows:
            pieces = flat(said.text).split(PIECES)
            told = {
                word
                for text in (*columns, *(cell for row in rows for cell in row.cells))
                for word in text.split()
            }
            quoted = [flat(quotes[n]) for n in said.citations if n in quotes]
            left = [  # what says no row of the table, whole or cut
                one
                for one in pieces
                if not one.startswith(f"{item.label.named}: ")
                and not told.issuperset(one.replace(":", " ").strip("… ").split())
            ]
            beside = run_on(dict.fromkeys(with_gaps(one, quoted) for one in left))
            return replace(made, columns=columns, rows=rows, beside=beside)
    return made


def _read(item: MarkedTable, library: Library) -> Table | None:
    """Return a table with deciding cells; None where the library cannot give it: it is still quoted."""
    try:
        return library.table(item.document, item.label.key)
    except ApplianceError:
        return None


def _table(item: MarkedTable, table: Table, answer: Grounded, names: dict[str, tuple[str, str]]) -> KeptTable:
    columns, rows, left = lines(table, item.marked)
    theirs = tuple(
        one.n for one in answer.citations if (one.document, one.label) == (item.document, item.label)
    )
    name = names.get(item.document, (item.document, ""))[0]
    at = positions(table)
    cells = dict.fromkeys(at[position] for position in sorted(set(item.marked)) if position in at)
    known = {note.mark for note in table.notes if note.mark}
    texts = (*columns, *(text for row in rows for text in row.cells))
    marks = {mark for text in texts for mark in marks_in(text, known)}
    notes = tuple((note.mark, flat(note.text)) for note in table.notes if note.mark in marks)
    focus = tuple(_rounded(cell.box) for cell in cells)
    return KeptTable(name, item.label.named, table.title, columns, rows, theirs, left, focus, notes)


def marks_in(text: str, known: Collection[str]) -> Iterator[str]:
    """Yield the known marks of notes that a cell bears: "18²" with a note 2 is 18 and its mark.

    The raised sign of a unit ("m²") is none. A sign that is no letter or figure may stand low ("1:80*").
    """

    def raised(sign: str) -> object:
        low = len(sign) == 1 and not sign.isalnum() and sign in known
        return sign if low else unicodedata.decomposition(sign).startswith("<super>")

    before, is_mark = "", False
    for is_raised, run in groupby(text, key=raised):
        said = "".join(run)
        said = said.removeprefix(")") if is_mark else said  # it is written with its mark
        mark = unicodedata.normalize("NFKC", said) if is_raised else ""
        if mark in known and before[-1:] not in _UNIT_ENDS:
            yield mark
            before, is_mark = mark, True
        elif said:
            before, is_mark = said, False


def _conflict(item: Conflict) -> KeptConflict:
    one, other = (side.n for side in item.sides)
    return KeptConflict((one, other), item.rule, 0 if item.decides is None else item.sides[item.decides].n)


def _read_with(answer: Grounded, names: dict[str, tuple[str, str]], library: Library) -> tuple[str, ...]:
    """Return what is to be read with the answer and not cited in it: document, label, title, page."""
    cited = {(one.document, one.label) for one in answer.citations}
    found = []
    for place in answer.evidence.must_read:
        if (place.document, place.label) in cited:
            continue
        name = names.get(place.document, (place.document, ""))[0]
        label = str(place.label)
        title = "" if place.title == label else place.title.removeprefix(f"{label} ")
        number = place.pages[0] if place.pages else 0
        printed = printed_number(library, place.document, number) if number else ""
        other = f" (printed {printed})" if printed not in ("", str(number)) else ""
        page = f", page {number}{other}" if number else ""
        found.append(f"{name}, {place.label.named} {title}".rstrip() + page)
    return tuple(dict.fromkeys(found))


def _citation(item: Citation, names: dict[str, tuple[str, str]], library: Library) -> KeptCitation:
    designation, edition = names.get(item.document, (item.document, ""))
    printed = printed_number(library, item.document, item.page)
    return KeptCitation(
        n=item.n,
        document=item.document,
        designation=designation,
        edition="" if edition and edition in designation else edition,
        status=item.status,
        label=item.label.named,
        key=item.label.key,
        page=item.page,
        printed=printed,
        boxes=tuple(map(_rounded, item.boxes)),
        quote=item.quote,
        address=item.address,
    )


def printed_number(library: Library, document: str, page: int) -> str:
    """Return the number that a page prints, "" for none."""
    try:
        return library.page(document, page).printed
    except ApplianceError:
        return ""


def _rounded(box: Box) -> Box:
    """Return a box to a ten thousandth of the page, which is what it is worth."""
    return Box(box.page, *(round(value, 4) for value in (box.x0, box.y0, box.x1, box.y1)))


BESIDE = 4  # values of a row that fit beside its name
UNDER = " › "  # between a header and the one below it


def lines(
    table: Table, marked: Collection[tuple[int, int]]
) -> tuple[tuple[str, ...], tuple[KeptRow, ...], int]:
    """Return the headers of the columns, the deciding rows with their neighbours, and how many follow."""
    shown, left = excerpt(table, marked)
    heads = (column_headers(table, column) for column in range(columns(table)))
    rows = (KeptRow(tuple(map(_text, line.cells)), line.marked, line.skipped) for line in shown)
    return tuple(map(UNDER.join, heads)), tuple(rows), left


def deciding(table: Table, marked: Iterable[tuple[int, int]]) -> tuple[tuple[str, ...], tuple[KeptRow, ...]]:
    """Return the rows of deciding cells in the order given under the heads of their columns; none too wide.

    The first column names the row; above it stands its own head with what heads all the others.
    """
    at, named = positions(table), {row.number: row for row in body(table)}
    order = [position for position in marked if position in at and position[0] in named]
    numbers = sorted({column for _, column in order})
    over, heads = heads_apart(table, numbers)
    named_over = " \N{MIDDLE DOT} ".join((*column_headers(table, 0), *over))
    rows = tuple(
        KeptRow(
            (
                ", ".join(filter(None, (named[number].group, named[number].label))),
                *(_text(at.get((number, column))) for column in numbers),
            ),
            tuple(1 + numbers.index(column) for row, column in order if row == number),
        )
        for number in dict.fromkeys(row for row, _ in order)
    )
    return ((named_over, *map(UNDER.join, heads)), rows) if len(numbers) <= BESIDE else ((), ())


def _text(cell: Cell | None) -> str:
    return flat(cell.text) if cell else ""
