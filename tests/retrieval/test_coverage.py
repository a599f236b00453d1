"""How much of a question a place covers."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest

from appliance.core.evidence import Query
from appliance.retrieval.query.question import Group, Question
from appliance.retrieval.search_context import index_of, share
from tests.store.libraries import opened, snow_code


def asked(*groups: Group) -> Question:
    return Question(Query("", "general", ()), "", groups, (), ())


RARITY = {"stair": 3.0, "steep": 1.0}


@pytest.mark.parametrize(
    ("held", "covered"),
    [
        (frozenset({"stair", "steep"}), 1.0),
        (frozenset({"stair"}), 0.75),
        (frozenset({"steep"}), 0.25),
        (frozenset({"step", "flight"}), 0.75),  # another way to say it, all of its words
        (frozenset({"step"}), 0.0),
        (frozenset(), 0.0),
    ],
)
def test_rare_ideas_weigh_more_and_other_names_count(held: frozenset[str], covered: float) -> None:
    question = asked(Group("stair", (("step", "flight"),)), Group("steep"))
    assert share(question, RARITY, held) == covered


def test_a_question_without_ideas_covers_nothing() -> None:
    assert share(asked(), {}, frozenset({"stair"})) == 0.0


def test_what_is_kept_of_a_library_never_keeps_it(tmp_path: Path) -> None:
    store = opened(tmp_path / "codes.library", snow_code())
    index = index_of(store)
    assert index.stems.of("Steep stairs") == {"steep", "stair"}
    gone = ref(store)
    store.close()
    del store, index
    gc.collect()
    assert gone() is None
