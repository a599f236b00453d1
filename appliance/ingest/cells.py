"""Words of an area as text: fragments, lines and cell text with the marks of footnotes kept apart.

Rules of this module: pure; a raised figure after a unit is a power ("m2"), a raised mark after
anything else is a footnote's mark and is written as a raised sign, never run into the value
("18²", not "182").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from appliance.ingest.page import Word

SPACE = 1.15  # ems: words further apart belong to two fragments
SMALL = 0.7  # of the usual size: a mark, not a word
BASELINE = 0.45  # ems between words of one line
_RAISED = str.maketrans("0123456789+-()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_POWERS = frozenset("23-")  # what is raised after a unit
_LONGEST_UNIT = 4


@dataclass(frozen=True, slots=True)
class Fragment:
    """Words of one line without a wide gap."""

    words: tuple[Word, ...]

    @property
    def x0(self) -> float:
        """Left edge in points."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Right edge in points."""
        return max(word.x1 for word in self.words)


@dataclass(frozen=True, slots=True)
class Row:
    """Words of one baseline, left to right."""

    words: tuple[Word, ...]

    @property
    def y0(self) -> float:
        """Top in points."""
        return min(word.y0 for word in self.words)

    @property
    def y1(self) -> float:
        """Bottom in points."""
        return max(word.y1 for word in self.words)

    @property
    def base(self) -> float:
        """The bottom of the words that stand on the line, in points."""
        return max((word.y1 for word in self.words if not word.rise), default=self.y1)

    @property
    def size(self) -> float:
        """Type size in points, of the words that stand on the line."""
        return max(word.size for word in self.words)

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """Return the words in runs without a wide gap."""
        runs: list[list[Word]] = []
        for word in self.words:
            if runs and word.x0 - runs[-1][-1].x1 < SPACE * max(word.size, 1.0):
                runs[-1].append(word)
            else:
                runs.append([word])
        return tuple(Fragment(tuple(run)) for run in runs)


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Return the words as lines, top to bottom; raised and lowered words join the line they touch."""
    marked = _marked(list(words))
    level = sorted((w for w in marked if not w.rise), key=lambda w: (w.y1, w.x0))
    small = [w for w in marked if w.rise]
    rows: list[list[Word]] = []
    for word in level:
        close = [r for r in rows[-4:] if abs(r[0].y1 - word.y1) <= BASELINE * min(word.size, r[0].size)]
        if close:
            close[-1].append(word)
        else:
            rows.append([word])
    for word in small:
        home = min(rows, key=lambda r: _distance(r, word), default=None)
        if home is None or _distance(home, word) > word.size:
            rows.append([word])
        else:
            home.append(word)
    return sorted((Row(tuple(sorted(r, key=lambda w: w.x0))) for r in rows), key=lambda r: r.base)


def _marked(words: list[Word]) -> list[Word]:
    """Mark small raised words that the reader of the page took for words of a line of their own."""
    if not words:
        return words
    usual = median(word.size for word in words)
    result: list[Word] = []
    for word in words:
        if not word.rise and word.size <= SMALL * usual and _hangs(word, words):
            result.append(replace(word, rise=1))
        else:
            result.append(word)
    return result


def _hangs(small: Word, words: list[Word]) -> bool:
    """Tell whether the small word stands raised just behind a bigger one."""
    return any(
        0 <= small.x0 - big.x1 + 1 < big.size
        and big.size * SMALL >= small.size
        and big.y0 - big.size * 0.3 < small.y1 < big.y1 - big.size * 0.15
        for big in words
    )


def _distance(row: list[Word], word: Word) -> float:
    """Return how far a raised or lowered word stands from a line, in points; its neighbour decides."""
    before = [w for w in row if w.x1 <= word.x0 + word.size and not w.rise]
    nearest = max(before, key=lambda w: w.x1) if before else row[0]
    gap = max(0.0, word.x0 - nearest.x1)
    return max(0.0, nearest.y0 - word.y1, word.y0 - nearest.y1) + min(gap, word.size * 2) * 0.2


def text_of(words: Sequence[Word]) -> str:
    """Return the words of one line as text."""
    text = ""
    for word in words:
        piece = word.text
        glue = word.glued or not text
        if word.rise > 0 and not _is_power(text, word):
            piece, glue = piece.translate(_RAISED), True
        text += piece if glue else " " + piece
    return text.strip()


def _is_power(before: str, word: Word) -> bool:
    """Tell whether a raised word is the power of the unit before it."""
    tail = before.rsplit(" ", 1)[-1].rsplit("/", 1)[-1].lstrip("0123456789.,([")
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
