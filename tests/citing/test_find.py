"""What a specification cites is found in time and in proportion to its length."""

from __future__ import annotations

import math
import time
from bisect import bisect_left

import pytest

from appliance.citing import find
from appliance.citing.find import BATCH, citations
from appliance.citing.values import Paragraph
from appliance.core.document import Document, Reference
from appliance.ingest.references.find import find_references
from appliance.ingest.references.part_words import Words

LINE = "Loads to EN 1991-1-3, 5.2(3) and Table 5.1, clause 5.3.2 of EN 1990; see 6.1.2. "


def pasted(length: int) -> list[Paragraph]:
    return [Paragraph((LINE * (length // len(LINE) + 1))[:length], 1)]


def test_a_long_line_is_compared_in_proportion_to_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def counting(spans: list[tuple[int, int]], at: tuple[int, int]) -> int:
        looked.append(max(1, len(spans)).bit_length())
        return bisect_left(spans, at)

    monkeypatch.setattr(find, "bisect_left", counting)
    found = citations(pasted(40_000), (), 1_000_000)
    assert len(found.cited) > 1_000
    assert sum(looked) < 40_000
    assert found.left is None


def test_a_long_line_is_read_as_its_parts_are() -> None:
    (line,), parts = pasted(3 * BATCH), len(LINE)
    found = citations([line], (), 1_000_000).cited
    short = citations(pasted(parts), (), 1_000_000).cited
    assert [line.text[one.start : one.end] for one in found] == [one.text for one in found]
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert len(found) >= (3 * BATCH // parts) * len(short)


def test_no_more_is_read_than_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Document] = []

    def counting(document: Document, words: Words) -> tuple[Reference, ...]:
        read.append(document)
        return find_references(document, words)

    monkeypatch.setattr(find, "find_references", counting)
    assert len(citations(pasted(100_000), (), 30).cited) == 30
    assert len(read) == 1


def test_reading_ends_at_its_time() -> None:
    texts = [Paragraph(LINE, 1), Paragraph("x " * BATCH, 7), Paragraph(LINE, 8)]
    assert citations(texts, (), 99, time.monotonic() - 1).left == 0
    assert citations(texts, (), 99, math.inf).left is None


@pytest.mark.parametrize("text", ["", "x" * (2 * BATCH + 1), " " * (2 * BATCH), ". " * BATCH])
def test_a_text_is_cut_without_loss(text: str) -> None:
    cuts = list(find._cuts(text))
    assert "".join(text[start:end] for start, end in cuts) == text
    assert all(end - start <= BATCH for start, end in cuts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Approved Document K, paragraph 1.3 and Table 1.1.",
            [("1.3", "Approved Document K"), ("Table 1.1", "Approved Document K")],
        ),
        ("Approved Document B Volume 2, Table 4", [("Table 4", "Approved Document B Volume 2")]),
        ("Part L 2021 section 4", [("Section 4", "Part L 2021")]),
        ("Pipes to BS EN 752. Falls to AD H clause 2.9.", [("", "BS EN 752"), ("2.9", "AD H")]),
        ("BS EN 752. Steps to ADK Table 3.1.", [("", "BS EN 752"), ("Table 3.1", "ADK")]),
        ("ADM Vol 1 paragraph 2.22", [("2.22", "ADM Vol 1")]),
        ("BS EN 752. Clause 1.3 of AD-K applies.", [("", "BS EN 752"), ("1.3", "AD-K")]),
        (
            "BS EN 752. Take Table 3.1, which is that of ADK.",
            [("", "BS EN 752"), ("Table 3.1", "ADK"), ("", "ADK")],
        ),
        ("BS EN 752 applies.\n\nTake Table 3.1.", [("", "BS EN 752"), ("Table 3.1", "BS EN 752")]),
        (
            "ADD 3 bolts, AD 2024, Part 2 and Part A of this contract, ADVISED",
            [("Part 2", "")],
        ),
        (
            "AD K Table 9.8, paragraph 1.3 and Diagram 2.1",  # each label is a citation of its own
            [("Table 9.8", "AD K"), ("1.3", "AD K"), ("Diagram 2.1", "AD K")],
        ),
        ("AD K 1.3, 99.1 and 1.4", [("1.3", "AD K"), ("99.1", "AD K"), ("1.4", "AD K")]),
        ("AD J Table 1 note 3", [("Table 1", "AD J")]),  # notes of tables are not looked for
        (
            "Approved Document B Volume 2 clause 3.5. Part M4(2) paragraph 2.22.",
            [("3.5", "Approved Document B Volume 2"), ("2.22", "Part M4(2)")],
        ),
        ("ADM Vol 1, 2.2, and Vol 2 paragraph 3.1", [("2.2", "ADM Vol 1"), ("3.1", "ADM Vol 2")]),
        ("Approved Document H3 paragraph 1.9", [("1.9", "Approved Document H3")]),
        ("Approved Document H:2002 Table 6", [("Table 6", "Approved Document H:2002")]),
        ("ADF Volume 1:2010, Table 1.1", [("Table 1.1", "ADF Volume 1:2010")]),
        ("AD K: 1998, paragraph 3.1", [("3.1", "AD K:1998")]),
        ("Part K:1998 paragraph 3.1", [("3.1", "Part K:1998")]),
        ("AD K [1998] Table 1.1", [("Table 1.1", "AD K [1998]")]),
        ("AD K: 1.3; AD K: 1998 mm wide", [("1.3", "AD K"), ("", "AD K")]),  # no years
        (
            "CIRIA C753 Table 3.1. SCI P354 Table 2. SCI-P354, NHBC Standards 2024 Chapter 4.2",
            [
                ("Table 3.1", "CIRIA C753"),
                ("Table 2", "SCI P354"),
                ("", "SCI-P354"),
                ("Section 4.2", "NHBC Standards 2024"),
            ],
        ),
        ("AD-K §1.15, Diagram 200", [("Section 1.15", "AD-K"), ("Diagram 200", "AD-K")]),
        ("AD K: a table 800 mm high, a figure 300 wide", [("", "AD K")]),
        (
            "NF EN 1991-1-3 5.3.\n\nSS-EN 1991-1-1 Table A.1, UNE-EN 1990 cl 2.1, NBN EN 1990, I.S. EN 1990",
            [
                ("5.3", "NF EN 1991-1-3"),
                ("Table A.1", "SS-EN 1991-1-1"),
                ("2.1", "UNE-EN 1990"),
                ("", "NBN EN 1990"),
                ("", "I.S. EN 1990"),
            ],
        ),
        (
            "EC1 part 1-3 clause 5.2; Eurocode 1 Part 1-4 section 7; EC2-1-1; BS EN 1991, Part 1-5 cl 6",
            [
                ("5.2", "EC1 part 1-3"),
                ("Section 7", "Eurocode 1 Part 1-4"),
                ("", "EC2-1-1"),
                ("6", "BS EN 1991, Part 1-5"),
            ],
        ),
        ("DIN EN 1991-1-3/NA Table NA.1", [("Table NA.1", "DIN EN 1991-1-3/NA")]),  # not of the code
        (
            "DIN EN 1991-1-3, Tabelle 5.1 und Abschnitt 5.2. NF EN 1990, Tableau 2",
            [("Table 5.1", "DIN EN 1991-1-3"), ("Section 5.2", "DIN EN 1991-1-3"), ("Table 2", "NF EN 1990")],
        ),
        ("clause 5.2; section 3 of EN 1990", [("5.2", ""), ("Section 3", "EN 1990")]),
        (
            "EN 1990 applies; clause 5.2 of this specification, see section 3 of the contract",
            [("", "EN 1990")],
        ),
        ("", []),
    ],
)
def test_a_part_is_of_the_document_that_its_own_sentence_names(
    text: str, expected: list[tuple[str, str]]
) -> None:
    """No document is loaded: what is named is named all the same, short or in full."""
    paragraphs = [Paragraph(each, at) for at, each in enumerate(text.split("\n\n"), 1)]
    assert [(one.number, one.designation) for one in citations(paragraphs, (), 100).cited] == expected


@pytest.mark.parametrize(
    ("text", "designations"),
    [
        ('Snow: EN 1991-1-3, "Snow loads" (2010).', ["EN 1991-1-3:2010"]),
        ("Snow: EN 1991-1-3:2003, Snow loads (2010).", ["EN 1991-1-3:2003"]),  # the nearer one is its own
        ("Basis: EN 1990 Basis of structural design (2002).", ["EN 1990:2002"]),
        ("Snow: EN 1991-1-3 and EN 1990 (2002).", ["EN 1991-1-3", "EN 1990:2002"]),
        (
            "CIRIA Report \u2018Retention of facades\u2019, C579.",
            ["CIRIA Report \u2018Retention of facades\u2019, C579"],
        ),
        ('CIRIA "Good practice" (C741)', ['CIRIA "Good practice" (C741)']),
        ("a CIRIA report on site safety, SP151", []),
        ("category Q of the buildings", []),
    ],
)
def test_years_behind_titles_and_titles_before_numbers(text: str, designations: list[str]) -> None:
    found = citations([Paragraph(text, 1)], (), 10).cited
    assert [one.designation for one in found] == designations


def test_a_document_named_behind_another_is_no_title_of_it() -> None:
    found = citations([Paragraph("As Part M, Approved Document M Volume 1: 2015", 1)], (), 10).cited
    assert [(one.designation, one.title) for one in found] == [
        ("Part M", ""),
        ("Approved Document M Volume 1:2015", ""),
    ]
