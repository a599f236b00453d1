"""Print of a page that no word accounts for, reported with its place: ink of a scan, drawings in cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from appliance.core.document import Box, Cell, Document, Problem, Table
from appliance.core.frames import in_box
from appliance.ingest.geometry import Area, around
from appliance.ingest.page import PageContent, Picture, Source, Stroke, box_of, box_on, place_of

COVERED = 0.3  # share of a place that words cover for it to be read
NAMED = 20  # places of one page that are named one by one
BESIDE = 24.0  # points between places of one line that are told as one
LEVEL = 0.5  # of the lower of two places that stand on one line
BELOW = 40.0  # points under the last clause of a page that may still be its text
DRAWN = (3.0, 4.0)  # points: the least width and height of what is drawn in a cell of a digital page


def lost_print(document: Document, source: Source, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each place of ink that was not read, but for those in a `known` doubt's box."""
    told = _by_page(problem.box for problem in known if problem.doubt and problem.box)
    shown = _by_page(
        box for kind in (document.figures, document.formulas) for one in kind for box in one.boxes
    )
    text = _by_page(box for c in document.clauses if c.kind != "front" for box in c.boxes)
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in document.tables:
        for number in {box.page for box in table.boxes}:
            tables[number].append(table)
    for page in source.pages:
        at = page.number
        if page.trust == "ocr" and page.ink:
            yield from _of_scan(page, tables[at], shown[at], text[at], told[at])
        elif page.trust == "digital" and at in tables:
            shapes: list[Picture | Stroke] = [*page.pictures, *(s for s in page.strokes if s.kind == "curve")]
            shapes = [s for s in shapes if s.x1 - s.x0 >= DRAWN[0] and s.y1 - s.y0 >= DRAWN[1]]
            empty = [
                (table.label, cell.box, place_of(page, cell.box))
                for table in tables[at]
                for cell in table.cells
                if cell.box.page == at and not cell.text.strip()
            ]
            for label, box, (x0, y0, x1, y1) in empty if shapes else ():
                if any(
                    x0 - 1 <= s.x0 and s.x1 <= x1 + 1 and y0 - 1 <= s.y0 and s.y1 <= y1 + 1 for s in shapes
                ):
                    message = f"A cell of {label} on page {at} holds a drawing and no text: "
                    yield Problem(message + "see it on the page.", at, box, doubt=True)


def _by_page(boxes: Iterable[Box]) -> dict[int, list[Box]]:
    found: dict[int, list[Box]] = defaultdict(list)
    for box in boxes:
        found[box.page].append(box)
    return found


def _of_scan(
    page: PageContent, tables: Sequence[Table], shown: Sequence[Box], text: Sequence[Box], told: Sequence[Box]
) -> Iterator[Problem]:
    """Yield the doubts of a scanned page, with the boxes of figures, formulas, clauses and known doubts."""
    boxes: dict[
        Area, Box
    ] = {}  # of places that no word covers, of those found after the ink was looked at too
    for place in (Area(*place) for place in page.ink):
        shared = sum(
            max(0.0, min(place.x1, w.x1) - max(place.x0, w.x0))
            * max(0.0, min(place.y1, w.y1) - max(place.y0, w.y0))
            for w in page.words
        )
        box = box_of(page, place)
        if shared < COVERED * place.width * place.height and not any(in_box(box, one) for one in told):
            boxes[place] = box
    found: list[Problem] = []
    in_tables: set[Area] = set()
    for table in tables:
        mine = [place for place in boxes if any(in_box(boxes[place], box) for box in table.boxes)]
        in_tables |= set(mine)
        found += _in_table(table, page, mine)
    zone: Box | None = None  # the part of the page in which its clauses stand, and a little under the last
    if text:
        area = around(Area(*place_of(page, box)) for box in text)
        under = [w.y0 - 1 for w in page.words if w.y0 > area.y1]  # the page's foot
        zone = box_on(page, area.x0, area.y0, area.x1, max(min([area.y1 + BELOW, *under]), area.y1))
    free = [
        place
        for place, box in boxes.items()
        if place not in in_tables
        and not any(in_box(box, one) for one in shown)
        and zone
        and in_box(box, zone)
    ]
    for place in _lines(free):  # named by the word beside it
        level = [w for w in page.words if min(w.y1, place.y1) - max(w.y0, place.y0) > LEVEL * (w.y1 - w.y0)]
        near = min(level, key=lambda w: max(place.x0 - w.x1, w.x0 - place.x1), default=None)
        where = f"Beside ‘{_quoted(near.text)}’ on page {page.number}" if near else f"On page {page.number}"
        found.append(_doubt(f"{where} something is printed that was not read: ", box_of(page, place)))
    yield from found[:NAMED]
    if len(found) > NAMED:
        message = f"{len(found) - NAMED} more places of page {page.number} are printed and were not read."
        yield Problem(message, page.number, doubt=True)


def _doubt(message: str, box: Box) -> Problem:
    return Problem(f"{message}compare it with the image.", box.page, box, doubt=True)


def _quoted(text: str) -> str:
    return text.replace("”", '"').replace("“", '"')


def _in_table(table: Table, page: PageContent, places: Sequence[Area]) -> Iterator[Problem]:
    """Yield the doubts of a table: one for each cell, or line outside of the cells, with such places."""
    cells: dict[Cell, list[Area]] = defaultdict(list)
    outside: list[Area] = []
    for place in places:
        box = box_of(page, place)
        home = next((cell for cell in table.cells if in_box(box, cell.box)), None)
        (outside if home is None else cells[home]).append(place)
    at = f"{table.label} on page {page.number}"
    for cell, inside in cells.items():
        text = _quoted(" ".join(cell.text.split()))
        said = f"The cell “{text}”" if text else "A cell without text"
        yield _doubt(f"{said} of {at} holds print that was not read: ", box_of(page, around(inside)))
    for place in _lines(outside):
        yield _doubt(f"Something in {at} is printed that was not read: ", box_of(page, place))


def _lines(places: Sequence[Area]) -> list[Area]:
    """Return the places, those near each other on one line as one."""
    found: list[Area] = []
    for place in sorted(places, key=lambda p: (round((p.y0 + p.y1) / 2), p.x0)):
        for at, other in enumerate(found):
            level = min(other.y1, place.y1) - max(other.y0, place.y0)
            apart = max(other.x0, place.x0) - min(other.x1, place.x1)
            if level > LEVEL * min(other.height, place.height) and apart < BESIDE:
                found[at] = around([other, place])
                break
        else:
            found.append(place)
    return found
