"""The stops of an answer: every place that can be shown beside it, in the order of the page.

Rules of this module: citations of one statement that stand in one place are one stop, so that a value
is framed together with its headers and notes. What is cited is drawn strong, the place around it
faint; of a table in which cells decide, these alone are strong. A page that the library lacks is left out,
never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.document import Box, Label, pages_of
from appliance.errors import ApplianceError
from appliance.evidence import Citation, Grounded, MarkedTable, Place
from appliance.web import deciding
from appliance.web.marks import View, view
from appliance.web.port import Port

SHOWN_PAGES = 6  # views of one stop: a table of more pages is turned in its own view


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to show; `id` is "c1" for what citation 1 stands in, "h3" for the third place found."""

    id: str
    document: str
    label: Label
    kind: str
    title: str
    views: tuple[View, ...]

    @property
    def page(self) -> int:
        """Return the page on which it starts, 0 when none can be shown."""
        return self.views[0].page if self.views else 0


def of_citations(library: Port, answer: Grounded) -> dict[int, Stop]:
    """Return the stop of each citation by its number; citations of one place share one."""
    made: dict[int, Stop] = {}
    marked = {(item.document, item.label.key): item for item in answer.tables if item.marked}
    for group in groups(answer):
        own = marked.get((group[0].document, group[0].label.key))
        stop = _of_group(library, group, answer.evidence.hits, own)
        made |= {citation.n: stop for citation in group}
    return made


def groups(answer: Grounded) -> tuple[tuple[Citation, ...], ...]:
    """Return the citations bundled by statement and place; each in the first statement that has it."""
    known = {citation.n: citation for citation in answer.citations}
    left = dict(known)
    bundles: list[tuple[Citation, ...]] = []
    orders = [*(statement.citations for statement in answer.statements), tuple(known)]
    for order in orders:
        places: dict[tuple[str, Label], list[Citation]] = {}
        for citation in [left.pop(n) for n in dict.fromkeys(order) if n in left]:
            places.setdefault((citation.document, citation.label), []).append(citation)
        bundles += [tuple(bundle) for bundle in places.values()]
    return tuple(bundles)


def of_places(library: Port, places: Sequence[Place]) -> dict[str, Stop]:
    """Return the stops of places found, ids by rank from "h1"."""
    found = (of_place(library, place, f"h{rank}") for rank, place in enumerate(places, 1))
    return {stop.id: stop for stop in found}


def of_place(library: Port, place: Place, name: str) -> Stop:
    """Return the stop of a place found: what matched strong, all its text faint."""
    strong = place.focus or place.boxes
    figure, table = place.kind == "figure", place.kind == "table"
    shown = views(library, place.document, strong, place.boxes, tight=figure, cells=table)
    return Stop(name, place.document, place.label, place.kind, place.title, shown)


def views(
    library: Port,
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
        try:
            page = library.page(document, number)
        except ApplianceError:
            continue
        made.append(view(document, page, strong, faint, tight=tight, cells=cells))
    return tuple(made)


def holding(citation: Citation, places: Iterable[Place]) -> Place | None:
    """Return the place found that a citation quotes from: of the same label, else one that holds it."""
    same = [place for place in places if place.document == citation.document]
    exact = (place for place in same if place.label == citation.label)
    inside = (place for place in same if citation.label in place.labels)
    return next(exact, None) or next(inside, None)


def _of_group(
    library: Port, group: Sequence[Citation], hits: Sequence[Place], table: MarkedTable | None
) -> Stop:
    """Return the stop of citations of one place; of a table the deciding cells alone are drawn strong."""
    first = group[0]
    place = holding(first, hits)
    cited = tuple(box for citation in group for box in citation.boxes)
    around = place.boxes if place else ()
    strong = _deciding(library, table) if table else ()
    faint = (*around, *cited) if strong else around
    kind = place.kind if place and place.label == first.label else ""
    cells = bool(strong) or kind == "table"
    return Stop(
        id=f"c{first.n}",
        document=first.document,
        label=first.label,
        kind=kind,
        title=_title(place, first),
        views=views(library, first.document, strong or cited, faint, cells=cells),
    )


def _title(place: Place | None, citation: Citation) -> str:
    """Return the title of the place of a citation; of several definitions in one it is that of the others."""
    if place is None or (place.kind == "definition" and place.label != citation.label):
        return ""
    return place.title


def _deciding(library: Port, marked: MarkedTable) -> tuple[Box, ...]:
    try:
        table = library.table(marked.document, marked.label.key)
    except ApplianceError:
        return ()  # the citation's own boxes are drawn
    return deciding.boxes(table, marked.marked)
