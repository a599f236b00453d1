"""Marks of notes that were read level with what carries them."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Table
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import Area, Found, Word
from appliance.ingest.pdf.reader import read
from appliance.ingest.tables.cells import rows_of, text_of
from appliance.ingest.tables.finder import find_tables
from appliance.ingest.tables.notes import PrintedNote, told, with_marks
from tests.ingest.made import LIMITS, MUPDF, scheme


def line(text: str) -> list[Word]:
    words, x = [], 0.0
    for word in text.split():
        words.append(Word(word, x, 0, x + 5 * len(word), 10, "f", 10))
        x += 5 * (len(word) + 1)
    return words


@pytest.mark.parametrize(
    ("text", "marks", "printed"),
    [
        ("24,01)", "12", "24,0¹⁾"),
        ("24,01)2)", "12", "24,0¹⁾²⁾"),
        ("20,0 to 25,0 1)2)", "12", "20,0 to 25,0¹⁾²⁾"),
        ("301)", "1", "30¹⁾"),
        ("concrete1)", "1", "concrete¹⁾"),
        ("concretea)", "a", "concreteᵃ⁾"),
        ("24,0 *)", "*", "24,0*⁾"),
        ("24,01)", "", "24,01)"),  # no note has that mark
        ("24,01)3)", "1", "24,01)3)"),  # nor the other
        ("2,1)", "1", "2,1)"),  # a number would be left broken
        ("(1)", "1", "(1)"),
        ("3.2(1)", "1", "3.2(1)"),  # a paragraph, not a note
        ("1) first case", "1", "1) first case"),  # nothing carries it
        ("(see 4)", "4", "(see 4)"),
        ("12,0 to 14,0 [)2)", "12", "12,0 to 14,0¹⁾²⁾"),
        ("12,0 to 14,0 [a]", "12", "12,0 to 14,0 [a]"),
    ],
)
def test_a_mark_is_lifted_where_a_note_has_it(text: str, marks: str, printed: str) -> None:
    assert " ".join(text_of(row.words) for row in rows_of(with_marks(line(text), set(marks)))) == printed


def notes(*texts: str) -> list[PrintedNote]:
    return [PrintedNote("", text, Area(0, 0, 1, 1)) for text in texts]


@pytest.mark.parametrize(
    ("notes", "marks", "found"),
    [
        (["a Road traffic", "b The value", "c Other"], "b", "abc"),
        (["a small value is meant"], "", " "),
        (["b The value"], "", " "),  # nothing carries it, and none is before it
        (["NOTE a is given"], "a", " "),
    ],
)
def test_a_note_that_begins_with_a_letter_has_it_for_its_mark(
    notes: list[str], marks: str, found: str
) -> None:
    printed = [PrintedNote("", text, Area(0, 0, 1, 1)) for text in notes]
    assert [note.mark or " " for note in told(printed, marks)] == list(found)


def cranes(path: Path, mark: str, size: float, up: float, note: str) -> Found[Table]:
    """Return the tables of a page whose table has a mark behind "Open gantry", a glyph of its own."""
    document = MUPDF.open()
    page = document.new_page(width=595, height=842)
    page.insert_text(
        (70, 100), "(1) The load of the crane should be taken from Table 4.1 for all cranes.", fontsize=10
    )
    page.insert_text((70, 130), "Table 4.1 — Cranes", fontsize=11, fontname="hebo")
    named = "Open gantry" if mark else "Open gantrya"
    rows = [("Kind of crane", "Load"), ("Tower", "2,5"), (named, "3,5"), ("Closed portal", "4,5")]
    for at in range(len(rows) + 1):
        page.draw_line((70, 140 + 20 * at), (300, 140 + 20 * at))
    for x in (70, 200, 300):
        page.draw_line((x, 140), (x, 220))
    for at, texts in enumerate(rows):
        for x, text in zip((75, 205), texts, strict=True):
            page.insert_text((x, 154 + 20 * at), text, fontsize=10)
    place = 75 + MUPDF.get_text_length("Open gantry", "helv", 10)
    page.insert_text((place, 194 - up), mark, fontsize=size)
    page.insert_text((70, 234), note, fontsize=8)
    document.save(path)
    return find_tables(arrange(read(path, LIMITS)), scheme("eurocode"))


NOTE = "a Only where the wind is below 20 m/s."


@pytest.mark.parametrize(
    ("size", "up"),
    [(6.5, 3.5), (6.5, 0), (10, 3.5), (10, 0)],
    ids=["smaller and raised", "smaller", "raised", "apart in the file"],
)
def test_a_mark_that_is_a_glyph_of_its_own_is_no_letter_of_the_word(
    tmp_path: Path, size: float, up: float
) -> None:
    found = cranes(tmp_path / "a.pdf", "a", size, up, NOTE)
    (table,) = found.items
    assert {"Open gantryᵃ", "Open gantry a"} & {cell.text for cell in table.cells}
    if size < 10 and up:
        assert [(note.mark, note.text) for note in table.notes] == [("a", NOTE[2:])]
    assert not found.problems
