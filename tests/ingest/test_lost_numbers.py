"""Numbers that are printed twice; announced entries without a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Box, Clause, Label, Passage
from appliance.ingest.checks import MOST, TOLD, label_problems, missing_entries
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


def test_an_endless_list_is_cut_and_that_is_said() -> None:
    entries = [Entry(f"{n} {'abcdefgh'[n % 8] * 9}{n}", str(n), 1) for n in range(1, 50_001)]
    problems = missing_entries(entries, [_clause("5.3", "Roof shapes")], 20)
    assert len(problems) == TOLD + 2
    assert str(MOST) in problems[-1].message
