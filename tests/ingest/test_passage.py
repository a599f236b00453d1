"""Joining lines: hyphens, paragraphs, and the place of each stretch."""

from __future__ import annotations

import pytest

from appliance.ingest.layout.lines import join_lines, whole_words
from appliance.ingest.page import Line, PageContent

PAGE = PageContent(1, 100, 200, "", (), (), ())
PAGES = {1: PAGE}


def _line(text: str, y: float = 10) -> Line:
    return Line(1, text, 10, y, 90, y + 10, 10, False, False, 0, ())


@pytest.mark.parametrize(
    ("rows", "known", "text"),
    [
        (("the install-", "ation of"), {"installation"}, "the installation of"),
        (("the install-", "ation of"), set(), "the installation of"),
        (("gigabit-", "ready networks"), {"gigabit-ready"}, "gigabit-ready networks"),
        (("gigabit-", "ready networks"), {"gigabit", "ready"}, "gigabit-ready networks"),
        (("self-", "weight"), {"self-weight", "selfweight"}, "self-weight"),
        (("pre-", "and post-tensioned"), set(), "pre- and post-tensioned"),  # it stands for what follows
        (("T\u00ad", "or L-beam"), set(), "T- or L-beam"),
        (("Stahl-", "und Verbundbau"), {"und"}, "Stahl- und Verbundbau"),
        (("the auditori-", "um and the mot-", "or"), {"motor"}, "the auditorium and the motor"),
        (("EN 1991-", "1-3 applies"), set(), "EN 1991- 1-3 applies"),
        (("soft\u00ad", "ened"), {"soft", "ened"}, "softened"),
        (("a co\u00adlumn", "here"), set(), "a co-lumn here"),  # drawn: what is not is no part of the line
        (("gigabit\u00ad", "ready networks"), {"gigabit-ready"}, "gigabit-ready networks"),
        (("gigabit\u00ad", "ready networks"), {"gigabit", "ready"}, "gigabitready networks"),
        (("\u00ad5 °C and \u00ad0.5", "or less"), set(), "-5 °C and -0.5 or less"),
        (("ACI 318\u00ad19, a 2\u00adhour wall", "and"), set(), "ACI 318-19, a 2-hour wall and"),
        (("in ACI 318\u00ad", "19 and B\u00ad", "1.1"), set(), "in ACI 318-19 and B-1.1"),
        (("values \u00ad", "see"), set(), "values - see"),
        (("CON\u00ad", "CRETE"), set(), "CONCRETE"),
        (("pre\u00ad and post\u00ad", "heating"), set(), "pre- and postheating"),
        (("the end\u00ad",), set(), "the end"),
        (("\u00ad", "Roof"), set(), "- Roof"),
        (("- Roof", "loads"), set(), "- Roof loads"),
        (("values -", "see"), set(), "values - see"),
        (("one", "", "two"), set(), "one two"),
    ],
)
def test_hyphens_at_line_ends(rows: tuple[str, ...], known: set[str], text: str) -> None:
    assert join_lines([_line(row) for row in rows], PAGES, frozenset(known)).text == text


@pytest.mark.parametrize(
    ("title", "whole"),
    [
        ("Design of install- ations", "Design of installations"),
        ("Design of Absturz\u00ad sicherungen", "Design of Absturzsicherungen"),
        ("ACI 318\u00ad 19 at \u00ad5 °C", "ACI 318-19 at -5 °C"),
        ("Class B\u00ad1 walls", "Class B-1 walls"),
        ("Abs\u00adturzsicherungen", "Absturzsicherungen"),  # of the file's own title: nothing is drawn
        ("Stahlbeton\u00ad und Spannbeton", "Stahlbeton- und Spannbeton"),
        ("Pre\u00ad, post\u00ad and un\u00ad tensioned", "Pre-, post- and untensioned"),
        ("Gigabit- ready homes", "Gigabit-ready homes"),
        ("Pre- and post-heating", "Pre- and post-heating"),
        ("Walls - see Part 2", "Walls - see Part 2"),
        ("", ""),
    ],
)
def test_titles_over_several_lines_have_whole_words(title: str, whole: str) -> None:
    assert whole_words(title, frozenset({"installations", "gigabit-ready", "and"})) == whole
