"""Cells of scanned tables that are unlike those beside them: signs, degrees, whole values that were lost."""

from dataclasses import replace

import pytest

from appliance.core.document import Box, Cell, Document, Label, Page, Table, TableNote
from appliance.ingest.tables.doubts import unlike_cells


def document(rows: list[list[str]], *, heads: int = 1, note: str = "", trust: str = "ocr") -> Document:
    cells = tuple(
        Cell(r, c, text, Box(1, c / 10, r / 20, (c + 1) / 10, (r + 1) / 20), header=r < heads)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    )
    notes = (TableNote("", note, Box(1, 0, 0.9, 1, 1)),) if note else ()
    table = Table(Label(("Table 1",)), "", cells, notes, (Box(1, 0, 0, 1, 1),))
    page = Page(1, 600, 800, trust=trust)  # type: ignore[arg-type]
    return Document("d", "", "", "", "unknown", "en", "", "", (page,), tables=(table,))


def told(made: Document) -> list[str]:
    return [problem.message.split(" in Table")[0].strip("“”") for problem in unlike_cells(made)]


LOST_SIGN = [["Angle", "A", "B"], ["x", "+ 0,5", "- 1,3"], ["y", "1,4", "+ 0,6"], ["z", "- 1,4", "+0,7"]]
ANGLES = [["Pitch", "F"], ["-15°", "-1,9"], ["_50", "-1,8"], ["15°", "-1,3"], ["300", "-1,1"], ["45°", "-1"]]
LOST_VALUE = [["Pitch", "G", "H"], *([f"{at}°", "-1,5", "-2"] for at in range(5)), ["45°", "", "-2"]]


@pytest.mark.parametrize(
    ("rows", "doubted"),
    [
        (LOST_SIGN, ["1,4"]),
        ([*LOST_SIGN, ["w", "+0,4", "2,0"]], ["1,4", "2,0"]),
        ([[row[0], row[1].replace("+", "-"), row[2]] for row in LOST_SIGN], []),  # few a "+": nothing is told
        (ANGLES, ["_50", "300"]),
        (LOST_VALUE, ["An empty cell"]),
        ([*LOST_VALUE, ["60°", "", "-1"]], []),  # two are as printed
        ([*LOST_VALUE[:-1], ["Domes", "", ""]], []),  # a heading of rows
        ([["Zone", "F", "G", "H", "1"], ["5°", "1", "2", "3", "4"]], ["1"]),
        ([["Zone", "F", "G"], ["0,25", "⁻¹,²", "-1,4"]], ["⁻¹,²"]),
        ([["Use", "kN"], ["A", "2,0¹⁾²⁾"], ["B", "10"], ["C", "300"]], []),
        ([["No", "1", "2", "3"], ["x", "0,5", "0,6", "0,7"]], []),
    ],
)
def test_what_the_cells_beside_one_tell(rows: list[list[str]], doubted: list[str]) -> None:
    assert told(document(rows)) == doubted


@pytest.mark.parametrize(
    ("mark", "text", "doubted"),
    [
        ("a", "Windswept⁸", ["Windswept⁸"]),
        ("a", "Windsweptᵃ", []),
        ("8", "Windswept⁸", []),
        ("", "Windswept⁸", []),  # the table has no marks: it may be a footnote of the page
        ("a", "per m²", []),
    ],
)
def test_a_raised_sign_is_the_mark_of_a_note(mark: str, text: str, doubted: list[str]) -> None:
    made = document([["Place", "C"], [text, "0,8"]], note="flat sites")
    table = made.tables[0]
    note = replace(table.notes[0], mark=mark)
    assert told(replace(made, tables=(replace(table, notes=(note,)),))) == doubted


def test_digital_pages_are_left_alone() -> None:
    assert told(document(ANGLES, trust="digital")) == []


def test_many_put_the_whole_table_in_doubt() -> None:
    rows = [["Angle", "A"], ["x", "+1"], ["y", "+2"], ["z", "+3"], *([f"r{at}", "1,4"] for at in range(40))]
    found = list(unlike_cells(document(rows)))
    assert len(found) < 40
    assert found[-1].message.startswith("Many cells")
