"""An answer as its page shows it: what is cited, what must be read with it, what else was found.

Rules of this module: nothing found is left out; every place appears once, at its most important use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from appliance.document import Label, Table
from appliance.errors import ApplianceError
from appliance.evidence import Citation, Grounded, MarkedTable, Place
from appliance.web import grids, stops
from appliance.web.grids import Grid
from appliance.web.port import Port
from appliance.web.stops import Stop

Key = tuple[str, Label]


@dataclass(frozen=True, slots=True)
class Finding:
    """A place found with the stop that shows it; `inside` are the places listed under it."""

    place: Place
    stop: Stop


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of the answer as a grid, with its page."""

    document: str
    table: Table
    grid: Grid


@dataclass(frozen=True, slots=True)
class AnswerView:
    """All that the answer page shows, in its order."""

    answer: Grounded
    stops: dict[str, Stop]
    citations: dict[int, Citation]
    tables: tuple[ShownTable, ...]
    figures: tuple[Finding, ...]
    must_read: tuple[Finding, ...]
    others: tuple[tuple[str, tuple[Finding, ...]], ...]


def of_answer(library: Port, answer: Grounded) -> AnswerView:
    """Return the parts of the answer page."""
    found = stops.of_answer(library, answer)
    figures = _figures(library, answer, found)
    used = _cited(answer) | {(item.place.document, item.place.label) for item in figures}
    rest = [item for item in findings(answer.evidence.hits, found) if _key(item) not in used]
    demanded = {(place.document, place.label) for place in answer.evidence.must_read}
    return AnswerView(
        answer=answer,
        stops=found,
        citations={citation.n: citation for citation in answer.citations},
        tables=tuple(_tables(library, answer.tables)),
        figures=figures,
        must_read=tuple(item for item in rest if _key(item) in demanded),
        others=by_document([item for item in rest if _key(item) not in demanded]),
    )


def findings(places: Sequence[Place], found: dict[str, Stop]) -> tuple[Finding, ...]:
    """Return places by rank with their stops."""
    return tuple(Finding(place, found[f"h{rank}"]) for rank, place in enumerate(places, 1))


def by_document(items: Iterable[Finding]) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """Return findings grouped by document; documents in the order of their best place."""
    items = tuple(items)
    order = {name: at for at, name in reversed(tuple(enumerate(item.place.document for item in items)))}
    ordered = sorted(items, key=lambda item: order[item.place.document])
    return tuple((name, tuple(group)) for name, group in groupby(ordered, lambda item: item.place.document))


def _key(item: Finding) -> Key:
    return item.place.document, item.place.label


def _cited(answer: Grounded) -> set[Key]:
    held = (stops.holding(citation, answer.evidence.hits) for citation in answer.citations)
    return {(place.document, place.label) for place in held if place}


def _figures(library: Port, answer: Grounded, found: dict[str, Stop]) -> tuple[Finding, ...]:
    by_place = {(stop.document, stop.label): stop for stop in found.values() if stop.id.startswith("h")}
    shown = []
    for number, place in enumerate(answer.figures, 1):
        stop = by_place.get((place.document, place.label))
        if stop is None:
            stop = _figure_stop(library, place, f"f{number}")
            found[stop.id] = stop
        shown.append(Finding(place, stop))
    return tuple(shown)


def _figure_stop(library: Port, place: Place, name: str) -> Stop:
    shown = stops.views(library, place.document, place.boxes)
    return Stop(name, place.document, place.label, place.kind, place.title, shown)


def _tables(library: Port, marked: Iterable[MarkedTable]) -> Iterable[ShownTable]:
    for item in marked:
        try:
            table = library.table(item.document, item.label.key)
        except ApplianceError:
            continue  # the citation still shows it on its page
        yield ShownTable(item.document, table, grids.excerpt(table, item.marked))
