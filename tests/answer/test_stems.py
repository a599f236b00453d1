"""Words are compared by their beginnings; a short word is no beginning of a long one."""

from __future__ import annotations

import pytest

from appliance.answer.reading.quantity import spoken_by
from appliance.answer.reading.question import stems
from appliance.answer.verify import covered
from appliance.text.terms import asked_stem, held_stems
from tests.answer.builders import query


@pytest.mark.parametrize(
    ("asked", "printed", "meets"),
    [
        ("straw", "Straw, in bales", True),
        ("straw", "silage straws", True),
        ("straw", "strawberries, in trays", False),
        ("straws", "strawberries", False),
        ("strawberries", "straw", False),
        ("strawberry", "strawberries", True),
        ("wall", "walls", True),
        ("walls", "wall", True),
        ("car", "carport", False),
        ("car", "cars", True),
        ("glass", "glasses", True),
        ("steel", "steelwork", True),
        ("light", "lighting", True),
        ("light", "lightweight", False),
        ("color", "colour", False),  # another spelling is an alias, not a stem
        ("sloped", "slopes", True),
        ("insulation", "insulated", True),
        ("insulated", "insulation", True),
        ("height", "Heights", True),
        ("", "", False),
    ],
)
def test_which_words_meet(asked: str, printed: str, meets: bool) -> None:
    assert (asked_stem(asked) in held_stems(printed)) is meets
    if asked:
        assert covered(query(asked), printed) == float(meets)


def test_a_term_that_was_cut_off_meets_its_words() -> None:
    assert asked_stem("insul", whole=False) in held_stems("thermal insulation")
    assert asked_stem("charg", whole=False) in held_stems("charging points")
    assert not spoken_by(query("density of straw"), "straw", "strawberries in trays")
    assert spoken_by(query("density of straw"), "straw", "manure (with dry straw)")


def test_the_name_of_a_class_printed_in_two_is_met_by_the_name_written_as_one() -> None:
    assert "t22" in stems("Mean density: T 22")
    assert "m25" in stems("concrete of grade M-25")
    assert "in20" not in stems("In 20 days")
    assert "a3" not in stems("A 3 m gap")
