"""The shape of an answer: which claims are said first, together, behind, and not at all."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from appliance.answer.candidates.values import Candidate
from appliance.answer.claims import claim, named
from appliance.answer.quoting import Said
from appliance.answer.reading.order import Ranked
from appliance.core.mechanisms import mechanism

FIRST_WORDS, FIRST_MOST = 25, 78  # words of the leading claim, and of all that is said with it
SURE, SURE_WORDS = 0.3, 36  # share of the chance from which the leading claim has more words
BESIDE_WORDS = 17  # of a claim that is said with the leading one
NEXT_WORDS = 10  # of a claim behind it
FURTHER = 1  # statements behind the first
ALSO, ALSO_WORDS = 4, 14  # further ones that are named in a line
READ = 30  # best candidates whose chances are joined by place
NEXT = 10  # best candidates that may be said with the leading one
TOGETHER = 6  # claims that are said together
ROWS = 2  # rows among them
LEAST = 0.05  # of the chance of the best of them, that another has at least
LISTED = 6  # items of a list that are
NOTES, NOTE_WORDS = 2, 24  # notes of the rows said, and words of one: they change a value and take no room
IN_ORDER = frozenset({"procedure", "coverage", "applicability"})  # intents told in the order of the code
LISTS = frozenset({"procedure", "coverage"})  # intents that a whole list answers


def shaped(ranked: Ranked) -> tuple[list[Said], list[Said]]:
    """Return the statements of an answer, first the leading one, and those that are named in a line."""
    if not ranked.found:
        return [], []
    statements = [_leading(ranked)]
    used = {one.quotes for one in statements[0].claims}
    for one in ranked.found:
        if len(statements) > FURTHER + ALSO:
            break
        if one.quotes in used or _repeats(one, statements):
            continue
        used.add(one.quotes)
        limit = NEXT_WORDS if len(statements) <= FURTHER else ALSO_WORDS
        statements.append(Said((claim(ranked.asked, one, limit),)))
    return statements[: FURTHER + 1], statements[FURTHER + 1 :]


@mechanism(
    "answer.places",
    "The place whose candidates have most of the chance together leads, not that of the best candidate.",
    without=lambda ranked: [one for one in ranked.found if place_of(one) == place_of(ranked.found[0])],
)
def leading_place(ranked: Ranked) -> list[Candidate]:
    """Return the candidates of the place that most likely holds the answer, best first.

    The chance of a place is the sum of the chances of its candidates (a softmax over their scores).
    """
    found = ranked.found[:READ]
    top = found[0].score
    chances: dict[tuple[str, str], float] = {}
    for one in found:
        chances[place_of(one)] = chances.get(place_of(one), 0.0) + exp(one.score - top)
    best = max(chances, key=lambda place: chances[place])
    return [one for one in found if place_of(one) == best]


def _leading(ranked: Ranked) -> Said:
    """Return the best claims in short: of the place that most likely holds the answer, then of any, named."""
    asked = ranked.asked
    best = leading_place(ranked)[0]
    chance = 1.0 / sum(exp(one.score - best.score) for one in ranked.found[:READ])
    chosen = [claim(asked, best, SURE_WORDS if chance >= SURE else FIRST_WORDS)]
    room = FIRST_MOST - len(chosen[0].text.split())
    listing = asked.query.intent in LISTS and best.form == "item"
    for one in _siblings(ranked, best) if listing else ranked.found[:NEXT]:
        if len(chosen) >= (LISTED if listing else TOGETHER):
            break
        if not listing and exp(one.score - best.score) < LEAST:
            continue
        if one.form == "row" and sum(each.form == "row" for each in chosen) >= ROWS:
            continue
        if (
            one.quotes[-1] in best.quotes
            or best.quotes[-1] in one.quotes
            or _repeats(one, [Said((*chosen,))])
        ):
            continue  # the words that introduce it, or that it introduces
        short = claim(asked, one, BESIDE_WORDS)
        if place_of(one) != place_of(best):
            short = named(short, best.place.document)
        size = len(short.text.removeprefix(short.lead).split())
        if size <= room:
            chosen.append(short)
            room -= size
    if asked.query.intent in IN_ORDER:
        places = list(dict.fromkeys(map(place_of, chosen)))
        chosen.sort(key=lambda one: (places.index(place_of(one)), _printed(one)))
    notes = dict.fromkeys(
        note for one in chosen for note in one.notes if len(note.text.split()) <= NOTE_WORDS
    )
    return Said(tuple(chosen), tuple(notes)[:NOTES])


def place_of(one: Candidate) -> tuple[str, str]:
    """Return what a candidate is of: its place, of a definition its term."""
    label = one.label if one.form == "definition" else one.place.label
    return one.place.document, label.key


def _siblings(ranked: Ranked, best: Candidate) -> list[Candidate]:
    """Return the items of the list that a candidate belongs to, in the order of print."""
    same = (one for one in ranked.found[1:] if one.lead == best.lead and one.quotes[0] == best.quotes[0])
    return sorted(same, key=_printed)


def _printed(one: Candidate) -> tuple[int, float, float, tuple[tuple[int, int], ...]]:
    """Return where a candidate is printed."""
    box = one.quotes[-1].boxes[0] if one.quotes[-1].boxes else None
    return (one.quotes[-1].page, box.y0 if box else 0.0, box.x0 if box else 0.0, one.marked)


def _repeats(one: Candidate, statements: Sequence[Said]) -> bool:
    """Tell whether a candidate says what was said, of the same row or in the same words."""
    own = one.quotes[-1].text.split()
    return any(own == quote.text.split() for each in statements for quote in each.quotes)
