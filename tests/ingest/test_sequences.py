"""Gaps in printed numbers: what is skipped, and what only looks skipped."""

from __future__ import annotations

import pytest

from appliance.core.document import Label
from appliance.ingest.checks import Placed, gaps
from tests.factories import box


def placed(*keys: str) -> list[Placed]:
    return [Placed(Label.from_key(key), (box(number),)) for number, key in enumerate(keys, 1)]


@pytest.mark.parametrize(
    ("keys", "skipped"),
    [
        ([], []),
        (["Table 3"], []),  # one item is no sequence
        (["Table 1", "Table 2", "Table 3"], []),
        (["Table 3", "Table 4", "Table 5"], ["Table 1", "Table 2"]),
        (["Table 1", "Table 3"], ["Table 2"]),
        (["Table 1.1", "Table 1.2", "Table 2.1", "Table 2.3"], ["Table 2.2"]),
        (["Figure A.1", "Figure A.3"], ["Figure A.2"]),
        (["Table NA.1", "Table NA.3"], ["Table NA.2"]),
        (["Figure 3.2a", "Figure 3.2b", "Figure 3.1", "Figure 3.3"], []),
        (["Figure 6.2a", "Figure 6.2c"], ["Figure 6.2b"]),
        (["Figure 6.1a", "Figure 6.2c"], []),
        (["5.1(a)", "5.1(b)", "5.1(d)"], ["5.1(c)"]),
        (["5.1(1)a", "5.1(1)b", "5.1(1)d"], ["5.1(1)c"]),
        (["C2D4(1)(a)", "C2D4(1)(c)", "C2D4(2)(b)"], ["C2D4(1)(b)"]),
        (["5.1(i)", "5.1(ii)", "5.1(v)"], []),  # Roman
        (["5.1(h)", "5.1(j)", "5.1(k)", "5.1(m)"], []),  # i and l look like a figure
        (["5.1(a)", "5.2(c)"], []),
        (["Annex a", "Annex c"], []),  # no letter behind a number
        (["0.1", "0.2", "0.4"], ["0.3"]),
        (["5.2(1)", "5.2(2)", "5.2(4)P"], []),  # other marks may be another sequence
        (["5.2(1)", "5.2(2)", "5.2(4)"], ["5.2(3)"]),
        (["5.2(1)", "5.2(5)"], ["5.2(2)", "5.2(3)", "5.2(4)"]),  # (1) tells that they are paragraphs
        (["5.2(5)", "5.2(9)"], []),
        (["5.2(1)", "5.2(25)"], []),
        (["H1/2.1", "H1/2.3", "H2/2.1", "H2/2.2"], ["2.2"]),  # each Part counts for itself
        (["H1/Table 1", "H2/Table 3"], []),
        (["1990", "1996"], []),  # no sequence: it misses more than it has
        (["Table 1", "Table 9"], []),
        (["Table 5.2", "Table 5.2 (2)", "Table 5.2 (3)"], []),  # the first sheet bears the bare name
        (["Table 5.2", "Table 5.2 (2)", "Table 5.2 (4)"], ["Table 5.2 (3)"]),
        (["Table 5.2 (2)", "Table 5.2 (3)"], ["Table 5.2 (1)"]),
        (["Table I", "Table X"], []),
        (["5.3", "5.1", "5.2", "5.5"], ["5.4"]),  # order of the text does not matter
    ],
)
def test_skipped_numbers(keys: list[str], skipped: list[str]) -> None:
    assert [gap.printed for gap in gaps(placed(*keys))] == skipped
