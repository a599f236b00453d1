"""Questions about places themselves, answered by where things stand.

What stands on a page, above, before, after or in a clause, what replaced a document, where a subject is
covered, and everything that speaks of one.

Rules of this module: answered from the store and its graph alone, no model and no guess. Each function
returns a `Found`: places that the question asks for by name (`first`), places that only lead because
their title says the subject (`leading`), and the sentence with the items that the answer shows. What is
not there is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from appliance.evidence import Listed, Scoped
from appliance.retrieval.around import Found, around, led, linked, replaced
from appliance.retrieval.ask import Ask
from appliance.retrieval.boosts import boosts_of
from appliance.retrieval.calculated import asks_how_calculated, calculated
from appliance.retrieval.covering import headings
from appliance.retrieval.exact import Jump
from appliance.retrieval.onpage import on_pages
from appliance.retrieval.own_scope import asks_own_scope, asks_what_applies, own_scope
from appliance.retrieval.several import several
from appliance.retrieval.speaking import spoken

Step = Callable[[Ask, Jump], Found | None]


def with_scope(ask: Ask, named: Jump) -> Jump:
    """Return the places that a question names with those that it asks for by where they stand.

    What is being read, where the user told it, joins the places that compete.
    """
    found = _found(ask, named) or Found()
    raised = boosts_of(ask)
    inside = [chunk for chunk in found.first if ask.scope.holds(chunk)]
    first = dict.fromkeys((*inside, *named.first))
    others = dict.fromkeys((*named.others, *raised, *found.others))
    return replace(
        named,
        first=tuple(first),
        others=tuple(chunk for chunk in others if chunk not in first and ask.scope.holds(chunk)),
        leading=tuple(chunk for chunk in found.leading if chunk not in first and ask.scope.holds(chunk)),
        scope=found.told,
        boosts=raised,
    )


def _found(ask: Ask, named: Jump) -> Found | None:
    """Return what the question asks for by place, None where it asks for no place."""
    question = ask.question
    intent = question.query.intent
    steps: Sequence[tuple[bool, Step]] = (
        (question.relation == "replaced", replaced),
        (question.incoming, linked),  # "which paragraphs of G3 refer to 3.18" asks for no contents of G3
        (question.relation not in {None, "replaced"}, around),
        (question.directed and question.relation is None, led),
        (bool(question.query.pages), on_pages),
        (bool(asks_own_scope(ask.store, question.query)), own_scope),
        (asks_what_applies(ask.store, question.query), own_scope),
        (intent == "location", headings),
        (intent == "coverage" or question.frame is not None, spoken),
        (asks_how_calculated(ask), calculated),
        (bool(named.labels), several),
    )
    found = (step(ask, named) for holds, step in steps if holds)
    if intent == "location" and question.frame:  # where no heading is named after it, what speaks of it
        return next(filter(None, found), None)
    return next(found, None)


__all__ = ["Found", "Listed", "Scoped", "with_scope"]
