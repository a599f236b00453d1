"""A formula as text: its number, indices and powers marked, fractions on one line, and what is amiss."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.core.mechanisms import mechanism
from appliance.ingest.page import Line, Rule, Stroke, Word
from appliance.ingest.tables.cells import rows_of
from appliance.text.lookalikes import formula_numbers
from appliance.text.numbers import COUNTED

GAP = 1.4  # type sizes between a formula and its number
PIECES = 4  # words of which a number may be made
LARGEST = 300  # a larger whole number in brackets is a year
_FIGURE = rf"[\d{''.join(map(chr, formula_numbers())).replace(',', '')}]"
LETTERED = r"(?:\.?[a-z])?N?"  # how a number ends; N is decided by each nation: "9.1N", "6.2.a", "6.10.aN"
_NUMBER = re.compile(
    rf"[({{\[](?P<number>(?:NA\.?)?(?:[A-Z]\.?)?{_FIGURE}{{1,3}}(?:[.,-]{_FIGURE}{{1,3}})*{LETTERED})[)}}\]]"
)
_ENDING = re.compile(r"(?:(?<=\w)[a-kmn]|\.[a-kmn]|(?:\.?[a-z])?N)$")
_CLAUSED = re.compile(rf"(?:[A-Z]\.?)?\d{{1,2}}(?:\.\d{{1,2}})*\({COUNTED}\)")  # formula 1 of clause 3.2
_LEADER = re.compile(r"…+|\.{2,}")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A formula's number as printed, without brackets, and the words of the line before it."""

    number: str
    before: tuple[Word, ...]


def number_of(line: Line, words: Sequence[str] = ()) -> Numbered | None:
    """Return the formula number that ends the line.

    `words` are those that may stand with it in its brackets: "(Equation 16-1)".
    """
    named = tuple(f"({word}" for word in words)
    pieces = line.words
    if pieces and _CLAUSED.fullmatch(pieces[-1].text):  # leaders or a gap part it from the formula
        before, last = pieces[:-1], pieces[-1]
        led = bool(before) and _LEADER.fullmatch(before[-1].text) is not None
        if led or not before or last.x0 - before[-1].x1 >= GAP * line.size:
            return Numbered(last.text, before[:-1] if led else before)
    for size in range(1, min(PIECES, len(pieces)) + 1):
        before, tail = pieces[:-size], pieces[-size:]
        if tail[0].text[:1] not in "({[":
            continue
        printed = "".join(word.text for word in tail)
        opened = next((name for name in named if printed.startswith(name)), "(")
        match = _NUMBER.fullmatch("(" + printed.removeprefix(opened) if opened != "(" else printed)
        number = _clean(match["number"]) if match else None
        if number is None or (before and tail[0].x0 - before[-1].x1 < GAP * line.size):
            return None
        return Numbered(number, before)
    return None


def _clean(printed: str) -> str | None:
    """Return the number with look-alike letters as digits, None where it is no number of a formula."""
    if not any(char.isdigit() for char in printed) or (printed[-1] == "N" and "." not in printed):
        return None  # "(10N)" is a force
    head = re.match(r"(?:NA\.?)?(?:[A-HJ-NP-RT-Z]\.?)?", printed)
    start = head.end() if head else 0
    ending = _ENDING.search(printed)
    last = ending.start() if ending and ending.start() > start else len(printed)
    number = printed[:start] + printed[start:last].translate(formula_numbers()) + printed[last:]
    return None if number.isdecimal() and int(number) > LARGEST else number


REACH = 1.6  # type sizes between a bar and the words over and under it
_PRODUCT = re.compile(r"\d[^\W\d_]|[⋅·×+−]|[\U0001d400-\U0001d7ff]{2}")
INDEX = 0.86  # of the size of a letter: its indices and powers are smaller
NEXT, OFF, FAR = 0.35, 0.25, 1.1  # type sizes from a letter to its index: across, and down at least, at most
LONG = 3.0  # points that a bar may be shorter than what stands over or under it


def linear(words: Sequence[Word]) -> str:
    """Return the words of one row as text."""
    text = ""
    at = 0
    while at < len(words):
        word, end = words[at], at + 1
        while (
            word.rise
            and end < len(words)
            and words[end].rise == word.rise
            and words[end].x0 - words[end - 1].x1 < 0.5 * words[end].size
        ):
            end += 1
        piece = " ".join(w.text for w in words[at:end])
        if word.rise and text:
            sign = "_" if word.rise < 0 else "^"
            text += f"{sign}{piece}" if piece.isalnum() else f"{sign}({piece})"
        else:
            text += piece if word.glued or not text else f" {piece}"
        at = end
    return text.strip()


def _indexed(words: Sequence[Word]) -> list[Word]:
    """Return the words, small ones over and under the end of a letter as its power and its index.

    Where both stand over each other, or far from the line, the file has them in lines of their own.
    """
    level = [word for word in words if not word.rise]
    behind: dict[int, list[Word]] = {}
    moved = set()
    for word in level:
        bases = [other for other in level if other.size * INDEX >= word.size and _ends_at(other, word)]
        if bases:
            base = max(bases, key=lambda other: other.x1)
            rise = 1 if word.y0 + word.y1 < base.y0 + base.y1 else -1
            behind.setdefault(id(base), []).append(replace(word, rise=rise, glued=True))
            moved.add(id(word))
    kept = [word for word in words if id(word) not in moved]
    found: list[Word] = []
    waiting: list[Word] = []
    for word in kept:
        if word.rise >= 0:
            found, waiting = [*found, *waiting], []
        own = behind.get(id(word), [])
        found += [word, *(one for one in own if one.rise < 0)]
        waiting += [one for one in own if one.rise > 0]  # behind an index that the line has itself
        waiting = [replace(one, x0=max(one.x0, found[-1].x0)) for one in waiting]
    return [*found, *waiting]


def _ends_at(base: Word, small: Word) -> bool:
    """Tell whether a small word stands right behind a letter or bracket, over or under its middle."""
    off = abs(small.y0 + small.y1 - base.y0 - base.y1) / 2
    beside = -0.15 * base.size <= small.x0 - base.x1 <= NEXT * base.size
    indexed = small.text.isalnum() and bool(base.text) and (base.text[-1].isalnum() or base.text[-1] in ")]")
    return beside and OFF * base.size <= off <= FAR * base.size and indexed


def formula_text(words: Sequence[Word], bars: Sequence[Rule]) -> str:
    """Return the words of a formula as text, one row to a line; `bars` are rules among them."""
    left = list(words)
    for bar in sorted(bars, key=lambda rule: rule.length):
        left = folded(left, bar)
    rows: list[Sequence[Word]] = [row.words for row in rows_of(_indexed(left))]
    if len(left) < len(words):  # the file may have measured what is raised from a part of a fraction
        rows = [_lowered(list(row)) for row in rows]
    return "\n".join(linear(row) for row in rows)


def folded(words: list[Word], bar: Rule) -> list[Word]:
    """Return the words with those over and under the bar as one word that stands at the bar."""
    spanned = [w for w in words if bar.start - LONG <= (w.x0 + w.x1) / 2 <= bar.end + LONG]
    over = [w for w in spanned if w.y0 < bar.at and 0 <= bar.at - (w.y0 + w.y1) / 2 < REACH * w.size]
    under = [w for w in spanned if w.y1 > bar.at and 0 < (w.y0 + w.y1) / 2 - bar.at < REACH * w.size]
    if not over or not under:
        return words
    text = f"{_grouped(over)}/{_grouped(under)}"
    size = max(w.size for w in (*over, *under))
    middle = next((w for w in words if w not in spanned and w.y0 < bar.at < w.y1 and not w.rise), None)
    y0, y1 = (middle.y0, middle.y1) if middle else (bar.at - size / 2, bar.at + size / 2)
    whole = replace(
        over[0], text=text, x0=bar.start, x1=bar.end, y0=y0, y1=y1, size=size, rise=0, glued=False
    )
    return [w for w in words if w not in over and w not in under] + [whole]


def _grouped(words: list[Word]) -> str:
    words = _lowered(words)
    text = " ".join(linear(row.words) for row in rows_of(words))
    plain = [w for w in words if not w.rise]
    return text if len(plain) == 1 and not _PRODUCT.search(plain[0].text) else f"({text})"


def _lowered(words: list[Word]) -> list[Word]:
    """Return the words with small ones raised or lowered by the word before them, not by the line's."""
    done: list[Word] = []
    base: Word | None = None
    for word in sorted(words, key=lambda w: w.x0):
        if not word.rise:
            base = word
        elif base is not None:
            sunk = word.y1 >= base.y1 - 0.1 * base.size
            done.append(replace(word, rise=-1 if sunk else 1))
            continue
        done.append(word)
    return done


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


@mechanism("formulas.inline_fractions", without=lambda words, _strokes: list(words))
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
    within = [word for word in near if bar.start - HANG <= word.x0 and word.x1 <= bar.end + HANG]
    over = [w for w in within if -0.1 < (bar.at - (w.y1 - _BASE * w.size)) / w.size < CLOSE]
    under = [w for w in within if -0.1 < (w.y0 + _TOP * w.size - bar.at) / w.size < CLOSE]
    parts = {id(word) for word in (*over, *under)}
    line = [  # the words beside it through whose middle the bar runs
        w
        for w in near
        if id(w) not in parts
        and -HANG < max(bar.start - w.x1, w.x0 - bar.end) < BESIDE
        and AXIS[0] <= (bar.at - w.y0) / max(w.y1 - w.y0, 0.1) <= AXIS[1]
        and not w.rise
    ]
    # running text that it stands in, not the cells of a row
    spelled = [w for w in line if sum(sign.isascii() and sign.isalpha() for sign in w.text) >= LETTERS]
    touching = any(min(abs(w.x1 - bar.start), abs(w.x0 - bar.end)) < w.size for w in line)
    if not over or not under or len(spelled) < WORDS or not touching:
        return words
    beside = min(line, key=lambda word: min(abs(word.x1 - bar.start), abs(word.x0 - bar.end)))
    done = folded([*_level(over), *_level(under)], bar)
    if len(done) != 1:
        return words
    at = min(index for index, word in enumerate(words) if id(word) in parts)
    # a sign that is no bracket and no mark of a sentence right beside it
    behind = [w.text[:1] for w in line if -HANG < w.x0 - bar.end < TOUCHING * w.size]
    before = [w.text[-1:] for w in line if -HANG < bar.start - w.x1 < TOUCHING * w.size]
    multiplied = any(sign.isalnum() or sign == "√" for sign in (*behind, *before))
    text = f"({done[0].text})" if multiplied else done[0].text
    whole = replace(done[0], text=text, y0=beside.y0, y1=beside.y1, size=beside.size)
    return [*words[:at], whole, *(word for word in words[at:] if id(word) not in parts)]


def _level(part: Sequence[Word]) -> list[Word]:
    """Return the words of a numerator or denominator, only its smaller ones raised or lowered."""
    size = max(word.size for word in part)
    return [replace(word, rise=0) if word.size > SMALLER * size else word for word in part]


RELATIONS = "=<>≤≥≈≠∼"


def incomplete(text: str) -> str:
    """Return why a text whose letters are sure cannot be the whole formula, "" where nothing tells so."""
    if not text.strip():
        return "its signs have no text"
    # a row in which nothing equals or bounds anything is a part of a fraction or sum
    related = [any(sign in row for sign in RELATIONS) for row in text.splitlines() if row.strip()]
    if not any(related):
        return "nothing in it equals or bounds anything"
    return "" if all(related) else "its rows do not join"
