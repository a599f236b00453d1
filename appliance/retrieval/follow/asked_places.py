"""The places that a question asks for by where they stand: on a page, beside another, under a heading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from appliance.retrieval.ask import Ask
from appliance.retrieval.channels.exact import Jump
from appliance.retrieval.follow.neighbours import Found, around, linked, on_pages, replaced, several
from appliance.retrieval.follow.scope import asks_own_scope, asks_what_applies, own_scope
from appliance.retrieval.follow.subject_coverage import headings, spoken
from appliance.retrieval.rank.boosts import boosts_of

Step = Callable[[Ask, Jump], Found | None]


def with_scope(ask: Ask, named: Jump) -> Jump:
    """Return the places that a question names with those that it asks for by where they stand.

    What is being read, where the user told it, joins the places that compete.
    """
    found = _found(ask, named) or Found()
    raised = boosts_of(ask)
    inside = [chunk for chunk in found.first if ask.scope.holds(chunk)]
    first = dict.fromkeys((*inside, *named.first))
    leading = dict.fromkeys((*named.leading, *found.leading))
    others = dict.fromkeys((*named.others, *raised, *found.others))
    return replace(
        named,
        first=tuple(first),
        others=tuple(chunk for chunk in others if chunk not in first and ask.scope.holds(chunk)),
        leading=tuple(chunk for chunk in leading if chunk not in first and ask.scope.holds(chunk)),
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
        (question.directed and question.relation is None, linked),
        (bool(question.query.pages), on_pages),
        (bool(asks_own_scope(ask.store, question.query)), own_scope),
        (asks_what_applies(ask.store, question.query), own_scope),
        (intent == "location", headings),
        (intent == "coverage" or question.frame is not None, spoken),
        (bool(named.labels), several),
    )
    found = (step(ask, named) for holds, step in steps if holds)
    if intent == "location" and question.frame:  # where no heading is named after it, what speaks of it
        return next(filter(None, found), None)
    return next(found, None)
