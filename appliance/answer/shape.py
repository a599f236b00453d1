"""The shape of an answer: which claims are said first, together, behind, and not at all."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from appliance.answer.candidates.values import Candidate
from appliance.answer.claims import claim, named
from appliance.answer.quoting import Said
from appliance.answer.reading.order import Ranked
from appliance.core.evidence import Link
from appliance.core.mechanisms import mechanism

FIRST_WORDS, FIRST_MOST = 36, 84  # words of the leading claim, and of all that is said with it
BESIDE_WORDS = 17  # of a claim that is said with the leading one
STATEMENTS = 3  # places that are said
ALSO, ALSO_WORDS = 4, 14  # further claims that are named in a line
READ = 30  # best candidates whose chances are joined by place
NEXT = 10  # best candidates that may be said of other places
TOGETHER = 6  # claims that are said together
ROWS = 2  # rows among them
LEAST = 0.05  # of the chance of the best of them, that another has at least
LISTED, LISTED_WORDS, LISTED_MOST = 12, 40, 200  # items of a list that are, words of one and of all
NOTES, NOTE_WORDS = 2, 24  # notes of the rows said, and words of one: they change a value and take no room
IN_ORDER = frozenset({"procedure", "coverage"})  # intents told in the order of the code
LISTS = frozenset({"procedure", "coverage"})  # intents that a whole list answers


def shaped(ranked: Ranked, chain: Sequence[Link] = ()) -> tuple[list[Said], list[Said]]:
    """Return the statements of an answer, first the leading one, and those that are named in a line.

    A statement says the best claims of one place in short, the leading one also those of the places that a
    reference of `chain` joins to it: the row of the table that a clause sends to. What is left is named.
    """
    if not ranked.found:
        return [], []
    first, *others = _best(ranked, chain)
    home, joined = place_of(first), _joined(first, chain)
    places: dict[tuple[str, str], list[Candidate]] = {home: [first]}
    for one in others:
        own = place_of(one)
        if own != home and joined & _named(one):
            places[home].append(named(one, first.place.document))
        else:
            places.setdefault(own, []).append(one)
    statements = [_said(claims) for claims in places.values()]
    used = {one.quotes for each in statements for one in each.claims}
    also: list[Said] = []
    for one in ranked.found:
        if len(also) >= ALSO:
            break
        if one.quotes in used or _repeats(one, [*statements, *also]):
            continue
        used.add(one.quotes)
        also.append(Said((claim(ranked.asked, one, ALSO_WORDS),)))
    return statements[:STATEMENTS], [*statements[STATEMENTS:], *also][:ALSO]


def _said(claims: Sequence[Candidate]) -> Said:
    """Return claims of one place as a statement, with the notes of their rows."""
    notes = dict.fromkeys(
        note for one in claims for note in one.notes if len(note.text.split()) <= NOTE_WORDS
    )
    return Said(tuple(claims), tuple(notes)[:NOTES])


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


def _best(ranked: Ranked, chain: Sequence[Link]) -> list[Candidate]:
    """Return the best claims in short, first that of the place that most likely holds the answer."""
    asked = ranked.asked
    best = leading_place(ranked)[0]
    listing = asked.query.intent in LISTS and best.form == "item"
    chosen = [claim(asked, best, LISTED_WORDS if listing else FIRST_WORDS)]
    room = (LISTED_MOST if listing else FIRST_MOST) - len(chosen[0].text.split())
    for one in _siblings(ranked, best) if listing else _beside(ranked, best, chain):
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
        short = claim(asked, one, LISTED_WORDS if listing else BESIDE_WORDS)
        size = len(short.text.removeprefix(short.lead).split())
        if size <= room:
            chosen.append(short)
            room -= size
    if asked.query.intent in IN_ORDER:
        places = list(dict.fromkeys(map(place_of, chosen)))
        chosen.sort(key=lambda one: (places.index(place_of(one)), _printed(one)))
    return chosen


def place_of(one: Candidate) -> tuple[str, str]:
    """Return what a candidate is of: its place, of a definition its term."""
    label = one.label if one.form == "definition" else one.place.label
    return one.place.document, label.key


def _beside(ranked: Ranked, best: Candidate, chain: Sequence[Link]) -> list[Candidate]:
    """Return what may be said with the best: first what stands under its place or one joined to it."""
    joined = _joined(best, chain)
    near = [one for one in ranked.found[:READ] if joined & _named(one)]
    return [*near, *(one for one in ranked.found[:NEXT] if one not in near)]


def _named(one: Candidate) -> set[tuple[str, str]]:
    """Return what a candidate stands under: its place, and of no definition its own label."""
    document, key = place_of(one)
    return {(document, key), (document, one.label.key)}


@mechanism(
    "answer.joined",
    "What a reference joins to the leading place is said with it.",
    without=lambda best, _chain: _named(best),
)
def _joined(best: Candidate, chain: Sequence[Link]) -> set[tuple[str, str]]:
    """Return what a candidate stands under with the ends of the references from there and to there."""
    own = _named(best)
    found = set(own)
    for link in chain:
        ends = (link.from_document, link.from_label.key), (link.to_document, link.to_label.key)
        if own & set(ends):
            found |= set(ends)
    return found


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
