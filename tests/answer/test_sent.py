"""A document that is not loaded and that the text itself sends the question to is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.lacking import sent_away
from appliance.core.document import Label
from appliance.core.evidence import Evidence, Unresolved
from tests.answer.builders import place, query

FIRE = "Code B: Fire safety"


@pytest.mark.parametrize(
    ("asked", "text", "reason", "said"),
    [
        ("fire escape corridor width", f"For escape routes, refer to {FIRE}.", f"{FIRE} is not loaded", True),
        ("stair width", f"For escape routes, refer to {FIRE}.", f"{FIRE} is not loaded", False),
        ("fire", f"For escape routes, refer to {FIRE}.", f"{FIRE} is not loaded", False),  # one word only
        ("fire escape", f"The escape test of {FIRE} was withdrawn.", f"{FIRE} is not loaded", False),
        ("fire escape", f"For escape routes, see {FIRE}.", "nothing of the kind near", False),
        ("fire escape", f"Escape. Doors are wide. See {FIRE}.", f"{FIRE} is not loaded", False),  # elsewhere
        ("fire escape", "The words are not here.", f"{FIRE} is not loaded", False),
    ],
)
def test_only_a_reference_about_the_question_is_named(asked: str, text: str, reason: str, said: bool) -> None:
    hit = place(text=text)
    lost = (Unresolved(FIRE, "C", Label(("1.1",)), reason),)
    evidence = Evidence(query(asked), (hit,), (), (), lost, 0.9, {})
    expected = f"The text refers to another document for this: see {FIRE}, not loaded." if said else ""
    assert sent_away(evidence) == expected
    far = (*[replace(place(text="x"), document="D", chunk=n) for n in range(5)], hit)
    assert sent_away(replace(evidence, hits=far)) == ""


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        (", Resistance to the passage of sound.", True),
        (": Resistance to the passage of sound, and others.", True),
        (" (Resistance to the passage of sound).", True),
        (", resistance of sound.", False),  # no title
        (" or others, Sound advice given.", False),  # the title of none
        (".", False),
    ],
)
def test_the_title_behind_a_name_tells_what_it_is_about(behind: str, said: bool) -> None:
    hit = place(text=f"Guidance on sound insulation of walls is included in Code E{behind}")
    lost = (Unresolved("Code E", "C", Label(("1.1",)), "Code E is not loaded"),)
    evidence = Evidence(query("sound insulation of party walls"), (hit,), (), (), lost, 0.9, {})
    assert bool(sent_away(evidence)) == said
