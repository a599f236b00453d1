"""Labels whose lines stand like one label a row."""

from __future__ import annotations

import pytest

from appliance.core.document import Cell, Label, Table
from appliance.ingest.tables.doubts import cut_labels, doubtful_cells
from tests.factories import box, document


def grid(labels: list[str], spans: dict[int, int]) -> Table:
    """Return a table of labels, a second column with cells from `spans` on over so many rows, and values."""
    cells = [Cell(0, at, name, box(), header=True) for at, name in enumerate(("Material", "Code", "Class"))]
    for row, label in enumerate(labels, 1):
        cells += [Cell(row, 0, label, box())] * bool(label) + [Cell(row, 2, str(row), box())]
    cells += [Cell(row, 1, "EN 300", box(), row_span=length) for row, length in spans.items()]
    return Table(Label(("Table 3.1",)), "", tuple(cells), (), (box(),))


@pytest.mark.parametrize(
    ("labels", "spans", "cut"),
    [
        (["Glued", "laminated", "timber"], {1: 3}, [["Glued", "laminated", "timber"]]),
        (["Particle-", "board", "Plywood"], {1: 2}, [["Particle-", "board"]]),
        (["Solid timber", "Glued", "laminated"], {2: 2}, [["Glued", "laminated"]]),
        (["Glued", "Laminated", "Timber"], {1: 3}, []),  # a label each
        (["Glued", "laminated", "timber"], {}, []),  # nothing beside them is that of all
        (["Glued", "laminated", "timber"], {1: 2}, [["Glued", "laminated"]]),
        (["a) walls", "b) floors"], {1: 2}, []),
        (["Glued", "", "timber"], {1: 3}, []),
        ([], {}, []),
    ],
)
def test_lines_of_one_label_beside_the_cell_of_their_group(
    labels: list[str], spans: dict[int, int], cut: list[list[str]]
) -> None:
    assert [[cell.text for cell in found] for found in cut_labels(grid(labels, spans))] == cut


def test_each_line_is_a_doubt_where_it_stands() -> None:
    made = document(tables=[grid(["Glued", "laminated"], {1: 2})])
    told = [problem for problem in doubtful_cells(made) if "one label over several rows" in problem.message]
    assert [problem.doubt for problem in told] == [True, True]
    assert "Glued / laminated" in told[0].message
