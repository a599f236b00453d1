"""What looks like a standard is told, and a part of it is no part of another document."""

from __future__ import annotations

import pytest

from appliance.citing.find import citations
from appliance.citing.values import Paragraph

PLAIN = "EN 1991-1-3 is used.\n\n"


@pytest.mark.parametrize(
    ("text", "cited", "unread"),
    [
        (
            "Loads to NF P 06-001, CSA A23.3, ÖNORM B 1991-1-3, GB 50009-2012, SNiP 2.01.07-85, JGJ 3-2010",
            [
                "NF P 06-001",
                "CSA A23.3",
                "ÖNORM B 1991-1-3",
                "GB 50009-2012",
                "SNiP 2.01.07-85",
                "JGJ 3-2010",
            ],
            [],
        ),
        ("The XYZ 123 and NBCC 2015 apply", [], ["XYZ 123", "NBCC 2015"]),
        ("IPE 300, RAL 9010, IP 65, REI 60, DN 100, CEM I 42.5, REV 3, W1A 1AA, JUNE 2020", [], []),
        ("XYZ 30 mm, UC 203x203x46, spring SPRING 2020. See DWG 1234.", [], []),
        ("", [], []),
    ],
)
def test_what_no_body_listed_issues_is_told(text: str, cited: list[str], unread: list[str]) -> None:
    found = citations([Paragraph(text, 1)], (), 100)
    assert [one.designation for one in found.cited] == cited
    assert [one.name for one in found.unread] == unread


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{PLAIN}XYZ 123 Table A.1", [("", "XYZ 123", False), ("Table A.1", "XYZ 123", False)]),
        (f"{PLAIN}Table 5.1 of XYZ 123", [("Table 5.1", "XYZ 123", False)]),
        (
            f"{PLAIN}GB 50009-2012 clause 5.2.\n\nThen Table 5.1.",
            [
                ("", "GB 50009-2012", False),
                ("5.2", "GB 50009-2012", False),
                ("Table 5.1", "GB 50009-2012", True),
            ],
        ),
        (
            "Table A.1 of SNiP 2.01.07-85; clause 5.2 of GB 50009-2012",
            [
                ("Table A.1", "SNiP 2.01.07-85", False),
                ("", "SNiP 2.01.07-85", False),
                ("5.2", "GB 50009-2012", False),
            ],
        ),
        (f"{PLAIN}XYZ 17 is new.\n\nTake Table 5.1.", [("Table 5.1", "", False)]),  # carried no further
        (f"{PLAIN}IPE 300.\n\nTake Table 5.1.", [("Table 5.1", "EN 1991-1-3", True)]),
    ],
)
def test_a_part_of_an_unlisted_standard_is_of_no_other(
    text: str, expected: list[tuple[str, str, bool]]
) -> None:
    paragraphs = [Paragraph(each, at) for at, each in enumerate(text.split("\n\n"), 1)]
    found = [(one.number, one.designation, one.assumed) for one in citations(paragraphs, (), 100).cited]
    assert [one for one in found if one != ("", "EN 1991-1-3", False)] == expected
