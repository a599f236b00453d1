"""Entries of a contents list that are lines of a longer title are found in it, strangers are not."""

import pytest

from appliance.core.document import Box, Clause, Label, Passage
from appliance.ingest.checks import missing_entries
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
