"""Where no place that is shown holds a quantity asked for, one that does comes among the first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Chunk, Label, Passage
from appliance.core.evidence import Intent
from appliance.retrieval.rank.additions import FIRST, SEATS, with_measured
from appliance.store.values import StoredChunk
from tests.answer.builders import query

SHOWN = 12
RANKED = list(range(1, 31))
POWER = ("power",)


def stored(chunk: int, text: str) -> StoredChunk:
    label = Label((str(chunk),))
    return StoredChunk(chunk, "code", None, Chunk(label, (label,), "clause", "", (), Passage(text), ()))


def ranked_with(texts: dict[int, str], kinds: tuple[str, ...] = POWER, intent: Intent = "value") -> list[int]:
    asked = replace(query("charge power", intent), kinds=kinds)
    chunks = {chunk: stored(chunk, texts.get(chunk, "Each point is safe.")) for chunk in RANKED}
    return with_measured(asked, chunks, RANKED, SHOWN)


def test_what_holds_the_quantity_comes_behind_the_first_places() -> None:
    found = ranked_with({20: "An output of 7kW.", 25: "At most 3 kW.", 28: "At least 9 kW."})
    assert found[FIRST : FIRST + SEATS] == [20, 25]
    assert found[:FIRST] == RANKED[:FIRST]
    assert sorted(found) == RANKED


@pytest.mark.parametrize(
    ("texts", "kinds", "intent"),
    [
        ({20: "An output of 7kW.", 12: "An output of 3 kW."}, POWER, "value"),  # one is shown anyway
        ({20: "A height of 7 m."}, POWER, "value"),  # of another kind
        ({20: "Seven of them, or 7."}, ("count",), "value"),  # any number is a count
        ({20: "An output of 7kW."}, (), "value"),
        ({20: "An output of 7kW."}, POWER, "definition"),
        ({}, POWER, "general"),
    ],
)
def test_elsewhere_nothing_moves(texts: dict[int, str], kinds: tuple[str, ...], intent: Intent) -> None:
    assert ranked_with(texts, kinds, intent) == RANKED


def test_a_row_of_keywords_asks_for_a_value_too() -> None:
    assert ranked_with({20: "An output of 7kW."}, intent="general")[FIRST] == 20


def test_few_places() -> None:
    asked = query("charge power", "value")
    assert with_measured(asked, {}, [], SHOWN) == []
