"""A question of several that have nothing to do with one another: what each finds alone joins what all find.

Rules of this module: a part that leans on another is searched with it and never alone, nor is one of few
words ("what steps do I follow"), which leans though no word of it says so. Searched as one, two subjects
hide one another, for hardly a place speaks of both. So the first places of each part that stands
alone come behind the first five; nothing is taken away, and a part that the first places already serve adds
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from appliance.evidence import SubQuestion
from appliance.retrieval.assemble import Outcome
from appliance.store.words import words

BEHIND = 5  # places of the whole question that come first
EACH = 2  # first places of each part
OWN = 3  # words with meaning that a part has at least


def standing_alone(parts: Sequence[SubQuestion], stop: Collection[str]) -> tuple[str, ...]:
    """Return the parts of a question that say all that they ask, none where there are not two of them.

    `stop` are the words that carry no meaning.
    """
    alone = tuple(
        part.asked
        for part in parts
        if part.asked == part.searched and len(set(words(part.asked)).difference(stop)) >= OWN
    )
    return alone if len(alone) > 1 else ()


def with_parts(outcome: Outcome, parts: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a question with the first places of its parts among its own."""
    for part in parts:
        for name, spent in part.ask.clock.spent.items():
            outcome.ask.clock.spent[name] = outcome.ask.clock.spent.get(name, 0.0) + spent
    first = outcome.orders.final[:BEHIND]
    added = [chunk for chunk in dict.fromkeys(_in_turn(parts)) if chunk not in first]
    if not added:
        return outcome
    contest = outcome.contest
    for part in parts:
        new = {chunk: part.contest.chunks[chunk] for chunk in added if chunk in part.contest.chunks}
        judged = {chunk: part.contest.judged[chunk] for chunk in new if chunk in part.contest.judged}
        ranks = {
            name: {**{chunk: rank for chunk, rank in part.contest.ranks[name].items() if chunk in new}, **own}
            for name, own in contest.ranks.items()
        }
        contest = replace(
            contest, chunks={**new, **contest.chunks}, judged={**judged, **contest.judged}, ranks=ranks
        )
    scores = {chunk: score for part in parts for chunk, score in part.scores.items() if chunk in added}
    rest = [chunk for chunk in outcome.orders.final[BEHIND:] if chunk not in added]
    orders = replace(outcome.orders, final=(*first, *added, *rest))
    return replace(outcome, contest=contest, orders=orders, scores={**scores, **outcome.scores})


def _in_turn(parts: Sequence[Outcome]) -> Iterator[int]:
    """Yield the first place of every part, then the second of every part."""
    for rank in range(EACH):
        yield from (part.orders.final[rank] for part in parts if rank < len(part.orders.final))
