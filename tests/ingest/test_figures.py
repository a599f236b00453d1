"""Figures: caption and drawing found together, lettering taken, provisions never."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.evaluation.structure import score_document
from appliance.ingest.figures import find_figures
from appliance.ingest.page import Line, PageLayout, Picture, Stroke, Word
from appliance.ingest.structure.schemes import choose, load_schemes
from tests.ingest.made import laid_out
from tests.ingest.pages import HEIGHT, WIDTH, layout, line, prose, scheme, sketch

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data" / "demo"


def figure_page(drawing: list[Stroke], lettering: list[Line], caption: Line, *around: Line) -> PageLayout:
    return layout(sorted([*lettering, caption, *around], key=lambda item: item.y0), drawing)


def taken_text(page: PageLayout, taken: frozenset[tuple[int, int]]) -> list[str]:
    return [item.text for index, item in enumerate(page.lines) if (page.content.number, index) in taken]


def above_and_below() -> tuple[Line, ...]:
    return (
        prose(80, "(1) The drift shall be taken from Figure 5.1"),
        prose(92),
        prose(330, "(2) Other arrangements may be used for roofs"),
        prose(342),
    )


def test_the_drawing_over_its_caption_is_the_figure() -> None:
    page = figure_page(
        sketch(150, 140, 400, 260),
        [line("ridge", 150, 300), line("0.8", 200, 200)],
        line("Figure 5.1 – Load cases", 290, 220, bold=True),
        *above_and_below(),
    )
    found = find_figures([page], scheme(), frozenset())
    (figure,) = found.items
    assert (str(figure.label), figure.title) == ("Figure 5.1", "Load cases")
    assert figure.text == "ridge\n0.8"
    (box,) = figure.boxes
    assert box.y0 * HEIGHT == pytest.approx(138, abs=2)
    assert box.y1 * HEIGHT == pytest.approx(302, abs=2)
    assert taken_text(page, found.taken) == ["ridge", "0.8", "Figure 5.1 – Load cases"]
    assert not found.problems


PROVISIONS = [
    ("(3)P Ties shall be anchored in the wall at each floor.", False, "eurocode"),
    ("5.3.4 Multi-span roofs", True, "eurocode"),
    ("NA.2.3 Values for use", True, "eurocode"),
    ("s = 2 h || (5.1)", False, "eurocode"),
    ("4.10 Balance", True, "decimal"),
    ("A-8.4.1 Considerations.", True, "decimal"),
]


@pytest.mark.parametrize(("text", "bold", "family"), PROVISIONS)
def test_a_provision_next_to_the_drawing_is_never_taken(text: str, bold: bool, family: str) -> None:
    page = figure_page(
        sketch(150, 140, 400, 260),
        [line("ridge", 150, 300)],
        line("Figure 5.1 – Load cases", 290, 220, bold=True),
        *above_and_below(),
        line(text, 118, bold=bold),
    )
    found = find_figures([page], scheme(family), frozenset())
    assert taken_text(page, found.taken) == ["ridge", "Figure 5.1 – Load cases"]
    assert found.items[0].boxes[0].y0 * HEIGHT > 120


def test_a_frame_holds_all_lettering_even_prose_but_no_numbered_clause() -> None:
    frame = Stroke(70, 120, 530, 400, "rect", filled=False)
    inner = [line("Note that the two examples of treads are shown together in one drawing here", 300, 90)]
    caption = line("Diagram 1.1 Rise and going", 405, 80, bold=True)
    page = layout([*inner, caption], [frame, *sketch(150, 140, 400, 260)])
    found = find_figures([page], scheme("approved_document"), frozenset())
    assert found.items[0].text == inner[0].text
    assert len(found.taken) == 2
    clause = prose(340, "1.2 Measure the rise and the going as shown")
    page = layout([*inner, clause, caption], [frame, *sketch(150, 140, 400, 260)])
    assert (1, 1) not in find_figures([page], scheme("approved_document"), frozenset()).taken


def test_a_key_between_drawing_and_caption_belongs_to_the_figure() -> None:
    key = [line("Key", 270), line("1 parapet", 282), line("2 plant or other obstruction", 294)]
    page = figure_page(
        sketch(150, 140, 400, 260),
        key,
        line("Figure 6.1 – Drift at parapets", 310, 220, bold=True),
        *above_and_below()[:2],
        prose(340, "(2) Other arrangements may be used"),
    )
    found = find_figures([page], scheme(), frozenset())
    assert "2 plant or other obstruction" in found.items[0].text
    assert len(found.taken) == 4
    assert found.items[0].boxes[0].y0 * HEIGHT < 145


def test_figures_side_by_side_keep_their_own_half() -> None:
    lines = [
        prose(80, "(1) The two cases are shown below"),
        line("left", 150, 150),
        line("right", 150, 400),
        line("Figure 1 – First", 290, 120, bold=True),
        line("Figure 2 – Second", 290, 380, bold=True),
    ]
    page = layout(lines, sketch(100, 140, 240, 260) + sketch(350, 140, 500, 260))
    found = find_figures([page], scheme(), frozenset())
    assert [(str(f.label), f.text) for f in found.items] == [("Figure 1", "left"), ("Figure 2", "right")]
    assert found.items[0].boxes[0].x1 <= found.items[1].boxes[0].x0


def test_a_scanned_page_is_bounded_by_its_text_not_by_its_picture() -> None:
    scan = Picture(0, 0, WIDTH, HEIGHT)
    lines = [
        *above_and_below()[:2],
        line("wind", 180, 150),
        line("Figure 7.5 - Key for walls", 300, 220, bold=True),
    ]
    page = layout(lines, pictures=[scan], trust="ocr")
    found = find_figures([page], scheme(), frozenset())
    (box,) = found.items[0].boxes
    assert 100 < box.y0 * HEIGHT < 140
    assert box.y1 * HEIGHT < 320
    assert found.items[0].text == "wind"


def test_the_parts_of_a_scanned_drawing_belong_together() -> None:
    """A long label between two parts ends no drawing whose ink is seen; notes under it are its own."""
    drawings = [Picture(80, 130, 250, 180), Picture(80, 210, 250, 260)]
    label = prose(190, "(a) the outer skin")
    note = prose(272, "NOTE")
    caption = line("Figure 7.14 - Corner details", 300, 220, bold=True)
    after = prose(340, "(2) Other corners may be used")
    page = layout([*above_and_below()[:2], label, note, caption, after], pictures=drawings, trust="ocr")
    (box,) = find_figures([page], scheme(), frozenset()).items[0].boxes
    assert 100 < box.y0 * HEIGHT < 130
    assert 310 < box.y1 * HEIGHT < 330


def test_a_figure_that_goes_on_overleaf_is_one() -> None:
    pages = [
        figure_page(
            sketch(150, 140, 400, 260),
            [],
            line(f"Figure 2 – Joints{more}", 290, 220, bold=True),
            *above_and_below(),
        )
        for more in ("", " (continued)")
    ]
    second = replace(pages[1], content=replace(pages[1].content, number=2))
    lines = tuple(replace(one, page=2) for one in second.lines)
    (figure,) = find_figures([pages[0], replace(second, lines=lines)], scheme(), frozenset()).items
    assert [box.page for box in figure.boxes] == [1, 2]


def test_a_caption_without_a_drawing_is_kept_and_told() -> None:
    lines = [
        prose(80, "(1) See below"),
        line("Figure 5.1 – Load cases", 110, 220, bold=True),
        prose(140, "(2) Next"),
    ]
    found = find_figures([layout(lines)], scheme(), frozenset())
    assert [str(f.label) for f in found.items] == ["Figure 5.1"]
    (problem,) = found.problems
    assert problem.page == 1
    assert problem.box == found.items[0].boxes[0]


def test_a_reference_to_a_figure_is_no_figure_and_an_empty_document_has_none() -> None:
    page = layout([prose(80, "Figure 5.1 shows the arrangement that applies"), prose(92)])
    assert find_figures([page], scheme(), frozenset()).items == ()
    assert find_figures([layout([])], scheme(), frozenset()).items == ()
    assert find_figures([], scheme(), frozenset()).items == ()


def f1(pdf: Path, truth: Path) -> float | None:
    source, layouts = laid_out(pdf)
    found = find_figures(layouts, choose(load_schemes(None), layouts, source), frozenset())
    document = Document(pdf.stem, "", "", "", "unknown", "en", "", "", (), figures=found.items)
    return score_document(document, json.loads(truth.read_text())).scores["figures"].f1


@pytest.mark.parametrize("name", ["DC-1-3", "DC-1-3-NA"])
def test_the_figures_of_the_demo_codes(name: str) -> None:
    assert f1(DEMO / "pdfs" / f"{name}.pdf", DEMO / "structure" / f"{name}.structure.json") == 1.0


@pytest.mark.parametrize(
    ("drawing", "found"),
    [
        ([Stroke(200, 200, 340, 260, "rect", filled=False), Stroke(210, 240, 330, 240, "line")], True),
        ([Stroke(200, 200, 340, 260, "rect", filled=False)], False),
        ([Stroke(200, 200, 340, 200, "line"), Stroke(200, 260, 340, 260, "line")], False),
    ],
    ids=["a box, a line and a label", "a box and a label", "two rules"],
)
def test_a_small_drawing_needs_a_shape_with_something_in_it(drawing: list[Stroke], found: bool) -> None:
    page = figure_page(
        drawing,
        [line("t = 3", 215, x=220)],
        line("Figure 4.1 — Thickness", 275, x=200, bold=True),
        *above_and_below(),
    )
    result = find_figures([page], scheme(), frozenset())
    assert [figure.text for figure in result.items] == ["t = 3" if found else ""]
    assert bool(result.problems) is not found


def sideways(text: str, x: float, y0: float, y1: float) -> Line:
    """A line that runs up the page beside x."""
    step = (y1 - y0) / len(text.split())
    words = tuple(
        Word(word, x, y1 - (n + 1) * step, x + 8, y1 - n * step - 2, "Body", 8, upright=False)
        for n, word in enumerate(text.split())
    )
    return Line(1, text, x, y0, x + 8, y1, 8, False, False, 0, words, upright=False)


@pytest.mark.parametrize(
    ("labels", "kept"),
    [
        ([("creep factor", 130, 160, 240)], ["creep factor"]),
        ([("creep factor", 130, 160, 240), ("of concrete", 116, 160, 240)], ["creep factor", "of concrete"]),
        ([("strain in steel", 412, 160, 240)], ["strain in steel"]),
        ([("licensed copy of somebody", 130, 60, 500)], []),  # runs on beyond the drawing
        ([("far away", 60, 160, 240)], []),
    ],
)
def test_the_label_of_a_vertical_axis_belongs_to_the_figure(
    labels: list[tuple[str, float, float, float]], kept: list[str]
) -> None:
    page = figure_page(
        sketch(150, 140, 400, 260),
        [line("0.8", 200, 200), *(sideways(*label) for label in labels)],
        line("Figure 5.1 – Load cases", 290, 220, bold=True),
        *above_and_below(),
    )
    found = find_figures([page], scheme(), frozenset())
    assert found.items[0].text.split("\n")[1:] == kept
    assert [text for text in taken_text(page, found.taken) if text in {label[0] for label in labels}] == kept
