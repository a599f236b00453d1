"""Signs of scans: what is drawn takes the place of what was read only where it is proven."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.ingest.ocr.scan_signs import Pixels, laid, mends_of
from appliance.ingest.page import Word
from appliance.ingest.pdf.reader import known_shapes
from tests.ingest.made import MUPDF

SCALE = 4.0
SIZE = 12.0


def drawn(*words: tuple[str, str]) -> tuple[list[Word], Pixels]:
    """Return words that read as the first of each pair, and a page on which the second is drawn."""
    page = MUPDF.open().new_page(width=400, height=60)
    font = MUPDF.Font("tiro")
    writer = MUPDF.TextWriter(page.rect)
    found, x = [], 20.0
    for read, printed in words:
        writer.append((x, 40), printed, font=font, fontsize=SIZE)
        width = font.text_length(printed, SIZE)
        found.append(Word(read, x, 28.0, x + width, 43.0, "scan", SIZE))
        x += width + 8
    writer.write_text(page)
    pixmap = page.get_pixmap(matrix=MUPDF.Matrix(SCALE, SCALE), colorspace=MUPDF.csGRAY)
    flat = np.frombuffer(pixmap.samples, dtype=np.uint8)
    return found, flat.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("j3", "β"),  # letters for one glyph
        ("50", "≤"),  # a figure in place of a bound
        ("::;", "≤"),
        (";:::", "≥"),
        ("Jl1", "μ1"),  # a sign with its index
        ("60o", "60°"),
    ],
)
def test_a_sign_is_shown_as_it_is_drawn(read: str, printed: str) -> None:
    words, pixels = drawn(("load", "load"), (read, printed), ("height", "height"))
    found = [(mend.read, mend.drawn) for mend in mends_of(words, pixels, SCALE, known_shapes())]
    assert found == [(read, printed)]


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("50", "50"),  # a number that a bound is often taken for
        ("00", "00"),
        ("17", "17"),
        ("fl", "fl"),
        ("b", "b"),
        ("v", "v"),
        ("p", "p"),
        ("8", "8"),
        ("(j)", "(j)"),
        ("2h", "2h"),
        ("1,35", "1,35"),
    ],
)
def test_what_is_drawn_as_it_reads_stays(read: str, printed: str) -> None:
    words, pixels = drawn(("load", "load"), (read, printed))
    assert list(mends_of(words, pixels, SCALE, known_shapes())) == []


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("xqz", "β"),  # letters that no sign is taken for may stand for it only where it is proven
        ("=(", "="),  # the bracket that the sign would swallow
        ("ab", "—"),
    ],
)
def test_a_figure_is_never_made_up(read: str, printed: str) -> None:
    words, pixels = drawn(("load", "load"), (read, printed))
    drawn_as = [mend.drawn for mend in mends_of(words, pixels, SCALE, known_shapes())]
    assert not any(char.isdigit() for text in drawn_as for char in text)
    assert "=" not in drawn_as


def test_nothing_drawn_changes_nothing() -> None:
    words, pixels = drawn(("j3", "β"))
    assert list(mends_of(words, np.full_like(pixels, 255), SCALE, known_shapes())) == []
    assert list(mends_of([], pixels, SCALE, known_shapes())) == []


def test_characters_without_a_glyph_do_not_fit() -> None:
    assert laid("ab", []) is None
    assert laid("", [{"a": 0.1, "b": 0.5}]) is None


def mended(*words: tuple[str, str], gap: tuple[int, str] | None = None) -> list[tuple[str, str, bool]]:
    """Return what is put right of words that read so and are drawn so; with `gap` a word has no text."""
    found, pixels = drawn(*words)
    kept = [word for at, word in enumerate(found) if gap is None or at != gap[0]]
    return [(m.read, m.drawn, m.doubt) for m in mends_of(kept, pixels, SCALE, known_shapes())]


@pytest.mark.parametrize(
    ("read", "printed", "mend"),
    [
        ("a", "α", "α"),
        ("p", "ρ", "ρ"),
        ("P", "β", "β"),
        ("A", "λ", "λ"),
        ("n", "η", "η"),
        ("a1", "α1", "α1"),  # with its index
    ],
)
def test_a_lone_letter_beside_a_relation_is_the_greek_one_that_is_drawn(
    read: str, printed: str, mend: str
) -> None:
    assert mended((read, printed), ("=", "="), ("60", "60")) == [(read, mend, False)]


@pytest.mark.parametrize("letter", ["a", "p", "n", "y", "r", "A", "P", "u", "w", "k", "v", "0", "8"])
def test_a_latin_letter_that_is_drawn_as_one_stays(letter: str) -> None:
    assert mended((letter, letter), ("=", "="), ("60", "60")) == []


@pytest.mark.parametrize(
    "words", [(("a", "α"), ("load", "load")), (("is", "is"), ("a", "α"), ("load", "load"))]
)
def test_a_letter_in_running_text_is_left_alone(words: tuple[tuple[str, str], ...]) -> None:
    assert mended(*words) == []


def test_a_letter_drawn_unlike_anything_it_is_taken_for_is_in_doubt() -> None:
    assert mended(("e", "M"), ("=", "="), ("60", "60")) == [("e", "", True)]


def test_a_greek_letter_that_other_characters_resemble_is_in_doubt() -> None:
    assert mended(("S", "θ"), ("=", "="), ("60", "60")) == [("S", "θ", True)]


@pytest.mark.parametrize("sign", ["≥", "≤", "=", "×", "±"])
def test_a_sign_that_no_word_tells_of_is_read_from_its_drawing(sign: str) -> None:
    assert mended(("h", "h"), ("", sign), ("0,5", "0,5"), gap=(1, sign)) == [("", sign, False)]


@pytest.mark.parametrize(("drawing", "told"), [("&", [("", "", True)]), (".", [])])
def test_what_is_drawn_in_a_gap_and_is_no_proven_sign_is_in_doubt(
    drawing: str, told: list[tuple[str, str, bool]]
) -> None:
    assert mended(("h", "h"), ("", drawing), ("0,5", "0,5"), gap=(1, drawing)) == told


def test_a_sign_of_which_a_stroke_has_faded_stays() -> None:
    words, pixels = drawn(("h", "h"), ("=", "="), ("60", "60"))
    pixels, sign = pixels.copy(), words[1]
    columns = slice(round(sign.x0 * SCALE), round(sign.x1 * SCALE))
    rows = np.flatnonzero((pixels[:, columns] < 155).any(axis=1))
    lower = pixels[int(rows.mean()) : rows[-1] + 1, columns]
    lower[lower < 255] = 165  # paler than ink, darker than paper
    assert list(mends_of(words, pixels, SCALE, known_shapes())) == []


@pytest.mark.parametrize(("read", "printed"), [("=", "−"), ("±", "+"), ("≤", "<")])
def test_what_may_be_left_of_the_sign_read_is_in_doubt(read: str, printed: str) -> None:
    assert mended(("h", "h"), (read, printed), ("60", "60")) == [(read, "", True)]
