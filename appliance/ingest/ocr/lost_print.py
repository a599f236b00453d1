"""Print of a page that no word accounts for, reported with its place: ink of a scan, drawings in cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from appliance.core.document import Box, Cell, Document, Problem, Table
from appliance.core.frames import in_box
from appliance.ingest.page import PageContent, Source, box_on, place_of

COVERED = 0.3  # share of a place that words cover for it to be read
NAMED = 20  # places of one page that are named one by one
BESIDE = 24.0  # points between places of one line that are told as one
LEVEL = 0.5  # of the lower of two places that stand on one line
BELOW = 40.0  # points under the last clause of a page that may still be its text
DRAWN = (3.0, 4.0)  # points: the least width and height of what is drawn in a cell of a digital page

Place = tuple[float, float, float, float]


def lost_print(document: Document, source: Source, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each place of ink that was not read, but for those in a `known` doubt's box."""
    told = _by_page(problem.box for problem in known if problem.doubt and problem.box)
    shown = _by_page(
        box for one in (document.figures, document.formulas) for item in one for box in item.boxes
    )
    text = _by_page(box for c in document.clauses if c.kind != "front" for box in c.boxes)
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in document.tables:
        for number in {box.page for box in table.boxes}:
            tables[number].append(table)
    for page in source.pages:
        at = page.number
        if page.trust == "ocr" and page.ink:
            yield from _of_scan(_Items(tables[at], shown[at], text[at], told[at]), page)
        elif page.trust == "digital" and at in tables:
            yield from _of_drawn(tables[at], page)


@dataclass(frozen=True, slots=True)
class _Items:
    """What stands on one page: tables, boxes of figures and formulas, of clauses, and of known doubts."""

    tables: Sequence[Table]
    shown: Sequence[Box]
    text: Sequence[Box]
    told: Sequence[Box]


def _by_page(boxes: Iterable[Box]) -> dict[int, list[Box]]:
    found: dict[int, list[Box]] = defaultdict(list)
    for box in boxes:
        found[box.page].append(box)
    return found


def _of_scan(items: _Items, page: PageContent) -> Iterator[Problem]:
    """Yield the doubts of a scanned page."""
    places = [place for place in page.ink if not _is_read(place, page)]
    boxes = {place: box_on(page, *place) for place in places}
    places = [place for place in places if not any(in_box(boxes[place], one) for one in items.told)]
    found: list[Problem] = []
    in_tables: set[Place] = set()
    for table in items.tables:
        mine = [place for place in places if any(in_box(boxes[place], box) for box in table.boxes)]
        in_tables |= set(mine)
        found += _in_table(table, page, mine)
    free = [p for p in places if p not in in_tables and not any(in_box(boxes[p], box) for box in items.shown)]
    zone = _zone(items.text, page)
    found += [_in_text(page, place) for place in _lines([p for p in free if zone and in_box(boxes[p], zone)])]
    yield from found[:NAMED]
    if len(found) > NAMED:
        message = f"{len(found) - NAMED} more places of page {page.number} are printed and were not read."
        yield Problem(message, page.number, doubt=True)


def _is_read(place: Place, page: PageContent) -> bool:
    """Tell whether a word, of those found after the ink was looked at too, covers a place."""
    x0, y0, x1, y1 = place
    shared = sum(
        max(0.0, min(x1, w.x1) - max(x0, w.x0)) * max(0.0, min(y1, w.y1) - max(y0, w.y0)) for w in page.words
    )
    return shared >= COVERED * (x1 - x0) * (y1 - y0)


def _in_table(table: Table, page: PageContent, places: Sequence[Place]) -> Iterator[Problem]:
    """Yield the doubts of a table: one for each cell, or line outside of the cells, with such places."""
    cells: dict[Cell, list[Place]] = defaultdict(list)
    outside: list[Place] = []
    for place in places:
        box = box_on(page, *place)
        home = next((cell for cell in table.cells if in_box(box, cell.box)), None)
        if home is None:
            outside.append(place)
        else:
            cells[home].append(place)
    for cell, inside in cells.items():
        yield _in_cell(table, cell, box_on(page, *_around(inside)))
    for place in _lines(outside):
        message = f"Something in {table.label} on page {page.number} is printed that was not read: "
        yield Problem(message + "compare it with the image.", page.number, box_on(page, *place), doubt=True)


def _in_cell(table: Table, cell: Cell, box: Box) -> Problem:
    text = " ".join(cell.text.split()).replace("”", '"').replace("“", '"')
    said = f"The cell “{text}”" if text else "A cell without text"
    message = f"{said} of {table.label} on page {box.page} holds print that was not read: "
    return Problem(message + "compare it with the image.", box.page, box, doubt=True)


def _in_text(page: PageContent, place: Place) -> Problem:
    """Return the doubt of a place in the text, named by the word beside it."""
    level = [w for w in page.words if min(w.y1, place[3]) - max(w.y0, place[1]) > LEVEL * (w.y1 - w.y0)]
    near = min(level, key=lambda w: max(place[0] - w.x1, w.x0 - place[2]), default=None)
    text = near.text.replace("”", '"').replace("“", '"') if near else ""
    where = f"Beside ‘{text}’ on page {page.number}" if near else f"On page {page.number}"
    message = f"{where} something is printed that was not read: compare it with the image."
    return Problem(message, page.number, box_on(page, *place), doubt=True)


def _lines(places: Sequence[Place]) -> list[Place]:
    """Return the places, those near each other on one line as one."""
    found: list[Place] = []
    for place in sorted(places, key=lambda p: (round((p[1] + p[3]) / 2), p[0])):
        at = next((i for i, other in enumerate(found) if _is_beside(other, place)), None)
        if at is None:
            found.append(place)
        else:
            found[at] = _around([found[at], place])
    return found


def _is_beside(one: Place, other: Place) -> bool:
    level = min(one[3], other[3]) - max(one[1], other[1])
    apart = max(one[0], other[0]) - min(one[2], other[2])
    return level > LEVEL * min(one[3] - one[1], other[3] - other[1]) and apart < BESIDE


def _around(places: Sequence[Place]) -> Place:
    return (
        min(p[0] for p in places),
        min(p[1] for p in places),
        max(p[2] for p in places),
        max(p[3] for p in places),
    )


def _zone(boxes: Sequence[Box], page: PageContent) -> Box | None:
    """Return the part of a page in which its clauses stand, and a little under the last of them."""
    if not boxes:
        return None
    places = [place_of(page, box) for box in boxes]
    x0, y0, x1, y1 = _around(places)
    under = [w for w in page.words if w.y0 > y1]  # the page's foot
    end = min([y1 + BELOW, *(w.y0 - 1 for w in under)])
    return box_on(page, x0, y0, x1, max(end, y1))


def _of_drawn(tables: Sequence[Table], page: PageContent) -> Iterator[Problem]:
    """Yield a doubt for each cell of a digital page that holds a picture or a drawn shape and no word."""
    shapes = [(p.x0, p.y0, p.x1, p.y1) for p in page.pictures]
    shapes += [(s.x0, s.y0, s.x1, s.y1) for s in page.strokes if s.kind == "curve"]
    shapes = [s for s in shapes if s[2] - s[0] >= DRAWN[0] and s[3] - s[1] >= DRAWN[1]]
    if not shapes:
        return
    for table in tables:
        for cell in table.cells:
            if cell.box.page != page.number or cell.text.strip():
                continue
            x0, y0, x1, y1 = place_of(page, cell.box)
            if any(x0 - 1 <= a and c <= x1 + 1 and y0 - 1 <= b and d <= y1 + 1 for a, b, c, d in shapes):
                message = f"A cell of {table.label} on page {page.number} holds a drawing and no text: "
                yield Problem(message + "see it on the page.", page.number, cell.box, doubt=True)
