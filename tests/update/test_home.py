"""The home of a box: its one pointer lost or spoilt, its log, what is removed and what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.core.errors import HomeUnusable, UpdateRefused
from appliance.update import apply, audit, durable, home, status
from appliance.update.home import Home
from appliance.update.intake.stick import find_stick
from appliance.update.values import State
from tests.update import power
from tests.update.simulator import TEXTS, Builder, update, version


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"current": 3}', b"\xff\xfe"])
def test_a_pointer_that_is_lost_or_spoilt(content: bytes | None, box: apply.Box, two: Path) -> None:
    update(box, two)
    box.home.state_file.unlink()
    if content is not None:
        box.home.state_file.write_bytes(content)
    assert version(box) == 2  # by its copy
    assert update_again(box, two) == "same"
    assert home.is_sound(box.home)
    assert home.load_state(box.home).box == "site-1"


def test_a_box_without_any_pointer_is_no_new_one(box: apply.Box, two: Path) -> None:
    update(box, two)
    box.home.state_file.unlink()
    box.home.state_copy.unlink()
    assert home.is_home(box.home.path)
    with pytest.raises(HomeUnusable, match="one already"):
        status.make_home(box.home.path, b"")
    with pytest.raises(HomeUnusable, match=r"there is no state\.json"):
        version(box)


NAMES = ("trust", "current", "previous", "floor", "box", "sha256")


@pytest.mark.parametrize("bit", [0, 3, 6])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [False, True])
def test_one_bit_of_the_pointer_changes_nothing(
    bit: int, name: str, value: bool, box: apply.Box, two: Path
) -> None:
    update(box, two)
    content = bytearray(box.home.state_file.read_bytes())
    place = content.index(f'"{name}"'.encode()) + 1
    content[place + len(name) + 4 if value else place] ^= 1 << bit
    there = {path for folder in (box.home.generations, box.home.trusts) for path in folder.iterdir()}
    state = home.load_state(box.home)
    box.home.state_file.write_bytes(content)
    with home.alone(box.home):
        apply.recover(box)
    assert home.load_state(box.home) == state
    assert {path for folder in (box.home.generations, box.home.trusts) for path in folder.iterdir()} == there
    assert box.home.state_file.read_bytes() == box.home.state_copy.read_bytes()
    assert update_again(box, two) == "same"


def test_nothing_is_removed_while_the_keys_that_are_named_are_gone(box: apply.Box, two: Path) -> None:
    update(box, two)
    copy = box.home.state_copy.read_bytes()
    there = set(box.home.generations.iterdir())
    lost = replace(home.load_state(box.home), trust="none.json", previous="")
    home.save_state(box.home, lost)
    home.tidy(box.home)
    assert box.home.state_copy.read_bytes() == copy
    assert set(box.home.generations.iterdir()) == there
    assert apply.prepared(box) is None
    assert box.home.state_file.read_bytes() == copy


def test_what_cannot_be_removed_or_noted_after_the_switch_ends_no_update(
    box: apply.Box, two: Path, builder: Builder
) -> None:
    def refused(act: str, path: Path, done: bool) -> None:
        served = home.load_state(box.home).current.startswith("3-")
        if not done and ((act == "remove" and path.parent.name == "gen") or (act == "append" and served)):
            raise PermissionError(13, "Permission denied")

    update(box, two)
    stick = builder.bundle(TEXTS | {"7.1": "Treads are 280 millimetres deep."})
    with power.watched(refused):
        assert update(box, stick).release.version == 3
        assert apply.prepared(box) is None
    assert [path.name[:2] for path in home.left_over(box.home)] == ["1-"]
    assert audit.read_log(box.home.audit_file).lines[-1].event == "tried"
    assert apply.prepared(box) is None
    assert home.left_over(box.home) == ()
    assert audit.read_log(box.home.audit_file).lines[-1].event == "committed"


def update_again(box: apply.Box, stick: Path) -> str:
    with pytest.raises(UpdateRefused) as caught:
        apply.check(box, find_stick(stick))
    return caught.value.code


def test_a_folder_that_is_no_home(tmp_path: Path) -> None:
    with pytest.raises(HomeUnusable, match="appliance update init"):
        home.load_state(Home(tmp_path))
    assert not home.is_home(tmp_path)


def test_two_updates_at_once(box: apply.Box, two: Path) -> None:
    with home.alone(box.home), pytest.raises(UpdateRefused, match="Another update"):
        apply.check(box, find_stick(two))


def test_a_generation_that_is_served_is_not_removed(box: apply.Box, two: Path, one: Path) -> None:
    served = home.serving(box.home).parent
    handle = home.hold(served)
    update(box, two)
    home.save_state(
        box.home, State(current=home.load_state(box.home).current, trust=home.load_state(box.home).trust)
    )
    home.tidy(box.home)
    assert served.is_dir()
    import os

    os.close(handle)
    home.tidy(box.home)
    assert not served.exists()
    assert one.is_dir()


def test_what_a_person_declined_stays_prepared_and_is_not_copied_again(box: apply.Box, two: Path) -> None:
    apply.prepare(box, find_stick(two))
    before = home.load_state(box.home).staged
    acts: list[str] = []
    durable.watchers.append(lambda act, _path, done: None if done else acts.append(act))
    try:
        apply.prepare(box, find_stick(two))
    finally:
        durable.watchers.clear()
    assert acts == []
    assert home.load_state(box.home).staged == before
    assert version(box) == 1
    assert apply.switch(box).release.version == 2


def test_the_log_is_a_chain(box: apply.Box, two: Path) -> None:
    update(box, two)
    path = box.home.audit_file
    log = audit.read_log(path)
    assert [line.event for line in log.lines] == [
        "made", "staged", "tried", "committed", "staged", "tried", "committed",
    ]  # fmt: skip
    assert (log.torn, log.broken) == ((), ())


@pytest.mark.parametrize(
    ("spoil", "torn", "broken"),
    [
        (lambda lines: lines[:3] + lines[4:], 0, 1),
        (lambda lines: [lines[0].replace("site-1", "site-2"), *lines[1:]], 0, 1),
        (lambda lines: [lines[1], lines[0], *lines[2:]], 0, 3),
        (lambda lines: [*lines[:-1], lines[-1][:40]], 1, 0),
        (lambda lines: lines[:-1], 0, 0),  # the end alone is not proved
    ],
)
def test_lines_that_somebody_changed(spoil: object, torn: int, broken: int, box: apply.Box) -> None:
    path = box.home.audit_file
    for number in range(4):
        audit.note(path, "scrubbed", str(number))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(spoil(lines)))  # type: ignore[operator]
    audit.note(path, "scrubbed", "after")
    log = audit.read_log(path)
    assert (len(log.torn), len(log.broken)) == (torn, broken)
    assert log.lines[-1].said == "after"


def test_a_link_in_the_place_of_the_log_is_not_followed(box: apply.Box, tmp_path: Path) -> None:
    path = box.home.audit_file
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r".+"):
        audit.note(path, "scrubbed", "")
    assert not (tmp_path / "elsewhere").exists()


def test_the_state_is_readable_by_people(box: apply.Box) -> None:
    state = json.loads(box.home.state_file.read_text())
    assert state["box"] == "site-1"
    assert state["current"].startswith("1-")
