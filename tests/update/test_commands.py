"""The commands as people type them, from new keys to the version before."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from appliance.cli import main
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.update import apply
from appliance.update import home as homes
from appliance.update.intake.stick import find_stick
from appliance.update.trial import run as trial
from appliance.web.app import create_app
from tests.update.simulator import TEXTS, Builder, write_codes


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text('[models]\nembedder = ""\nreranker = ""\n')
    return path


def run(*words: object, given: str = "", **env: str) -> Result:
    return CliRunner().invoke(
        main, [str(word) for word in words], input=given, env=env, catch_exceptions=False
    )


def well(*words: object, **more: str) -> str:
    result = run(*words, **more)
    assert result.exit_code == 0, result.output
    return result.output


def test_from_new_keys_to_the_version_before(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apply, "Box", partial(apply.Box, trial=trial.examine))
    env = {
        "APPLIANCE_KEYS": str(tmp_path / "keys"),
        "APPLIANCE_HOME": str(tmp_path / "home"),
        "APPLIANCE_SETTINGS": str(settings),
    }
    library = write_codes(tmp_path / "codes.db")
    well("keys", "new", "--to", tmp_path / "keys")
    assert "threshold: 2" in well("keys", "list", **env)
    well("bundle", "create", "--library", library, "--to", tmp_path / "usb", **env)
    well(
        "update", "init", "--root", tmp_path / "keys" / "metadata" / "1.root.json", "--name", "site-1", **env
    )
    assert "Version 1 can be taken on" in well("update", "check", "--stick", tmp_path / "usb", **env)
    well("update", "apply", "--yes", "--stick", tmp_path / "usb", **env)

    write_codes(library, TEXTS | {"5.2": "Guarding stands 1400 millimetres above the balcony."})
    well("keys", "rotate", "release-1", **env)
    well("bundle", "create", "--library", library, "--to", tmp_path / "usb", **env)
    declined = run("update", "apply", "--stick", tmp_path / "usb", given="n\n", **env)
    assert declined.exit_code == 25
    assert "changed    5.2" in declined.output
    assert "version 2 stays prepared" in declined.output
    well("update", "apply", given="y\n", **env)  # without the stick: it is prepared
    status = json.loads(well("update", "status", "--json", **env))
    assert (status["current"]["version"], status["previous"]["version"]) == (2, 1)
    found = well("clause", "DC-1-3", "5.2", "--home", tmp_path / "home", **env)
    assert "1400 millimetres" in found
    assert run("update", "rollback", "--yes", **env).exit_code == 25  # the key of version 1 was revoked
    well("update", "rollback", "--yes", "--revoked", **env)
    assert "serves    version 1" in well("update", "status", **env)
    assert "committed" in well("update", "log", **env)
    assert "are what was installed" in well("update", "scrub", **env)
    well("update", "resume", **env)


def test_notes_travel_from_box_to_builder(box: apply.Box, settings: Path, tmp_path: Path) -> None:
    env = {"APPLIANCE_SETTINGS": str(settings)}
    home = box.home.path
    said = ("feedback", "add", "missing", "width of a beam", "--comment", "see 5.1")
    well(*said, "--library", home, **env)
    assert box.home.site_file.is_file()
    (tmp_path / "usb").mkdir()
    key = re.findall(
        r"[0-9a-f]{4}(?:-[0-9a-f]{4}){5}",
        well("update", "export", "--home", home, "--stick", tmp_path / "usb"),
    )
    words = (
        "bundle",
        "import",
        tmp_path / "usb",
        "--keys",
        tmp_path / "keys",
        "--to",
        tmp_path / "notes.jsonl",
    )
    assert run(*words).exit_code == 2
    assert "1 note of the box site-1, 1 new" in well(*words, "--trust", key[0])


UNHEARD = "Which partial factor do permanent actions take?"


def test_a_gap_goes_to_the_builder_and_comes_back_closed(
    box: apply.Box,
    office: Path,
    demo: Library,
    demo_library: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole circle: asked in vain, exported, imported, judged, built in, named in the next bundle."""
    monkeypatch.setattr(apply, "Box", partial(apply.Box, trial=trial.examine))
    home, stick, notes = box.home.path, tmp_path / "usb", tmp_path / "notes.jsonl"
    keys = Builder(shutil.copytree(office, tmp_path / "office")).folder / "keys"
    env = {"APPLIANCE_HOME": str(home), "APPLIANCE_KEYS": str(keys)}
    stick.mkdir()
    served = Library.open(homes.serving(box.home), homes.settings_at(box.home, Settings(), Path()))
    asked = create_app(served).test_client().get("/ask", query_string={"q": UNHEARD})
    assert asked.status_code == 200
    served.close()
    assert UNHEARD in well("gaps", "list", "--library", home, **env)
    key = re.search(r"[0-9a-f]{4}(?:-[0-9a-f]{4}){5}", well("update", "export", "--stick", stick, **env))
    assert key
    well("bundle", "import", stick, "--to", notes, "--trust", key.group(), **env)

    (row,) = (json.loads(line) for line in notes.read_text().splitlines())
    assert (row["question"], row["gold"], row["note"]) == (UNHEARD, [], "gaps")
    (right,) = demo.search(UNHEARD, limit=1).hits
    place = {"document": right.document, "label": str(right.label), "page": right.boxes[0].page}
    row["gold"] = [place | {"kind": "clause"}]  # what a person fills in
    notes.write_text(json.dumps(row) + "\n")
    assert "any_5" in well("eval", "questions", notes, "--library", demo_library, "--json", **env)
    create = (
        "bundle",
        "create",
        "--library",
        demo_library,
        "--to",
        stick,
        "--judged",
        notes,
        "--notes",
        notes,
    )
    assert "closed: 1" in well(*create, **env)
    taken = well("update", "apply", "--stick", stick, "--yes", **env)
    assert UNHEARD in taken, "the person at the box reads that it is answered now"
    assert "partial factor for permanent actions" in well("ask", UNHEARD, "--library", home, **env)


def test_a_yes_is_for_what_was_shown_and_never_for_what_was_prepared_meanwhile(
    box: apply.Box, builder: Builder, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apply, "Box", partial(apply.Box, trial=trial.examine))
    newer = builder.bundle(TEXTS | {"7.1": "Handrails stand 900 millimetres above the pitch line."})
    asked: list[str] = []

    def reads(question: str, **_: object) -> bool:
        asked.append(question)
        if len(asked) == 1:  # the unit prepares another stick while the person reads
            apply.prepare(box, find_stick(newer), newer=True)
        if len(asked) == 3:  # somebody goes back at the page
            apply.go_back(box)
        return True

    monkeypatch.setattr("click.confirm", reads)
    at = ("--home", box.home.path)
    said = run("update", "apply", "--stick", two, *at)
    assert asked == ["Switch to version 2?", "Switch to version 3?"]
    assert said.output.index("no longer what was agreed to") < said.output.index("Version 3 is copied")
    assert "Version 3 is served" in said.output
    said = run("update", "rollback", *at)
    assert [words.split(",")[0] for words in asked[2:]] == ["Go back to version 1", "Go back to version 3"]
    assert "no longer the one that was agreed to" in said.output
    assert "Version 3 is served" in said.output


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("update", "status", "--home", "nowhere"), 26, "appliance update init"),
        (("update", "apply", "--home", "{box}", "--stick", "nowhere"), 25, "There is nothing at nowhere"),
        (("update", "check", "--home", "{box}", "--stick", "{photos}"), 25, "2 other things lie there"),
        (("update", "check", "--home", "{box}", "--stick", "{one}"), 25, "Nothing is to be done"),
        (("update", "rollback", "--home", "{box}", "--yes"), 25, "no earlier version"),
        (("update", "init", "--home", "{box}", "--root", "nowhere"), 2, "nowhere cannot be read"),
        (("keys", "list", "--keys", "nowhere"), 2, "appliance keys new"),
        (
            ("bundle", "create", "--library", "nowhere", "--keys", "{keys}", "--to", "x"),
            3,
            "no library at nowhere",
        ),
        (("doctor", "--library", "{photos}"), 2, "not the home of a box"),
        (("build", "x", "--library", "{box}"), 2, "is a directory"),
    ],
)
def test_refused_with_a_sentence(
    words: tuple[str, ...], code: int, said: str, box: apply.Box, one: Path, office: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    photos = tmp_path / "photos"
    photos.mkdir()
    for name in ("a.jpg", "b.jpg"):
        (photos / name).touch()
    places = {"box": box.home.path, "one": one, "photos": photos, "keys": office / "keys"}
    result = run(*(word.format(**places) for word in words))
    assert said in result.output
    assert result.exit_code == code


def test_a_home_without_a_library_says_what_to_do(office: Path, tmp_path: Path) -> None:
    builder = Builder(office)
    well(
        "update",
        "init",
        "--home",
        tmp_path / "home",
        "--root",
        builder.folder / "keys" / "metadata" / "1.root.json",
    )
    result = run("doctor", "--home", tmp_path / "home")
    assert result.exit_code == 26
    assert "appliance update apply" in result.output
