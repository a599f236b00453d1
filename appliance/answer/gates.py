"""Why a question, or one of the questions in it, is given no answer: the gates before anything is stated.

Rules of this module: a question of one part is refused as a whole. Of several parts each is judged for
itself: it is refused for what would refuse it were it asked alone, in its own words, and nothing stands for
it then; the whole is refused only where every part is. What a part leaves unsaid is the thing that it asks
of, never what the other part wants measured. Whether one place gives a value with all words of a question is
asked of a part that says all its words alone: nothing was searched for another one by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.answer.given import ungiven
from appliance.answer.judges import Judges
from appliance.answer.single import measuring
from appliance.answer.sought import nowhere
from appliance.answer.unspoken import unspoken
from appliance.core.evidence import Evidence, Place, Query, SubQuestion
from appliance.store.read import Store
from appliance.text.terms import fold, words


@dataclass(frozen=True, slots=True)
class Gated:
    """A part of a question with why nothing answers it, "" where something may.

    `query` is the part as it is judged: in its own words, with the thing that it leaves unsaid.
    """

    part: SubQuestion
    query: Query
    why: str


def lacks(
    store: Store, evidence: Evidence, seen: Sequence[Place], read: Sequence[Place], judges: Judges
) -> tuple[str, ...]:
    """Return why no place gives what a question asks for, nothing where one may.

    `seen` are the places found and those reached from them, `read` those that are stated from.
    """
    if lacking := nowhere(store, evidence.query, tuple(dict.fromkeys((*seen, *read)))):
        return (lacking,)
    missing = ungiven(store, evidence, seen, judges)
    return missing.reasons if missing else ()


def is_parted(query: Query, judges: Judges) -> bool:
    """Tell whether a question has several parts, each of which can be read for itself."""
    return len(query.parts) > 1 and judges.read is not None


def gated(
    store: Store, evidence: Evidence, seen: Sequence[Place], read: Sequence[Place], judges: Judges
) -> tuple[Gated, ...]:
    """Return the parts of a question, each with why no place answers it; the places are those of `lacks`."""
    found: list[Gated] = []
    if judges.read is None:
        return ()
    for part in evidence.query.parts:
        own, encoded = judges.read(part.asked)
        asked = own
        if thing := _unsaid(part, own):
            asked, _ = judges.read(f"{part.asked.rstrip('?. ')} {thing}")
        query = replace(asked, parts=(), intent=own.intent, kinds=own.kinds)
        alone = replace(evidence, query=query, scope=None)
        why = "" if own.labels else unspoken(store, own)
        if not why and not own.labels:
            able = replace(judges, encoded=encoded if part.asked == part.searched else None)
            why = next(iter(lacks(store, alone, seen, read, able)), "")
        found.append(Gated(part, query, why))
    return tuple(found)


def of_all(gates: Sequence[Gated]) -> tuple[str, ...]:
    """Return why no part of a question is answered, nothing where one may be."""
    return tuple(dict.fromkeys(gate.why for gate in gates if all(each.why for each in gates)))


def _unsaid(part: SubQuestion, own: Query) -> str:
    """Return the words of the thing that a part leaves unsaid, without what else is to be measured of it."""
    unsaid = words(part.searched.removeprefix(part.asked))
    measured = measuring(replace(own, text=" ".join(unsaid), spelt=""))
    return " ".join(word for word in unsaid if fold(word) not in measured)
