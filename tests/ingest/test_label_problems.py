"""Skipped numbers and repeated captions are told with their place."""

from __future__ import annotations

from appliance.ingest.checks.numbering import label_problems
from tests import factories as make


def test_skipped_annexes() -> None:
    annexes = make.spread({"Annex A": "", "Annex C": "", "Annex ZA": ""}, "annex")
    (problem,) = label_problems(
        make.document([*annexes, *make.spread({"Zone A": "", "Zone C": ""}, "heading")])
    )
    assert problem.message.startswith("Annex B was not found between Annex A")
