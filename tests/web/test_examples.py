"""Questions to start with come from whatever is loaded."""

from __future__ import annotations

import pytest

from appliance.core.document import Document
from appliance.web.answers.examples import MOST, examples
from tests.factories import clause, document, table, term

FULL = document(
    clauses=[
        clause("1", title="General", kind="section"),
        clause("5.3", title="Drift at parapets", kind="clause"),
    ],
    tables=[table("Table 1", [["a"]], title="Shape coefficients of roofs")],
    terms=[term("drift", "snow moved by wind")],
)


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([], ()),
        ([document()], ()),
        (
            [document(clauses=[clause("1", title="General"), clause("2", title="A " * 40)])],
            ("DC 1-3:2024 2",),
        ),
        (
            [FULL],
            (
                "Shape coefficients of roofs",
                "What is meant by drift?",
                "Drift at parapets",
                "DC 1-3:2024 5.3",
            ),
        ),
    ],
    ids=["no document", "empty document", "titles too short and too long", "full"],
)
def test_examples_stand_in_the_documents(documents: list[Document], expected: tuple[str, ...]) -> None:
    assert examples(documents) == expected


def test_many_documents_take_turns_and_nothing_is_offered_twice() -> None:
    found = examples([FULL, FULL, FULL, FULL])
    assert len(found) == len(set(found)) <= MOST
