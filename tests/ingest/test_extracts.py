"""Extracts of codes, as people have them on site: whole clauses left out, columns of one page."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from tests.ingest.made import BOLD, Print, column, write

DECISIONS = [
    column("# EN 1998-9:2004", "Eurocode 8: Design for earthquakes"),
    column(
        "# 6 Steel",
        "# 6.1 General",
        "(1) The first of the paragraphs is as given in the relevant part and in the foreword of it.",
        "# 2.3 Out of the sequence",
        "(1) This paragraph belongs to a heading whose number is none of the sequence of the document.",
        "# 6.2 More",
        "(1) The second of the paragraphs is as given in the relevant part and in the foreword of it.",
    ),
]


def _read(folder: Path, pages: list[list[Print]]) -> Document:
    return read_document(write(folder / "code.pdf", pages), "CODE", IngestSettings(), load_schemes(None))


def _texts(document: Document) -> dict[str, str]:
    return {str(clause.label): f"{clause.title}|{clause.passage.text}" for clause in document.clauses}


def test_a_paragraph_under_a_title_out_of_the_sequence_is_not_that_of_the_clause_above(
    tmp_path: Path,
) -> None:
    document = _read(tmp_path, DECISIONS)
    texts = _texts(document)
    assert "This paragraph belongs" in texts["2.3 Out of the sequence (1)"]
    assert "foreword" in texts["6.1(1)"]
    assert "second" in texts["6.2(1)"]
    assert any("2.3" in problem.message for problem in document.problems)


def _beside(left: list[str], right: list[str]) -> list[Print]:
    """Return the lines of two columns; "# x" is bold in the size of the text."""
    printed = []
    for x, lines in ((50, left), (310, right)):
        for at, text in enumerate(lines):
            if text:
                printed.append(
                    Print(x, 120 + 12 * at, text.removeprefix("# "), 9.5, BOLD if text[:1] == "#" else "helv")
                )
    return printed


BRIDGES = [
    *column("# SECTION 3", y=40),
    *_beside(
        [
            "# 3.4.1-Load Factors",
            "",
            "The total factored force effect is this:",
            "",
            "   Q = N g Q (3.4.1-1)",
            "",
            "where:",
            "N = load modifier in Article 3.6.1.2.2",
            "Q = force effects from loads",
            "",
            "Components and connections of a bridge shall satisfy this",
            "for the applicable combinations of factored extreme force",
            "effects as specified at each of the following limit states,",
            "which are those of Article 1.3.2 and of Article C3.4.1.",
            "",
            "# 3.6.1.2.2-Design Truck",
            "",
            "The weights and spacings of axles and wheels for the truck",
            "shall be as specified in Figure 3.6.1.2.2-1. A further load",
            "shall be considered as specified in Articles 3.4.1 and 3.6.2.1.",
        ],
        [
            "# C3.4.1",
            "",
            "The background for the load factors that are given here, and",
            "for the resistance factors of the other Sections of these",
            "Specifications is developed in a paper of the year 1992.",
        ],
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Document:
    """Return a page of articles with their commentary beside them."""
    return _read(tmp_path_factory.mktemp("bridges"), [BRIDGES])


@pytest.mark.parametrize(
    ("cover", "say", "numbers"),
    [
        (
            "BS 9999-7:1997",
            "# {} Loads",
            ["3.1", "3.2", "3.2.1", "3.2A", "3.2B", "3.3", "3.3.1", "3.3.1A", "3.4"],
        ),
        ("EN 1994-1-1:2004 Eurocode 4", "# {} Loads", ["3.1", "3.2", "3.2A", "3.3"]),
        (
            "Approved Document K, Building Regulations",
            "{} The stair of this kind",
            ["3.1", "3.2", "3.2A", "3.3"],
        ),
    ],
)
def test_a_clause_that_an_amendment_put_in_has_its_letter(
    tmp_path: Path, cover: str, say: str, numbers: list[str]
) -> None:
    under = "The members of it should be designed for all of the loads that are listed, in each of the cases."
    printed = [line for number in numbers for line in (say.format(number), under, "")]
    document = _read(tmp_path, [column(f"# {cover}"), column(*printed)])
    found = [str(clause.label) for clause in document.clauses if clause.kind == "clause"]
    assert found == numbers
