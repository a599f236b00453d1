"""`appliance graph` and `appliance review` as a user types them."""

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


def test_the_graph_is_counted(library: Path) -> None:
    counts = run_json("graph", "--library", library)
    assert counts["nodes"]["value"] > 50
    assert {"HAS_VALUE", "VALID_WHEN", "APPLIES_TO", "DEFINED_IN", "PART_OF", "REFERENCES"} <= set(
        counts["edges"]
    )


def test_what_values_a_table_gives(library: Path) -> None:
    (tree,) = run_json(
        "graph", "DC-1-3 Table 4.1", "--library", library, "--kind", "PART_OF", "--direction", "in"
    )
    values = [item["node"] for item in tree["neighbours"]]
    assert tree["id"] == "table:DC-1-3:Table 4.1"
    assert {value["kind"] for value in values} == {"value"}
    assert 0.7 in {value["quantity"]["low"] for value in values}


def test_what_applies_to_a_thing(library: Path) -> None:
    trees = run_json("graph", "snow load", "--library", library, "--direction", "in")
    found = [item for tree in trees for item in tree["neighbours"] if item["kind"] == "APPLIES_TO"]
    assert found
    assert all(item["proof"]["quote"] for item in found if item["proof"])


def test_nothing_of_that_name_says_what_to_type(library: Path) -> None:
    result = run("graph", "moonshine", "--library", library)
    assert result.exit_code == 8
    assert "moonshine" in result.stderr


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
    assert run_json("review", "--stale", "--library", library) == []
    written = review_file(library).read_bytes()
    review_file(library).write_bytes(written + b"\xff no decision\n")
    last = written.count(b"\n") + 1
    assert run_json("review", "--stale", "--library", library) == [{"line": last, "state": "unreadable"}]
    assert "unreadable" in run("review", "--stale", "--library", library).stdout


def test_a_rejection_needs_a_reason_and_an_id_a_meaning(library: Path) -> None:
    assert run("review", "reject", "k3x7qzam", "--library", library).exit_code == 2
    assert run("review", "accept", "k3x7qzam", "--library", library).exit_code == 2
    assert run("review").exit_code == 2


def test_output_for_people(library: Path) -> None:
    assert "HAS VALUE" in run("graph", "--library", library).stdout
    assert "Table 4.1" in run("graph", "DC-1-3 Table 4.1", "--library", library, "--depth", "2").stdout
    assert "appliance review accept" in run("review", "--library", library).stdout
