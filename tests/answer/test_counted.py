"""What "how many" asks for and a statement counts."""

from __future__ import annotations

import pytest
from appliance.answer.counted import uncounted

from appliance.core.evidence import Concept, Query
from tests.answer.builders import finding

SPACES = "the number of spaces with access to a charge point must be at least 1 per dwelling"


@pytest.mark.parametrize(
    ("asked", "text", "lacking"),
    [
        ("How many parking spaces must a new house have?", SPACES, "parking spaces"),
        ("How many charge points must a new house have?", "at least one charge point must be there", ""),
        ("How many vents at least must a flat have?", "at least three ventilators of the same area", ""),
        ("How many handrails?", "A handrail on each side, 900 mm high", "handrails"),
        ("How many handrails?", "provide 2 continuous handrails", ""),
        ("How many handrails?", "Clause 4.2 handrails are round, 50% handrails", "handrails"),  # no count
        ("How many litres of water?", "no number at all", ""),  # a quantity, judged as such
        ("How wide is a stair?", "no number at all", ""),
        ("how many", "three ventilators", ""),
        ("", "", ""),
    ],
)
def test_a_statement_counts_what_is_asked(asked: str, text: str, lacking: str) -> None:
    query = Query(asked, "value", (), concepts=(Concept("vents", ("ventilator",)),))
    assert uncounted(query, finding(text, 0.5)) == lacking
