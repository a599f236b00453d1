"""Numbering is found in the document: made pages of many conventions, none of them known to the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Clause
from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.schemes import GENERIC
from tests.ingest.made import Print, column, layouts, scheme

SENTENCE = "The assembly shall carry the loads of this code for all of its life without any loss."
MORE = "Where that cannot be shown the assembly shall be tested in the way that is described below."


def _page(*rows: str) -> list[Print]:
    return column(*rows)


def _text(*titles: str) -> list[str]:
    """Return titles each with a paragraph of text below it."""
    return [line for title in titles for line in (title, "", SENTENCE, MORE, "")]


def _listed(y: float, *titles: str) -> list[Print]:
    """Return titles right under one another, with a sentence below them."""
    below = [Print(70, y + 14 * at, title, 12, "hebo") for at, title in enumerate(titles)]
    return [*below, Print(70, y + 14 * len(titles) + 7, SENTENCE)]


HYPHENED = [
    _page(
        *_text(
            "# CHAPTER 1 INTRODUCTION", "# 1-1 PURPOSE.", "# 1-2 SCOPE.", "# 1-2.1 Limits.", "# 1-2.2 Use."
        )
    ),
    _page(*_text("# CHAPTER 2 PLANNING", "# 2-1 GENERAL.", "# 2-1.1 Sites.", r"# \2\ 2-2 /2/ AREAS.")),
    _page(*_text("# APPENDIX A BEST PRACTICE", "# A-1 INTRODUCTION.", "# A-1.1 Guides.", "# A-2 ISSUES.")),
]
REQUIREMENTS = [
    *(f"RQ/D2.6-02-{number}" for number in ("043", "043.01")),
    *(f"RQ/D2.6-01-{number}" for number in ("004", "005", "006")),
    *(f"RQ/D2.6-02-{number}" for number in ("044", "045.01.01")),
]
CODED = [
    _page(*_text("# 7.1 Models", *(f"{code} The model shall" for code in REQUIREMENTS[:5]))),
    _page(*_text("# 7.2 Safety", *(f"{code} The case shall" for code in REQUIREMENTS[5:]))),
]
CANADIAN = [
    _page(
        *_text("# Section 3.2. Building Fire Safety", "# 3.2.1. General"),
        "3.2.1.1. Exceptions in Determining Building Height",
        "1) A roof-top enclosure shall not be considered as a storey in calculating the height.",
        "2) A space under tiers of seats shall not be considered as adding to the height.",
        "3.2.1.2. Storage Garage Considered as a Separate Building",
        "1) A basement used as a storage garage is permitted to be a separate building.",
        *_text("# 3.2.2. Construction"),
        "3.2.2.1. Application",
        "1) Except as permitted below a building shall be constructed in conformance with this.",
        "3.2.2.2. Special Buildings",
        "1) A building that cannot be classified shall be protected in a way that is acceptable.",
    )
]
CENTRED = [
    [
        *column(SENTENCE, MORE, x=70, y=60 + 17 * turn),
        Print(270, 140 + 17 * turn, chapter),
        *(Print(270, 180 + 17 * turn + 110 * at, f"Section {number}") for at, number in enumerate(numbers)),
        *(Print(250, 205 + 17 * turn + 110 * at, "Scope and limits", font="heit") for at in range(4)),
        *(Print(70, 230 + 17 * turn + 110 * at, SENTENCE) for at in range(4)),
        *(Print(70, 242 + 17 * turn + 110 * at, MORE) for at in range(4)),
    ]
    for turn, (chapter, numbers) in enumerate(
        (("Chapter 1", (1, 2, 3, 4)), ("Chapter 2", (5, 6, 7, 8)), ("Chapter 3", (9, 10, 11, 12)))
    )
]
RESIDENTIAL = [
    _page(
        *_text("# CHAPTER 3", "# SECTION R301", "R301.1 Application.", "R301.2 Climate.", "R301.2.1 Wind."),
    ),
    _page(
        *_text(
            "R301.2.1.1 Limits.", "R301.2.2 Seismic.", "# SECTION R302", "R302.1 Walls.", "R302.2 Townhouses."
        )
    ),
]
COMMENTED = [
    _page(
        *_text(
            "# 5. Loads", "# 5.1 Wind", "# C5.1 Commentary on wind", "# 5.2 Snow", "# C5.2 Commentary on snow"
        ),
    ),
    _page(
        *_text("# 5.3 Rain", "# C5.3 Commentary on rain", "# 5.4 Ice", "# 5.4.1 Glaze", "# C5.4.1 On glaze")
    ),
]
SIGNED = [
    _page(*_text("# § 1 Begriffe", "# § 2 Anwendung", "# § 3 Abstand", "# § 4 Nachweis", "# § 4a Ausnahmen"))
]
BEHIND = [
    _page(*_text("# 1 § Tillämpning", "# 2 § Krav", "# 3 § Provning", "# 4 § Kontroll", "# 5 § Tillsyn"))
]
ARTICLES = [
    _page(*_text("# TITRE I DISPOSITIONS", "# Article 1 Objet", "# Article 2 Domaine", "# Article 3 Termes")),
    _page(*_text("# TITRE II OUVRAGES", "# Article 4 Murs", "# Article 5 Toits", "# Article 6 Sols")),
]
ROMAN = [
    _page(*_text("# PART I GENERAL", "# 1 Scope", "# 2 Terms", "# 3 Units")),
    _page(*_text("# PART II WALLS", "", "# 1 Materials", "# 2 Design", "# 3 Tests")),
    _page(*_text("# PART III ROOFS", "# 1 Products", "# 2 Spans", "# 3 Proofs of them")),
]
LETTERED = [
    _page(
        *_text(
            "B1.1 Scope of it", "B1.2 Terms in use", "B2.1 Walls of it", "B2.13 Doors in them", "B3.1 Roofs"
        )
    )
]
PLAIN = [  # numbers that count on in plain type, with items that begin again
    _page(
        f"# PART {part} RULES",
        *(
            line
            for number in range(first, first + 6)
            for line in ("", f"{number}. {SENTENCE}", f"(1) {MORE}", f"(2) {SENTENCE}")
        ),
    )
    for part, first in enumerate((1, 7, 13, 19, 25), 1)
]
GAPS = [  # numbers of which some were repealed, and that begin again in a schedule
    *(
        _page(
            f"# PART {part} RULES",
            *(
                line
                for number in range(first, first + 6)
                if number not in {4, 15, 16, 27}
                for line in ("", f"{number}. {SENTENCE}", f"(1) {MORE}", f"(2) {SENTENCE}")
            ),
        )
        for part, first in enumerate((1, 7, 13, 19, 25), 1)
    ),
    _page("# SCHEDULE A FEES", *(line for number in range(1, 9) for line in ("", f"{number}. {MORE}"))),
]
SCHEDULES = [  # annexes that running heads alone name
    *PLAIN,
    *(
        [
            Print(250, 30, "THE TOWN OF ABBEY", font="hebo"),
            Print(265, 44, f"Schedule {letter}", font="hebo"),
            *column(f"# {title}", "", f"(1) {SENTENCE}", f"(2) {MORE}", SENTENCE, MORE, y=100),
        ]
        for letter, title in (("A", "Fees and charges"), ("B", "Other fees"), ("C", "Walls"))
    ),
]
PARTS = (
    "Beams",
    "Slabs",
    "Walls",
    "Roofs",
    "Stairs",
    "Doors",
    "Ramps",
    "Lifts",
    "Ducts",
    "Pipes",
    "Tanks",
    "Ties",
)
BY_LAW = [  # a list of contents without pages, titles over numbers, of which some hold subsections
    _page("# CONTENTS", "", *(f"{at}. {part} of the house" for at, part in enumerate(PARTS, 1))),
    *(
        _page(
            *[""] * (first % 5),
            *(
                line
                for at, part in enumerate(PARTS[first : first + 2], first + 1)
                for line in (
                    f"# {part} of the house",
                    "",
                    *(
                        (f"{at}. (1) {part} shall be sound.", "", f"(2) {part} shall be kept dry.")
                        if at % 2
                        else (f"{at}. {part} shall be sound and be kept dry.",)
                    ),
                    "",
                )
            ),
        )
        for first in range(0, 12, 2)
    ),
    _page(
        "# SCHEDULE 1", "", "# FEES", "", "1. Those of beams.", "", "2. Those of doors.", "", "3. All others."
    ),
    _page("# SCHEDULE 2", "", "", "# FORMS", "", "1. That of ties.", "", "2. That of lifts."),
]
SUBSECTIONS = [
    _page(
        *[""] * first,
        *(
            line
            for at, part in enumerate(PARTS[first : first + 2], first + 1)
            for line in (
                f"# § 6-{at}. {part}",
                "",
                f"A. {part} shall be sound. {SENTENCE}",
                "",
                f"A.1. {part} shall be dry.",
                "",
                f"B. {part} shall be held so that:",
                *("", f"> (1) No {part} shall fall.", "", f"> (2) All {part} shall last.", ""),
                *(f"# HEADS OF {part}", "", f"{part} of a table", "", f"C. {part} shall be named.", ""),
            )
        ),
    )
    for first in (0, 2, 4)
]
LISTS = [  # the same in the lists of titled sections
    _page(
        *(
            line
            for number in range(first, first + 3)
            for line in (
                f"# {number}.1 Rules",
                "",
                SENTENCE,
                f"1. {MORE}",
                f"2. {SENTENCE}",
                f"3. {MORE}",
                "",
            )
        )
    )
    for first in (1, 4)
]


CODES = [  # whole numbers that name what they stand before, in no order
    _page(
        *(line for number in numbers for line in (f"# {number} Deck {'x' * number}", SENTENCE)),
        *(f"60.{part} Formed in way {'x' * part}" for part in (1, 2, 3) if numbers[-1] == 60),
    )
    for numbers in ((12, 26, 31, 38, 43, 54, 60), (11, 14, 27, 33, 45, 57, 59))
]
CODES[-1] += _listed(480, "72 Joint of steel", "61 Joint of rubber")
NUMERALS = [  # in the type of the text, over items and letters that begin again in each
    _page(
        *(
            line
            for number in numbers
            for line in (
                f"{number}. FINDINGS OF {number}",
                "",
                MORE,
                "",
                f"1. {SENTENCE}",
                f"A. {MORE}",
                f"B. {SENTENCE}",
                "",
            )
        )
    )
    for numbers in (("I", "II", "III"), ("IV", "V", "VI"))
]
ITEMS = [
    _page(*_text(*(f"# Item {number} - Road {number} in its width" for number in numbers)))
    for numbers in (("1", "2", "2A", "3", "3.1", "3.2"), ("3A", "4", "5", "6", "6A"))
]
ITEMS[-1] += _listed(560, "Item 7.1 - Main span", "Item 7.2 - Side span")
HANGING = [  # the title of a page that holds indented text stands out of its column
    [
        Print(x, 200 + 17 * turn, f"3.2.{number}. {PARTS[turn]} of the house", font="hebo"),
        *(Print(140, 230 + 17 * turn + 12 * row, SENTENCE[:60]) for row in range(9)),
    ]
    for turn, (number, x) in enumerate(((4, 140), (5, 140), (6, 140), (7, 140), (8, 140), (23, 60)))
]


STATUTE = [  # the sections that a statute changes stand in its own, each with its own numbers
    _page(*_text(*(f"# {number}" for number in group)))
    for group in (
        ("7511.0101 SECTION 101, GENERAL.", "101.1 Title", "7511.0202 SECTION 202, TERMS.", "202.3 Beams"),
        ("7511.0507 SECTION 507, WATER.", "507.3 Flow", "507.5 Hydrants", "7511.0905 SECTION 905, PIPES."),
        ("905.3 Risers", "7511.1020 SECTION 1020, HALLS.", "1020.1 Width", "1020.6 Ends"),
    )
]
MEASURES = [  # two counts whose letters take turns
    _page(*_text(f"# R{n}. Requirement {n} of it", f"M{n}. The owner shall show it in writing to all."))
    for n in range(1, 5)
]
HUNDREDS = [
    _page(*_text("# ARTICLE 1", "# § 60-100 Use", "# § 60-105 Sale", "# § 60-110 Hire")),
    _page(*_text("# ARTICLE 9", "# § 60-905 Keys", "# § 60-1000 Bags", "# § 60-1205 Leaf blowers")),
]
CHINESE = [
    [
        Print(x, 70 + 22 * at, text, 10, "china-s")
        for at, (x, text) in enumerate(
            [
                (240, "第1章 总则"),
                (70, "1.0.1 为了适应建筑结构设计的需要制定本规范。"),
                (70, "1.0.2 本规范适用于建筑工程的结构设计。"),
                (240, "第2章 荷载"),
                (240, "2.1 荷载分类"),
                (70, "2.1.1 建筑结构的荷载可分为下列三类。"),
                (70, "2.1.2 建筑结构设计时应按本规范采用。"),
                (240, "附录A 常用材料自重"),
                (70, "A.0.1 常用材料和构件的自重可按表采用。"),
            ]
        )
    ]
]


def _tree(folder: Path, pages: list[list[Print]]) -> dict[str, Clause]:
    clauses, _ = build_clauses(layouts(folder, *pages), frozenset(), scheme(GENERIC))
    return {clause.label.key if clause.label.parts[:-1] else str(clause.label): clause for clause in clauses}


@pytest.mark.parametrize(
    ("pages", "labels"),
    [
        (HYPHENED, "CHAPTER_1 1-1 1-2 1-2.1 1-2.2 CHAPTER_2 2-1 2-1.1 2-2 APPENDIX_A A-1 A-1.1 A-2"),
        (
            CODED,
            " ".join(["7.1", *REQUIREMENTS[:5], "7.2", *REQUIREMENTS[5:]]),
        ),
        (
            CANADIAN,
            "3.2.1 3.2.1.1 3.2.1.1(1) 3.2.1.1(2) 3.2.1.2 3.2.1.2(1) 3.2.2 3.2.2.1 3.2.2.1(1) 3.2.2.2",
        ),
        (
            CENTRED,
            "Chapter_1 Section_1 Section_4 Chapter_2 Section_5 Section_8 Chapter_3 Section_9 Section_12",
        ),
        (RESIDENTIAL, "SECTION_R301 R301.1 R301.2 R301.2.1 R301.2.1.1 R301.2.2 SECTION_R302 R302.1 R302.2"),
        (COMMENTED, "5 5.1 C5.1 5.2 C5.2 5.3 C5.3 5.4 5.4.1 C5.4.1"),
        (SIGNED, "§_1 §_2 §_3 §_4 §_4a"),
        (BEHIND, "1_§ 2_§ 3_§ 4_§ 5_§"),
        (ARTICLES, "TITRE_I Article_1 Article_2 Article_3 TITRE_II Article_4 Article_5 Article_6"),
        (ROMAN, "PART_I PART_I/1 PART_I/3 PART_II PART_II/1 PART_II/3 PART_III PART_III/1 PART_III/3"),
        (CHINESE, "第1章 1.0.1 1.0.2 第2章 2.1 2.1.1 2.1.2 附录A"),
        (LETTERED, "B1.1 B1.2 B2.1 B2.13 B3.1"),
        (PLAIN, "PART_1 1 2 3 4 5 6 PART_2 7 8 9 10 11 12 PART_5 25 30"),
        (GAPS, "PART_1 PART_1/1 PART_1/5 PART_2/7 14 17 PART_4 PART_5 26 28 30 SCHEDULE_A/1 SCHEDULE_A/8"),
        (SCHEDULES, "PART_1 1 6 PART_5 25 30 Schedule_A Schedule_A(1) Schedule_B Schedule_C Schedule_C(1)"),
        (BY_LAW, "1 1(1) 1(2) 2 3 3(2) 4 8 12 SCHEDULE_1 SCHEDULE_1/1 SCHEDULE_1/3 SCHEDULE_2 SCHEDULE_2/2"),
        (SUBSECTIONS, "§_6-1 §_6-1A §_6-1A.1 §_6-1B §_6-1B(1) §_6-1B(2) §_6-1C §_6-2 §_6-6 §_6-6B(2) §_6-6C"),
        (LISTS, "1.1 2.1 3.1 4.1 5.1 6.1"),
        (CODES, "12 26 31 38 43 54 60 11 14 27 33 45 57 59 72 61"),
        (NUMERALS, "I II III IV V VI"),
        (ITEMS, "Item_1 Item_2 Item_2A Item_3 Item_3.1 Item_3.2 Item_3A Item_6 Item_6A Item_7.1 Item_7.2"),
        (STATUTE, "7511.0101 101.1 7511.0202 202.3 7511.0507 507.3 507.5 7511.0905 905.3 7511.1020 1020.1"),
        (MEASURES, "R1 M1 R2 M2 R3 M3 R4 M4"),
        (HUNDREDS, "ARTICLE_1 §_60-100 §_60-105 §_60-110 ARTICLE_9 §_60-905 §_60-1000 §_60-1205"),
        (HANGING, "3.2.4 3.2.5 3.2.6 3.2.7 3.2.8 3.2.23"),
    ],
)
def test_the_numbers_of_a_document_are_found_in_it(
    tmp_path: Path, pages: list[list[Print]], labels: str
) -> None:
    found = [label.replace(" ", "_") for label in _tree(tmp_path, pages)]
    assert [label for label in found if label in labels.split()] == labels.split()


def test_a_heading_over_each_number_is_its_title(tmp_path: Path) -> None:
    tree = _tree(tmp_path, BY_LAW)
    assert [tree[number].title for number in ("1", "2", "12")] == [
        "Beams of the house",
        "Slabs of the house",
        "Ties of the house",
    ]
    assert tree["SCHEDULE 1"].title == "FEES"


def test_numbers_of_lists_open_no_sections(tmp_path: Path) -> None:
    assert not [label for label, clause in _tree(tmp_path, LISTS).items() if clause.kind == "section"]


def test_a_series_that_a_family_does_not_know_stands_beside_its_own(tmp_path: Path) -> None:
    numbers = [(f"7511.{n:02}01", f"{n}01.1") for n in range(1, 13)]
    pages = [
        _page(
            *_text(
                *(
                    f"# {one} {title}"
                    for pair in numbers[at : at + 3]
                    for one, title in zip(pair, ("SECTION, WORK.", "Scope of it"), strict=True)
                )
            )
        )
        for at in range(0, 12, 3)
    ]
    clauses, _ = build_clauses(layouts(tmp_path, *pages), frozenset(), scheme("model_code"))
    assert {str(clause.label) for clause in clauses} >= {one for pair in numbers for one in pair}


def test_numbered_items_are_places_of_what_they_stand_in(tmp_path: Path) -> None:
    items = [f"{n}. The {part.lower()} shall carry its load." for n, part in enumerate(PARTS[:3], 1)]
    pages = [_page(*_text("# 3.1 Walls"), *items, *_text("# 3.2 Floors"), *items, *_text("# 3.3 Ends"))]
    tree = _tree(tmp_path, pages)
    found = {label: str(place.parent) for label, place in tree.items() if place.kind == "paragraph"}
    assert found == {f"{home}({n})": home for home in ("3.1", "3.2") for n in (1, 2, 3)}


def test_numbers_that_begin_again_without_a_part_are_told(tmp_path: Path) -> None:
    titles = ("Scope", "Terms", "Units", "Walls", "Roofs", "Floors")
    first, other = (
        _page(*shift, *(line for at, title in enumerate(titles, 1) for line in (f"# {at}.1 {title}", MORE)))
        for shift in ((), ("", ""))
    )
    _, problems = build_clauses(layouts(tmp_path, first, other), frozenset(), scheme(GENERIC))
    assert [problem.page for problem in problems if "begin again" in problem.message] == [2]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        ["# 1 Scope", SENTENCE, "# 7.9 Later", SENTENCE, "# 3.1 Before", SENTENCE],
        ["1.1 Again and again the same"] * 40,
        ["0.5 0.7 0.9", "1.2", "(1)", "§", "§ 12", "第章", "A.", "1." + "1." * 40],
    ],
)
def test_no_numbering_is_too_strange_to_be_read(tmp_path: Path, rows: list[str]) -> None:
    build_clauses(layouts(tmp_path, _page(*rows)), frozenset(), scheme(GENERIC))
