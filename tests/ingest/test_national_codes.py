"""Codes that no family claims, as countries print them: what they number, what they name, what explains.

Each is made as a PDF and read from the file to the references, as a person's PDF is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from appliance.quality.expected import missing_clauses
from tests.ingest.made import Print, column, write


def _numbered(pieces: list[Print], number: str) -> list[Print]:
    """Return the pieces with the number of a formula at the right of the last one."""
    return [*pieces, Print(500, pieces[-1].y, number)]


LETTERED_CHAPTERS = [
    _numbered(
        column(
            "# CHAPTER B",
            "# DESIGN REQUIREMENTS",
            "This chapter gives general requirements and is organized as follows:",
            ">B1. General Provisions",
            ">B2. Loads and Load Combinations",
            ">B3. Design Basis",
            "# B1. GENERAL PROVISIONS",
            "The design of members and connections shall be consistent with the analysis of the frame.",
            "# B2. LOADS AND LOAD COMBINATIONS",
            "The loads shall be those of the building code, and those of Section B3.1 and Section C2.2 too.",
            "",
            ">User Note: Equation B3-1 holds for all of the members of a frame.",
            "# B3. DESIGN BASIS",
            "Design shall be such that no limit state is exceeded under any of the loads, see Chapter C.",
            "# B3.1 Design for Strength",
            "The design strength of each of the parts shall be that which is found from this relation:",
            ">Ru = Rn v",
        ),
        "(B3-1)",
    ),
    column(
        "# CHAPTER C",
        "# DESIGN FOR STABILITY",
        "# C1. GENERAL REQUIREMENTS",
        "Stability shall be provided for the structure as a whole and for each of its elements.",
        "# C2. CALCULATION OF STRENGTHS",
        "The required strengths of components shall be determined from an elastic analysis.",
        "# 1. General Analysis Requirements",
        "The analysis of the structure shall conform to both of the following requirements:",
        ">(a) it shall consider deformations of the members;",
        ">(b) it shall be of the second order.",
        "# 2. Imperfections",
        "The effect of initial imperfections shall be taken into account as in Section B1.",
        "# COMMENTARY",
        "# C2. CALCULATION OF STRENGTHS",
        "The analysis of the second order is explained here for those who have not made one.",
    ),
]
COMMENTED = [
    column(
        "# CHAPTER 5 - LOADS",
        "# 5.2-General",
        "5.2.1 Loads shall include self-weight and all of the loads that are applied to the structure.",
        "",
        "R5.2.1 Provisions are those of the standard for loads, where that is adopted by a city.",
        "",
        "5.2.2 Loads shall be in accordance with the general building code of the place of the work.",
        "",
        "5.2.3 Loads shall be found for (a) through (c):",
        ">(a) floors",
        ">(b) roofs",
        ">(c) stairs",
        "",
        "R5.2.3 Some of these loads are left out by codes of cities, which is allowed by the standard.",
        "",
        "5.2.4 Loads shall be combined by Eq. (5.2.4a) and (5.2.4b) for each of the parts.",
    )
]
SENTENCES = [
    column(
        "# Part 9 Housing and Small Buildings",
        "# Section 9.8. Stairs and Ramps",
        "# 9.8.1. Application",
        "# 9.8.1.1. Application",
        "1) This Section applies to the design and construction of stairs and of ramps.",
        "# 9.8.2. Stair Dimensions",
        "# 9.8.2.1. Stair Width",
        "1) Except as provided in Sentence (2), stairs shall be at least 900 mm wide between walls.",
        "",
        "2) One stair of a dwelling unit shall be at least 860 mm wide. (See Note A-9.8.2.1.(2).)",
        "# 9.8.2.2. Height over Stairs",
        "1) The clear height shall be that of Sentence 9.8.2.1.(2) and of Article 9.8.1.1. over:",
        ">a) the width of the stair, and",
        ">b) the landings.",
        "",
        "2) The height shall be at least 1 950 mm for the stairs that Section 9.9. holds for.",
        "# Section 9.9. Means of Egress",
        "# 9.9.1. General",
        "# 9.9.1.1. Application",
        "1) Stairs in a means of egress shall conform to Section 9.8. as well as to this Section.",
        "# Notes to Part 9",
        "A-9.8.2.1.(2) Stair Width. It is intended that the width be measured clear of handrails.",
    )
]
ASTERISKS = [
    column(
        "# Chapter 7 Means of Egress",
        "# 7.1 General.",
        "# 7.1.1* Application.",
        "Means of egress of all buildings shall comply with this chapter and with Section 7.2.",
        "",
        "7.1.2* Where a wall is required, it shall meet all of the following of these:",
        ">(1)* The wall shall resist fire for one hour.",
        ">(2) The wall of 7.1.2(1) shall be built of stone.",
        "# 7.2 Components.",
        "7.2.1 Door openings in means of egress shall comply with this section of the code.",
    ),
    column(
        "# Annex A Explanatory Material",
        "A.7.1.1 An installation supervised by trained personnel is preferable to others.",
        "",
        "A.7.1.2 This provision keeps the wall from being built of thin boards alone.",
    ),
]
DOTTED_LETTERS = [
    column(
        "# C. WAYS THROUGH A BUILDING",
        "# OBJECTIVE",
        "C.1 The objective of paragraph C.2 is that nobody is hurt while walking through the building.",
        "# ACCEPTABLE SOLUTION",
        "C.2 Every building shall be safe to walk through, see Diagram C.2 and paragraph D.1.",
        "",
        "C.2.1 Height",
        "",
        "C.2.1.1 The height of each way shall be enough for people, but for those of C.2.1.2(b).",
        "",
        "C.2.1.2 The height may be less in these:",
        ">a. in lofts; or",
        ">b. in linkways, see clause C.2 of SS 999:2031.",
        "# D. STAIRS",
        "D.1 The stairs of a building shall be safe to climb for all of the people in it.",
    ),
]
SECTIONS = [
    column(
        "IS 9999 : 2031",
        "# PLAIN AND REINFORCED BAMBOO - CODE OF PRACTICE",
    ),
    column(
        "# SECTION 1 GENERAL",
        "# 1 SCOPE",
        "1.1 This standard deals with the general structural use of plain and reinforced bamboo.",
        "# 2 REFERENCES",
        "The standards listed in Annex A are necessary adjuncts to all parts of this standard.",
        "# SECTION 2 MATERIALS",
        "# 3 CEMENT",
        "3.1 The cement shall be fresh, and Section 1 and 2 hold for it as for the other materials.",
        "",
        ">NOTE - The strength of the cement should be tested.",
        "",
        ">NOTES",
        ">1 The first of these notes is the longer one of the two.",
        ">2 The second note.",
    ),
    column(
        "# ANNEX A",
        "(Clauses 2 and B-2.1)",
        "# LIST OF STANDARDS",
        "The standards of this list are those that were in force on the day of the print.",
        "# ANNEX B",
        "(Clause 3.1)",
        "# WORKING STRESS METHOD",
        "# B-1 GENERAL",
        "B-1.1 The general requirements of Section 2 shall apply to this Annex as they stand there.",
        "# B-2 STRESSES",
        "B-2.1 The stresses of bamboo shall be those of B-1.1 in each of the parts that are loaded.",
    ),
]
CODES = {
    "lettered chapters": LETTERED_CHAPTERS,
    "commented": COMMENTED,
    "sentences": SENTENCES,
    "asterisks": ASTERISKS,
    "dotted letters": DOTTED_LETTERS,
    "sections": SECTIONS,
}


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    folder = tmp_path_factory.mktemp("codes")
    return {name: _read(folder / f"{name}.pdf", pages) for name, pages in CODES.items()}


def _read(path: Path, pages: list[list[Print]]) -> Document:
    return read_document(write(path, pages), "CODE", IngestSettings(), load_schemes(None))


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        ("lettered chapters", "CHAPTER B|B1|B2|B2 User Note|B3|B3.1|CHAPTER C|C1"),
        ("commented", "5.2|5.2.1|R5.2.1|5.2.2|5.2.3|5.2.3(a)|5.2.3(b)|5.2.3(c)|R5.2.3|5.2.4"),
        (
            "sentences",
            "Part 9|Section 9.8|9.8.1|9.8.1.1|9.8.1.1(1)|9.8.2|9.8.2.1|9.8.2.1(1)|9.8.2.1(2)|9.8.2.2",
        ),
        (
            "dotted letters",
            "C|OBJECTIVE|C.1|ACCEPTABLE SOLUTION|C.2|C.2.1|C.2.1.1|C.2.1.2|C.2.1.2a|C.2.1.2b|D|D.1",
        ),
        ("asterisks", "7.1|7.1.1|7.1.2|7.1.2(1)|7.1.2(2)|7.2|7.2.1|Annex A|A.7.1.1|A.7.1.2"),
        (
            "sections",
            "SECTION 1|1|1.1|2|SECTION 2|3|3.1|3.1 NOTE|3.1 NOTES|3.1 NOTES 1|3.1 NOTES 2|ANNEX A|ANNEX B",
        ),
    ],
)
def test_every_place_is_found_and_no_other(codes: dict[str, Document], code: str, labels: str) -> None:
    wanted = labels.split("|")
    found = [clause.label.key for clause in codes[code].clauses]
    begin = found.index(wanted[0])
    assert found[begin : begin + len(wanted)] == wanted
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("code", "text", "target"),
    [
        ("lettered chapters", "Section B3.1", "B3.1"),
        ("lettered chapters", "Chapter C", "CHAPTER C"),
        ("lettered chapters", "Equation B3-1", "(B3-1)"),
        ("commented", "(5.2.4b)", ""),
        ("sentences", "Sentence (2)", "9.8.2.1(2)"),
        ("sentences", "A-9.8.2.1.(2)", "A-9.8.2.1.(2)"),
        ("sentences", "Sentence 9.8.2.1.(2)", "9.8.2.1(2)"),
        ("sentences", "Section 9.9", "Section 9.9"),
        ("sentences", "this Section", "Section 9.9"),
        ("asterisks", "7.1.2(1)", "7.1.2(1)"),
        ("dotted letters", "paragraph C.2", "C.2"),
        ("dotted letters", "C.2.1.2(b)", "C.2.1.2b"),
        ("dotted letters", "Diagram C.2", ""),
        ("dotted letters", "clause C.2 of SS 999:2031", ""),
        ("sections", "Section 1", "SECTION 1"),
        ("sections", "B-1.1", "B-1.1"),
    ],
)
def test_references_lead_where_the_code_means(
    codes: dict[str, Document], code: str, text: str, target: str
) -> None:
    found = next(reference for reference in codes[code].references if reference.text == text)
    assert (str(found.target) if found.target else "") == target


@pytest.mark.parametrize(
    ("code", "label", "normative"),
    [
        ("lettered chapters", "B2 User Note", False),
        ("commented", "R5.2.1", False),
        ("commented", "5.2.1", True),
        ("sentences", "A-9.8.2.1.(2)", False),
        ("asterisks", "A.7.1.1", False),
        ("sections", "3.1 NOTE", False),
        ("sections", "3.1 NOTES 1", False),
        ("sections", "B-1.1", True),
    ],
)
def test_what_explains_does_not_bind(
    codes: dict[str, Document], code: str, label: str, normative: bool
) -> None:
    found = next(clause for clause in codes[code].clauses if clause.label.key == label)
    assert found.normative is normative


@pytest.mark.parametrize("listed", [("B1", "B2", "B3"), ("B1", "B3"), ("B1", "B2", "B3", "B4")])
def test_a_list_of_a_chapter_opens_none_of_its_sections(listed: tuple[str, ...], tmp_path: Path) -> None:
    names = {"B1": "General Provisions", "B2": "Welds", "B3": "Bolts and Threads", "B4": "Plates and Others"}
    lines = ["# CHAPTER B", "# DESIGN OF CONNECTIONS", "The chapter is organized as follows:"]
    lines += [f">{number}. {names[number]}" for number in listed]
    for number in ("B1", "B3", "B4"):  # B2 is on a page that is not there
        lines += [
            f"# {number}. {names[number].upper()}",
            "# 1. Basis",
            "The strength shall be that of tests.",
        ]
    document = _read(tmp_path / "code.pdf", [column(*lines), *LETTERED_CHAPTERS[1:]])
    found = {str(clause.label): clause for clause in document.clauses}
    assert {"B1", "B3", "B4"} <= found.keys()
    assert found["B1"].title == "GENERAL PROVISIONS"
    assert "B2" not in found


def test_titles_stand_without_what_names_the_annex(codes: dict[str, Document]) -> None:
    titles = {str(clause.label): clause.title for clause in codes["sections"].clauses}
    assert (titles["ANNEX A"], titles["ANNEX B"]) == ("LIST OF STANDARDS", "WORKING STRESS METHOD")
    assert codes["sections"].title == "PLAIN AND REINFORCED BAMBOO - CODE OF PRACTICE"


def test_a_commentary_belongs_to_its_clause_and_leaves_no_gap(codes: dict[str, Document]) -> None:
    code = codes["commented"]
    parents = {str(clause.label): str(clause.parent) for clause in code.clauses if clause.parent}
    assert (parents["R5.2.1"], parents["R5.2.3"]) == ("5.2.1", "5.2.3")
    assert not [problem for problem in code.problems if "R5" in problem.message]
    assert missing_clauses(code).names == []
