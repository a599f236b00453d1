"""Document S of the Approved Documents is not their plural."""

from __future__ import annotations

import pytest

from appliance.text.designations import fold_designation


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Part S", "Approved Document S", True),
        ("Approved Document S: Infrastructure", "AD-S", True),
        ("Approved Documents F", "Approved Document F", True),
        ("Approved Document S Volume 1", "Approved Document S", False),
        ("Approved Document S", "Approved Document F", False),
        ("AS 1657—2018", "AS 1657:2018", True),
        ("BS EN 1992-1-1:2004+A1:2014", "EN 1992-1-1:2004", True),
        ("BS EN 1992-1-1:2004 + AC", "EN 1992-1-1:2004", True),
        ("DIN EN 1992-1-1:2011-01+A1:2015-03", "EN 1992-1-1:2011", True),
        ("NA+A1:2014 to BS EN 1993-1-1:2005+A1:2014", "NA to BS EN 1993-1-1:2005", True),
        ("NA to BS EN 1992-1-1:2004+A1:2014", "BS EN 1992-1-1:2004+A1:2014", False),
        ("Section 03 30 00", "SECTION 033000", True),
    ],
)
def test_two_names_of_one_document(one: str, other: str, same: bool) -> None:
    assert (fold_designation(one) == fold_designation(other)) is same
