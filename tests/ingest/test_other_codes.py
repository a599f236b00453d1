"""Whole small codes of other families, made as PDFs: their references, titles, captions and names.

Each is read from the file to the references, as a person's PDF is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from tests.ingest.made import Print, column, write

MODEL = [
    column(
        "# CHAPTER 16",
        "# STRUCTURAL DESIGN",
        "# SECTION 1604",
        "# GENERAL REQUIREMENTS",
        "",
        "1604.1 General. The rules of this chapter govern, with Sections 1604.2 through 1604.4.",
        "",
        "1604.2 Strength. Chapter 19 gives loads besides those of Section 2.3 of ASCE 7-16.",
        "",
        "1604.3 Stiffness. Section 1015.8 governs roofs, and Equation 16-23 all of the other parts.",
        "",
        "1604.4 Analysis. A shelf 2010 mm high follows Section 1604, and Equations 16-1 and 16-2 too.",
    )
]
LETTERED = [
    column(
        "SPECIFICATION 23 STEELWORK - REV C",
        "# PART 1 GENERAL",
        "# A. Scope",
        ">(a) This specification covers the supply of steel.",
        ">(aa) It covers bolts as well.",
        ">(b) Work shall comply with BS EN 1090-2:2018, clause 7.1, and with B(a).",
        "# B. Materials",
        ">(a) Steel shall be as paragraph A(b) says.",
        "# PART 2 EXECUTION",
        "# A. Erection",
        ">(a) Columns shall be plumb, see Part 1, B(a).",
        ">(b) Bolts shall be as B(a) says.",
        "# B. Painting",
        ">(a) Paint shall be dry before the second coat is laid.",
    )
]
THREE_PARTS = [
    column(
        "# SECTION 03 30 00 - CAST-IN-PLACE CONCRETE",
        "# PART 1 - GENERAL",
        "# 1.1 SUMMARY",
        ">A. Section includes concrete. Forms are in Section 03 10 00.",
        ">B. Related sections follow.",
        "# 1.2 SUBMITTALS",
        ">A. Mix designs by ASTM C94.",
        ">>1. Include changes of Paragraph 1.1.B.",
        ">>2. Include those of Paragraph A.",
        "# PART 2 - PRODUCTS",
        "# 2.1 MATERIALS",
        ">A. Cement as in Paragraph 1.2.A.2 and Article 1.9.",
        "END OF SECTION",
    )
]
ENGLISH = [
    "DIN 91234-1:2021-05",
    "# 4 Actions",
    "# 4.1 General",
    "4.1.1 Actions shall be taken from Table 1 and from 4.1.2 in all cases of use.",
    "",
    "4.1.2 The height h of the guard shall be at least 1,10 m, see 4.2.7 and Table 9.",
    "",
    "4.1.3 The load of the platform shall be found for each of these in turn:",
    ">a) the persons on it;",
    ">b) the goods on it, as DIN 18202:2019-07, 6.4.3 says.",
    "",
    "4.1.4 The loads of the guard are those of Annex A.",
    "# Annex A",
    "(normative)",
    "# Test loads",
    "# A.1 General",
    "The test load shall be held for as long as the rules of this document say for it.",
]
GERMAN = [
    "DIN 91235:2022-03",
    "# 3 Einwirkungen",
    "# 3.1 Allgemeines",
    "3.1.1 Die Lasten sind nach Tabelle 1 und nach 3.1.2 für alle Arten der Nutzung zu wählen.",
    "",
    "3.1.2 Die Höhe h der Umwehrung muss mindestens 1,10 m betragen, siehe 3.1.7 und Tabelle 9.",
    "",
    "3.1.3 Die Last der Bühne ist für jede der folgenden Arten der Nutzung zu bestimmen:",
    ">a) für Personen, die darauf stehen;",
    ">b) für Güter nach DIN 18202:2019-07, 6.4.3.",
    "",
    "3.1.4 Die Lasten der Umwehrung sind die von Anhang A.",
    "# Anhang A",
    "(normativ)",
    "# Prüflasten",
    "# A.1 Allgemeines",
    "Die Prüflast muss so lange gehalten werden, wie die Regeln dieser Norm es für sie sagen.",
]


def _read(folder: Path, pages: list[list[Print]]) -> Document:
    path = write(folder / "code.pdf", pages)
    return read_document(path, "CODE", IngestSettings(), load_schemes(None))


def _named(document: Document) -> dict[str, str]:
    """Return what each number is resolved to, "" where it is not."""
    return {
        f"{ref.designation} {ref.number}".strip(): str(ref.target) if ref.target else ""
        for ref in document.references
    }


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the references of a code numbered by chapters of four figures."""
    return _named(_read(tmp_path_factory.mktemp("model"), MODEL))


@pytest.mark.parametrize(
    ("number", "target"),
    [
        ("this chapter", "Chapter 16"),
        ("Section 1604.2", "1604.2"),
        ("Section 1604.3", "1604.3"),
        ("Section 1604.4", "1604.4"),
        ("Section 1604", "Section 1604"),
        ("Section 1015.8", ""),  # of a chapter that is not in this file
        ("Chapter 19", ""),
        ("ASCE 7-16 Section 2.3", ""),
        ("Formula 16-23", ""),  # no range of eight
    ],
)
def test_numbers_of_four_figures_and_of_chapters(model: dict[str, str], number: str, target: str) -> None:
    assert model[number] == target


def test_a_lettered_specification_keeps_parts_articles_and_letters(tmp_path: Path) -> None:
    document = _read(tmp_path, LETTERED)
    labels = [str(clause.label) for clause in document.clauses]
    assert document.family == "specification"
    assert (document.designation, document.edition) == ("SPECIFICATION 23", "REV C")  # not that of EN 1090-2
    assert {"Part 1", "Part 2", "A", "B", "A(a)", "A(aa)", "A(b)", "B(a)"} <= set(labels)
    found = {ref.number: ref.target for ref in document.references if ref.target}
    assert found["1 B(a)"].parts[0] == "Part 1"  # "Part 1, B(a)" though it stands in Part 2
    assert [str(clause.label) for clause in document.clauses].count("A(aa)") == 1


def test_a_specification_in_three_parts(tmp_path: Path) -> None:
    document = _read(tmp_path, THREE_PARTS)
    labels = [str(clause.label) for clause in document.clauses]
    assert (document.family, document.designation) == ("three_part", "SECTION 03 30 00")
    assert {"SECTION 03 30 00", "Part 1", "1.1", "1.1.A", "1.2.A", "1.2.A.1", "1.2.A.2", "2.1.A"} <= set(
        labels
    )
    found = {ref.text: (str(ref.target or ""), ref.designation) for ref in document.references}
    assert found == {
        "Section 03 10 00": ("", "Section 03 10 00"),
        "ASTM C94": ("", "ASTM C94"),
        "Paragraph 1.1.B": ("1.1.B", ""),
        "Paragraph A": ("1.2.A", ""),
        "Paragraph 1.2.A.2": ("1.2.A.2", ""),
        "Article 1.9": ("", ""),
    }


@pytest.mark.parametrize(
    ("rows", "sentence", "missing", "annex"),
    [
        (ENGLISH, "4.1.2", {"4.2.7", "Table 9"}, "Annex A"),
        (GERMAN, "3.1.2", {"3.1.7", "Table 9"}, "Anhang A"),
    ],
)
def test_a_german_standard_in_both_languages(
    tmp_path: Path, rows: list[str], sentence: str, missing: set[str], annex: str
) -> None:
    document = _read(tmp_path, [column(*rows, step=15)])
    clauses = {str(clause.label): clause for clause in document.clauses}
    found = _named(document)
    assert document.family == "din"
    assert clauses[sentence].title == ""
    assert "1,10 m" in clauses[sentence].passage.text
    assert missing <= set(found)
    assert (clauses[annex].kind, clauses[annex].normative) == ("annex", True)
    assert "A.1" in clauses
    assert found["Annex A"] == annex  # a short sentence that ends in a letter keeps its reference
    assert "DIN 18202:2019-07 6.4.3" in found


@pytest.mark.parametrize(
    ("family", "labels"),
    [
        ("decimal", ["Part 1", "101", "102", "103", "Part 2", "201", "202"]),
        ("model_code", ["Chapter 9", "Section 901", "901.1", "Section 902", "902.1"]),
    ],
)
def test_numbers_of_three_figures_open_clauses(tmp_path: Path, family: str, labels: list[str]) -> None:
    rows = {
        "decimal": ["# Part 1 Rooms", "101", "102", "103", "# Part 2 Air", "201", "202"],
        "model_code": ["# CHAPTER 9 ESCAPE", "901", "901.1", "902", "902.1"],
    }[family]
    page, y = [], 80.0
    for row in rows:
        y += 30
        if row.startswith("#"):
            page.append(Print(70, y, row[2:], 14, "hebo"))
            continue
        page.append(Print(70, y, row, 10, "hebo"))
        page.append(Print(100, y, "Every room of a dwelling must be at least 2.40 m high in use."))
        page.append(Print(100, y + 12, "It must have a window of 300 mm or more in one of its walls."))
    schemes = [scheme for scheme in load_schemes(None) if scheme.name == family]
    read = read_document(write(tmp_path / "a.pdf", [page]), "x", IngestSettings(), schemes)
    found = [str(clause.label) for clause in read.clauses if clause.kind not in ("front", "heading")]
    assert found == labels
