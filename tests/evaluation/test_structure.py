"""A small document against a small truth: what counts, what is free, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from appliance.core.document import (
    Box,
    Cell,
    Clause,
    ClauseKind,
    Document,
    Figure,
    Formula,
    Label,
    Page,
    Passage,
    Reference,
    ReferenceKind,
    Table,
    Term,
)
from appliance.evaluation.places import Score
from appliance.evaluation.structure import score_document, score_lookup


def box(page: int) -> Box:
    return Box(page, 0.1, 0.1, 0.9, 0.2)


def clause(key: str, page: int, kind: ClauseKind = "clause", title: str = "", parent: str = "") -> Clause:
    above = Label.from_key(parent) if parent else None
    return Clause(Label.from_key(key), kind, title, Passage(""), above, 1, (box(page),), marker="")


def table(key: str, page: int, rows: Sequence[Sequence[str]], captioned: bool = True) -> Table:
    cells = tuple(
        Cell(r, c, text, box(page), header=r == 0) for r, row in enumerate(rows) for c, text in enumerate(row)
    )
    return Table(Label.from_key(key), "", cells, (), (box(page),), captioned=captioned)


def reference(
    source: str, text: str, page: int, target: str = "", kind: ReferenceKind = "clause"
) -> Reference:
    goal = Label.from_key(target) if target else None
    return Reference(
        Label.from_key(source),
        0,
        0,
        text,
        kind,
        (box(page),),
        number=text.rsplit(maxsplit=1)[-1],
        target=goal,
    )


def document(**items: Any) -> Document:
    pages = (Page(1, 595, 842),)
    return Document("D", "D", "", "", "unknown", "en", "", "", pages, **items)


def kinds(found: Document, truth: dict[str, Any]) -> dict[str, Score]:
    return dict(score_document(found, truth).scores)


def counts(score: Score) -> tuple[int, int, int, int]:
    return score.expected, score.found, score.returned, score.correct


def test_an_empty_document_misses_all_and_a_silent_truth_asks_nothing() -> None:
    missed = kinds(document(), {"tables": [{"label": "Table 1", "page": 3, "columns": 2}]})["tables"]
    assert counts(missed) == (1, 0, 0, 0)
    assert (missed.recall, missed.precision, missed.f1) == (0.0, None, 0.0)
    assert missed.missed == ("Table 1 (p. 3)",)
    assert all(score.f1 is None for score in kinds(document(), {}).values())


@pytest.mark.parametrize(
    ("own", "page", "pairs"),
    [
        ("Table 1.1", 15, True),
        ("1.1", 16, True),  # the word before the number is forgiven, the page next to it too
        ("H3/Table 1.1", 15, True),
        ("Table 1.10", 15, False),
        ("Table 1.1", 17, False),
    ],
)
def test_a_table_pairs_by_number_and_page(own: str, page: int, pairs: bool) -> None:
    truth = {"tables": [{"label": "Table 1.1", "page": 15, "columns": 1}]}
    score = kinds(document(tables=(table(own, page, [["a"]]),)), truth)["tables"]
    assert counts(score) == (1, int(pairs), 1, int(pairs))


def test_captionless_grids_are_never_false_and_are_found_by_page() -> None:
    truth = {"uncaptioned_tables": [{"near": "0.2", "page": 9}, {"near": "K1", "page": 13}]}
    found = document(tables=(table("0.2 grid", 9, [["a"]], captioned=False),))
    scores = kinds(found, truth)
    assert counts(scores["tables"]) == (0, 0, 0, 0)
    assert scores["captionless tables"].missed == ("K1 (p. 13)",)


def test_the_number_of_columns_is_judged_with_spans() -> None:
    truth = {"tables": [{"label": "Table 1", "page": 1, "columns": 3}]}
    wide = Cell(0, 0, "all", box(1), column_span=3, header=True)
    assert (
        kinds(document(tables=(Table(Label(("Table 1",)), "", (wide,), (), (box(1),)),)), truth)[
            "table columns"
        ].missed
        == ()
    )
    narrow = kinds(document(tables=(table("Table 1", 1, [["a", "b"]]),)), truth)["table columns"]
    assert narrow.missed == ("Table 1: 2, printed 3",)


def test_clauses_that_start_again_pair_once_each_by_page() -> None:
    truth = {"clauses": [{"label": "1.1", "title": "", "page": 9}, {"label": "1.1", "title": "", "page": 32}]}
    found = document(clauses=(clause("H1/1.1", 9), clause("H2/1.1", 32), clause("H2/1.2", 32)))
    score = kinds(found, truth)["clauses"]
    assert counts(score) == (2, 2, 3, 2)
    assert score.wrong == ("1.2 (p. 32)",)


def test_items_notes_and_unlisted_headings_cost_nothing() -> None:
    truth = {"clauses": [{"label": "K1", "title": "Stairs", "page": 1, "kind": "requirement"}]}
    found = document(
        clauses=(
            clause("Requirement K1", 1, "requirement", "Stairs"),
            clause("K1 a)", 1, "item"),
            clause("Scope", 1, "heading", "Scope"),
        )
    )
    assert counts(kinds(found, truth)["clauses"]) == (1, 1, 1, 1)


def test_legal_paragraphs_pair_with_the_number_above_joined() -> None:
    truth = {"clauses": [{"label": "44D(1)", "title": "", "page": 2, "kind": "legal paragraph"}]}
    found = document(clauses=(clause("44D", 2, "clause"), clause("(1)", 2, "paragraph", parent="44D")))
    assert counts(kinds(found, truth)["clauses"]) == (1, 1, 2, 1)


def test_only_listed_pages_are_judged_where_the_truth_lists_some() -> None:
    truth = {"clauses_pages": [4], "clauses": [{"label": "1", "title": "", "page": 4}]}
    found = document(clauses=(clause("1", 4), clause("2", 5)))
    assert counts(kinds(found, truth)["clauses"]) == (1, 1, 1, 1)


def test_headings_are_judged_where_they_are_listed() -> None:
    truth = {"clauses": [{"label": "Siting", "title": "Siting", "page": 3, "kind": "heading"}]}
    found = document(clauses=(clause("h-1", 3, "heading", "SITING"), clause("h-2", 3, "heading", "Load")))
    assert counts(kinds(found, truth)["headings"]) == (1, 1, 2, 1)
    assert kinds(found, {"clauses": [{"label": "1", "title": "", "page": 3}]})["headings"].f1 is None


def test_figures_and_terms() -> None:
    truth = {
        "figures": [{"label": "Diagram 3", "page": 5}],
        "definitions": [
            {"term": "Wet room", "page": 8},
            {"term": "rodding eyes", "page": 21, "formal": False},
        ],
    }
    found = document(
        figures=(Figure(Label(("Diagram 3",)), "", "", (box(5),)),),
        terms=(
            Term("wet  room", Passage(""), Label(("1",)), (box(8),)),
            Term("γG", Passage(""), Label(("1",)), (box(8),), "symbol"),
        ),
    )
    scores = kinds(found, truth)
    assert counts(scores["figures"]) == (1, 1, 1, 1)
    assert counts(scores["definitions"]) == (1, 1, 1, 1)


REFERENCES = {
    "references_pages": [7],
    "references": [
        {"page": 7, "source": "3.9", "text": "paragraphs 4.3 and 6.4", "target": "4.3", "external": False},
        {"page": 7, "source": "3.9", "text": "paragraphs 4.3 and 6.4", "target": "6.4", "external": False},
        {
            "page": 7,
            "source": "3.9",
            "text": "paragraphs 1.9 to 1.31",
            "target": "1.9–1.31",
            "external": False,
        },
        {"page": 7, "source": "3.9", "text": "BS 8515", "target": "BS 8515", "external": True},
    ],
}


def test_every_number_of_a_list_needs_its_own_reference() -> None:
    found = document(
        references=(
            reference("3.9", "paragraphs 4.3", 7, target="4.3"),
            reference("3.9", "paragraphs 1.9 to 1.31", 7, target="1.9"),
            reference("3.9", "BS 8515", 7),
        )
    )
    scores = kinds(found, REFERENCES)
    assert counts(scores["references"]) == (4, 3, 3, 3)
    assert scores["references"].missed == ("3.9: paragraphs 4.3 and 6.4 (p. 7)",)
    assert counts(scores["targets"]) == (3, 2, 2, 2)


def test_a_wrong_target_is_found_but_not_followed_and_other_pages_are_free() -> None:
    found = document(
        references=(
            reference("3.9", "paragraphs 1.9 to 1.31", 7, target="H2/2.9"),
            reference("3.9", "Table 7", 7, target="Table 7"),
            reference("5.1", "Table 8", 9, target="Table 8"),
            reference("3.9", "below", 7, kind="relative"),
        )
    )
    scores = kinds(found, REFERENCES)
    assert counts(scores["references"]) == (4, 1, 2, 1)
    assert scores["references"].wrong == ("3.9: Table 7 (p. 7)",)
    assert counts(scores["targets"]) == (3, 0, 1, 0)


def test_other_documents_are_followed_by_id_and_place() -> None:
    rows = [
        {"page": 7, "source": "1", "text": "DC 1-3", "target": "", "external": True, "document": "DC-1-3"},
        {
            "page": 7,
            "source": "1",
            "text": "5.2 of DC 1-1",
            "target": "5.2",
            "external": True,
            "document": "X",
        },
        {"page": 7, "source": "1", "text": "BS 1", "target": "BS 1", "external": True},
    ]
    outer = replace(reference("1", "DC 1-3", 7), designation="DC 1-3", document="DC-1-3")
    wrong = replace(reference("1", "5.2 of DC 1-1", 7, target="5.2"), designation="DC 1-1", document="DC-1-1")
    scores = kinds(document(references=(outer, wrong)), {"references_pages": [7], "references": rows})
    assert counts(scores["other documents"]) == (2, 1, 2, 1)
    assert scores["other documents"].missed == ("1: 5.2 of DC 1-1 -> X 5.2 (p. 7)",)


def test_a_link_into_a_document_that_is_not_loaded_is_not_asked_for() -> None:
    row = {"page": 7, "source": "1", "text": "DC 1-3", "target": "", "external": True, "document": "DC-1-3"}
    truth = {"references_pages": [7], "references": [row]}
    for loaded, expected in ((None, 1), (frozenset({"DC-1-3"}), 1), (frozenset({"DC-0"}), 0)):
        assert score_document(document(), truth, loaded).scores["other documents"].expected == expected


def test_a_numbered_definition_is_no_false_clause() -> None:
    truth = {
        "clauses": [{"label": "1.5", "title": "Terms", "page": 5}],
        "definitions": [{"term": "action", "label": "1.5.1", "page": 5}],
    }
    found = document(clauses=(clause("1.5", 5), clause("1.5.1", 5), clause("1.5.2", 5)))
    assert counts(kinds(found, truth)["clauses"]) == (1, 1, 2, 1)


def test_paragraphs_formulas_and_principles_are_judged_where_listed() -> None:
    truth = {
        "clauses": [{"label": "2.1", "title": "Basis", "page": 2}],
        "paragraphs": [
            {"label": "2.1(1)", "page": 2, "principle": True},
            {"label": "2.1(2)", "page": 2, "principle": False},
        ],
        "formulas": [{"label": "(4.1)", "page": 2}],
    }
    found = document(
        clauses=(
            clause("2.1", 2, "clause", "Basis"),
            replace(clause("(1)", 2, "paragraph", parent="2.1"), principle=True),
            replace(clause("2.1(2)", 2, "paragraph", parent="2.1"), principle=True),
            clause("2.1(3)", 2, "paragraph", parent="2.1"),
        ),
        formulas=(Formula(Label(("(4.1)",)), "a = b", "", (box(2),)),),
    )
    scores = kinds(found, truth)
    assert counts(scores["clauses"]) == (1, 1, 1, 1)
    assert counts(scores["paragraphs"]) == (2, 2, 3, 2)
    assert scores["principles"].missed == ("2.1(2)",)
    assert counts(scores["formulas"]) == (1, 1, 1, 1)


CELLS = {
    "cells": [
        {"table": "Table 1", "row": "Basin", "column": "Trap (mm)", "value": "32", "page": 3},
        {"table": "Table 1", "row": "Bath", "column": "Trap (mm)", "value": "40", "page": 3},
        {"table": "D1 (uncaptioned)", "row": "D1", "column": "Limits", "value": "", "page": 5},
    ]
}


def test_cells_are_stored_or_named() -> None:
    rows = [["", "Trap"], ["Basin", "32mm"], ["Bath", "50"]]
    found = document(tables=(table("Table 1", 3, rows), table("g", 5, [["", "x"]], captioned=False)))
    score = kinds(found, CELLS)["cells stored"]
    assert counts(score) == (3, 2, 3, 2)
    assert score.missed == ("Table 1 | Bath | Trap (mm) = '40'",)


def test_a_look_up_that_returns_the_whole_table_wins_nothing() -> None:
    whole = lambda *_: ["1", "2", "3", "32", "40"]  # noqa: E731 - a table of one line reads best so
    assert counts(score_lookup("D", CELLS, whole)) == (3, 0, 3, 0)

    def right(_document: str, _table: str, row: str, _column: str) -> list[str]:
        return {"Basin": ["32 mm"], "Bath": ["40", "50"]}.get(row, [])

    assert counts(score_lookup("D", CELLS, right)) == (3, 3, 2, 3)
