"""Layer and picture of scanned pages as one: which reading stands, where it stands, what is doubtful."""

from __future__ import annotations

import pytest

from appliance.ingest.ocr.align import Aligned, Scored, aligned
from appliance.ingest.page import Word

WIDE, HIGH, STEP = 6.0, 10.0, 14.0  # points: a letter, a word, from line to line
CODE = """the imposed load of a floor shall be taken from the table
the characteristic value is 2,0 kN/m2 to 3,0 kN/m2 for the ground floor
(1)P the snow load on the ground is 1,5 to 2,0 kN/m2 in the south
(2) a value of 2,5 to 4,0 kN/m2 should be taken for stairs see 6.3.1
a movable partition of 1 kN/m wall length is 0,5 kN/m2
the design value should be 2,0 to 3,0 kN/m2 see 6.2.1 and 6.3.2""".splitlines()


def line(text: str, at: int, *, size: float = 10.0, font: str = "layer") -> list[Word]:
    """Return the words of a line; `_` in a word is a space that it holds, `|` takes the place of a letter."""
    words, x = [], 50.0
    for part in text.split(" "):
        width = WIDE * len(part)
        if part.strip("|"):
            words.append(
                Word(part.replace("|", ""), x, 50 + STEP * at, x + width, 60 + STEP * at, font, size)
            )
        x += width + WIDE
    return words


def scored(text: str, at: int, score: float = 0.99) -> list[Scored]:
    return [(word, score) for word in line(text, at, size=11.0, font="read")]


def joined(layer: str, picture: str, score: float = 0.99) -> Aligned:
    """Return one line of both readings, in a document of lines that both have alike."""
    words = [word for at, text in enumerate(CODE * 6) for word in line(text, at)]
    lines = [scored(text, at) for at, text in enumerate(CODE * 6)]
    own = {1: words, 2: line(layer, 0)}
    return aligned(own, {1: lines, 2: [scored(picture, 0, score)] if picture else []})[2]


def said(found: Aligned) -> str:
    return " ".join(word.text for word in found.words)


@pytest.mark.parametrize(
    ("layer", "picture", "score", "stands"),
    [
        ("the snow load on tile ground", "the snow load on the| ground", 0.99, "the snow load on the ground"),
        ("11lovable partition", "movable|| partition", 0.99, "movable partition"),
        ("a value of lkN/m3", "a value of 1kN/m2", 0.95, "a value of 1 kN/m2"),
        ("j.lj is the load", "μi|| is the load", 0.8, "μi is the load"),
        ("(l) the floor", "(1) the floor", 0.99, "(1) the floor"),
        ("technicallules of the code", "technical rules of the code", 0.99, "technical rules of the code"),
        ("the table", "the taûle", 0.4, "the table"),  # the picture errs where it is not sure
        ("the ground", "the grcund", 0.45, "the ground"),
        ("the imposed load", "theimposed| load", 0.99, "the imposed load"),
        ("the im posed load", "the imposed| load", 0.99, "the imposed load"),
        ("the floor", "", 0.99, "the floor"),  # nothing was read in the picture
        ("2,0 toW kN/m2", "2,0 to|3.0 kN/m2", 0.99, "2,0 to 3,0 kN/m2"),
        ("scope ............. 8", "scope.... ||||||||| 8", 0.99, "scope ............. 8"),
    ],
)
def test_the_better_reading_stands(layer: str, picture: str, score: float, stands: str) -> None:
    assert said(joined(layer, picture, score)) == stands


@pytest.mark.parametrize(
    ("layer", "picture", "score", "other"),
    [
        ("a value of 2,5 kN/m2", "a value of 2,0 kN/m2", 0.97, True),
        ("a value of 2,0 kN/m2", "a value of 2.0 kN/m2", 0.6, False),  # the same number
        ("the snow load on tile ground", "the snow load on the| ground", 0.99, False),
    ],
)
def test_both_readings_of_a_doubtful_place_are_kept(
    layer: str, picture: str, score: float, other: bool
) -> None:
    found = joined(layer, picture, score)
    assert bool(found.doubts) is other
    for doubt in found.doubts:
        assert {doubt.said, doubt.other} == {"2,5", "2,0"}
        assert doubt.area.x0 == pytest.approx(50 + 11 * WIDE)


def test_a_layer_that_lies_elsewhere_is_no_witness() -> None:
    layer = "the snow load on the ground in the south see 6.3.1 and 6.3.2 of the code"
    picture = "a floor and a stair of the part for a wall or an area by the ends"
    assert said(joined(layer, picture)) == picture
