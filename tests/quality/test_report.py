"""The whole report: levels, the order of the pages, what a check changes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from appliance.core.document import Document, Page, Problem
from appliance.quality.contract import report_json
from appliance.quality.report import report, usual
from tests.factories import clause, document, figure, table

WORDS = {"table": ("Table",), "figure": ("Figure",)}
ROWS = [["Zone", "Load"], ["1", "0.4"]]
TEXT = "The snow load on the roof shall be taken as the value of the national annex of this code. " * 3


def code(*problems: Problem, silent: int = 0, tables: tuple[str, ...] = ()) -> Document:
    made = document(
        [clause(str(page), TEXT, page=page) for page in range(1, 11)], [table(name, ROWS) for name in tables]
    )
    pages = [
        Page(number, 595, 842, trust="none" if number <= silent else "digital") for number in range(1, 11)
    ]
    return replace(made, pages=tuple(pages), problems=problems)


@pytest.mark.parametrize(
    ("made", "level"),
    [
        (code(), "good"),
        (code(Problem("Lost.", 3)), "to check"),
        (code(Problem("All of it.")), "to check"),
        (code(silent=1), "to check"),
        (code(silent=2), "poor"),
        (code(tables=("Table 1", "Table 3")), "to check"),  # one missing may be a slip of the code
        (code(tables=("Table 1", "Table 3", "Table 5")), "poor"),
        (replace(code(), pages=(), clauses=()), "poor"),
    ],
)
def test_levels(made: Document, level: str) -> None:
    assert report(made, WORDS, {}).level == level


def test_the_worst_page_comes_first_and_a_check_takes_it_away() -> None:
    made = code(Problem("One.", 7), Problem("One.", 4), Problem("Two.", 4), Problem("Two.", 4))
    found = report(made, WORDS, {})
    assert [page.page for page in found.look_at] == [4, 7]
    assert [reason.words for reason in found.look_at[0].reasons] == ["One.", "Two."]
    checked = report(made, WORDS, {4: "2025-01-31", 9: "2025-01-31"})
    assert [page.page for page in checked.look_at] == [7]
    assert [page.checked for page in checked.pages if page.trust == "checked"] == ["2025-01-31"] * 2
    assert report(made, WORDS, {4: "x", 7: "x"}).level == "good"


def test_a_checked_page_without_text_is_no_longer_held_against_it() -> None:
    assert report(code(silent=2), WORDS, {1: "x", 2: "x"}).level == "good"


@pytest.mark.parametrize(
    ("family", "siblings", "value"),
    [("test", (), None), ("test", (3.0, 9.0), None), ("test", (3.0, 9.0, 4.0), 4.0)],
)
def test_what_a_family_usually_yields(family: str, siblings: tuple[float, ...], value: float | None) -> None:
    assert usual(family, siblings) == value


def test_far_fewer_references_than_usual_are_told() -> None:
    assert report(code(), WORDS, {}, (6.0, 6.0, 6.0)).references.low
    assert usual("eurocode", ()) is not None


def test_the_report_is_json_with_all_of_its_pages() -> None:
    made = code(Problem("Lost.", 3), tables=("Table 1", "Table 3"))
    made = replace(made, figures=(figure("Figure 1"),))
    found = json.loads(json.dumps(report_json(report(made, WORDS, {3: "2025-01-31"}))))
    assert found["tables"] == {"found": 2, "expected": 3, "missing": ["Table 2"], "spoken_of": []}
    assert found["trust"] == {"digital": 9, "ocr": 0, "none": 0, "checked": 1}
    assert len(found["pages"]) == 10
    assert found["pages_to_look_at"] == [page["page"] for page in found["look_at"]] == [1]
