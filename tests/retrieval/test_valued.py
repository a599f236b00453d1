"""A table of classes leads to the table that gives values for the class meant, a place to its division."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from appliance.core.settings import SearchSettings
from appliance.retrieval.search import search
from appliance.store.read import Store
from tests.factories import clause, document, table
from tests.retrieval.conftest import FakeEmbedder, FakeReranker
from tests.store.libraries import chunked, opened

SETTINGS = SearchSettings()
USES = [
    ["Category", "Use"],
    ["A", "rooms of dwellings and wards"],
    ["B", "offices and studios"],
    ["C", "shops and markets"],
]
LOADS = [["Category", "q (kN/m2)"], ["Category A", "1.5"], ["Category B", "3.0"], ["Category C", "4.0"]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A code with classes of use, their values, many clauses about offices, and an annex about floors."""
    source = document(
        clauses=(
            clause("6.1", "Uses are put into categories.", title="Categories"),
            clause("6.2", "Values follow from the category.", title="Values"),
            *(clause(f"7.{n}", f"The load of an office is part {n} of the work.") for n in range(1, 9)),
            clause("Annex B", "Further rules.", "annex", title="Vibration"),
            *(
                clause(f"B.{n}", f"Dancing crowds shake floors in way {n}.", parent="Annex B")
                for n in range(1, 4)
            ),
        ),
        tables=(
            table("Table 1", USES, "Categories of use", clause="6.1"),
            table("Table 2", LOADS, "Imposed floor actions", clause="6.2"),
        ),
        name="DC",
        designation="DC 1:2024",
    )
    made = chunked(source)
    annexes = [replace(c, kind="annex") if str(c.label) == "Annex B" else c for c in made.chunks]
    made = replace(made, chunks=tuple(annexes))
    with opened(tmp_path_factory.mktemp("valued") / "codes.library", made) as store:
        yield store


def labels(store: Store, question: str) -> list[str]:
    found = search(store, FakeEmbedder(), FakeReranker(), question, SETTINGS)
    return [str(place.label) for place in found.hits]


@pytest.mark.parametrize(
    ("asked", "first", "next_to_it"),
    [
        ("load of imposed floor actions in kN/m2", "Table 2", "Table 1"),  # the values lead to their classes
        ("load in kN of the categories of use", "Table 1", "Table 2"),  # no class is meant
    ],
)
def test_a_table_of_values_and_that_of_its_classes_stand_side_by_side(
    library: Store, asked: str, first: str, next_to_it: str
) -> None:
    found = labels(library, asked)
    assert found.index(next_to_it) == found.index(first) + 1


def test_the_values_of_a_class_come_right_behind_the_classes(library: Store) -> None:
    shown = labels(library, "what load in kN/m2 for offices and studios")
    assert shown.index("Table 2") == shown.index("Table 1") + 1


def test_no_value_is_wanted_where_none_is_asked_for(library: Store) -> None:
    shown = labels(library, "which use are offices and studios")
    assert "Table 2" not in shown or shown.index("Table 2") > shown.index("Table 1") + 1


@pytest.mark.parametrize(
    "question",
    [
        "where are dancing crowds that shake floors dealt with",
        "in what ways do dancing crowds shake floors? List them.",
    ],
)
def test_a_question_for_a_place_or_for_all_gets_the_division_around_the_places(
    library: Store, question: str
) -> None:
    assert "Annex B" in labels(library, question)[:3]


def test_another_question_gets_no_division(library: Store) -> None:
    assert "Annex B" not in labels(library, "do dancing crowds shake floors")[:3]
