"""The card of an answer on its page: its claims, each with the crop of the page that proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from appliance.core.evidence import Citation, Grounded
from appliance.keeping.card import card, proof_boxes, proof_of
from appliance.keeping.kept import kept
from appliance.site.saved import Kept, KeptHeadline, KeptStatement
from appliance.web.answers.cited_places import Stop, views
from appliance.web.port import Port
from appliance.web.reading.marks import View, strip

MOST_HEIGHT = 0.34  # of the page: of what is said over more of it the crop shows the proof alone


@dataclass(frozen=True, slots=True)
class Proof:
    """A statement and the part of its page with what it cites boxed; no view where the page has no image."""

    statement: KeptStatement
    citation: Citation
    stop: Stop
    view: View | None


@dataclass(frozen=True, slots=True)
class Card:
    """What `appliance.keeping.card.Card` is, each statement with its proof."""

    found: bool
    headline: KeptHeadline | None
    proofs: tuple[Proof, ...]
    also: tuple[Proof, ...]


def card_of(library: Port, answer: Grounded, stops: Mapping[int, Stop]) -> Card:
    """Return the card of an answer; `stops` are those of its citations, by number."""
    whole = kept(answer, library)
    made = card(whole)
    known = {citation.n: citation for citation in answer.citations}

    def proof(statement: KeptStatement, *, first: bool = True) -> Proof:
        """Return a statement with its crop, below the first claim with a strip of it."""
        citation = known[proof_of(whole, statement)]
        stop = stops[citation.n]
        cells = stop.kind == "table"
        if first:
            return Proof(statement, citation, stop, proved(library, whole, statement, cells=cells))
        drawn = views(library, citation.document, citation.boxes, cells=cells)
        return Proof(statement, citation, stop, strip(drawn[0]) if drawn else None)

    return Card(
        found=made.found,
        headline=made.headline,
        proofs=tuple(proof(item, first=not at) for at, item in enumerate(made.claims)),
        also=tuple(map(proof, made.also)),
    )


def proved(library: Port, whole: Kept, claim: KeptStatement, *, cells: bool = False) -> View | None:
    """Return the page that proves a claim with all that it says there boxed; None without an image of it.

    `cells` tells that the boxes are cells of a table.
    """
    number = proof_of(whole, claim)
    proof = next(item for item in whole.citations if item.n == number)
    drawn = views(library, proof.document, proof_boxes(whole, claim), cells=cells)
    if not drawn or drawn[0].crop.height <= MOST_HEIGHT * drawn[0].height:
        return next(iter(drawn), None)
    return replace(drawn[0], crop=views(library, proof.document, proof.boxes, cells=cells)[0].crop)
