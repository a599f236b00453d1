"""Lists of one kind of place, on the demo codes: kept to the kind, every one of it, or said to hold none."""

from __future__ import annotations

import pytest

from appliance.library import Library


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("list all tables about snow", "table"),
        ("list all snow tables", "table"),
        ("all figures showing parapets", "figure"),
        ("give me every table on imposed loads in DC 1-1", "table"),
    ],
)
def test_a_list_keeps_the_kind_that_is_asked_for(demo: Library, question: str, kind: str) -> None:
    scope = demo.search(question).scope
    assert scope is not None
    assert scope.items
    assert {item.how for item in scope.items} == {kind}
    assert scope.text.startswith((f"{len(scope.items)} {kind}s on all of it", f"1 {kind} on all of it"))


@pytest.mark.parametrize(
    ("question", "kind", "documents"),
    [
        ("list all tables in DC 1-3", "table", {"DC-1-3"}),
        ("list all diagrams in DC 1-3", "figure", {"DC-1-3"}),
        ("list all definitions in DC 1-1", "definition", {"DC-1-1"}),
    ],
)
def test_without_a_subject_all_of_the_kind_are_listed(
    demo: Library, question: str, kind: str, documents: set[str]
) -> None:
    scope = demo.search(question).scope
    assert scope is not None
    assert {(item.document, item.how) for item in scope.items} == {(name, kind) for name in documents}
    assert f" in {', '.join(documents)}." in scope.text


def test_where_none_is_of_the_kind_all_others_are_listed_and_it_is_said(demo: Library) -> None:
    scope = demo.search("list all figures about snow guards").scope
    whole = demo.search("list all requirements for snow guards").scope
    assert scope is not None
    assert whole is not None
    assert scope.items == whole.items
    assert scope.text.endswith("of all of it, none of them a figure.")


@pytest.mark.parametrize("question", ["list all requirements", "list the conditions in DC 1-3"])
def test_a_list_never_counts_by_a_word_for_what_is_listed(demo: Library, question: str) -> None:
    assert demo.search(question).scope is None


@pytest.mark.parametrize(
    "question",
    ["list all figures about penguins", "list all requirements for penguins", "all tables on penguin eggs"],
)
def test_a_list_of_what_no_document_speaks_of_says_so(demo: Library, question: str) -> None:
    scope = demo.search(question).scope
    assert scope is None or (not scope.items and "occur nowhere" in scope.text)
