"""The shape of an answer: which claims are said first, together, behind, and not at all.

Rules of this module: claims keep the order that was fitted; what is said together are claims of one clause or
table, in the order of print. A list is said in its order, as much of it as is read at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.answer.candidates.values import Candidate
from appliance.answer.claims import claim
from appliance.answer.quoting import Said
from appliance.answer.reading.order import Ranked

FIRST_WORDS, FIRST_MOST = 32, 52  # words of the leading claim, and of all that is said with it
BESIDE_WORDS = 18  # of a claim that is said with the leading one
NEXT_WORDS = 18  # of a claim behind it
FURTHER = 2  # statements behind the first
ALSO, ALSO_WORDS = 4, 14  # further ones that are named in a line
COMPANIONS = 5  # best candidates among which one of the same clause or table is said with the leading one
LISTED = 5  # items of a list that are said together
NOTE_WORDS = 24  # of the notes of a row that are said with it
LISTS = frozenset({"procedure", "coverage"})  # intents that a whole list answers


def shaped(ranked: Ranked) -> tuple[list[Said], list[Said]]:
    """Return the statements of an answer, first the leading one, and those that are named in a line."""
    found = ranked.found
    if not found:
        return [], []
    first = _leading(ranked)
    statements = [first]
    used = {one.text for one in _originals(ranked, first)}
    for one in found:
        if len(statements) > FURTHER + ALSO:
            break
        if one.text in used or _repeats(one, statements):
            continue
        used.add(one.text)
        limit = NEXT_WORDS if len(statements) <= FURTHER else ALSO_WORDS
        statements.append(Said((claim(ranked.asked, one, limit),)))
    return statements[: FURTHER + 1], statements[FURTHER + 1 :]


def _leading(ranked: Ranked) -> Said:
    """Return the best claim with what of the same clause or table bears on the question too."""
    asked, best = ranked.asked, ranked.found[0]
    chosen = [claim(asked, best, FIRST_WORDS)]
    room = FIRST_MOST - len(chosen[0].text.split())
    notes = tuple(note for note in best.notes if len(note.text.split()) <= min(NOTE_WORDS, room))[:2]
    room -= sum(len(note.text.split()) for note in notes)
    listing = asked.query.intent in LISTS and best.form == "item"
    most = LISTED if listing else 2
    near = _siblings(ranked, best) if listing else ranked.found[1:COMPANIONS]
    for one in near:
        if len(chosen) >= most or not _together(best, one):
            continue
        short = claim(asked, one, BESIDE_WORDS)
        size = len(short.text.removeprefix(short.lead).split())
        if size <= room:
            chosen.append(short)
            room -= size
    return Said(tuple(sorted(chosen, key=_printed)), notes)


def _siblings(ranked: Ranked, best: Candidate) -> list[Candidate]:
    """Return the items of the list that a candidate belongs to, in the order of print."""
    same = (one for one in ranked.found[1:] if one.lead == best.lead and one.quotes[0] == best.quotes[0])
    return sorted(same, key=_printed)


def _together(best: Candidate, one: Candidate) -> bool:
    """Tell whether two candidates are of one clause, list or table."""
    if (best.place.document, best.form == "row") != (one.place.document, one.form == "row"):
        return False
    return best.quotes[0].label == one.quotes[0].label or best.label == one.label


def _printed(one: Candidate) -> tuple[int, float, float, tuple[tuple[int, int], ...]]:
    """Return where a candidate is printed."""
    box = one.quotes[-1].boxes[0] if one.quotes[-1].boxes else None
    return (one.quotes[-1].page, box.y0 if box else 0.0, box.x0 if box else 0.0, one.marked)


def _originals(ranked: Ranked, said: Said) -> list[Candidate]:
    """Return the candidates that a statement was cut from."""
    quotes = {one.quotes for one in said.claims}
    return [one for one in ranked.found if one.quotes in quotes]


def _repeats(one: Candidate, statements: Sequence[Said]) -> bool:
    """Tell whether a candidate says what was said, of the same row or in the same words."""
    own = one.quotes[-1].text.split()
    return any(own == quote.text.split() for each in statements for quote in each.quotes)
