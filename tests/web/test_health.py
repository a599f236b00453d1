"""What the page says of the box itself, to machines and to people."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from appliance import __version__
from appliance.cli import main
from appliance.core.errors import SiteUnusable
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.operation import health
from appliance.operation import update_health as boxes
from appliance.site.gaps_and_feedback import Site
from appliance.update import home
from appliance.update.apply import Box, go_back
from appliance.update.trial import scrub
from appliance.web import lan, served
from appliance.web.app import create_app
from tests.update import simulator
from tests.update.conftest import box_in
from tests.web.fake_library import FakeLibrary


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("office")
    builder = simulator.Builder.new(folder)
    builder.bundle(to="one")
    builder.bundle(simulator.TEXTS | {"5.2": "Guarding stands 1200 millimetres high."}, to="two")
    simulator.update(simulator.new_box(folder / "box", builder.root(), "site-1"), folder / "one")
    return folder


@pytest.fixture
def box(office: Path, tmp_path: Path) -> Box:
    return box_in(office, tmp_path / "box")


@pytest.fixture
def at_the_box(box: Box) -> Iterator[FlaskClient]:
    path = home.serving(box.home)
    settings = home.settings_at(box.home, simulator.SETTINGS, path)
    library = Library.open(path, settings)
    app = create_app(library, settings=settings)
    served.remember(app, path)
    yield app.test_client()
    library.close()


def points(box: Box) -> dict[str, tuple[str, str]]:
    path = home.serving(box.home)
    settings = home.settings_at(box.home, Settings(), path)
    found = health.points(path, settings, Site(box.home.site_file, settings.site))
    return {point.name: (point.state, point.words) for point in found}


def test_a_machine_learns_no_more_than_whether_it_answers(client: FlaskClient) -> None:
    assert client.get("/healthz").json == {"ok": True, "version": __version__}


def test_a_library_that_fails_is_not_well(library: FakeLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app(library).test_client()
    monkeypatch.setattr(library, "overview", lambda: SimpleNamespace(documents=()))
    assert client.get("/healthz").status_code == 503


def test_the_page_says_how_the_box_is_without_its_secrets(
    at_the_box: FlaskClient, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = at_the_box.get("/health").text
    for words in ("version 1 is served", "never read again", "GiB free", "open to everybody"):
        assert words in text, words
    assert str(box.home.path) not in text
    monkeypatch.setattr(lan, "addresses_of_request", lambda: ("http://127.0.0.1:8080/",))
    text = at_the_box.get("/health").text
    assert "only this machine: nothing else can reach it" in text
    assert "open to everybody" not in text
    assert "box.pem" not in text


def test_the_last_scrub_and_damage_are_told(box: Box) -> None:
    scrub.scrub(box)
    assert points(box)["last scrub"][0] == "well"
    library = home.serving(box.home)
    library.chmod(0o644)
    library.write_bytes(library.read_bytes()[:-1])
    scrub.scrub(box)
    assert points(box)["last scrub"][0] == "wrong"
    assert points(box)["updates"][0] == "wrong"


def test_a_server_learns_that_another_version_is_to_be_served(box: Box, office: Path) -> None:
    served = home.serving(box.home)
    assert not boxes.moved(served)
    simulator.update(box, office / "two")
    assert boxes.moved(served)
    go_back(box)
    assert not boxes.moved(served)
    shutil.rmtree(box.home.path)
    assert not boxes.moved(served), "a home that is gone moves nobody"


@pytest.mark.parametrize(
    ("then", "state", "words"),
    [
        ("nothing", "well", "its file is the one that was opened"),
        ("replaced", "note", "its file was replaced after it was opened"),
        ("written over", "note", "its file was replaced after it was opened"),
        ("gone", "wrong", "its file is gone"),
    ],
)
def test_another_file_in_the_place_of_the_library_is_told(
    library: FakeLibrary, tmp_path: Path, then: str, state: str, words: str
) -> None:
    path = tmp_path / "codes.db"
    path.write_bytes(b"one")
    os.utime(path, (86400, 86400))
    app = create_app(library)
    served.remember(app, path)
    client = app.test_client()
    match then:
        case "replaced":
            (tmp_path / "new").write_bytes(b"two")
            (tmp_path / "new").replace(path)
        case "written over":
            path.write_bytes(b"three")
        case "gone":
            path.unlink()
    told = {point["name"]: point for point in client.get("/api/v1/health").get_json()["checks"]}["library"]
    assert told["state"] == state
    assert told["words"].startswith(words)
    assert (state != "well") == ("was replaced or taken away" in client.get("/ask?q=snow").text)
    assert ", file date 1970-01-02" in client.get("/box").text
    app.extensions["overview"] = replace(library.overview(), issued="2026-09-10")
    assert ", issued on 2026-09-10" in client.get("/box").text
    about = client.get("/api/v1/box").get_json()
    assert (about["issued"], about["built"]) == ("2026-09-10", "1970-01-02")
    assert "issued on 2026-09-10" in client.get("/ask.md?q=snow").text


def test_the_first_page_says_how_the_box_is(client: FlaskClient) -> None:
    text = client.get("/").text
    assert "All is well." in text
    assert "Saved answers</h2>" not in text, "where nothing is saved there is no room for it"


def test_a_full_disk_and_notes_that_cannot_be_written_are_told(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = SimpleNamespace(free=2**20, total=2**40, used=0)
    monkeypatch.setattr("appliance.operation.health.shutil.disk_usage", lambda _: usage)

    def full(site: Site) -> None:
        raise SiteUnusable(site.path, "the disk is full")

    monkeypatch.setattr(Site, "check", full)
    found = points(box)
    assert found["disk"][0] == "wrong"
    assert found["notes of the site"][0] == "note"


def test_figures_are_counted_and_shown_and_asking_for_them_writes_nothing(client: FlaskClient) -> None:
    assert "Nothing was counted yet" in client.get("/figures").text
    client.get("/ask?q=snow")
    client.get("/ask?q=mars")
    text = client.get("/figures").text
    assert "1 answered; 1 not found; 0 failed" in text
    assert '<svg class="plot"' in text
    assert "whole answer" in text


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def test_notes_are_copied_and_brought_back_at_the_command_line(box: Box, tmp_path: Path) -> None:
    at, copy = box.home.path, tmp_path / "notes"
    nothing = run("backup", copy, "--home", at)
    assert nothing.exit_code == 0
    assert "0 gaps, 0 feedback" in nothing.output
    assert run("feedback", "add", "helpful", "how wide?", "--home", at).exit_code == 0
    assert "1 feedback" in run("backup", copy, "--home", at).output
    assert run("feedback", "add", "wrong", "how high?", "--home", at).exit_code == 0
    assert run("restore", copy, "--home", at).exit_code == 1, "nobody said yes"
    assert "1 feedback" in run("restore", copy, "--yes", "--home", at).output
    listed = run("feedback", "list", "--home", at).output
    assert "how wide?" in listed
    assert "how high?" not in listed
    copy.write_text("no notes")
    refused = run("restore", copy, "--yes", "--home", at)
    assert refused.exit_code == 23
    assert "how wide?" in run("feedback", "list", "--home", at).output


@pytest.mark.parametrize(
    "words", [["review", "accept", "k3x7qzamd2f4u"], ["report", "DC-1-3", "--checked", "1"]]
)
def test_what_a_bundle_brought_is_not_decided_about_on_site(box: Box, words: list[str]) -> None:
    settings = box.home.path.parent / "settings.toml"
    settings.write_text('[models]\nembedder = ""\nreranker = ""\n', encoding="utf-8")
    refused = run("--settings", settings, *words, "--home", box.home.path)
    assert refused.exit_code != 0
    assert "appliance corrections add" in refused.output
    assert not list(box.home.generations.rglob("*.review.jsonl"))
    assert not list(box.home.generations.rglob("*.checked*"))


def test_the_doctor_looks_at_the_box_too(box: Box) -> None:
    settings = box.home.path.parent / "settings.toml"
    settings.write_text('[models]\nembedder = ""\nreranker = ""\n', encoding="utf-8")
    output = run("--settings", settings, "doctor", "--home", box.home.path, "--json").output
    for name in ("updates", "last scrub", "disk", "memory", "access"):
        assert f'"{name}"' in output
