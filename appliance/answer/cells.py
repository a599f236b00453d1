"""Findings from tables: the deciding rows with their headers, and the notes that bear on them.

Rules of this module: a cell is quoted as printed; a value is never computed, rounded or interpolated.
The rows that a question names decide alone; else rows that answer about equally well are all stated, in the
order of the table, and all rows of a short table where the question tells none apart. A footnote whose mark
stands in a stated row, a header or the caption belongs to the finding, for it may change the value; so does
every general note of the table. One whose mark stands elsewhere belongs to another row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from appliance.answer.about import things
from appliance.answer.columns import deciding, of_the_case, part_of
from appliance.answer.contrary import opposed
from appliance.answer.examples import with_examples
from appliance.answer.findings import Finding, Part, Quote, covered, judge
from appliance.answer.joined_rows import joined
from appliance.answer.lacking import lacking_sign
from appliance.answer.measured import without_counts
from appliance.answer.named import named_rows, takes
from appliance.answer.ordinary import Head, heads, named_under, ordinary
from appliance.answer.picked import is_filled, of_kind, picked, why_other, why_untold
from appliance.answer.rows import heads_over, said
from appliance.answer.verify import Claim
from appliance.core.document import Cell, Table, TableNote
from appliance.core.evidence import Place, Query
from appliance.retrieval.follow.terms import Class, carried, meant, of_classes
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import match, words
from appliance.tables.ranges import alike
from appliance.tables.rows import Row, flat, key_columns, label_columns, rows
from appliance.text.quantities import pure_words
from appliance.text.terms import fold

BETWEEN = " | "  # stands between the cells of a quoted row
NAMED = 0.25  # worth of the question's words in the names of a row, beside the other signals
HELD = 0.1  # worth of having a row or a column for a number that the question states
CLASSED = 0.4  # worth of being the table that gives values for the class that a question means
OTHER = 0.1  # taken off a table that is for another thing
ROWS_STATED = 6
ROW_MARGIN = 0.08  # a row this much worse than the best of its table is not stated
WHOLE_ROWS = 6  # a table of the first places with so many rows is stated whole
WHOLE_WORDS = 120  # where its rows have no more words
LEADING = 3
LISTED = 3  # rows of a list of places at least
SPOKEN = 0.3  # share of the question's words in a note that has no mark in the stated rows
GENERAL_NOTES = 4  # further ones stay with the table, which is shown whole; marked ones are all quoted

_Scored = tuple[float, Row, Part]  # how well a row answers, the row, the part that it was judged by


def from_table(
    query: Query, parts: Sequence[Part], table: Table, classes: Sequence[Class] = ()
) -> Finding | None:
    """Return what the rows of a table say, None where no part is a row that says something.

    `classes` are those that tables of the document define: a row of one that the question means answers it.
    """
    scored = [] if _is_list_of_tables(table) else _scored(query, parts, table)
    if not scored:
        return None
    asked, body = query.spelt or query.text, list(rows(table))
    defined = meant(query, table, classes)
    named = named_rows(asked, table, body)
    deciding_rows = {
        row.number for row in named or [*of_classes(query, defined, body), *ordinary(asked, table, body)]
    }
    best = max(score for score, _, _ in scored) + CLASSED * bool(defined) + HELD * takes(asked, table, body)
    strange = _is_strange(query, table, classes)
    near, picks = _stated(query, table, scored, deciding_rows, strange=strange)
    picks = picks and not (strange and defined and not named)
    other = why_other(query, table, [row for _, row, _ in near])
    unsure = other or why_untold(query, table, told=picks)
    best -= OTHER * bool(other)
    whole = parts[0].rank < LEADING and _is_short(table, scored)
    stated = [*near, *(item for item in scored if item not in near)] if whole else near
    place, under = parts[0].place, heads(asked, body)
    headers = [cell for cell in table.cells if cell.header and cell.text.strip()]
    groups = [_cells(row, under[row.number]) for _, row, _ in stated]
    notes = _notes(query, table, [*headers, *(cell for group in groups for cell in group)])
    quotes = _quotes(place, table, [cells for cells in (headers, *groups) if cells], defined, notes)
    spoken = [said(table, row, named_under(row, under[row.number])) for _, row, _ in stated]
    keyed = zip(spoken, groups, _keys(table, [row for _, row, _ in stated]), strict=True)
    claims = [
        Claim(text, (_joined(headers), table.title, _joined(cells)), keys) for text, cells, keys in keyed
    ]
    claims += [Claim(f"{one.code}: {one.text}", (one.code, _joined(one.cells))) for one in defined]
    claims += [Claim(_said(note), (_printed(note),)) for note in notes]
    text = _text(table, spoken[: len(near)], defined, spoken[len(near) :], notes)
    chosen = _chosen(query, table, [row for _, row, _ in near])
    marked = tuple((row.number, cell.column) for row, cells in chosen for cell in cells if cell.text.strip())
    about = " ".join((table.title, *place.heading_path[-1:]))
    by = tuple(
        f"{about} {under[row.number].words} {_named_by(table, row, cells, defined)}" for row, cells in chosen
    )
    if sign := lacking_sign(asked, table, by):
        unsure = f"no row or column of {table.label} is for {sign}"
    met, labels = max(part.met for _, _, part in near), tuple(row.label for row, _ in chosen)
    return Finding(
        text, quotes, best, place, marked, claims=tuple(claims), unsure=unsure, named=by, met=met, rows=labels
    )


def _quotes(
    place: Place,
    table: Table,
    groups: Sequence[Sequence[Cell]],
    defined: Sequence[Class],
    notes: Sequence[TableNote],
) -> tuple[Quote, ...]:
    """Return what is quoted: groups of cells, the classes that are defined elsewhere, the notes."""
    cells = [_quoted(place, table, group) for group in groups]
    classes = [_quoted(place, one.table, one.cells) for one in defined]
    printed = [Quote(place.document, table.label, n.box.page, (n.box,), _printed(n)) for n in notes]
    return (*cells, *classes, *printed)


def _text(
    table: Table,
    rows_near: Sequence[str],
    defined: Sequence[Class],
    others: Sequence[str],
    notes: Sequence[TableNote],
) -> str:
    """Return what is said of a table as one text: the rows that answer, classes, other rows, notes."""
    told = [f"{table.label}: {_sentences(rows_near)}"]
    told += [f"{one.code}: {one.text.rstrip('. ')} ({one.table.label})." for one in defined]
    told += [f"Other rows: {_sentences(others)}"] if others else []
    return " ".join([*told, *map(_said, notes)])


def _chosen(query: Query, table: Table, stated: Sequence[Row]) -> list[tuple[Row, Sequence[Cell]]]:
    """Return each row with its deciding cells.

    Rows of one name with different values come with all that stands in them, which tells them apart; one
    that only goes on with the cells of the row before says nothing of its own.
    """
    asked = query.spelt or query.text
    cells = [of_kind(query, table, deciding(asked, table, row) or _part(asked, table, row)) for row in stated]
    names = [_key(row, own) for row, own in zip(stated, cells, strict=True)]
    values = [frozenset(own) for own in cells]
    return [
        (row, _part(asked, table, row) if names.count(name) > 1 else own)
        for at, (row, own, name) in enumerate(zip(stated, cells, names, strict=True))
        if values[at] not in values[:at]
    ]


def _part(asked: str, table: Table, row: Row) -> Sequence[Cell]:
    columns = part_of(asked, table, row)
    return [cell for cell in row.cells if cell.column in columns]


def _key(row: Row, chosen: Sequence[Cell]) -> tuple[str, ...]:
    """Return the words that head a row: its first cells, on from one that heads several rows."""
    key = [row.group]
    for cell in sorted(row.cells, key=lambda cell: cell.column):
        if cell in chosen and len(key) > 1:
            break
        key.append(cell.text)
        if cell.row_span == 1:
            break
    return tuple(key)


def _is_list_of_tables(table: Table) -> bool:
    """Tell whether a table lists places and their pages: "Table 6.1 - Fan power | 37" is no value."""
    body = [[flat(cell.text) for cell in row.cells if cell.text.strip()] for row in rows(table)]
    listed = [
        texts
        for texts in body
        if len(texts) > 1 and texts[-1].isdecimal() and load_lexicon().label_kind(fold(texts[0]).split()[0])
    ]
    return len(listed) >= LISTED and 2 * len(listed) >= len(body)


def _is_strange(query: Query, table: Table, classes: Sequence[Class]) -> bool:
    """Tell whether a question is about a thing that neither a table nor its classes name."""
    texts = [table.title, *(cell.text for cell in table.cells), *(one.text for one in classes)]
    held = words(" ".join(texts))
    ways = {
        word: [word, *(way for idea in query.concepts if word in words(idea.words) for way in idea.others)]
        for word in things(query)
    }
    return any(
        not any(all(any(alike(part, own) for own in held) for part in words(way)) for way in found)
        for found in ways.values()
    )


def _named_by(table: Table, row: Row, cells: Sequence[Cell], defined: Sequence[Class]) -> str:
    """Return all words of a table's body and heads that say what the chosen cells of a row are values of."""
    over = (text for cell in cells for text in heads_over(table, cell.column))
    classes = (one.text for one in defined if carried(one, row))
    return " ".join((row.group, row.label, *over, *classes))


def _stated(
    query: Query, table: Table, scored: Sequence[_Scored], named: Collection[int], *, strange: bool
) -> tuple[list[_Scored], bool]:
    """Return the rows that are stated as deciding, and whether the question itself picks them.

    `strange`: it is about a thing that the table does not name; words of the caption then pick no row.
    """
    asked = query.spelt or query.text
    filled = [item for item in scored if is_filled(table, item[1])] or list(scored)
    heads_said = " ".join((table.title, *(cell.text for cell in table.cells if cell.header)))
    filled = [
        item for item in filled if not opposed(asked, f"{item[1].group} {item[1].label}", heads_said)
    ] or filled
    fitting = of_the_case(asked, table, [row for _, row, _ in filled])
    under = heads(asked, list(rows(table)))
    names = {row.number: f"{under[row.number].words} {row.group} {row.label}" for _, row, _ in filled}
    telling = _asked_of_rows(query, table, list(names.values()))
    near = [item for item in filled if item[1].number in named]
    told = bool(near)
    near = near or _nearest(query, table, filled)
    near = [item for item in near if item[1] in fitting] or near
    among = {row.number: names[row.number] for _, row, _ in (near if told else filled)}
    common = words(heads_said) if strange else ()
    numbers, by_words = picked(query, telling, among, [row.number for _, row, _ in near], common)
    further = joined(asked, names, numbers) if told or by_words else []
    kept = [item for item in filled if item[1].number in {*numbers, *further}]
    kept = [item for item in kept if not _heads_another(item[1], [row for _, row, _ in kept], table)]
    own = () if told or by_words else with_examples(query, table, [row for _, row, _ in filled])
    kept = [*kept, *(item for item in filled if item[1].number in own and item not in kept)]
    kept.sort(key=lambda item: (item[1].number in further, item[1].number not in own, item[1].number))
    return kept, told or by_words


def _heads_another(row: Row, others: Sequence[Row], table: Table) -> bool:
    """Tell whether a row without a value only begins the name of another one."""
    valued = any(cell.column >= label_columns(table) and cell.text.strip() for cell in row.cells)
    return not valued and any(
        other is not row and f"{other.group} {other.label}".strip().startswith(row.label) for other in others
    )


def _keys(table: Table, stated: Sequence[Row]) -> list[int]:
    """Return for each row how many of its first cells behind the labels may tell it from others.

    All where the labels do not: a column behind the values may be what tells two rows of one name apart.
    """
    labels = label_columns(table)
    if key_columns(table) == labels:
        return [0] * len(stated)
    return [sum(c.column >= labels and bool(c.text.strip()) for c in row.cells) for row in stated]


def _nearest(query: Query, table: Table, scored: Sequence[_Scored]) -> list[_Scored]:
    """Return the rows that answer about as well as the best one, in the order of the table.

    All rows of a short table do where the question has no word that tells one of them apart.
    """
    names = [_name(table, row) for _, row, _ in scored]
    if len(scored) <= WHOLE_ROWS and not words(_asked_of_rows(query, table, names)):
        return sorted(scored, key=lambda item: item[1].number)
    best = max(score for score, _, _ in scored)
    near = [item for item in scored if item[0] >= best - ROW_MARGIN]
    return sorted(sorted(near, key=lambda item: -item[0])[:ROWS_STATED], key=lambda item: item[1].number)


def _cells(row: Row, head: Head) -> list[Cell]:
    """Return the printed cells of a row, after the one that it stands under."""
    above = head.cell if named_under(row, head) else row.heading
    return [cell for cell in (above, *row.cells) if cell and cell.text]


def _sentences(rows_said: Sequence[str]) -> str:
    return ". ".join(text.rstrip(". ") for text in rows_said) + "."


def _is_short(table: Table, scored: Sequence[tuple[float, Row, Part]]) -> bool:
    """Tell whether the rows that say something are few and short, as a paragraph that is quoted whole."""
    told = sum(len(said(table, row).split()) for _, row, _ in scored) if len(scored) <= WHOLE_ROWS else 0
    return 0 < told <= WHOLE_WORDS


def _scored(query: Query, parts: Sequence[Part], table: Table) -> list[_Scored]:
    """Return the rows that have a part, with how well each answers."""
    body = {row.number: row for row in rows(table)}
    held = [part for part in parts if part.chunk.row in body]
    found = [(body[part.chunk.row], part) for part in held if part.chunk.row is not None]
    under = heads(query.spelt or query.text, list(body.values()))
    names = [f"{under[row.number].words} {_name(table, row)}" for row, _ in found]
    named = match(_asked_of_rows(query, table, names), names)
    judged = [judge(query, part, part.chunk.passage.text) for _, part in found]
    best: dict[Head, float] = {}  # of rows under the same words: what a question names holds for all of them
    for (row, _), score in zip(found, judged, strict=True):
        best[under[row.number]] = max(score, best.get(under[row.number], score))
    return [
        ((best[under[row.number]] if under[row.number].words else score) + NAMED * name, row, part)
        for (row, part), name, score in zip(found, named, judged, strict=True)
    ]


def _asked_of_rows(query: Query, table: Table, names: Sequence[str]) -> str:
    """Return the question without the words of the caption and the headers, which tell no row apart.

    A word of the caption that some rows hold and others do not tells them apart ("concrete and mortar").
    """
    held = [set(words(name)) for name in names]
    telling = {word for name in held for word in name if not all(word in other for other in held)}
    headers = words(" ".join(cell.text for cell in table.cells if cell.header))
    headers += words(pure_words(fold(query.text)))  # what is asked for, whatever row gives it
    common = {*headers, *(word for word in words(table.title) if word not in telling)}
    asked = without_counts(query.text, {*headers, *words(table.title), *chain.from_iterable(held)})
    return " ".join(word for word in words(asked) if word not in common)


def _name(table: Table, row: Row) -> str:
    """Return all words that tell what a row is for: its group, its label, the footnotes it carries."""
    notes = (note.text for note in notes_of(table, row.cells) if note.mark)
    return " ".join([row.group, row.label, *notes])


def notes_of(table: Table, cells: Iterable[Cell]) -> list[TableNote]:
    """Return the notes whose mark the cells or the caption carry, then those for the whole table."""
    texts = [table.title, *(cell.text for cell in cells)]
    marked = [note for note in table.notes if note.mark and _is_marked(table, texts, note.mark)]
    general = [note for note in table.notes if is_general(note)]
    return [*marked, *[note for note in general if note not in marked][:GENERAL_NOTES]]


def _notes(query: Query, table: Table, cells: Sequence[Cell]) -> list[TableNote]:
    """Return the notes that bear on stated cells, with those that speak of what else was asked.

    Of these only notes whose mark stands nowhere in the table: any other mark says whose note it is.
    """
    bearing = notes_of(table, cells)
    others = [
        note
        for note in table.notes
        if note not in bearing
        and covered(query, note.text) >= SPOKEN
        and not any(carries(cell.text, note.mark) for cell in table.cells)
    ]
    return [*bearing, *others]


def _is_marked(table: Table, texts: Sequence[str], mark: str) -> bool:
    """Tell whether one of some texts of a table carries a mark.

    A letter glued to a word ("area") counts only where the mark stands nowhere plainly.
    """
    plain = any(carries(text, mark, glued=False) for text in (table.title, *(c.text for c in table.cells)))
    return any(carries(text, mark, glued=not plain) for text in texts)


def is_general(note: TableNote) -> bool:
    """Tell whether a note holds for the whole table ("NOTE", "Notes:", no mark at all)."""
    return not note.mark or note.mark.casefold().startswith("note")


def carries(text: str, mark: str, *, glued: bool = True) -> bool:
    """Tell whether a cell ends in, or sets apart, a footnote mark ("24ᵃ,ᵇ", "Timber (1)", "0.8*").

    `glued`: a letter at the end of a word may be one too.
    """
    bare = mark.strip("()[].: ")
    if not bare:
        return False
    if not bare.isalnum():
        return bare in text
    if any(_is_raised(character) and unicodedata.normalize("NFKC", character) == bare for character in text):
        return True
    plain, name = unicodedata.normalize("NFKC", text), re.escape(bare)
    apart = rf"[(\[]{name}[)\]]|(?:\s|(?<=\))){name}\)?$"
    if bare.isdigit():  # "81" is no 8 with the mark 1
        return bool(re.search(apart, plain))
    behind_word = rf"|\w{name}$" if glued else ""
    return bool(re.search(rf"{apart}|[\s,;\d]{name}(?:[,;\s]|$){behind_word}", plain))


def _is_raised(character: str) -> bool:
    return unicodedata.decomposition(character).startswith("<super>")


def _said(note: TableNote) -> str:
    """Return a note as part of a statement; one that calls itself a note is not called so twice."""
    printed = _printed(note)
    return printed if printed.casefold().startswith("note") else f"Note {printed}"


def _printed(note: TableNote) -> str:
    return f"{note.mark} {note.text}".strip()


def _quoted(place: Place, table: Table, cells: Sequence[Cell]) -> Quote:
    boxes = tuple(cell.box for cell in cells)
    return Quote(place.document, table.label, boxes[0].page, boxes, _joined(cells))


def _joined(cells: Sequence[Cell]) -> str:
    return BETWEEN.join(cell.text for cell in cells if cell.text.strip())
