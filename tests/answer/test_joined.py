"""What a quotation is not said without: the rest of its list and the words that introduce it."""

from __future__ import annotations

import pytest
from appliance.answer.joined import MOST, begins_inside, is_open, whole

ALARM = (
    "2.3 The alarm should be:\na. on the ceiling, or not within 150 mm of it; and\n"
    "b. between 1 m and 3 m from the stove.\nNote: see the makers."
)
FREE = "Provide:\n– a drain\n– a trap\n– a vent\nDrains are laid to falls."
VALUES = "NOTE The recommended values are:\nγG = 1,35\nγQ = 1,50\n(2) Loads are variable."
NESTED = "4 Either:\na) one of:\n  i) steel;\n  ii) stone.\nb) timber.\n5 Walls are plumb."
FORMULA = "(1) The load is found as follows:\n(2) Loads are variable."
BUILDINGS = "(1)B The load is found as follows:\n(2)B Members may be checked so."
CLAUSES = "1.1 Doors open outwards.\n1.2 Risers are 150 mm."
STEPS = "(1) Provide—\n(a) a bin; and\n(b) a shed.\n(2) Each bin has a lid;\n(3) each shed a door."
SOLD = "a. One stair.\nb. Two stairs; and\nc. three lifts."


@pytest.mark.parametrize(
    ("text", "quoted", "starts", "ends"),
    [
        pytest.param(ALARM, "a. on", "2.3 The alarm", "the stove.", id="a is not said without b"),
        pytest.param(ALARM, "b. between", "2.3 The alarm", "the stove.", id="nor b without a"),
        pytest.param(ALARM, "Note: see", "Note: see", "makers.", id="a note stands alone"),
        pytest.param(ALARM, "2.3 The alarm", "2.3 The alarm", "the stove.", id="a lead-in with its items"),
        pytest.param(FREE, "Provide", "Provide:", "a vent", id="items without marks are of one list"),
        pytest.param(FREE, "– a trap", "Provide:", "a vent", id="an item keeps what introduces its list"),
        pytest.param(FREE, "Drains", "Drains", "falls.", id="what stands behind a list is not of it"),
        pytest.param(VALUES, "NOTE", "NOTE", "γQ = 1,50", id="short lines that are introduced"),
        pytest.param(NESTED, "  ii) stone", "4 Either", "timber.", id="a list in a list"),
        pytest.param(FORMULA, "(1) The", "(1) The", "follows:", id="the next clause is another matter"),
        pytest.param(
            BUILDINGS, "(1)B The", "(1)B The", "follows:", id="a rule for buildings is another matter"
        ),
        pytest.param(CLAUSES, "1.2 Risers", "1.2 Risers", "150 mm.", id="clauses are no items"),
        pytest.param(STEPS, "(b) a shed", "(1) Provide", "a shed.", id="a dash introduces too"),
        pytest.param(STEPS, "(2) Each", "(2) Each", "a door.", id="numbered items that are joined"),
        pytest.param(SOLD, "c. three", "b. Two", "lifts.", id="a list whose head is missing"),
    ],
)
def test_what_is_joined_is_quoted_together(text: str, quoted: str, starts: str, ends: str) -> None:
    start = text.index(quoted)
    line_end = text.find("\n", start)
    span = whole(text, (start, line_end if line_end >= 0 else len(text)))
    assert text[slice(*span)].startswith(starts)
    assert text[slice(*span)].endswith(ends)


def test_a_span_inside_a_line_is_not_grown_over_the_rest_of_it() -> None:
    text = "Doors open. Gates are wide. Walls:\na. of stone;"
    span = (text.index("Gates"), text.index(" Walls"))
    assert whole(text, span) == span


def test_a_list_with_no_room_is_kept_as_far_as_whole_items_go() -> None:
    item = "word " * (MOST // 3)
    text = f"Provide:\na. {item};\nb. {item};\nc. {item};\nd. {item}."
    span = whole(text, (0, len("Provide:")))
    said = text[slice(*span)]
    assert said.startswith("Provide:")
    assert said.count(";") == 2
    assert len(said.split()) <= MOST


def test_one_endless_item_is_left_as_quoted() -> None:
    text = "a. " + "word " * 2 * MOST + ";\nb. end."
    span = (0, text.index(";"))
    assert whole(text, span)[0] == 0


@pytest.mark.parametrize("text", ["", "\n", "  \n "])
def test_nothing_stays_nothing(text: str) -> None:
    assert whole(text, (0, len(text))) == (0, len(text))
    assert not is_open(text)
    assert not begins_inside(text)


@pytest.mark.parametrize(
    ("text", "left_open"),
    [
        ("The values are:", True),
        ("a. steel; and", True),
        ("a. steel;\n", True),
        ("In this regulation—", True),
        ("a. sand", False),  # ends in the letters of a joining word
        ("Steel.", False),
    ],
)
def test_what_ends_open(text: str, left_open: bool) -> None:
    assert is_open(text) is left_open
