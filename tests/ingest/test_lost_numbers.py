"""Numbers that are printed twice; announced entries without a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Box, Clause, Label, Passage
from appliance.ingest.checks.expected import MOST, TOLD, missing_entries
from appliance.ingest.checks.numbering import label_problems
from appliance.ingest.structure.contents import Entry
from tests import factories as make
from tests.ingest.made import clauses, column

WORDS = "applies to every roof on which snow can lie and that people may walk on."


def _tree(folder: Path, *rows: str) -> tuple[dict[str, Clause], list[str]]:
    page = column("# 1 General", "# 1.1 Scope", *rows, "# 1.2 Terms", f"(1) This clause {WORDS}")
    found, problems = clauses(folder, "eurocode", page)
    told = (*problems, *label_problems(make.document(found)))
    return {clause.label.key: clause for clause in found}, [problem.message for problem in told]


def test_a_number_printed_twice_is_kept_and_told(tmp_path: Path) -> None:
    tree, told = _tree(
        tmp_path, f"(1) This code {WORDS}", "", f"(2) First {WORDS}", "", f"(2) Second {WORDS}"
    )
    twice = [clause for key, clause in tree.items() if key.endswith("1.1(2)")]
    assert [clause.passage.text.split()[0] for clause in twice] == ["First", "Second"]
    assert any("more than once" in message for message in told)


def test_items_without_white_space_between_them_are_items(tmp_path: Path) -> None:
    tree, _ = _tree(tmp_path, "(1) For example for:", "a) roofs that slope", f"b) roofs where it {WORDS}")
    assert tree["1.1(1)b"].passage.text.startswith("roofs where")


def _clause(label: str, title: str) -> Clause:
    return Clause(Label((label,)), "clause", title, Passage(""), None, 1, (Box(9, 0, 0, 1, 1),), label)


def _missing(*texts: str) -> list[str]:
    have = [_clause("5.3", "Roof shapes"), _clause("B.2", "Deposits"), _clause("Foreword", "Foreword")]
    known = ("5.3 Roof shapes", "B.2 Deposits", "Foreword", "Roof shapes", "(informative)")
    problems = missing_entries([Entry(text, "7", 2) for text in (*known, *texts)], have, 20)
    assert all(problem.page == 9 for problem in problems)
    return [problem.message for problem in problems]


@pytest.mark.parametrize(
    "text", ["5 .3 ROOF SHAPES", "5.3 R()()F SHAPES", "B2 Deposits", "ROOF SHAPES", "Page"]
)
def test_entries_are_found_however_the_text_layer_spells_them(text: str) -> None:
    assert _missing(text) == []


@pytest.mark.parametrize("text", ["5.4 Roof shapes", "Index of all the terms", "B.3 Deposits"])
def test_each_entry_without_a_place_is_told_with_its_page(text: str) -> None:
    assert [text in message for message in _missing(text)] == [True]


def test_an_endless_list_is_cut_and_that_is_said() -> None:
    entries = [Entry(f"{n} {'abcdefgh'[n % 8] * 9}{n}", str(n), 1) for n in range(1, 50_001)]
    problems = missing_entries(entries, [_clause("5.3", "Roof shapes")], 20)
    assert len(problems) == TOLD + 2
    assert str(MOST) in problems[-1].message


@pytest.mark.parametrize(
    ("family", "rows"),
    [
        (
            "decimal",
            ("", "1.1 The scope.", "", "1.2 First use.", "", "1.2 Second use.", "", "1.3 The limits."),
        ),
        (
            "decimal",
            ("# 1.1 Scope", "Text.", "# 1.2 Use", "First use.", "# 1.2 Hall", "Second use.", "# 1.3 End"),
        ),
        (
            "eurocode",
            ("# 1.1 Scope", "Text.", "# 1.2 Use", "First use.", "# 1.2 Hall", "Second use.", "# 1.3 End"),
        ),
    ],
    ids=["text", "titles", "titles of a Eurocode"],
)
def test_two_clauses_with_one_number_are_two_and_said(
    tmp_path: Path, family: str, rows: tuple[str, ...]
) -> None:
    found, _ = clauses(tmp_path, family, column("# 1 General", *rows))
    assert [clause.label.parts[-1] for clause in found] == ["1", "1.1", "1.2", "1.2", "1.3"]
    assert len({clause.label for clause in found}) == len(found)
    first, second = found[2:4]
    assert (first.passage.text, second.passage.text) == ("First use.", "Second use.")
    (said,) = (one for one in label_problems(make.document(found)) if "more than" in one.message)
    assert "1.2 stands more than once" in said.message
    assert (said.page, said.box) == (1, second.boxes[0])


@pytest.mark.parametrize("gap", [(), ("",)], ids=["close", "apart"])
def test_a_clause_follows_one_that_ends_in_a_number(tmp_path: Path, gap: tuple[str, ...]) -> None:
    text = "The width of the stair number {0} is measured between its two rails at {0}"
    rows = [row for n in range(1, 9) for row in (*gap, f"1.{n} {text.format(n)}")]
    found, _ = clauses(tmp_path, "decimal", column("# 1 General", *rows))
    assert {str(c.label): c.passage.text for c in found[1:]} == {
        f"1.{n}": text.format(n) for n in range(1, 9)
    }
