"""Tables by the names that people give them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from appliance.core.document import Box, Clause, Figure, Label, Passage, Table
from appliance.retrieval.typed_labels import tables_in, tables_named, unknown_place
from tests import factories as make

if TYPE_CHECKING:
    from appliance.store.read import Store

BOX = Box(12, 0.1, 0.1, 0.9, 0.5)


def _table(label: str, title: str = "", clause: str = "Annex B", *, captioned: bool = True) -> Table:
    return Table(Label((label,)), title, (), (), (BOX,), Label((clause,)), captioned)


def _clause(label: str, parent: str | None = None, title: str = "") -> Clause:
    above = Label((parent,)) if parent else None
    return Clause(Label((label,)), "annex", title, Passage(""), above, 1, (BOX,))


class Shelf:
    """A store of one document."""

    def tables(self, _document: str) -> tuple[Table, ...]:
        return (
            _table("Table 3.1", "Widths of stairs", "3.2"),
            _table("Table 3.2", "C.5.(b)", "3.2"),
            _table("Table in Diagram 3.1", clause="3.4", captioned=False),
            _table("Table on page 12", captioned=False),
            _table("Table on page 10", clause="Requirement P1", captioned=False),
        )

    def contents(self, _document: str) -> tuple[Clause, ...]:
        titled = (
            _clause("Annex B", title="Introduction"),
            _clause("Requirement P1", title="Survey metadata"),
        )
        return (*titled, _clause("3.2"), _clause("3.4"))


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
        ("Section 3.4", ["Table in Diagram 3.1"]),
        ("section 3.4 (uncaptioned)", ["Table in Diagram 3.1"]),
        ("Table 3.2 C.5.(b)", ["Table 3.2"]),  # a title that is one number with the label
        ("Introduction", ["Table on page 12"]),
        ("introduction and scope", []),  # one word is a whole title or none
        ("Metadata of a survey", ["Table on page 10"]),
        ("widths of stairs", ["Table 3.1"]),
        ("Tabel 3.1", ["Table 3.1"]),
        ("tbale 3.1", ["Table 3.1"]),
        ("Clause 3.1", []),
        ("Tabel 9.9", []),
        ("Table 9.9", []),
        ("", []),
        ("(uncaptioned)", []),
    ],
)
def test_tables_by_name(name: str, found: list[str]) -> None:
    named = tables_named(Shelf(), "D", name)  # type: ignore[arg-type]  # only what it reads
    assert [str(table.label) for table in named] == found


class Parted(Shelf):
    """A store whose first table has further parts under its caption."""

    def tables(self, _document: str) -> tuple[Table, ...]:
        parts = ("Table 3.1", "Table 3.1 (2)", "Table 3.1 (3)", "Table 3.1 (x)", "Table 3.10")
        return (*(_table(label) for label in parts), _table("Table 3.1 (4)", captioned=False))


@pytest.mark.parametrize("name", ["Table 3.1", "Tabie 3,1", "3.1"])
def test_the_parts_of_a_table_under_one_caption_come_with_it(name: str) -> None:
    named = tables_named(Parted(), "D", name)  # type: ignore[arg-type]  # only what it reads
    assert [str(table.label) for table in named] == ["Table 3.1", *(f"Table 3.1 ({n})" for n in (2, 3, 4))]


@pytest.mark.parametrize("name", ["Table 3.1 (1)", "Tabie 3,1 (1)"])
def test_the_first_part_of_a_table_bears_its_bare_name(name: str) -> None:
    named = tables_named(Parted(), "D", name)  # type: ignore[arg-type]  # only what it reads
    assert [str(table.label) for table in named] == ["Table 3.1"]


@pytest.mark.parametrize(
    ("figure", "found"),
    [
        (Box(12, 0.0, 0.0, 1.0, 0.9), 5),
        (Box(12, 0.0, 0.4, 1.0, 0.9), 0),  # only the end of them
        (Box(13, 0.0, 0.0, 1.0, 0.9), 0),
    ],
)
def test_tables_of_a_figure(figure: Box, found: int) -> None:
    assert len(tables_in(Shelf().tables(""), (figure,))) == found


class Code(Shelf):
    """A code with paragraphs, a table in one of its clauses, and a title without a number."""

    def tables(self, _document: str) -> tuple[Table, ...]:
        return (_table("Table 7.2", "Coefficients of flat roofs 7.2 3 1", "7.2.3"),)

    def table(self, _document: str, label: str) -> Table | None:
        return next((one for one in self.tables("") if one.label.key == label), None)

    def clause(self, _document: str, label: str) -> Clause | None:
        return next((one for one in self.contents("") if one.label.key == label), None)

    def figure(self, _document: str, _label: str) -> None:
        return None

    def figures(self, _document: str) -> tuple[Figure, ...]:
        return tuple(make.figure(f"Figure {number}") for number in ("7.1", "7.4", "A.1"))

    def contents(self, _document: str) -> tuple[Clause, ...]:
        inside = (_clause(f"7.2.3({n})", "7.2.3") for n in (3, 4, 5))
        title = replace(_clause("7.2.3 and all that is in it", "7.2.3"), kind="heading")
        return (_clause("7.2.3"), title, *inside)


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("7.2.3(1)", "no clause, table or figure 7.2.3(1). Nearest: 7.2.3, 7.2.3(3), 7.2.3(4)."),
        ("7.2.3(5)a", "no clause, table or figure 7.2.3(5)a. Nearest: 7.2.3(5)."),
        ("7.2.3(2)P", "Nearest: 7.2.3, 7.2.3(3), 7.2.3(4)."),
        ("Figure 7.3", "no clause, table or figure Figure 7.3. Nearest: Figure 7.4, Figure 7.1."),
        ("Table 9.9", "Nearest: Table 7.2."),
        ("Formula 9", "no clause, table or figure Formula 9."),
        ("nonsense", "no clause, table or figure nonsense."),
        ("9.1(2)", "no clause, table or figure 9.1(2)."),
        ("", "no clause, table or figure ."),
        ("Table 7.2", "is a table"),
        ("Table 7.2 (continued)", "is a table"),
    ],
)
def test_a_label_that_nothing_bears_is_not_answered_from_another_place(label: str, says: str) -> None:
    assert str(unknown_place(cast("Store", Code()), "D", label)).find(says) >= 0


@pytest.mark.parametrize(
    ("label", "found"), [("7.2.3(1)", 0), ("7.2.3", 1), ("Table 7.2(1)", 0), ("Table 7.2 (remark)", 1)]
)
def test_the_number_of_a_paragraph_is_no_remark(label: str, found: int) -> None:
    assert len(tables_named(cast("Store", Code()), "D", label)) == found
