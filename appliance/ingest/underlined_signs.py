"""An underlined ">" or "<": printed for "≥" and "≤", though the text layer has the bare sign.

Rules of this module: pure; a thin line right under a sign that begins or ends a word, as long as the sign
alone, makes it the other one. A line under more than the sign underlines a text, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.page import Stroke, Word

THIN = 1.5  # points: the thickest line
WIDTH = (0.3, 0.8)  # type sizes: a sign, and so its line, is so long
PLACE = 0.15  # type sizes from the side of the sign to that of its line
UNDER = (-0.05, 0.2)  # type sizes from the baseline down to the line
_BASE = 0.22  # of the type size: from the foot of a word's box up to its baseline
_MEANT = {">": "≥", "<": "≤"}


def with_underlined(words: Sequence[Word], strokes: Sequence[Stroke]) -> list[Word]:
    """Return the words with their underlined signs as what they mean."""
    signed = [word for word in words if word.text[:1] in _MEANT or word.text[-1:] in _MEANT]
    if not signed:
        return list(words)
    lines = [s for s in strokes if s.y1 - s.y0 < THIN and s.x1 > s.x0]
    meant = {id(word): _read(word, lines) for word in signed}
    return [meant.get(id(word), word) for word in words]


def _read(word: Word, lines: Sequence[Stroke]) -> Word:
    base = word.y1 - _BASE * word.size
    under = [s for s in lines if UNDER[0] <= ((s.y0 + s.y1) / 2 - base) / word.size <= UNDER[1]]
    under = [s for s in under if WIDTH[0] <= (s.x1 - s.x0) / word.size <= WIDTH[1]]
    text = word.text
    if text[0] in _MEANT and any(abs(s.x0 - word.x0) <= PLACE * word.size for s in under):
        text = _MEANT[text[0]] + text[1:]
    if text[-1] in _MEANT and any(abs(s.x1 - word.x1) <= PLACE * word.size for s in under):
        text = text[:-1] + _MEANT[text[-1]]
    return word if text == word.text else replace(word, text=text)
