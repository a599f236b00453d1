"""Readings of line starts, and the chain that decides among them."""

from __future__ import annotations

from appliance.ingest.structure.sequence import readings
from tests.ingest.made import scheme

EUROCODE = scheme("eurocode").levels


def test_the_letter_of_an_annex_may_stand_before_a_paragraph() -> None:
    (found,) = [one for one in readings("B(2) The force", EUROCODE) if one.level.name == "paragraph"]
    assert (found.number, "B(2) The force"[found.end :].strip()) == ((2,), "The force")
