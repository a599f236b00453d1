"""The commands `saved`, `export` and `compare` as a user types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from appliance.core.evidence import Grounded
from appliance.core.settings import SiteSettings
from appliance.keeping.kept import kept
from appliance.library import Library
from appliance.site.gaps_and_feedback import Site, site_file
from appliance.site.saved import save
from tests.test_cli import run, run_json

QUESTION = "characteristic value of the snow load"


@pytest.fixture
def own(demo_library: Path, tmp_path: Path) -> Path:
    """A copy of the demo library, with notes of its own."""
    return Path(shutil.copy(demo_library, tmp_path / "codes.db"))


@pytest.fixture
def key(own: Path, demo: Library) -> str:
    answer = demo.ask(QUESTION)
    assert isinstance(answer, Grounded)
    limits = SiteSettings(free_mib=1)
    return save(Site(site_file(own, limits), limits), kept(answer, demo), "for the roof")


def test_saved_answers_are_listed_written_and_removed(own: Path, key: str, tmp_path: Path) -> None:
    (row,) = run_json("saved", "list", "--library", own)
    assert (row["key"], row["state"], row["note"]) == (key, "same", "for the roof")
    assert QUESTION in run("saved", "list", "--library", own).stdout
    file = tmp_path / "answer.md"
    whole = run_json("saved", "export", key, file, "--library", own)
    assert whole["answer"]["question"] == QUESTION
    assert "for the roof" in file.read_text(encoding="utf-8")
    assert run("saved", "remove", key, "--library", own).exit_code == 0
    gone = run("saved", "export", key, file, "--library", own)
    assert gone.exit_code == 30
    assert "list of saved answers" in gone.stderr


@pytest.mark.parametrize(("name", "begins"), [("answer.pdf", b"%PDF"), ("answer.md", b"# ")])
def test_an_answer_is_written_as_its_ending_says(own: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    assert run("export", QUESTION, tmp_path / name, "--library", own).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_an_answer_leads_to_the_box_whose_address_is_given_or_set(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answer.md"
    export = ("export", QUESTION, file, "--library", own)
    said = "ask?q=characteristic+value+of+the+snow+load"
    for words, address in (((), ""), (("--address", "http://codes:8080/"), f"http://codes:8080/{said}")):
        assert run(*export, *words).exit_code == 0
        text = file.read_text(encoding="utf-8")
        assert ("qr-code" in text) == bool(address)
        assert address in text
    settings = tmp_path / "settings.toml"
    settings.write_text('[serve]\nnames = ["codes.site"]\n', encoding="utf-8")
    monkeypatch.setenv("APPLIANCE_SETTINGS", str(settings))
    assert run(*export).exit_code == 0
    assert f"http://codes.site:8080/{said}" in file.read_text(encoding="utf-8")
    wrong = run(*export, "--address", "codes")
    assert wrong.exit_code != 0
    assert "http://NAME:PORT" in wrong.stderr


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [("answer.doc", 2, ".pdf or .md"), ("no/such/folder.md", 19, "Make the folder")],
)
def test_what_cannot_be_written_is_said(own: Path, tmp_path: Path, name: str, code: int, words: str) -> None:
    result = run("export", QUESTION, tmp_path / name, "--library", own)
    assert result.exit_code == code
    assert words in result.stderr


def test_two_editions_are_compared(own: Path) -> None:
    found = run_json("compare", "DC-1-3-2011", "DC-1-3", "--library", own)
    assert found["counts"]["added"] > found["counts"]["withdrawn"] > 0
    assert {pair["fate"] for pair in found["pairs"]} <= {"added", "changed", "moved", "withdrawn"}
    assert "withdrawn" in run("compare", "DC-1-3-2011", "DC-1-3", "--library", own).stdout
    assert run("compare", "DC-1-3", "NONE", "--library", own).exit_code == 8


def test_two_codes_are_compared_once_a_person_says_so(own: Path) -> None:
    asked = run("compare", "DC-0", "DC-1-1", "--library", own)
    assert "no editions of one code" in asked.stderr
    assert asked.exit_code == 1
    program = run("compare", "DC-0", "DC-1-1", "--json", "--library", own)
    assert "Add --yes" in json.loads(program.stdout)["error"]["message"]
    assert program.exit_code == 2
    assert "added" in run("compare", "DC-0", "DC-1-1", "--yes", "--library", own).stdout
    twice = run("compare", "DC-0", "DC-0", "--yes", "--library", own)
    assert (twice.exit_code, "named twice" in twice.stderr) == (2, True)
