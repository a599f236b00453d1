"""The forms in which a place prints its labels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Label
from appliance.core.evidence import PlaceKind
from appliance.text.printed_labels import printed_labels
from tests.answer.builders import place

PATH = ("A code", "Section 6 Open windows etc.", "6 Parts")


@pytest.mark.parametrize(
    ("labels", "kind", "title", "expected"),
    [
        (("6.1",), "clause", "Projecting parts", ("6.1",)),
        (("Section 6", "6.1"), "clause", "", ("Section 6", "6.1", "Section 6: Open windows etc.")),
        (("6", "6.1"), "clause", "", ("6", "6.1")),  # a bare number is no name of a division
        (("Section 6",), "heading", "Open windows etc.", ("Section 6", "Section 6: Open windows etc.")),
        (("Requirement K1",), "requirement", "Stairs", ("Requirement K1", "Requirement K1: Stairs", "K1")),
        (("Requirement",), "requirement", "", ("Requirement",)),
    ],
)
def test_labels_are_printed_as_a_reader_knows_them(
    labels: tuple[str, ...], kind: PlaceKind, title: str, expected: tuple[str, ...]
) -> None:
    known = tuple(Label((label,)) for label in labels)
    shown = replace(place(), label=known[-1 if kind == "clause" else 0], labels=known, kind=kind, title=title)
    assert printed_labels(replace(shown, heading_path=PATH)) == expected
