"""Skipped numbers and repeated captions are told with their place."""

from __future__ import annotations

from appliance.ingest.checks import label_problems
from tests import factories as make


def test_skipped_formulas() -> None:
    formulas = [make.formula(f"(5.{number})", "a = b") for number in ("1", "2a", "2b", "4")]
    (problem,) = label_problems(make.document(formulas=formulas))
    assert problem.message.startswith("Formula 5.3 was not found between Formula 5.2a")


def test_skipped_annexes() -> None:
    annexes = make.spread({"Annex A": "", "Annex C": "", "Annex ZA": ""}, "annex")
    (problem,) = label_problems(
        make.document([*annexes, *make.spread({"Zone A": "", "Zone C": ""}, "heading")])
    )
    assert problem.message.startswith("Annex B was not found between Annex A")
