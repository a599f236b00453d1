"""Pictures in place of what was read with doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Formula, Label, LineSpan, Passage
from appliance.web.answers import cited_places
from appliance.web.answers.cited_places import Drawing
from appliance.web.reading import outline, views
from tests.web.fake_library import FakeLibrary


def test_a_doubtful_formula_stands_in_place_of_its_text(library: FakeLibrary) -> None:
    shown = views.clause(library, "SNOW", "5.1")
    cut = shown["pieces"][Label(("5.1",))]
    pictures = [piece for piece in cut if piece.drawing]
    assert [piece.drawing.name for piece in pictures] == ["Formula (5.1)"]
    assert "".join(piece.text for piece in cut) == shown["clause"].passage.text
    assert [item.name for item in shown["formulas"]] == ["Formula (5.2)"]  # a sound one keeps its text


@pytest.mark.parametrize(("key", "number"), [("5.2(2)", 1), ("5.2(1)", 0), ("5.1", 1)])
def test_a_quotation_shows_what_of_it_is_in_doubt(library: FakeLibrary, key: str, number: int) -> None:
    boxes = library.clause("SNOW", key).clause.boxes
    found = cited_places.of_quotes(library, "SNOW", boxes)
    assert len(found) == number
    for item in found:
        assert item.view
        assert item.view.crop.x >= 0
        assert item.view.crop.x + item.view.crop.width <= item.view.width
        assert item.doubt


def test_the_formula_right_below_a_quotation_is_shown_with_it(library: FakeLibrary) -> None:
    first = library.clause("SNOW", "5.1").clause.passage.lines[0].box
    assert [item.view.strong for item in cited_places.of_quotes(library, "SNOW", (first,)) if item.view] == [
        ()
    ]
    far = replace(first, y0=first.y0 - 0.1, y1=first.y1 - 0.1)
    assert cited_places.of_quotes(library, "SNOW", (far,)) == ()


def test_a_page_without_image_leaves_the_text(library: FakeLibrary) -> None:
    formula = Formula(Label(("(9)",)), "x", "", (Box(99, 0.1, 0.1, 0.9, 0.2),))
    drawing = cited_places.of_formula(library, "SNOW", formula)
    assert drawing.view is None
    passage = Passage("x = 1", (LineSpan(0, 5, formula.boxes[0]),))
    assert cited_places.in_passage(passage, [replace(drawing, doubt="lost")]) == {}


@pytest.mark.parametrize(
    ("stretches", "texts"),
    [
        ([(0, 3)], ["abc", "def"]),
        ([(2, 4)], ["ab", "cd", "ef"]),
        ([(0, 6)], ["abcdef"]),
        ([(4, 9)], ["abcdef"]),  # beyond the text: the text stays
        ([], ["abcdef"]),
    ],
)
def test_a_text_is_cut_at_its_pictures_and_stays_whole(
    stretches: list[tuple[int, int]], texts: list[str]
) -> None:
    cut = outline.pieces("abcdef", (), {place: Drawing("f", None) for place in stretches})
    assert [piece.text for piece in cut] == texts


def test_the_page_of_a_formula_and_its_picture(library: FakeLibrary) -> None:
    shown = views.formula(library, "SNOW", "(5.1)")
    assert shown["drawing"].doubt
    picture = library.picture("SNOW", "(5.1)")
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
