"""Words from the characters of one text line, as MuPDF's "rawdict" gives them.

Rules of this module: pure (plain dictionaries in, values out); a word ends at a space, and is cut
where font, size or height above the baseline changes, the later piece marked `glued`. Word boxes
are drawn from the baseline and the font size, so that broken font metrics cannot stretch them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from appliance.ingest.glyphs import UNKNOWN, font_codes, is_space, repaired
from appliance.ingest.page import Word

ASCENT = 0.78  # of the font size, above the baseline: top of a word's box
DESCENT = 0.22  # of the font size, below the baseline: bottom of a word's box
SMALLER = 0.86  # a raised or lowered piece is smaller than this share of its line's size
RAISED = 0.12  # of the line's size: baseline shift that makes a superscript
LOWERED = 0.06  # idem, a subscript
LEADER = 8  # replacement signs in a row that fill a line
_BOLD, _ITALIC = 16, 2  # span flags of MuPDF

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
    upright = _is_upright(line["dir"], turn)
    size, base = _main(line["spans"])
    for draft in _drafts(line["spans"], size, base, upright):
        yield _finished(draft, upright, turn), not draft.span.get("alpha", 255)


def _is_upright(direction: tuple[float, float], turn: Matrix | None) -> bool:
    x, y = direction
    if turn:
        x, y = x * turn[0] + y * turn[2], x * turn[1] + y * turn[3]
    return x > 0.9 and abs(y) < 0.3


def _main(spans: list[dict[str, Any]]) -> tuple[float, float]:
    """Return size and baseline of the span that holds most of the line's characters."""
    main = max(spans, key=lambda span: (len(span["chars"]) * span["size"], span["size"]))
    return main["size"], main["chars"][0]["origin"][1] if main["chars"] else 0.0


def _rise(span: dict[str, Any], size: float, base: float) -> int:
    if span["size"] >= size * SMALLER or not span["chars"]:
        return 0
    shift = base - span["chars"][0]["origin"][1]
    return 1 if shift > RAISED * size else -1 if shift < -LOWERED * size else 0


def _drafts(spans: list[dict[str, Any]], size: float, base: float, upright: bool) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for span in spans:
        codes = font_codes(span["font"])
        rise = _rise(span, size, base) if upright else 0
        if draft and _differs(draft, span, rise):
            yield draft
            draft = _Draft(span, rise, True, "", [], 0.0)
        for char in _without_leaders(span["chars"]):
            raw = char["c"]
            if is_space(raw):
                if draft and draft.text:
                    yield draft
                draft = None
                continue
            if draft is None:
                draft = _Draft(span, rise, False, "", [], 0.0)
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


def _add(draft: _Draft, text: str, char: dict[str, Any]) -> None:
    x0, y0, x1, y1 = char["bbox"]
    if not draft.box:
        draft.box = [x0, y0, x1, y1]
        draft.baseline = char["origin"][1]
    else:
        box = draft.box
        box[:] = min(box[0], x0), min(box[1], y0), max(box[2], x1), max(box[3], y1)
    draft.text += text


def _finished(draft: _Draft, upright: bool, turn: Matrix | None) -> Word:
    span, (x0, y0, x1, y1) = draft.span, draft.box
    size = span["size"]
    if turn:
        x0, y0, x1, y1 = turned((x0, y0, x1, y1), turn)
    elif upright and size > 0:
        y0, y1 = draft.baseline - ASCENT * size, draft.baseline + DESCENT * size
    flags = span["flags"]
    return Word(
        text=draft.text,
        x0=x0,
        y0=y0,
        x1=x1,
        y1=y1,
        font=span["font"],
        size=round(size, 2),
        bold=bool(flags & _BOLD),
        italic=bool(flags & _ITALIC),
        colour=span["color"],
        upright=upright,
        rise=draft.rise,
        glued=draft.glued,
    )


def turned(box: tuple[float, float, float, float], turn: Matrix) -> tuple[float, float, float, float]:
    """Return the box after the page's rotation."""
    a, b, c, d, e, f = turn
    xs = [a * x + c * y + e for x in (box[0], box[2]) for y in (box[1], box[3])]
    ys = [b * x + d * y + f for x in (box[0], box[2]) for y in (box[1], box[3])]
    return min(xs), min(ys), max(xs), max(ys)
