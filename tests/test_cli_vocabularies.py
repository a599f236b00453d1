"""The commands over vocabularies as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.cli import main


def test_what_ships_passes_its_own_check() -> None:
    result = CliRunner().invoke(main, ["vocabularies", "check"])
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith("0 wrong.")


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_fault_is_said_with_its_file_and_line_and_an_exit_code(tmp_path: Path, flags: list[str]) -> None:
    (tmp_path / "ours.toml").write_text("groups = [\n  ['widget'],\n]\ngroops = []\n")
    result = CliRunner().invoke(main, ["vocabularies", "check", str(tmp_path), *flags])
    assert result.exit_code == 10
    said = json.loads(result.stdout)[0]["message"] if flags else result.output
    assert "ours.toml, line 4 is not a valid vocabulary" in said
    assert "`groops`" in said


def test_one_broken_file_does_not_hide_another(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("groups = [")
    (tmp_path / "b.toml").write_bytes(b"\xff")
    result = CliRunner().invoke(main, ["vocabularies", "check", str(tmp_path), "--json"])
    assert [Path(item["path"]).name for item in json.loads(result.stdout)] == ["a.toml", "b.toml"]


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["vocabularies", "list", str(tmp_path / "none")])
    assert result.exit_code == 10
    assert "no folder of vocabularies" in result.output


def test_the_list_holds_what_a_user_adds(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("groups = [['widget', 'gizmo']]\n[tags.material]\nstraw = []\n")
    listed = CliRunner().invoke(main, ["vocabularies", "list", str(tmp_path)]).output
    assert "widget = gizmo" in listed
    tags = json.loads(
        CliRunner().invoke(main, ["vocabularies", "list", str(tmp_path), "--tags", "--json"]).stdout
    )
    assert {"kind": "material", "name": "straw", "names": ["straw"]} in tags["tags"]
    assert tags["groups"] == []
