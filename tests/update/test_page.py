"""The page of updates: what a person reads and presses, from the stick to the way back."""

from __future__ import annotations

import html
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from appliance.site.notes import Site
from appliance.site.values import About, Shown
from appliance.update import apply, home
from appliance.update.changes.report import report_staged
from appliance.update.desk import STAGES, UNFORESEEN, Desk
from appliance.update.intake.stick import find_stick
from appliance.update.trial import attempt, run
from appliance.update.words import AT_PAGE, WORDS, Why, refusal
from appliance.web.box.updates import create_app, look_json
from tests.update.simulator import SETTINGS, TEXTS, Builder, copy, target
from tests.update.test_local import HERE, OURS


class Person:
    """Somebody at the box with the page open."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.client: FlaskClient = create_app(desk).test_client()

    def reads(self) -> str:
        found = self.client.get("/", environ_overrides=HERE)
        assert found.status_code == 200
        return " ".join(html.unescape(found.text).split())

    def presses(self, task: str, **form: str) -> str:
        """Press a button, wait for the end, and return what the page says then."""
        data = form | {"token": self.client.application.extensions["token"]}
        found = self.client.post(f"/do/{task}", data=data, headers={"Origin": OURS}, environ_overrides=HERE)
        assert found.status_code == 303
        return self.waits()

    def waits(self) -> str:
        end = time.monotonic() + 30
        while not self.desk.look().ended:
            assert time.monotonic() < end
            time.sleep(0.01)
        return self.reads()


@pytest.fixture
def at(box: apply.Box, two: Path) -> Callable[..., Person]:
    def made(stick: Path | None = two, tried: attempt.Trial | None = None) -> Person:
        return Person(Desk(apply.Box(box.home, SETTINGS, tried or box.trial), stick, report_staged))

    return made


def test_from_the_stick_to_the_way_back(at: Callable[..., Person], box: apply.Box) -> None:
    person = at()
    assert "Version 1" in person.reads()
    assert "There is no earlier version on this box." in person.reads()
    assert f'<a class="home" href="http://127.0.0.1:{SETTINGS.serve.port}/">' in person.reads()
    found = person.presses("look")
    assert "version 2" in found
    assert "Copy and check it" in found
    found = person.presses("copy")
    assert "Version 2 is prepared" in found
    assert '<span class="fate changed">changed</span> <b>5.2</b>' in found
    staged = home.load_state(box.home).staged
    assert "Guarding stands <del>1100</del> <ins>1200</ins> millimetres above the balcony." in found
    assert f'name="generation" value="{staged}"' in found
    found = person.presses("switch", generation=staged)
    assert "Version 2 works and is served now." in found
    assert "Go back to version 1" in found
    assert "are what was installed." in person.presses("scrub")
    found = person.presses("back", generation=home.load_state(box.home).previous)
    assert "Version 1 is served again." in found
    english = person.reads().partition('class="events"')[2]
    person.client.set_cookie("codes_language", "de", domain="127.0.0.1")
    german = person.reads().partition('class="events"')[2]
    for said in ("version 2", "files are whole", "golden questions", "from "):
        assert said in english
        assert said not in german, "the log speaks the language of the page"


def test_keys_that_were_revoked_since_are_told(at: Callable[..., Person], box: apply.Box) -> None:
    words = "What is served was signed by keys that were revoked since. Take on the newest stick."
    assert words not in at().reads()
    state = home.load_state(box.home)
    home.save_state(box.home, replace(state, untrusted=state.current))
    assert words in at().reads()


def test_notes_that_cannot_be_read_are_said_with_why(at: Callable[..., Person], box: apply.Box) -> None:
    box.home.site_file.write_bytes(b"no database" * 100)
    found = at().presses("copy")
    assert "The notes of this site cannot be held against it: " in found
    assert "Version 2 is prepared" in found


def test_notes_of_the_site_that_it_touches_are_named(at: Callable[..., Person], box: apply.Box) -> None:
    site = Site(box.home.site_file, SETTINGS.site)
    site.add_feedback(About("", "how high is <b>guarding</b>", (Shown("DC-1-3", "5.2", 1),), ""), "helpful")
    person = at()
    found = person.presses("copy")
    assert "Notes of this site that it touches" in found
    assert "how high is <b>guarding</b>" in found
    raw = Person(person.desk).client.get("/", environ_overrides=HERE).text
    assert "how high is &lt;b&gt;guarding&lt;/b&gt;" in raw, "as text, never as markup"


def test_what_was_prepared_by_the_updater_is_compared_when_the_page_is_opened(
    at: Callable[..., Person], box: apply.Box, two: Path
) -> None:
    apply.prepare(box, find_stick(two))
    person = at(None)
    person.reads()
    assert "<b>5.2</b>" in person.waits()


@pytest.mark.parametrize("task", ["switch", "back"])
def test_a_yes_to_another_version_than_was_shown_changes_nothing(
    at: Callable[..., Person], box: apply.Box, task: str
) -> None:
    person = at()
    person.presses("copy")
    if task == "back":
        person.presses("switch", generation=home.load_state(box.home).staged)
    before = box.home.state_file.read_bytes()
    found = person.presses(task, generation="1-0123456789ab")
    assert (
        "no longer what was agreed to" if task == "switch" else "no longer the one that was agreed to"
    ) in found
    assert box.home.state_file.read_bytes() == before


def test_a_version_that_does_not_work_is_said_and_can_be_tried_once_more(
    at: Callable[..., Person], box: apply.Box
) -> None:
    person = at(tried=lambda *_: run.Verdict("its library holds no document"))
    person.presses("copy")
    found = person.presses("switch", generation=home.load_state(box.home).staged)
    assert "The box went back to what it served before" in found
    found = person.presses("copy")
    assert "or try it once more." in found
    assert "Try it once more</button>" in found
    assert "Version 2 is prepared" in person.presses("copy", again="1")


def test_while_something_is_under_way_nothing_else_is_begun(
    at: Callable[..., Person], box: apply.Box
) -> None:
    go_on = threading.Event()

    def slow(*_: object) -> run.Verdict:
        go_on.wait(20)
        return run.Verdict("")

    person = at(tried=slow)
    person.presses("copy")
    assert person.desk.begin("switch", home.load_state(box.home).staged)
    assert not person.desk.begin("scrub")
    shown = person.reads()
    assert '<meta http-equiv="refresh" content="2">' in shown, "without script it looks again by itself"
    assert STAGES["switch"] in shown
    assert "disabled>Look at the stick" in shown
    assert look_json(person.desk.look())["ended"] is False
    go_on.set()
    assert "Version 2 works" in person.waits()


def test_a_copy_is_held_against_what_waits(
    at: Callable[..., Person], box: apply.Box, builder: Builder, two: Path
) -> None:
    assert "Version 2 is prepared" in at().presses("copy")
    assert "Version 2 stays prepared" in at().presses("copy")
    newer = at(builder.bundle(TEXTS | {"5.2": "Guarding stands 1300 millimetres above the balcony."}))
    found = newer.presses("copy")
    assert "Version 2 was prepared; version 3 on the stick takes its place." in found
    assert "<ins>1300</ins> millimetres" in found, "it is compared"
    older = at(two)
    older.reads()  # opened, it compares what waits
    older.waits()
    assert "which is older than the one that is prepared" in older.presses("look")
    assert "Version 3 stays prepared: the stick holds nothing newer." in older.presses("copy")
    assert home.load_state(box.home).staged.startswith("3-")


def test_another_process_that_updates_is_said(at: Callable[..., Person], box: apply.Box) -> None:
    with home.alone(box.home):
        assert WORDS[Why.BUSY] in at().presses("copy")


def test_the_progress_is_told_in_bytes(at: Callable[..., Person], monkeypatch: pytest.MonkeyPatch) -> None:
    person = at()
    told: list[dict[str, Any]] = []
    keep = person.desk._set

    def note(**values: Any) -> None:
        told.append(values)
        keep(**values)

    monkeypatch.setattr(person.desk, "_set", note)
    person.presses("copy")
    shares = [row["done"] / row["total"] for row in told if row.get("total")]
    assert max(shares) == 1.0
    assert {row["stage"] for row in told if "stage" in row} == {
        STAGES["copy"], "Reading again what was copied", STAGES["compare"]
    }  # fmt: skip


def test_a_changed_byte_is_said_and_left(at: Callable[..., Person], box: apply.Box) -> None:
    person = at()
    person.presses("copy")
    person.presses("switch", generation=home.load_state(box.home).staged)
    library = home.serving(box.home)
    library.chmod(0o644)
    content = bytearray(library.read_bytes())
    content[9000] ^= 1
    library.write_bytes(content)
    found = person.presses("scrub")
    assert "have changed: codes.db. Version 1 is served instead." in found


def spoilt(builder: Builder, tmp_path: Path, two: Path, kind: str) -> Path:
    """Return a stick with which something is wrong."""
    stick = tmp_path / "spoilt"
    if kind == "empty":
        stick.mkdir()
        return stick
    if kind == "old":
        return two.parent / "one"
    if kind == "other box":
        builder.bundle(TEXTS | {"5.1": "Else."}, to="for", box="site-9")
        return builder.folder / "for"
    if kind == "foreign":
        return Builder.new(tmp_path / "elsewhere").bundle()
    copy(two, stick)
    if kind == "half":
        target(stick, "codes.db").unlink()
    if kind == "damaged":
        path = target(stick, "codes.db")
        path.write_bytes(path.read_bytes()[:-1] + b"!")
    return stick


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("gone", "There is nothing at"),
        ("empty", "There is no bundle in"),
        ("half", "is not complete: codes.db is missing"),
        ("damaged", "codes.db is not what was signed"),
        ("foreign", "was not signed with the keys"),
        ("other box", "was made for the box site-9"),
        ("old", "is the one that this box serves"),
    ],
)
def test_each_stick_that_is_refused_has_its_sentence(
    at: Callable[..., Person], builder: Builder, tmp_path: Path, two: Path, kind: str, said: str
) -> None:
    stick = tmp_path / "gone" if kind == "gone" else spoilt(builder, tmp_path, two, kind)
    person = at(stick)
    found = person.presses("copy")
    assert said in found
    assert "Version 1" in found
    assert "What came last was not done" not in found, "it is said once"
    later, calm = at(None).reads(), {"gone", "empty", "old"}  # the same stick again is no matter of concern
    assert (said in later and "What came last was not done" in later) == (kind not in calm)
    assert ('class="notice good"' in found) == (kind == "old")
    assert "--" not in person.desk.look().words, "no command"


def test_what_nobody_foresaw_is_a_sentence_too(
    at: Callable[..., Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(apply, "newest", broken)
    assert UNFORESEEN in at().presses("copy")


class Anything(dict[str, object]):
    """Facts for every sentence."""

    def __missing__(self, _key: str) -> int:
        return 7


@pytest.mark.parametrize("code", list(Why))
def test_every_refusal_has_a_sentence_that_names_no_command_at_the_page(code: Why) -> None:
    words = (AT_PAGE.get(code) or WORDS[code]).format_map(Anything())
    assert "--" not in words
    assert "appliance " not in words
    assert words.endswith((".", ")"))


def test_refusals_keep_both_sentences() -> None:
    error = refusal(Why.FAILED, version=3)
    assert "--again" in str(error)
    assert error.at_page.endswith("try it once more.")


def test_a_copy_of_the_box_may_be_looked_at_without_changing_it(
    at: Callable[..., Person], box: apply.Box, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in box.home.path.rglob("*") if path.is_file()}
    at().reads()
    shutil.copytree(box.home.path, tmp_path / "copy")
    assert {path: path.read_bytes() for path in box.home.path.rglob("*") if path.is_file()} == before
