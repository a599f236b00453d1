"""Every command speaks JSON for programs, but those that serve until they are stopped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from appliance.cli import main
from appliance.library import Library

SERVE = {"serve", "mcp", "console"}  # what they print is for whoever stands there
ONLY_JSON = {"train answer"}  # prints nothing else


def commands(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    for word, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{name}{word} ")
        else:
            yield f"{name}{word}", command


def test_every_command_has_an_option_for_json() -> None:
    without = {
        name
        for name, command in commands(main)
        if not any("--json" in parameter.opts for parameter in command.params)
    }
    assert without == SERVE | ONLY_JSON
    sentence = (Path(__file__).parents[1] / "README.md").read_text("utf-8").partition("but those that run")[2]
    assert all(f"`{name}`" in sentence.partition("JSON alone")[0] for name in without)


def test_a_failure_is_an_object_too(tmp_path: Path) -> None:
    words = ("clause", "DC-0", "1", "--library", str(tmp_path / "none.db"))
    asked = CliRunner().invoke(main, [*words, "--json"])
    error = json.loads(asked.stdout)["error"]
    assert (error["code"], asked.exit_code) == (3, 3)
    assert error["message"] in asked.stderr
    assert not CliRunner().invoke(main, words).stdout


def test_what_a_command_did_is_one_object(demo: Library, tmp_path: Path) -> None:
    library = shutil.copy(demo.store.path, tmp_path / "codes.db")

    def told(*words: object) -> dict[str, Any]:
        done = CliRunner().invoke(main, [*map(str, words), "--json"])
        assert done.exit_code == 0, done.output
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    at = ("--library", library)
    assert "rows" in told("backup", tmp_path / "fresh", *at)
    assert told("feedback", "add", "missing", "how wide is a ramp", *at)["kept"] is True
    assert told("corrections", "add", "snow", "--right", "DC-1-3:5.2", *at)["kept"] is True
    assert told("corrections", "export", tmp_path / "c.jsonl", *at)["written"] == 1
    assert told("gaps", "clear", "--yes", *at)["removed"] == 0
    assert told("document", "DC-0", "--status", "in-force", *at)["kept"].endswith("documents.toml")
    assert told("backup", tmp_path / "notes", *at)["rows"]["corrections"] == 1
    assert told("restore", tmp_path / "notes", "--yes", *at)["file"].endswith("codes.db.site")
    assert told("keys", "new", "--to", tmp_path / "keys")["root"].endswith("1.root.json")
    assert len(told("keys", "list", "--keys", tmp_path / "keys")["keys"]) == 4
    home = ("--home", tmp_path / "home")
    assert told("update", "init", "--root", tmp_path / "keys/metadata/1.root.json", *home)["key"]
    assert told("update", "resume", *home)["resumed"] is True
