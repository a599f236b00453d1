"""Made pages in the style of families that the program has no file for, and the tree that stands in them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.schemes import GENERIC
from tests.ingest.made import BOLD, PLAIN, Print, layouts, scheme

TEXT = (
    "The parts shall carry all of the loads",
    "of this code for as long as they stand,",
    "and all of their own weight besides.",
)
OTHER = (
    "Where that is not shown they are tested",
    "in the way that is described in here, and",
    "the outcome of each test is written down.",
)

# A row is a title "#", the words of a numbered text, or an item of a list; each says the label of its
# place and, behind "<", that of the place over it.
STYLES: dict[str, tuple[str, ...]] = {
    "Norway": (
        "# Kapittel 12 Planer|Kapittel 12<",
        "# § 12-1 Krav|§ 12-1<Kapittel 12",
        "# § 12-2 Boenhet|§ 12-2<Kapittel 12",
        "(1) Boenheten skal ha en inngang.|§ 12-2(1)<§ 12-2",
        "(2) I byggverk skal det brukes:|§ 12-2(2)<§ 12-2",
        "a) bad med fri plass|§ 12-2(2)a<§ 12-2(2)",
        "b) kjøkken med fri plass|§ 12-2(2)b<§ 12-2(2)",
        "# § 12-3 Heis|§ 12-3<Kapittel 12",
        "# § 12-4 Inngang|§ 12-4<Kapittel 12",
        "# § 12-5 Bruk|§ 12-5<Kapittel 12",
        "# Kapittel 13 Klima|Kapittel 13<",
        "# § 13-1 Luft|§ 13-1<Kapittel 13",
        "# § 13-2 Lys|§ 13-2<Kapittel 13",
    ),
    "Germany": (
        "# 5 Bemessung|5<",
        "# 5.1 Allgemeines|5.1<5",
        "(1) Die Bauteile sind zu bemessen.|5.1(1)<5.1",
        "(2) Die Nachweise sind zu führen.|5.1(2)<5.1",
        "# 5.2 Nachweise|5.2<5",
        "# 5.3 Lasten|5.3<5",
        "# 5.3.1 Wind|5.3.1<5.3",
        "# 5.3.2 Schnee|5.3.2<5.3",
        "# 5.3.2.1 Dächer|5.3.2.1<5.3.2",
        "(1) Die Beiwerte sind anzusetzen.|5.3.2.1(1)<5.3.2.1",
        "(2) Die Werte sind anzusetzen.|5.3.2.1(2)<5.3.2.1",
        "# 6 Brücken|6<",
        "# 6.1 Allgemeines|6.1<6",
    ),
    "Australia": (
        "# Part F4 Facilities|Part F4<",
        "# F4D1 Provisions|F4D1<Part F4",
        "# F4D2 Number|F4D2<Part F4",
        "(1) Facilities must be provided.|F4D2(1)<F4D2",
        "(2) Facilities must be:|F4D2(2)<F4D2",
        "(a) separate for males|F4D2(2)(a)<F4D2(2)",
        "(b) separate for females|F4D2(2)(b)<F4D2(2)",
        "# F4D3 Dwellings|F4D3<Part F4",
        "# F4D4 Others|F4D4<Part F4",
        "# F4D5 Access|F4D5<Part F4",
        "# Part F5 Heights|Part F5<",
        "# F5P1 Height|F5P1<Part F5",
        "# F5D1 Provisions|F5D1<Part F5",
        "# F5D2 Rooms|F5D2<Part F5",
    ),
    "Sri Lanka": (
        "# 6 Ventilation|6<",
        "# 6.1 General|6.1<6",
        "# 6.2 Compliance|6.2<6",
        "6.2.1 All plant shall comply with 6.1.|6.2.1<6.2",
        "6.2.2 Works of another kind shall comply with 6.3.|6.2.2<6.2",
        "# 6.3 Mandatory provisions|6.3<6",
        "# 6.3.1 Tests|6.3.1<6.3",
        "6.3.1.1 Values of plant listed here are certified.|6.3.1.1<6.3.1",
        "6.3.1.2 Values of other plant are measured.|6.3.1.2<6.3.1",
        "# 6.3.2 Loads|6.3.2<6.3",
        "# 6.3.3 Controls|6.3.3<6.3",
        "# 6.3.4 Pipes|6.3.4<6.3",
        "# 6.3.5 Ducts|6.3.5<6.3",
        "# 6.4 Balancing|6.4<6",
        "# 7 Hot water|7<",
        "# 7.1 General|7.1<7",
        "# 7.2 Compliance|7.2<7",
        "# 7.3 Plant|7.3<7",
    ),
    "Canada": (
        "# Section 9.8. Stairs|Section 9.8<",
        "# 9.8.1. General|9.8.1<Section 9.8",
        "# 9.8.1.1. Application|9.8.1.1<9.8.1",
        "1) This Section applies to stairs.|9.8.1.1(1)<9.8.1.1",
        "2) Stairs shall conform to these:|9.8.1.1(2)<9.8.1.1",
        "a) the run shall be uniform, and|9.8.1.1(2)a<9.8.1.1(2)",
        "b) the rise shall be|9.8.1.1(2)b<9.8.1.1(2)",
        "i) not more than 200, or|9.8.1.1(2)b(i)<9.8.1.1(2)b",
        "ii) not less than 125.|9.8.1.1(2)b(ii)<9.8.1.1(2)b",
        "# 9.8.1.2. Exits|9.8.1.2<9.8.1",
        "# 9.8.2. Sizes|9.8.2<Section 9.8",
        "# 9.8.2.1. Width|9.8.2.1<9.8.2",
        "1) The width shall be measured.|9.8.2.1(1)<9.8.2.1",
        "# 9.8.2.2. Height|9.8.2.2<9.8.2",
    ),
    "United States": (
        "# CHAPTER 16 DESIGN|CHAPTER 16<",
        "# SECTION 1607 LIVE LOADS|SECTION 1607<CHAPTER 16",
        "1607.1 General.|1607.1<SECTION 1607",
        "1607.2 Loads.|1607.2<SECTION 1607",
        "1607.8 Handrails.|1607.8<SECTION 1607",
        "1607.8.1 Guards.|1607.8.1<1607.8",
        "1607.8.1.1 Points.|1607.8.1.1<1607.8.1",
        "1607.8.1.2 Infill.|1607.8.1.2<1607.8.1",
        "1607.9 Barriers.|1607.9<SECTION 1607",
        "# SECTION 1608 SNOW|SECTION 1608<CHAPTER 16",
        "1608.1 General.|1608.1<SECTION 1608",
    ),
    "Eurocode": (
        "# Section 6 Limit states|Section 6<",
        "# 6.1 General|6.1<Section 6",
        "(1)P It shall be verified.|6.1(1)<6.1",
        "(2) It may be verified.|6.1(2)<6.1",
        "# 6.2 Shear|6.2<Section 6",
        "# 6.3 Torsion|6.3<Section 6",
        "# 6.3.1 General|6.3.1<6.3",
        "(1)P It shall be made.|6.3.1(1)<6.3.1",
        "(2)P It shall be so.|6.3.1(2)<6.3.1",
        "# Annex A (informative) Factors|Annex A<",
        "# A.1 General|A.1<Annex A",
        "(1) They may change.|A.1(1)<A.1",
    ),
    "concrete": (
        "# CHAPTER 25 DETAILS|CHAPTER 25<",
        "# 25.1 Scope|25.1<CHAPTER 25",
        "25.1.1 This chapter is on bars.|25.1.1<25.1",
        "R25.1.1 Methods are elsewhere.|R25.1.1<25.1.1",
        "# 25.4 Anchorage|25.4<CHAPTER 25",
        "25.4.1 Bars shall be anchored.|25.4.1<25.4",
        "R25.4.1 This is new.|R25.4.1<25.4.1",
        "25.4.2 Lengths shall be kept.|25.4.2<25.4",
        "25.4.2.1 They are these.|25.4.2.1<25.4.2",
        "R25.4.2.1 They were tested.|R25.4.2.1<25.4.2.1",
        "25.4.2.2 Hooks are shorter.|25.4.2.2<25.4.2",
    ),
    "New Zealand": (
        "# 4 FOUNDATIONS|4<",
        "# 4.1 GENERAL|4.1<4",
        "4.1.1 Scope of them|4.1.1<4.1",
        "4.1.2 Types of them|4.1.2<4.1",
        "# 4.2 SOIL|4.2<4",
        "4.2.1 Tests of it|4.2.1<4.2",
        "# 4.3 MATERIALS|4.3<4",
        "4.3.1 Concrete in them|4.3.1<4.3",
        "4.3.2 Timber in them:|4.3.2<4.3",
        "(a) Piles shall be of timber;|4.3.2(a)<4.3.2",
        "(b) Posts shall be of steel.|4.3.2(b)<4.3.2",
        "4.3.3 Steel in them|4.3.3<4.3",
        "# 5 BRACING|5<",
        "# 5.1 GENERAL|5.1<5",
    ),
    "statute": (
        "# PART 1 GENERAL|PART 1<",
        "1. (1) This is an Act on walls.|1<PART 1",
        "(2) It is not on roofs.|1(2)<1",
        "2. (1) Walls are of brick.|2<PART 1",
        "# PART 2 DOORS|PART 2<",
        "3. (1) Doors are of wood.|3<PART 2",
        "(2) Others are of steel.|3(2)<3",
        "3A. (1) Locks are kept.|3A<PART 2",
        "4. (1) Windows open.|4<PART 2",
    ),
}


def _pages(rows: tuple[str, ...], font: str, *, columns: int) -> list[list[Print]]:
    """Print the rows, each with three lines of text behind it, in one or two columns, not level."""
    printed: list[tuple[float, str, str]] = []  # white above, text, font
    for at, row in enumerate(rows):
        words = row.partition("|")[0]
        if words.startswith("# "):
            printed += [
                (22, words[2:], font),
                (22, TEXT[0], PLAIN),
                *((13, line, PLAIN) for line in TEXT[1:]),
            ]
        elif words[:1].islower() or words.endswith(":") or words[:2] in {"(a", "(b"}:
            printed.append((22, words, PLAIN))
        else:
            printed += [(22, words, PLAIN), *((13, line, PLAIN) for line in (TEXT if at % 2 else OTHER))]
    pages: list[list[Print]] = [[]]
    column, y = 0, 60.0
    high = sum(white for white, _, _ in printed)
    low = (
        20.0 + high / columns / math.ceil(high / columns / 600) if columns > 1 else 700.0
    )  # the last is longest
    for white, text, face in printed:
        if y > low and white == 22:
            column, y = (column + 1, 65.0) if column + 1 < columns else (0, 60.0)
            pages += [[]] if column == 0 else []
        y += white
        pages[-1].append(Print(60 + 260 * column, y, text, 10, face))
    return pages


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("font", [BOLD, PLAIN], ids=["bold", "plain"])
@pytest.mark.parametrize("name", STYLES)
def test_the_tree_of_a_code_in_a_style_of_its_own(tmp_path: Path, name: str, font: str, columns: int) -> None:
    rows = STYLES[name]
    pages = _pages(rows, font, columns=columns)
    clauses, _ = build_clauses(layouts(tmp_path, *pages), frozenset(), scheme(GENERIC))
    found = {f"{c.label.parts[-1]}<{c.parent.parts[-1] if c.parent else ''}" for c in clauses}
    assert [row.partition("|")[2] for row in rows if row.partition("|")[2] not in found] == []
