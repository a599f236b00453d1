"""Symbols in cells of scanned tables that were misread: told with their box, real ones never."""

import pytest

from appliance.core.document import Box, Cell, Document, Label, Page, Table, TableNote
from appliance.ingest.tables.scan_cells import doubtful_symbols


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


def told(made: Document) -> set[str]:
    return {problem.message.split("”")[0][1:] for problem in doubtful_symbols(made)}


@pytest.mark.parametrize(
    ("rows", "doubted"),
    [
        ([["Region", ",/111", "1)/1", "f112"], ["North", "0,7", "0,5", "0,2"]], {",/111", "1)/1", "f112"}),
        ([["Angle", "0,8"], ["1'2", "0,8"], ["f-iJ", "1,6"]], {"1'2", "f-iJ"}),
        ([["Load", "Symbol"], ["staff", "Oca"], ["tools", "Ocb"], ["waste", "Qce"]], {"Oca", "Ocb", "Qce"}),
        ([["Part", "Case B1", "Case B2", "Case 83"], ["x", "1", "2", "3"]], {"Case 83"}),
        ([["Depth", "Value"], ["a", "T6"], ["b", "T7"], ["c", "Tg"]], {"Tg"}),
        ([["Wind", "() = 90", "width"], ["30°", "-0,5", "1"]], {"()"}),
        ([["Angle", "value"], [":0;0.2", "8.5"]], {":0;0.2"}),
        ([["b", "kb"], ["b> 250O", "0,04"], ["720:::; b", "0,055"]], {"250O", "720:::;"}),
        ([["Steel", "13,7·0"], ["Supplies", "1,°1°,87"]], {"13,7·0", "1,°1°,87"}),
        # what is printed so, and is no noise
        ([["Class", "Force"], ["C16", "3,7"], ["GL28h", "4,0"], ["A.1", "2,0"]], set()),
        ([["Zone", "A", "B", "C"], ["h/d", "0,5", "1,0", "2,0"]], set()),
        ([["Use", "OSB"], ["Offices", "Or less"], ["On roofs", "1st floor"]], set()),
    ],
)
def test_symbols_that_none_is_printed_like(rows: list[list[str]], doubted: set[str]) -> None:
    assert told(document(rows)) == doubted


def test_a_note_may_hold_one() -> None:
    made = document([["a", "1"]], note="Values for T6, T7, T81 and Tg may be specified.")
    assert [problem.box for problem in doubtful_symbols(made)] == [Box(1, 0, 0.9, 1, 1)]


def test_digital_pages_and_known_doubts_are_left_alone() -> None:
    rows = [["Angle", "0,8"], ["1'2", "0,8"]]
    assert told(document(rows, trust="digital")) == set()
    made = document(rows)
    assert list(doubtful_symbols(made, tuple(doubtful_symbols(made)))) == []


def test_many_put_the_whole_table_in_doubt() -> None:
    made = document([["a", "b"], *([",/111", "f112"] for _ in range(18))])
    found = list(doubtful_symbols(made))
    assert found[-1].box == Box(1, 0, 0, 1, 1)
