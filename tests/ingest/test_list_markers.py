"""Markers that go on with an open list, by number and indent."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from appliance.core.document import ClauseKind
from appliance.ingest.layout.typography import Row
from appliance.ingest.page import Line
from appliance.ingest.structure.schemes import Level
from appliance.ingest.structure.sequence import Reading, follows, leaves, parsed
from tests.ingest.pages import line


def reading(text: str, sequence: str = "letter", *, kind: ClauseKind = "item", printed: str = "") -> Reading:
    level = Level("x", kind, re.compile(""), "", 20, sequence)  # type: ignore[arg-type]  # of a table
    return Reading(level, parsed(text, sequence) or (0,), text, "", printed or f"{text})", 2)


def row(indent: float = 0.0, *, fresh: bool = False, text: str = "b) words") -> Row:
    return Row(line(text, 100), (1, 0), indent, fresh, after_end=False)


@pytest.mark.parametrize(
    ("marker", "indent", "fresh", "goes_on"),
    [
        (reading("b"), 0.0, False, True),
        (reading("b"), 1.2, False, True),
        (reading("b"), 2.0, False, False),  # of a deeper list
        (reading("c"), 0.0, False, False),  # one is left out
        (reading("d", printed="(d)"), 0.0, False, True),  # in brackets some may be
        (reading("d", printed="(d)"), 1.0, False, False),
        (reading("i", printed="(i)"), 0.0, False, False),  # may be the first of a roman list
        (reading("aa"), 0.0, False, True),  # an amendment put it in
        (reading("bb"), 0.0, False, False),
        (reading("2", "number"), 0.0, False, True),
        (reading("4", "number", kind="paragraph"), 2.5, True, True),  # two were not read
        (reading("4", "number", kind="paragraph"), 2.5, False, False),
        (reading("1", "number", kind="paragraph"), 0.0, True, True),  # printed twice by a slip
    ],
)
def test_what_follows_the_first_of_a_list(marker: Reading, indent: float, fresh: bool, goes_on: bool) -> None:
    assert follows(row(indent, fresh=fresh), marker, (1, 0.0)) is goes_on


HANGING = [line("a) words that go on", 100, 100), line("below", 112, 114)]
SHORT = [line("b) wind.", 124, 100)]
FLUSH = [line("a) words that go on", 100, 100), line("below", 112, 100)]
LONG = [line("b) words.", 100, 100), line("go on.", 112, 80)]


def test_a_list_leaves_out_letters_that_look_like_figures() -> None:
    assert follows(row(), reading("j"), (8, 0.0))
    assert not follows(row(), reading("k"), (9, 0.0))


@pytest.mark.parametrize(
    ("text", "indent", "lines", "items", "outside"),
    [
        ("The loads", 0.0, SHORT, [HANGING, SHORT], True),  # below the marker, in a list whose texts hang
        ("the loads", 0.0, SHORT, [HANGING, SHORT], False),  # no new sentence
        ("The loads", 1.4, SHORT, [HANGING, SHORT], False),  # below the text of the item
        ("The loads", 0.0, SHORT, [FLUSH, SHORT], False),  # where the texts stand below the markers
        ("The loads", 0.0, SHORT, [SHORT], False),  # nothing tells how they stand
        ("The loads", -1.0, SHORT, [SHORT], True),  # left of the marker
        ("The loads", -1.0, LONG, [LONG], False),  # where the item itself stood further left
    ],
)
def test_where_a_list_ends(
    text: str, indent: float, lines: list[Line], items: list[list[Line]], outside: bool
) -> None:
    below = Row(line(text, 136), (1, 0), indent, fresh=False, after_end=True)
    assert leaves(below, 0.0, lines, items) is outside
    assert not leaves(replace(below, after_end=False), 0.0, lines, items)


def test_doubled_letters_are_counted_by_themselves() -> None:
    assert [parsed(text, "doubled") for text in ("aa", "bb", "ab", "a")] == [(1,), (2,), None, None]
