"""What a specification cites, each citation with the status that a person gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from appliance.citing.check import review
from appliance.citing.reading import read_text, read_upload
from appliance.citing.shelf import Shelf
from appliance.citing.values import Checked, Report, report_json
from appliance.core.document import DocumentStatus
from appliance.core.settings import CitingSettings
from appliance.library import Library
from appliance.store.records import DocumentInfo
from tests.citing.test_reading import docx, pdf, run

SPECIFICATION = Path(__file__).with_name("specification.md")
LIMITS = CitingSettings()

# line, citation as printed, number where the text names several, status, place that proves it
EXPECTED = [
    (8, "DC 0:2024", "", "found", "DC-0"),
    (8, "Annex A", "Annex A", "found", "DC-0 Annex A"),
    (9, "DC 0:2024, 6.4.3.2", "6.4.3.2", "found", "DC-0 6.4.3.2"),
    (9, "Table A.1", "Table A.1", "found", "DC-0 Table A.1"),
    (11, "DC 1-1:2024", "", "found", "DC-1-1"),
    (11, "Table A.1", "Table A.1", "found", "DC-1-1 Table A.1"),
    (12, "Table 6.2", "Table 6.2", "found", "DC-1-1 Table 6.2"),
    (12, "clause 6.3.1 of DC 1-1:2024", "6.3.1", "found", "DC-1-1 6.3.1"),
    (16, "DC 1-3:2024, 5.2(3)", "5.2(3)", "found", "DC-1-3 5.2(3)"),
    (16, "Tables 5.1 and 5.2", "Table 5.1", "found", "DC-1-3 Table 5.1"),
    (16, "Tables 5.1 and 5.2", "Table 5.2", "found", "DC-1-3 Table 5.2"),
    (16, "Figure 5.1", "Figure 5.1", "found", "DC-1-3 Figure 5.1"),
    (17, "NA to DC 1-3:2024", "", "found", "DC-1-3-NA"),
    (17, "Table NA.1", "Table NA.1", "found", "DC-1-3-NA Table NA.1"),
    (19, "DC 1-3:2011, Table 1", "Table 1", "withdrawn", "DC-1-3-2011 Table 1"),
    (19, "DC 1-3:2011", "", "withdrawn", "DC-1-3-2011"),
    (21, "DC 1-3:2005", "", "wrong edition", "DC-1-3"),
    (21, "DC 1-3:2024, Annex Q", "Annex Q", "no such place", "DC-1-3"),
    (21, "Table 7.7", "Table 7.7", "no such place", "DC-1-3"),
    (23, "DC 1-1:2024", "", "wrong title", "DC-1-1"),
    (27, "DC 1-4, Table 4.1", "Table 4.1", "not in the library", ""),
    (27, "BS EN 1993-1-1:2005+A1:2014, clause 6.3", "6.3", "not in the library", ""),
    (41, "Table B.1", "Table B.1", "ambiguous", ""),
    (41, "Figure 6.1", "Figure 6.1", "ambiguous", ""),
]


@pytest.fixture(scope="module")
def shelf(demo: Library) -> Shelf:
    listed = demo.overview()
    return Shelf(listed.documents, listed.version, demo.document)


def checked(text: str, shelf: Shelf) -> tuple[Checked, ...]:
    return review(read_text("", text, LIMITS), shelf, LIMITS).checked


def place(one: Checked) -> str:
    return f"{one.proof.document} {one.proof.label or ''}".strip() if one.proof else ""


def test_every_citation_of_the_specification_has_its_status(shelf: Shelf) -> None:
    text = read_upload(SPECIFICATION.name, SPECIFICATION.read_bytes(), LIMITS)
    report = review(text, shelf, LIMITS)
    found = [(one.where, one.cited.text, one.cited.number, one.status, place(one)) for one in report.checked]
    assert found == EXPECTED
    assert sum(report.counts.values()) == len(EXPECTED)


def test_every_page_that_proves_shows_the_place(shelf: Shelf, demo: Library) -> None:
    report = review(read_upload("s", SPECIFICATION.read_bytes(), LIMITS), shelf, LIMITS)
    for one in report.checked:
        if one.proof and one.proof.label and one.proof.kind == "table":
            table = demo.table(one.proof.document, one.proof.label.key)
            assert (one.proof.page, one.proof.title) == (table.boxes[0].page, table.title)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Loads of 5.2 kN/m and 3.5 m, 25 mm.", []),
        ("", []),
        ("See 1.1 and clause 1.1.\n\n1.1 Our own clause", []),  # of the specification itself
        ("Use DC-1-3, Table 5.2.", [("found", "DC-1-3 Table 5.2")]),  # by its id
        ("DC 1-3, Table 5.2", [("found", "DC-1-3 Table 5.2")]),  # undated: the edition in force
        ("DC 1–3:2024 , table 5.2", [("found", "DC-1-3 Table 5.2")]),  # as typed with a dash
        ("DC 1-3:2005, Table 5.2", [("wrong edition", "DC-1-3 Table 5.2")]),
        ("DC 1-3:2011, Table 5.2", [("no such place", "DC-1-3-2011")]),
        ("DC 1-3:2024, 5.2(97)", [("found", "DC-1-3 5.2")]),  # the clause that would hold it, and it is said
        (
            "DC 1-3:2024 is used.\n\nTake Table 5.2.",
            [("found", "DC-1-3"), ("found", "DC-1-3 Table 5.2")],
        ),
        (
            "DC 1-3:2024 is used.\n\nTake Table 6.6.",  # of DC 1-1, not of the one named before
            [("found", "DC-1-3"), ("ambiguous", "DC-1-1 Table 6.6")],
        ),
        ("Take Table 99.9.", [("ambiguous", "")]),
        (
            "DC 1-3:2024, Table 5.2; shapes to 5.3.2 and 5.2(3), not 12.11.2024, 9.9.9.",  # numbers alone
            [
                ("found", "DC-1-3 Table 5.2"),
                ("found", "DC-1-3 5.3.2"),
                ("found", "DC-1-3 5.2(3)"),
                ("ambiguous", ""),
            ],
        ),
        (
            "DC 1-3:2024, Table 5.77, 5.2(3) and Figure 5.1",  # one status for each
            [("no such place", "DC-1-3"), ("found", "DC-1-3 5.2(3)"), ("found", "DC-1-3 Figure 5.1")],
        ),
        (
            "DC 1-3 clause 5.2, NA.2.7 and Table NA.1",  # of its national annex
            [("found", "DC-1-3 5.2"), ("found", "DC-1-3-NA NA.2.7"), ("found", "DC-1-3-NA Table NA.1")],
        ),
        ("National Annex NA.2.3 of DC 1-3:2024", [("found", "DC-1-3-NA NA.2.3")]),
        ("DC 1-3, NA.99", [("no such place", "DC-1-3-NA")]),
        ("DC 1-1, NA.2.1", [("not in the library", "")]),  # its annex is not loaded
        ("EN 1991-1-3, NA.2.5", [("not in the library", "")]),
        ("Release 2.1.3 of the drawings.", []),
        ("SCI P354 Table 2", [("not in the library", "")]),  # not Table 2 of what is loaded
        ("DC 1-3:2024, which gives Snow Loads in General, applies.", [("found", "DC-1-3")]),
    ],
)
def test_hard_cases(text: str, expected: list[tuple[str, str]], shelf: Shelf) -> None:
    found = checked(text, shelf) if text else ()
    assert [(one.status, place(one)) for one in found] == expected


def test_what_is_assumed_and_what_is_not_quite_there_is_said(shelf: Shelf) -> None:
    _, assumed = checked("DC 1-3:2024 is used.\n\nTake Table 5.2.", shelf)
    assert "named before" in assumed.reasons[0]
    (within,) = checked("DC 1-3:2024, 5.2(97)", shelf)
    assert within.reasons == ("the place that holds 5.2(97)",)


@pytest.mark.parametrize("status", ["superseded", "withdrawn"])
def test_an_edition_out_of_force_without_another_is_said(demo: Library, status: DocumentStatus) -> None:
    listed = demo.overview()
    one_out = tuple(replace(info, status=status) for info in listed.documents if info.id == "DC-1-1")
    shelf = Shelf(one_out, listed.version, demo.document)
    (one,) = checked("DC 1-1:2024, Table A.1", shelf)
    assert one.status == status
    assert one.reasons == (f"DC 1-1:2024 is {status}",)


def test_the_report_says_where_it_ends(shelf: Shelf) -> None:
    text = read_text("", "DC 1-3:2024. " * 20, LIMITS)
    report: Report = review(text, shelf, replace(LIMITS, citations=5))
    assert len(report.checked) == 5
    assert report.problems == ("Only the first 5 citations were checked.",)


def test_a_long_paragraph_is_shown_around_its_citation(shelf: Shelf) -> None:
    (one,) = checked(f"{'before ' * 100}DC 1-1:2024{' after' * 100}", shelf)
    before, text, after = one.context
    assert text == "DC 1-1:2024"
    assert before.startswith("… before")
    assert after.endswith("after …")
    assert len(before) + len(after) < 200


def test_the_json_of_a_report(shelf: Shelf) -> None:
    told = report_json(review(read_text("s.md", "DC 1-3:2011, Table 1", LIMITS), shelf, LIMITS))
    assert told["counts"] == {"withdrawn": 1}
    (citation,) = told["citations"]
    assert citation["line"] == 1
    assert citation["proof"] == {
        "document": "DC-1-3-2011", "designation": "DC 1-3:2011", "label": "Table 1", "key": "Table 1",
        "kind": "table", "title": citation["proof"]["title"], "page": 5,
    }  # fmt: skip


class Walked(tuple[DocumentInfo, ...]):
    """Documents that count how often they are gone through."""

    __slots__ = ()
    times: ClassVar[int] = 0

    def __iter__(self) -> Iterator[DocumentInfo]:
        """Go through them."""
        Walked.times += 1
        return super().__iter__()


def test_the_names_of_the_documents_are_not_gone_through_for_each_citation(demo: Library) -> None:
    listed = demo.overview()
    shelf = Shelf(Walked(listed.documents), listed.version, demo.document)
    times = []
    for many in (1, 40):
        Walked.times = 0
        assert len(checked("\n\n".join(["See DC 0:2024."] * many), shelf)) == many
        times.append(Walked.times)
    assert times[0] == times[1]


def test_a_check_that_takes_too_long_says_where_it_stopped(shelf: Shelf) -> None:
    report = review(read_text("", "x\n\nSee DC 1-3:2024.", LIMITS), shelf, replace(LIMITS, seconds=-1.0))
    assert report.checked == ()
    assert report.problems == (
        "Checking was stopped after -1 seconds at line 1: the rest was not checked. Send it in parts.",
    )


@pytest.fixture(scope="module")
def european(demo: Library) -> Shelf:
    """Return the demo as if two of its documents were Parts of a Eurocode, one undated by its name."""
    listed = demo.overview()
    named = {"DC-1-1": "EN 1991-1-1", "DC-1-3": "EN 1991-1-3:2024"}
    infos = tuple(replace(one, designation=named[one.id]) for one in listed.documents if one.id in named)
    return Shelf(infos, listed.version, demo.document)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SS-EN 1991-1-3 tab. 5.1", [("found", "DC-1-3 Table 5.1")]),
        ("ÖNORM EN 1991-1-3, cl. 5.2; DS/EN 1991-1-3", [("found", "DC-1-3 5.2"), ("found", "DC-1-3")]),
        ("NS-EN 1991-1-3:2024+NA:2025 Table 5.1", [("found", "DC-1-3 Table 5.1")]),
        ("DIN EN 1991-1-3/NA Table 5.1", [("not in the library", "")]),
        (
            "EC1 part 1-3 clause 5.2; EC1-1-3 Figure 5.1",
            [("found", "DC-1-3 5.2"), ("found", "DC-1-3 Figure 5.1")],
        ),
        ("Loads to EC1", [("ambiguous", "")]),
        ("EC1 Table 5.1", [("ambiguous", "DC-1-3 Table 5.1")]),
        ("EC1 Table 99.9; EC3", [("ambiguous", ""), ("not in the library", "")]),
        ("EN 1991-1-3.\n\nGB 50009-2012 Table 5.1", [("found", "DC-1-3"), *[("not in the library", "")] * 2]),
    ],
)
def test_names_of_other_countries_and_series(
    text: str, expected: list[tuple[str, str]], european: Shelf
) -> None:
    assert [(one.status, place(one)) for one in checked(text, european)] == expected


def test_a_wrong_edition_names_that_of_the_library(european: Shelf) -> None:
    (one,) = checked("EN 1991-1-1:2002", european)
    assert one.status == "wrong edition"
    assert re.fullmatch(r"edition 2002 is cited; loaded: EN 1991-1-1 \(20\d\d\)", one.reasons[0])


def test_what_looks_like_a_standard_is_told_with_its_line(shelf: Shelf) -> None:
    report = review(read_text("", "First.\nTo XYZ 123.\nAnd ABC 7.", LIMITS), shelf, LIMITS)
    (told,) = report.problems
    assert told.endswith("were not checked: XYZ 123 (line 2), ABC 7 (line 3).")


SENT = ["Beams to DC 1-3:2024 cl. 5.2.", "", "Wind to XYZ 123, Table 5.1."]


@pytest.mark.parametrize("kind", ["pdf", "docx", "text"])
def test_every_kind_of_file_is_reviewed_alike(kind: str, shelf: Shelf) -> None:
    body = "".join(f"<w:p>{run(line)}</w:p>" for line in SENT)
    data = {
        "pdf": lambda: pdf(SENT[0], SENT[2]),
        "docx": lambda: docx(body),
        "text": lambda: "\n".join(SENT).encode(),
    }
    found = review(read_upload("s", data[kind](), LIMITS), shelf, LIMITS).checked
    assert [(one.status, place(one)) for one in found] == [
        ("found", "DC-1-3 5.2"),
        ("not in the library", ""),
        ("not in the library", ""),
    ]
    assert [one.where for one in found] == [1, 3, 3] if kind == "text" else [1, 2, 2]


EDITION = "2010 edition incorporating 2010, 2013 and 2022 amendments"


@pytest.mark.parametrize(
    ("edition", "text", "statuses"),
    [
        (EDITION, "to XD 1:2010 incorporating 2010 and 2013 amendments, clause 5.2", ["wrong edition"] * 2),
        (EDITION, "to XD 1:2010 incorporating 2010, 2013 and 2022 amendments", ["found"]),
        (EDITION, "to XD 1:2010", ["wrong edition"]),
        (EDITION, "to XD 1", ["found"]),  # undated: as it is amended
        ("2010 edition", "to XD 1:2010", ["found"]),
        ("2010 edition", "to XD 1:2010 with 2013 amendments", ["wrong edition"]),
        ("2010 edition", "to XD 1:2010, amended 2013", ["wrong edition"]),
    ],
)
def test_amendments_that_are_not_those_loaded_are_a_wrong_edition(
    shelf: Shelf, demo: Library, edition: str, text: str, statuses: list[str]
) -> None:
    (info,) = (one for one in shelf.infos if one.id == "DC-1-3")
    named = replace(info, designation="XD 1:2010", edition=edition, aliases=(), status="unknown")
    found = checked(f"Loads are {text}.", Shelf((named,), "", demo.document))
    assert [one.status for one in found] == statuses
