"""Words from the characters of a text line, with fonts of their own encoding mapped to Unicode."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from sys import intern
from typing import Any

from appliance.core.files import shipped
from appliance.ingest.page import Word
from appliance.ingest.pdf.right_to_left import as_read, left_to_right

UNKNOWN = "\ufffd"  # what a character without a known meaning is read as
PRIVATE_USE = 0xF000  # where PDF text puts the codes of symbolic fonts

# Signs of Latin-1 that a symbol font really holds: seen there, they are already Unicode.
_SHARED = frozenset("°±×÷¬®©µ")
_LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
}
_SPACES = frozenset(
    " \t\r\n\v\f\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
)
_NOTHING = frozenset("\u200b\u200c\u200d\u2060\ufeff")


@cache
def _families() -> tuple[tuple[tuple[str, ...], Mapping[int, str]], ...]:
    return tuple(
        (tuple(family["fonts"]), {int(code, 16): char for code, char in family["codes"].items()})
        for family in _data().values()
        if "fonts" in family
    )


@cache
def _data() -> Mapping[str, Any]:
    return shipped("characters")


def glyph_meanings() -> Mapping[str, str]:
    """Return glyph name -> character for names that only their makers knew."""
    names: Mapping[str, str] = _data()["glyph_names"]
    return names


@cache
def font_codes(font: str) -> Mapping[int, str]:
    """Return the code table of a font by its name ("ABCDEF+SymbolMT"); empty for ordinary fonts."""
    name = font.rpartition("+")[2].replace(" ", "").lower()
    for starts, codes in _families():
        if name.startswith(starts):
            return codes
    return {}


def is_space(char: str) -> bool:
    """Tell whether the character separates words; control characters do."""
    return char in _SPACES or char < " "


def repaired(char: str, codes: Mapping[int, str]) -> str:
    """Return the character as Unicode text ("" for an invisible one), by its font's code table."""
    code = ord(char)
    if PRIVATE_USE <= code <= PRIVATE_USE + 0xFF:
        table = codes or _families()[0][1]
        return table.get(code - PRIVATE_USE, UNKNOWN)
    if _is_private(code):
        return UNKNOWN
    if codes and code <= 0xFF and char not in _SHARED:
        return codes.get(code, char)
    if 0x80 <= code < 0xA0:  # control characters that no text has: a map that took Windows' codes
        return bytes([code]).decode("cp1252", "replace")
    if char in _NOTHING:
        return ""
    return _LIGATURES.get(char, char)


def _is_private(code: int) -> bool:
    """Tell whether Unicode leaves the meaning of a code point to the font."""
    return 0xE000 <= code <= 0xF8FF or code >= 0xF0000


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
    text: str
    box: list[float]
    baseline: float


def line_words(line: dict[str, Any], turn: Matrix | None) -> Iterator[tuple[Word, bool]]:
    """Yield the words of a rawdict line, each with whether it is invisible (an OCR layer)."""
    run = _run_of(line["dir"], turn)
    spans = line["spans"] if run.shown else left_to_right(line["spans"])
    for draft in _drafts(spans, run):
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


def _run_of(direction: tuple[float, float], turn: Matrix | None) -> _Run:
    x, y = direction
    drawn = _quarter(x, y)
    return _Run(drawn, _quarter(x * turn[0] + y * turn[2], x * turn[1] + y * turn[3]) if turn else drawn)


def _quarter(x: float, y: float) -> int | None:
    if abs(x) > LEVEL and abs(y) < SLANT:
        return 0 if x > 0 else 180
    if abs(y) > LEVEL and abs(x) < SLANT:
        return 270 if y > 0 else 90
    return None


def _main(spans: list[dict[str, Any]], run: _Run) -> tuple[float, float]:
    """Return size and baseline of the span that holds most of the line's characters."""
    nothing: dict[str, Any] = {"size": 0.0, "chars": ()}
    main = max(spans, key=lambda span: (len(span["chars"]) * span["size"], span["size"]), default=nothing)
    return main["size"], run.base(main["chars"][0]["origin"]) if main["chars"] else 0.0


def _rise(span: dict[str, Any], size: float, base: float, run: _Run) -> int:
    if run.drawn is None or span["size"] >= size * SMALLER or not span["chars"]:
        return 0
    shift = base - run.base(span["chars"][0]["origin"])
    return 1 if shift > RAISED * size else -1 if shift < -LOWERED * size else 0


def _drafts(spans: list[dict[str, Any]], run: _Run) -> Iterator[_Draft]:
    size, base = _main(spans, run)
    draft: _Draft | None = None
    for span in spans:
        codes = font_codes(span["font"])
        rise = _rise(span, size, base, run) or _raised_as_large(draft, span, run)
        if draft and (_differs(draft, span, rise) or _steps(draft, span, rise, run)):
            yield draft
            draft = _Draft(span, rise, True, "", [], 0.0)
        for char in _without_leaders(span["chars"]):
            raw = char["c"]
            if raw == SOFT and not _drawn(char):
                continue
            if is_space(raw):
                if draft and draft.text:
                    yield draft
                draft = None
                continue
            if draft is None:
                draft = _Draft(span, rise, False, "", [], 0.0)
            if not draft.box:
                draft.baseline = run.base(char["origin"])
            _add(draft, raw if char.get("proven") else repaired(raw, codes), char)
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


def _differs(draft: _Draft, span: dict[str, Any], rise: int) -> bool:
    before = draft.span
    return bool(draft.text) and (
        rise != draft.rise or span["font"] != before["font"] or abs(span["size"] - before["size"]) > 0.2
    )


def _raised_as_large(draft: _Draft | None, span: dict[str, Any], run: _Run) -> int:
    """Return 1 for a mark right behind a word, in its type, that stands higher; never in a hidden layer."""
    if run.drawn is None or not draft or not draft.text[-1:].isalpha() or draft.rise:
        return 0
    signs = "".join(char["c"] for char in span["chars"]).rstrip()
    if not signs.isalnum() or len(signs) > MARK or not span.get("alpha", 255):
        return 0
    step = draft.baseline - run.base(span["chars"][0]["origin"])
    return int(RAISED_AS_LARGE * span["size"] < step < span["size"] and len(draft.text) > MARK)


def _steps(draft: _Draft, span: dict[str, Any], rise: int, run: _Run) -> bool:
    """Tell whether type of one size goes on at another height: a part of a fraction, and what follows."""
    if run.drawn is None or rise or draft.rise or not draft.text or not span["chars"]:
        return False
    if ROOT in {draft.text[-1], span["chars"][0]["c"]}:  # some fonts hang it from its top
        return False
    step = abs(run.base(span["chars"][0]["origin"]) - draft.baseline)
    return step > STEP * float(span["size"])


def _add(draft: _Draft, text: str, char: dict[str, Any]) -> None:
    x0, y0, x1, y1 = char["bbox"]
    if not draft.box:
        draft.box = [x0, y0, x1, y1]
    else:
        box = draft.box
        box[:] = min(box[0], x0), min(box[1], y0), max(box[2], x1), max(box[3], y1)
    draft.text += text


def _finished(draft: _Draft, run: _Run, turn: Matrix | None) -> Word:
    span = draft.span
    x0, y0, x1, y1 = _box(draft, run)
    if turn:
        x0, y0, x1, y1 = turned((x0, y0, x1, y1), turn)
    flags = span["flags"]
    return Word(
        text=intern(_with_hyphens(draft) if run.shown else as_read(_with_hyphens(draft))),
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        font=intern(span["font"]),
        size=_size(span["size"]),
        bold=bool(flags & _BOLD) or any(weight in span["font"] for weight in _HEAVIER),
        italic=bool(flags & _ITALIC),
        colour=span["color"],
        upright=run.shown == 0,
        rise=draft.rise,
        glued=draft.glued,
        way=run.shown or 0,
    )


def _drawn(char: dict[str, Any]) -> bool:
    """Tell whether a character takes room on the page."""
    x0, y0, x1, y1 = char["bbox"]
    return bool(min(x1 - x0, y1 - y0) > ROOM)


def _with_hyphens(draft: _Draft) -> str:
    """Return the text of a word with the soft hyphens that are drawn inside or before it as hyphens.

    Many a font has one drawing for both, and its file then names every minus and hyphen a soft one; only at
    the end of a word, where a line may end too, it can be a mark that parts the word.
    """
    parts = len(draft.text) > 1 or draft.glued
    return draft.text[:-1].replace(SOFT, "-") + draft.text[-1:] if parts else draft.text.replace(SOFT, "-")


@lru_cache(maxsize=256)
def _size(size: float) -> float:
    """Return a type size as it is kept: one number for all words of that size, as of their heights."""
    return round(size, 2)


@lru_cache(maxsize=256)
def _heights(base: float, size: float) -> tuple[float, float]:
    """Return the top and the foot of the words on one baseline."""
    return base - ASCENT * size, base + DESCENT * size


def _box(draft: _Draft, run: _Run) -> tuple[float, float, float, float]:
    """Return the rectangle of a word: as long as its characters, as high as its type size."""
    x0, y0, x1, y1 = draft.box
    size, base = draft.span["size"], draft.baseline
    if run.drawn is None or size <= 0:
        return x0, y0, x1, y1
    top, low = _heights(base, size)
    if run.drawn in {90, 270}:
        across = (top, low) if run.drawn == 90 else (-low, -top)
        return across[0], y0, across[1], y1
    down = (top, low) if run.drawn == 0 else (-low, -top)
    return x0, down[0], x1, down[1]


def turned(box: tuple[float, float, float, float], turn: Matrix) -> tuple[float, float, float, float]:
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
    known = glyph_meanings()
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
