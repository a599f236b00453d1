"""Marks of a table's notes that character recognition set level with the words that carry them.

Rules of this module: pure; a mark is lifted only where a note of the table begins with it, so that
"24,01)" is 24,0 with the mark 1) under a table that has a note 1), and stays as it is under any other.
What would leave a broken number ("2," of "2,1)") is left. Lettered notes whose letters were misread are
tied to the labels that they name first, in the order of the alphabet.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from appliance.ingest.page import Word
from appliance.ingest.table_notes import PrintedNote
from appliance.lookalikes import value_digits

NEAR = 1.5  # type sizes between a word and the mark behind it
LEVEL = 0.5  # of the height of the lower of two words of one line
_SIGN = r"[^\W_]|\*"
_MARKS = re.compile(rf"\)?(?:(?:{_SIGN})\))+")
_GROWN = re.compile(rf"([^()]*?(?:\d|[^\W\d_]{{3}}))((?:(?:{_SIGN})\))+)")
_NAMES = re.compile(r"([^\W\d_])\s+([^\W\d_]{4,})\b")  # "b Normal topography: areas where"


def with_marks(words: Sequence[Word], marks: Collection[str]) -> list[Word]:
    """Return the words with the marks of notes raised; `marks` are the bare ones of the table's notes."""
    return [part for word in words for part in _lifted(word, words, marks)] if marks else list(words)


def _lifted(word: Word, words: Sequence[Word], marks: Collection[str]) -> Iterator[Word]:
    if word.rise or not word.text.endswith(")"):
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


def numbered(notes: Sequence[PrintedNote]) -> tuple[PrintedNote, ...]:
    """Return the notes with a mark that was read as a letter as the figure that the next one follows."""
    result = list(notes)
    for at, (note, after) in enumerate(pairwise(notes)):
        figure = value_digits().get(note.mark, "")
        if figure and after.mark.isdigit() and int(after.mark) == int(figure) + 1:
            result[at] = replace(note, mark=figure)
    return tuple(result)


def lettered(notes: Sequence[PrintedNote], labels: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Return, by its place among the notes, the label that each note names first, and its letter.

    Only where several unmarked notes name a label each, in the order of the labels, and at least one of
    their letters was read as it must be.
    """
    found: dict[int, tuple[int, str]] = {}
    seen = []
    for at, note in enumerate(notes):
        named = None if note.mark else _NAMES.match(note.text)
        homes = [i for i, label in enumerate(labels) if named and _carries(label, named[2])]
        if named and len(homes) == 1:
            found[at] = homes[0], chr(ord("a") + len(found))
            seen.append(named[1])
    in_order = [home for home, _ in found.values()] == sorted({home for home, _ in found.values()})
    right = any(letter == read for (_, letter), read in zip(found.values(), seen, strict=True))
    return found if len(found) > 1 and in_order and right else {}


def _carries(label: str, word: str) -> bool:
    """Tell whether a label is the word and a sign that may be its mark."""
    rest = label[len(word) :].strip()
    return label.startswith(word) and len(rest) == 1
