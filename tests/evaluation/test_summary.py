"""Structure scored through a library: look-ups, documents that are not loaded, files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from appliance.core.document import Box, Cell, Document, Figure, Label, Table
from appliance.core.errors import BadInput, UnknownDocument, UnknownPlace
from appliance.evaluation.structure import evaluate_structure, load_truths, structure_totals
from appliance.library import Library
from appliance.tables.lookup import table_lookup

TRUTH = {
    "document": "D",
    "figures": [{"label": "Figure 1", "page": 2}],
    "cells": [{"table": "Table 1", "row": "a", "column": "b", "value": "32"}],
}


class FakeLibrary:
    """One document with one figure and one table of one cell."""

    def document(self, document: str) -> Document:
        if document != "D":
            raise UnknownDocument(document, ("D",))
        figure = Figure(Label(("Figure 1",)), "", "", (Box(2, 0, 0, 1, 1),))
        return Document("D", "", "", "", "unknown", "", "", "", (), figures=(figure,))

    def documents(self) -> list[Document]:
        return [self.document("D")]

    def table_lookup(self, document: str, label: str, row: str, column: str) -> Any:
        if (document, label) != ("D", "Table 1"):
            raise UnknownPlace(document, label)
        texts = [["", "b"], ["a", "32 mm"]]
        cells = tuple(
            Cell(r, c, text, Box(2, 0, 0, 1, 1), header=r == 0)
            for r, line in enumerate(texts)
            for c, text in enumerate(line)
        )
        return table_lookup(Table(Label((label,)), "", cells, (), (Box(2, 0, 0, 1, 1),)), row, column)


def write(path: Path, *truths: dict[str, Any]) -> list[Path]:
    files = []
    for number, truth in enumerate(truths):
        files.append(path / f"{number}.structure.json")
        files[-1].write_text(json.dumps(truth), encoding="utf-8")
    return files


def test_a_document_that_is_not_loaded_scores_as_nothing_found(tmp_path: Path) -> None:
    library = cast("Library", FakeLibrary())
    scores = evaluate_structure(library, write(tmp_path, TRUTH, TRUTH | {"document": "E"}))
    loaded, absent = (one.scores for one in scores)
    assert (loaded["figures"].f1, loaded["cells looked up"].recall) == (1.0, 1.0)
    assert (absent["figures"].f1, absent["cells looked up"].recall) == (0.0, 0.0)
    together = structure_totals(scores)
    assert (together.document, together.scores["figures"].recall) == ("all", 0.5)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"document": 7}', "\x00"])
def test_what_is_not_a_structure_file_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"x\.json"):
        load_truths([path])
    with pytest.raises(BadInput, match="none"):
        load_truths([tmp_path / "none"])
