"""One PDF to one Document, and failures that cost no more than they must."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from appliance.core.document import Box, Document, Table
from appliance.core.settings import IngestSettings
from appliance.ingest import pipeline
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import Found, PageContent, PageLayout, Picture, Source, Stroke
from appliance.ingest.pdf.reader import UnreadablePdf
from appliance.ingest.pipeline import _page_problems, read_document
from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.schemes import Scheme, load_schemes
from appliance.ingest.tables.finder import find_tables
from tests.ingest.made import MUPDF, Print, column, write

LIMITS = IngestSettings()
CODE = [
    column("EN 1999-9:2030", "# 1 General", "# 1.1 Scope", "(1)P Snow shall be considered, see 1.2(1)."),
    column(
        "EN 1999-9:2030",
        "# 1.2 Loads",
        "(1) The load on a roof is 2.0 kN on each square metre of it in any season, and 1.1(1) stands.",
    ),
]


def _document(folder: Path, pages: Sequence[list[Print]] = CODE) -> Document:
    return read_document(write(folder / "a.pdf", pages), "a", LIMITS, load_schemes())


def test_a_document_holds_all_that_was_read(tmp_path: Path) -> None:
    document = _document(tmp_path)
    assert (document.id, document.family, document.designation) == ("a", "eurocode", "EN 1999-9:2030")
    assert {"1", "1.1", "1.1(1)", "1.2", "1.2(1)"} <= {str(clause.label) for clause in document.clauses}
    assert {(str(r.source), str(r.target)) for r in document.references} == {
        ("1.1(1)", "1.2(1)"),
        ("1.2(1)", "1.1(1)"),
    }
    assert document.chunks
    assert document.problems == ()
    assert len(document.sha256) == 64


def test_the_same_file_reads_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pdf", CODE)
    assert read_document(path, "a", LIMITS, load_schemes()) == read_document(
        path, "a", LIMITS, load_schemes()
    )


def test_a_page_without_text_is_named(tmp_path: Path) -> None:
    document = _document(tmp_path, [*CODE, []])
    assert [(problem.page, problem.message) for problem in document.problems] == [
        (3, "Page 3 has no text; nothing is printed on it.")
    ]
    assert document.pages[2].trust == "none"


def test_a_page_that_is_drawn_and_has_no_text_is_boxed_where_it_is_drawn() -> None:
    stroke = Stroke(59.5, 84.2, 297.5, 421.0, "rect")
    page = PageContent(1, 595.0, 842.0, "", (), (stroke,), (Picture(119, 421, 476, 758),), "none")
    (problem,) = _page_problems(Source("", "", (page,), ()))
    assert (problem.message, problem.box) == (
        "Page 1 has no text; only a picture.", Box(1, 0.1, 0.1, 0.8, 0.90024),
    )  # fmt: skip


def test_signs_without_a_meaning_stay_visible_and_are_boxed(tmp_path: Path) -> None:
    written = write(tmp_path / "plain.pdf", [*CODE, [Print(70, 200, "Permeability # 5.0 or # 7.0")]])
    pdf = MUPDF.open(written)
    pdf.xref_set_key(pdf[2].get_fonts()[0][0], "Encoding", "<</Differences[35/H99999]>>")
    pdf.save(tmp_path / "a.pdf")
    document = read_document(tmp_path / "a.pdf", "a", LIMITS, load_schemes())
    assert any("Permeability \ufffd 5.0" in clause.passage.text for clause in document.clauses)
    (problem,) = document.problems
    assert problem.message == (
        "2 signs of page 3 have no known meaning and read as \ufffd. The first is boxed."
    )
    assert problem.box is not None
    assert (problem.page, problem.box.page) == (3, 3)
    assert problem.box.y0 < 200 / 842 < problem.box.y1


@pytest.mark.parametrize(
    ("step", "word"),
    [
        ("find_tables", "tables"),
        ("find_figures", "figures"),
        ("find_formulas", "formulas"),
        ("build_clauses", "clauses"),
        ("find_terms", "definitions"),
        ("find_references", "references"),
        ("make_chunks", "parts to search"),
        ("choose", "family of codes"),
        ("doubtful_formulas", "doubtful formulas"),
        ("merged_cell_problems", "merged cells"),
    ],
)
def test_a_step_that_fails_is_a_problem(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    step: str,
    word: str,
) -> None:
    def broken(*_: object, **__: object) -> None:
        message = "of all things"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(pipeline, step, broken)
    with caplog.at_level("WARNING"):
        document = _document(tmp_path)
    assert any(record.exc_info and "of all things" in str(record.exc_info[1]) for record in caplog.records)
    assert any(word in p.message for p in document.problems)
    assert not any("of all things" in p.message for p in document.problems)
    assert len(document.pages) == 2
    assert bool(document.clauses) is (step != "build_clauses") or step == "choose"


def test_a_page_that_fails_costs_that_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def broken(layouts: Sequence[PageLayout], scheme: Scheme) -> Found[Table]:
        if any(page.content.number == 2 for page in layouts):
            message = "no such row"
            raise LookupError(message)
        return find_tables(layouts, scheme)

    monkeypatch.setattr(pipeline, "find_tables", broken)
    problems = _document(tmp_path).problems
    assert [(problem.page, problem.message) for problem in problems] == [
        (2, "The tables of page 2 could not be read.")
    ]


def test_a_file_that_is_no_pdf_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_text("no PDF", encoding="utf-8")
    with pytest.raises(UnreadablePdf):
        read_document(path, "a", LIMITS, load_schemes())


def test_the_demo_codes_are_read_whole(demo_pdfs: Path) -> None:
    for name, clause, status in (
        ("DC-1-3", "5.3.2(1)", "in force"),
        ("DC-1-3-2011", "Annex 1(1)", "withdrawn"),
    ):
        document = read_document(demo_pdfs / f"{name}.pdf", name, LIMITS, load_schemes())
        assert clause in {str(c.label) for c in document.clauses}
        assert document.status == status
        assert document.problems == ()


def test_a_lone_dash_is_a_value_so_that_close_rows_of_a_table_stay_apart(demo_pdfs: Path) -> None:
    document = read_document(demo_pdfs / "DC-1-1.pdf", "DC-1-1", LIMITS, load_schemes())
    table = next(t for t in document.tables if t.label.key == "Table A.2")
    row = next(cell.row for cell in table.cells if cell.text == "paper in rolls")
    assert [cell.text for cell in table.cells if cell.row == row] == ["paper in rolls", "15.0", "–"]
    assert document.problems == ()


def test_a_page_on_which_the_clauses_fail_costs_that_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = build_clauses

    def broken(layouts: Sequence[PageLayout], *others: Any, **named: Any) -> Any:
        if any("bad page" in line.text for page in layouts for line in page.lines):
            message = "no such level"
            raise LookupError(message)
        return whole(layouts, *others, **named)

    monkeypatch.setattr(pipeline, "build_clauses", broken)
    bad = column("a bad page")
    document = _document(tmp_path, [CODE[0], bad, CODE[1], bad])
    assert {"1.1(1)", "1.2(1)"} <= {str(clause.label) for clause in document.clauses}
    lost = [p.page for p in document.problems if "clauses" in p.message]
    assert lost == [2, 4]


def test_a_page_whose_words_cannot_be_arranged_costs_that_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = arrange

    def broken(source: Source) -> Any:
        if any(word.text == "bad" for page in source.pages for word in page.words):
            raise ZeroDivisionError
        return whole(source)

    monkeypatch.setattr(pipeline, "arrange", broken)
    document = _document(tmp_path, [CODE[0], column("a bad page"), CODE[1]])
    assert {"1.1(1)", "1.2(1)"} <= {str(clause.label) for clause in document.clauses}
    assert [p.page for p in document.problems if "lines" in p.message] == [2]
