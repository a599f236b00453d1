"""Footnotes of pages: found by their marks, kept with the clause that carries them, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Clause
from tests.ingest.made import Print, clauses

NOTE = "A porch counts as a storey only where it is heated in the winter."
UNIT = Print(170, 200, "kN of a stair.")
BODY = (
    Print(70, 80, "1 General", 14, "hebo"),
    Print(70, 110, "1.1 The height of a stair is measured over all of its storeys and its"),
    Print(70, 123, "landings, and is given in metres above the floor at its very foot."),
    Print(70, 160, "1.2 The width of a stair is measured between its handrails at a height"),
    Print(70, 173, "of one metre, whatever stands between them further up or down."),
)


def _raised(x: float, y: float, mark: str) -> Print:
    return Print(x, y - 4, mark, 6)


def _read(folder: Path, *more: Print) -> dict[str, Clause]:
    found, _ = clauses(folder, "decimal", [*BODY, *more])
    return {str(clause.label): clause for clause in found}


@pytest.mark.parametrize(
    ("mark", "opening"),
    [
        ((_raised(347.5, 123, "1"),), (_raised(70, 760, "1"), Print(75, 760, NOTE, 8))),
        ((_raised(347.5, 123, "1)"),), (Print(70, 760, f"1) {NOTE}", 8),)),
        ((_raised(347.5, 123, "1"),), (Print(70, 760, f"1. {NOTE}", 8),)),
        ((_raised(347.5, 123, "*"),), (Print(70, 760, f"* {NOTE}", 8),)),
        ((_raised(347.5, 123, "§"),), (Print(70, 760, f"§{NOTE}", 8),)),
    ],
)
def test_a_footnote_is_a_note_of_the_clause_that_carries_its_mark(
    tmp_path: Path, mark: tuple[Print, ...], opening: tuple[Print, ...]
) -> None:
    found = _read(tmp_path, *mark, *opening, Print(70, 770, "So does a cellar.", 8))
    note = next(clause for clause in found.values() if clause.kind == "note")
    assert str(note.label) == f"1.1 footnote {note.marker}"
    assert str(note.parent) == "1.1"
    assert note.passage.text == f"{NOTE} So does a cellar."
    assert "porch" not in found["1.2"].passage.text


def test_a_raised_mark_by_itself_is_of_the_line_beside_it(tmp_path: Path) -> None:
    body = (Print(70, 186, "by By-law 491-2009"), _raised(158.4, 186, "1"))  # behind no word
    foot = (Print(70, 756, "1", 8), Print(76.5, 760, NOTE, 8))
    note = next(clause for clause in _read(tmp_path, *body, *foot).values() if clause.kind == "note")
    assert (str(note.label), note.passage.text) == ("1.2 footnote 1", NOTE)


@pytest.mark.parametrize(
    "more",
    [
        (Print(70, 760, f"1) {NOTE}", 8),),  # nothing carries the mark
        (_raised(347.5, 123, "1"), Print(70, 760, f"1) {NOTE}", 10)),  # not in small print
        (_raised(347.5, 123, "1"), Print(70, 300, f"1) {NOTE}", 8)),  # not at the foot
        (_raised(347.5, 123, "1"), Print(70, 700, f"1) {NOTE}", 8), Print(70, 740, "Text goes on.", 10)),
        (Print(70, 186, "of 9 m"), _raised(97, 186, "2"), Print(70, 760, f"2) {NOTE}", 8)),  # a power
    ],
)
def test_small_print_without_a_mark_in_the_text_stays_where_it_is(
    tmp_path: Path, more: tuple[Print, ...]
) -> None:
    found = _read(tmp_path, *more)
    assert not any("footnote" in label for label in found)
    assert any("porch" in clause.passage.text for clause in found.values())


def test_two_footnotes_of_two_clauses_are_told_apart(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        _raised(347.5, 123, "1"),
        _raised(357.5, 173, "2"),
        Print(70, 740, "1) See the drawing.", 8),
        Print(70, 752, "2) See the model.", 8),
    )
    notes = {key: clause.passage.text for key, clause in found.items() if clause.kind == "note"}
    assert notes == {"1.1 footnote 1": "See the drawing.", "1.2 footnote 2": "See the model."}


@pytest.mark.parametrize(
    ("text", "more", "foot", "reads", "notes"),
    [
        # the mark raised behind a value, which it must not change
        ("1.3 The load is 2.5", (_raised(163, 200, "1"), UNIT), f"1 {NOTE}", "2.5 kN", 1),
        # the mark written into the word, the note without a space behind it
        ("1.3 The load of a platform1 is even.", (), f"1{NOTE}", "platform is", 1),
        # no small print opens with the figure: it is part of the name
        ("1.3 The load of a platform2 is even.", (), f"1 {NOTE}", "platform2 is", 0),
        ("1.3 The load is 10", (_raised(161, 200, "1"), UNIT), f"1 {NOTE}", "10 1 kN", 0),
    ],
)  # fmt: skip
def test_a_mark_is_not_run_into_words_and_values(
    tmp_path: Path, text: str, more: tuple[Print, ...], foot: str, reads: str, notes: int
) -> None:
    found = _read(tmp_path, Print(70, 200, text), *more, Print(70, 760, foot, 8))
    assert reads in found["1.3"].passage.text
    assert sum(clause.kind == "note" for clause in found.values()) == notes
