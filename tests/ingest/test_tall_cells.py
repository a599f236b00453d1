"""Tables with level rules only, or none, set in the size of the text, with cells of many lines.

Each is made as a PDF and read whole: what a row loses is found among the clauses.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.tables.cells import Row
from tests.ingest.drawn import words
from tests.ingest.paper import LEFT, RIGHT, TEXT, labels, opened, rows_read

RULES = ("rows", "half")

EXPOSURE = (
    ("Class", "Description of the environment", "Informative examples where exposure classes may occur"),
    (
        (
            "X0",
            (
                "For concrete without reinforcement or embedded metal: all exposures except where there is "
                "freeze and thaw, abrasion or chemical attack. For concrete with reinforcement or "
                "embedded metal: "
                "very dry"
            ),
            "Concrete inside buildings with very low humidity of the air",
        ),
        ("XC1", "Dry or permanently wet", "Concrete inside buildings with low humidity of the air"),
        ("XC2", "Wet, rarely dry", "Surfaces that are long in contact with water; many foundations"),
        (
            "XC3",
            "Moderate humidity",
            (
                "Concrete inside buildings with moderate or high humidity of the air; "
                "external concrete that is sheltered from rain, and that which stands under roofs and bridges"
            ),
        ),
        ("XD1", "Moderate humidity", "Surfaces that are exposed to airborne chlorides"),
        ("XS3", "Tidal, splash and spray zones", "Parts of marine structures"),
    ),
    (55, 210, 210),
)
RISK = (
    ("Use or occupancy of buildings and structures", "Category"),
    (
        ("Buildings that represent a low risk to human life in the event of failure", "I"),
        ("All buildings and other structures except those listed in the other categories", "II"),
        (
            (
                "Buildings and other structures, the failure of which could pose a substantial risk "
                "to human life. "
                "Those with potential to cause a substantial impact on the economy or disruption of "
                "day to day "
                "civilian life in the event of failure. Those not included in the last category that contain "
                "sufficient quantities of toxic or explosive substances to pose a threat to the public"
            ),
            "III",
        ),
        (
            (
                "Buildings and other structures designated as essential facilities, those required "
                "to maintain "
                "the functionality of others in the category, and those that contain so much of a hazardous "
                "substance that its release would be a threat to the public of a town or city"
            ),
            "IV",
        ),
    ),
    (365, 110),
)
FORMS = {"exposure": EXPOSURE, "risk": RISK}


@pytest.mark.parametrize("rules", RULES)
def test_a_sheet_of_the_head_and_one_tall_row_is_one_of_the_table(rules: str, tmp_path: Path) -> None:
    paper = opened()
    paper.y = 650.0
    paper.table("Table 1 - Exposure classes", EXPOSURE, rules)
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    (table,) = document.tables
    assert [box.page for box in table.boxes] == [1, 2]
    assert rows_read(document)[1:] == list(EXPOSURE[1])
    assert max(cell.row for cell in table.cells if cell.box.page == 1) == 1


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", FORMS)
def test_rows_with_tall_cells_are_rows(name: str, rules: str, tmp_path: Path) -> None:
    paper = opened()
    form = FORMS[name]
    paper.table("Table 1 - Values for the design", form, rules)
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert rows_read(document)[1:] == list(form[1])
    assert labels(document) == ["1", "2", "3"]


@pytest.mark.parametrize("rules", ["rows", "half"])
def test_text_in_two_columns_behind_a_table_is_no_row(rules: str, tmp_path: Path) -> None:
    paper = opened()
    widths = (237.5, 237.5)
    form = (
        ("Members of the structure", "Values for the design"),
        tuple(
            (f"Member {n} and its parts", f"{n},5 kN and more where the part is loaded") for n in range(1, 6)
        ),
        widths,
    )
    paper.table("Table 1 - Values for the design", form, rules)
    top = paper.y
    for x in (LEFT, LEFT + 245):
        paper.y = top
        for _ in range(3):
            paper.prose(TEXT, x, x + 230)
    if rules != "none":
        paper.rule(paper.y, sum(widths))
        paper.y += 12
        paper.prose("Printed by the committee", x1=RIGHT)
    document = paper.read(tmp_path)
    assert rows_read(document)[1:] == list(form[1])
    assert sum(clause.passage.text.count("with the values of the annex") for clause in document.clauses) == 10


def line(*texts: tuple[float, str], y: float = 100.0) -> Row:
    return Row(tuple(word for x, text in texts for word in words(text, x, y)))


def _lines(*lines: tuple[tuple[float, str], ...]) -> list[Row]:
    """Return lines right under one another, of texts of 10 points at their places."""
    return [
        Row(tuple(word for x, text in line for word in words(text, x, 100.0 + 12 * at)))
        for at, line in enumerate(lines)
    ]


ITEMS = (
    ((75, "Buildings with a hazard to people in"), (457, "Low")),
    ((75, "the event of failure, including:"),),
    ((75, "•"), (84, "buildings that hold few people,")),
    ((75, "•"), (84, "minor buildings")),
)
