"""Patterns that would keep the reading waiting are found before they are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.core.files import data_folder
from appliance.ingest.structure.schemes import load_schemes, slow_text


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"(?P<number>(\d+)+)\s",
        r"Section (?P<number>(?:\d+\.?)+) [A-Z]",
        r"(\w+\s?)+:",
        r"(a|aa)+$",
        r"([^.]+)+;",
    ],
)
def test_catastrophic(pattern: str) -> None:
    assert slow_text(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?P<number>\d{1,2}(?:\.\d{1,2})*)(?=\s)",
        r"(?i)annex\s+(?P<number>[A-Z])",
        r"(?P<number>[A-Z]\.\d+(?:\.\d+)*)\s+",
        r"",
    ],
)
def test_ordinary(pattern: str) -> None:
    assert not slow_text(pattern)


def test_a_scheme_with_such_a_pattern_is_refused_with_its_line(tmp_path: Path) -> None:
    text = (data_folder() / "schemes" / "decimal.toml").read_text(encoding="utf-8")
    text += "\n[[detect]]\npattern = '(a+)+:'\nweight = 1.0\n"
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    line = text.splitlines().index("pattern = '(a+)+:'") + 1
    with pytest.raises(BadSettings, match=rf"own\.toml.*line {line}, `detect` takes too long"):
        load_schemes(tmp_path)
