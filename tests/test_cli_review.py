"""`appliance review` as a user types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from appliance.cli import main
from appliance.quality.review import review_file


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def run_json(*words: str | Path) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def library(demo_library: Path, tmp_path: Path) -> Path:
    """A copy of the demo library, so that decisions about it stay in the test."""
    return Path(shutil.copy(demo_library, tmp_path / "codes.db"))


def test_review_is_paged_decided_and_remembered(library: Path) -> None:
    listed = run_json("review", "--library", library, "--kind", "HAS_VALUE", "--limit", "2")
    assert len(listed["items"]) == 2 < listed["total"]
    second = run_json("review", "--library", library, "--kind", "HAS_VALUE", "--limit", "2", "--page", "2")
    assert not {item["id"] for item in listed["items"]} & {item["id"] for item in second["items"]}
    one, other = (item["id"] for item in listed["items"])
    assert run("review", "accept", one, "--library", library).exit_code == 0
    assert run("review", "reject", other, "--why", "not a rule", "--library", library).exit_code == 0
    after = run_json("review", "--library", library, "--kind", "HAS_VALUE")
    assert after["total"] == listed["total"] - 2
    written = review_file(library).read_bytes()
    review_file(library).write_bytes(written + b"\xff no decision\n")
    last = written.count(b"\n") + 1
    assert run_json("review", "--library", library)["unreadable_lines"] == [last]


def test_a_rejection_needs_a_reason_and_an_id_a_meaning(library: Path) -> None:
    assert run("review", "reject", "k3x7qzam", "--library", library).exit_code == 2
    assert run("review", "accept", "k3x7qzam", "--library", library).exit_code == 2
    assert run("review").exit_code == 2


def test_output_for_people(library: Path) -> None:
    assert "appliance review accept" in run("review", "--library", library).stdout
