"""The clause tree: labels, titles, lists, annexes, Parts, boxes, and what is left out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Box, Clause, Figure, Label, Table, pages_of
from appliance.ingest.page import OutlineEntry
from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.tree import place
from tests.ingest.made import BOLD, Print, clauses, column, layouts, scheme

WORDS = "applies to every roof on which snow can lie and that people may walk on in winter."


def _tree(folder: Path, family: str, *pages: list[Print]) -> dict[str, Clause]:
    found, _ = clauses(folder, family, *pages)
    assert len({clause.label.key for clause in found}) == len(found)
    return {clause.label.key: clause for clause in found}


CODE = column(
    "# 1 General",
    "# 1.1 Scope",
    f"(1) This code {WORDS}",
    "",
    "(2)P The load shall be taken from:",
    ">a) the map of ground loads;",
    ">b) a study of the site.",
    "",
    "NOTE 1 The map is in the National Annex.",
    "",
    "NOTE 2 The study may be waived.",
    "# 1.2 Terms",
    "",
    "1.2.1",
    "altitude of the site",
    "height above mean sea level of the site at which the structure is built.",
)


def test_a_code_by_numbers(tmp_path: Path) -> None:
    tree = _tree(tmp_path, "eurocode", CODE)
    assert [(key, clause.kind, clause.level) for key, clause in tree.items()] == [
        ("1", "section", 1),
        ("1.1", "clause", 2),
        ("1.1(1)", "paragraph", 3),
        ("1.1(2)", "paragraph", 3),
        ("1.1(2)a", "item", 4),
        ("1.1(2)b", "item", 4),
        ("1.1(2) NOTE 1", "note", 4),
        ("1.1(2) NOTE 2", "note", 4),
        ("1.2", "clause", 2),
        ("1.2.1", "clause", 3),
    ]
    assert (tree["1.1"].title, tree["1.2.1"].title) == ("Scope", "altitude of the site")
    assert tree["1.1(2)"].principle
    assert not tree["1.1(1)"].principle
    assert tree["1.1(2)"].marker == "(2)P"
    assert tree["1.1(2)"].passage.text == "The load shall be taken from:"
    assert tree["1.1(2)a"].passage.text == "the map of ground loads;"
    assert tree["1.2.1"].passage.text.startswith("height above")
    assert tree["1.1(2)b"].parent == Label(("1.1(2)",))


def test_numbers_inside_sentences_open_nothing(tmp_path: Path) -> None:
    page = column(
        "# 1 General",
        "# 1.1 Scope",
        "(1) The load of the snow on the roof shall be not less than a value of at least",
        "1.2 kN/m2 where people can walk on the roof, and it is multiplied as stated in",
        "1.3 and in (2) of this clause where the roof is a part of the way of escape.",
        "",
        "(2) Where it is less, 1.1(1) applies to the roof as it does to others, see also",
        "(3) in the next code.",
        "# 1.2 Loads",
        "(1) The load is given.",
    )
    assert list(_tree(tmp_path, "eurocode", page)) == ["1", "1.1", "1.1(1)", "1.1(2)", "1.2", "1.2(1)"]


@pytest.mark.parametrize(
    ("status", "normative"), [("(informative)", False), ("(normative)", True), ("", True)]
)
def test_annexes_say_whether_they_bind(tmp_path: Path, status: str, *, normative: bool) -> None:
    page = column("# 1 General", "# 1.1 Scope", "(1) Text of the clause.")
    annex = [
        Print(250, 80, "Annex B", 13, BOLD),
        Print(245, 96, status, 11),
        Print(200, 116, "Snow drifts", 13, BOLD),
        *column("# B.1 General", "(1) The drift is found.", y=140),
    ]
    tree = _tree(tmp_path, "eurocode", page, [piece for piece in annex if piece.text])
    assert (tree["Annex B"].title, tree["Annex B"].kind) == ("Snow drifts", "annex")
    assert tree["B.1(1)"].normative is normative


def test_a_clause_over_pages_has_a_box_on_each(tmp_path: Path) -> None:
    first = column("# 1 General", "# 1.1 Scope", "(1) The load that lies on the roof of", y=640)
    second = column("the structure is found from the map.", "", "(2) It is drifted.", y=60)
    tree = _tree(tmp_path, "eurocode", first, second)
    clause = tree["1.1(1)"]
    assert pages_of(clause.boxes) == (1, 2)
    assert clause.passage.text.endswith("roof of the structure is found from the map.")
    assert clause.boxes[0].y0 > 0.7 > clause.boxes[1].y1


GUIDE = column(
    "# Performance",
    f"In the view of the minister the rule {WORDS}",
    "# Traps",
    "1.1 All points of discharge should be fitted with a trap that prevents air from",
    "the system from entering the building. Use one of the following.",
    "",
    "a. A water seal.",
    "b. A valve.",
    "",
    "NOTE: Valves need care.",
    "",
    "1.2 Table 1 gives sizes for the appliances that are most used in houses of any",
    "size and age.",
)


def _part(name: str, title: str) -> list[Print]:
    return [Print(70, 60, f"Requirement {name}: {title}", 24, BOLD), *GUIDE]


def test_guidance_with_headings_and_lettered_items(tmp_path: Path) -> None:
    tree = _tree(tmp_path, "approved_document", _part("H1", "Foul water"))
    assert [(key, clause.kind) for key, clause in tree.items()] == [
        ("Requirement H1", "requirement"),
        ("Performance", "heading"),
        ("Traps", "heading"),
        ("1.1", "clause"),
        ("1.1a", "item"),
        ("1.1b", "item"),
        ("1.1 NOTE", "note"),
        ("1.2", "clause"),
    ]
    assert tree["Requirement H1"].title == "Foul water"
    assert tree["1.1"].parent == Label(("Traps",))


def test_numbers_that_begin_again_carry_their_part(tmp_path: Path) -> None:
    tree = _tree(tmp_path, "approved_document", _part("H1", "Foul water"), _part("H2", "Tanks"))
    numbers = [key for key, clause in tree.items() if clause.kind == "clause"]
    assert numbers == ["H1/1.1", "H1/1.2", "H2/1.1", "H2/1.2"]
    assert str(tree["H2/1.1"].label) == "1.1"
    assert {key for key in tree if key.endswith("Performance")} == {"H1/Performance", "H2/Performance"}
    assert tree["H2/1.1"].parent == tree["H2/Traps"].label


def test_the_contents_list_is_a_witness_and_no_text(tmp_path: Path) -> None:
    contents = [
        Print(70, 80, "Contents", 14, BOLD),
        *[
            Print(70, 110 + 16 * n, f"{text} {'.' * 40} {page}")
            for n, (text, page) in enumerate(
                [
                    ("1 General", 3),
                    ("1.1 Scope", 3),
                    ("1.2 Terms", 4),
                    ("2 Roofs", 5),
                    ("2.1 Flat roofs", 6),
                    ("Annex A Maps", 9),
                ]
            )
        ],
    ]
    found, problems = clauses(tmp_path, "eurocode", contents, CODE)
    assert [str(c.label) for c in found][:2] == ["1", "1.1"]
    assert not any("Contents" in c.passage.text or "...." in c.passage.text for c in found)
    assert [problem.message.split("“")[1].split("”")[0] for problem in problems] == [
        "2 Roofs",
        "2.1 Flat roofs",
        "Annex A Maps",
    ]
    assert all(problem.page for problem in problems)


def test_lines_taken_by_tables_are_no_text(tmp_path: Path) -> None:
    pages = layouts(tmp_path, CODE)
    taken = {(1, i) for i, line in enumerate(pages[0].lines) if line.text.startswith(("(2)P", "a)", "b)"))}
    found, _ = build_clauses(pages, taken, scheme("eurocode"))
    assert not any("map of ground loads" in clause.passage.text for clause in found)
    assert "1.1(2)" not in {str(clause.label) for clause in found}


def test_a_code_of_no_family(tmp_path: Path) -> None:
    page = column(
        "# 3 MATERIALS",
        "# 3.1 Concrete",
        f"3.1.1 Concrete in this code {WORDS}",
        "",
        f"3.1.2 Strength in this code {WORDS}",
        ">(a) by test;",
        ">(b) by record.",
        "# APPENDIX A: TESTS",
        "A.1 Cubes are cast and kept under water until the day of the test comes.",
    )
    tree = _tree(tmp_path, "decimal", page)
    assert list(tree) == ["3", "3.1", "3.1.1", "3.1.2", "3.1.2(a)", "3.1.2(b)", "APPENDIX A", "A.1"]
    assert tree["3.1.1"].title == ""
    assert tree["3.1.1"].passage.text.startswith("Concrete in")


@pytest.mark.parametrize("pages", [[], [[]], [[Print(70, 100, "One line of text")]]])
def test_little_is_no_failure(tmp_path: Path, pages: list[list[Print]]) -> None:
    if not pages:
        assert build_clauses((), frozenset(), scheme("eurocode"), (OutlineEntry(1, "1", 1),)) == ((), ())
        return
    found, problems = clauses(tmp_path, "eurocode", *pages)
    assert [(str(c.label), c.kind, c.passage.text) for c in found] == (
        [("Front matter", "front", "One line of text")] if pages[0] else []
    )
    assert problems == ()


def _table(name: str, page: int, y: float, x: float = 0.1) -> Table:
    return Table(Label((name,)), "", (), (), (Box(page, x, y, x + 0.3, y + 0.1),))


def test_items_stand_in_the_clause_before_them(tmp_path: Path) -> None:
    found, _ = clauses(tmp_path, "eurocode", CODE, column("more text of the definition", y=60))
    placed = place([_table("T1", 1, 0.05), _table("T2", 1, 0.27), _table("T3", 2, 0.5)], found)
    homes = [str(item.clause) if item.clause else None for item in placed]
    assert homes == [None, "1.1(2)b", "1.2.1"]


def test_items_whose_labels_repeat_get_their_part(tmp_path: Path) -> None:
    found, _ = clauses(tmp_path, "approved_document", _part("H1", "Foul"), _part("H2", "Tanks"))
    tables = [_table("Table 1", 1, 0.9), _table("Table 1", 2, 0.9), _table("Table 2", 2, 0.92)]
    assert [item.label.key for item in place(tables, found)] == ["H1/Table 1", "H2/Table 1", "Table 2"]
    twins = [Figure(Label(("Diagram 1",)), "", "", (Box(1, 0, 0.9, 1, 1),)) for _ in range(2)]
    assert [item.label.key for item in place(twins, ())] == ["Diagram 1", "no. 2/Diagram 1"]
