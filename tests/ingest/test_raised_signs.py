"""Values in running text as they are printed: powers stay raised, fractions whole, marks of notes apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from appliance.ingest.formulas.text import with_fractions
from appliance.ingest.page import Stroke, Word
from appliance.ingest.pdf.signs import References, Shape, raised_figure
from tests.ingest.drawn import words
from tests.ingest.made import ITALIC, PLAIN, Print, clauses

TEXT = "1.1 The modulus of steel is the one of"


def _after(folder: Path, base: str, mark: str, font: str = PLAIN) -> str:
    """Return the clause that ends with a raised mark behind a base."""
    printed = [Print(70, 114, TEXT), Print(300, 114, base, font=font)]
    width = {"5.0": 13.9, "10": 11.1, "(a/b)": 20.6, "v": 5.0, "mm": 16.7, "steel": 22.8}[base]
    printed.append(Print(300 + width, 110, mark, size=6))
    tree, _ = clauses(folder, "decimal", printed)
    return next(c for c in tree if str(c.label) == "1.1").passage.text.removeprefix(TEXT[4:]).strip()


@pytest.mark.parametrize(
    ("base", "mark", "font", "written"),
    [
        ("10", "5", PLAIN, "10⁵"),
        ("10", "-3", PLAIN, "10⁻³"),
        ("10", "0", PLAIN, "10°"),
        ("5.0", "a", PLAIN, "5.0ᵃ"),
        ("(a/b)", "2", PLAIN, "(a/b)²"),
        ("v", "2", ITALIC, "v²"),
        ("mm", "2", PLAIN, "mm2"),  # of a unit, as everywhere
        ("steel", "1", PLAIN, "steel1"),  # a mark that no note has
        ("10", "th", PLAIN, "10th"),
    ],
)
def test_what_changes_a_value_is_written_raised(
    tmp_path: Path, base: str, mark: str, font: str, written: str
) -> None:
    assert _after(tmp_path, base, mark, font).replace(" ", "") == written


def _figure(size: float, middle: float) -> Shape:
    grid = np.zeros(400, dtype=np.float32)
    grid[5] = 1.0
    return Shape(grid, 0.0, middle, float(np.log(size)))


@pytest.mark.parametrize(
    ("reads", "size", "middle", "raised"),
    [
        ("5", 0.33, 0.52, "⁵"),
        ("5", 0.66, 0.33, ""),
        ("5", 0.45, 0.22, ""),  # a figure of old style
        ("5", 0.33, 0.05, ""),  # lowered
        ("x", 0.33, 0.52, ""),
        ("7", 0.33, 0.52, ""),  # unlike the whole figure
    ],
)
def test_a_raised_figure_in_full_type_is_told_by_its_drawing(
    reads: str, size: float, middle: float, raised: str
) -> None:
    seven = Shape(np.roll(_figure(0.7, 0.34).grid, 1), 0.0, 0.34, float(np.log(0.7)))
    known = References.of([("5", _figure(0.7, 0.34)), ("5", _figure(0.66, 0.33)), ("7", seven)])
    assert raised_figure(reads, _figure(size, middle), known) == raised


LINE = "the width of members shall not be more than"


def _fraction(over: str, under: str, line: str = LINE, bar: float = 97.0) -> list[Word]:
    return [*words(line, 70, 100), *words(over, 268, bar - 2, 7), *words(under, 268, bar + 8, 7)]


@pytest.mark.parametrize(
    ("page", "strokes", "last"),
    [
        (_fraction("L", "250"), [(267, 97, 280)], "L/250"),
        (_fraction("a b", "c"), [(267, 97, 280)], "(a b)/c"),
        (_fraction("L", "250"), [], "250"),  # no bar
        (_fraction("L", "250", line="h ="), [(267, 97, 280)], "250"),  # a formula that stands alone
        (_fraction("L", "250 mm and more"), [(267, 97, 280)], "more"),  # reaches over the bar
        ([*words(LINE, 70, 100), *words("of", 250, 112)], [(250, 101.5, 275)], "of"),  # underlined
    ],
)
def test_a_fraction_in_running_text_is_one_word(
    page: list[Word], strokes: list[tuple[float, float, float]], last: str
) -> None:
    bars = [Stroke(x0, y, x1, y, "line") for x0, y, x1 in strokes]
    assert with_fractions(page, bars)[-1].text == last
