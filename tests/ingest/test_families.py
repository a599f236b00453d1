"""Codes of other families: each numbered by its own conventions, told apart by what its pages show."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Clause
from appliance.ingest.page import Source
from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.schemes import choose, load_schemes
from tests.ingest.made import Print, column, layouts

ISO = [
    column(
        "# 5 Requirements",
        "# 5.1 General",
        "The assembly shall carry the test load for ten minutes without loss of stiffness.",
        "# 5.2 Fixings",
        "# 5.2.1 Anchors",
        "# 5.2.1.1 Embedment",
        "The embedment of an anchor shall be measured from the sound concrete.",
        "",
        "NOTE 1 Plaster is no sound concrete.",
        "# 5.2.1.2 Spacing",
        "Anchors shall stand apart by at least:",
        ">a) four diameters in the row;",
        ">b) six diameters between rows.",
        "# 6 Test report",
        "The report shall name the laboratory and the day of the test.",
    ),
    column(
        "# Annex A",
        "(informative)",
        "# Worked examples",
        "# A.1 First example",
        "The assembly of this example has four anchors in one row.",
        "# A.1.1 Check of the row",
        "The row is checked for the whole load.",
    ),
]
MODEL = [
    column(
        "# CHAPTER 3",
        "# BUILDING PLANNING",
        "# SECTION R301",
        "# DESIGN CRITERIA",
        "",
        "R301.1 Application. Buildings shall be built so that all loads reach the ground safely.",
        "",
        "Exceptions:",
        ">1. Sheds of less than 10 square feet.",
        ">2. Fences lower than 6 feet.",
        "",
        "R301.2 Climatic criteria. Buildings shall be built by the criteria of this section.",
        "",
        "R301.2.1 Wind. Buildings shall withstand the wind speed of the map of this chapter.",
    ),
    column(
        "# CHAPTER 16",
        "# STRUCTURAL DESIGN",
        "# SECTION 1607",
        "# LIVE LOADS",
        "",
        "1607.1 Roof loads. Roofs shall be designed for the live loads of this section.",
        "",
        "1607.1.1 Distribution. Where loads are reduced to each part the worst place counts.",
        "",
        "1607.1.2 Awnings. Awnings shall be designed for uniform live loads of 5 psf.",
        "",
        "Section 1607.1.3 Occupiable roofs. Areas of roofs that are occupied are floors.",
        "# [F] SECTION 1608",
        "# SNOW LOADS",
        "",
        "[F] 1608.1 General. Snow loads shall be those of the map of this chapter.",
    ),
]
NCC = [
    column(
        "# Section D Access and egress",
        "# Part D2 Construction of exits",
        "These are Deemed-to-Satisfy Provisions.",
        "# D2.1 Landings",
        "A landing must not be steeper than the code allows for ramps of its width.",
        "# D2.2 Goings and risers",
        "A stairway must have:",
        ">(a) goings and risers that are the same throughout each flight, and that:",
        ">(i) meet the table of this Part; and",
        ">(ii) leave no gap wider than 125 mm; and",
        ">(b) treads with a surface that is not slippery.",
        "# D2.3 Thresholds",
        "The threshold of a doorway must not hold a step or a ramp.",
    ),
]
CODED = [
    column(
        "# Section C Fire resistance",
        "# Part C2 Fire resistance and stability",
        "# C2D1 Deemed-to-Satisfy Provisions",
        "(1) Where a Deemed-to-Satisfy Solution is proposed, these are satisfied by complying with:",
        ">(a) C2D2 to C2D15; and",
        ">(b) in a building that has an outdoor area, Part G6.",
        "(2) Where a Performance Solution is proposed, the relevant ones must be determined.",
        "# C2D4 Type of construction required",
        "(1) The minimum Type of construction of a building must be that of the table there.",
        "# Specification 5 Fire-resisting construction",
        "# S5C1 Scope",
        "This Specification contains requirements for the construction of building elements.",
        "# S5C3 Exposure",
        "(1) A part of a building element is exposed where nothing stands in between.",
        "# Section D Access and egress",
        "# Part D2 Provision for escape",
        "# D2D7 Dimensions of exits",
        "(1) The unobstructed height must be not less than two metres throughout.",
    ),
]
STEPS = [
    column(
        "# 22 Spacing of detectors",
        "# 22.2 Recommendations",
        "The following recommendations are applicable to all detectors:",
        "a) Under flat ceilings, the spacing of detectors should be as follows.",
        ">1) The distance between any point and the nearest detector should not exceed:",
        "> i) 5.3 m if the detectors are heat detectors;",
        "> ii) 7.5 m if the detectors are of another kind.",
        ">2) For corridors, only the points on the line in the middle need be considered.",
        "b) Detectors should be sited not less than 500 mm from any walls.",
    ),
]
SECTION_ANNEX = [
    column(
        "# 2 Fire",
        "# 2.9 Escape",
        "# 2.9.1 Escape from storeys",
        "A storey at a height of more than 4.5 m should have a protected route, see annex 2.A.",
        "",
        "[1] May be increased to 12 m where there is suppression in the building.",
        "# Annex 2.A Additional guidance",
        "# 2.A.0 Introduction",
        "Buildings of care need more guidance than others do.",
        "# 2.A.1 Compartments",
        "Every compartment should have at least two exits, as in clause 2.A.0.",
        "# 3 Environment",
    ),
]
DIN = [
    column(
        "DIN 99123-1:2014-05",
        "# 5 Nachweise",
        "# 5.3 Dächer",
        "# 5.3.1 Allgemeines",
        "(1) Die Einwirkungen sind nach Anhang A zu bestimmen und zu überlagern.",
        "# 5.3.2 Tonnendächer",
        "(1) Die Last darf über die Breite gleich verteilt werden.",
        "",
        "(2) Der Beiwert muss Tabelle 5 entnommen werden.",
        "",
        "ANMERKUNG 1 Tabelle 5 gilt nicht für Dächer mit Schneefang.",
        "# 6 Brücken",
        "Auf Brücken sind die Lasten nach 5.3 anzusetzen.",
    ),
    column(
        "# Anhang A",
        "(informativ)",
        "# Beispiele",
        "# A.1 Erstes Beispiel",
        "(1) Das Dach des Beispiels ist eine Tonne.",
    ),
]
GERMAN_ANNEX = [
    column("DIN EN 99123-1-4/NA:2010-12", "# Nationaler Anhang", "# National festgelegte Parameter"),
    column(
        "# NA.1 Anwendungsbereich",
        "Dieser Anhang ist mit EN 1991-1-4 anzuwenden und enthält die nationalen Festlegungen.",
        "# NA.2 Nationale Festlegungen",
        "# NA.2.1 Allgemeines",
        "Die Festlegungen sind bei der Bemessung der Bauwerke zu beachten.",
        "# NA.2.2 Festlegungen",
        "# NCI zu 1.5",
        "Die Bemessung mit Hilfe von Versuchen ist in NA.B geregelt.",
        "# NDP zu 4.2 (1)P Anmerkung 2",
        "Es gilt die Karte nach Bild NA.A.1.",
        "# NDP Zu 4.2 (2)P, Anmerkungen 1 und 3",
        "(1) Der Beiwert ist anzuwenden.",
        "# NDP zu Tabelle 6.1DE",
        "Es gilt der Wert 0,8.",
        "# NDP zu 8.3.2 (1)",
        "NDP zu 9 ist entfallen, und NCI zu 10 auch.",
        "# NCI zu 4.3 (3) Geländerauhigkeit",
        "(NA.5) Der Beiwert ist der des Anhangs, wenn das Gelände es verlangt.",
        "",
        "(NA.6) Der zweite Beiwert ist der des Anhangs.",
        "# NCI zu Anhang A",
        "Der Anhang ist anzuwenden.",
        "# NDP zu A.2 (1)",
        "Es gilt der Wert 0,9.",
    ),
    column(
        "# Anhang NA.A (normativ) Karte",
        "# NA.A.1 Allgemeines",
        "(1) Die Karte enthält die mittlere Windgeschwindigkeit des Landes.",
        "# NA.A.2 Einfluss der Höhe",
        "(1) Für Orte in der Höhe ist der Druck zu erhöhen.",
        "# Anhang NA.B (informativ) Versuche",
        "# NA.B.1 Allgemeines",
        "(1) Versuche sind im Windkanal zu machen.",
    ),
]
FRENCH_ANNEX = [
    column("# NF EN 1991-1-4/NA", "Mars 2031", "# Annexe nationale à la NF EN 1991-1-4:2030"),
    column(
        "# AN 1 Application nationale des clauses mentionnées en référence",
        "Cette annexe est à appliquer avec la norme, pour tous les ouvrages du territoire national.",
        "# Clause 1.5 (2)",
        "Des essais peuvent être utilisés dans les conditions définies à l'annexe de la norme.",
        "# Clause 4.2 (1)P, Note 2",
        "Les valeurs de la vitesse de base sont celles de la carte.",
        "Clause 4.3 (1) est annulée par la présente annexe.",
        "# Clause 4.3.2 (1)",
        "La longueur de la route est celle du tableau.",
    ),
]
ANNEXES = [
    column(
        "# 1 Scope",
        "# 1.1 General",
        "This code holds for barriers, and Annex F holds for what stands before them.",
        "",
        "Exceptions:",
        ">1. Barriers less than a metre long.",
        ">2. Barriers of rope.",
        "",
        "NOTES:",
        ">1 Ropes are no barriers.",
        ">2 Nor are chains.",
        "# Annex A (informative) Tests",
        "A.1 The tests of barriers shall be made in the open air.",
        "# Annex F (normative) Forms",
        "F.1 The forms of barriers shall be filled in by the maker.",
    ),
    column(
        "# Annex ZA (informative) Directives",
        "ZA.1 The directives of this annex are met by barriers of steel.",
        "# Annex ZZB (informative) Regulations",
        "ZZB.1 The regulations of this annex are met by barriers of wood.",
        "# Annex AA (normative) Bolts",
        "AA.1 The bolts of this annex are those of the makers.",
        "Annex TO the letter is no annex and its words are text.",
    ),
]


def test_a_decision_right_under_a_larger_title_is_no_text_of_that(tmp_path: Path) -> None:
    lines = ["In den Verweisungen wird ergänzt, was hier steht.", "Es gilt der empfohlene Wert der Norm."]
    decisions = [
        Print(60, 200, "NA.2 Nationale Festlegungen zur Anwendung", 11, "hebo"),
        Print(60, 215, "NCI Zu 1.2.2", 10, "hebo"),
        Print(60, 230, lines[0]),
        Print(60, 258, "NDP Zu 2.3.3 (3)", 10, "hebo"),
        Print(60, 273, lines[1]),
    ]
    tree = _read(tmp_path, [*GERMAN_ANNEX[:1], [*column("# NA.1 Anwendungsbereich", lines[1]), *decisions]])[
        1
    ]
    assert tree["NCI Zu 1.2.2"].passage.text == lines[0]
    assert tree["NA.2"].title == "Nationale Festlegungen zur Anwendung"


def _read(folder: Path, pages: list[list[Print]]) -> tuple[str, dict[str, Clause]]:
    arranged = layouts(folder, *pages)
    scheme = choose(load_schemes(), arranged, Source("", "", (), ()))
    clauses, _ = build_clauses(arranged, frozenset(), scheme)
    assert len({clause.label.key for clause in clauses}) == len(clauses)
    return scheme.name, {str(clause.label): clause for clause in clauses}


@pytest.mark.parametrize(
    ("pages", "family", "labels"),
    [
        (ISO, "decimal", "5 5.1 5.2 5.2.1 5.2.1.1 5.2.1.2 5.2.1.2a 5.2.1.2b 6 A.1 A.1.1"),
        (MODEL, "model_code", "R301.1 R301.2 R301.2.1 1607.1 1607.1.1 1607.1.2 1607.1.3 1608.1"),
        (NCC, "lettered", "D2.1 D2.2 D2.2(a) D2.2(a)(i) D2.2(a)(ii) D2.2(b) D2.3"),
        (
            CODED,
            "lettered",
            "C2D1 C2D1(1) C2D1(1)(a) C2D1(1)(b) C2D1(2) C2D4 C2D4(1) S5C1 S5C3 S5C3(1) D2D7 D2D7(1)",
        ),
        (DIN, "din", "5 5.3 5.3.1 5.3.1(1) 5.3.2 5.3.2(1) 5.3.2(2) 6 A.1 A.1(1)"),
        (
            GERMAN_ANNEX,
            "din",
            "NA.1 NA.2 NA.2.1 NA.2.2 NA.A.1 NA.A.1(1) NA.A.2 NA.A.2(1) NA.B.1 NA.B.1(1)",
        ),
        (ANNEXES, "decimal", "1 1.1 A.1 F.1 ZA.1 ZZB.1 AA.1"),
        (STEPS, "decimal", "22 22.2 22.2a 22.2a(1) 22.2a(1)(i) 22.2a(1)(ii) 22.2a(2) 22.2b"),
        (SECTION_ANNEX, "decimal", "2 2.9 2.9.1 2.A.0 2.A.1 3"),
    ],
    ids=[
        "international",
        "model code",
        "lettered",
        "coded",
        "German",
        "German annex",
        "annexes",
        "steps",
        "sections",
    ],
)
def test_each_family_is_known_and_numbered_as_it_prints(
    tmp_path: Path, pages: list[list[Print]], family: str, labels: str
) -> None:
    name, tree = _read(tmp_path, pages)
    assert name == family
    assert [label for label in tree if label in labels.split()] == labels.split()


def test_the_mark_of_a_note_in_square_brackets_numbers_no_paragraph(tmp_path: Path) -> None:
    assert "2.9.1(1)" not in _read(tmp_path, SECTION_ANNEX)[1]


def test_a_french_annex_names_its_places_after_those_of_the_code(tmp_path: Path) -> None:
    name, tree = _read(tmp_path, FRENCH_ANNEX)
    assert name == "eurocode"
    named = [label for label in tree if label.startswith(("AN", "Clause"))]
    assert named == ["AN 1", "Clause 1.5 (2)", "Clause 4.2 (1)P, Note 2", "Clause 4.3.2 (1)"]
    assert "annulée" in tree["Clause 4.2 (1)P, Note 2"].passage.text


def test_an_annex_adds_paragraphs_and_titles_to_those_of_its_code(tmp_path: Path) -> None:
    tree = _read(tmp_path, GERMAN_ANNEX)[1]
    assert tree["NCI zu 4.3 (3)"].title == "Geländerauhigkeit"
    assert "das Gelände" in tree["NCI zu 4.3 (3)(NA.5)"].passage.text
    assert "zweite" in tree["NCI zu 4.3 (3)(NA.6)"].passage.text


@pytest.mark.parametrize(
    ("pages", "label", "kind", "parent", "title"),
    [
        (ISO, "Annex A", "annex", None, "Worked examples"),
        (ISO, "5.2.1.1", "clause", "5.2.1", "Embedment"),
        (ISO, "5.2.1.1 NOTE 1", "note", "5.2.1.1", ""),
        (MODEL, "Section R301", "section", "Chapter 3", "DESIGN CRITERIA"),
        (MODEL, "Section 1607", "section", "Chapter 16", "LIVE LOADS"),
        (MODEL, "Section 1608", "section", "Chapter 16", "SNOW LOADS"),
        (MODEL, "R301.2.1", "clause", "R301.2", ""),
        (MODEL, "R301.1 Exception Item 2", "item", "R301.1 Exception", ""),
        (NCC, "Part D2", "section", "Section D", "Construction of exits"),
        (NCC, "D2.2", "clause", "Part D2", "Goings and risers"),
        (NCC, "D2.2(a)(ii)", "item", "D2.2(a)", ""),
        (CODED, "S5C3", "clause", "Specification 5", "Exposure"),
        (CODED, "D2D7", "clause", "Part D2", "Dimensions of exits"),
        (SECTION_ANNEX, "2.A.1", "clause", "Annex 2.A", "Compartments"),
        (SECTION_ANNEX, "Annex 2.A", "annex", None, "Additional guidance"),
        (DIN, "Anhang A", "annex", None, "Beispiele"),
        (DIN, "5.3.2(2)", "paragraph", "5.3.2", ""),
        (ANNEXES, "Annex F", "annex", None, "Forms"),
        (ANNEXES, "Annex ZZB", "annex", None, "Regulations"),
        (ANNEXES, "AA.1", "clause", "Annex AA", ""),
        (ANNEXES, "1.1 Exception 2", "item", "1.1 Exception", ""),
        (ANNEXES, "1.1 NOTES 2", "item", "1.1 NOTES", ""),
    ],
)
def test_places_of_each_family_stand_where_they_belong(
    tmp_path: Path, pages: list[list[Print]], label: str, kind: str, parent: str | None, title: str
) -> None:
    _, tree = _read(tmp_path, pages)
    clause = tree[label]
    assert (clause.kind, str(clause.parent) if clause.parent else None, clause.title) == (kind, parent, title)


def test_a_german_annex_is_read_by_the_places_of_its_code(tmp_path: Path) -> None:
    _, tree = _read(tmp_path, GERMAN_ANNEX)
    choices = {label: str(clause.parent) for label, clause in tree.items() if label.startswith("N")}
    assert [label for label in choices if label[:2] in {"ND", "NC"}] == [
        "NCI zu 1.5",
        "NDP zu 4.2 (1)P Anmerkung 2",
        "NDP Zu 4.2 (2)P, Anmerkungen 1 und 3",
        "NDP Zu 4.2 (2)P, Anmerkungen 1 und 3(1)",
        "NDP zu Tabelle 6.1DE",
        "NDP zu 8.3.2 (1)",
        "NCI zu 4.3 (3)",
        "NCI zu 4.3 (3)(NA.5)",
        "NCI zu 4.3 (3)(NA.6)",
        "NCI zu Anhang A",
        "NDP zu A.2 (1)",
    ]
    assert choices["NDP zu 4.2 (1)P Anmerkung 2"] == "NA.2.2"
    assert "Bild NA.A.1" in tree["NDP zu 4.2 (1)P Anmerkung 2"].passage.text
    assert "ist entfallen" in tree["NDP zu 8.3.2 (1)"].passage.text
    assert not {"NA.2.2(1)", "4.2(1)", "8.3.2(1)"} & tree.keys()
    assert str(tree["NA.B.1"].parent) == "Anhang NA.B"
    assert not tree["NA.B.1(1)"].normative
    assert tree["NA.A.1(1)"].normative


@pytest.mark.parametrize(("pages", "annex"), [(ISO, "Annex A"), (DIN, "Anhang A")])
def test_informative_annexes_are_told_in_each_language(
    tmp_path: Path, pages: list[list[Print]], annex: str
) -> None:
    _, tree = _read(tmp_path, pages)
    assert not tree[annex].normative
    assert not tree["A.1"].normative
    assert tree["6" if "6" in tree else "5"].normative
