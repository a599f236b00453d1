"""A question about what a code itself covers is told from one about what is needed."""

from __future__ import annotations

import pytest

from appliance.retrieval.follow.scope import asks_what_is_covered


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Does the guidance on stoves cover a 60 kW boiler?", True),
        ("do the stove rules say where logs are stacked", True),
        ("Are garden steps covered by the stair requirement?", True),
        ("Does this part apply to bridges?", True),
        ("is a shed exempt from the code", True),
        ("We build a hut. Does the snow standard include avalanches?", True),
        ("A hut has its own meter, does Part P bite", True),
        ("", False),
        ("Which windows are caught by the rule?", False),
        ("what snow is left out of the snow rules", False),
        ("Is a handrail needed on both sides?", False),
        ("How wide must the cover of a drain be?", False),
        ("What cover does the code ask for?", False),
        ("Which part covers stairs?", False),
        ("Must the parts be covered?", False),
        ("Does a handrail need a cover? The code is silent.", False),
    ],
)
def test_a_question_about_a_code_itself_is_told(question: str, asked: bool) -> None:
    assert asks_what_is_covered(question) is asked
