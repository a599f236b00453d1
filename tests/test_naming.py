"""Tables by the names that people give them."""

from __future__ import annotations

import pytest

from appliance.document import Box, Clause, Label, Passage, Table
from appliance.naming import tables_in, tables_named

BOX = Box(12, 0.1, 0.1, 0.9, 0.5)


def _table(label: str, title: str = "", clause: str = "Annex B", *, captioned: bool = True) -> Table:
    return Table(Label((label,)), title, (), (), (BOX,), Label((clause,)), captioned)


def _clause(label: str, parent: str | None = None) -> Clause:
    above = Label((parent,)) if parent else None
    return Clause(Label((label,)), "annex", "", Passage(""), above, 1, (BOX,))


class Shelf:
    """A store of one document."""

    def tables(self, _document: str) -> tuple[Table, ...]:
        return (
            _table("Table 3.1", "Widths of stairs", "3.2"),
            _table("Table in Diagram 3.1", clause="3.4", captioned=False),
            _table("Table on page 12", captioned=False),
            _table("Table on page 10", clause="Requirement P1", captioned=False),
        )

    def contents(self, _document: str) -> tuple[Clause, ...]:
        return (_clause("Annex B"), _clause("Requirement P1"), _clause("3.2"), _clause("3.4"))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Table 3.1", ["Table 3.1"]),
        ("Tabie 3,1", ["Table 3.1"]),
        ("3.1", ["Table 3.1"]),
        ("Diagram 3.1", ["Table in Diagram 3.1"]),
        ("Diagram 3.1 table", ["Table in Diagram 3.1"]),
        ("Table to Diagram 3.1", ["Table in Diagram 3.1"]),
        ("Table in Annex B", ["Table on page 12"]),
        ("Requirement P1 (uncaptioned)", ["Table on page 10"]),
        ("P1 (uncaptioned)", ["Table on page 10"]),
        ("widths of stairs", ["Table 3.1"]),
        ("Table 9.9", []),
        ("", []),
        ("(uncaptioned)", []),
    ],
)
def test_tables_by_name(name: str, found: list[str]) -> None:
    named = tables_named(Shelf(), "D", name)  # type: ignore[arg-type]  # only what it reads
    assert [str(table.label) for table in named] == found


@pytest.mark.parametrize(
    ("figure", "found"),
    [
        (Box(12, 0.0, 0.0, 1.0, 0.9), 4),
        (Box(12, 0.0, 0.4, 1.0, 0.9), 0),  # only the end of them
        (Box(13, 0.0, 0.0, 1.0, 0.9), 0),
    ],
)
def test_tables_of_a_figure(figure: Box, found: int) -> None:
    assert len(tables_in(Shelf().tables(""), (figure,))) == found
