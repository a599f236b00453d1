"""A disk that is really full, at every size between too small and enough (needs the right to mount)."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from appliance.cli import main
from appliance.core.errors import UpdateRefused
from appliance.update import apply, audit, home, returned_notes
from appliance.update.intake.stick import Stick, find_stick
from appliance.update.trial import recheck
from tests.update.conftest import SOAK, box_in
from tests.update.simulator import TEXTS, Builder, update, version
from tests.update.test_broken import flip
from tests.update.test_power import well

SIZES = range(0, 500, 4 if SOAK else 60)  # KiB beyond what the box takes already


class Usage(NamedTuple):
    """What the disk says of itself, in bytes."""

    total: int
    used: int
    free: int


@contextmanager
def small_disk(place: Path, kib: int) -> Iterator[Path]:
    place.mkdir(exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(place)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk is not allowed here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def taken(folder: Path) -> int:
    """Return the KiB that a folder takes in pages of 4 KiB, each hard link counted once."""
    sizes = {path.stat().st_ino: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    return sum(4 * -(-size // 4096) for size in sizes.values())


def test_a_disk_that_is_really_full(
    office: Path, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Callable[[str], None]
) -> None:
    plenty = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(
        "appliance.update.apply.shutil.disk_usage", lambda _: plenty
    )  # let it run into the wall
    least = taken(office / "box")
    seen: Counter[str] = Counter()
    for more in SIZES:
        with small_disk(tmp_path / "disk", least + more) as disk:
            try:
                box = box_in(office, disk / "box", well)
            except (OSError, shutil.Error):
                continue
            try:
                update(box, two)
                seen["taken on"] += 1
            except UpdateRefused as error:
                assert error.code == "disk"  # noqa: PT017 - from some size on it is taken on
                seen["refused"] += 1
                assert version(apply.Box(box.home, box.settings, well)) == 1
    told(f"disks of {len(SIZES)} sizes: {dict(seen)}, lost 0")
    assert seen["refused"] >= 3
    assert seen["taken on"] >= 1


def test_the_room_is_looked_at_before_anything_is_copied(office: Path, two: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4 * taken(office / "box")) as disk:
        box = box_in(office, disk / "box", well)
        with pytest.raises(UpdateRefused, match="MiB left") as caught:
            apply.check(box, Stick(two / "CODES-UPDATE"))
        assert caught.value.code == "no room"


@pytest.mark.parametrize(
    ("spoil", "fits"), [("", 2), ("", 3), ("current", 2), ("revoked", 2), ("read", 2), ("waits", 2), ("", 1)]
)
def test_room_is_made_and_never_of_the_only_good_version(
    spoil: str, fits: int, office: Path, two: Path, builder: Builder, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A disk for so many libraries, on a box that has two of them already."""
    box = box_in(office, tmp_path / "box", well)
    update(box, two)
    served, before = home.serving(box.home).parent, home.load_state(box.home).previous
    library = (served / "codes.db").stat().st_size

    def usage(_: object) -> Usage:
        held = sum(path.stat().st_size for path in box.home.path.rglob("codes.db"))
        return Usage(10 * library, held, int(library * (fits + 0.5)) - held)

    monkeypatch.setattr("appliance.update.apply.shutil.disk_usage", usage)
    monkeypatch.setattr("appliance.update.intake.verify.RESERVE", 0)
    if spoil == "current":
        flip(served / "codes.db")
    elif spoil == "revoked":
        home.save_state(box.home, replace(home.load_state(box.home), untrusted=served.name))
        monkeypatch.setattr(recheck, "marked", lambda _home, state: state)
    elif spoil == "read":
        home.hold(box.home.generation(before))
    elif spoil == "waits":
        fits = 4
        apply.prepare(box, find_stick(builder.bundle(TEXTS | {"8.1": "Stairs are lit."})))
        fits = 3
    stick = builder.bundle(TEXTS | {"7.1": "Handrails stand 900 millimetres above the pitch line."})
    state = home.load_state(box.home)
    if spoil in {"current", "revoked", "read"} or fits == 1:
        with pytest.raises(UpdateRefused, match="Ask the builder for a smaller bundle"):
            apply.prepare(box, find_stick(stick))
        assert home.load_state(box.home) == state
        assert box.home.generation(before).is_dir()
        return
    assert bool(apply.check(box, find_stick(stick)).room) == (fits == 2 or spoil == "waits")
    if fits == 2:  # nobody gave it up, or another
        for given_up in ("", served.name):
            with pytest.raises(UpdateRefused, match="only where version 1 is given up") as caught:
                apply.prepare(box, find_stick(stick), given_up=given_up)
        assert (caught.value.facts or {})["generation"] == before
        command = ["update", "apply", "--prepare", "--home", str(box.home.path), "--stick", str(stick)]
        assert CliRunner().invoke(main, command).exit_code == 25, "as a stick that is plugged in"
        assert audit.read_log(box.home.audit_file).lines[-1].code == "gives up"
        assert home.load_state(box.home) == state
        assert box.home.generation(before).is_dir()
        assert apply.prepare(box, find_stick(stick), given_up=before, newer=True).release.version == 3
    else:
        apply.prepare(box, find_stick(stick))
    kept = home.load_state(box.home).previous
    assert kept == (before if fits == 3 else "")
    lines = audit.read_log(box.home.audit_file).lines
    removed = [line.said for line in lines if line.event == "made room"]
    assert (
        removed
        == {"": [] if fits == 3 else ["version 1 was removed"], "waits": ["version 3 was removed"]}[spoil]
    )
    apply.switch(box)
    assert home.load_state(box.home).previous == served.name


def test_a_stick_that_is_read_only(office: Path, two: Path, tmp_path: Path) -> None:
    box = box_in(office, tmp_path / "box", well)
    with small_disk(tmp_path / "usb", 4_000) as usb:
        shutil.copytree(two, usb / "files")
        subprocess.run(["mount", "-o", "remount,ro", str(usb)], check=True)
        assert update(box, usb / "files").release.version == 2
        with pytest.raises(UpdateRefused, match="cannot be written"):
            returned_notes.export(box.home, usb)
