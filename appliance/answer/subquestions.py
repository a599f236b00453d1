"""A question of several parts: the best finding for each, and which part nothing was found for.

Rules of this module: a part is judged by the same signals as the whole, over the same places. A part is
answered by its best finding, one that asks for a way by that way (way.py); where that is worse than what
answers nearly never are, where the part asks for a kind of quantity that no finding holds, or where a gate
refuses it (gates.py), it is said that nothing was found for it and why, never hidden behind what the other
parts found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from appliance.answer.findings import Finding, best_first, covered
from appliance.answer.gates import Gated
from appliance.answer.reading import Judges, findings
from appliance.answer.scope import documents_about, with_scope
from appliance.answer.silent import silence
from appliance.answer.single import COUNT, measuring, wants_quantity
from appliance.answer.way import on_the_way
from appliance.core.evidence import Evidence, Place, Query, Subanswer
from appliance.store.read import Store
from appliance.text.quantities import quantities
from appliance.text.sentences import sentence_spans
from appliance.text.terms import fold

LEAST = 0.5  # score under which 2 of 100 answerable judged questions have their best finding
FIRST = 3  # best findings of a part that are counted to it where the answer states them
MARGIN = 0.15  # and how much worse than its best they may be
CLOSE = 5  # words that may stand between the name of what is measured and its number
MOSTLY = 0.6  # share of the words asked for of which the sentence speaks then
LED = frozenset({"procedure", "location"})  # intents that name a way or a place, not a thing
NOTHING = "No place found answers this part by itself: nothing is said for it."


def by_part(
    store: Store,
    evidence: Evidence,
    read: Sequence[Place],
    chosen: Sequence[Finding],
    judges: Judges,
    *,
    gates: Sequence[Gated],
) -> tuple[tuple[Finding, ...], tuple[Subanswer, ...]]:
    """Return what is stated with the best finding of each part added, and what answers which part."""
    way: tuple[Finding, ...] = ()
    stated = list(chosen)
    answers: list[Subanswer] = []
    for gate in gates:
        part, why, first, held = gate.part, gate.why, list[Finding](), list[Finding]()
        if not why:
            said, held = _held(store, gate, read, judges)
            alone = replace(evidence, query=gate.query, scope=None)
            silent, grave = silence(store, alone, held or best_first(said, FIRST, MARGIN))
            why = silent if grave and part.intent not in LED else ""
            held = [] if why else held
            first = held[:1]
            if part.intent == "procedure" and (way := on_the_way(store, evidence, said)):
                first, held = list(way), [*way, *(item for item in held if item not in way)]
            elif part.intent == "location" and not held:
                first = held = list(way[-1:])
        stated += [item for item in first if _position(stated, item) is None]
        places = tuple(at for item in held if (at := _position(stated, item)) is not None)
        answers.append(Subanswer(part.asked, places, "" if places else why or NOTHING))
    return _in_asked_order(stated, answers)


def _held(
    store: Store, gate: Gated, read: Sequence[Place], judges: Judges
) -> tuple[list[Finding], list[Finding]]:
    """Return what the places say to a part, and of it the findings that answer it."""
    assert judges.read is not None
    asked, encoded = judges.read(gate.part.searched)
    said = list(findings(store, asked, read, replace(judges, encoded=encoded)))
    best = best_first(said, FIRST, MARGIN)
    if asked.intent == "applicability":
        best = with_scope(best, said, documents_about(store, asked))
    return said, _answering(gate, asked, best, said)


def _in_asked_order(
    stated: Sequence[Finding], answers: Sequence[Subanswer]
) -> tuple[tuple[Finding, ...], tuple[Subanswer, ...]]:
    """Return the statements part by part, in the order of the question, then what belongs to none."""
    order = list(dict.fromkeys([at for part in answers for at in part.statements] + [*range(len(stated))]))
    moved = {at: position for position, at in enumerate(order)}
    placed = (replace(part, statements=tuple(moved[at] for at in part.statements)) for part in answers)
    return tuple(stated[at] for at in order), tuple(placed)


def _answering(gate: Gated, asked: Query, best: Sequence[Finding], said: Sequence[Finding]) -> list[Finding]:
    """Return the findings that answer a part; where it asks for a quantity, one that holds such is first.

    Where none does, it is one that says by its name what is measured and gives it in another unit. What the
    other parts want measured is none of it, nor is a measure that is only spoken of ("may it discharge").
    """
    own = gate.query
    if own.intent != "definition" and own.kinds:
        needed = wants_quantity(fold(gate.part.asked).strip().rstrip("?. "))
        among = said if needed else best
        holding = best_first([item for item in among if _holds(own, item.text)], 1, 0.0)
        if needed and not holding:
            holding = best_first([item for item in best if _names_it(asked, item.text)], 1, 0.0)
        kept = best if holding or not needed else ()
        best = [*holding, *(item for item in kept if item not in holding)]
    return [item for item in best if item.score >= LEAST]


def _holds(own: Query, text: str) -> bool:
    """Tell whether a text gives a quantity of a kind that the words of a part ask for."""
    return any(found.kinds & set(own.kinds) for found in quantities(text))


def _names_it(asked: Query, text: str) -> bool:
    """Tell whether a sentence names what a part measures right before a number with a unit.

    A pressure may be given as the height of a column of water. The sentence speaks of most of what is asked.
    """
    measured = "|".join(map(re.escape, sorted(measuring(asked))))
    if not measured:
        return False
    for span in sentence_spans(text):
        said = text[slice(*span)]
        named = [found.end() for found in re.finditer(rf"\b(?:{measured})\b", said, re.IGNORECASE)]
        given = [found.start for found in quantities(said) if found.kinds - {COUNT}]
        close = any(len(said[end:start].split()) <= CLOSE for end in named for start in given if start > end)
        if close and covered(asked, said) >= MOSTLY:
            return True
    return False


def _position(stated: Sequence[Finding], finding: Finding) -> int | None:
    """Return where the answer states a finding, None where it does not."""
    plain = " ".join(finding.text.split()).casefold()
    same = (at for at, item in enumerate(stated) if " ".join(item.text.split()).casefold() == plain)
    return next(same, None)
