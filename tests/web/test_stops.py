"""What a citation is shown under: a definition under its own name, not under that of another in its place."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from appliance.core.document import Label
from appliance.web.answers.cited_places import _title


@pytest.mark.parametrize(
    ("kind", "own", "cited", "expected"),
    [
        ("definition", "Utility stair", "Utility stair", "Utility stair, Vomitory exits"),
        ("definition", "Utility stair", "Vomitory exits", ""),
        ("clause", "5.2", "5.2(3)", "Utility stair, Vomitory exits"),  # a paragraph stands under its clause
    ],
)
def test_a_definition_stands_under_its_own_name(kind: str, own: str, cited: str, expected: str) -> None:
    place = SimpleNamespace(kind=kind, label=Label((own,)), title="Utility stair, Vomitory exits")
    citation = SimpleNamespace(label=Label((cited,)))
    assert _title(place, citation) == expected  # type: ignore[arg-type]  # only these parts are read


def test_a_citation_of_no_place_found_has_no_title() -> None:
    assert _title(None, SimpleNamespace(label=Label(("1",)))) == ""  # type: ignore[arg-type]  # as above
