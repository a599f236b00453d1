"""The card of an answer: one claim with the crop of the page that proves it, or the places to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.core.evidence import Citation, Grounded, Headline, Statement
from appliance.web.answers.cited_places import Stop, views
from appliance.web.port import Port
from appliance.web.reading.marks import View

PLACES = 3  # to read, where no single claim is vouched for


@dataclass(frozen=True, slots=True)
class Proof:
    """A statement and the part of its page with what it cites boxed; no view where the page has no image."""

    statement: Statement
    citation: Citation
    stop: Stop
    view: View | None


@dataclass(frozen=True, slots=True)
class Card:
    """What is seen of an answer before anything is unfolded.

    `headline` is the value to show large: none where no value is vouched for or its text was read with
    doubt, for then the picture is the value. `proofs` is one claim where the state is found, else the
    places to read; `also` are further statements, a line each.
    """

    found: bool
    headline: Headline | None
    proofs: tuple[Proof, ...]
    also: tuple[Proof, ...]


def card_of(library: Port, answer: Grounded, stops: Mapping[int, Stop]) -> Card:
    """Return the card of an answer; `stops` are those of its citations, by number."""
    found = answer.state == "found"
    headline = answer.headline if found else None
    first = headline.citation if headline else 0
    known = {citation.n: citation for citation in answer.citations}
    said = [item for item in (*answer.statements, *answer.also) if set(item.citations) & stops.keys()]
    shown = 1 if found else PLACES
    return Card(
        found=found,
        headline=headline if headline and headline.trust == "text" else None,
        proofs=tuple(_proof(library, item, known, stops, first) for item in said[:shown]),
        also=tuple(_proof(library, item, known, stops, 0) for item in said[shown:]),
    )


def _proof(
    library: Port,
    statement: Statement,
    known: Mapping[int, Citation],
    stops: Mapping[int, Stop],
    first: int,
) -> Proof:
    """Return a statement with the crop of citation `first` where it has it, else of its own first one."""
    own = [n for n in statement.citations if n in stops]
    citation = known[first if first in own else own[0]]
    stop = stops[citation.n]
    drawn = views(library, citation.document, citation.boxes, cells=stop.kind == "table")
    return Proof(statement, citation, stop, drawn[0] if drawn else None)
