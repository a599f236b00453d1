"""Every question of the table is read as it says, all fields of it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from appliance.core.settings import SearchSettings
from appliance.library import Library
from appliance.retrieval.query.question import read_question
from tests.retrieval.readings import reader, reading_of

ROWS = tomllib.loads(Path(__file__).with_name("readings.toml").read_text(encoding="utf-8"))["question"]
FIELDS = {"ask", "after", "meant", "intent", "relation", "labels", "documents", "pages", "conditions"} | {
    "quantities", "kinds", "parts", "spelt",
}  # fmt: skip


def test_the_table_is_whole() -> None:
    assert len(ROWS) >= 150
    assert len({(row["ask"], row.get("after")) for row in ROWS}) == len(ROWS)
    assert [row["ask"] for row in ROWS if row.keys() - FIELDS] == []


@pytest.mark.parametrize("row", ROWS, ids=[row["ask"][:60] for row in ROWS])
def test_a_question_is_read_as_the_table_says(demo: Library, row: dict[str, object]) -> None:
    question = read_question(str(row["ask"]), reader(demo.store), SearchSettings(), str(row.get("after", "")))
    expected = {name: row.get(name, type(value)()) for name, value in reading_of(question).items()}
    assert reading_of(question) == expected
