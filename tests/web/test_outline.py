"""The tree and the text of a reading view: nothing dropped, odd parents and overlaps survived."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from appliance.core.document import Clause, Label, Reference
from appliance.web.reading.outline import Node, below, beside, pieces, snippet, tree
from tests.factories import clause, figure, table

CODE = [
    clause("1", title="General", kind="section", level=1),
    clause("1.1", title="Scope", parent="1", level=2),
    clause("1.1(1)", "Text", kind="paragraph", parent="1.1", level=3),
    clause("1.1(1)/a", "item", kind="item", parent="1.1(1)", level=4),
    clause("1.2", "Untitled provision", parent="1", level=2),
    clause("2", title="Loads", kind="section", level=1),
]


def shape(nodes: Sequence[Node]) -> list[object]:
    """Write a tree as nested lists of labels."""
    return [[str(node.label), *shape(node.children)] if node.children else str(node.label) for node in nodes]


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ([], []),
        (CODE, [["1", ["1.1", "1.1(1)"], "1.2"], "2"]),
        ([clause("7", parent="no such clause")], ["7"]),
        ([clause("7", parent="7")], ["7"]),
        (
            [
                clause("a", kind="item", parent="b"),
                clause("b", kind="item", parent="a"),
                clause("7", parent="a"),
            ],
            ["7"],
        ),
    ],
    ids=["empty", "code", "lost parent", "its own parent", "ring of folded items"],
)
def test_every_clause_has_one_line_in_the_tree(clauses: list[Clause], expected: list[object]) -> None:
    assert shape(tree(clauses)) == expected


def test_tables_and_figures_stand_where_they_belong() -> None:
    nodes = tree(
        CODE,
        [table("Table 1", [["a"]], clause="1.1(1)/a"), table("Table 9", [["a"]])],
        [figure("Figure 1", clause="2")],
    )
    assert shape(nodes) == [["1", ["1.1", ["1.1(1)", "Table 1"]], "1.2"], ["2", "Figure 1"], "Table 9"]


@pytest.mark.parametrize(
    ("key", "under", "before", "after"),
    [
        ("1", ["1", "1.1", "1.1(1)", "1.1(1)/a", "1.2"], None, "2"),
        ("1.1", ["1.1", "1.1(1)", "1.1(1)/a"], "1", "1.2"),
        ("1.1(1)", ["1.1(1)", "1.1(1)/a"], "1.1", "1.2"),
        ("1.2", ["1.2"], "1.1", "2"),
        ("2", ["2"], "1", None),
    ],
)
def test_a_clause_is_read_with_all_under_it_and_its_neighbours(
    key: str, under: list[str], before: str | None, after: str | None
) -> None:
    here = next(item for item in CODE if item.label.key == key)
    found = below(CODE, here)
    assert [item.label.key for item in found] == under
    neighbours = beside(CODE, here, found)
    assert [item.label.key if item else None for item in neighbours] == [before, after]


def reference(start: int, end: int) -> Reference:
    return Reference(Label(("1",)), start, end, "", "clause", ())


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], ["see Table 1 and 2"]),
        ([(4, 11)], ["see ", "<Table 1>", " and 2"]),
        ([(4, 11), (4, 17)], ["see ", "<Table 1 and 2>"]),
        ([(4, 11), (8, 17)], ["see ", "<Table 1>", " and 2"]),
        ([(0, 17)], ["<see Table 1 and 2>"]),
        ([(16, 17), (4, 11)], ["see ", "<Table 1>", " and ", "<2>"]),
        ([(4, 99), (-1, 3), (9, 9), (11, 4)], ["see Table 1 and 2"]),
    ],
    ids=["none", "one", "nested", "overlap", "all", "unordered", "outside the text"],
)
def test_text_is_cut_at_its_references_and_stays_whole(
    spans: list[tuple[int, int]], expected: list[str]
) -> None:
    text = "see Table 1 and 2"
    found = pieces(text, [reference(*span) for span in spans])
    assert [f"<{piece.text}>" if piece.reference else piece.text for piece in found] == expected
    assert "".join(piece.text for piece in found) == text


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("", 10, ""),
        ("short", 10, "short"),
        ("a b\n c", 10, "a b c"),
        ("one two, three", 9, "one two …"),
        ("x" * 20, 5, "xxxxx …"),
    ],
)
def test_snippets_end_with_a_word(text: str, length: int, expected: str) -> None:
    assert snippet(text, length) == expected
