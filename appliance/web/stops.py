"""The stops of an answer: every place that can be shown beside it, in the order of the page.

Rules of this module: a stop has one view for each page that its place stands on; what is cited is
drawn strong, the clause around it faint. A page that the library lacks is left out, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.document import Box, Label, pages_of
from appliance.errors import ApplianceError
from appliance.evidence import Citation, Grounded, Place
from appliance.web.marks import View, view
from appliance.web.port import Port

SHOWN_PAGES = 6  # views of one stop: a table of more pages is turned in its own view


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to show; `id` is "c1" for citation 1, "h3" for the third place found."""

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


def of_answer(library: Port, answer: Grounded) -> dict[str, Stop]:
    """Return the stops of an answer: its citations, then the places found."""
    hits = answer.evidence.hits
    cited = [_of_citation(library, citation, hits) for citation in answer.citations]
    return {stop.id: stop for stop in (*cited, *of_places(library, hits).values())}


def of_places(library: Port, places: Sequence[Place]) -> dict[str, Stop]:
    """Return the stops of places found, ids by rank from "h1"."""
    return {
        f"h{rank}": Stop(
            id=f"h{rank}",
            document=place.document,
            label=place.label,
            kind=place.kind,
            title=place.title,
            views=views(library, place.document, place.focus or place.boxes, place.boxes),
        )
        for rank, place in enumerate(places, 1)
    }


def views(library: Port, document: str, strong: Sequence[Box], faint: Sequence[Box] = ()) -> tuple[View, ...]:
    """Return a view for each page of the strong boxes, then for those of the faint ones."""
    first = pages_of(tuple(strong))
    pages = (*first, *(page for page in pages_of(tuple(faint)) if page not in first))
    return tuple(_views(library, document, pages[:SHOWN_PAGES], strong, faint))


def holding(citation: Citation, places: Iterable[Place]) -> Place | None:
    """Return the place found that a citation quotes from: of the same label, else one that holds it."""
    same = [place for place in places if place.document == citation.document]
    exact = (place for place in same if place.label == citation.label)
    inside = (place for place in same if citation.label in place.labels)
    return next(exact, None) or next(inside, None)


def _of_citation(library: Port, citation: Citation, hits: Sequence[Place]) -> Stop:
    place = holding(citation, hits)
    faint = place.boxes if place else ()
    kind = place.kind if place and place.label == citation.label else ""
    return Stop(
        id=f"c{citation.n}",
        document=citation.document,
        label=citation.label,
        kind=kind,
        title=place.title if place else "",
        views=views(library, citation.document, citation.boxes, faint),
    )


def _views(
    library: Port, document: str, pages: Iterable[int], strong: Sequence[Box], faint: Sequence[Box]
) -> Iterable[View]:
    for number in pages:
        try:
            page = library.page(document, number)
        except ApplianceError:
            continue
        yield view(document, page, strong, faint)
