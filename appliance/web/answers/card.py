"""The card of an answer on its page: its claims, each with the crop of the page that proves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from appliance.answer.candidates.values import PIECES
from appliance.core.document import Formula
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Citation, Grounded
from appliance.keeping.card import card, proof_boxes, proof_of, steps
from appliance.keeping.kept import kept
from appliance.site.saved import Kept, KeptHeadline, KeptStatement
from appliance.web.answers.cited_places import Drawing, Stop, of_formula, views, within
from appliance.web.reading.marks import View, crop, strip

if TYPE_CHECKING:
    from appliance.library import Library

LAID_OUT = str.maketrans("", "", "_^(),;\N{HORIZONTAL ELLIPSIS}")  # of a formula as text, not as printed
FORMULAS = 3  # pictures of one claim
MOST_HEIGHT = 0.37  # of the page: of what is said over more of it the crop shows the proof with what fits


@dataclass(frozen=True, slots=True)
class Proof:
    """A statement and the part of its page with what it cites boxed; no view where the page has no image.

    `steps` are the items of a list that it says, `formulas` the pictures of the formulas that it quotes.
    """

    statement: KeptStatement
    citation: Citation
    stop: Stop
    view: View | None
    steps: tuple[tuple[str, str], ...] = ()
    formulas: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What `appliance.keeping.card.Card` is, each statement with its proof."""

    found: bool
    headline: KeptHeadline | None
    proofs: tuple[Proof, ...]
    also: tuple[Proof, ...]


def card_of(library: Library, answer: Grounded, stops: Mapping[int, Stop]) -> Card:
    """Return the card of an answer; `stops` are those of its citations, by number."""
    whole = kept(answer, library)
    made = card(whole)
    known = {citation.n: citation for citation in answer.citations}

    def proof(statement: KeptStatement, *, first: bool = True) -> Proof:
        """Return a statement with its crop, below the first claim with a strip of it."""
        citation = known[proof_of(whole, statement)]
        stop = stops[citation.n]
        if first:
            view = proved(library, whole, statement)
            drawn = tuple(_formulas(library, [known[n] for n in statement.citations if n in known]))
            said = _without(drawn, statement)
            return Proof(said, citation, stop, view, steps(whole, said), drawn[:FORMULAS])
        views_of = views(library, citation.document, citation.boxes, cells=stop.kind == "table")
        return Proof(statement, citation, stop, strip(views_of[0]) if views_of else None)

    return Card(
        found=made.found,
        headline=made.headline,
        proofs=tuple(proof(item, first=not at) for at, item in enumerate(made.claims)),
        also=tuple(proof(item, first=False) for item in made.also),
    )


def _formulas(library: Library, citations: Iterable[Citation]) -> Iterator[Drawing]:
    """Yield the formulas that are quoted, each once, as their pages print them."""
    met = set()
    for citation in citations:
        for formula in _formulas_at(library, citation.document, citation.label.key):
            if formula.label not in met and any(within(box, formula) for box in citation.boxes):
                met.add(formula.label)
                yield of_formula(library, citation.document, formula)


def _formulas_at(library: Library, document: str, key: str) -> Iterable[Formula]:
    """Return the formula of this label, or those that stand in the clause of this label."""
    with suppress(ApplianceError):
        drawn = library.drawn(document, key)
        return (drawn,) if isinstance(drawn, Formula) else ()
    with suppress(ApplianceError):
        return library.clause(document, key).formulas
    return ()


def _without(drawn: Iterable[Drawing], said: KeptStatement) -> KeptStatement:
    """Return a statement without the pieces that say nothing but the signs of formulas that are shown."""
    formulas = [item.formula for item in drawn if item.formula]
    shown = "".join(f"{one.text} {one.where} {one.label}" for one in formulas).translate(LAID_OUT)
    pieces = said.text.split(PIECES) if formulas else []
    left = [one for one in pieces if not all(word in shown for word in one.translate(LAID_OUT).split())]
    return replace(said, text=PIECES.join(left)) if formulas else said


def proved(library: Library, whole: Kept, claim: KeptStatement) -> View | None:
    """Return the page that proves a claim with all that it says there boxed; None without an image of it."""
    number, cells = proof_of(whole, claim), bool(claim.rows)
    proof = next(item for item in whole.citations if item.n == number)
    said = proof_boxes(whole, claim)
    drawn = next(iter(views(library, proof.document, said, cells=cells)), None)
    if drawn is None or not (drawn.large or drawn.phone):
        return None
    if drawn.crop.height <= MOST_HEIGHT * drawn.height:
        return drawn
    shown = proof.boxes
    for box in said:
        more = crop((*shown, box), said)
        if box.page == drawn.page and more.y1 - more.y0 <= MOST_HEIGHT:
            shown = (*shown, box)
    return replace(drawn, crop=views(library, proof.document, shown, said, cells=cells)[0].crop)
