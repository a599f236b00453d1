"""Structure scores of many documents, and the run that makes them from a built library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from appliance.contract.documents import cells_json
from appliance.core.document import Document
from appliance.core.errors import ApplianceError, BadInput
from appliance.evaluation.structure import Lookup, StructureScores, score_document, score_lookup


class ReadLibrary(Protocol):
    """The part of the library that is judged."""

    def document(self, document: str) -> Document: ...
    def documents(self) -> Sequence[Any]: ...
    def table_lookup(self, document: str, label: str, row: str, column: str) -> Any: ...


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


def evaluate_structure(library: ReadLibrary, files: Iterable[Path]) -> tuple[StructureScores, ...]:
    """Return the scores of every structure file against what the library holds.

    Raises:
        BadInput: a file is not one of structure.
    """

    def lookup(document: str, table: str, row: str, column: str) -> Sequence[str]:
        try:
            found = library.table_lookup(document, table, row, column)
        except ApplianceError:  # a table or document that it does not know: nothing was returned
            return ()
        values: list[str] = cells_json(found)["values"]
        return values

    loaded = frozenset(info.id for info in library.documents())
    return tuple(_score(library, truth, lookup, loaded) for truth in load_truths(files))


def _score(
    library: ReadLibrary, truth: Mapping[str, Any], lookup: Lookup, loaded: frozenset[str]
) -> StructureScores:
    name = truth["document"]
    try:
        document = library.document(name)
    except ApplianceError:
        document = Document(name, "", "", "", "unknown", "", "", "", ())
    scored = score_document(document, truth, loaded)
    cells = score_lookup(name, truth, lookup)
    return StructureScores(scored.document, {**scored.scores, "cells looked up": cells})
