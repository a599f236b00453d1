"""Sticks on which somebody laid traps: nothing outside the staging folder is touched, nothing hangs."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.core.errors import UpdateRefused
from appliance.update import apply, home
from appliance.update.intake.stick import BUNDLE, NotThere, Stick, find_stick
from tests.update.simulator import copy, target, version

Trap = Callable[[Path, Path], None]  # the stick, a folder outside that holds a secret


def in_place_of(path: Path) -> Path:
    """Remove a file or folder and return its place."""
    path.rename(path.with_name("moved aside"))
    return path


def fifo(path: Path) -> None:
    os.mkfifo(in_place_of(path))


def folder(path: Path) -> None:
    in_place_of(path).mkdir()


def listening(path: Path) -> None:
    here = Path.cwd()
    os.chdir(in_place_of(path).parent)  # the name of a socket may be no longer than 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def link_to(wanted: str) -> Callable[[Path], None]:
    return lambda path: in_place_of(path).symlink_to(wanted)


def to_itself(path: Path) -> None:
    in_place_of(path).symlink_to(path.name)


def signed_elsewhere(path: Path) -> None:
    """A link to the very file: right bytes by a way that is not taken."""
    content = path.with_name("moved aside")
    in_place_of(path).symlink_to(content.name)


def unreadable(path: Path) -> None:
    os.truncate(path, 0)


KINDS: dict[str, Callable[[Path], None]] = {
    "fifo": fifo,
    "folder": folder,
    "socket": listening,
    "link to /etc/passwd": link_to("/etc/passwd"),
    "link to /dev/zero": link_to("/dev/zero"),
    "link to itself": to_itself,
    "link to the file": signed_elsewhere,
    "empty": unreadable,
}
PLACES: dict[str, Callable[[Path], Path]] = {
    "timestamp": lambda stick: stick / BUNDLE / "metadata" / "timestamp.json",
    "library": lambda stick: target(stick, "codes.db"),
    "release": lambda stick: target(stick, "release.json"),
}


@contextmanager
def unchanged(place: Path) -> Iterator[None]:
    """Nothing below a folder is written to, made or removed."""

    def listing() -> list[tuple[str, int, int]]:
        return sorted(
            (str(path), path.lstat().st_size, path.lstat().st_mtime_ns) for path in place.rglob("*")
        )

    before = listing()
    yield
    assert listing() == before


def refused_at_once(box: apply.Box, stick: Path) -> str:
    with pytest.raises(UpdateRefused) as caught:
        apply.prepare(box, find_stick(stick))
    assert version(box) == 1
    state = home.load_state(box.home)
    assert {path.name for path in box.home.generations.iterdir()} == {state.current}
    return caught.value.code


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_a_trap_in_the_place_of_a_file(
    kind: str, place: str, box: apply.Box, two: Path, tmp_path: Path
) -> None:
    stick = copy(two, tmp_path / "stick")
    KINDS[kind](PLACES[place](stick))
    with unchanged(stick):
        assert refused_at_once(box, stick) in {"half", "damaged", "older"}


def linked_bundle(stick: Path, outside: Path) -> None:
    (stick / BUNDLE).rename(outside / "real")
    (stick / BUNDLE).symlink_to(outside / "real")


def linked_metadata(stick: Path, outside: Path) -> None:
    (stick / BUNDLE / "metadata").rename(outside / "real")
    (stick / BUNDLE / "metadata").symlink_to(outside / "real")


def linked_targets(stick: Path, outside: Path) -> None:
    (stick / BUNDLE / "targets").rename(outside / "real")
    (stick / BUNDLE / "targets").symlink_to(outside / "real")


def file_for_bundle(stick: Path, outside: Path) -> None:
    (stick / BUNDLE).rename(outside / "real")
    (stick / BUNDLE).write_text("no folder")


def empty_bundle(stick: Path, outside: Path) -> None:
    (stick / BUNDLE).rename(outside / "real")
    (stick / BUNDLE / "metadata").mkdir(parents=True)


def lower_case(stick: Path, outside: Path) -> None:
    (stick / BUNDLE).rename(stick / BUNDLE.lower())
    assert outside.is_dir()


def deep_json(stick: Path, _outside: Path) -> None:
    (stick / BUNDLE / "metadata" / "timestamp.json").write_text("[" * 8_000 + "]" * 8_000)


def not_text(stick: Path, _outside: Path) -> None:
    (stick / BUNDLE / "metadata" / "timestamp.json").write_bytes(b"\xff\xfe\x00" * 200)


def huge_number(stick: Path, _outside: Path) -> None:
    path = stick / BUNDLE / "metadata" / "timestamp.json"
    path.write_text(path.read_text().replace('"version": 2', '"version": ' + "9" * 4_000))


@pytest.mark.parametrize(
    "trap",
    [
        linked_bundle, linked_metadata, linked_targets, file_for_bundle, empty_bundle, lower_case, deep_json,
        not_text, huge_number,
    ],
    ids=lambda trap: trap.__name__,
)  # fmt: skip
def test_a_trap_in_the_tree(trap: Trap, box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    outside = tmp_path / "outside"
    outside.mkdir()
    trap(stick, outside)
    with unchanged(outside), unchanged(stick):
        assert refused_at_once(box, stick) in {"half", "damaged", "foreign", "no bundle"}


def test_thousands_of_other_things_do_not_matter(box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    for number in range(2_000):
        (stick / BUNDLE / "targets" / f"{number:064}").touch()
        (stick / f"photo {number}.jpg").touch()
    deep = stick / "deep"
    for _ in range(100):
        deep /= "deeper"
    deep.mkdir(parents=True)
    assert apply.prepare(box, find_stick(stick)).release.version == 2


@pytest.mark.parametrize(
    "name",
    ["", "/", "..", "../secret", "a/../../secret", "/etc/passwd", "a//b", ".", "a\\b", "a\0b", "x" * 300],
)
def test_a_stick_gives_nothing_from_outside(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "stick" / "a").mkdir(parents=True)
    with pytest.raises(NotThere):
        Stick(tmp_path / "stick").read(name, 100)


@pytest.mark.parametrize("length", [0, 4, 5, 100])
def test_a_file_is_read_up_to_its_signed_length(length: int, tmp_path: Path) -> None:
    (tmp_path / "five").write_text("12345")
    if length < 5:
        with pytest.raises(UpdateRefused, match="damaged"):
            Stick(tmp_path).read("five", length)
    else:
        assert Stick(tmp_path).read("five", length) == b"12345"


def test_sticks_are_found_where_they_are_mounted(two: Path, one: Path, tmp_path: Path) -> None:
    places = (f"{tmp_path}/media/*",)
    (tmp_path / "media").mkdir()
    with pytest.raises(UpdateRefused, match="Plug it in"):
        find_stick(None, places)
    (tmp_path / "media" / "photos").mkdir()
    copy(two, tmp_path / "media" / "usb")
    assert find_stick(None, places).folder == tmp_path / "media" / "usb" / BUNDLE
    copy(one, tmp_path / "media" / "usb2")
    with pytest.raises(UpdateRefused, match="one stick"):
        find_stick(None, places)


def test_a_stick_that_is_pulled_out(box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = find_stick(copy(two, tmp_path / "stick"))
    apply.check(box, stick)
    (tmp_path / "stick").rename(tmp_path / "pocket")
    with pytest.raises(UpdateRefused, match="again"):
        apply.prepare(box, stick)
    assert version(box) == 1


def test_a_dying_stick(box: apply.Box, two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.read

    def read(handle: int, most: int) -> bytes:
        if most > 70_000:  # files, not metadata
            raise OSError(5, "Input/output error")
        return real(handle, most)

    monkeypatch.setattr("appliance.update.intake.stick.os.read", read)
    assert refused_at_once(box, two) == "unreadable"
