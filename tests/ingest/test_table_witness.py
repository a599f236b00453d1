"""Two readings of one scanned table joined: what was lost, what is broken, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.ingest.geometry import Rule
from appliance.ingest.ocr.table_witness import Agreed, agreed
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import rows_of, text_of

SIZE, LETTER = 10.0, 5.0  # points


def line(text: str, x: float = 0.0, y: float = 0.0) -> list[Word]:
    """Return the words of a line, each letter 5 points wide."""
    words = []
    for word in text.split():
        words.append(Word(word, x, y, x + LETTER * len(word), y + SIZE, "f", SIZE))
        x += LETTER * (len(word) + 1)
    return words


def both(layer: Sequence[Word], read: Sequence[Word], *, score: float = 0.9, rule: float = -99.0) -> Agreed:
    return agreed(layer, [(word, score) for word in read], [Rule(rule, -50, 50)])


def text(found: Agreed) -> str:
    return " / ".join(text_of(row.words) for row in rows_of(found.words))


@pytest.mark.parametrize(
    ("layer", "read", "stands", "doubts"),
    [
        ("1,5 toW", "1,5 to2,0", "1,5 to 2,0", 1),  # broken in the layer, grown together in the picture
        ("2,0 to", "2,0 to 3,0", "2,0 to 3,0", 1),
        ("to 7,5", "5,0 to 7,5", "5,0 to 7,5", 1),
        ("", "2,5 to 4,0", "2,5 to 4,0", 1),  # lost
        ("7,0", "2,5 to 7,0 (4,0)", "2,5 to 7,0 (4,0)", 1),  # clean, and yet a part
        ("4,5", "4,5", "4,5", 0),
        ("4,5", "4.5", "4,5", 0),  # one decimal sign for the other
        ("kN/m²", "kN/m2", "kN/m²", 0),
        ("4,5", "4,8", "4,5", 1),  # both clean: the layer stands, and the doubt is told
        ("Cl", "C1", "C1", 0),  # the same but for a letter that is taken for a figure
        ("0° S a s 30°", "0° ≤ α ≤ 30°", "0° ≤ α ≤ 30°", 1),  # what compares was lost
        ("[1+(S~4", "524", "[1+(S~4", 0),  # a formula, of which the picture gave less
        ("Office areas", "Offlce areas", "Office areas", 0),  # words are the layer's
        ("timb~r class C18", "timber class C18", "timber class C18", 0),  # the same numbers
        ("30,0", "] 3,0", "30,0", 0),  # the picture is no cleaner
    ],
)  # fmt: skip
def test_the_better_reading_stands_and_other_numbers_are_told(
    layer: str, read: str, stands: str, doubts: int
) -> None:
    found = both(line(layer), line(read))
    assert (text(found), len(found.doubts)) == (stands, doubts)


SIGNED = "- 0,7 + 0,8 - 1,3 / - 0,6"


@pytest.mark.parametrize(
    ("others", "layer", "read", "stands"),
    [
        (SIGNED, "1,4", "- 1,4", "- 1,4"),  # the table writes signs
        (SIGNED, "10", "+ 10", "+ 10"),
        (SIGNED, "beam", "- beam", "beam"),
        ("0,7 0,8", "1,4", "- 1,4", "1,4"),  # it writes none: dirt
    ],
)
def test_a_sign_that_the_layer_lost_is_the_pictures_and_a_doubt(
    others: str, layer: str, read: str, stands: str
) -> None:
    found = both([*line(others, y=40), *line(layer)], line(read))
    assert text(found).startswith(stands + " / ")
    assert [doubt.said for doubt in found.doubts] == ([stands] if stands != layer else [])


def test_a_figure_that_the_layer_has_between_two_lines_is_put_once() -> None:
    layer = [*line("Maximum all x"), *line("Minimum ([J=", y=17), *line("0", 60, 8.5)]
    read = [*line("Maximum all x"), *line("Minimum φ = 0", y=17)]
    assert text(both(layer, read)) == "Maximum all x / Minimum φ = 0"


def test_the_like_figure_of_a_line_that_was_not_read_stays() -> None:
    layer = [*line("one 0"), *line("two O", y=12)]
    assert text(both(layer, line("two 0", y=12))) == "one 0 / two 0"


def test_a_doubt_tells_what_stands_and_the_other_reading() -> None:
    (doubt,) = both(line("4,5"), line("4,8")).doubts
    assert (doubt.said, doubt.other, doubt.area.x0) == ("4,5", "4,8", 0.0)


@pytest.mark.parametrize("read", ["16,01)", "16,0 1)", "16,01)2)"])
def test_a_mark_of_a_note_is_no_part_of_the_number_before_it(read: str) -> None:
    assert text(both([], line(read))).startswith("16,0¹⁾")


def test_marks_that_the_layer_has_in_pieces_are_taken_once() -> None:
    raised = Word("1", 102, -2, 105, 4, "f", 6, rise=1)
    layer = [*line("12,0", x=60), raised, *line(")2)", x=106)]
    found = both(layer, [*line("12,0", x=60), *line("1)2)", x=102)])
    assert (text(found), found.doubts) == ("12,0¹⁾²⁾", ())


def test_only_the_entry_that_differs_is_replaced() -> None:
    layer = [*line("Floors"), *line("W", x=100), *line("2,0", x=200)]
    read = [*line("Floors"), *line("4,0", x=95), *line("2,0", x=200)]
    found = both(layer, read)
    assert sorted(word.text for word in found.words) == ["2,0", "4,0", "Floors"]
    assert [doubt.other for doubt in found.doubts] == ["W"]


def test_a_number_that_a_sentence_lost_is_put_into_it() -> None:
    layer = [*line("the load within the range 40 to"), *line("kN only", x=185)]
    read = line("the load within the range 40 to 90 kN only")
    found = both(layer, read)
    assert text(found) == "the load within the range 40 to 90 kN only"
    assert [doubt.said for doubt in found.doubts] == ["90"]


@pytest.mark.parametrize(
    ("read", "rule", "score", "kept"),
    [
        ("1", 2.0, 0.9, False),  # a rule that was read as a figure
        ("1", 60.0, 0.9, True),
        ("~", 60.0, 0.9, False),  # dirt
        ("[kN/m²]", 60.0, 0.9, True),  # a unit over a column
        ("Stairs", 60.0, 0.9, True),
        ("Stairs", 60.0, 0.5, False),  # words that were read badly
    ],
)
def test_what_the_layer_has_no_word_for_is_print_or_is_left_out(
    read: str, rule: float, score: float, *, kept: bool
) -> None:
    assert text(both([], line(read), score=score, rule=rule)) == (read if kept else "")


def test_nothing_read_leaves_the_layer() -> None:
    layer = line("4,0 to 5,0")
    assert both(layer, []) == Agreed(tuple(layer), ())


NOISE = "I ! Permanent le'I IIUVe'1 i Direct ~ Pt:llllct L Free | Static"
PRINT = "Soil movement is Permanent and Direct or Free and Static in each 5 of these"


def test_a_garbled_layer_gives_way_to_a_clean_picture_and_the_table_is_a_doubt() -> None:
    found = both(line(NOISE), line(PRINT))
    assert text(found) == PRINT
    assert not found.doubts[0].said  # the whole table
    assert any("5" in doubt.said for doubt in found.doubts)  # a number that the layer has not


def test_a_line_of_a_picture_is_as_large_as_that_of_the_layer_whatever_was_measured() -> None:
    """Beside a line that is measured too large its neighbour seems to be lowered signs of it."""
    layer = line(NOISE) + line("EN 1990, EN", y=12) + line("1992 to EN", y=22)
    large = [replace(word, size=1.5 * SIZE) for word in line("1992 to EN", y=22)]
    found = both(layer, [*line(PRINT), *line("EN 1990, EN", y=12), *large])
    assert text(found).endswith("EN 1990, EN / 1992 to EN")
    assert {word.size for word in found.words} == {SIZE}


def test_a_garbled_picture_is_no_better_than_the_layer() -> None:
    assert "Permanent" in text(both(line(NOISE), line(NOISE)))
    assert not both(line(PRINT), line(PRINT)).doubts


NAMES = {"table": ("Table",), "figure": ("Figure",)}


def test_a_caption_that_the_layer_lost_is_the_pictures() -> None:
    layer, read = line("T hI A 10 St d"), line("Table A.10 - Stored products")
    pairs = [(word, 0.9) for word in read]
    assert text(agreed(layer, pairs, (), NAMES)) == "Table A.10 - Stored products"
    unsure = [(word, 0.4) for word in read]
    assert text(agreed(layer, unsure, (), NAMES)) != "Table A.10 - Stored products"
    good = line("Table A.10 Stored products")
    assert text(agreed(good, pairs, (), NAMES)) == "Table A.10 Stored products"


def test_letters_for_figures_are_the_pictures_without_a_doubt() -> None:
    found = both(line("O.2m"), line("0.2m"))
    assert (text(found), found.doubts) == ("0.2m", ())
