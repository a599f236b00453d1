"""Gaps in the ruled lines of scanned tables."""

from __future__ import annotations

import pytest

from appliance.ingest.geometry import Area, Rule, Ruling
from appliance.ingest.page import Word
from appliance.ingest.tables.rules_mended import mended

AREA = Area(0, 0, 300, 100)
LEVELS = (0, 20, 40, 60, 80, 100)
SIDES = (0, 100, 200, 300)


def word(text: str, x: float, y: float) -> Word:
    return Word(text, x, y, x + 30, y + 8, "f", 8)


def table(broken: tuple[Rule, ...], at: float) -> Ruling:
    """Return a grid of three columns and five rows, the level `at` drawn as it is given."""
    full = tuple(Rule(y, 0, 300) for y in LEVELS if y != at)
    return Ruling((*full, *broken), tuple(Rule(x, 0, 100) for x in SIDES), ())


def drawn(rules: Ruling, level: float, left: float, right: float) -> bool:
    return any(r.at == level and r.start <= left and r.end >= right for r in rules.horizontal)


BROKEN = (Rule(40, 100, 180), Rule(40, 200, 300))
EACH = [word("one", 10, 26), word("two", 10, 46), word("x", 110, 26), word("y", 110, 46)]
BOTH = [word("one", 10, 36), word("x", 110, 26), word("y", 110, 46)]


@pytest.mark.parametrize(
    ("words", "label", "second"),
    [
        (EACH, True, True),  # each text stands in the middle of its row
        (BOTH, False, True),  # a label in the middle of both rows
        ([], False, True),
    ],
)
def test_a_level_is_closed_where_its_rows_are_two(words: list[Word], *, label: bool, second: bool) -> None:
    rules = mended(table(BROKEN, 40), AREA, words)
    assert (drawn(rules, 40, 0, 100), drawn(rules, 40, 100, 200)) == (label, second)


def test_an_upright_line_goes_on_downwards_but_not_through_words() -> None:
    pale = Ruling(tuple(Rule(y, 0, 300) for y in LEVELS), tuple(Rule(x, 0, 45) for x in SIDES), ())
    words = [word("value", 110, 66), Word("across", 60, 86, 280, 94, "f", 8)]
    found = {(rule.at, rule.start) for rule in mended(pale, AREA, words).vertical}
    assert (100, 60) in found
    assert not {(100, 80), (200, 80)} & found


@pytest.mark.parametrize(
    ("middle", "words", "closed"),
    [
        ((Rule(100, 0, 40),), [word("1,0", 40, 66)], False),  # left out in print: one value for both columns
        ((Rule(100, 0, 20), Rule(100, 80, 100)), [word("1,0", 40, 46)], False),
        ((Rule(100, 0, 52),), [word("1,0", 40, 66)], True),  # it ends between two levels: it has faded
        ((Rule(100, 0, 40),), [word("1,0", 40, 66), word("2,0", 140, 66)], True),  # two values
        ((Rule(100, 0, 40),), [word("2,0", 140, 66)], True),  # nothing before it
    ],
)
def test_a_value_stands_for_two_columns_where_no_line_is_printed_between(
    middle: tuple[Rule, ...], words: list[Word], *, closed: bool
) -> None:
    upright = (*(Rule(x, 0, 100) for x in (0, 200, 300)), *middle)
    rules = mended(Ruling(tuple(Rule(y, 0, 300) for y in LEVELS), upright, ()), AREA, words)
    at = words[0].y0 + 4
    assert any(r.at == 100 and r.start <= at <= r.end for r in rules.vertical) == closed


def test_a_value_for_two_columns_may_stand_over_one_that_is_not() -> None:
    """A level drawn over two of the columns only parts their rows, not those of the whole table."""
    upright = (*(Rule(x, 0, 100) for x in (0, 200, 300)), Rule(100, 0, 20), Rule(100, 30, 100))
    level = tuple(Rule(y, 0, 300) for y in LEVELS)
    rules = mended(Ruling((*level, Rule(30, 0, 200)), upright, ()), AREA, [word("1,0", 40, 21)])
    assert not any(r.at == 100 and r.start < 24 < r.end for r in rules.vertical)


@pytest.mark.parametrize("rules", [Ruling((), (), ()), Ruling((Rule(0, 0, 300), Rule(100, 0, 300)), (), ())])
def test_what_is_no_ruled_grid_is_left(rules: Ruling) -> None:
    assert mended(rules, AREA, EACH) is rules


@pytest.mark.parametrize(
    ("begins", "level", "head"),
    [
        (10, Rule(10, 100, 200), True),  # the head of both columns stands over the level that it begins at
        (10, Rule(10, 210, 290), False),  # a level elsewhere says nothing: the line has faded
        (0, Rule(10, 100, 200), False),
    ],
)
def test_an_upright_line_that_begins_under_a_head_does_not_part_the_head(
    begins: int, level: Rule, *, head: bool
) -> None:
    whole = [Rule(y, 0, 300) for y in LEVELS]
    upright = tuple(Rule(x, begins if x == 200 else 0, 100) for x in SIDES)
    words = [word("Head", 150, 1), word("one", 110, 11), word("two", 230, 11)]
    found = mended(Ruling((*whole, level), upright, ()), AREA, words)
    through = any(rule.at == 200 and rule.start < 10 for rule in found.vertical)
    assert through is not head
