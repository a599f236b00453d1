"""Note marks and stray signs in the cells of scanned tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from string import ascii_lowercase

from appliance.core.document import Cell
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import raised
from appliance.ingest.tables.notes import PrintedNote
from appliance.text.numbers import unit_pattern

NEAR = 1.5  # type sizes between a word and the mark behind it
LEVEL = 0.5  # of the height of the lower of two words of one line
_SIGN = r"[^\W_]|\*"
_MARKS = re.compile(rf"\)?(?:(?:{_SIGN})\))+")
_BRACKET = re.compile(r"[\[\]|](?=\))")  # "[)2)": what a raised 1 before its bracket is read as
_GROWN = re.compile(rf"([^()]*?(?:\d|[^\W\d_]{{3}}))((?:(?:{_SIGN})\))+)")
_LETTER = re.compile(r"([a-z])\.?\s+(?=\S)|(\d{1,2})\s+(?=[^\W\da-z_])")  # "b The term", "2 Values"
_SQUARE = re.compile(r"\[(\d{1,2}|[a-z])\]")  # "9 [1]"
_BEHIND = re.compile(r"(.*?\S) ([a-z](?:, ?[a-z])*)((?: [\[(][^\[\]()]*[\])])?)")  # "Force Fdx a [kN]"
_RAISED_LETTERS = frozenset(raised(ascii_lowercase)) - frozenset(ascii_lowercase)


def with_marks(words: Sequence[Word], marks: Collection[str]) -> list[Word]:
    """Return the words with the marks of notes raised; `marks` are the bare ones of the table's notes."""
    return [part for word in words for part in _lifted(word, words, marks)] if marks else list(words)


def _lifted(word: Word, words: Sequence[Word], marks: Collection[str]) -> Iterator[Word]:
    if _MARKS.fullmatch(read := _BRACKET.sub("1", word.text)):
        word = replace(word, text=read)
    square = _SQUARE.fullmatch(word.text)
    if square and square[1] in marks and _carried(word, words):
        yield replace(word, text=square[1], rise=1, glued=True)
    elif word.rise or not word.text.endswith(")"):
        yield word
    elif _MARKS.fullmatch(word.text) and _known(word.text, marks) and _carried(word, words):
        yield replace(word, rise=1, glued=True)
    elif (grown := _GROWN.fullmatch(word.text)) and _known(grown[2], marks):
        middle = word.x0 + (word.x1 - word.x0) * len(grown[1]) / len(word.text)
        yield replace(word, text=grown[1], x1=middle)
        yield replace(word, text=grown[2], x0=middle, rise=1, glued=True)
    else:
        yield word


def _known(text: str, marks: Collection[str]) -> bool:
    return set(text.lstrip(")").split(")")[:-1]) <= set(marks)


def _carried(mark: Word, words: Sequence[Word]) -> bool:
    """Tell whether a word stands right before a mark, and no open bracket before that."""
    line = [word for word in words if word is not mark and word.x0 < mark.x0 and _level(word, mark)]
    text = "".join(word.text for word in line)
    near = any(-1 < mark.x0 - word.x1 < NEAR * mark.size for word in line)
    return near and text.count("(") <= text.count(")")


def _level(one: Word, other: Word) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > LEVEL * min(one.y1 - one.y0, other.y1 - other.y0)


def told(notes: Sequence[PrintedNote], marks: Collection[str]) -> tuple[PrintedNote, ...]:
    """Return the notes that begin with a bare letter with it as their mark.

    The letter is a mark where the cells carry it, where it goes on behind such a one, and where the first
    note begins with a small "a" before a capital.
    """
    result: list[PrintedNote] = []
    last = ""
    for note in notes:
        found = None if note.mark else _LETTER.match(note.text)
        if found and found[2]:
            mark = found[2] if found[2] in marks else ""
            result.append(replace(note, mark=mark, text=note.text[found.end() :]) if mark else note)
        elif found and (
            found[1] in marks or found[1] == following(last) or (not result and _is_first(note.text))
        ):
            last = found[1]
            result.append(replace(note, mark=last, text=note.text[found.end() :]))
        else:
            result.append(note)
    return tuple(result)


def _is_first(text: str) -> bool:
    return text[:2] == "a " and text[2:3].isupper()


def following(letter: str) -> str:
    """Return the next letter of the alphabet, "" behind none."""
    return chr(ord(letter) + 1) if letter else ""


def behind(text: str) -> tuple[str, tuple[str, ...], str]:
    """Return a text, the bare letters behind it that may be marks ("150 b, n"), and a unit behind those."""
    found = _BEHIND.fullmatch(" ".join(text.split()))
    return (found[1], tuple(re.findall("[a-z]", found[2])), found[3]) if found else (text, (), "")


def tied(cells: Sequence[Cell], marks: Collection[str], notes: Sequence[str]) -> list[Cell]:
    """Return the cells with the letters behind their texts raised, where notes of the table have these marks.

    A table that raises its marks in print is left as it is. A letter is no mark where it tells labels
    apart ("Case a", "Case b"), where a word for notes stands before it ("Note c"), or where it may be the
    unit of a number and the head of the column names none.
    """
    united = {cell.column for cell in cells if cell.header and cell.text.rstrip().endswith((")", "]"))}
    printed = {sign for cell in cells for sign in cell.text if sign in _RAISED_LETTERS}
    if not marks or any(raised(mark) in printed for mark in marks):
        return list(cells)
    parted = [behind(cell.text) for cell in cells]
    names = Counter(text for text, letters, _ in parted if letters and not text[-1:].isdigit())
    return [
        replace(cell, text=text + ",".join(raised(letter) for letter in letters) + unit)
        if letters
        and set(letters) <= set(marks)
        and names[text] < 2
        and text.split()[-1].casefold() not in {word.casefold() for word in notes}
        and (not text[-1:].isdigit() or cell.column in united or not set(letters) & units())
        else cell
        for cell, (text, letters, unit) in zip(cells, parted, strict=True)
    ]


@cache
def units() -> frozenset[str]:
    """Return the letters that are units by themselves: "m"."""
    return frozenset(letter for letter in ascii_lowercase if unit_pattern().fullmatch(letter))
