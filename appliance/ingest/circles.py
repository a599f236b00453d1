"""References that lead round: places that only send on to each other, or to themselves.

Rules of this module: that two provisions name each other, or that one names itself, is common and no fault.
A circle is told where each of its places says next to nothing besides its references, no number among it,
and none leads out of the circle or into another document, so that whoever follows them finds no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from appliance.document import Clause, Document, Problem, Reference
from appliance.ingest.loops import loop_through

SAYS = 14  # words besides its references from which on a place says something itself
PROVISIONS = frozenset({"clause", "paragraph", "item"})  # kinds that are there to say a rule


def circle_problems(document: Document) -> Iterator[Problem]:
    """Yield one problem for each circle, with the box of the place where it begins."""
    clauses = {str(clause.label): clause for clause in document.clauses if clause.kind in PROVISIONS}
    leads: dict[str, list[Reference]] = {}
    for reference in document.references:
        if str(reference.source) in clauses:
            leads.setdefault(str(reference.source), []).append(reference)
    said = {name: _targets(one) for name, one in leads.items() if _only_sends_on(clauses[name], one)}
    told: set[frozenset[str]] = set()
    for name, targets in said.items():
        for target in sorted(targets):
            circle = loop_through(name, target, said)
            if circle and frozenset(circle) not in told and _closed(frozenset(circle), said):
                told.add(frozenset(circle))
                way = " to ".join((*circle, circle[0]))
                yield _problem(
                    clauses[name], f"References go round from {way}: look whether one of them says a rule."
                )


def _targets(references: Sequence[Reference]) -> frozenset[str]:
    """Return where they lead inside the document; "this clause" leads nowhere."""
    return frozenset(
        str(one.target)
        for one in references
        if one.target is not None
        and not one.external
        and not (one.kind == "relative" and one.target == one.source)
    )


def _closed(circle: frozenset[str], said: Mapping[str, frozenset[str]]) -> bool:
    """Tell whether no place of a circle leads to one that is in no circle with it."""
    reached = frozenset[str]().union(*(said[name] for name in circle))
    return all(name in circle or (name in said and said[name] <= reached | circle) for name in reached)


def _only_sends_on(clause: Clause, references: Sequence[Reference]) -> bool:
    """Tell whether a place says nothing itself: few words, no number, and nowhere else to look."""
    if any(one.external for one in references):
        return False
    text = clause.passage.text
    for one in sorted(references, key=lambda r: r.start, reverse=True):
        text = text[: one.start] + text[one.end :]
    words = [word for word in text.split() if any(sign.isalnum() for sign in word)]
    return len(words) < SAYS and not any(sign.isdigit() for word in words for sign in word)


def _problem(clause: Clause, message: str) -> Problem:
    box = clause.boxes[0] if clause.boxes else None
    return Problem(message, box.page if box else 0, box)
