"""A question of several parts: the best finding for each, and which part nothing was found for.

Rules of this module: a part is judged by the same signals as the whole, over the same places. A part is
answered by its best finding where that, with the titles above it, holds enough of the part's own words;
else it is said that nothing was found for it, never hidden behind what the other parts found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from appliance.answer.findings import Finding, best_first, covered
from appliance.answer.reading import Judges, findings
from appliance.answer.scope import with_scope
from appliance.evidence import Place, Query, Subanswer
from appliance.store.read import Store

HELD = 0.34  # share of the words of a part that its finding must hold
FIRST = 3  # best findings of a part that are counted to it where the answer states them
MARGIN = 0.15  # and how much worse than its best they may be


def by_part(
    store: Store, query: Query, read: Sequence[Place], chosen: Sequence[Finding], judges: Judges
) -> tuple[tuple[Finding, ...], tuple[Subanswer, ...]]:
    """Return what is stated with the best finding of each part added, and what answers which part."""
    if len(query.parts) < 2 or judges.read is None:
        return tuple(chosen), ()
    stated = list(chosen)
    answers: list[Subanswer] = []
    for part in query.parts:
        asked, encoded = judges.read(part.searched)
        said = list(findings(store, asked, read, replace(judges, encoded=encoded)))
        best = best_first(said, FIRST, MARGIN)
        if asked.intent == "applicability":
            best = with_scope(best, said)
        held = [finding for finding in best if _holds(asked, finding)]
        stated += [finding for finding in held[:1] if _position(stated, finding) is None]
        places = (_position(stated, finding) for finding in held)
        answers.append(Subanswer(part.asked, tuple(place for place in places if place is not None)))
    return tuple(stated), tuple(answers)


def _holds(asked: Query, finding: Finding) -> bool:
    place = finding.place
    return covered(asked, " ".join([finding.text, place.title, *place.heading_path])) >= HELD


def _position(stated: Sequence[Finding], finding: Finding) -> int | None:
    """Return where the answer states a finding, None where it does not."""
    plain = " ".join(finding.text.split()).casefold()
    same = (at for at, item in enumerate(stated) if " ".join(item.text.split()).casefold() == plain)
    return next(same, None)
