"""What is written short is read in full, and every place of it is led back to where it stands."""

from __future__ import annotations

import pytest

from appliance.citing.sentence_of_reference import spelled


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("cl 1.15", "clause 1.15"),
        ("Cl.1.15(a)", "clause 1.15(a)"),
        ("cls 5.2 and 5.3", "clauses 5.2 and 5.3"),
        ("§5.2, §§ 5.3", "section 5.2, sections 5.3"),
        ("s. 5; sec 5; ss. 5 and 6", "section 5; section 5; sections 5 and 6"),
        ("Tab.A.1 FIG 5.1", "table A.1 figure 5.1"),
        ("App. A", "appendix A"),
        ("Dia. 1.1 and dia 2.3, shown", "diagram 1.1 and diagram 2.3, shown"),
        ("Dia. 12 bars, dia. 1.5 m, dia 1.2mm", "Dia. 12 bars, dia. 1.5 m, dia 1.2mm"),
        ("Sec. A", "Sec. A"),  # only an annex has a letter alone
        ("for 5 sec. 3 times", "for 5 sec. 3 times"),
        ("Cl 0.4 %", "Cl 0.4 %"),
        ("SS-EN 1990, BS EN 1990", "SS EN 1990, BS EN 1990"),
        ("self-EN", "self-EN"),
        ("", ""),
    ],
)
def test_short_words_are_read_in_full(written: str, read: str) -> None:
    assert spelled(written).text == read


def test_places_are_those_of_the_written_text() -> None:
    written = "See cl.1.15 and §5.2 of UNE-EN 1990."
    read = spelled(written)
    for part, printed in (
        ("clause 1.15", "cl.1.15"),
        ("section 5.2", "§5.2"),
        ("UNE EN 1990", "UNE-EN 1990"),
    ):
        start = read.text.index(part)
        assert written[read.written(start) : read.written(start + len(part))] == printed
    assert read.as_written("UNE EN 1990") == "UNE-EN 1990"
