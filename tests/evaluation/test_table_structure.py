"""Adjacency relations of tables, as the ICDAR 2013 competition counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadInput
from appliance.evaluation.table_structure import (
    Counted,
    FinderScore,
    GridCell,
    PlacedGrid,
    content,
    load_table_truths,
    relations,
    without_pdf,
)


def _grid(*cells: GridCell) -> PlacedGrid:
    return PlacedGrid(1, cells)


def test_a_heading_over_two_columns_stands_over_both() -> None:
    found = relations(
        [_grid(GridCell(0, 0, 0, 1, "Rise"), GridCell(1, 0, 1, 0, "min"), GridCell(1, 1, 1, 1, "max"))]
    )
    assert set(found) == {
        (1, "rise", "min", "below"), (1, "rise", "max", "below"), (1, "min", "max", "right"),
    }  # fmt: skip


def test_no_relation_with_or_across_a_blank_cell() -> None:
    assert not relations(
        [_grid(GridCell(0, 0, 0, 0, "a"), GridCell(0, 1, 0, 1, " "), GridCell(0, 2, 0, 2, "c"))]
    )


@pytest.mark.parametrize(("text", "same"), [("1 200 mm", "1200MM"), ("–", "–"), ("a-b", "AB")])
def test_contents_are_compared_without_case_spaces_and_punctuation(text: str, same: str) -> None:
    assert content(text) == content(same)


def test_figures_are_means_over_documents_and_nothing_found_is_nothing() -> None:
    score = FinderScore("x", "pages", (Counted(10, 10, 10, 4, 4), Counted(30, 0, 0, 6, 0)))
    assert score.mean == (0.5, 0.5, 0.5)
    assert score.pooled == pytest.approx(0.4)
    assert score.cells == 0.4


def test_truth_without_its_pdf_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "a-str.xml").write_text("<document/>", encoding="utf-8")
    assert without_pdf(tmp_path) == ("a",)
    with pytest.raises(BadInput, match="no table structure"):
        load_table_truths(tmp_path)


def test_broken_truth_is_bad_input(tmp_path: Path) -> None:
    for name in ("a-str.xml", "a-reg.xml", "a.pdf"):
        (tmp_path / name).write_text("<document", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read"):
        load_table_truths(tmp_path)
