"""Tables of whole documents: found, read, noted, joined over pages, and never made out of prose."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.document import Table
from appliance.core.files import data_folder
from appliance.ingest.page import Found, Line, PageLayout, Stroke
from appliance.ingest.structure.schemes import Scheme, choose, load_schemes, with_words
from appliance.ingest.tables.finder import find_tables
from tests.ingest.drawn import across, band, down, lattice, layout, line, prose, row
from tests.ingest.made import laid_out

SCHEME = with_words(next(scheme for scheme in load_schemes() if scheme.name == "eurocode"), "")
XS = (60.0, 260.0, 400.0)


def tables_of(*pages: PageLayout, scheme: Scheme = SCHEME) -> Found[Table]:
    return find_tables(pages, scheme)


def body(table: Table) -> list[list[str]]:
    rows = sorted({cell.row for cell in table.cells if not cell.header})
    return [[cell.text for cell in table.cells if cell.row == r] for r in rows]


def head(table: Table) -> list[str]:
    return [cell.text for cell in table.cells if cell.header]


def ruled(top: float, entries: Sequence[tuple[str, str]], name: str) -> tuple[list[Line], list[Stroke]]:
    """A captioned, fully ruled table of two columns with a bold head."""
    lines = [line(name, 150, top - 6, 11, bold=True)]
    lines += [row([(65, "Use of the area"), (265, "Load kN")], top + 14, bold=True)]
    lines += [row([(65, a), (265, b)], top + 34 + 20 * i) for i, (a, b) in enumerate(entries)]
    return lines, lattice(XS, [top + 20 * i for i in range(len(entries) + 2)])


ENTRIES = [("Floors", "2.0"), ("Stairs", "3.0"), ("Balconies", "4.0")]


def test_a_ruled_table_with_its_caption() -> None:
    lines, strokes = ruled(150, ENTRIES, "Table 6.2 – Imposed loads")
    found = tables_of(layout([*prose(60), *lines, *prose(400)], strokes))
    (table,) = found.items
    assert (str(table.label), table.title, table.captioned) == ("Table 6.2", "Imposed loads", True)
    assert (head(table), body(table)) == (["Use of the area", "Load kN"], [list(e) for e in ENTRIES])
    assert found.taken == {(1, i) for i in range(3, 8)}
    assert table.boxes[0].y0 < 144 / 800 < table.boxes[0].y1
    assert all(table.boxes[0].y0 <= cell.box.y0 <= cell.box.y1 <= table.boxes[0].y1 for cell in table.cells)


def test_a_table_without_rules() -> None:
    lines = [line("Table A.1 – Densities", 150, 100, 11, bold=True)]
    lines += [row([(80, "Material"), (300, "Density")], 124, bold=True)]
    lines += [row([(80, a), (300, b)], 140 + 14 * i) for i, (a, b) in enumerate(ENTRIES)]
    found = tables_of(layout([*lines, *prose(220, 5)]))
    assert body(found.items[0]) == [list(entry) for entry in ENTRIES]
    assert not {(1, i) for i in range(5, 10)} & found.taken


def test_rules_only_across_and_notes_in_the_frame() -> None:
    lines = [line("Table 6 Minimum gradients", 65, 100, 12, bold=True)]
    lines += [row([(65, "Flow"), (200, "Gradient")], 130, 8, bold=True)]
    lines += [row([(65, "1"), (200, "1:40 ^2")], 150, 8), row([(65, "2"), (200, "1:80*")], 166, 8)]
    lines += [
        line("Notes:", 65, 190, 7, bold=True),
        row([(65, "1."), (80, "Where no value stands, ask.")], 202, 7),
    ]
    lines += [
        row([(65, "^2"), (80, "Minimum of one closet")], 214, 7),
        row([(65, "*"), (80, "Of five")], 226, 7),
    ]
    strokes = [band(60, 80, 360, 110), *(across(y, 60, 360) for y in (110, 136, 175, 232))]
    (table,) = tables_of(layout([*lines, *prose(300)], strokes)).items
    assert body(table) == [["1", "1:40²"], ["2", "1:80*"]]
    assert [(note.mark, note.text) for note in table.notes] == [
        ("1", "Where no value stands, ask."),
        ("2", "Minimum of one closet"),
        ("*", "Of five"),
    ]


@pytest.mark.parametrize("heading", ["NOTES:", "Note"])
def test_the_word_over_footnotes_belongs_to_the_table(heading: str) -> None:
    lines, strokes = ruled(150, [("Floors", "2.0"), ("Stairs", "3.0")], "Table 6.2 – Imposed loads")
    lines += [line(heading, 65, 216, 8), line("1. Not for workshops.", 65, 226, 8)]
    lines += [line("2. See the annex.", 65, 236, 8)]
    found = tables_of(layout([*lines, *prose(400)], strokes))
    assert [(n.mark, n.text) for n in found.items[0].notes] == [
        ("1", "Not for workshops."),
        ("2", "See the annex."),
    ]
    assert {(1, at) for at in (4, 5, 6)} <= found.taken
    assert (1, 7) not in found.taken


def test_a_marked_row_beside_a_rule_is_no_note() -> None:
    lines, strokes = ruled(
        150, [("Tap", "1"), ("(d) Total of all the quantities", ""), ("(e) Sum", "")], "Table A2 – Taps"
    )
    (table,) = tables_of(layout([*[x for x in lines if x.words], *prose(400)], strokes)).items
    assert [entry[0] for entry in body(table)] == ["Tap", "(d) Total of all the quantities", "(e) Sum"]
    assert table.notes == ()


def test_prose_under_a_table_is_never_taken() -> None:
    lines, strokes = ruled(150, ENTRIES, "Table 6.2 – Imposed loads")
    strokes.append(across(420, 60, 400))  # the rule of a footnote far below
    found = tables_of(layout([*lines, *prose(260, 8)], strokes))
    assert found.taken == {(1, i) for i in range(5)}


@pytest.mark.parametrize("second", ["Table A.1 (continued)", "Table A.1 – Densities"])
def test_a_table_over_two_pages_is_one_and_its_head_is_kept_once(second: str) -> None:
    first, strokes = ruled(600, ENTRIES, "Table A.1 – Densities")
    later, more = ruled(80, [("Roofs", "0.6"), ("Cellars", "5.0")], second)
    found = tables_of(layout([*prose(60), *first], strokes, 1), layout([*later, *prose(400)], more, 2))
    (table,) = found.items
    assert [box.page for box in table.boxes] == [1, 2]
    assert body(table) == [*([list(e) for e in ENTRIES]), ["Roofs", "0.6"], ["Cellars", "5.0"]]
    assert [cell.box.page for cell in table.cells if cell.text in {"Floors", "Roofs"}] == [1, 2]


@pytest.mark.parametrize("overleaf", [True, False])
def test_rows_under_a_head_whose_last_rule_stands_overleaf(overleaf: bool) -> None:
    lines = [line("Table 8.1 – Classes of loads", 60, 600, 11, bold=True)]
    lines += [row([(65, "Item"), (160, "Use"), (360, "Load kN")], 622, bold=True)]
    entries = [("1", "Floors of homes", "2.0"), ("2", "Stairs", "3.0"), ("3", "Balconies", "4.0")]
    rows = [row([(65, a), (160, b), (360, c)], 644 + 16 * i) for i, (a, b, c) in enumerate(entries)]
    strokes = [across(y, 60, 500) for y in (616, 638)]
    end = rows if overleaf else [*rows, *prose(700)]
    (table,) = tables_of(layout([*prose(60), *lines, *end], strokes)).items
    assert [list(entry) in body(table) for entry in entries] == [overleaf] * 3


def turned(page: PageLayout) -> PageLayout:
    """Return the page printed a quarter turn to the left, so that its words run up."""

    def up(item: Any) -> Any:
        return replace(item, x0=item.y0, y0=600 - item.x1, x1=item.y1, y1=600 - item.x0)

    lines = tuple(
        replace(up(item), words=tuple(replace(up(w), upright=False) for w in item.words), upright=False)
        for item in page.lines
    )
    content = replace(page.content, width=800.0, height=600.0, strokes=tuple(map(up, page.content.strokes)))
    return PageLayout(content, lines)


def test_a_rotated_table_is_read_like_an_upright_one() -> None:
    lines, strokes = ruled(150, ENTRIES, "Table 6.2 – Imposed loads")
    upright = layout(lines, strokes)
    (straight,), (table,) = tables_of(upright).items, tables_of(turned(upright)).items
    assert (head(table), body(table), table.title) == (head(straight), body(straight), straight.title)
    box, flat = table.boxes[0], straight.boxes[0]
    assert (box.x0, box.x1) == pytest.approx((flat.y0, flat.y1), abs=1e-4)
    assert (box.y0, box.y1) == pytest.approx((1 - flat.x1, 1 - flat.x0), abs=1e-4)


@pytest.mark.parametrize("banded", [True, False])
def test_two_tables_side_by_side_keep_apart(banded: bool) -> None:
    strokes = [band(60, 80, 280, 110), band(320, 80, 540, 110)] if banded else []
    strokes += [across(y, x, x + 220) for y in (110, 130, 150, 170) for x in (60, 320)]
    lines = [line("Table 1 Taps", 65, 100, 12, bold=True), line("Table 2 Baths", 325, 100, 12, bold=True)]
    for x, kind in ((65, "tap"), (325, "bath")):
        lines += [row([(x, "Kind"), (x + 120, "Litres")], 125, bold=True)]
        lines += [row([(x, f"{kind} {n}"), (x + 120, str(n))], 125 + 20 * n) for n in (1, 2)]
    found = tables_of(layout([*lines, *prose(300)], strokes))
    assert [body(table) for table in found.items] == [
        [["tap 1", "1"], ["tap 2", "2"]],
        [["bath 1", "1"], ["bath 2", "2"]],
    ]


def test_a_caption_without_a_table_is_kept_and_told() -> None:
    found = tables_of(layout([line("Table 9.9 – Lost", 200, 100, 12, bold=True), *prose(140, 20)]))
    (table,) = found.items
    assert (str(table.label), table.cells) == ("Table 9.9", ())
    assert [problem.message for problem in found.problems] == [
        "No cells were found under the caption of Table 9.9."
    ]
    assert found.taken == {(1, 0)}


def test_the_title_of_a_section_names_its_table_behind_underlined_words_and_remarks() -> None:
    lines, strokes = ruled(220, ENTRIES, "x")
    titled = [line("7.3 TABLE 1 - Imposed loads", 60, 100, 12, bold=True), *prose(112, 3)]
    under = across(113.5, 60, 140)
    found = tables_of(layout([*titled, *lines[1:], *prose(460)], [under, *strokes]))
    (table,) = found.items
    assert (str(table.label), table.title, table.captioned) == ("Table 1", "Imposed loads", True)
    assert (head(table), body(table)) == (["Use of the area", "Load kN"], [list(e) for e in ENTRIES])
    assert (1, 0) not in found.taken


@pytest.mark.parametrize(("between", "count"), [("For roofs", 1), (" ".join(["words of a text"] * 6), 2)])
def test_a_grid_under_a_title_with_the_head_of_a_captioned_table_goes_on_with_it(
    between: str, count: int
) -> None:
    lines, strokes = ruled(150, ENTRIES, "Table 6.2 – Imposed loads")
    below, more = ruled(300, [("Roofs", "0.6"), ("Cellars", "5.0")], between)
    found = tables_of(layout([*lines, *below, *prose(460)], [*strokes, *more]))
    assert len(found.items) == count
    rest = [["Roofs", "0.6"], ["Cellars", "5.0"]] if count == 1 else []
    assert body(found.items[0]) == [*([list(e) for e in ENTRIES]), *rest]


def test_a_grid_without_a_caption_is_kept_and_its_lines_stay_with_the_clause() -> None:
    lines, strokes = ruled(150, ENTRIES, "x")
    found = tables_of(layout([*prose(60), *lines[1:], *prose(400)], strokes))
    (table,) = found.items
    assert (str(table.label), table.captioned, body(table)) == (
        "Table on page 1",
        False,
        [list(entry) for entry in ENTRIES],
    )
    assert found.taken == frozenset()


@pytest.mark.parametrize(
    "strokes",
    [
        [Stroke(50, 50, 560, 300, "rect")],
        [*lattice([50, 560], [50, 120, 300])],
        [band(50, 50, 560, 300)],
        [*lattice([50, 300, 560], [50, 300])],
    ],
)
def test_a_box_around_prose_is_no_table(strokes: list[Stroke]) -> None:
    assert tables_of(layout(prose(70, 15), strokes)).items == ()


def test_headings_between_rules_over_text_are_no_table() -> None:
    lines, strokes = [], []
    for top in (100, 200, 300):
        lines += [row([(62, "Item"), (200, "Card"), (300, "Digits")], top + 12), *prose(top + 30, 1)]
        strokes += [across(60, 540, top), across(60, 540, top + 16)]
    assert tables_of(layout(lines, strokes)).items == ()


def test_a_chart_is_no_table() -> None:
    strokes = lattice([100 + 40 * i for i in range(8)], [100 + 30 * i for i in range(8)])
    lines = [line(str(20 * i), 80, 105 + 30 * i, 7) for i in range(8)] + [
        line("Length of branch", 180, 330, 7)
    ]
    assert tables_of(layout([*lines, *prose(400)], strokes)).items == ()


def test_a_drawing_of_many_strokes_costs_nothing_and_is_nothing() -> None:
    dice = random.Random(7)
    strokes = []
    for _ in range(5000):
        x, y = dice.uniform(50, 500), dice.uniform(50, 700)
        strokes.append(across(y, x, x + 40) if dice.random() < 0.5 else down(x, y, y + 40))
    assert tables_of(layout(prose(70, 30), strokes)).items == ()


@pytest.mark.parametrize(
    "page", [layout([]), layout([line("Table 1", 60, 100)]), layout([row([(60, "·")], 3)])]
)
def test_pages_with_next_to_nothing_do_no_harm(page: PageLayout) -> None:
    assert all(not table.cells for table in tables_of(page).items)


DEMO = sorted((data_folder() / "demo" / "pdfs").glob("*.pdf"))


@pytest.mark.parametrize("path", DEMO, ids=lambda path: path.stem)
def test_every_table_of_the_demo_codes_is_found(path: Path) -> None:
    check(path, data_folder() / "demo" / "structure" / f"{path.stem}.structure.json")


def check(path: Path, truth: Path) -> None:
    source, layouts = laid_out(path)
    found = find_tables(layouts, choose(load_schemes(), layouts, source))
    wanted = {(t["label"], t["page"]) for t in json.loads(truth.read_text())["tables"]}
    assert {(str(t.label), t.boxes[0].page) for t in found.items if t.captioned} == wanted
    assert not found.problems


MONTHS = ("January", "February", "March", "April")


def test_an_open_table_of_two_parts_under_a_bare_label() -> None:
    """The heads share their ruled band with the months, and the second part has columns of its own."""
    lines = [line("Table 1", 60, 96)]
    lines += [row([(60, "Month"), (200, "Air, °C")], 124)]
    lines += [row([(60, month), (200, f"-{n}.5")], 140 + 14 * n) for n, month in enumerate(MONTHS)]
    lines += [row([(60, "Year"), (200, "5.6")], 200)]
    lines += [line("Radiation on vertical planes by compass point, kWh/m2", 130, 234)]
    lines += [row([(60, "Month"), (140, "N"), (220, "E"), (300, "S")], 248)]
    lines += [
        row([(60, month), *((x, f"{n}.{x}") for x in (140, 220, 300))], 262 + 14 * n)
        for n, month in enumerate(MONTHS)
    ]
    lines += [row([(60, "Year"), (140, "6.0"), (220, "7.0"), (300, "8.0")], 322)]
    strokes = [across(y, 58, 420) for y in (104, 188, 204, 220, 308, 326)]
    whole, part = tables_of(layout([*prose(40, 2), *lines, *prose(400)], strokes)).items
    assert [str(whole.label), str(part.label)] == ["Table 1", "Table 1 (2)"]
    assert [whole.captioned, part.captioned] == [True, False]
    assert body(whole) == [*[[month, f"-{n}.5"] for n, month in enumerate(MONTHS)], ["Year", "5.6"]]
    assert (
        body(part)[:2] == [[month, f"{n}.140", f"{n}.220", f"{n}.300"] for n, month in enumerate(MONTHS)][:2]
    )
    heads = {(cell.text, cell.column_span) for cell in part.cells if cell.header and cell.text}
    assert heads == {
        ("Radiation on vertical planes by compass point, kWh/m2", 3),
        *((name, 1) for name in ("Month", "N", "E", "S")),
    }
