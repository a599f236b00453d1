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
    # The positions of the returned references that come from each printed one.
    laid: dict[int, list[int]] = {at: [] for at in range(len(expected))}
    for position, reference in enumerate(returned):
        fits = [
            (_fit(row, reference), -len(laid[at]), -at)
            for at, row in enumerate(expected)
            if _same_text(row, reference)
        ]
        if fits:
            laid[-max(fits)[2]].append(position)
    used = {position for positions in laid.values() for position in positions}

    def followed(asked: Sequence[int]) -> Score:
        """Return the share of the printed references asked for that were resolved to the right place."""
        resolved = {
            at: [
                one
                for one in (returned[p] for p in laid[at])
                if one.target or (one.external and one.document)
            ]
            for at in asked
        }
        right = {at for at in asked if any(_rightly(expected[at], one) for one in resolved[at])}
        missed = tuple(
            f"{expected[at]['source']}: {expected[at]['text']} -> "
            f"{expected[at].get('document', '')} {expected[at]['target']} (p. {expected[at]['page']})"
            for at in asked
            if at not in right
        )
        return Score(len(asked), len(right), sum(map(bool, resolved.values())), len(right), missed)

    def loaded_there(row: Mapping[str, Any]) -> bool:
        return bool(row.get("document")) and (loaded is None or row["document"] in loaded)

    return {
        "references": Score(
            expected=len(expected),
            found=sum(map(bool, laid.values())),
            returned=len(returned),
            correct=len(used),
            missed=tuple(
                f"{row['source']}: {row['text']} (p. {row['page']})"
                for at, row in enumerate(expected)
                if not laid[at]
            ),
            wrong=tuple(
                f"{one.source}: {one.text} (p. {one.boxes[0].page})"
                for at, one in enumerate(returned)
                if at not in used
            ),
        ),
        "targets": followed([at for at, row in enumerate(expected) if not row["external"]]),
        "other documents": followed(
            [at for at, row in enumerate(expected) if row["external"] and loaded_there(row)]
        ),
    }


def _same_text(row: Mapping[str, Any], reference: Reference) -> bool:
    printed, own = bare(row["text"]), bare(reference.text)
    on_page = row["page"] in {box.page for box in reference.boxes}
    return on_page and bool(own) and (own in printed or printed in own)


def _fit(row: Mapping[str, Any], reference: Reference) -> int:
    """Return how much speaks for this printed reference among those with the same words."""
    said = {bare(reference.number), bare(reference.designation)} - {""}  # the number, followed or not
    return (
        4 * (bool(said & _wanted(row)) or _leads_there(row, reference))
        + 2 * (bare(row["text"]) == bare(reference.text))
        + (bare(row["source"]) in {bare(str(reference.source)), bare(reference.source.key)})
    )


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


def _rightly(row: Mapping[str, Any], reference: Reference) -> bool:
    """Tell whether document and place are those that the truth names; no place named asks for none."""
    if row["external"]:
        place = not row["target"] or _leads_there(row, reference)
        return reference.document == row["document"] and place
    return not reference.external and _leads_there(row, reference)
