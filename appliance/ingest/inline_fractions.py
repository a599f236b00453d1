"""Fractions in running text: numerator, bar and denominator read as one word, "(h/20)", in their line.

Rules of this module: pure; only what proves itself is joined: a short drawn bar with words close over and
under it that reach no further than the bar, at the height of the minus sign of the line beside it, which
is running text. So no underlined word and no cell of a table is one, and a formula that stands alone keeps
its parts (`formula_text`). Scans keep theirs: their words have no sure heights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.formula_text import folded
from appliance.ingest.page import Stroke, Word
from appliance.ingest.rules import Rule

THIN = 2.0  # points: the thickest bar
SHORTEST, LONGEST = 3.0, 90.0  # points
MANY = 400  # short bars on a page: more is a drawing
HANG = 1.5  # points that a part may reach over the end of its bar
CLOSE = 0.55  # type sizes between the bar and the letters over or under it
AXIS = (0.25, 0.72)  # of the height of a word beside it: where the bar runs
BESIDE = 120.0  # points to the words that show the text to be running
SMALLER = 0.86  # of the largest type of a part: an index or a power
TOUCHING = 0.15  # type sizes to a sign that belongs to the fraction
WORDS, LETTERS = 3, 3  # of running text beside the bar, each of so many letters
_BASE, _TOP = 0.22, 0.28  # of the type size: from the foot of a word's box to its letters, and from its top


def with_fractions(words: Sequence[Word], strokes: Sequence[Stroke]) -> list[Word]:
    """Return the words of a page with each fraction in running text as one of them."""
    bars = [
        Rule((s.y0 + s.y1) / 2, s.x0, s.x1)
        for s in strokes
        if s.y1 - s.y0 < THIN and SHORTEST <= s.x1 - s.x0 <= LONGEST
    ]
    left = list(words)
    for bar in sorted(dict.fromkeys(bars), key=lambda rule: rule.length) if len(bars) <= MANY else ():
        left = _joined(left, bar)
    return left


def _joined(words: list[Word], bar: Rule) -> list[Word]:
    """Return the words with those of one fraction as one, all as they are where the bar is none of text."""
    near = [word for word in words if abs((word.y0 + word.y1) / 2 - bar.at) < 2 * word.size and word.upright]
    over = [word for word in near if _within(word, bar) and _gap_over(word, bar)]
    under = [word for word in near if _within(word, bar) and _gap_under(word, bar)]
    parts = {id(word) for word in (*over, *under)}
    line = [word for word in near if id(word) not in parts and _at_axis(word, bar)]
    if not over or not under or not _is_running(line, bar):
        return words
    beside = min(line, key=lambda word: min(abs(word.x1 - bar.start), abs(word.x0 - bar.end)))
    done = folded([*_level(over), *_level(under)], bar)
    if len(done) != 1:
        return words
    at = min(index for index, word in enumerate(words) if id(word) in parts)
    text = f"({done[0].text})" if _multiplied(line, bar) else done[0].text
    whole = replace(done[0], text=text, y0=beside.y0, y1=beside.y1, size=beside.size)
    return [*words[:at], whole, *(word for word in words[at:] if id(word) not in parts)]


def _level(part: Sequence[Word]) -> list[Word]:
    """Return the words of a numerator or denominator, only its smaller ones raised or lowered."""
    size = max(word.size for word in part)
    return [replace(word, rise=0) if word.size > SMALLER * size else word for word in part]


def _multiplied(line: Sequence[Word], bar: Rule) -> bool:
    """Tell whether a sign that is no bracket and no mark of a sentence stands right beside a fraction."""
    behind = [word.text[:1] for word in line if -HANG < word.x0 - bar.end < TOUCHING * word.size]
    before = [word.text[-1:] for word in line if -HANG < bar.start - word.x1 < TOUCHING * word.size]
    return any(sign.isalnum() or sign == "√" for sign in (*behind, *before))


def _within(word: Word, bar: Rule) -> bool:
    return bar.start - HANG <= word.x0 and word.x1 <= bar.end + HANG


def _gap_over(word: Word, bar: Rule) -> bool:
    return -0.1 < (bar.at - (word.y1 - _BASE * word.size)) / word.size < CLOSE


def _gap_under(word: Word, bar: Rule) -> bool:
    return -0.1 < (word.y0 + _TOP * word.size - bar.at) / word.size < CLOSE


def _at_axis(word: Word, bar: Rule) -> bool:
    """Tell whether the bar runs through the middle of a word of the line beside it."""
    apart = max(bar.start - word.x1, word.x0 - bar.end)
    share = (bar.at - word.y0) / max(word.y1 - word.y0, 0.1)
    return -HANG < apart < BESIDE and AXIS[0] <= share <= AXIS[1] and not word.rise


def _is_running(line: Sequence[Word], bar: Rule) -> bool:
    """Tell whether the words beside a bar are running text that it stands in, not the cells of a row."""
    spelled = [
        word for word in line if sum(sign.isascii() and sign.isalpha() for sign in word.text) >= LETTERS
    ]
    touching = any(min(abs(word.x1 - bar.start), abs(word.x0 - bar.end)) < word.size for word in line)
    return len(spelled) >= WORDS and touching
