"""Cells that were read with doubt: merged, unreadable, unlike their neighbours, each with its box."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from appliance.core.document import Box, Cell, Document, Problem, Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import in_box
from appliance.ingest.ocr.noise import find_noise, is_known
from appliance.tables.rows import columns, flat, label_columns
from appliance.text.designations import load_joins
from appliance.text.folding import language_words, units, value_digits, words_language
from appliance.text.numbers import unit_pattern

FEW = 0.34  # of the cells of values of a column or a table may hold several; with more it is printed so
LEAST = 3  # cells with one value, from which others are told to be odd
TWO_COLUMNS = 2  # cells of a column with bare numbers that follow each other, from which it may be two

_GROUPS = re.compile(r"(?<=\d) (?=\d{3}(?!\d|[.,/:]\d))")
_SIGN = re.compile(r"(?<!\S)([+−–-]) (?=\d)")
_RANGE = re.compile(r"\d+(?:[.,]\d+)? [-–—] \d+(?:[.,]\d+)?")  # the first without a sign: no minus behind it
_RANGED = re.compile(r"(\d+(?:[.,]\d+)?) ([^\W\d_]{1,4}) (\d+(?:[.,]\d+)?)(?!\S)")  # "6 to 9"
_VALUE = re.compile(r"[+−–<>≤≥±~-]*\d+(?:[.,]\d+)?(?:[/:]\d+(?:[.,]\d+)?)?°?")  # "200/25" and "1:20" are one
_AND_A_PART = re.compile(r"(?<=\d) (?=(?:1/[2-9]|[1-9]/(?:4|8|16|32))(?![\d/]))")  # "1 1/2"


@mechanism(
    "tables.cells_merged", "Cells that were merged by mistake are doubtful.", without=lambda *_: iter(())
)
def merged_cells(table: Table) -> Iterator[Cell]:
    """Yield the cells that hold several values in a column, or a table, of single ones, or bare ones."""
    first = label_columns(table)
    body = [cell for cell in table.cells if not cell.header and cell.column >= first]
    counted = {id(cell): values(cell.text) for cell in body}
    whole = _odd(body, counted)
    for column in range(1, columns(table)):
        own = [cell for cell in table.cells if not cell.header and cell.column == column]
        bare = [cell for cell in own if _is_bare(cell.text) and values(cell.text) > 1]
        valued = own if column >= first else []
        odd = _odd(valued, counted)
        single = sum(counted[id(cell)] == 1 for cell in valued)
        found = odd if odd or single >= LEAST else [cell for cell in valued if cell in whole]
        both = bare if len(bare) >= TWO_COLUMNS else []
        yield from (cell for cell in own if cell in found or cell in both)


def values(text: str) -> int:
    """Return how many values follow each other in a cell, 0 where it holds anything else."""
    plain = _RANGED.sub(_end, _AND_A_PART.sub(".", _GROUPS.sub("", flat(text))))
    count = 0
    for part in () if _RANGE.fullmatch(plain) else _SIGN.sub(r"\1", plain).split():
        if _VALUE.fullmatch(part):
            count += 1
        elif not count or not unit_pattern().fullmatch(part):
            return 0
    return count


def _is_bare(text: str) -> bool:
    """Tell whether no letter, of a unit or of a word, stands in a cell."""
    return not any(sign.isalpha() for sign in text)


def _end(ranged: re.Match[str]) -> str:
    """Return the second number of a range, and the whole of two numbers with a unit between them."""
    return ranged[0] if unit_pattern().fullmatch(ranged[2]) else ranged[3]


def _odd(cells: Sequence[Cell], counted: dict[int, int]) -> list[Cell]:
    """Return the cells with several values where most others have one."""
    single = sum(counted[id(cell)] == 1 for cell in cells)
    several = [cell for cell in cells if counted[id(cell)] > 1]
    return several if single >= LEAST and len(several) <= FEW * (single + len(several)) else []


NAMED = 12  # cells of one table that are named one by one
RARE = 1  # words of the language in which the rarest three letters of a word stand
SHORT = 4  # letters: a shorter word may be a symbol
OFTEN = 2  # times a word must stand in a document to be one of its words
MANY, CELLS_UNREAD_LEAST = 0.1, 3  # share of the filled cells, and how many, that make a whole table doubtful
PART = 3  # letters of each of two words that make up one

_ODD = re.compile(r"[\\{}~|^§!;•_](?=\S)|(?<=\S)[\\{}~|^§!•_]|['’](?=[A-Z\d])|(?<=[^\W\d_]):+(?=[^\W\d_])")
_LONE = re.compile(r"[Iil!|\\{}~^_•'’;:.\]\[]+|[-.]+_[-_.]*|[-.]*_[-.]+|\.-\.")
_ITEM = re.compile(r"[•·*]|[-–—]")
_NUMERAL = re.compile(r"\(?[IVX]+[.)]?|[ivx]+[.)]|\(?[ivx]+\)")
_INSIDE = re.compile(r"[^\W\d_A-Z][A-Z]|[^\W\d_]['’][^\W\d_]*[A-Z]")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_DANGLING = re.compile(r"[^\W\d_]{2,}-$")
_RAISED = re.compile(r"[¹²³⁰-ⁿᵃ-ᶻ]+(?:[),][¹²³⁰-ⁿᵃ-ᶻ]*)*")  # marks of notes
_SLASH = re.compile(r"[^\W\d_]/$")


@dataclass(frozen=True, slots=True)
class Words:
    """The words that a document may hold: how often it has each, and what its misread ones mean."""

    counts: Counter[str]
    misread: frozenset[str]
    spoken: bool = True  # the language is the one whose words and letters are known


NONE = Words(Counter(), frozenset())


def noise_of(words: Sequence[str]) -> float:
    """Return the share of words that no language has, and of signs that are no print, 0 to 1."""
    parts = [part for word in words for part in word.split()]
    return sum(_is_lone(part, 1) or _is_odd(part, NONE) for part in parts) / max(len(parts), 1)


def words_of(document: Document) -> Words:
    """Return the words of a document, those of its clauses and its tables."""
    texts = [clause.passage.text for clause in document.clauses]
    texts += [cell.text for table in document.tables for cell in table.cells]
    counts = Counter(token.casefold() for text in texts for token in _TOKEN.findall(text))
    if document.language != words_language():
        return Words(counts, frozenset(), spoken=False)
    return Words(counts, frozenset(find_noise(texts).meant))


@mechanism("tables.unread_cells", "A cell of rubbish is doubtful.", without=lambda *_: iter(()))
def unread_cells(document: Document) -> Iterator[Problem]:
    """Yield a doubt for each cell of a scanned table that holds no words, and for each table with many."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    tables = [table for table in document.tables if any(box.page in scanned for box in table.boxes)]
    if not tables or not language_words():
        return
    known = words_of(document)
    for table in tables:
        yield from _doubts(table, known, scanned)


def _doubts(table: Table, known: Words, scanned: set[int]) -> Iterator[Problem]:
    filled = [cell for cell in table.cells if cell.text.strip() and cell.box.page in scanned]
    odd = [(cell, parts) for cell in filled if (parts := unread(cell, filled, known))]
    if len(odd) >= CELLS_UNREAD_LEAST and len(odd) >= MANY * len(filled):
        for box in _on_pages(table, [cell for cell, _ in odd]):
            message = (
                f"{table.label} on page {box.page} was not read as it is printed: {len(odd)} of its "
                f"{len(filled)} cells hold no words, or words of others; compare all of it with the image."
            )
            yield Problem(message, box.page, box, doubt=True)
        return
    for cell, parts in odd[:NAMED]:
        message = f"“{parts[0]}” in {table.label} on page {cell.box.page} is no word of the language: "
        yield Problem(message + "compare the cell with the image.", cell.box.page, cell.box, doubt=True)
    if len(odd) > NAMED:
        page = odd[NAMED][0].box.page
        message = (
            f"{len(odd) - NAMED} more cells of {table.label} on page {page} hold no words of the language."
        )
        yield Problem(message, page, doubt=True)


def _on_pages(table: Table, cells: Sequence[Cell]) -> list[Box]:
    pages = {cell.box.page for cell in cells}
    return [box for box in table.boxes if box.page in pages]


def unread(cell: Cell, cells: Sequence[Cell], known: Words) -> list[str]:
    """Return the parts of a cell that are no print, as the text has them; `cells` are those of the table."""
    parts = flat(_RAISED.sub("", cell.text)).split()
    beside = [other for other in cells if other.column == cell.column and other is not cell]
    if len(parts) == 1 and (_NUMERAL.fullmatch(parts[0]) and any(_is_numeral(other) for other in beside)):
        return []
    found = [
        part
        for at, (part, after) in enumerate(pairwise([*parts, ""]))
        if _is_lone(part, at) or _is_odd(part, known) or _breaks_off(part, after)
    ]
    if len(parts) == 1 and not found and _is_letter_among_words(parts[0], beside):
        return parts
    return found


def _is_numeral(cell: Cell) -> bool:
    return bool(re.fullmatch(r"\(?(?:II|III|IV|VI+|ii|iii|iv)[.)]?", cell.text.strip()))


def _is_lone(part: str, at: int) -> bool:
    """Tell whether a part is what is read for a rule or a speck: no letter or figure of its own."""
    opens = at == 0 and (_ITEM.fullmatch(part) or _NUMERAL.fullmatch(part))
    return bool(_LONE.fullmatch(part)) and not opens and part not in {":", ";", ".", "..", "..."}


def _breaks_off(part: str, after: str) -> bool:
    """Tell whether a word is cut by a hyphen, or a symbol by a stroke, that nothing goes on behind."""
    if _DANGLING.search(part):
        return not after or (after[:1].isupper() and after[1:2].islower()) or after[:1].isdigit()
    return bool(_SLASH.search(part)) and (not after or after[0] in "[(")


def _is_letter_among_words(part: str, beside: Sequence[Cell]) -> bool:
    """Tell whether a cell holds one letter only, where all others of its column hold words."""
    others = [flat(other.text) for other in beside if not other.header and other.text.strip()]
    return (
        len(part) == 1
        and part.isalpha()
        and len(others) >= CELLS_UNREAD_LEAST
        and all(len(text) > SHORT for text in others)
    )


def _is_odd(part: str, known: Words) -> bool:
    """Tell whether a part is no word: signs in it that no word has, or letters that make none."""
    bare = part.strip("()[].,;:“”‘’\"'*")
    letters = sum(sign.isalpha() for sign in bare)
    if letters >= SHORT - 1 and _ODD.search(bare):
        return True
    whole = _HYPHEN.sub("", bare)
    if not known.spoken or is_known(whole.casefold()):
        return False
    return any(_is_no_word(token, known) for piece in _HYPHEN.split(bare) for token in _TOKEN.findall(piece))


def _is_no_word(token: str, known: Words) -> bool:
    low = re.split("['’]", token.casefold())[0]
    if len(token) < SHORT or token in known.misread or is_known(low) or known.counts[low] > OFTEN:
        return False
    if _INSIDE.search(token) and not token.isupper():
        return len(token) > SHORT
    return len(low) >= SHORT and rarest(low) <= RARE and known.counts[low] < OFTEN and not _is_compound(low)


def _is_compound(word: str) -> bool:
    words = language_words()
    return any(word[:at] in words and is_known(word[at:]) for at in range(PART, len(word) - PART + 1))


def rarest(word: str) -> int:
    """Return how often the language has the rarest three letters in a row of a word, its ends among them."""
    framed = f"^{word}$"
    return min(_threes()[framed[at : at + 3]] for at in range(len(framed) - 2))


@cache
def _threes() -> Counter[str]:
    counts = Counter[str]()
    for word in language_words():
        framed = f"^{word}$"
        counts.update({framed[at : at + 3] for at in range(len(framed) - 2)})
    return counts


CELL_NOISE_NAMED = 20  # doubtful cells of one page that are named one by one
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


@mechanism("tables.doubtful_cells", "Cells in doubtful tables are doubtful.", without=lambda *_: iter(()))
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
            if place.page in scanned and not any(in_box(box, place) for box in told):
                found[place.page].append((table, text, place))
    said = {problem.message for problem in known}
    yield from (problem for problem in _on_any_page(document) if problem.message not in said)
    for page, places in sorted(found.items()):
        for table, text, place in places[:CELL_NOISE_NAMED]:
            message = f"{_quoted(text)} in {table.label} on page {page} was read with doubt: "
            yield Problem(message + "compare it with the image.", page, place, doubt=True)
        if len(places) > CELL_NOISE_NAMED:
            message = (
                f"{len(places) - CELL_NOISE_NAMED} more values in tables of page {page} were read with doubt."
            )
            yield Problem(message, page, doubt=True)


def _on_any_page(document: Document) -> Iterator[Problem]:
    """Yield a problem for cells with several values."""
    for table in document.tables:
        for cell in merged_cells(table):
            place, text = cell.box, _quoted(flat(cell.text))
            message = f"{text} in {table.label} on page {place.page} holds several values in one cell: "
            message += "see which of them it is on the page."
            yield Problem(message, place.page, place, doubt=True)


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


SIGNED = 3  # numbers of a table with a "+", from which each has a sign
FULL = 5  # values of a column, from which an empty cell among them was lost
ALIKE = 2  # cells beside one that tell what it should be like
SCAN_CELLS_NAMED = 30  # cells of one table that are named one by one; then all of it is in doubt

_SIGNED = re.compile(r"([+−–-])\s?\d+(?:[.,]\d+)?°?")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?°?")
_DEGREES = re.compile(r"[+−–-]?\d+°")
_ENDS_IN_NOUGHT = re.compile(r"[+−–_-]?\s?\d+0|00")
_CARRIES = re.compile(r".*[^\W\d_]{4,} ?([⁰¹²³⁴-⁹ᵃ-ᶻ])")
_SCAN_CELLS_VALUE = re.compile(r"[<>≤≥+−–-]*\s?\d+(?:[.,]\d+)?(?: to \d+(?:[.,]\d+)?)?")


@mechanism(
    "tables.unlike_cells", "A cell unlike the others of its column is doubtful.", without=lambda *_: iter(())
)
def unlike_cells(document: Document, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each such cell of the scanned tables that no `known` doubt lies in."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    told = [problem.box for problem in known if problem.doubt and problem.box]
    for table in document.tables:
        found = {cell.box: cell for cell in _unlike(table) if cell.box.page in scanned}
        new = [cell for box, cell in found.items() if not any(in_box(one, box) for one in told)]
        for cell in new[:SCAN_CELLS_NAMED]:
            yield _doubt(table, cell)
        for box in table.boxes if len(new) > SCAN_CELLS_NAMED else ():
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
    values = [cell for cell in cells if _SCAN_CELLS_VALUE.fullmatch(flat(cell.text))]
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
