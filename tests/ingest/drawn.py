"""Pages made by hand for tests: words set on lines, rules, boxes, whole layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from appliance.ingest.page import Line, PageContent, PageLayout, Stroke, View, Word, views

LETTER = 0.5  # type sizes: the width of every letter
SPACE = 0.25


def words(
    text: str, x: float, y: float, size: float = 10.0, *, bold: bool = False, colour: int = 0
) -> list[Word]:
    """Return the words of a text set from x on the baseline y; "^" before a word raises and glues it."""
    result: list[Word] = []
    for piece in text.split():
        raised = piece.startswith("^")
        shown = piece.lstrip("^")
        width = len(shown) * size * LETTER * (0.6 if raised else 1.0)
        start = result[-1].x1 if raised and result else x
        height = size * (0.6 if raised else 1.0)
        bottom = y - 0.4 * size if raised else y
        result.append(
            Word(shown, start, bottom - height, start + width, bottom, "F", height, bold, False, colour, True,
                 int(raised), raised)
        )  # fmt: skip
        x = start + width + size * SPACE
    return result


def line(
    text: str, x: float, y: float, size: float = 10.0, *, bold: bool = False, page: int = 1, colour: int = 0
) -> Line:
    """Return a printed line."""
    return line_of(words(text, x, y, size, bold=bold, colour=colour), page)


def row(
    cells: Sequence[tuple[float, str]], y: float, size: float = 10.0, *, bold: bool = False, page: int = 1
) -> Line:
    """Return a line of a table: texts at their positions."""
    return line_of([word for x, text in cells for word in words(text, x, y, size, bold=bold)], page)


def line_of(members: Sequence[Word], page: int = 1) -> Line:
    big = max(word.size for word in members)
    return Line(
        page, " ".join(w.text for w in members), min(w.x0 for w in members), min(w.y0 for w in members),
        max(w.x1 for w in members), max(w.y1 for w in members), big, all(w.bold for w in members), False, 0,
        tuple(members),
    )  # fmt: skip


def across(y: float, x0: float, x1: float) -> Stroke:
    return Stroke(x0, y, x1, y, "line")


def down(x: float, y0: float, y1: float) -> Stroke:
    return Stroke(x, y0, x, y1, "line")


def lattice(xs: Sequence[float], ys: Sequence[float]) -> list[Stroke]:
    """Return the rules of a full grid."""
    return [across(y, xs[0], xs[-1]) for y in ys] + [down(x, ys[0], ys[-1]) for x in xs]


def band(x0: float, y0: float, x1: float, y1: float, colour: int = 0xE0F0E0) -> Stroke:
    return Stroke(x0, y0, x1, y1, "rect", filled=True, stroked=False, colour=colour)


def layout(
    lines: Sequence[Line],
    strokes: Sequence[Stroke] = (),
    number: int = 1,
    trust: Literal["digital", "ocr", "none"] = "digital",
) -> PageLayout:
    """Return a page of 600 by 800 points."""
    every = tuple(word for item in lines for word in item.words)
    content = PageContent(number, 600.0, 800.0, "", every, tuple(strokes), (), trust)
    return PageLayout(content, tuple(replace(item, page=number) for item in lines))


def view(lines: Sequence[Line], strokes: Sequence[Stroke] = ()) -> View:
    return views(layout(lines, strokes))[0]


def prose(y: float, count: int = 3, x: float = 60.0) -> list[Line]:
    """Return lines of running text."""
    text = "the characteristic values of imposed loads given here apply to floors and roofs of all kinds as"
    return [line(text, x, y + 12 * i) for i in range(count)]
