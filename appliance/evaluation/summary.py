"""Structure scores of many documents, and the run that makes them from a built library.

Rules of this module: a truth whose document is not loaded scores as a document in which nothing was
found, so that a file that failed to build shows in the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from appliance.document import Document
from appliance.errors import ApplianceError, BadInput
from appliance.evaluation.cells import Lookup, score_lookup
from appliance.evaluation.matching import total
from appliance.evaluation.structure import StructureScores, score_document

ALL = "all"
GetDocument = Callable[[str], Document]


def load_truths(files: Iterable[Path]) -> tuple[dict[str, Any], ...]:
    """Return the structure files as parsed.

    Raises:
        BadInput: a file is missing, is not JSON, or names no document.
    """
    truths = []
    for path in files:
        try:
            truth = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except (OSError, msgspec.MsgspecError) as error:
            message = f"{path} is not a structure file: {error}."
            raise BadInput(message) from None
        if not isinstance(truth.get("document"), str):
            message = f'{path} names no "document".'
            raise BadInput(message)
        truths.append(truth)
    return tuple(truths)


def evaluate_structure(
    document: GetDocument, files: Iterable[Path], lookup: Lookup | None = None
) -> tuple[StructureScores, ...]:
    """Return the scores of every structure file; `document` and `lookup` are those of a library.

    Raises:
        BadInput: a file is not one of structure.
    """
    return tuple(_score(document, truth, lookup) for truth in load_truths(files))


def structure_totals(documents: Sequence[StructureScores]) -> StructureScores:
    """Return all scores together, each item counted once."""
    kinds = list(dict.fromkeys(kind for one in documents for kind in one.scores))
    together = {kind: total(one.scores[kind] for one in documents if kind in one.scores) for kind in kinds}
    return StructureScores(ALL, together)


def _score(document: GetDocument, truth: Mapping[str, Any], lookup: Lookup | None) -> StructureScores:
    name = truth["document"]
    try:
        scored = score_document(document(name), truth)
    except ApplianceError:
        scored = score_document(_nothing_of(name), truth)
    if lookup is None:
        return scored
    cells = score_lookup(name, truth, _forgiving(lookup))
    return StructureScores(scored.document, {**scored.scores, "cells looked up": cells})


def _forgiving(lookup: Lookup) -> Lookup:
    """Return the look-up with a table or document that it does not know as an empty result."""

    def look(document: str, table: str, row: str, column: str) -> Sequence[str]:
        try:
            return lookup(document, table, row, column)
        except ApplianceError:
            return ()

    return look


def _nothing_of(name: str) -> Document:
    return Document(name, "", "", "", "unknown", "", "", "", ())
