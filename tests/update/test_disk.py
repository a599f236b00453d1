"""A disk that is really full, at every size between too small and enough (needs the right to mount)."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.errors import UpdateRefused
from appliance.update import apply, wayback
from appliance.update.stick import Stick
from tests.update.conftest import SOAK, box_in
from tests.update.simulator import update, version
from tests.update.test_power import well

SIZES = range(0, 500, 4 if SOAK else 60)  # KiB beyond what the box takes already


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


def test_a_stick_that_is_read_only(office: Path, two: Path, tmp_path: Path) -> None:
    box = box_in(office, tmp_path / "box", well)
    with small_disk(tmp_path / "usb", 4_000) as usb:
        shutil.copytree(two, usb / "files")
        subprocess.run(["mount", "-o", "remount,ro", str(usb)], check=True)
        assert update(box, usb / "files").release.version == 2
        with pytest.raises(UpdateRefused, match="cannot be written"):
            wayback.export(box.home, usb)
