"""Entries of a contents list that are lines of a longer title are found in it, strangers are not."""

import pytest

from appliance.core.document import Box, Clause, Label, Passage
from appliance.ingest.checks.expected import missing_entries
from appliance.ingest.structure.contents import Entry

TITLE = "Tables for nominal weights of construction materials and of goods that are stored"


def clause(number: str, title: str) -> Clause:
    return Clause(Label((number,)), "section", title, Passage(""), None, 1, (Box(3, 0, 0, 1, 0.1),))


CLAUSES = (*(clause(str(n), f"Part number {n} of the code") for n in range(1, 6)), clause("Annex A", TITLE))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("CONSTRUCTION MATERIALS AND OF G00DS THAT ARE ST()RED", False),  # its second line, misread
        ("Tests of materials that are nowhere described in it", True),
        ("Weights of goods", True),  # too short to tell
    ],
)
def test_the_second_line_of_an_entry_is_part_of_its_title(line: str, told: bool) -> None:
    entries = [Entry(f"{n} Part number {n} of the code", str(n)) for n in range(1, 6)] + [Entry(line, "9")]
    assert bool(missing_entries(entries, CLAUSES, 20)) is told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("4.7 General", False),  # 4.1 misread: its title, and no other entry names it
        ("4.2 Wind", False),
        ("4.8 Wind", True),  # 4.2 of that title is announced by itself
        ("4.9 Snow", True),
        ("5.7 General", True),  # of another clause
        ("NATI()NAL ANNEX", False),  # its title goes on
        ("NATIONAL BUREAU", True),
    ],
)
def test_an_entry_that_the_scan_misread_is_found(line: str, told: bool) -> None:
    places = (
        *CLAUSES,
        clause("4.1", "General"),
        clause("4.2", "Wind"),
        clause("N", "National annex for DC 1"),
    )
    entries = [Entry(f"{n} Part number {n} of the code", str(n)) for n in range(1, 6)]
    entries += [Entry("4.2 Wind", "8"), Entry(line, "9")]
    assert bool(missing_entries(entries, places, 20)) is told
