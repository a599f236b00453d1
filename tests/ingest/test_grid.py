"""Grids from rules and from white space: spans, printed rows told from wrapped lines, raised marks."""

from __future__ import annotations

import pytest

from appliance.ingest.page import Area, Line, Rule, Stroke, covered, joined, ruling, snapped
from appliance.ingest.tables.cells import paragraph, rows_of, text_of
from appliance.ingest.tables.grid import Grid, make_grid
from tests.ingest.drawn import across, down, lattice, line_of, row, view, words


def texts(grid: Grid | None) -> list[list[str]]:
    """Return the rows of a grid as texts, spans as "rows x columns:" before the text."""
    assert grid is not None
    result: list[list[str]] = [[] for _ in range(grid.rows)]
    for cell in grid.cells:
        span = (cell.row_span, cell.column_span)
        mark = "" if span == (1, 1) else f"{span[0]}x{span[1]}:"
        result[cell.row].append(mark + paragraph(cell.lines))
    return result


def grid_of(lines: list[Line], strokes: list[Stroke], area: Area) -> list[list[str]]:
    return texts(make_grid(view(lines, strokes), area))


def test_rules_snap_and_join() -> None:
    assert [rule.at for rule in snapped([Rule(10.0, 0, 5), Rule(11.0, 5, 9), Rule(20.0, 0, 9)])] == [
        10.5,
        10.5,
        20.0,
    ]
    assert joined([Rule(10, 0, 5), Rule(10, 6, 9), Rule(10, 30, 40)]) == (Rule(10, 0, 9), Rule(10, 30, 40))
    assert covered([Rule(10, 0, 5), Rule(10, 5, 8)], 10.5, 0, 10) == pytest.approx(0.8)
    frame = ruling([Stroke(0, 0, 50, 30, "rect")])
    assert (len(frame.horizontal), len(frame.vertical), frame.fills) == (2, 2, ())


def test_a_full_lattice_gives_its_cells() -> None:
    lines = [row([(65, "Class"), (165, "Load")], 115), row([(65, "A"), (165, "2.0")], 135)]
    strokes = lattice([60, 160, 260], [100, 120, 140])
    assert grid_of(lines, strokes, Area(60, 100, 260, 140)) == [["Class", "Load"], ["A", "2.0"]]


def test_missing_rules_join_cells() -> None:
    strokes = [across(y, 60, 360) for y in (100, 140, 160, 180)] + [across(120, 160, 360)]
    strokes += [down(x, 100, 180) for x in (60, 160, 360)] + [down(260, 120, 180)]
    lines = [
        row([(65, "Case"), (200, "Conditions")], 115),
        row([(165, "snow"), (265, "drift")], 135),
        row([(65, "A"), (165, "no"), (265, "yes")], 155),
        row([(65, "B"), (165, "yes"), (265, "no")], 175),
    ]
    assert grid_of(lines, strokes, Area(60, 100, 360, 180)) == [
        ["2x1:Case", "1x2:Conditions"],
        ["snow", "drift"],
        ["A", "no", "yes"],
        ["B", "yes", "no"],
    ]


def test_white_space_parts_columns_and_lines_part_rows() -> None:
    lines = [
        row([(60, "Material"), (200, "Density")], 100, bold=True),
        row([(60, "steel"), (200, "77")], 114),
        row([(60, "glass"), (200, "25")], 128),
        row([(60, "mortar of lime"), (200, "18")], 142),
    ]
    assert grid_of(lines, [], Area(58, 88, 300, 145)) == [
        ["Material", "Density"],
        ["steel", "77"],
        ["glass", "25"],
        ["mortar of lime", "18"],
    ]


def test_a_wrapped_label_is_one_row() -> None:
    lines = [
        row([(60, "Use"), (220, "Load")], 100, bold=True),
        row([(60, "areas where people may"), (220, "4.0")], 124),
        row([(60, "congregate in great")], 135),
        row([(60, "numbers")], 146),
        row([(60, "offices"), (220, "2.0")], 170),
    ]
    assert grid_of(lines, [], Area(58, 88, 300, 175)) == [
        ["Use", "Load"],
        ["areas where people may congregate in great numbers", "4.0"],
        ["offices", "2.0"],
    ]


def test_close_rows_of_a_ruled_group_are_cut_and_their_label_holds_for_all() -> None:
    strokes = [across(y, 60, 360) for y in (120, 160, 200)]
    lines = [
        row([(60, "Valve"), (160, "Pipe"), (260, "Length")], 115, bold=True),
        row([(60, "G1"), (160, "22mm"), (260, "Up to 9m")], 132),
        row([(160, "28mm"), (260, "Up to 18m")], 143),
        row([(160, "35mm"), (260, "Up to 27m")], 154),
        row([(60, "G2"), (160, "35mm"), (260, "Up to 9m")], 172),
        row([(160, "42mm"), (260, "Up to 18m")], 183),
    ]
    assert grid_of(lines, strokes, Area(60, 100, 360, 200)) == [
        ["Valve", "Pipe", "Length"],
        ["3x1:G1", "22mm", "Up to 9m"],
        ["28mm", "Up to 18m"],
        ["35mm", "Up to 27m"],
        ["2x1:G2", "35mm", "Up to 9m"],
        ["42mm", "Up to 18m"],
    ]


def test_rules_drawn_column_by_column_part_columns() -> None:
    strokes = [across(y, x, x + 90) for y in (120, 140, 160) for x in (60, 160)]
    lines = [row([(60, "Pollutant"), (160, "Limit")], 115), row([(60, "Lead"), (160, "0.5")], 135)]
    lines += [row([(60, "Benzene"), (160, "5")], 155)]
    assert grid_of(lines, strokes, Area(60, 100, 250, 161)) == [
        ["Pollutant", "Limit"],
        ["Lead", "0.5"],
        ["Benzene", "5"],
    ]


def test_an_underlined_value_is_not_cut() -> None:
    strokes = [*lattice([60, 160, 260], [100, 120, 150]), across(136.5, 165, 180)]
    lines = [row([(65, "A"), (165, "q")], 115), row([(65, "B"), (165, "2.0")], 135), row([(165, "m")], 147)]
    assert grid_of(lines, strokes, Area(60, 100, 260, 150)) == [["A", "q"], ["B", "2.0 m"]]


@pytest.mark.parametrize(
    ("set_text", "read"),
    [
        ("18 ^2 to 90", "18² to 90"),
        ("350mm ^2", "350mm2"),
        ("kN/m ^2", "kN/m2"),
        ("stair ^1 ^,2", "stair¹,²"),
        ("75 ^a", "75ᵃ"),
        ("4.0", "4.0"),
    ],
)
def test_a_raised_mark_never_runs_into_a_value(set_text: str, read: str) -> None:
    assert text_of(rows_of(words(set_text, 60, 100))[0].words) == read


def test_a_raised_mark_stays_with_its_word_between_close_lines() -> None:
    lines = [line_of(words("trough 3 ^1", 60, 100)), line_of(words("slab 5 ^2", 60, 109))]
    assert [text_of(r.words) for r in rows_of([w for item in lines for w in item.words])] == [
        "trough 3¹",
        "slab 5²",
    ]


def test_an_area_without_words_has_no_grid() -> None:
    assert (
        make_grid(view([row([(60, "x")], 700)], lattice([60, 160], [100, 120])), Area(60, 100, 160, 120))
        is None
    )


CONDITIONS = [
    "Permanently open vents as below:",
    "If design air permeability >5.0m3 then",
    "300mm2 for the first 5kW of rated output",
    "850mm2 for the balance of rated output",
    "If design air permeability <5.0m3 then",
    "850mm2 of rated output",
]


def test_a_cell_over_narrow_columns_keeps_conditions_with_their_values() -> None:
    """Columns of a small grid at the foot of the table are no columns of the cells above it."""
    lines = [row([(65, "Appliance"), (225, "Ventilation")], 114, bold=True)]
    lines += [row([(65, "Open fire"), (225, "50% of the area of the throat of the flue")], 134)]
    for top, name in ((140, "Stove"), (240, "Cooker")):
        lines += [row([(65, name), (225, CONDITIONS[0])], top + 14)]
        lines += [row([(225, text)], top + 14 + 16 * i) for i, text in enumerate(CONDITIONS) if i]
    lines += [row([(65, "Fire size"), (225, "500"), (325, "450"), (425, "400")], 354)]
    lines += [row([(65, "Area"), (225, "20500"), (325, "18500"), (425, "16500")], 374)]
    strokes = [across(y, 60, 500) for y in (100, 120, 140, 240, 340, 360, 380)]
    strokes += [down(60, 100, 380), down(220, 100, 380), down(500, 100, 380)]
    strokes += [down(x, 340, 380) for x in (320, 420)]
    told = " ".join(CONDITIONS)
    assert grid_of(lines, strokes, Area(60, 100, 500, 380)) == [
        ["Appliance", "1x3:Ventilation"],
        ["Open fire", "1x3:50% of the area of the throat of the flue"],
        ["Stove", f"1x3:{told}"],
        ["Cooker", f"1x3:{told}"],
        ["Fire size", "500", "450", "400"],
        ["Area", "20500", "18500", "16500"],
    ]


@pytest.mark.parametrize("end", ["then", "if", "not less than", "at", "or"])
def test_an_unfinished_line_goes_on_in_the_next_without_rules(end: str) -> None:
    lines = [row([(65, "Stove"), (225, f"permeability over 5.0 {end}")], 114), row([(225, "300mm2")], 130)]
    lines += [row([(65, "Cooker"), (225, "550mm2")], 150)]
    assert grid_of(lines, [], Area(60, 100, 400, 160)) == [
        ["Stove", f"permeability over 5.0 {end} 300mm2"],
        ["Cooker", "550mm2"],
    ]


def test_lines_in_the_middle_of_a_box_are_one_label_for_all_its_rows() -> None:
    ys = [100, 130, 160, 190, 220, 250, 280]
    strokes = [across(y, 160, 360) for y in ys] + [across(y, 60, 160) for y in (100, 280)]
    strokes += [down(x, 100, 280) for x in (60, 160, 360)]
    lines = [row([(165, f"{i}.5")], y + 20) for i, y in enumerate(ys[:-1])]
    lines += [row([(65, "With")], 180), row([(65, "Parapets")], 200)]
    found = grid_of(lines, strokes, Area(60, 100, 360, 280))
    assert found[0] == ["6x1:With Parapets", "0.5"]
    assert found[1:] == [[f"{i}.5"] for i in range(1, 6)]


def test_labels_that_fill_their_box_are_one_for_each_row() -> None:
    ys = [100, 130, 160, 190]
    strokes = [across(y, 160, 360) for y in ys] + [across(y, 60, 160) for y in (100, 190)]
    strokes += [down(x, 100, 190) for x in (60, 160, 360)]
    lines = [
        row([(65, name), (165, f"{i}.5")], y + 20) for i, (y, name) in enumerate(zip(ys, "ABC", strict=False))
    ]
    assert grid_of(lines, strokes, Area(60, 100, 360, 190)) == [["A", "0.5"], ["B", "1.5"], ["C", "2.5"]]


def test_a_line_under_white_space_titles_a_group_of_a_ruled_table() -> None:
    strokes = lattice([60, 260, 360], [100, 120, 220, 240])
    lines = [
        row([(65, "Traffic"), (265, "Load")], 115),
        row([(65, "Category F")], 140),
        row([(65, "up to 30 kN"), (265, "2.5")], 152),
        row([(65, "Category G")], 185),
        row([(65, "up to 160 kN"), (265, "5.0")], 197),
        row([(65, "Others"), (265, "none")], 235),
    ]
    found = grid_of(lines, strokes, Area(60, 100, 360, 240))
    values = {entry[0]: entry[1] for entry in found if len(entry) == 2 and entry[1]}
    assert "5.0" in values.values()
    assert not any("Category F" in label and "Category G" in label for label in values)


def test_a_line_over_the_first_item_of_a_list_with_values_is_its_title() -> None:
    strokes = lattice([60, 260, 360], [100, 120, 220, 240])
    lines = [
        row([(65, "Use"), (265, "Load")], 115),
        row([(65, "Homes")], 132),
        row([(65, "- floors"), (265, "1.5")], 143),
        row([(65, "- stairs"), (265, "2.0")], 154),
        row([(65, "Others"), (265, "none")], 235),
    ]
    found = grid_of(lines, strokes, Area(60, 100, 360, 240))
    assert ["Homes", ""] in found
    assert ["- floors", "1.5"] in found
    assert ["- stairs", "2.0"] in found


def test_entries_that_begin_with_one_word_are_rows_of_their_own() -> None:
    strokes = lattice([60, 260, 360], [100, 120, 220])
    lines = [
        row([(65, "Fuel"), (265, "Density")], 115),
        row([(65, "low-temperature coke in heaps, wet"), (265, "9.8")], 135),
        row([(65, "black, dried, packed firmly on it"), (265, "6 to 9")], 147),
        row([(65, "black, dried, tipped"), (265, "3 to 6")], 159),
    ]
    found = grid_of(lines, strokes, Area(60, 100, 360, 220))
    assert ["black, dried, tipped", "3 to 6"] in found


def test_every_word_of_the_area_stands_in_one_cell() -> None:
    strokes = lattice([60, 160, 260, 360], [100, 120, 160, 200])
    lines = [row([(65 + 37 * i, f"w{n}{i}") for i in range(8)], 112 + 11 * n) for n in range(8)]
    area = Area(60, 100, 360, 200)
    seen = view(lines, strokes)
    grid = make_grid(seen, area)
    assert grid is not None
    held = sorted(word.text for cell in grid.cells for word in cell.words)
    assert held == sorted(word.text for word in seen.words_in(area))


@pytest.mark.parametrize(
    ("first", "second", "gap", "read"),
    [
        ("1", ",5", 1.0, "1,5"),
        ("24,", "0", 1.0, "24,0"),
        ("1", ",5", 2.5, "1,5"),  # no word begins with a decimal sign
        ("1,", "2", 2.0, "1, 2"),  # the blank of Times and Arial: a list of classes
        ("1", ",5", 6.0, "1 ,5"),  # drawn apart: two things
        ("1", "5", 1.0, "1 5"),  # no decimal sign: never guessed
        ("A.1,", "2", 1.0, "A.1, 2"),  # a list of numbers
        ("a", ",5", 1.0, "a ,5"),
    ],
)
def test_a_stray_blank_in_a_number_is_closed_where_hardly_any_is_drawn(
    first: str, second: str, gap: float, read: str
) -> None:
    (one,) = words(first, 60, 100)
    (two,) = words(second, one.x1 + gap, 100)
    assert text_of((one, two)) == read


@pytest.mark.parametrize("power", [None, 154, 165])
def test_a_label_beside_a_longer_list_between_two_rules_is_one_row(power: int | None) -> None:
    texts_of = [["2a", "Lower Risk", "Group"], [f"Houses of kind {i}." for i in range(6)]]
    lines = [row([(65, "Class"), (165, "Examples")], 115)]
    lines += [
        row(
            [(x, column[i]) for x, column in zip((65, 165), texts_of, strict=True) if i < len(column)],
            132 + 11 * i,
        )
        for i in range(6)
    ]
    lines += [row([(300, "2"), (330, "2")], power - 5)] if power else []  # of a unit, as scans have it
    lines.append(row([(65, "3"), (165, "Stadia.")], 212))
    strokes = lattice([60, 160, 360], [100, 120, 200, 220])
    found = grid_of(lines, strokes, Area(60, 100, 360, 220))
    assert [cells[0] for cells in found] == ["Class", "2a Lower Risk Group", "3"]


@pytest.mark.parametrize(
    ("first", "second", "rows"),
    [
        ("factory for machinery", "& engines", [["2500", "1,90", "factory for machinery & engines"]]),
        ("12,5", "7,0", [["", "", "12,5"], ["2500", "1,90", "7,0"]]),
    ],
)
def test_words_over_the_line_of_the_label_are_of_its_row(
    first: str, second: str, rows: list[list[str]]
) -> None:
    ys = (100, 125, 150, 175)
    lines = [
        row([(65, "250"), (165, "1,50"), (265, "offices")], 115),
        row([(265, first)], 136, 7),
        row([(65, "2500"), (165, "1,90")], 145),
        row([(265, second)], 144, 7),
        row([(65, "5000"), (165, "2,00"), (265, "works")], 165),
    ]
    found = grid_of(lines, lattice([60, 160, 260, 400], ys), Area(60, 100, 400, 175))
    assert found[1:-1] == rows


@pytest.mark.parametrize(
    ("entries", "rows"),
    [
        (
            ["Gas: sulphur content", "≤ 50 mg/m3", "Natural gas"],
            1,
        ),  # the bound of what the line over it names
        (["up to 2", "≤ 50 mg/m3", "Natural gas"], 2),
        (["≤ 20 mg/m3", "≤ 50 mg/m3", "≤ 90 mg/m3"], 2),
    ],
)
def test_a_bound_under_the_words_that_it_bounds_begins_no_row(entries: list[str], rows: int) -> None:
    lines = [row([(65, "Class"), (165, "Fuel 1"), (265, "Fuel 2")], 115)]
    lines += [
        row([(x, texts[i]) for x, texts in ((65, ["gas"]), (165, entries), (265, ["Gas", "Natural gas"]))
             if i < len(texts)], 132 + 11 * i)
        for i in range(3)
    ]  # fmt: skip
    lines.append(row([(65, "coal"), (265, "Coal")], 182))
    strokes = lattice([60, 160, 260, 360], [100, 120, 170, 190])
    found = grid_of(lines, strokes, Area(60, 100, 360, 190))
    assert len(found) == rows + 2
    assert (found[1][1] == " ".join(entries)) == (rows == 1)


TIGHT = 11.5  # points between the baselines of close rows


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        (
            ["Halls and rooms with seats|7", "Kitchens|100", "Trade", "Sales area|30", "Store", "Goods|9"],
            ["Halls and rooms with seats", "Kitchens", "Trade", "Sales area", "Store", "Goods"],
        ),
        (  # too long for the first word under it, where others are titles
            ["Halls and rooms with seats|7", "Trade", "Sales|30", "Bar|2", "Store", "Goods|9", "Tea|8",
             "Rest", "Other|1", "Business use in general", "Concentrated use|50", "Towers|40"],
            ["Halls and rooms with seats", "Trade", "Sales", "Bar", "Store", "Goods", "Tea", "Rest", "Other",
             "Business use in general", "Concentrated use", "Towers"],
        ),
        (["Halls and rooms with seats|7", "that are fixed", "Sales area|30"],
         ["Halls and rooms with seats that are fixed", "Sales area"]),
        (["Halls and rooms with the|7", "Crown", "Sales area|30"],
         ["Halls and rooms with the Crown", "Sales area"]),
        (["Halls of more than 30 seats", "and rooms|7", "Sales area|30"],
         ["Halls of more than 30 seats and rooms", "Sales area"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ruled", [False, True])
def test_a_title_between_close_rows_is_a_row_of_its_own(
    rows: list[str], labels: list[str], *, ruled: bool
) -> None:
    assert labels_of(rows, ruled=ruled) == labels


def test_labels_over_one_value_between_two_rules_are_no_titles() -> None:
    lines = [row([(65, "Appliance"), (265, "Size")], 112, bold=True)]
    for top, names in ((118, ("Washbasin", "Bidet")), (148, ("Bath of all kinds", "Shower"))):
        lines += [row([(65, names[0])], top + 12), row([(65, names[1]), (265, "32")], top + 12 + TIGHT)]
    strokes = [across(y, 60, 400) for y in (100, 118, 148, 178)]
    labels = [cells[0] for cells in grid_of(lines, strokes, Area(60, 100, 400, 178))[1:]]
    assert labels == ["Washbasin Bidet", "Bath of all kinds Shower"]


@pytest.mark.parametrize("ruled", [False, True])
def test_a_line_that_may_begin_a_label_does_not_end_that_over_it(*, ruled: bool) -> None:
    rows = ["Halls and rooms with seats|7", "Bar|1", "Business use in general", "Concentrated use|50"]
    assert labels_of(rows, ruled=ruled)[:2] == ["Halls and rooms with seats", "Bar"]


def labels_of(rows: list[str], *, ruled: bool) -> list[str]:
    """Return the labels of a table of close rows ("label|value"), with a ruled row at its end or without."""
    cells = [text.split("|") for text in rows]
    ys = [130 + TIGHT * i for i in range(len(rows))]
    lines = [row([(65, "Use"), (265, "Area")], 112, bold=True)]
    lines += [row([(x, text) for x, text in zip((65, 265), one, strict=False)], y)
              for y, one in zip(ys, cells, strict=True)]  # fmt: skip
    lines += [row([(65, "All others"), (265, "12")], ys[-1] + 16)] if ruled else []
    levels = [100, 118, ys[-1] + 4, *([ys[-1] + 24] if ruled else [])]
    found = grid_of(lines, [across(y, 60, 400) for y in levels], Area(60, 100, 400, levels[-1]))
    labels = [cells[0].split(":")[-1] for cells in found[1:]]
    return labels[:-1] if ruled else labels


def test_what_is_said_of_a_value_in_a_ruled_cell_goes_on_with_it() -> None:
    lines = [row([(65, "Distance from"), (205, "Buffer"), (305, "Setback")], 112, bold=True)]
    lines += [
        row([(65, "Residence and public"), (205, "20 m"), (305, "40 m")], 134),
        row([(65, "Buildings within 400 m"), (205, "With a barrier"), (305, "Of which 20 m buffer")], 146),
        row([(65, "Commercial"), (205, "40 m"), (305, "60 m")], 166),
        row([(65, "Industrial"), (205, "30 m"), (305, "50 m")], 178),
    ]
    found = grid_of(lines, lattice([60, 200, 300, 440], [100, 120, 152, 184]), Area(60, 100, 440, 184))
    assert found[1:] == [
        ["Residence and public Buildings within 400 m", "20 m With a barrier", "40 m Of which 20 m buffer"],
        ["Commercial", "40 m", "60 m"],
        ["Industrial", "30 m", "50 m"],
    ]


@pytest.mark.parametrize("last", [True, False])
def test_values_stand_beside_the_last_line_of_a_label_or_beside_the_first(*, last: bool) -> None:
    values = [("C", "N"), ("P", "Y"), ("Y", "P")]
    labels = [
        ("Homes that are not in a", "park of homes"),
        ("Conversion of seasonal", "residences"),
        ("Signs",),
    ]
    lines, y = [row([(65, "Use"), (265, "Village"), (365, "Rural")], 112, bold=True)], 130.0
    for label, entry in zip(labels, values, strict=True):
        for at, text in enumerate(label):
            beside = zip((275, 375), entry, strict=True) if at == (len(label) - 1 if last else 0) else ()
            lines.append(row([(65 + 20 * bool(at), text), *beside], y))
            y += TIGHT
    found = grid_of(lines, [], Area(60, 100, 440, y))
    assert found[1:] == [[" ".join(label), *entry] for label, entry in zip(labels, values, strict=True)]


def test_a_bold_line_under_a_plain_label_begins_a_group() -> None:
    going_on = "water or for gas of any kind at all"
    rows = [
        ("Pipe, cast, for", "C151"),
        (going_on,),
        ("Electric-resistance-welded pipe",),
        ("Pipe of", "A135"),
    ]
    rows += [("wrought steel",)]
    lines = [row([(65, "Material"), (265, "Standard")], 112, bold=True)]
    for at, one in enumerate(rows):
        starts = (75 if at in {1, 4} else 65, 265)
        lines.append(row(list(zip(starts, one, strict=False)), 130 + 11 * at, bold=at == 2))
    found = grid_of(lines, [across(y, 60, 400) for y in (100, 118, 190)], Area(60, 100, 400, 190))
    assert [cells[0] for cells in found[1:]] == [
        f"Pipe, cast, for {going_on}",
        rows[2][0],
        "Pipe of wrought steel",
    ]
