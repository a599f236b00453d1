"""What answers a question for a way: what the clause that decides says, and what it takes on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.answer.findings import Finding, Quote
from appliance.answer.verify import Claim
from appliance.core.evidence import Evidence, Place
from appliance.store.read import Store
from appliance.tables.rows import flat

DECIDING = 3  # parts of the clause that decides
LISTED = 10  # steps that are named


def on_the_way(store: Store, evidence: Evidence, said: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return what the clause that decides says and the titles of its steps, nothing without a way.

    `said` is what the places read say.
    """
    if not evidence.way:
        return ()
    decides, *steps = evidence.way
    own = [item for item in said if item.place.chunk == decides.chunk]
    best = _paragraph(store, decides, own) or sorted(own, key=lambda item: -item.score)[:1]
    return (*best, *_listed(decides, steps[:LISTED], best[0].score if best else 0.0))


def _paragraph(store: Store, decides: Place, own: Sequence[Finding]) -> list[Finding]:
    """Return the parts of the paragraph that prints the first formula, from its beginning on."""
    printed = {formula.label.key for formula in store.formulas(decides.document)}
    first = next((item for item in own if any(label.key in printed for label in item.labels)), None)
    if first is None:
        return []
    around = {label.key for label in first.labels} - {decides.label.key}
    begin = next(at for at, item in enumerate(own) if around & {label.key for label in item.labels})
    return list(own[begin : begin + DECIDING])


def _listed(decides: Place, steps: Sequence[Place], score: float) -> Iterator[Finding]:
    """Yield the titles of the steps as one finding."""
    titled = [(step, title) for step in steps if (title := flat(step.title))]
    if titled:
        named = [
            title if title.startswith(str(step.label)) else f"{step.label} {title}" for step, title in titled
        ]
        quotes = tuple(
            Quote(step.document, step.label, step.pages[0], step.boxes[:1], title) for step, title in titled
        )
        claims = tuple(Claim(title, (title,)) for _, title in titled)
        yield Finding(f"{decides.label} takes: {'; '.join(named)}", quotes, score, decides, claims=claims)
