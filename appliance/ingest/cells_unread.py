"""Cells of scanned tables whose words are no words: what character recognition made of rules and small print.

Rules of this module: pure; only tables of pages that were read by character recognition are looked at, and
nothing that is printed is changed. A word is taken for print where the language has it, where it is made of
two of its words, where the document has it more than once, or where it is a usual misreading of such a
word, which search folds. It is no print where signs of no word stand in it, capitals in its middle, or
letters in an order that the language does not know (in a language whose words are not known here, only the
signs are judged). A hyphen that no word goes on behind shows that the
lines of two columns were read as one. A table with many such cells was not parted as it is printed: none
of it is sure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from appliance.document import Box, Cell, Document, Problem, Table
from appliance.ingest.noise import find_noise, is_known
from appliance.lookalikes import language_words, words_language
from appliance.tabular import flat

NAMED = 12  # cells of one table that are named one by one
RARE = 1  # words of the language in which the rarest three letters of a word stand
SHORT = 4  # letters: a shorter word may be a symbol
OFTEN = 2  # times a word must stand in a document to be one of its words
MANY, LEAST = 0.1, 3  # share of the filled cells, and how many, that make a whole table doubtful
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
    if len(odd) >= LEAST and len(odd) >= MANY * len(filled):
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
        and len(others) >= LEAST
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
