"""Pages set by hand for the finders of figures and formulas: lines of text, strokes and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from appliance.ingest.page import Line, PageContent, PageLayout, Picture, Stroke, Word
from appliance.ingest.structure.schemes import Scheme, load_schemes, with_words

WIDTH, HEIGHT, LEFT, RIGHT = 600.0, 840.0, 70.0, 530.0
SIZE = 10.0
ADVANCE = 0.5  # of the size: the width of a sign


def scheme(name: str = "eurocode") -> Scheme:
    return with_words(next(scheme for scheme in load_schemes(None) if scheme.name == name), "")


def words(text: str, x: float, y: float, size: float = SIZE, *, bold: bool = False) -> tuple[Word, ...]:
    """The words of the text from x on; "\\t" leaves a gap, "_i" is lowered, "^2" raised, both glued."""
    found: list[Word] = []
    for token in text.replace("\t", " \t ").replace("_", " _").replace("^", " ^").split(" "):
        if token == "\t":
            x += 4 * size
            continue
        rise = {"_": -1, "^": 1}.get(token[:1], 0) if len(token) > 1 else 0
        sign = token[1:] if rise else token
        height = 0.7 * size if rise else size
        if rise:
            x -= ADVANCE * size
        shift = {-1: 0.45, 0: 0.0, 1: -0.1}[rise] * size
        x1 = x + ADVANCE * height * max(len(sign), 1)
        if sign:
            top = y + shift
            found.append(
                Word(sign, x, top, x1, top + height, "Body", height, bold=bold, rise=rise, glued=bool(rise))
            )
        x = x1 + ADVANCE * size
    return tuple(found)


def line(
    text: str,
    y: float,
    x: float = LEFT,
    size: float = SIZE,
    *,
    bold: bool = False,
    page: int = 1,
    column: int = 0,
) -> Line:
    """A line; what stands behind "||" ends at the right edge of the text."""
    body, _, number = text.partition("||")
    placed = words(body.strip(), x, y, size, bold=bold) if body.strip() else ()
    if number:
        placed += words(number.strip(), RIGHT - ADVANCE * size * len(number.strip()), y, size)
    joined = "".join(w.text if w.glued or not i else f" {w.text}" for i, w in enumerate(placed))
    return Line(page, joined, placed[0].x0, y, placed[-1].x1, y + size, size, bold, False, column, placed)


def layout(
    lines: Sequence[Line],
    strokes: Sequence[Stroke] = (),
    pictures: Sequence[Picture] = (),
    page: int = 1,
    trust: Literal["digital", "ocr"] = "digital",
) -> PageLayout:
    every = tuple(word for item in lines for word in item.words)
    content = PageContent(page, WIDTH, HEIGHT, "", every, tuple(strokes), tuple(pictures), trust)
    return PageLayout(content, tuple(lines))


def sketch(x0: float, y0: float, x1: float, y1: float) -> list[Stroke]:
    """A drawing of six slanted strokes that fills the rectangle."""
    step = (x1 - x0) / 6
    return [Stroke(x0 + n * step, y0, x0 + (n + 1) * step, y1, "line") for n in range(6)]


def prose(y: float, text: str = "", x: float = LEFT) -> Line:
    """A line of running text as wide as the page's text."""
    return line(
        (text + " where the building stands on open ground and the roof keeps its load for long")[
            :88
        ].strip(),
        y,
        x,
    )
