"""Pictures in place of what was read with doubt: the part of the page where a formula or sign is printed.

Rules of this module: a picture is the page image cut by `viewBox`, so nothing is copied; what a person has
compared with the page is no longer in doubt. In the text of a clause the picture stands in place of the
lines that a doubtful formula was read as; under a quotation stands what is doubtful in it, and the
doubtful formula that follows right below, which the quotation may be about to state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.document import Box, Formula, Passage, Problem
from appliance.web import stops
from appliance.web.language import say
from appliance.web.marks import Rect, View
from appliance.web.port import Port

MOST = 4  # pictures under one source of a statement
INSIDE = 0.5  # share of a line's height that must lie in a formula for its words to be the formula's
WORDS = 0.25  # of the page width: what is narrower is a sign, shown with the words around it
AROUND = 0.36  # of the page width that such a picture shows
AIR = 0.006  # of the page height over and under it
BELOW = 0.035  # of the page height under a quotation in which a formula follows
TOUCHES = 0.4  # share of the smaller of two pictures from which they show the same


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is printed at a place; `name` says what it is, `doubt` why its text is not trusted."""

    name: str
    view: View | None
    doubt: str = ""
    formula: Formula | None = None


def of_formula(library: Port, document: str, formula: Formula) -> Drawing:
    """Return the picture of a formula, with what is in doubt of it."""
    doubts = library.doubts(document, formula.boxes)
    view = next(iter(stops.views(library, document, formula.boxes, tight=True)), None)
    shown = replace(view, crop=_exact(view, formula.boxes[0])) if view else None
    name = say("Formula %(label)s", label=formula.label)
    return Drawing(name, shown, doubts[0].message if doubts else "", formula)


def of_quotes(library: Port, document: str, boxes: Sequence[Box]) -> tuple[Drawing, ...]:
    """Return the pictures of what was read with doubt in quoted boxes, each place once."""
    found: list[tuple[Box, Drawing]] = []
    met = library.doubts(document, boxes)
    grown = [replace(box, y1=min(1.0, box.y1 + BELOW)) for box in boxes]
    below = [item for item in library.doubts(document, grown) if item not in met and not _narrow(item)]
    for problem in (*met, *below):
        box, drawing = problem.box, _of_doubt(library, document, problem)
        if box and drawing and not any(_same(drawing, box, other, at) for at, other in found):
            found.append((box, drawing))
    return tuple(drawing for _, drawing in found[:MOST])


def in_passage(passage: Passage, drawings: Iterable[Drawing]) -> dict[tuple[int, int], Drawing]:
    """Return the doubtful formulas by the stretch of the text that they were read as."""
    places = {}
    for drawing in drawings:
        lines = [line for line in passage.lines if drawing.formula and _within(line.box, drawing.formula)]
        if drawing.doubt and drawing.view and lines:
            places[min(line.start for line in lines), max(line.end for line in lines)] = drawing
    return dict(_apart(places))


def _apart(places: dict[tuple[int, int], Drawing]) -> Iterator[tuple[tuple[int, int], Drawing]]:
    """Yield the stretches that do not overlap one before them: in place of text stands one picture."""
    reached = 0
    for (start, end), drawing in sorted(places.items(), key=lambda item: item[0]):
        if start >= reached and start < end:
            reached = end
            yield (start, end), drawing


def _within(line: Box, formula: Formula) -> bool:
    """Tell whether a line stands in a formula."""
    height = line.y1 - line.y0
    return any(
        box.page == line.page
        and min(box.y1, line.y1) - max(box.y0, line.y0) >= INSIDE * height
        and box.x0 - AIR <= (line.x0 + line.x1) / 2 <= box.x1 + AIR
        for box in formula.boxes
    )


def _of_doubt(library: Port, document: str, problem: Problem) -> Drawing | None:
    """Return the picture of a doubt: as large as its box, a sign with the words around it."""
    if problem.box is None:
        return None
    view = next(iter(stops.views(library, document, (problem.box,), tight=True)), None)
    if view is None:
        return None
    name = say("What page %(page)s prints there", page=problem.page)
    if _narrow(problem):
        return Drawing(name, replace(view, crop=_widened(view)), problem.message)
    return Drawing(name, replace(view, crop=_exact(view, problem.box), strong=()), problem.message)


def _narrow(problem: Problem) -> bool:
    """Tell whether a doubt is about a sign and not about a whole formula or row."""
    return problem.box is None or problem.box.x1 - problem.box.x0 < WORDS


def _exact(view: View, box: Box) -> Rect:
    """Return a box as the crop, without the air that would cut into the lines around it."""
    x, y = box.x0 * view.width, box.y0 * view.height
    width, height = (box.x1 - box.x0) * view.width, (box.y1 - box.y0) * view.height
    return Rect(*(round(value, 1) for value in (x, y, max(width, 1.0), max(height, 1.0))))


def _widened(view: View) -> Rect:
    """Return the crop of a sign with the words around it, inside the page."""
    crop, width, air = view.crop, AROUND * view.width, AIR * view.height
    left = min(max(crop.x + crop.width / 2 - width / 2, 0.0), view.width - width)
    return Rect(round(left, 1), round(crop.y - air, 1), round(width, 1), round(crop.height + 2 * air, 1))


def _same(one: Drawing, box: Box, other: Drawing, at: Box) -> bool:
    """Tell whether two doubts are shown by one picture."""
    if box.page != at.page or one.view is None or other.view is None:
        return False
    a, b = one.view.crop, other.view.crop
    width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    smaller = min(a.width * a.height, b.width * b.height)
    return width > 0 and height > 0 and width * height >= TOUCHES * smaller
