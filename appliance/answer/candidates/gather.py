"""The candidates of all places that are read, the first place first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.answer.candidates.others import from_definitions, from_figure, from_formulas
from appliance.answer.candidates.rows import from_table
from appliance.answer.candidates.sentences import from_text
from appliance.answer.candidates.values import Candidate, Sources
from appliance.core.evidence import Place
from appliance.store.read import Store


def candidates(store: Store, places: Sequence[Place]) -> list[Candidate]:
    """Return what could be said from these places, each text of a place once."""
    sources = Sources(store, places)
    found: dict[tuple[str, str, str], Candidate] = {}
    for rank, place in enumerate(places):
        for one in _of_place(sources, place, rank):
            found.setdefault((place.document, one.label.key, one.text), one)
    return list(found.values())


def _of_place(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    if place.kind == "table":
        yield from from_table(sources, place, rank)
    elif place.kind == "figure":
        yield from from_figure(sources, place, rank)
    elif place.kind == "definition":
        yield from from_definitions(sources, place, rank)
    else:
        yield from from_formulas(sources, place, rank)
        yield from from_text(sources, place, rank)
