"""An answer as it is saved and exported: with the names, editions and printed pages that it had that day."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from appliance import __version__
from appliance.answer.candidates.values import PIECES
from appliance.core.document import Box, Table
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Citation, Conflict, Grounded, MarkedTable, NotFound, Statement
from appliance.keeping.card import run_on, with_gaps
from appliance.keeping.tables import deciding, lines, noted, places
from appliance.site.saved import Kept, KeptCitation, KeptConflict, KeptHeadline, KeptStatement, KeptTable
from appliance.views import Overview, PageView

IN_SIGHT = 150  # characters of what a value is of that a phone shows; a condition among them stands there


class Shelf(Protocol):
    """What is asked of the library: `appliance.library.Library` has it."""

    def overview(self) -> Overview: ...

    def page(self, document: str, number: int) -> PageView: ...

    def table(self, document: str, key: str) -> Table: ...


def kept(answer: Grounded | NotFound, library: Shelf, asked: Iterable[tuple[str, str]] = ()) -> Kept:
    """Return an answer as it is kept; `asked` are the filters that it was asked with."""
    query = answer.evidence.query
    resolved = query.text if query.typed and query.text != query.typed else ""
    now = library.overview()
    if isinstance(answer, NotFound):
        return Kept(
            question=answer.question,
            outcome="not_found",
            statements=(),
            citations=(),
            library=now.version,
            resolved=resolved,
            reasons=answer.reasons,
            searched=answer.searched,
            asked=tuple(asked),
            program=__version__,
        )
    quotes = {item.n: item.quote for item in answer.citations}
    names = {info.id: (info.designation or info.id, info.edition) for info in now.documents}
    marked = [(item, table) for item in answer.tables if item.marked and (table := _read(item, library))]
    return Kept(
        question=answer.question,
        outcome="answer",
        statements=tuple(_statement(said, quotes, answer, marked) for said in answer.statements),
        citations=tuple(_citation(item, names, library) for item in answer.citations),
        library=now.version,
        resolved=resolved,
        gap=answer.gap or _unanswered(answer),
        confidence=answer.confidence.level,
        reasons=answer.confidence.reasons,
        searched=answer.searched,
        asked=tuple(asked),
        mode=answer.mode,
        program=__version__,
        tables=tuple(_table(item, table, answer, names) for item, table in marked),
        conflicts=tuple(_conflict(item) for item in answer.conflicts),
        read_with=_read_with(answer, names, library),
        state=answer.state,
        headline=_headline(answer),
        also=tuple(_statement(said, quotes, answer, marked) for said in answer.also),
    )


def parted(text: str, quotes: Iterable[str]) -> str:
    """Return a text with the lines of its quotations, as the page has them, where it says just the same."""
    quoted = "\n".join(quotes)
    return quoted if quoted.split() == text.split() else text


def _unanswered(answer: Grounded) -> str:
    """Return in a sentence which parts of the question got no answer, "" where all did."""
    silent = "; ".join(part.asked for part in answer.parts if not part.statements)
    return f"Not answered: {silent}" if silent else ""


def _headline(answer: Grounded) -> KeptHeadline | None:
    """Return the value to show large: none where no claim is vouched for or it was read with doubt."""
    head = answer.headline
    if head is None or answer.state != "found" or head.trust != "text":
        return None
    conditions = tuple(one for one in head.conditions if one not in head.what[:IN_SIGHT])
    return KeptHeadline(head.value, head.unit, head.what, conditions, head.citation)


def _statement(
    said: Statement, quotes: Mapping[int, str], answer: Grounded, marked: Sequence[tuple[MarkedTable, Table]]
) -> KeptStatement:
    text = parted(said.text, (quotes[n] for n in said.citations if n in quotes))
    made = KeptStatement(text, said.citations, said.confirmed, said.why)
    cited = [item for item in answer.citations if item.n in said.citations]
    for item, table in marked:
        boxes = {
            box
            for one in cited
            if (one.document, one.label) == (item.document, item.label)
            for box in one.boxes
        }
        cells = {(cell.row, cell.column): cell.box for cell in table.cells}
        own = [position for position in item.marked if cells.get(position) in boxes]
        columns, rows = deciding(table, own)
        if rows:
            pieces = said.text.split(PIECES)
            told = {
                word for texts in (columns, *(row.cells for row in rows)) for word in " ".join(texts).split()
            }
            quoted = [" ".join(quotes[n].split()) for n in said.citations if n in quotes]
            left = [one for one in pieces if not _tells_row(one, item.label.named, told)]
            beside = run_on(dict.fromkeys(with_gaps(one, quoted) for one in left))
            return replace(made, columns=columns, rows=rows, beside=beside)
    return made


def _tells_row(piece: str, table: str, told: Collection[str]) -> bool:
    """Tell whether a piece of a statement says a row of its table, whole or cut, in words `told` with it."""
    said = piece.replace(":", " ").strip("… ").split()
    return piece.startswith(f"{table}: ") or set(said) <= set(told)


def _read(item: MarkedTable, library: Shelf) -> Table | None:
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
    focus = tuple(map(_rounded, places(table, item.marked)))
    texts = (*columns, *(text for row in rows for text in row.cells))
    notes = tuple((note.mark, " ".join(note.text.split())) for note in noted(table, texts))
    return KeptTable(name, item.label.named, table.title, columns, rows, theirs, left, focus, notes)


def _conflict(item: Conflict) -> KeptConflict:
    one, other = (side.n for side in item.sides)
    return KeptConflict((one, other), item.rule, 0 if item.decides is None else item.sides[item.decides].n)


def _read_with(answer: Grounded, names: dict[str, tuple[str, str]], library: Shelf) -> tuple[str, ...]:
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
        printed = _printed(library, place.document, number) if number else ""
        other = f" (printed {printed})" if printed not in ("", str(number)) else ""
        page = f", page {number}{other}" if number else ""
        found.append(f"{name}, {place.label.named} {title}".rstrip() + page)
    return tuple(dict.fromkeys(found))


def _citation(item: Citation, names: dict[str, tuple[str, str]], library: Shelf) -> KeptCitation:
    designation, edition = names.get(item.document, (item.document, ""))
    printed = _printed(library, item.document, item.page)
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
    )


def _printed(library: Shelf, document: str, page: int) -> str:
    """Return the number that a page prints, "" for none."""
    try:
        return library.page(document, page).printed
    except ApplianceError:
        return ""


def _rounded(box: Box) -> Box:
    """Return a box to a ten thousandth of the page, which is what it is worth."""
    return Box(box.page, *(round(value, 4) for value in (box.x0, box.y0, box.x1, box.y1)))
