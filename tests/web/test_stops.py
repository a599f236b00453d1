"""What a citation is shown under: a definition under its own name, not under that of another in its place."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from appliance.core.document import Label
from appliance.core.evidence import Citation
from appliance.web.answers.cited_places import of_citations


@pytest.mark.parametrize(
    ("kind", "own", "cited", "expected"),
    [
        ("definition", "Utility stair", "Utility stair", "Utility stair, Vomitory exits"),
        ("definition", "Utility stair", "Vomitory exits", ""),
        ("clause", "5.2", "5.2(3)", "Utility stair, Vomitory exits"),  # a paragraph stands under its clause
        ("clause", "5.2", "6.1", ""),  # of no place found
    ],
)
def test_a_definition_stands_under_its_own_name(kind: str, own: str, cited: str, expected: str) -> None:
    labels = (Label((own,)), Label(("5.2(3)",)), Label(("Vomitory exits",)))
    place = SimpleNamespace(
        document="D",
        kind=kind,
        label=labels[0],
        labels=labels,
        boxes=(),
        title="Utility stair, Vomitory exits",
    )
    citation = Citation(1, "D", Label((cited,)), 1, (), "words", "in force")
    answer: Any = SimpleNamespace(
        citations=(citation,), statements=(), tables=(), evidence=SimpleNamespace(hits=(place,))
    )
    library: Any = None  # a place without boxes has no page to be asked for
    assert of_citations(library, answer)[1].title == expected
