"""Extracts of codes, as people have them on site: whole clauses left out, columns of one page."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from tests.ingest.made import BOLD, Print, column, write

EUROCODE = [
    column("# EN 1992-1-9:2004", "Eurocode 2: Design of structures of bamboo"),
    column(
        "# SECTION 2 BASIS OF DESIGN",
        "# 2.4.2.4 Partial factors for materials",
        "(1) Partial factors for materials for ultimate limit states should be used in all of the cases.",
        "",
        "Note: The values for use in a Country may be found in its National Annex to this standard.",
        "# SECTION 3 MATERIALS",
        "# 3.1.6 Design strengths",
        "(1)P The value of the design compressive strength is defined as follows, in all of the cases:",
        ">fcd = a fck / g (3.15)",
        "where:",
        ">g is the partial safety factor for bamboo, see 2.4.2.4, and",
        ">a is the coefficient taking account of effects of long term.",
        "",
        "(2)P The value of the design tensile strength is the one that is found from (3.15) in the end.",
        "# SECTION 4 DURABILITY AND COVER",
        "# 4.4.1.2 Minimum cover",
        "(5) The minimum cover values taking account of the exposure classes is given by the table there.",
        "",
        "(9) The second of the two of them is the one that is used for the structures of the class.",
    ),
]
STEEL = [
    column("# EN 1993-1-9:2005", "Eurocode 3: Design of steel structures"),
    column(
        "# 5 Structural analysis",
        "# 5.1 Basis",
        "(1) The role of the classification is to identify the extent to which the resistance is limited.",
        "",
        "(7) The classification of a section depends on the ratio of its parts that are in compression.",
        "(8)B The parts of a section can be in different classes, such as a flange and such as a web.",
        "NOTE 2B The values are those of the country in which the building of the section stands.",
        "(12) and (13) of this clause are not for use in those of the buildings that have more floors.",
        "# Annex A [informative] - Method 1",
        "# A.1 First",
        "(1) The first of the annex is as given in the relevant part and in the foreword of it.",
        "# Annex AB [informative] - Additional rules",
        "# AB.1 Analysis",
        "(1)B For buildings the loads may be arranged as follows in the cases of the standard itself.",
        "# Annex BB [informative] - Buckling of components",
        "# BB.1 Flexural buckling",
        "# BB.1.1 General",
        "(1)B For chord members generally the buckling length may be taken as equal to the system length.",
        "",
        "(2)B The buckling length of a chord may be taken as less, see Annex AB and also BB.1.1(1).",
    ),
]
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


@pytest.mark.parametrize(
    ("pages", "labels"),
    [
        (
            EUROCODE,
            "2.4.2.4 2.4.2.4(1) 2.4.2.4(1)_NOTE 3.1.6 3.1.6(1) 3.1.6(2) 4.4.1.2 4.4.1.2(5) 4.4.1.2(9)",
        ),
        (
            STEEL,
            "5 5.1 5.1(1) 5.1(7) 5.1(8) A.1 A.1(1) Annex_AB AB.1 AB.1(1) Annex_BB BB.1.1 BB.1.1(1) BB.1.1(2)",
        ),
    ],
    ids=["clauses left out", "paragraphs left out, annexes of two letters"],
)
def test_what_an_extract_has_is_found_under_its_number(
    tmp_path: Path, pages: list[list[Print]], labels: str
) -> None:
    found = [str(clause.label).replace(" ", "_") for clause in _read(tmp_path, pages).clauses]
    assert [label for label in found if label in labels.split()] == labels.split()


def test_a_mark_of_buildings_is_no_word_and_a_list_in_a_sentence_no_paragraph(tmp_path: Path) -> None:
    texts = _texts(_read(tmp_path, STEEL))
    assert texts["5.1(8)"].startswith("|The parts")
    assert texts["5.1(8) NOTE 2"].startswith("|The values")
    assert "5.1(12)" not in texts


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


def test_articles_and_their_commentary_do_not_run_into_one_another(bridges: Document) -> None:
    texts = _texts(bridges)
    assert "limit states" in texts["3.4.1"]
    assert "background" not in texts["3.4.1"]
    assert texts["C3.4.1"].startswith("|The background")
    assert "limit states" not in texts["C3.4.1"]
    assert texts["3.6.1.2.2"].startswith("Design Truck|The weights")
    comment = next(clause for clause in bridges.clauses if str(clause.label) == "C3.4.1")
    assert (str(comment.parent), comment.normative) == ("3.4.1", False)


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
