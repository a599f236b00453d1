"""How well the references of a document were found, and how well they were followed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from appliance.core.document import Document, Reference
from appliance.evaluation.places import Score, bare, number_of

_RANGE = re.compile(r"\s*(?:,|;|\bto\b|\band\b|\bor\b|\u2013)\s*")


def score_references(
    document: Document, truth: Mapping[str, Any], loaded: frozenset[str] | None = None
) -> dict[str, Score]:
    """Return how many were found in the text, and how many were followed to the right place.

    "targets" are the internal ones; "other documents" those into another document of the library
    (of any document that the truth names, where it is not told what is loaded).
    """
    pages = frozenset(truth.get("references_pages") or ())
    expected = [row for row in truth.get("references", ()) if row["page"] in pages]
    returned = [
        reference
        for reference in document.references
        if any(box.page in pages for box in reference.boxes) and reference.kind != "relative"
    ]
    laid = _lay(expected, returned)
    inner = [at for at, row in enumerate(expected) if not row["external"]]
    outer = [at for at, row in enumerate(expected) if row["external"] and _asked(row, loaded)]
    return {
        "references": _found(expected, returned, laid),
        "targets": _followed(expected, returned, laid, inner),
        "other documents": _followed(expected, returned, laid, outer),
    }


def _asked(row: Mapping[str, Any], loaded: frozenset[str] | None) -> bool:
    name = row.get("document")
    return bool(name) and (loaded is None or name in loaded)


def _lay(expected: Sequence[Mapping[str, Any]], returned: Sequence[Reference]) -> dict[int, list[int]]:
    """Return the positions of the returned references that come from each printed one."""
    laid: dict[int, list[int]] = {at: [] for at in range(len(expected))}
    for position, reference in enumerate(returned):
        fits = [
            (_fit(row, reference), -len(laid[at]), -at)
            for at, row in enumerate(expected)
            if _same_text(row, reference)
        ]
        if fits:
            laid[-max(fits)[2]].append(position)
    return laid


def _same_text(row: Mapping[str, Any], reference: Reference) -> bool:
    if row["page"] not in {box.page for box in reference.boxes}:
        return False
    printed = bare(row["text"])
    own = bare(reference.text)
    return bool(own) and (own in printed or printed in own)


def _fit(row: Mapping[str, Any], reference: Reference) -> int:
    """Return how much speaks for this printed reference among those with the same words."""
    return (
        4 * _same_target(row, reference)
        + 2 * (bare(row["text"]) == bare(reference.text))
        + (bare(row["source"]) in {bare(str(reference.source)), bare(reference.source.key)})
    )


def _same_target(row: Mapping[str, Any], reference: Reference) -> bool:
    """Tell whether the reference says the number that the truth names, followed or not."""
    said = {bare(reference.number), bare(reference.designation)} - {""}
    return bool(said & _wanted(row)) or _leads_there(row, reference)


def _leads_there(row: Mapping[str, Any], reference: Reference) -> bool:
    """Tell whether the place that the reference was resolved to is the one that the truth names."""
    if reference.target is None:
        return False
    forms = (str(reference.target), reference.target.key)
    return bool({name for form in forms for name in (bare(form), number_of(form)) if name} & _wanted(row))


def _wanted(row: Mapping[str, Any]) -> frozenset[str]:
    names = [*row.get("targets", ()), row["target"], *_RANGE.split(row["target"])]
    names += [name.replace(" ", "/", 1) for name in names]
    return frozenset({bare(name) for name in names} | {number_of(name) for name in names}) - {""}


def _found(
    expected: Sequence[Mapping[str, Any]], returned: Sequence[Reference], laid: Mapping[int, list[int]]
) -> Score:
    used = {position for positions in laid.values() for position in positions}
    return Score(
        expected=len(expected),
        found=sum(bool(positions) for positions in laid.values()),
        returned=len(returned),
        correct=len(used),
        missed=tuple(
            f"{r['source']}: {r['text']} (p. {r['page']})" for at, r in enumerate(expected) if not laid[at]
        ),
        wrong=tuple(
            f"{r.source}: {r.text} (p. {r.boxes[0].page})" for at, r in enumerate(returned) if at not in used
        ),
    )


def _followed(
    expected: Sequence[Mapping[str, Any]],
    returned: Sequence[Reference],
    laid: Mapping[int, list[int]],
    asked: Sequence[int],
) -> Score:
    """Return the share of the printed references asked for that were resolved to the right place."""
    followed = {at: [returned[p] for p in laid[at] if _resolved(returned[p])] for at in asked}
    right = {at for at in asked if any(_rightly(expected[at], reference) for reference in followed[at])}
    missed = tuple(
        f"{expected[at]['source']}: {expected[at]['text']} -> "
        f"{expected[at].get('document', '')} {expected[at]['target']} (p. {expected[at]['page']})"
        for at in asked
        if at not in right
    )
    return Score(len(asked), len(right), sum(bool(found) for found in followed.values()), len(right), missed)


def _resolved(reference: Reference) -> bool:
    return reference.target is not None or bool(reference.external and reference.document)


def _rightly(row: Mapping[str, Any], reference: Reference) -> bool:
    """Tell whether document and place are those that the truth names; no place named asks for none."""
    if row["external"]:
        place = not row["target"] or _leads_there(row, reference)
        return reference.document == row["document"] and place
    return not reference.external and _leads_there(row, reference)
