"""The facade: which table a name means, and that failures leave nothing open and nothing unsaid."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from appliance import library as facade
from appliance.contract.documents import cells_json
from appliance.core.document import Problem
from appliance.core.errors import AmbiguousLabel, ModelMismatch, UnknownDocument, UnknownPlace
from appliance.core.evidence import Failed
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.store.read import Store
from tests.factories import clause, document, figure, formula, table
from tests.store.libraries import chunked, opened, write

PIPES = [["Appliance", "Depth of seal"], ["Washbasin", "75 mm"], ["Bath", "50 mm"]]
ROOFS = [["Roof", "Share drained"], ["Flat roof", "100 %"], ["Bath", "70 mm"]]
LOOSE = [["Rating", "Flow"], ["High", "9 l/s"]]
CODE = chunked(
    document(
        clauses=(
            clause("H1/1.1", "Seals"),
            clause("H3/1.1", "Roofs"),
            clause("Appendix D", title="Flows", kind="annex"),
            clause("D1", "Ratings", parent="Appendix D"),
            clause("13.1", "Other"),
        ),
        tables=(
            table("H1/Table 1", PIPES, clause="H1/1.1"),
            table("H3/Table 1", ROOFS, clause="H3/1.1"),
            table("Table 2", LOOSE, clause="13.1"),
            replace(table("Table in Diagram 3.1", PIPES, clause="13.1"), captioned=False),
            replace(table("Table in Diagram 13.1", ROOFS, clause="13.1"), captioned=False),
            replace(table("Table on page 64", LOOSE, clause="D1"), captioned=False),
        ),
        figures=(figure("Figure 9"),),
        name="AB",
    )
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with opened(tmp_path_factory.mktemp("named") / "a", CODE, vectors=False) as store:
        yield Library(store, None, None, Settings())


@pytest.mark.parametrize(
    ("label", "row", "key", "value"),
    [
        ("Table 1", "washbasin", "H1/Table 1", "75 mm"),
        ("Table 1", "flat roof", "H3/Table 1", "100 %"),
        ("table 1.", "flat roof", "H3/Table 1", "100 %"),
        ("H1/Table 1", "bath", "H1/Table 1", "50 mm"),
        ("H3/Table 1", "bath", "H3/Table 1", "70 mm"),
        ("Diagram 3.1", "bath", "Table in Diagram 3.1", "50 mm"),
        ("Diagram 13.1", "bath", "Table in Diagram 13.1", "70 mm"),
        ("Appendix D", "high", "Table on page 64", "9 l/s"),
        ("Table 2", "high", "Table 2", "9 l/s"),
    ],
)
def test_the_table_that_answers_is_found_by_its_printed_name(
    library: Library, label: str, row: str, key: str, value: str
) -> None:
    found = cells_json(library.table_lookup("AB", label, row, ""))
    assert (found["key"], found["values"], found["exact"], found["rivals"]) == (key, [value], True, [])


def test_tables_of_one_name_that_answer_differently_are_both_told(library: Library) -> None:
    found = cells_json(library.table_lookup("AB", "Table 1", "bath", ""))
    assert {found["key"], *found["rivals"]} == {"H1/Table 1", "H3/Table 1"}
    assert not found["exact"]


def test_a_label_of_several_tables_is_refused_with_their_keys(library: Library) -> None:
    both = r"2 places called Table 1\. .*H1 Table 1 \(page 1.*; H3 Table 1"
    with pytest.raises(AmbiguousLabel, match=both):
        library.table("AB", "Table 1")
    with pytest.raises(AmbiguousLabel, match=both):
        library.table_lookup("AB", "Table 1", "", " ")
    assert library.table("AB", "H3/Table 1").label.key == "H3/Table 1"
    assert library.table("AB", "Appendix D").label.key == "Table on page 64"


@pytest.mark.parametrize("label", ["Table 9", "", "3.1", "Diagram 1", "Table", "H9/Table 1"])
def test_no_table_is_made_up_for_a_name(library: Library, label: str) -> None:
    with pytest.raises(UnknownPlace):
        library.table_lookup("AB", label, "bath", "")


@pytest.mark.parametrize(
    ("asked", "label", "says"),
    [
        ("clause", "Table 2", 'Table 2 of AB is a table. See it with: appliance table AB "Table 2"'),
        ("figure", "Table 1", 'See it with: appliance table AB "Table 1"'),
        ("clause", "Figure 9", 'Figure 9 of AB is a figure. See it with: appliance figure AB "Figure 9"'),
        ("table", "Figure 9", 'appliance figure AB "Figure 9"'),
        ("table", "H1/1.1", 'appliance clause AB "H1/1.1"'),
        ("figure", "Figure 1", "AB has no clause, table or figure Figure 1. Nearest: Figure 9."),
    ],
)
def test_what_is_of_another_kind_is_told_with_the_command_that_shows_it(
    library: Library, asked: str, label: str, says: str
) -> None:
    with pytest.raises(UnknownPlace) as raised:
        getattr(library, asked)("AB", label)
    assert str(raised.value).endswith(says)


def test_a_caption_without_a_drawing_is_said_to_be_one(tmp_path: Path) -> None:
    alone, drawn = figure("Figure 1"), figure("Figure 2", top=0.2)
    amiss = Problem("No drawing was found for Figure 1.", 1, alone.boxes[0])
    told = replace(document(figures=(alone, drawn), name="AB"), problems=(amiss, Problem("Else.", 1)))
    with opened(tmp_path / "a", chunked(told), vectors=False) as store:
        one = Library(store, None, None, Settings())
        assert one.picture_problems("AB", "Figure 1") == (amiss,)
        assert one.picture_problems("AB", "Figure 2") == ()


def test_an_unknown_document_is_told(library: Library) -> None:
    with pytest.raises(UnknownDocument):
        library.table_lookup("none", "Table 1", "bath", "")


def test_a_library_that_cannot_be_searched_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, closed = write(tmp_path / "a", CODE), []

    class Watched(Store):
        def close(self) -> None:
            closed.append(self.path)
            super().close()

    monkeypatch.setattr(facade, "Store", Watched)
    with pytest.raises(ModelMismatch):
        Library.open(path)
    assert closed == [path]


def test_an_answer_that_fails_says_so_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        message = "no such row"
        raise LookupError(message)

    monkeypatch.setattr(facade, "compose", broken)
    with (
        caplog.at_level(logging.ERROR),
        Store(write(tmp_path / "a", CODE, vectors=False)) as store,
    ):
        answer = Library(store, None, None, Settings()).ask("depth of seal of a bath")
    assert isinstance(answer, Failed)
    assert "no such row" not in answer.message
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is LookupError


@pytest.mark.parametrize("asked", ["(5.1)", "5.1", "formula (5.1)", "Expression 5.1", " Eq. (5.1) "])
def test_a_formula_is_opened_by_its_number(tmp_path: Path, asked: str) -> None:
    held = replace(
        document(figures=(figure("Figure 5.1"),), name="AB"),
        formulas=(formula("(5.1)", "s = ]"),),
        problems=(Problem("Read with doubt.", 1, formula("(5.1)", "").boxes[0], doubt=True),),
    )
    with opened(tmp_path / "a", chunked(held), vectors=False) as store:
        one = Library(store, None, None, Settings())
        found = one.drawn("AB", asked)
        assert str(found.label) == "(5.1)"
        assert [problem.message for problem in one.doubts("AB", found.boxes)] == ["Read with doubt."]
        assert str(one.drawn("AB", "Figure 5.1").label) == "Figure 5.1"
        with pytest.raises(UnknownPlace):
            one.drawn("AB", "Figure 5.2")
        with pytest.raises(UnknownPlace):
            one.drawn("AB", "()")
