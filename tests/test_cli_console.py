"""The screen of a box: what it says in each state, and that a key runs the command that it names."""

from __future__ import annotations

import importlib
import io
import os
from dataclasses import replace
from pathlib import Path

import click
import pytest

from appliance.core.errors import HomeUnusable
from appliance.core.settings import Settings
from appliance.update.intake import stick
from appliance.update.words import WORDS, refusal
from appliance.web import lan

console = importlib.import_module("appliance.cli.box")  # in its package the command has the same name


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "own_addresses", lambda *_: ("192.168.1.7",))


def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **found: object) -> str:
    """Return the screen of a box of which `update status` says this."""
    usual = {
        "box": "site-7",
        "key": "ab-cd",
        "current": None,
        "previous": None,
        "staged": None,
        "damaged": "",
        "untrusted": False,
        "refused": None,
    }
    monkeypatch.setattr("appliance.update.home.is_home", lambda _: True)
    monkeypatch.setattr("appliance.update.status.status", lambda _: usual | found)
    return str(console.screen(Settings(), tmp_path, 80))


def words_of(screen: str) -> str:
    """Return the words of a screen as one line, without the code that they are wrapped beside."""
    return " ".join(word for word in click.unstyle(screen).split() if word.isascii())


def test_before_its_first_library_a_box_says_that_it_prepares_itself(tmp_path: Path) -> None:
    said = console.screen(Settings(), tmp_path / "absent", 80)
    assert "being prepared" in said
    assert "http://192.168.1.7/" in said
    assert "█" in said, "a code to scan"


def test_the_screen_names_address_code_and_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = served(tmp_path, monkeypatch, current={"version": 4}, previous={"version": 3})
    assert "Box site-7, key ab-cd" in said
    assert "Serves version 4" in said
    assert "Before: version 3" in said
    assert "No access code is asked for." in said
    assert "A stick brought" not in said
    assert "revoked" not in said
    said = served(tmp_path, monkeypatch, current={"version": 4}, untrusted=True)
    assert "signed by keys that were revoked since" in words_of(said)


def test_it_fits_a_screen_of_80_columns_and_25_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = served(
        tmp_path,
        monkeypatch,
        key="0123-4567-89ab-cdef-0123-4567",
        current={"version": 4},
        previous={"version": 3},
        staged={"version": 5},
        refused={"said": max(WORDS.values(), key=len)},
    ).splitlines()
    assert len(lines) <= 25
    widths = [len(click.unstyle(line)) for line in lines]
    assert max(widths) <= 80, [line for line in lines if len(click.unstyle(line)) > 80]


def test_what_a_stick_brought_is_told_with_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = served(tmp_path, monkeypatch, current={"version": 4}, staged={"version": 5})
    assert "A stick brought version 5: type u" in said


def test_what_was_refused_last_and_a_stick_without_an_update_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = str(refusal("damaged", name="codes.db"))
    shown = words_of(served(tmp_path, monkeypatch, current={"version": 4}, refused={"said": sentence}))
    assert f"Not done: {sentence}" in shown
    assert "A stick is plugged in" not in shown
    monkeypatch.setattr(stick, "globbed", lambda _: [tmp_path])
    assert "A stick is plugged in" in served(tmp_path, monkeypatch, current={"version": 4})
    (tmp_path / "CODES-UPDATE" / "metadata").mkdir(parents=True)
    assert "A stick is plugged in" not in served(tmp_path, monkeypatch, current={"version": 4})


def test_the_library_that_came_with_the_box_is_no_stick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = served(tmp_path, monkeypatch, staged={"version": 1})
    assert "being prepared" in said
    assert "A stick brought" not in said


def test_the_access_code_is_shown_or_why_it_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "code"
    file.write_text("k7m2p9qr\n")
    settings = Settings()
    settings = replace(settings, serve=replace(settings.serve, access_code_file=file))
    assert "Access code: k7m2p9qr" in console.screen(settings, tmp_path, 80)
    file.write_text("ab")
    assert "one word of 6 characters" in console.screen(settings, tmp_path, 80)


def test_a_home_that_cannot_be_read_is_said_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> dict[str, object]:
        raise HomeUnusable(tmp_path, "state.json is gone")

    monkeypatch.setattr("appliance.update.home.is_home", lambda _: True)
    monkeypatch.setattr("appliance.update.status.status", broken)
    assert "state.json is gone" in words_of(console.screen(Settings(), tmp_path, 80))


def test_without_a_network_it_asks_for_a_cable_or_names_its_own_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "own_addresses", lambda *_: ())
    monkeypatch.setattr("psutil.net_if_addrs", dict)
    assert "plug in a cable" in console.screen(Settings(), tmp_path, 80)


@pytest.mark.parametrize(("typed", "key"), [("u\n", "u"), ("  Update\n", "u"), ("\n", ""), ("", None)])
def test_the_first_letter_of_a_line_counts(
    typed: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, outer = os.pipe()
    os.write(outer, typed.encode())
    os.close(outer)
    with os.fdopen(inner) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert console.pressed(5) == key


def test_a_key_runs_its_command_on_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    keys = iter(["x", "u", None])
    monkeypatch.setattr(console, "pressed", lambda _: next(keys))
    monkeypatch.setattr("subprocess.run", lambda command, **_: ran.append(command))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    monkeypatch.setattr("click.prompt", lambda *_, **__: "")
    console.console.callback.__wrapped__(Settings(), tmp_path, 80)
    (command,) = ran
    assert command[1:] == ["update", "apply", "--home", str(tmp_path)]
