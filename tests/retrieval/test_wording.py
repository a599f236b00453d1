"""A question gets the names that a library has for its ideas, and nothing where it has none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from appliance.core.evidence import Concept, Query
from appliance.retrieval.query.question import Question, in_own_words
from appliance.store.channels import Vocabulary

HELD = {"wc": 40, "toilet": 3, "dwell": 90, "house": 30, "stair": 50, "flight": 49, "fire": 9, "exit": 4}
LOO = Concept("loo", ("wc", "toilet"))
HOUSE = Concept("house", ("dwelling", "home"))
STAIR = Concept("stairs", ("flight", "stairway"))
ESCAPE = Concept("way out", ("fire exit", "emergency door"))


def stem(word: str) -> str:
    return {"dwelling": "dwell", "stairs": "stair"}.get(word, word)


@pytest.mark.parametrize(
    ("ideas", "said"),
    [
        ((LOO,), "q (wc)"),
        ((LOO, HOUSE), "q (wc, dwelling)"),
        ((LOO, LOO), "q (wc)"),
        ((STAIR,), "q"),  # the library says it about as often the way it was asked
        ((ESCAPE,), "q (fire exit)"),  # a name counts as often as its rarest word
        ((Concept("moat", ("ditch",)),), "q"),
        ((Concept("moat", ()),), "q"),
        ((), "q"),
    ],
)
def test_the_names_that_a_library_prefers_stand_behind_the_question(
    ideas: tuple[Concept, ...], said: str
) -> None:
    asked = Question(Query("q", "general", (), concepts=ideas), "q", (), (), ())
    assert in_own_words(asked, cast(Vocabulary, SimpleNamespace(chunks=HELD)), stem) == said
