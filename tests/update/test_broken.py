"""Releases that are rightly signed and do not work: the box finds out, and goes back by itself."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw
import msgspec
import pytest

import appliance
from appliance.core.errors import UpdateRefused
from appliance.core.files import data_folder, images_folder
from appliance.core.settings import ModelSettings, Settings, UpdateSettings
from appliance.update import apply, audit, home
from appliance.update.durable import Act
from appliance.update.intake.stick import find_stick
from appliance.update.trial import attempt, server_health
from appliance.update.trial import run as trial
from appliance.update.trial.scrub import scrub, scrub_words
from appliance.update.values import Golden
from tests.update.conftest import SOAK
from tests.update.power import at_act, no_space, watched
from tests.update.simulator import TEXTS, Builder, release_of, resign, target, update, version, write_codes
from tests.update.test_program import NAME, wheel

SLOW = f"""import sys, time
time.sleep(10_000 if "appliance.update.trial.run" in sys.orig_argv else 10)
__path__.append({str(Path(appliance.__file__).parent)!r})
__version__ = "9.9.9"
""".encode()


def no_database(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(8_000))


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def spoilt_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8192:] = bytes(len(content) - 8192)
    path.write_bytes(content)


def statement(sql: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.execute("delete from meta where key = 'seal'")  # what else is wrong is to be noticed
        connection.execute(sql)
        connection.close()

    return spoil


BROKEN: dict[str, Callable[[Path], None]] = {
    "no database": no_database,
    "cut short": cut_short,
    "spoilt pages": spoilt_pages,
    "a table missing": statement("drop table chunks"),
    "no documents": statement("delete from documents; delete from pages"),
    "vectors of another model": statement("update meta set value = 'other:0123' where key = 'embedder'"),
    "another schema": statement("pragma user_version = 999"),
    "an image missing": statement("update pages set large = printf('%064d.webp', 1)"),
}


def went_back(box: apply.Box, stick: Path, tries: int = attempt.TRIES) -> str:
    """Why the box went back; it serves the first version, and was not asked for anything."""
    with pytest.raises(UpdateRefused) as caught:
        update(box, stick)
    assert caught.value.code == "did not work"
    assert version(box) == 1
    lines = audit.read_log(box.home.audit_file).lines
    assert [line.event for line in lines].count("tried") == 1 + tries  # the first is that of version 1
    assert {path.name for path in box.home.generations.iterdir()} == {home.load_state(box.home).current}
    return str(caught.value)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_library_that_is_rightly_signed(kind: str, box: apply.Box, builder: Builder) -> None:
    stick = builder.bundle(TEXTS | {"9.9": "New words."})
    library = target(stick, "codes.db")
    BROKEN[kind](library)
    release = release_of(stick) | {"version": 4}
    files = {"codes.db": library.read_bytes(), "release.json": json.dumps(release).encode()}
    resign(stick, builder, version=4, files=files)
    went_back(box, stick)
    with pytest.raises(UpdateRefused, match="did not work"):  # it is not tried again by itself
        apply.prepare(box, find_stick(stick))


def test_wrong_golden_answers(box: apply.Box, builder: Builder) -> None:
    golden = [Golden("width of a beam", "DC-1-3", "6.3", 1)] * 3
    assert "0 of 3 golden questions" in went_back(box, builder.bundle(golden=golden))


def test_models_of_which_one_is_damaged(box: apply.Box, builder: Builder, tmp_path: Path) -> None:
    models = tmp_path / "models" / "minilm-l6-int8"
    models.mkdir(parents=True)
    for path in (data_folder() / "models" / models.name).iterdir():
        (models / path.name).write_bytes(path.read_bytes()[: 1 << 16])
    library = write_codes(tmp_path / "codes.db")
    statement("update meta set value = 'minilm-l6-int8:0' where key = 'embedder'")(library)
    stick = builder.bundle(library=library, models=models.parent)
    served = apply.Box(box.home, Settings(models=ModelSettings(reranker="")), box.trial)
    assert "is damaged" in went_back(served, stick)


def child(code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the process of a try run this instead."""
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\n{code}\n")
    script.chmod(0o755)
    monkeypatch.setattr("appliance.update.trial.run.sys.executable", str(script))


@pytest.mark.parametrize(
    ("code", "why", "seconds", "tries"),
    [
        ("kill -SEGV $$", "ended with -11", 110.0, 2),
        ("kill -9 $$", "ended with -9", 110.0, 2),
        ("exit 3", "ended with 3", 110.0, 2),
        ("echo nonsense", "no answer", 110.0, 2),
        ("exec sleep 600", "within 1 second", 1.0, 1),
        ("sleep 600 & sleep 600", "within 1 second", 1.0, 1),
    ],
)
def test_a_try_that_crashes_or_hangs(
    code: str, why: str, seconds: float, tries: int,
    box: apply.Box, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    child(code, monkeypatch, tmp_path)
    settings = replace(box.settings, update=UpdateSettings(trial_seconds=seconds))
    assert why in went_back(apply.Box(box.home, settings), two, tries)


@pytest.mark.skipif(not SOAK, reason="takes two minutes each: make soak")
@pytest.mark.parametrize("hangs", ["its library", "its server", "its slow program"])
def test_a_version_that_hangs_is_left_within_two_minutes(
    hangs: str, box: apply.Box, builder: Builder, two: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, told: Callable[[str], None],
) -> None:  # fmt: skip
    if hangs == "its library":
        child("exec sleep 600", monkeypatch, tmp_path)
    elif hangs == "its server":
        monkeypatch.setattr(server_health, "HAND_OVER", "import time; time.sleep(600)")
    else:
        wheel(tmp_path / "wheels" / NAME, {"appliance/__init__.py": SLOW})
        two = builder.bundle(TEXTS, program=tmp_path / "wheels")
    start = time.monotonic()
    assert "within" in went_back(apply.Box(box.home, box.settings), two, 1)
    told(f"{hangs} hangs: gone back from after {time.monotonic() - start:.0f} s")


@pytest.mark.parametrize(
    ("takes", "given"),
    [
        ((1.0, 1.0), [110.0, 109.0]),
        ((80.0, 20.0), [110.0, 30.0]),
        ((85.0,), [110.0]),  # too little is left for another
        ((110.0,), [110.0]),
    ],
)
def test_all_tries_share_one_limit_of_time(
    takes: tuple[float, ...], given: list[float], box: apply.Box, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, had = [1000.0], []
    monkeypatch.setattr("appliance.update.trial.attempt.time.monotonic", lambda: now[0])

    def fails(_folder: Path, _golden: object, settings: Settings) -> trial.Verdict:
        had.append(settings.update.trial_seconds)
        now[0] += takes[len(had) - 1]
        return trial.Verdict("it does not work")

    assert UpdateSettings().trial_seconds == given[0]
    with pytest.raises(UpdateRefused, match="it does not work"):
        update(apply.Box(box.home, box.settings, fails), two)
    assert had == given
    assert version(box) == 1


@pytest.mark.parametrize(("seconds", "given"), [(110.0, 90.0), (60.0, 60.0)])
def test_the_server_has_what_the_library_left_of_the_time(
    seconds: float, given: float, box: apply.Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child('echo \'{"why": "", "asked": 2, "found": 2}\'', monkeypatch, tmp_path)
    left: list[float] = []

    def hangs(_folder: Path, _settings: Settings, _memory: int, seconds: float) -> str:
        left.append(seconds)
        return "it hangs"

    monkeypatch.setattr(trial, "silent", hangs)
    settings = replace(box.settings, update=UpdateSettings(trial_seconds=seconds))
    folder = home.serving(box.home).parent
    assert trial.try_generation(folder, (), settings).why == "it hangs"
    assert given - 10 < left[0] <= given


def test_the_process_of_a_try_answers(box: apply.Box, two: Path) -> None:
    real = apply.Box(box.home, box.settings)
    assert update(real, two).release.version == 2
    assert audit.read_log(box.home.audit_file).lines[-2].said == "2 of 2 golden questions"


def test_what_did_not_work_is_tried_again_only_when_asked(box: apply.Box, two: Path) -> None:
    verdicts = [trial.Verdict("no"), trial.Verdict("no"), trial.Verdict("")]
    tried = apply.Box(box.home, box.settings, lambda *_: verdicts.pop(0))
    went_back(tried, two)
    with pytest.raises(UpdateRefused, match="--again"):
        update(tried, two)
    assert update(tried, two, again=True).release.version == 2


def flip(path: Path) -> None:
    """Change one bit in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(content)


def test_one_changed_bit_is_found_and_the_version_before_is_served(box: apply.Box, two: Path) -> None:
    update(box, two)
    flip(home.serving(box.home))
    done = scrub(box)
    assert (done.damaged, done.moved_to) == (("codes.db",), 1)
    assert version(box) == 1
    assert [line.event for line in audit.read_log(box.home.audit_file).lines][-2:] == ["damaged", "went back"]
    with pytest.raises(UpdateRefused, match="damaged"):
        apply.go_back(box)
    assert update(box, two).release.version == 2  # the stick mends it
    assert scrub(box).damaged == ()


@pytest.mark.parametrize(
    ("full", "damaged", "moved"), [("log", True, 1), ("all", True, 0), ("log", False, 0), ("all", False, 0)]
)
def test_a_scrub_on_a_full_disk_leaves_what_is_damaged_and_says_it_in_a_sentence(
    full: str, damaged: bool, moved: int, box: apply.Box, two: Path
) -> None:
    update(box, two)
    served = home.load_state(box.home).current
    if damaged:
        flip(home.serving(box.home))

    def is_full(act: Act, _path: Path, done: bool) -> None:
        if not done and (act == "append" or full == "all"):
            no_space()

    with watched(is_full):
        done = scrub(box)
    assert (bool(done.damaged), done.moved_to) == (damaged, moved)
    said = scrub_words(done)
    assert ("No space left on device" in said) == (damaged and full == "all")
    assert home.load_state(box.home).damaged == (served if moved else "")
    assert version(box) == (1 if moved else 2) if not damaged or moved else "codes.db" in said
    if damaged and not moved:  # there is room again at the next one
        assert scrub(box).moved_to == 1


def test_a_full_disk_at_the_start_of_the_box_is_a_sentence(box: apply.Box, two: Path) -> None:
    apply.prepare(box, find_stick(two))
    state = home.load_state(box.home)
    home.save_state(box.home, msgspec.structs.replace(state, staged="", trying=state.staged, tries=2))
    for work in (apply.resume, scrub):
        with watched(at_act(0, no_space)), pytest.raises(UpdateRefused, match="could not be written"):
            work(box)
    apply.resume(box)
    assert version(box) == 2


def test_damage_with_nothing_to_go_back_to_is_mended_by_the_same_stick(box: apply.Box, one: Path) -> None:
    flip(home.serving(box.home))
    done = scrub(box)
    assert (done.damaged, done.moved_to) == (("codes.db",), 0)
    assert update(box, one).release.version == 1
    assert scrub(box).damaged == ()
    assert home.load_state(box.home).damaged == ""


def test_a_changed_page_image_that_two_versions_share(box: apply.Box, two: Path) -> None:
    update(box, two)
    flip(next(images_folder(home.serving(box.home)).iterdir()))
    done = scrub(box)
    assert len(done.damaged) == 1
    assert done.moved_to == 0  # the version before has the same damage
    assert home.load_state(box.home).current.startswith("2-")
    assert update(box, two).release.version == 2
    assert scrub(box).damaged == ()


def test_go_back_and_forth(box: apply.Box, two: Path) -> None:
    with pytest.raises(UpdateRefused, match="no earlier version"):
        apply.go_back(box)
    update(box, two)
    assert apply.go_back(box).release.version == 1
    assert version(box) == 1
    assert apply.go_back(box).release.version == 2
    assert version(box) == 2
