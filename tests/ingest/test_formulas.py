"""Numbered formulas: number, rows, text form and the list that explains the signs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.evaluation.structure import score_document
from appliance.ingest.formulas.finder import find_formulas
from appliance.ingest.formulas.text import formula_text, number_of
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import Line, PageLayout, Rule
from appliance.ingest.pdf.reader import read
from appliance.ingest.pdf.words import line_words
from appliance.ingest.structure.schemes import choose, load_schemes
from tests.ingest.made import LIMITS, MUPDF, laid_out
from tests.ingest.pages import HEIGHT, layout, line, prose, scheme, words

DEMO = Path(__file__).parents[2] / "data" / "demo"


def formulas(*lines: Line) -> list[tuple[str, str, str]]:
    pages = {item.page for item in lines}
    layouts = [layout([item for item in lines if item.page == page], page=page) for page in sorted(pages)]
    found = find_formulas(layouts, scheme(), frozenset())
    assert not found.taken, "the clause keeps its formulas"
    return [(f.label.key, f.text, f.where) for f in found.items]


NUMBERS = [
    ("s = 2 h || (5.1)", "5.1"),
    ("s = 2 h || (6.10a)", "6.10a"),
    ("s = 2 h || (9.1N)", "9.1N"),
    ("s = 2 h || (6.10.aN)", "6.10.aN"),
    ("s = 2 h || (6.2.a)", "6.2.a"),
    ("s = 2 h || (A.3.b)", "A.3.b"),
    ("s = 2 h || (E.1N)", "E.1N"),
    ("s = 2 h || (4.lON)", "4.10N"),
    ("s = 2 h || (10N)", None),  # a force
    ("s = 2 h || (NA.1)", "NA.1"),
    ("s = 2 h || (B.2)", "B.2"),
    ("s = 2 h || (7.24 )", "7.24"),
    ("s = 2 h || 3.2(1)", "3.2(1)"),
    ("s = 2 h … 3.2(1)", "3.2(1)"),
    ("s = 2 h ... A.2(1)", "A.2(1)"),
    ("the load is that of 3.2(1)", None),
    ("s = 2 h ... 3.2", None),
    ("s = 2 h || (4,1O)", "4.10"),
    ("|| (7.22)", "7.22"),
    ("s = 2 h || (3)", "3"),
    ("the roof is flat, see (5.1)", None),  # a reference in running text
    ("Issued in its present form || (2005)", None),
    ("as given for case || (a)", None),
    ("by equation || (5.1) and (5.2)", None),
]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_the_number_at_the_right_edge(text: str, number: str | None) -> None:
    found = number_of(line(text, 100))
    assert (found.number if found else None) == number


def test_a_formula_with_its_list_of_signs() -> None:
    lines = [
        prose(80, "(1) The load on the roof is"),
        line("s = μ_i C_e s_k || (5.1)", 100, 250),
        line("where:", 120),
        line("μ_i \t is the roof shape coefficient, see 5.3;", 132, 82),
        line("s_k \t is the ground load, which is stated for each zone", 144, 82),
        line("in the National Annex.", 156, 130),
        prose(172, "(2) The value may be reduced"),
    ]
    ((label, text, where),) = formulas(*lines)
    assert (label, text) == ("(5.1)", "s = μ_i C_e s_k")
    assert where.splitlines() == [
        "where:",
        "μ_i is the roof shape coefficient, see 5.3;",
        "s_k is the ground load, which is stated for each zone",
        "in the National Annex.",
    ]


def test_a_list_explains_the_whole_group_and_may_stand_on_the_next_page() -> None:
    lines = [
        line("a = b || (5.1)", 700, 250),
        line("c = d || (5.2)", 720, 250),
        line("where:", 80, page=2),
        line("b \t is the width;", 92, 82, page=2),
        line("NOTE The width may be measured at the eaves.", 110, 82, page=2),
    ]
    assert [(label, "is the width" in where, "NOTE" in where) for label, _, where in formulas(*lines)] == [
        ("(5.1)", True, False),
        ("(5.2)", True, False),
    ]


@pytest.mark.parametrize(
    ("number", "found"),
    [("(4.7)", False), ("(5.2)", False), ("", False)],
)
def test_a_number_off_the_edge_counts_where_the_sequence_lacks_it(number: str, found: bool) -> None:
    lines = [
        line("a = b || (4.1)", 100, 250),
        prose(120, "(2) The force should be taken from expression (4.2):"),
        line(f"F_R \t J.l \t {number}", 140, 82),
        prose(160, "(3) For all other roofs"),
        line("c = d || (4.3)", 180, 250),
    ]
    labels = [label for label, _, _ in formulas(*lines)]
    assert labels == (["(4.1)", "(4.2)", "(4.3)"] if found else ["(4.1)", "(4.3)"])


def test_lines_of_tables_and_figures_hold_no_formula() -> None:
    page = layout([prose(80, "(1) The loads"), line("s = 2 h || (5.1)", 100, 250)])
    assert find_formulas([page], scheme(), frozenset({(1, 1)})).items == ()


def test_a_formula_that_is_a_picture_keeps_its_place_and_is_told() -> None:
    lines = [
        prose(80, "(1) The load on the roof is"),
        line("|| (4.1)", 120),
        prose(150, "(2) The value may be reduced"),
    ]
    found = find_formulas([layout(lines, trust="ocr")], scheme(), frozenset())
    (formula,) = found.items
    (box,) = formula.boxes
    assert formula.text == ""
    assert box.x0 < 0.2
    assert 88 < box.y0 * HEIGHT < 112
    assert [problem.box for problem in found.problems] == [box]


TEXTS = [
    ("s = s_0 [1 + x^2 ]", "s = s_0 [1 + x^2 ]"),
    ("E_d,dst ≤ 1", "E_(d,dst) ≤ 1"),
    ("7 + 8", "7 + 8"),
]


@pytest.mark.parametrize(("printed", "text"), TEXTS)
def test_indices_and_powers_stay_legible(printed: str, text: str) -> None:
    assert formula_text(words(printed, 100, 100), []) == text


def test_a_fraction_is_written_on_one_line() -> None:
    row = words("F =", 100, 100)
    over, under = words("m v", 140, 92), words("a_1 + b", 140, 108)
    bar = Rule(105, 138, 140 + 45)
    assert formula_text([*row, *over, *under], [bar]) == "F = (m v)/(a_1 + b)"


@pytest.mark.parametrize("lines", [(), (line("where:", 100),), (line("|| (5.1)", 100), line("where:", 120))])
def test_fragments_break_nothing(lines: tuple[Line, ...]) -> None:
    page: PageLayout = layout(lines)
    assert all(not item.where for item in find_formulas([page], scheme(), frozenset()).items)


@pytest.mark.parametrize("name", ["DC-1-3", "DC-1-1", "DC-1-3-2011"])
def test_the_formulas_of_the_demo_codes(name: str) -> None:
    source, layouts = laid_out(DEMO / "pdfs" / f"{name}.pdf")
    found = find_formulas(layouts, choose(load_schemes(None), layouts, source), frozenset())
    truth = json.loads((DEMO / "structure" / f"{name}.structure.json").read_text())
    document = Document(name, "", "", "", "unknown", "en", "", "", (), formulas=found.items)
    assert score_document(document, truth).scores["formulas"].f1 == 1.0


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("s = 2 h || (5.1)", ""),
        ("a = b √ c d || (5.1)", "root"),
        ("a = b √( c d ) || (5.1)", ""),
    ],
)
def test_a_formula_of_text_that_cannot_be_whole_is_told(printed: str, why: str) -> None:
    found = find_formulas([layout([line(printed, 100)])], scheme(), frozenset())
    assert [problem.doubt for problem in found.problems] == [True] * bool(why)
    for problem in found.problems:
        assert why in problem.message
        assert problem.box is not None


def test_a_denominator_that_is_a_product_is_in_brackets() -> None:
    row, over, under = words("f =", 100, 100), words("F", 130, 92), words("3EI", 130, 108)
    assert formula_text([*row, *over, *under], [Rule(105, 128, 148)]) == "f = F/(3EI)"


def _span(text: str, x: float, base: float, size: float = 10.0) -> dict[str, object]:
    chars = [
        {"c": sign, "origin": (x + 6 * n, base), "bbox": (x + 6 * n, base - 8, x + 6 * n + 5, base + 2)}
        for n, sign in enumerate(text)
    ]
    return {"font": "Math", "size": size, "flags": 0, "color": 0, "chars": chars}


@pytest.mark.parametrize(
    ("spans", "texts"),
    [
        ([_span("7", 100, 108), _span("b", 106, 100)], ["7", "b"]),
        ([_span("A", 100, 108), _span("≤1", 112, 100)], ["A", "≤1"]),
        ([_span("A", 100, 100), _span("bc", 106, 100.5)], ["Abc"]),
        ([_span("6", 100, 108), _span("√", 106, 100), _span("g", 112, 108)], ["6√g"]),
    ],
    ids=["before", "behind", "level", "a root hangs from its top"],
)
def test_type_of_one_size_on_another_baseline_is_another_word(
    spans: list[dict[str, object]], texts: list[str]
) -> None:
    made = line_words({"dir": (1.0, 0.0), "spans": spans}, None)
    assert [word.text for word, _ in made] == texts


def printed(
    path: Path, pieces: Sequence[tuple[float, float, str, float]], bar: tuple[float, float] | None
) -> list[str]:
    """Return the text of the formulas of a page: pieces at (across, down) of the line that has the number."""
    document = MUPDF.open()
    page = document.new_page(width=595, height=842)
    page.insert_text(
        (70, 100), "(1) The basic velocity pressure is to be taken from this formula:", fontsize=10
    )
    for x, y, text, size in pieces:
        page.insert_text((90 + x, 150 + y), text, fontsize=size, fontname="tiro")
    if bar:
        page.draw_line((90 + bar[0], 147), (90 + bar[1], 147))
    page.insert_text((500, 150), "(4.10)", fontsize=10)
    page.insert_text(
        (70, 220), "(2) The density of the air is 1,25 kg/m3 where nothing else is agreed on.", fontsize=10
    )
    document.save(path)
    found = find_formulas(arrange(read(path, LIMITS)), scheme(), frozenset())
    assert not found.problems
    return [formula.text for formula in found.items]


@pytest.mark.parametrize(
    ("pieces", "bar", "text"),
    [
        ([(0, 0, "q = 2 r v", 10), (37, 3, "m", 7), (37, -5, "2", 7)], None, "q = 2 r v_m^2"),
        ([(0, 0, "q = 2 r v", 10), (37, 6, "m", 7), (37, -7, "2", 7)], None, "q = 2 r v_m^2"),
        ([(0, 0, "q = 2 r v", 10), (37, 9, "m", 8), (37, -9, "2", 8)], None, "q = 2 r v_m^2"),
        ([(0, 0, "q =", 10), (24, -9, "1", 10), (24, 10, "2", 10), (34, 0, "r", 10)], (22, 32), "q = 1/2 r"),
    ],
)
def test_a_formula_whose_parts_stand_on_lines_of_their_own_is_whole(
    tmp_path: Path,
    pieces: Sequence[tuple[float, float, str, float]],
    bar: tuple[float, float] | None,
    text: str,
) -> None:
    assert printed(tmp_path / "a.pdf", pieces, bar) == [text]
