"""What stands under the end of a table and may belong to it is told, with its place."""

from __future__ import annotations

from pathlib import Path

from tests.ingest.paper import TEXT, opened

CLASSES = (
    ("Class", "Description of the class", "Informative examples that apply in the country"),
    (
        "No risk of corrosion or attack (X0 class)",
        (
            "X0",
            "For concrete without reinforcement or embedded metal where there is no significant attack",
            (
                "Surfaces inside structures without reinforcement. Concrete completely buried in soil of the "
                "first class with a gradient not greater than five. Concrete permanently under water that is "
                "not aggressive. Surfaces in wet and dry conditions without abrasion or freezing"
            ),
        ),
        (
            "Corrosion induced by carbonation (XC classes) where concrete that contains reinforcement or "
            "other metal is exposed to air and moisture"
        ),
        (
            "XC1",
            "Dry or permanently wet",
            "Surfaces inside enclosed structures except areas of high humidity, and surfaces under water",
        ),
        ("XC2", "Wet, rarely dry", "Concrete completely buried in soil of the first class"),
        "Corrosion induced by chlorides other than those from sea water (XD classes)",
        (
            "XD1",
            "Moderate humidity",
            (
                "Surfaces exposed to airborne chlorides. Parts of bridges more than ten metres from a road. "
                "Parts of structures exposed to occasional or slight conditions of chlorides"
            ),
        ),
        ("XD3", "Cyclic wet and dry", "Walls and structures within ten metres of a road; slabs of car parks"),
    ),
    (75, 130, 270),
)


def test_a_table_that_may_go_on_is_told_in_the_box_of_what_follows(tmp_path: Path) -> None:
    heads, rows, widths = CLASSES
    paper = opened()
    form = (heads, (*rows[:2], " ".join([TEXT] * 3), *rows[2:]), widths)
    paper.table("Table 1 - Classes for the design", form, "rows")
    document = paper.read(tmp_path)
    (problem,) = document.problems
    assert problem.message == "Table 1 on page 1 may go on below: see on the page what stands under it."
    assert problem.box is not None
    assert problem.box.y0 > 0.3
    assert not problem.doubt
