"""Skipped numbers and repeated captions are told with their place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import ClauseKind, Label
from appliance.ingest.checks.numbering import label_problems
from tests import factories as make


@pytest.mark.parametrize(
    ("labels", "missing"),
    [
        (("1.1", "1.2", "1.5"), ["1.3", "1.4"]),
        (("1.1", "1.2", "1.3", "2.1", "2.2"), []),
        (("2.1", "2.3"), ["2.2"]),
        (("1.1", "1.9"), []),  # misses more than it has: no sequence
    ],
)
def test_skipped_clauses(labels: tuple[str, ...], missing: list[str]) -> None:
    problems = list(label_problems(make.document(make.spread(dict.fromkeys(labels, "")))))
    assert [problem.message.split()[1] for problem in problems] == missing
    assert all(problem.box and problem.page for problem in problems)


def test_skipped_annexes() -> None:
    annexes = make.spread({"Annex A": "", "Annex C": "", "Annex ZA": ""}, "annex")
    (problem,) = label_problems(
        make.document([*annexes, *make.spread({"Zone A": "", "Zone C": ""}, "heading")])
    )
    assert problem.message.startswith("Annex B was not found between Annex A")


def test_a_caption_printed_twice() -> None:
    tables = [make.table("Table 1", [["x"]]), make.table("Table 1", [["y"]])]
    tables[1] = replace(tables[1], label=Label(("no. 2", "Table 1")))
    (problem,) = label_problems(make.document([], tables))
    assert problem.message.startswith("Table 1 stands more than once")
    assert problem.box


@pytest.mark.parametrize(
    ("title", "kind", "told"),
    [
        ("2.4.2.4 Partial factors", "front", "2.4.2.4"),
        ("NA.A.2 Meereshöhe", "heading", "NA.A.2"),
        ("A.1 Allgemeines", "heading", "A.1"),
        ("2.4.2.4 Partial factors", "clause", ""),
        ("2010 edition", "front", ""),
        ("2 Basis of design", "front", ""),
        ("2.5 m", "heading", ""),
        ("General", "heading", ""),
        ("", "heading", ""),
    ],
)
def test_a_numbered_heading_that_opens_no_clause(title: str, kind: ClauseKind, told: str) -> None:
    (place,) = make.spread({title or "Front matter": "Text."}, kind)
    problems = [p.message for p in label_problems(make.document([replace(place, title=title)]))]
    said = f"The heading {told} on page 1 opens no clause. Look at the page."
    assert problems == ([said] if told else [])
