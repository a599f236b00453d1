"""Sticks with the file systems that sticks have, mounted as a box mounts them (needs the right to mount)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.core.errors import UpdateRefused
from appliance.update import apply
from appliance.update.intake.stick import find_stick
from tests.update.simulator import update, version

OPTIONS = "loop,ro,nosuid,nodev,noexec"  # of packaging/systemd/codes-stick@.service
MIB = 1 << 20
WAYS = {  # by the kernel, else by FUSE (Debian: fusefat, exfat-fuse)
    "vfat": (("mount", "-t", "vfat", "-o", OPTIONS), ("fusefat", "-o", "ro")),
    "exfat": (("mount", "-t", "exfat", "-o", OPTIONS), ("mount", "-t", "exfat-fuse", "-o", OPTIONS)),
}


def did(*words: str | Path) -> bool:
    """Run a command; tell whether it is there and did its work."""
    if not shutil.which(str(words[0])):
        return False
    return not subprocess.run([str(word) for word in words], capture_output=True, check=False).returncode


@contextmanager
def mounted(at: Path, *ways: tuple[str | Path, ...]) -> Iterator[Path]:
    """Mount by the first way that this machine has."""
    at.mkdir(exist_ok=True)
    if not any(did(*way) and at.is_mount() for way in ways):
        pytest.skip("this machine may not mount such a stick (root, a loop device, its file system)")
    try:
        yield at
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


def formatted(kind: str, image: Path, content: Path) -> Path:
    """Return the image of a stick that holds the content of a folder."""
    with image.open("wb") as file:
        file.truncate(24 * MIB)
    tool = f"mkfs.{kind}"
    if not did(tool, "-n" if kind == "vfat" else "-L", "UPDATE", image):
        pytest.skip(f"{tool} is not installed")
    if kind == "vfat":
        if not did("mcopy", "-s", "-i", image, *sorted(content.iterdir(), reverse=True), "::"):
            pytest.skip("mtools is not installed")
        return image
    written = image.parent / "written"
    names = ("exfat", "exfat-fuse")
    with mounted(written, *(("mount", "-t", name, "-o", "loop", image, written) for name in names)) as at:
        shutil.copytree(content, at, dirs_exist_ok=True, copy_function=shutil.copyfile)
    return image


@pytest.fixture(params=[*WAYS])
def stick(request: pytest.FixtureRequest, two: Path, tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The image of a stick and where it is mounted; beside the bundle it holds what sticks hold."""
    content = tmp_path / "content"
    shutil.copytree(two, content)
    (content / "System Volume Information").mkdir()
    (content / "Fotos Baustelle Süd").mkdir()
    for number in range(300):
        (content / "Fotos Baustelle Süd" / f"IMG_{number:04}.JPG").write_bytes(bytes(2_000))
    image = formatted(request.param, tmp_path / "stick.img", content)
    ways: list[tuple[str | Path, ...]] = [(*way, image, tmp_path / "usb") for way in WAYS[request.param]]
    with mounted(tmp_path / "usb", *ways) as at:
        yield image, at


def test_the_bundle_is_found_and_taken_on_from_it(box: apply.Box, stick: tuple[Path, Path]) -> None:
    assert update(box, stick[1]).release.version == 2


@pytest.mark.parametrize("left", [0, 4096, MIB // 2])
def test_a_stick_that_ends_while_it_is_read_is_refused(
    box: apply.Box, stick: tuple[Path, Path], left: int
) -> None:
    """Its last bytes are gone under the mount, as of a stick that dies."""
    image, at = stick
    with image.open("r+b") as file:
        file.truncate(left)
    with pytest.raises(UpdateRefused) as refused:
        apply.prepare(box, find_stick(at))
    assert str(refused.value)
    assert version(box) == 1
