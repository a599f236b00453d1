"""Words from the characters of a text line: fonts mapped to Unicode, text from the right as it is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import groupby
from sys import intern
from typing import Any

from appliance.core.files import shipped
from appliance.ingest.page import Rect, Word
from appliance.text.numbers import unit_pattern

UNKNOWN = "\ufffd"  # what a character without a known meaning is read as
PRIVATE_USE = 0xF000  # where PDF text puts the codes of symbolic fonts

# Signs of Latin-1 that a symbol font really holds: seen there, they are already Unicode.
_SHARED = frozenset("°±×÷¬®©µ")
_SPACES = frozenset(
    " \t\r\n\v\f\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
)
_FOLDED = {  # what is not seen, and hyphens that are drawn as, and searched with, that of keyboards
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    **dict.fromkeys("\u2010\u2011", "-"),
}


@cache
def font_codes(font: str) -> Mapping[int, str]:
    """Return the code table of a font by its name ("ABCDEF+SymbolMT"); empty for ordinary fonts."""
    name = font.rpartition("+")[2].replace(" ", "").lower()
    families = (family for family in shipped("characters").values() if "fonts" in family)
    return next((_codes(family) for family in families if name.startswith(tuple(family["fonts"]))), {})


@cache
def _symbol_codes() -> Mapping[int, str]:
    """Return the code table of a symbolic font whose name tells nothing: that of the first family."""
    return _codes(next(family for family in shipped("characters").values() if "fonts" in family))


def _codes(family: Mapping[str, Any]) -> Mapping[int, str]:
    if page := family.get("page"):  # the font's map takes the codes of Windows for those of an older page
        signs = [bytes([code]) for code in range(0x80, 0x100)]
        return {ord(sign.decode(page)): sign.decode("cp1252", "replace") for sign in signs}
    return {int(code, 16): char for code, char in family["codes"].items()}


def repaired(char: str, codes: Mapping[int, str]) -> str:
    """Return the character as Unicode text ("" for an invisible one), by its font's code table."""
    code = ord(char)
    if PRIVATE_USE <= code <= PRIVATE_USE + 0xFF:
        return (codes or _symbol_codes()).get(code - PRIVATE_USE, UNKNOWN)
    if 0xE000 <= code <= 0xF8FF or code >= 0xF0000:  # Unicode leaves their meaning to the font
        return UNKNOWN
    if code in codes and char not in _SHARED:
        return codes[code]
    if 0x80 <= code < 0xA0:  # control characters that no text has: a map that took Windows' codes
        return bytes([code]).decode("cp1252", "replace")
    if "ﬀ" <= char <= "ﬆ":  # ligatures
        return unicodedata.normalize("NFKC", char)
    return _FOLDED.get(char, char)


ASCENT = 0.78  # of the font size, above the baseline: top of a word's box
DESCENT = 0.22  # of the font size, below the baseline: bottom of a word's box
SMALLER = 0.86  # a raised or lowered piece is smaller than this share of its line's size
SLANT = 0.3  # sine of the angle up to which text still counts as level (a scan lying askew)
RAISED = 0.12  # of the line's size: baseline shift that makes a superscript
LOWERED = 0.06  # idem, a subscript
RAISED_AS_LARGE = 0.25  # of the size: a sign of the same type so much higher than the word before is raised
MARK = 2  # signs of such a mark
STEP = 0.4  # type sizes between the baselines of a numerator or denominator and of what stands beside it
ROOT = "√"
SOFT = "\u00ad"  # a hyphen that only parts a word
ROOM = 0.05  # points: what is not wider is not drawn
LEADER = 8  # replacement signs in a row that fill a line
LEVEL = 0.9  # cosine of the angle to a side of the page from which a direction counts as along it
_BOLD, _ITALIC = 16, 2  # span flags of MuPDF, which knows a bold font by the word "Bold" in its name
_HEAVIER = ("Black", "Heavy")  # what weights above it are called

Matrix = tuple[float, float, float, float, float, float]


@dataclass(slots=True)
class _Draft:
    """A word while its characters arrive."""

    span: dict[str, Any]
    rise: int
    glued: bool
    text: str = ""
    boxes: list[Rect] = field(default_factory=list)
    baseline: float = 0.0


def line_words(line: dict[str, Any], turn: Matrix | None) -> Iterator[tuple[Word, bool]]:
    """Yield the words of a rawdict line, each with whether it is invisible (an OCR layer)."""
    x, y = line["dir"]
    drawn = _quarter(x, y)
    shown = _quarter(x * turn[0] + y * turn[2], x * turn[1] + y * turn[3]) if turn else drawn
    run = _Run(drawn, shown)
    for draft in _drafts(line["spans"] if shown else left_to_right(line["spans"]), run):
        yield _finished(draft, run, turn), not draft.span.get("alpha", 255)


@dataclass(frozen=True, slots=True)
class _Run:
    """How a line runs: `drawn` in the file and `shown` on the page, in degrees anticlockwise.

    Both are whole quarters, None for a slanting line.
    """

    drawn: int | None
    shown: int | None

    def base(self, origin: tuple[float, float]) -> float:
        """Return how far down, as its reader sees it, the baseline of a character lies."""
        x, y = origin
        return {0: y, 90: x, 180: -y, 270: -x}[self.drawn or 0]


def _quarter(x: float, y: float) -> int | None:
    if abs(x) > LEVEL and abs(y) < SLANT:
        return 0 if x > 0 else 180
    if abs(y) > LEVEL and abs(x) < SLANT:
        return 270 if y > 0 else 90
    return None


def _rise(draft: _Draft | None, span: dict[str, Any], size: float, base: float, run: _Run) -> int:
    """Return the rise of a span on a line whose main type has that size and baseline.

    A mark right behind a word, in its type, that stands higher is raised too; never in a hidden layer.
    """
    if run.drawn is None or not span["chars"]:
        return 0
    here = run.base(span["chars"][0]["origin"])
    shift = base - here if span["size"] < size * SMALLER else 0.0
    if shift > RAISED * size or shift < -LOWERED * size:
        return 1 if shift > 0 else -1
    if not draft or not draft.text[-1:].isalpha() or draft.rise or len(draft.text) <= MARK:
        return 0
    signs = "".join(char["c"] for char in span["chars"]).rstrip()
    if not signs.isalnum() or len(signs) > MARK or not span.get("alpha", 255):
        return 0
    return int(RAISED_AS_LARGE * span["size"] < draft.baseline - here < span["size"])


def _drafts(spans: list[dict[str, Any]], run: _Run) -> Iterator[_Draft]:
    # size and baseline of the span that holds most of the line's characters
    main = max(spans, key=lambda span: (len(span["chars"]) * span["size"], span["size"]), default={})
    first = main["chars"][0] if main.get("chars") else None
    base = run.base(first["origin"]) if first else 0.0
    draft: _Draft | None = None
    for span in spans:
        codes = font_codes(span["font"])
        rise = _rise(draft, span, main["size"], base, run)
        if draft and draft.text and _begins(draft, span, rise, run):
            yield draft
            draft = _Draft(span, rise, glued=True)
        for char in _without_leaders(span["chars"]):
            raw = char["c"]
            x0, y0, x1, y1 = char["bbox"]
            if raw == SOFT and min(x1 - x0, y1 - y0) <= ROOM:
                continue
            if raw in _SPACES or raw < " ":  # control characters separate words, too
                if draft and draft.text:
                    yield draft
                draft = None
                continue
            draft = draft or _Draft(span, rise, glued=False)
            if not draft.boxes:
                draft.baseline = run.base(char["origin"])
            draft.boxes.append(char["bbox"])
            draft.text += raw if char.get("proven") else repaired(raw, codes)
    if draft and draft.text:
        yield draft


def _without_leaders(chars: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the characters but for leaders that the file declares to read as a tab.

    MuPDF gives such a row of dots as the control character that stands for it and one replacement
    sign for each dot; a few of them behind a control character may be signs and stay.
    """
    at = 0
    while at < len(chars):
        yield chars[at]
        at += 1
        if chars[at - 1]["c"] < " ":
            end = next((i for i in range(at, len(chars)) if chars[i]["c"] != UNKNOWN), len(chars))
            at = end if end - at >= LEADER else at


def _begins(draft: _Draft, span: dict[str, Any], rise: int, run: _Run) -> bool:
    """Tell whether a span begins a piece: of another type or rise, or at another height as in a fraction."""
    before = draft.span
    if rise != draft.rise or span["font"] != before["font"] or abs(span["size"] - before["size"]) > 0.2:
        return True
    if run.drawn is None or rise or not span["chars"]:
        return False
    if ROOT in {draft.text[-1], span["chars"][0]["c"]}:  # some fonts hang it from its top
        return False
    step = abs(run.base(span["chars"][0]["origin"]) - draft.baseline)
    return step > STEP * float(span["size"])


def _finished(draft: _Draft, run: _Run, turn: Matrix | None) -> Word:
    """Return a word: as long as its characters, as high as its type size."""
    span, text = draft.span, draft.text
    size, flags = span["size"], span["flags"]
    lefts, tops, rights, feet = zip(*draft.boxes, strict=True)
    x0, y0, x1, y1 = min(lefts), min(tops), max(rights), max(feet)
    if run.drawn is not None and size > 0:
        top, low = _heights(draft.baseline, size)
        across = (top, low) if run.drawn in {0, 90} else (-low, -top)
        x0, y0, x1, y1 = (
            (across[0], y0, across[1], y1) if run.drawn in {90, 270} else (x0, across[0], x1, across[1])
        )
    if turn:
        x0, y0, x1, y1 = turned((x0, y0, x1, y1), turn)
    # Many a font has one drawing for hyphens and soft hyphens, and its file then names every minus and hyphen
    # a soft one; only at the end of a word, where a line may end too, can it be a mark that parts the word.
    parts = len(text) > 1 or draft.glued
    text = text[:-1].replace(SOFT, "-") + text[-1:] if parts else text.replace(SOFT, "-")
    return Word(
        text=intern(text if run.shown else as_read(text)),
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        font=intern(span["font"]),
        size=_size(size),
        bold=bool(flags & _BOLD) or any(weight in span["font"] for weight in _HEAVIER),
        italic=bool(flags & _ITALIC),
        colour=span["color"],
        upright=run.shown == 0,
        rise=draft.rise,
        glued=draft.glued,
        way=run.shown or 0,
    )


@lru_cache(maxsize=256)
def _size(size: float) -> float:
    """Return a type size as it is kept: one number for all words of that size, as of their heights."""
    return round(size, 2)


@lru_cache(maxsize=256)
def _heights(base: float, size: float) -> tuple[float, float]:
    """Return the top and the foot of the words on one baseline."""
    return base - ASCENT * size, base + DESCENT * size


def turned(box: Rect, turn: Matrix) -> Rect:
    """Return the box after the page's rotation."""
    a, b, c, d, e, f = turn
    xs = [a * x + c * y + e for x in (box[0], box[2]) for y in (box[1], box[3])]
    ys = [b * x + d * y + f for x in (box[0], box[2]) for y in (box[1], box[3])]
    return min(xs), min(ys), max(xs), max(ys)


LAST_CODE = 0xFF  # of a font with one byte for a character
_TOKEN = re.compile(r"/(?P<name>[^\s/\[\]<>()]+)|(?P<code>\d+)")
_EMPTY = b"""begincmap
1 begincodespacerange
<00> <FF>
endcodespacerange
endcmap
"""


def meant(differences: str) -> dict[int, str]:
    """Return code -> character for the glyphs of an encoding's differences whose names are known."""
    known = shipped("characters")["glyph_names"]
    found: dict[int, str] = {}
    code = 0
    for token in _TOKEN.finditer(differences):
        if token["code"]:
            code = int(token["code"])
            continue
        if token["name"] in known and code <= LAST_CODE:
            found[code] = known[token["name"]]
        code += 1
    return found


def with_meanings(cmap: bytes, meanings: Mapping[int, str]) -> bytes:
    """Return the map to Unicode (b"" where the font has none) with the meanings of these codes on top."""
    before, _, after = (cmap if b"endcmap" in cmap else _EMPTY).partition(b"endcmap")
    rows = "".join(
        f"<{code:02X}> <{char.encode('utf-16-be').hex().upper()}>\n" for code, char in meanings.items()
    )
    return before + f"{len(meanings)} beginbfchar\n{rows}endbfchar\nendcmap".encode("ascii") + after


_RIGHT = frozenset({"R", "AL"})
_PLAIN = frozenset({"L", "EN", "AN"})  # what keeps its direction inside text from right to left
_FORMS = ((0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))  # letters of Hebrew and Arabic in the shape of their place
_MIRROR = str.maketrans("()[]", ")(][")


@cache
def _class(sign: str) -> str:
    return unicodedata.bidirectional(sign)


def runs_left(text: str) -> bool:
    """Tell whether the text holds a letter of a script that runs from right to left."""
    return not text.isascii() and any(_class(sign) in _RIGHT for sign in text)


def shaped(sign: str) -> str:
    """Return the letters that a shape of a letter or ligature stands for, as they are drawn."""
    if any(first <= ord(sign) <= last for first, last in _FORMS):
        return unicodedata.normalize("NFKC", sign)[::-1]
    return sign


def left_to_right(spans: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the spans of a rawdict line, their characters in the order in which they stand.

    Several characters of one glyph are given as they would stand if each were drawn.
    """
    chars = [(span, char) for span in spans for char in span["chars"]]
    if not any(_class(char["c"]) in _RIGHT for _, char in chars if not char["c"].isascii()):
        return list(spans)
    starts = [char["bbox"][0] for _, char in chars]
    wide = [char["bbox"][2] - char["bbox"][0] > 0.01 for _, char in chars]
    places: list[tuple[float, int, int]] = []  # from left to right; those without width go with a glyph
    for at, (_, char) in enumerate(chars):
        if wide[at]:
            places.append((starts[at], 1, 0))
            continue
        before = next((i for i in range(at - 1, -1, -1) if wide[i]), None)
        after = next((i for i in range(at + 1, len(chars)) if wide[i]), None)
        turned = before is not None and after is not None and starts[after] < starts[before]
        follows = not turned or unicodedata.category(char["c"]) == "Mn"
        glyph = before if (follows and before is not None) or after is None else after
        places.append((starts[at if glyph is None else glyph], 0, at if turned else -at))
    ordered = [chars[at] for at in sorted(range(len(chars)), key=lambda at: (places[at], at))]
    found = []
    for _, group in groupby(ordered, key=lambda pair: id(pair[0])):
        run = list(group)
        letters = [  # those that a character is a shape of, as they would stand
            {**char, "c": letter} if letter != char["c"] else char
            for _, char in run
            for letter in ([char["c"]] if char.get("proven") else shaped(char["c"]))
        ]
        found.append({**run[0][0], "chars": letters})
    return found


def as_read(drawn: str) -> str:
    """Return a word that is given from left to right in the order in which it is read."""
    if not runs_left(drawn):
        return drawn
    signs = drawn[::-1]
    plain = [_class(sign) in _PLAIN for sign in signs]
    turned, at = "", 0
    while at < len(plain):  # each run from one plain sign to the last of it is turned back
        end = at + 1
        while plain[at] and end < len(plain) and (plain[end] or (end + 1 < len(plain) and plain[end + 1])):
            end += 1
        turned += signs[at:end][::-1]
        at = end
    closed, opened = turned.find(")"), turned.find("(")
    return turned.translate(_MIRROR) if -1 < closed < opened else turned


def words_as_read(words: Sequence[Word]) -> list[Word]:
    """Return the words of a line, given from left to right, in the order in which they are read."""
    right = [runs_left(word.text) for word in words]
    if not any(right):
        return list(words)
    letters = [sum(sign.isalpha() for sign in word.text) for word in words]
    if 2 * sum(n for n, turned in zip(letters, right, strict=True) if turned) >= sum(letters):
        order = _from_right(words, right, letters)
    else:
        order = [at for run in _right_runs(right, letters) for at in run]
    found = []
    for before, at in zip([order[0], *order], order, strict=False):
        # a piece is glued to the one before it where they touch as drawn
        glued = abs(before - at) == 1 and words[max(before, at)].glued
        found.append(words[at] if words[at].glued == glued else replace(words[at], glued=glued))
    return found


def _from_right(words: Sequence[Word], right: Sequence[bool], letters: Sequence[int]) -> list[int]:
    """Return the order of a line from right to left; Latin words and what follows them keep theirs."""
    groups: list[list[int]] = []
    for at, word in enumerate(words):
        first = groups[-1][0] if groups else at
        joins = first < at and not right[at] and not right[at - 1] and bool(letters[first])
        if joins and (letters[at] or word.glued or not unit_pattern().fullmatch(words[first].text)):
            groups[-1].append(at)
        else:
            groups.append([at])
    return [at for group in reversed(groups) for at in group]


def _right_runs(right: Sequence[bool], letters: Sequence[int]) -> Iterable[list[int]]:
    """Yield the places of a line from left to right, its runs of words from right to left turned."""
    at = 0
    while at < len(right):
        end = at + 1
        if right[at]:
            while end < len(right) and not (letters[end] and not right[end]):
                end += 1
            while not right[end - 1]:
                end -= 1
        yield list(range(end - 1, at - 1, -1))
        at = end
