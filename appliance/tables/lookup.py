"""Cells of a table for a row and a column in words."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

from appliance.core.document import Cell, Table
from appliance.core.files import shipped
from appliance.tables.ranges import Range, Token, alike, distance, empty, likeness, tokens
from appliance.tables.rows import (
    Row,
    column_headers,
    columns,
    counting_columns,
    flat,
    headed_alike,
    label_columns,
    naming_columns,
    row_names,
    rows,
    with_unit,
)
from appliance.text.lookalikes import value_digits
from appliance.text.terms import singular

Source = tuple[str, float]
"""Words and how directly they name, 0 to 1."""

BESIDE = 0.85  # words of another cell of the row; of a corner, which may name the heads behind it
INHERITED = 0.7  # words of the label above that a blank label, or one that goes on, belongs to
COMMON = 0.45  # headers: words of the row may name a column too
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
    width, labels = columns(table), label_columns(table)
    headers = {column: column_headers(table, column) for column in range(width)}
    corner = [(text, BESIDE) for c in range(min(labels, width)) for text in headers[c]]  # "Storeys" over "1"
    common = [(text, COMMON) for c in range(width) for text in headers[c]]
    title = (table.title, TITLE)
    counting = counting_columns(table)
    above: dict[int, str] = {}  # the label last printed in each label column
    for row in rows(table):
        filled = [cell for cell in row.cells if cell.text.strip()]
        # a bare number has the unit of its head: "5" under "Span (m)" is 5 m
        measured = [_measured(flat(cell.text), headers[cell.column]) for cell in filled]
        named = [
            (text, 1.0)
            for cell, text in zip(filled, measured, strict=True)
            if counting <= cell.column < labels
        ]
        named += [(row.group, 0.95)] if row.group else []
        # A blank first label, or one that goes on in small letters, belongs to the one above; a label with a
        # colon ("New flue:") leads those under it in its column.
        first = next((cell for cell in filled if cell.column == 0), None)
        goes_on = first is None or (first.row == row.number and first.text[:1].islower())
        named += [(above[0], INHERITED)] if goes_on and 0 in above else []
        named += [(lead, INHERITED) for text in above.values() if (lead := _lead(text))]
        for cell, text in zip(filled, measured, strict=True):
            others = [(flat(o.text), BESIDE) for o in filled if o is not cell and o.column >= labels]
            own = {flat(cell.text), text}
            for column in range(cell.column, cell.column + cell.column_span):
                by_row = [source for source in (*named, *others) if source[0] not in own or column == 0]
                by_column = ((" ".join(headers[column]), 1.0), *(corner if column >= labels else ()), title)
                share = STUB if column == 0 and width > 1 else 1.0
                yield Bearing(cell, row, column, (*by_row, *common, title), by_column, share)
        for cell in filled:  # labels for the rows below; those under a lead stay behind it
            if cell.column >= labels or cell.row != row.number:
                continue
            text = flat(cell.text)
            if cell.column == 0:
                above.clear()
            if not cell.column or _lead(text) or not _lead(above.get(cell.column, "")):
                above[cell.column] = text


def _measured(text: str, heads: Sequence[str]) -> str:
    return with_unit(heads[-1], text).removeprefix(heads[-1]).strip() if heads else text


def _lead(text: str) -> str:
    """Return the words before the colon of a label that leads others ("New flue:"), "" for none."""
    lead, colon, _ = text.partition(":")
    return lead if colon and len(lead.split()) <= LEAD else ""


_CODE = re.compile(
    r"(?<![^\W_])[A-Z](?:[0-9lIOSZ]\d?)?(?![^\W_])(?![.)]\d)"
    r"|(?<![^\W_])(?<!\d[.,])\d{1,2}[a-f](?![^\W_])"
)
_RUN = re.compile(r"(?<![^\W_])([A-Z])([0-9lIOS])\s*[-–]*\s*to\s*[-–]*\s*\1([0-9lIOS])(?![^\W_])")

Name = frozenset[Token]


def codes(text: str) -> frozenset[str]:
    """Return the codes of a text: "A", "C5", "2a"; "C2 to C4" holds C3 as well."""
    found = {code[0] + _figures(code[1:]) for code in _CODE.findall(text)}
    for letter, first, last in _RUN.findall(text):
        low, high = int(_figures(first)), int(_figures(last))
        found |= {f"{letter}{number}" for number in range(low, high + 1)}
    return frozenset(found)


def _figures(text: str) -> str:
    return "".join(value_digits().get(sign, sign) for sign in text)


def named(asked: str, labels: Sequence[str], about: str = "") -> list[bool]:
    """Tell of each row label whether it is just what was asked.

    Words that all labels share are left out, and asked ones that stand in what the rows are `about` (the
    title, the header over the labels).
    """
    names = [_name(label) for label in labels]
    filled = set(filter(None, names))
    common = frozenset[Token]().union(frozenset.intersection(*filled)) if len(filled) > 1 else frozenset()
    wanted, spare = _name(asked), common | _name(about)
    cores = [name - common or name for name in names]
    return [bool(core) and core <= wanted and wanted - core <= spare for core in cores]


def _name(text: str) -> Name:
    return frozenset(tokens(text)) | {code.casefold() for code in codes(text)}


ANSWERS = 0.5  # share of the asked words, by weight, that a row and a column must hold together
MET = 0.2  # share of the words of one side below which that side is met nowhere
HELD = 0.5  # likeness from which an asked number is said to stand in a header
TIED = 0.97  # of the best score; cells this close are returned with it
RETURNED = 5  # cells at most
TURNED = 0.2  # how much better the words must answer when row and column are taken for each other
SPARE = 0.15  # of the score: what words that were not asked for may cost
SAID = 0.8  # of the asked words that the label of an expression must hold to be sure
OTHER = 0.45  # of the score of a row that is not the one whose own name was asked for
KEPT = 1 << 14  # texts whose words are kept

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+\d*")
_SYMBOL = re.compile(r"(?<![^\W_])[^\W\d_]{2}(?![^\W_])")
# footnote marks at a word ("stair¹,²")
_MARKS = re.compile(r"(?<=[^\W\d_]{3})[¹²³⁰-ⁿᵃ-ᶻ]+(?:,[¹²³⁰-ⁿᵃ-ᶻ]+)*")


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell with the words that name its row and its column, best matches first."""

    cell: Cell
    row_headers: tuple[str, ...]
    column_headers: tuple[str, ...]
    score: float
    doubt: str = ""  # what of it was read with doubt


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What a look-up found; not exact means: nothing answers, these are the nearest.

    `rivals` are other tables of the same name that answer as well, with other values. `read_as` are asked
    phrases with what they were read as; `more` cells answer as well and are not among these.
    """

    table: Table
    cells: tuple[FoundCell, ...]
    exact: bool
    rivals: tuple[Table, ...] = ()
    read_as: tuple[tuple[str, str], ...] = ()
    more: int = 0

    @property
    def score(self) -> float:
        """Return the score of the best cell, 0 where there is none."""
        return self.cells[0].score if self.cells else 0.0


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Cells, best first; `met` tells that words of both sides were met, `sure` that all numbers were."""

    cells: Sequence[FoundCell] = ()
    met: bool = False
    sure: bool = True

    @property
    def best(self) -> float:
        return self.cells[0].score if self.cells else 0.0


@dataclass(frozen=True, slots=True)
class _Side:
    """How well each place answers to the words of one side."""

    scores: Sequence[float]
    met: bool
    numbers: Sequence[bool]  # of each place: all asked numbers stand in its headers


def table_lookup(table: Table, row: str, column: str) -> LookedUp:
    """Return the cells that answer to row and column in words; either may be empty for all of them.

    Row words may as well name a column, and column words a row: the better reading is taken. Where
    the words of one side are met nowhere, the cells of the other side are returned as the nearest.
    """
    places = list(bearings(table))
    straight = _ranked(table, places, row, column)
    turned = _ranked(table, places, column, row) if row and column else _Ranked()
    margin = TURNED if turned.met == straight.met else 0.0
    clearly = turned.met >= straight.met and turned.best > straight.best + margin
    best = turned if clearly else straight
    said = () if best.met and best.best >= ANSWERS else _after_equals(table, row, column)
    sure = bool(said) and said[0].score >= SAID
    if said and (sure or not best.met or best.best <= 0):
        return LookedUp(table, said, exact=sure)
    if best.best <= 0:
        return LookedUp(table, (), exact=False)
    tied = [found for found in best.cells if found.score >= TIED * best.best]
    kept = _told_apart(table, tied[:RETURNED], row, column)
    apart = not any(found.doubt for found in kept)
    exact = best.met and best.sure and best.best >= ANSWERS and apart
    return LookedUp(table, tuple(kept), exact, more=len(tied) - len(kept))


def _told_apart(table: Table, kept: Sequence[FoundCell], row: str, column: str) -> list[FoundCell]:
    """Return the cells, with a doubt on those whose column is headed just like another with other values.

    Two columns are never printed under one and the same name: of one of them the sign that tells it from
    the other was not read. Where no column was asked for, all of them are shown and none is doubtful.
    """
    if not (row.strip() and column.strip()):
        return list(kept)
    alike = headed_alike(table)
    values = {(cell.row, cell.column): flat(cell.text) for cell in table.cells if not cell.header}
    return [
        replace(found, doubt=f"two columns are headed “{' '.join(found.column_headers)}”")
        if any(
            values.get((found.cell.row, other), own := flat(found.cell.text)) != own
            for other in alike.get(found.cell.column, ())
        )
        else found
        for found in kept
    ]


def _ranked(table: Table, places: Sequence[Bearing], row_words: str, column_words: str) -> _Ranked:
    """Return every cell with its score, best first, in table order where scores are equal."""
    rows = _own_name_first(_side(row_words, [place.by_row for place in places]), row_words, table, places)
    wide = _side(column_words, [place.by_column for place in places])
    either = rows.met or wide.met  # a side that is met nowhere must not hide the other
    numbers = naming_columns(table)
    found: dict[tuple[int, int], tuple[FoundCell, bool]] = {}
    for at, place in enumerate(places):
        by_row = rows.scores[at] if rows.met or not either else 1.0
        by_column = wide.scores[at] if wide.met or not either else 1.0
        score = by_row * by_column * place.share
        key = (place.cell.row, place.cell.column)
        if key not in found or score > found[key][0].score:
            names = row_names(table, place.row, range(numbers.start, min(numbers.stop, place.cell.column)))
            one = FoundCell(place.cell, names, column_headers(table, place.column), score)
            found[key] = one, rows.numbers[at] and wide.numbers[at]
    ordered = sorted(found.values(), key=lambda item: (-item[0].score, item[0].cell.row, item[0].cell.column))
    sure = bool(ordered) and ordered[0][1]
    return _Ranked([one for one, _ in ordered], rows.met and wide.met, sure)


def _own_name_first(side: _Side, asked: str, table: Table, places: Sequence[Bearing]) -> _Side:
    """Return the side with the rows first whose own name was asked for, before any that mention it.

    Only rows that hold more than their name count: a heading stands for those below it.
    """
    first = {
        place.row.number: flat(place.cell.text)
        for place in places
        if place.column == 0 and place.cell.row == place.row.number
    }
    filled = {place.row.number for place in places if place.column > 0 and place.cell.column > 0}
    about = " ".join((table.title, *column_headers(table, 0)))
    whole = named(asked, [place.row.label for place in places], about)
    short = named(asked, [first.get(place.row.number, "") for place in places], about)
    places_named = zip(whole, short, places, strict=True)
    own = [(label or start) and place.row.number in filled for label, start, place in places_named]
    if not any(own):
        return side
    return _Side(
        [max(score, 1.0) if mine else OTHER * score for mine, score in zip(own, side.scores, strict=True)],
        met=True,
        numbers=[mine or stand for mine, stand in zip(own, side.numbers, strict=True)],
    )


def _side(asked: str, named: Sequence[Sequence[Source]]) -> _Side:
    """Return how much of what was asked names each place; all 1 where nothing was asked.

    A word weighs more the fewer places it names. A number that names none still prefers the nearest,
    by a little: those are shown as nearest, never as the answer.
    """
    wanted = list(dict.fromkeys(tokens(asked)))
    if not wanted or not named:
        return _Side([1.0] * len(named), met=True, numbers=[True] * len(named))
    texts = {text for sources in named for text, _ in sources}
    like = {text: [likeness(token, tokens(text)) for token in wanted] for text in texts}
    for i, text in _of_other_case(asked, wanted, texts):
        like[text][i] = 0.0
    held = [
        [max((weight * like[text][i] for text, weight in sources), default=0.0) for i in range(len(wanted))]
        for sources in named
    ]
    holders = [sum(row[i] > HELD for row in held) for i in range(len(wanted))]
    weights = [math.log(1 + len(named) / (1 + count)) + 0.1 for count in holders]
    total = sum(weights)
    numbers = {i: token for i, token in enumerate(wanted) if isinstance(token, Range)}
    scores = []
    for row, sources in zip(held, named, strict=True):
        met = sum(weight * value for weight, value in zip(weights, row, strict=True)) / total
        near = [token for text, weight in sources if weight > HELD for token in tokens(text)]
        far = min((distance(number, near) for number in numbers.values()), default=math.inf)
        scores.append(met * (1 - SPARE * _spare(wanted, sources)) + 0.05 * (1 / (1 + far)) * (met > 0))
    stand = [
        all(row[i] >= HELD * 0.8 for i in numbers) and not _is_another(wanted, sources)
        for row, sources in zip(held, named, strict=True)
    ]
    return _Side(scores, max(scores) >= MET, stand)


def _is_another(wanted: Sequence[Token], sources: Sequence[Source]) -> bool:
    """Tell whether the name of a place is what was asked but for its number: "Use 3", not "Use 31".

    A value beside it that happens to be the number asked for does not make it the place.
    """
    numbers = [token for token in wanted if isinstance(token, Range)]
    for held in (tokens(text) for text, weight in sources if weight == 1.0):
        words = [token for token in held if not isinstance(token, Range)]
        numbered = 0 < len(words) < len(held) and all(word in wanted for word in words)
        if numbers and numbered and all(likeness(number, held) < HELD * 0.8 for number in numbers):
            return True
    return False


def _of_other_case(asked: str, wanted: Sequence[Token], texts: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the asked symbols and the headers that hold them in the other case only, where both stand.

    "Qk" is a force and "qk" a pressure: where a table heads columns with both, the letters decide.
    """
    held = {text: set(_SYMBOL.findall(text)) for text in texts}
    every = set().union(*held.values())
    for symbol in set(_SYMBOL.findall(asked)) & every:
        others = {other for other in every if other != symbol and other.casefold() == symbol.casefold()}
        if others and symbol.casefold() in wanted:
            at = wanted.index(symbol.casefold())
            yield from ((at, text) for text, own in held.items() if own & others and symbol not in own)


def _spare(wanted: Sequence[Token], sources: Sequence[Source]) -> float:
    """Return the share of the words that name a place most directly and were not asked for."""
    direct = [token for text, weight in sources if weight == 1.0 for token in tokens(text)]
    spare = sum(not any(likeness(token, (other,)) > 0 for other in wanted) for token in direct)
    opposite = any((word in wanted) != (word in direct) for word in _listed("negations"))
    return spare / max(len(direct), 1) + opposite


def _after_equals(table: Table, row: str, column: str) -> tuple[FoundCell, ...]:
    """Return the expression behind a label's "=" where one was asked for, () where none was."""
    asked = tokens(f"{row} {column}")
    wanted = [token for token in asked if token not in _listed("expression")]
    found = []
    for cell in table.cells if len(wanted) < len(asked) else ():
        label, equals, expression = flat(cell.text).partition(" = ")
        held = tokens(label) if equals else ()
        share = sum(likeness(token, held) for token in wanted) / max(len(wanted), 1)
        found.append(FoundCell(replace(cell, text=expression), (label,), (), share))
    best = max(found, key=lambda one: one.score, default=None)
    return (best,) if best and best.score >= ANSWERS else ()


@cache
def _listed(name: str) -> frozenset[str]:
    """Return a list of words of data/tables.toml."""
    return frozenset(shipped("tables")[name])


def match(asked: str, names: Sequence[str]) -> list[float]:
    """Return for each name how much of what was asked it holds, 0 to 1; all 1 where nothing was asked.

    A word weighs more the fewer names hold it; words of the name that were not asked cost a little,
    so that "timber" finds "Timber" before "Timber, treated".
    """
    wanted = dict.fromkeys(words(asked))
    if not wanted:
        return [1.0] * len(names)
    held = [words(name) for name in names]

    def likeness_to(word: str, name: Sequence[str]) -> float:
        if word in name:
            return 1.0
        return 0.8 if any(alike(word, other) for other in name) else 0.0

    like = [[likeness_to(word, name) for word in wanted] for name in held]
    holders = [sum(value > 0 for value in column) for column in zip(*like, strict=True)]
    weights = [math.log(1 + len(held) / (1 + count)) + 0.1 for count in holders]
    scores = []
    for name, values in zip(held, like, strict=True):
        met = sum(weight * value for weight, value in zip(weights, values, strict=True))
        spare = sum(not any(alike(word, other) for other in wanted) for word in name)
        scores.append(met / sum(weights) * (1 - 0.15 * spare / max(len(name), 1)))
    return scores


@lru_cache(KEPT)
def words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text in a form that can be compared."""
    plain = unicodedata.normalize("NFKD", _MARKS.sub(" ", text)).casefold().replace("−", "-")
    found = [word.replace(",", "") if word[0].isdigit() else singular(word) for word in _WORD.findall(plain)]
    return tuple(word for word in found if word not in empty())


Groups = Sequence[Sequence[tuple[str, ...]]]
"""Phrases that mean one thing, each as its words, group by group."""

WAYS = 12  # ways to say one side


ToldAs = tuple[tuple[str, str], ...]
"""Asked phrases, each with what it was read as."""


def best_lookup(tables: Sequence[Table], row: str, column: str, groups: Groups = ()) -> LookedUp:
    """Return the look-up of the one of several tables that answers best, one in the asked words first.

    Where another answers as well with other values, nothing is exact: a number of the wrong table
    must not be shown as sure.
    """
    found = [look_up(table, row, column, groups) for table in tables]
    best = max(found, key=lambda item: (*_standing(item), item.score))  # the first where they are equal
    rivals = tuple(
        item.table
        for item in found
        if _standing(item) == _standing(best)
        and item.score >= TIED * best.score
        and _values(item) != _values(best)
    )
    return replace(best, exact=best.exact and not rivals, rivals=rivals)


def _standing(found: LookedUp) -> tuple[bool, bool]:
    return found.exact, not found.read_as


def _values(found: LookedUp) -> set[str]:
    return {flat(item.cell.text) for item in found.cells}


def look_up(table: Table, row: str, column: str, groups: Groups = ()) -> LookedUp:
    """Return the cells that answer to row and column; where none does, to other words for the same."""
    asked = table_lookup(table, row, column)
    if asked.exact or not groups:
        return asked
    found: list[LookedUp] = []
    for other_row, other_column, read_as in _reworded(table, row, column, groups):
        if found and len(read_as) > len(found[0].read_as):
            break
        one = table_lookup(table, other_row, other_column)
        if one.exact:
            found.append(replace(one, read_as=read_as))
    if not found:
        return asked
    places = {frozenset((one.cell.row, one.cell.column) for one in item.cells) for item in found}
    if len(places) == 1:
        return found[0]
    # they lead to other values: none is sure
    cells = {(cell.cell.row, cell.cell.column): cell for one in found for cell in one.cells}
    told = dict.fromkeys(pair for one in found for pair in one.read_as)
    kept = tuple(cells.values())
    return LookedUp(table, kept[:RETURNED], False, (), tuple(told), len(kept[RETURNED:]))


def _reworded(table: Table, row: str, column: str, groups: Groups) -> list[tuple[str, str, ToldAs]]:
    """Return what was asked with a phrase of the row, of the column or of both said as the table says it.

    What changes least comes first; what stays as it was asked is not among them.
    """
    heads = [text for number in range(columns(table)) for text in column_headers(table, number)]
    body = [
        text
        for line in rows(table)
        for text in (line.group, line.label, *(flat(cell.text) for cell in line.cells))
    ]
    # the words of each head, label and group of the table, and of its cells of words
    names = [frozenset(tokens(text)) for text in dict.fromkeys((*heads, *body)) if text]
    ways = product(_said(row, groups, names), _said(column, groups, names))
    told = [
        (row_words, column_words, (*of_row, *of_column))
        for (row_words, of_row), (column_words, of_column) in ways
    ]
    return sorted((way for way in told if way[2]), key=lambda way: len(way[2]))


def _said(asked: str, groups: Groups, names: Sequence[frozenset[Token]]) -> list[tuple[str, ToldAs]]:
    """Return the ways to say what was asked, itself first, each with what is said otherwise in it."""
    found: dict[str, ToldAs] = {asked: ()}
    for group in groups if asked.strip() else ():
        for phrase in group:
            place = _pattern(phrase).search(asked)
            if place is None:
                continue
            own = frozenset(tokens(place.group()))
            for read in map(" ".join, group):
                words = frozenset(tokens(read))
                if words and words != own and any(words <= name for name in names):
                    said = f"{asked[: place.start()]}{read}{asked[place.end() :]}"
                    found.setdefault(said, ((place.group(), read),))
    return list(found.items())[:WAYS]


@lru_cache(4_096)
def _pattern(phrase: tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches a phrase, of one number or of several."""
    said = [re.escape(singular(word)) for word in phrase]
    return re.compile(rf"(?<![^\W_]){'(?:e?s)?[ -]'.join(said)}(?:e?s)?(?![^\W_])", re.IGNORECASE)
