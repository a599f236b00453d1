"""References that only lead round are told; provisions that name each other are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.references.resolve import circle_problems
from appliance.ingest.structure.schemes import load_schemes
from tests.ingest.made import column, write

RULE = "The load on a floor that people can reach shall be at least 2.0 kN on any square metre of it, see"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["1.1 The load is given in 1.2.", "1.2 See 1.3.", "1.3 See 1.1."], ["1.1 to 1.2 to 1.3 to 1.1"]),
        (["1.1 See 1.2.", "1.2 See 1.1.", "1.3 See 1.4.", "1.4 See 1.3."], ["1.1 to 1.2", "1.3 to 1.4"]),
        (["1.1 See 1.1.", "1.2 Loads are light."], ["1.1 to 1.1"]),
        (["1.1 See 1.2.", f"1.2 {RULE} 1.1."], []),
        (["1.1 See 1.2.", "1.2 The load is 2.0 kN, see 1.1."], []),
        (["1.1 See 1.2.", "1.2 See 1.1 and BS EN 1991-1-1."], []),
        (["1.1 See 1.2.", "1.2 See 1.1 and 1.3.", "1.3 Loads are light."], []),
        (["1.1 See 1.2.", "1.2 See 1.3.", "1.3 Loads are light."], []),
        (["1.1 This clause is short.", "1.2 Loads are light."], []),
        (["1.1 See 1.2.", "1.2 See 9.1 and Table 7.", "1.3 Loads are light."], []),
    ],
)
def test_circles(tmp_path: Path, lines: list[str], told: list[str]) -> None:
    path = write(tmp_path / "code.pdf", [column("# 1 Loads", *lines)])
    read = read_document(path, "code", IngestSettings(), load_schemes())
    problems = list(circle_problems(read))
    assert len(problems) == len(told)
    for problem, way in zip(problems, told, strict=True):
        assert way in problem.message
        assert problem.page == 1
        assert problem.box is not None
    assert set(problems) <= set(read.problems)
