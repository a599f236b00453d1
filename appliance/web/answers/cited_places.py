"""Every place that can be shown beside an answer, and pictures in place of doubtful text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from appliance.core.document import Box, Formula, Label, Passage, pages_of
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Citation, Grounded, Place
from appliance.core.runs import grouped
from appliance.library import Library
from appliance.web.language import say
from appliance.web.reading import tables as grids
from appliance.web.reading.marks import Rect, View, points, view

SHOWN_PAGES = 6  # views of one stop: a table of more pages is turned in its own view


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to show; `id` is "c1" for what citation 1 stands in, "h3" for the third place found.

    `web` is its address where it stands in what was a web page, which names it better than a page.
    """

    id: str
    document: str
    label: Label
    kind: str
    title: str
    views: tuple[View, ...]
    web: str = ""

    @property
    def page(self) -> int:
        """Return the page on which it starts, 0 when none can be shown."""
        return self.views[0].page if self.views else 0


def of_citations(library: Library, answer: Grounded) -> dict[int, Stop]:
    """Return the stop of each citation by its number; citations of one place share one."""
    made: dict[int, Stop] = {}
    marked = {(item.document, item.label.key): item for item in answer.tables if item.marked}
    for group in groups(answer):
        first = group[0]
        place = holding(first, answer.evidence.hits)
        cited = tuple(box for citation in group for box in citation.boxes)
        around = place.boxes if place else ()
        deciding: tuple[Box, ...] = ()
        own = marked.get((first.document, first.label.key))
        with suppress(ApplianceError):  # without its table the citation's own boxes are drawn
            table = library.table(own.document, own.label.key) if own else None
            deciding = grids.boxes(table, own.marked) if own and table else ()
        kind = place.kind if place and place.label == first.label else ""
        # Of several definitions in one place the title is that of the others.
        titled = place and (place.kind != "definition" or place.label == first.label)
        stop = Stop(
            id=f"c{first.n}",
            document=first.document,
            label=first.label,
            kind=kind,
            title=place.title if place and titled else "",
            views=views(
                library,
                first.document,
                deciding or cited,
                (*around, *cited) if deciding else around,
                cells=bool(deciding) or kind == "table",
            ),
            web=first.address,
        )
        made |= {citation.n: stop for citation in group}
    return made


def groups(answer: Grounded) -> list[list[Citation]]:
    """Return the citations bundled by statement and place; each in the first statement that has it."""
    left = {citation.n: citation for citation in answer.citations}
    bundles: list[list[Citation]] = []
    for order in [*(statement.citations for statement in answer.statements), tuple(left)]:
        own = [left.pop(n) for n in dict.fromkeys(order) if n in left]
        bundles += grouped(((one.document, one.label), one) for one in own).values()
    return bundles


def of_places(library: Library, places: Sequence[Place]) -> dict[str, Stop]:
    """Return the stops of places found, ids by rank from "h1"."""
    found = (of_place(library, place, f"h{rank}") for rank, place in enumerate(places, 1))
    return {stop.id: stop for stop in found}


def of_place(library: Library, place: Place, name: str) -> Stop:
    """Return the stop of a place found: what matched strong, all its text faint."""
    strong = place.focus or place.boxes
    figure, table = place.kind == "figure", place.kind == "table"
    shown = views(library, place.document, strong, place.boxes, tight=figure, cells=table)
    web = library.address(place.document, place.label)
    return Stop(name, place.document, place.label, place.kind, place.title, shown, web)


def views(
    library: Library,
    document: str,
    strong: Sequence[Box],
    faint: Sequence[Box] = (),
    *,
    tight: bool = False,
    cells: bool = False,
) -> tuple[View, ...]:
    """Return a view for each page of the strong boxes, then for those of the faint ones."""
    first = pages_of(tuple(strong))
    pages = (*first, *(page for page in pages_of(tuple(faint)) if page not in first))
    made = []
    for number in pages[:SHOWN_PAGES]:
        with suppress(ApplianceError):
            page = library.page(document, number)
            made.append(view(document, page, strong, faint, tight=tight, cells=cells))
    return tuple(made)


def holding(citation: Citation, places: Iterable[Place]) -> Place | None:
    """Return the place found that a citation quotes from: of the same label, else one that holds it."""
    same = [place for place in places if place.document == citation.document]
    exact = (place for place in same if place.label == citation.label)
    inside = (place for place in same if citation.label in place.labels)
    return next(exact, None) or next(inside, None)


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


def of_formula(library: Library, document: str, formula: Formula) -> Drawing:
    """Return the picture of a formula, with what is in doubt of it."""
    doubts = library.doubts(document, formula.boxes)
    view = next(iter(views(library, document, formula.boxes, tight=True)), None)
    shown = replace(view, crop=_exact(view, formula.boxes[0])) if view else None
    name = say("Formula %(label)s", label=formula.label)
    return Drawing(name, shown, doubts[0].message if doubts else "", formula)


def of_quotes(library: Library, document: str, boxes: Sequence[Box]) -> tuple[Drawing, ...]:
    """Return the pictures of what was read with doubt in quoted boxes, each place once."""
    met = library.doubts(document, boxes)
    grown = [replace(box, y1=min(1.0, box.y1 + BELOW)) for box in boxes]
    below = [
        one for one in library.doubts(document, grown) if one not in met and one.box and _is_wide(one.box)
    ]
    found: list[tuple[View, Drawing]] = []
    for problem in (*met, *below):
        box = problem.box
        view = next(iter(views(library, document, (box,), tight=True)), None) if box else None
        if box is None or view is None:
            continue
        if _is_wide(box):
            view = replace(view, crop=_exact(view, box), strong=())
        else:  # a sign, with the words around it
            crop, width, air = view.crop, AROUND * view.width, AIR * view.height
            left = min(max(crop.x + crop.width / 2 - width / 2, 0.0), view.width - width)  # inside the page
            sides = (left, crop.y - air, width, crop.height + 2 * air)
            view = replace(view, crop=Rect(*(round(side, 1) for side in sides)))
        if not any(_show_the_same(view, other) for other, _ in found):
            name = say("What page %(page)s prints there", page=problem.page)
            found.append((view, Drawing(name, view, problem.message)))
    return tuple(drawing for _, drawing in found[:MOST])


def in_passage(passage: Passage, drawings: Iterable[Drawing]) -> dict[tuple[int, int], Drawing]:
    """Return the doubtful formulas by the stretch of the text that they were read as."""
    places = {}
    for drawing in drawings:
        lines = [line for line in passage.lines if drawing.formula and within(line.box, drawing.formula)]
        if drawing.doubt and drawing.view and lines:
            places[min(line.start for line in lines), max(line.end for line in lines)] = drawing
    apart, reached = {}, 0  # those that overlap none before them: in place of text stands one picture
    for (start, end), drawing in sorted(places.items(), key=lambda item: item[0]):
        if reached <= start < end:
            reached = end
            apart[start, end] = drawing
    return apart


def within(line: Box, formula: Formula) -> bool:
    """Tell whether a line stands in a formula."""
    height = line.y1 - line.y0
    return any(
        box.page == line.page
        and min(box.y1, line.y1) - max(box.y0, line.y0) >= INSIDE * height
        and box.x0 - AIR <= (line.x0 + line.x1) / 2 <= box.x1 + AIR
        for box in formula.boxes
    )


def _is_wide(box: Box) -> bool:
    """Tell whether a doubt in a box is about a whole formula or row and not about a sign."""
    return box.x1 - box.x0 >= WORDS


def _exact(view: View, box: Box) -> Rect:
    """Return a box as the crop, without the air that would cut into the lines around it."""
    exact = points(box, view)
    return replace(exact, width=max(exact.width, 1.0), height=max(exact.height, 1.0))


def _show_the_same(one: View, other: View) -> bool:
    a, b = one.crop, other.crop
    width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    smaller = min(a.width * a.height, b.width * b.height)
    return one.page == other.page and width > 0 and height > 0 and width * height >= TOUCHES * smaller
