"""Lists: what stands over each item, what is one thing, and where long findings are cut."""

from __future__ import annotations

import pytest

from appliance.answer.write.numbered_evidence import clause_of, leans, paths, restricts, whole_lists
from appliance.answer.write.pieces import _grouped, _spans
from appliance.text.sentences import sentences

NESTED = "Doors shall be:\na) in homes:\ni) dry;\nii) clean;\nb) in shops:\ni) wide."


@pytest.mark.parametrize(
    ("text", "over"),
    [
        (NESTED, [(), (0,), (0, 1), (0, 1), (0,), (0, 4)]),
        (
            "Doors are:\ng) dry;\nh) clean;\ni) wide;\nj) high.",
            [(), (0,), (0,), (0,), (0,)],
        ),  # "i" is a letter
        ("4.2 (1) Where:\na) dry.\n(2) Loads are:\n– snow.", [(), (0,), (), (2,)]),  # the next paragraph
        ("4.2 (101) Where:\na) dry.\n(102)P Loads are:\n– snow.", [(), (0,), (), (2,)]),
        ("Stairs are wide.\na) dry.", [(), ()]),  # nothing introduces it
        ("Stairs\n– wide;\n– dry.", [(), (0,), (0,)]),
        ("", []),
    ],
)
def test_an_item_stands_under_all_that_introduces_it(text: str, over: list[tuple[int, ...]]) -> None:
    assert paths(sentences(text)) == over


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Doors shall be:\na) dry; and\nb) clean.", []),
        ("Doors shall be:\na) dry; or\nb) clean.", [range(3)]),
        ("Where:\na) it is dry;\nb) it is clean.", [range(3)]),
        ("Provide one of these:\n– a door;\n– a gate.", [range(3)]),
        ("Doors that are provided shall be:\na) dry;\nb) clean.", []),
    ],
)
def test_a_list_that_is_a_condition_or_a_choice_is_one_thing(text: str, whole: list[range]) -> None:
    found = sentences(text)
    assert whole_lists(found, paths(found)) == whole


@pytest.mark.parametrize(
    ("text", "leaning", "restricting"),
    [
        ("This does not apply to sheds.", True, True),
        ("This may be done by hand.", True, False),
        ("However, sheds are small.", True, True),
        ("Sheds need none.", False, False),
        ("In sheds it is 2 kN.", False, True),  # of the same for other cases
        ("In sheds gutters are wide.", False, False),
        ("(In sheds: 2 kN.)", False, True),
        ("(2) Sheds are wide.", False, False),  # a paragraph
        ("a) it is dry", True, False),
        ("Items are dry.", False, False),  # no "It"
    ],
)
def test_what_leans_on_the_sentence_before_it(text: str, *, leaning: bool, restricting: bool) -> None:
    assert (leans(text), restricts(text)) == (leaning, restricting)


def test_a_long_text_is_cut_at_items_and_never_before_what_restricts() -> None:
    walls = f"{'Walls are built of bricks. ' * 12}However, sheds are not."
    long = f"{walls}\n{NESTED}\nWhere:\na) dry;\nb) clean\nuse oak."
    clause = clause_of(long, (long,))
    groups = _grouped(clause, range(len(clause.units)))
    said = [" ".join(" ".join(long[slice(*span)] for span in _spans(clause, at)).split()) for at in groups]
    assert said[0] == walls  # what takes back all of it is parted from none
    assert said[1:] == [
        "Doors shall be: a) in homes: i) dry;",
        "Doors shall be: a) in homes: ii) clean;",
        "Doors shall be: b) in shops: i) wide.",
        "Where: a) dry; b) clean use oak.",
    ]
