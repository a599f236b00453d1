"""What a question names by the words of a column head is of the kind that the head prints a unit for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.answer.reading.question import head_kinds, heads_of
from appliance.core.document import Label
from appliance.store.read import Store
from tests.answer.builders import place
from tests.factories import clause, document, table
from tests.store.libraries import chunked, opened

STACK = ("Stack size (mm)", "Max. capacity (litres/sec)", "Use factor")


@pytest.mark.parametrize(
    ("asked", "heads", "kinds"),
    [
        ("maximum capacity of a stack", STACK[1:], {"flow"}),
        ("capacities of a stack", STACK, {"flow", "length"}),
        ("maximum rent of a pipe", STACK, set()),  # a word that only bounds names nothing
        ("use factor of a pipe", STACK, set()),  # a head without a unit
        ("how many litres", STACK, set()),  # the unit is no name
        ("at what age", ("Age (days)", "Average (mm)"), {"time"}),
        ("", STACK, set()),
        ("capacity", (), set()),
    ],
)
def test_heads_say_what_their_words_measure(asked: str, heads: tuple[str, ...], kinds: set[str]) -> None:
    assert head_kinds(asked, heads) == kinds


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = chunked(
        document(
            clauses=(clause("1.1", "A pipe."),), tables=(table("Table 1", (STACK, ("90", "5.3", "0.4"))),)
        )
    )
    with opened(Path(tmp_path_factory.mktemp("headed")) / "a", made) as opened_store:
        yield opened_store


def test_only_a_table_that_stands_first_has_heads(store: Store) -> None:
    (name,) = {info.id for info in store.documents()}
    held = replace(place(label="Table 1"), document=name, kind="table", label=Label(("Table 1",)))
    other = replace(place(label="1.1"), document=name)
    assert tuple(heads_of(store, [held, other])) == STACK
    assert list(heads_of(store, [other, held])) == []
    assert list(heads_of(store, [])) == []
    assert list(heads_of(store, [replace(held, label=Label(("Table 9",)))])) == []
