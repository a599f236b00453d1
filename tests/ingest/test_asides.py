"""Notes in the margin: texts of their own, with a box, that cut no clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Clause
from tests.ingest.made import ITALIC, PLAIN, Print, clauses, layouts

WORDS = "shall be measured over all of the"
NOTE = ("compare the", "annex on snow")


def _page(page: int, notes: float, size: float, font: str) -> list[Print]:
    """Five clauses in the middle of the page, with a note beside the second and the fourth of them."""
    printed = []
    for clause in range(1, 6):
        y = 40 + 70 * clause
        lines = (
            f"{page}.{clause} The stair of floor {page}{clause} {WORDS}",
            f"storeys of house {page}{clause} and its landings, and is given",
            f"in metres above foot {page}{clause}, whatever stands there.",
        )
        printed += [Print(170, y + 13 * at, line) for at, line in enumerate(lines)]
        if clause in {2, 4}:
            texts = [f"{text} {page}{clause}" for text in NOTE]
            printed += [Print(notes, y + 1.2 * size * at, text, size, font) for at, text in enumerate(texts)]
    return printed


def _read(folder: Path, *pages: list[Print]) -> dict[str, Clause]:
    found, _ = clauses(folder, "decimal", *pages)
    return {str(clause.label): clause for clause in found}


@pytest.mark.parametrize(("size", "font"), [(7, PLAIN), (7, ITALIC), (10, ITALIC)])
@pytest.mark.parametrize("sides", [(50, 50), (470, 470), (50, 470)], ids=["left", "right", "alternating"])
def test_a_note_in_the_margin_is_a_note_of_the_clause_beside_it(
    tmp_path: Path, sides: tuple[float, float], size: float, font: str
) -> None:
    pages = [_page(page, sides[page % 2], size, font) for page in range(1, 5)]
    found = _read(tmp_path, *pages)
    for page in range(1, 5):
        for clause in range(1, 6):
            place, text = f"{page}.{clause}", found[f"{page}.{clause}"].passage.text
            assert text.startswith(f"The stair of floor {page}{clause} {WORDS} storeys")
            assert text.endswith("whatever stands there.")
            note = found.get(f"{place} margin note 1")
            assert (note is not None) is (clause in {2, 4})
            if note:
                assert note.passage.text == " ".join(f"{part} {page}{clause}" for part in NOTE)
                assert str(note.parent) == place
                assert note.boxes[0].x0 == pytest.approx(sides[page % 2] / 595, abs=0.01)


@pytest.mark.parametrize(
    "beside",
    [
        [Print(50, 110 + 70 * at, f"({at})", 7) for at in range(5)],  # numbers that hang
        [Print(50, 110 + 70 * at, "NOTE", 10) for at in range(5)],  # words set like the text
    ],
)
def test_what_hangs_beside_its_line_stays_in_it(tmp_path: Path, beside: list[Print]) -> None:
    page = [piece for piece in _page(1, 50, 7, PLAIN) if piece.x > 50]
    lines = layouts(tmp_path, [*page, *beside])[0].lines
    assert len(lines) == 15
    assert all(line.column >= 0 for line in lines)


def test_notes_without_a_text_beside_them_stay_in_the_text(tmp_path: Path) -> None:
    page = [piece for piece in _page(1, 50, 7, PLAIN) if piece.x > 50]
    found = _read(tmp_path, [*page, Print(50, 600, "a word alone", 7)])
    assert not any("margin note" in label for label in found)
    assert any("a word alone" in clause.passage.text for clause in found.values())
