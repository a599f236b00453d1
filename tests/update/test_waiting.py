"""What is prepared and waits for a person: keys are revoked and bytes change before it is served."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from appliance.cli import main
from appliance.cli.update import print_changes
from appliance.core.errors import HomeUnusable, UpdateRefused
from appliance.core.settings import UpdateSettings
from appliance.operation.update_health import updates
from appliance.update import apply, audit, home, keys
from appliance.update.changes.report import ENDED, NOT_HELD, PRESENT, TIME, compared
from appliance.update.intake.stick import find_stick
from appliance.update.status import status
from appliance.update.trial.scrub import scrub
from tests.update.simulator import TEXTS, Builder, copy, resign, update, version
from tests.update.test_attacks import metadata
from tests.update.test_broken import child, flip

MORE = TEXTS | {"7.1": "Handrails stand 900 millimetres above the pitch line of a stair."}


def events(box: apply.Box) -> list[str]:
    return [line.event for line in audit.read_log(box.home.audit_file).lines]


def waits(box: apply.Box, stick: Path) -> Path:
    """Prepare what is on a stick; return its generation."""
    apply.prepare(box, find_stick(stick))
    return box.home.generation(home.load_state(box.home).staged)


def is_dropped(box: apply.Box) -> None:
    """Nothing waits any more, version 1 is served, and the log says it once."""
    state = home.load_state(box.home)
    assert (state.staged, state.trying, state.trust_of_staged, state.failed) == ("", "", "", "")
    assert version(box) == 1
    assert {path.name for path in box.home.generations.iterdir()} == {state.current}
    assert events(box).count("rolled back") == 1


def test_what_a_revoked_key_signed_is_not_served(box: apply.Box, builder: Builder, tmp_path: Path) -> None:
    waits(box, copy(builder.bundle(MORE), tmp_path / "old"))
    keys.rotate(builder.keys, "release-1")
    newer = builder.bundle(MORE)
    broken = copy(newer, tmp_path / "broken")
    metadata(broken, "timestamp.json").unlink()
    with pytest.raises(UpdateRefused):  # brings the new root, nothing else
        apply.check(box, find_stick(broken))
    is_dropped(box)
    assert apply.prepared(box) is None
    with pytest.raises(UpdateRefused):
        apply.switch(box)
    assert update(box, newer).release.version == 4


@pytest.mark.parametrize("trying", [False, True])
def test_a_key_that_was_revoked_before_the_try(
    trying: bool, box: apply.Box, builder: Builder, two: Path
) -> None:
    waits(box, two)
    keys.rotate(builder.keys, "release-1")
    state = home.load_state(box.home)
    rooted = replace(home.load_trust(box.home, state.trust), root=builder.root(2).decode())
    state = replace(state, trust=home.save_trust(box.home, rooted))
    moved = replace(state, staged="", trying=state.staged, tries=2) if trying else state
    home.save_state(box.home, moved)
    apply.recover(box)
    is_dropped(box)


@pytest.mark.parametrize("name", ["codes.db", "an image"])
def test_a_byte_that_changed_while_it_waited(name: str, box: apply.Box, builder: Builder) -> None:
    stick = builder.bundle(MORE, pages=4)
    folder = waits(box, stick)
    served = {path.name for path in home.serving(box.home).parent.rglob("*.webp")}
    new = next(path for path in folder.rglob("*.webp") if path.name not in served)
    flip(folder / name if name == "codes.db" else new)
    with pytest.raises(UpdateRefused, match="is not what was copied") as caught:
        apply.switch(box)
    assert caught.value.code == "dropped"
    is_dropped(box)
    assert update(box, stick).release.version == 3


def test_the_same_stick_again_mends_what_waits(box: apply.Box, two: Path) -> None:
    flip(waits(box, two) / "codes.db")
    waits(box, two)
    assert apply.switch(box).release.version == 2


def cut(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1])


def another_version(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"version":2', b'"version":9'))


def no_utf8(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"digest":"', b'"digest":"\xff'))


@pytest.mark.parametrize("trying", [False, True])
@pytest.mark.parametrize("spoil", [cut, another_version, no_utf8, Path.unlink])
def test_a_changed_description_ends_no_updates(
    spoil: Callable[[Path], None], trying: bool, box: apply.Box, two: Path
) -> None:
    spoil(waits(box, two) / home.INSTALLED)
    if trying:
        state = home.load_state(box.home)
        home.save_state(box.home, replace(state, staged="", trying=state.staged, tries=2))
    if not trying:
        with pytest.raises(UpdateRefused, match="was removed"):
            apply.prepared(box, told=True)
    assert apply.prepared(box) is None
    is_dropped(box)
    assert update(box, two).release.version == 2


def test_a_newer_stick_takes_the_place_of_what_waits(
    box: apply.Box, builder: Builder, one: Path, two: Path
) -> None:
    assert apply.prepare(box, find_stick(two), newer=True).release.version == 2
    same = apply.prepare(box, find_stick(one), newer=True)
    assert same.release.version == 2, "the version that is served is no reason to stop"
    assert apply.prepare(box, find_stick(builder.bundle(MORE)), newer=True).release.version == 3
    assert apply.prepare(box, find_stick(two), newer=True).release.version == 3
    assert len(list(box.home.generations.iterdir())) == 2
    assert apply.switch(box).release.version == 3


def test_a_damaged_stick_is_told_although_something_waits(
    box: apply.Box, two: Path, builder: Builder, tmp_path: Path
) -> None:
    waits(box, two)
    broken = copy(builder.bundle(MORE), tmp_path / "broken")
    metadata(broken, "timestamp.json").unlink()
    with pytest.raises(UpdateRefused) as caught:
        apply.prepare(box, find_stick(broken), newer=True)
    assert caught.value.code == "half"
    assert apply.switch(box).release.version == 2


def test_changed_bytes_in_the_trusted_keys_are_no_fault_of_the_stick(box: apply.Box, two: Path) -> None:
    for path in list(box.home.trusts.iterdir()):
        flip(path)
    with pytest.raises(HomeUnusable, match="a byte of its trusted keys has changed"):
        apply.check(box, find_stick(two))
    assert version(box) == 1
    assert [name.partition("/")[0] for name in scrub(box).damaged] == ["trust"]
    points = [(point.name, point.state) for point in updates(home.serving(box.home))]
    assert ("trusted keys", "wrong") in points


def test_a_library_that_cannot_be_read_has_failed_before_anybody_agrees(
    box: apply.Box, builder: Builder, two: Path, tmp_path: Path
) -> None:
    stick = copy(two, tmp_path / "none")
    resign(stick, builder, version=2, files={"codes.db": b"no library"})
    waits(box, stick)
    with pytest.raises(UpdateRefused, match=r"did not work \(.+codes\.db") as caught:
        compared(box)
    assert caught.value.code == "did not work"
    state = home.load_state(box.home)
    assert (state.staged, bool(state.failed), version(box)) == ("", True, 1)
    with pytest.raises(UpdateRefused) as caught:
        apply.check(box, find_stick(stick))
    assert caught.value.code == "failed"


@pytest.mark.parametrize("why", [TIME, ENDED, PRESENT])
def test_a_comparison_that_comes_to_nothing_says_why_and_that_no_answer_was_held_against_it(
    why: str, box: apply.Box, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    folder = waits(box, two)
    if why == TIME:
        short = dataclasses.replace(box.settings, update=UpdateSettings(trial_seconds=0.05))
        box = dataclasses.replace(box, settings=short)
    elif why == ENDED:
        child("exit 3", monkeypatch, tmp_path)
    else:
        served = home.serving(box.home)
        served.chmod(0o644)
        served.write_bytes(b"no library" * 500)
    found = compared(box)
    assert (found["unread"], found["generation"], found["version"]) == (why, folder.name, 2)
    assert (found["changes"], found["touched"]) == ([], [])
    print_changes(found)
    told = capsys.readouterr().out
    assert f"{why}\n{NOT_HELD}" in told
    assert "No clause changes" not in told


def untrusted(box: apply.Box) -> tuple[int, bool]:
    """The version that is served, and whether status and health say that its keys were revoked."""
    said = bool(status(box.home)["untrusted"])
    points = {point.name: point.state for point in updates(home.serving(box.home))}
    assert points.get("signature") == ("wrong" if said else None)
    return version(box), said


def test_there_is_no_silent_way_back_to_what_a_revoked_key_signed(
    box: apply.Box, builder: Builder, two: Path
) -> None:
    update(box, two)
    assert apply.go_back(box).release.version == 1
    assert apply.go_back(box).release.version == 2
    keys.rotate(builder.keys, "release-1")
    assert update(box, builder.bundle(MORE)).release.version == 3
    with pytest.raises(UpdateRefused, match="no longer trusted") as caught:
        apply.go_back(box)
    assert caught.value.code == "previous revoked"
    words = ["update", "rollback", "--yes", "--home", str(box.home.path)]
    assert "update rollback --revoked" in CliRunner().invoke(main, words).stderr
    assert "Version 2 is served" in CliRunner().invoke(main, [*words, "--revoked"]).stderr
    assert untrusted(box) == (2, True)
    said = CliRunner().invoke(main, ["update", "status", "--home", str(box.home.path)]).stdout
    assert "signed by keys that were revoked since: apply the newest stick" in said
    assert apply.go_back(box).release.version == 3
    assert untrusted(box) == (3, False)
    flip(home.serving(box.home))
    assert scrub(box).moved_to == 0
    assert home.load_state(box.home).current.startswith("3-")


@pytest.mark.parametrize("before", [False, True])
def test_what_is_served_was_signed_by_keys_that_were_revoked(
    before: bool, box: apply.Box, builder: Builder, tmp_path: Path
) -> None:
    keys.rotate(builder.keys, "release-1")
    newer = builder.bundle(MORE)
    broken = copy(newer, tmp_path / "broken")
    metadata(broken, "timestamp.json").unlink()
    assert untrusted(box) == (1, False)
    with pytest.raises(UpdateRefused):  # brings the new root, nothing else
        apply.check(box, find_stick(broken))
    assert untrusted(box) == (1, True)
    if before:  # a program that did not know it has saved the state since
        home.save_state(box.home, replace(home.load_state(box.home), untrusted=""))
        apply.recover(box)
        assert untrusted(box) == (1, True)
    assert update(box, newer).release.version == 3
    assert untrusted(box) == (3, False)
